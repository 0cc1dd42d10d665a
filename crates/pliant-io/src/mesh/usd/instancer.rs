//! Point instancers: prims that show others, their prototypes, at many places.

use pliant_math::{DMat3, DVec3};

use super::layer::{Prim, Value};
use super::moment::{Between, Moment, numbers, rotation};
use super::{MeshProblem, Transform, malformed};

/// The attributes that tell where instances are, and which are shown.
pub(super) const ATTRIBUTES: [&str; 6] = [
    "protoIndices",
    "positions",
    "orientations",
    "orientationsf",
    "scales",
    "invisibleIds",
];

/// A prototype at a place.
pub(super) struct Instance {
    /// Its place among the prototypes.
    pub(super) prototype: usize,
    /// Where it is, seen from the instancer.
    pub(super) transform: Transform,
}

/// Paths of the prims that an instancer shows.
pub(super) fn prototypes(prim: &Prim) -> &[String] {
    prim.relationships.targets("prototypes").unwrap_or_default()
}

/// The instances that are shown: each is scaled, then turned, then moved (OpenUSD, `UsdGeomPointInstancer`).
///
/// # Errors
/// If attributes have values for another number of instances, or lead to prototypes that are none.
pub(super) fn instances(
    prim: &Prim,
    path: &str,
    moment: Moment,
) -> Result<Vec<Instance>, MeshProblem> {
    let arrays = Arrays::read(prim, path, moment)?;
    let shown = (0..arrays.prototypes.len()).filter(|&place| arrays.is_shown(place));
    shown.map(|place| arrays.instance(place)).collect()
}

/// The values of an instancer, of each as many as it has instances.
struct Arrays<'p> {
    path: &'p str,
    prototype_count: usize,
    prototypes: Vec<f64>,
    positions: Vec<f64>,
    /// Quaternions, the real part first; none if nothing is turned.
    orientations: Vec<f64>,
    /// None if everything has its own size.
    scales: Vec<f64>,
    /// None if places are ids.
    ids: Vec<f64>,
    /// Ids, sorted.
    hidden: Vec<f64>,
}

impl<'p> Arrays<'p> {
    fn read(prim: &Prim, path: &'p str, moment: Moment) -> Result<Self, MeshProblem> {
        let array = |name: &str, between| -> Result<Option<Vec<f64>>, MeshProblem> {
            let value = numbers(prim.attribute(name), moment, between)?;
            Ok(match value.as_deref() {
                Some(Value::Numbers(numbers)) => Some(numbers.clone()),
                _ => None,
            })
        };
        let held = |name: &str| array(name, Between::Held).map(Option::unwrap_or_default);
        let (Some(prototypes), Some(positions)) = (
            array("protoIndices", Between::Held)?,
            array("positions", Between::Even)?,
        ) else {
            return Err(malformed(format!(
                "the PointInstancer {path} has no protoIndices or no positions; export it with them, or with its \
                 instances made real"
            )));
        };
        // Those of single precision count if both are there.
        let orientations = match array("orientationsf", Between::Turned)? {
            Some(orientations) if !orientations.is_empty() => Some(orientations),
            _ => array("orientations", Between::Turned)?,
        };
        let mut hidden = held("invisibleIds")?;
        hidden.extend(&prim.inactive_ids);
        hidden.sort_by(f64::total_cmp);
        let arrays = Self {
            path,
            prototype_count: self::prototypes(prim).len(),
            prototypes,
            positions,
            orientations: orientations.unwrap_or_default(),
            scales: array("scales", Between::Even)?.unwrap_or_default(),
            ids: held("ids")?,
            hidden,
        };
        arrays.check()?;
        Ok(arrays)
    }

    /// Whether there are as many values of each attribute as instances.
    fn check(&self) -> Result<(), MeshProblem> {
        let wanted = self.prototypes.len();
        let path = self.path;
        let found = [
            ("positions", self.positions.len(), 3, true),
            ("orientations", self.orientations.len(), 4, false),
            ("scales", self.scales.len(), 3, false),
            ("ids", self.ids.len(), 1, false),
        ];
        for (name, count, width, is_required) in found {
            let fits = count == wanted * width || (count == 0 && !is_required);
            if !fits {
                return Err(malformed(format!(
                    "the PointInstancer {path} has {} {name}, but {wanted} protoIndices; export as many of both",
                    count / width
                )));
            }
        }
        Ok(())
    }

    fn is_shown(&self, place: usize) -> bool {
        let id = self.ids.get(place).copied().unwrap_or(place as f64);
        let found = self.hidden.binary_search_by(|hidden| hidden.total_cmp(&id));
        found.is_err()
    }

    fn instance(&self, place: usize) -> Result<Instance, MeshProblem> {
        let (path, prototype) = (self.path, self.prototypes[place]);
        let is_known =
            prototype.fract() == 0.0 && prototype >= 0.0 && prototype < self.prototype_count as f64;
        if !is_known {
            let count = self.prototype_count;
            return Err(malformed(format!(
                "instance {place} of the PointInstancer {path} is of prototype {prototype}, but it has {count}, \
                 both counted from 0; choose prototypes that it has"
            )));
        }
        let vector = |numbers: &[f64]| {
            let vectors = numbers.as_chunks::<3>().0;
            vectors.get(place).copied().map(DVec3::from_array)
        };
        let turned = match self.orientations.as_chunks::<4>().0.get(place) {
            None => DMat3::IDENTITY,
            Some(numbers) => DMat3::from_quat(rotation(numbers).ok_or_else(|| {
                malformed(format!(
                    "instance {place} of the PointInstancer {path}, counted from 0, has the orientation {numbers:?}, \
                     which turns nothing; give it one of length 1"
                ))
            })?),
        };
        let scale = vector(&self.scales).unwrap_or(DVec3::ONE);
        Ok(Instance {
            prototype: prototype as usize,
            transform: Transform {
                linear: turned * DMat3::from_diagonal(scale),
                offset: vector(&self.positions).unwrap_or_default(),
            },
        })
    }
}
