//! Which joints the points of a mesh follow.

use std::collections::HashMap;

use super::super::MeshProblem;
use super::super::layer::Attribute;
use super::super::moment::Between;
use super::binding::{Binding, INDICES, ORDER, WEIGHTS};
use super::values::{Subject, names};

/// Sums of weights up to which a point follows nothing: rounding of single precision.
const LEAST_SUM: f64 = 1e-6;

/// A joint that a point follows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Influence {
    /// Its place in the skeleton.
    pub(super) joint: usize,
    pub(super) weight: f64,
}

/// The joints of all points.
pub(super) struct Influences {
    all: Vec<Influence>,
    /// How many there are of each point.
    each: usize,
    /// Those of one point are those of all.
    is_rigid: bool,
}

impl Influences {
    /// Those of a mesh, if it follows joints. Weights are as they are written, as OpenUSD takes them.
    ///
    /// * `joints` — paths of those of its skeleton
    ///
    /// # Errors
    /// If their number is not that of the points, joints are not there, or a point follows none.
    pub(super) fn read(
        mesh: &Subject<'_>,
        binding: &Binding<'_>,
        joints: &[String],
        point_count: usize,
    ) -> Result<Option<Self>, MeshProblem> {
        let indices = mesh.numbers_of(binding.indices, INDICES, Between::Held)?;
        let weights = mesh.numbers_of(binding.weights, WEIGHTS, Between::Even)?;
        let (indices, weights) = match (indices, weights) {
            (None, None) => return Ok(None),
            (Some(indices), Some(weights)) => (indices, weights),
            (None, _) => return Err(one_is_missing(mesh, INDICES, WEIGHTS)),
            (_, None) => return Err(one_is_missing(mesh, WEIGHTS, INDICES)),
        };
        let (each, is_rigid) = layout(mesh, binding)?;
        let (points, of) = match is_rigid {
            true => (1, "elementSize of them (constant)"),
            false => (point_count, "elementSize of them for each point (vertex)"),
        };
        for (name, values) in [(INDICES, &indices), (WEIGHTS, &weights)] {
            if Some(values.len()) != points.checked_mul(each) {
                let wanted = (points.saturating_mul(each), of);
                return Err(mesh.wrong_count(name, values.len(), wanted));
            }
        }
        let all = followed(mesh, (&indices, &weights), &Order::read(binding, joints)?)?;
        let influences = Self {
            all,
            each,
            is_rigid,
        };
        influences.check_sums(mesh)?;
        Ok(Some(influences))
    }

    /// Those of a point.
    pub(super) fn of(&self, point: usize) -> &[Influence] {
        match self.is_rigid {
            true => &self.all,
            false => &self.all[point * self.each..(point + 1) * self.each],
        }
    }

    fn check_sums(&self, mesh: &Subject<'_>) -> Result<(), MeshProblem> {
        for (point, own) in self.all.chunks(self.each).enumerate() {
            let sum: f64 = own.iter().map(|influence| influence.weight).sum();
            if sum <= LEAST_SUM {
                let what = format!(
                    "adds up to {sum} at point {point}, counted from 0, so that it follows no joint; weigh the joints of \
                     each point so that they add up to 1"
                );
                return Err(mesh.wrong(WEIGHTS, &what));
            }
        }
        Ok(())
    }
}

fn one_is_missing(mesh: &Subject<'_>, missing: &str, other: &str) -> MeshProblem {
    let what = format!("is missing, but there is `{other}`; write both of them or none");
    mesh.wrong(missing, &what)
}

/// How many influences there are of each point, and whether all points have the same.
fn layout(mesh: &Subject<'_>, binding: &Binding<'_>) -> Result<(usize, bool), MeshProblem> {
    let told = |attribute: Option<&Attribute>| {
        let interpolation = attribute.and_then(|own| own.interpolation.clone());
        let size = attribute.and_then(|own| own.element_size);
        (
            interpolation.unwrap_or_else(|| "constant".to_owned()),
            size.unwrap_or(1.0),
        )
    };
    let (interpolation, size) = told(binding.indices);
    let (of_weights, size_of_weights) = told(binding.weights);
    if (&interpolation, size) != (&of_weights, size_of_weights) {
        let what = format!(
            "has interpolation `{of_weights}` and elementSize {size_of_weights}, but {INDICES} has `{interpolation}` and \
             {size}; write the same of both"
        );
        return Err(mesh.wrong(WEIGHTS, &what));
    }
    if !(size >= 1.0 && size.fract() == 0.0 && size <= f64::from(u32::MAX)) {
        let what = format!("has elementSize {size}, where a whole number from 1 on would be right");
        return Err(mesh.wrong(INDICES, &what));
    }
    match interpolation.as_str() {
        "constant" => Ok((size as usize, true)),
        "vertex" => Ok((size as usize, false)),
        other => {
            let what =
                format!("has interpolation `{other}`, where `vertex` or `constant` would be right");
            Err(mesh.wrong(INDICES, &what))
        }
    }
}

/// The joints that indices count.
struct Order {
    /// Their paths, and their places in the skeleton; `None` if they are not in it.
    joints: Vec<(String, Option<usize>)>,
    /// Where they are listed.
    list: &'static str,
}

impl Order {
    /// Those that the mesh lists, or else those of its skeleton.
    fn read(binding: &Binding<'_>, joints: &[String]) -> Result<Self, MeshProblem> {
        let places: HashMap<&str, usize> = joints.iter().map(String::as_str).zip(0..).collect();
        let own = names(binding.order)?;
        let list = match own.is_some() {
            true => ORDER,
            false => "the joints of its skeleton",
        };
        let placed = |name: String| {
            let place = places.get(name.as_str()).copied();
            (name, place)
        };
        let listed = own.unwrap_or_else(|| joints.to_vec()).into_iter();
        Ok(Self {
            joints: listed.map(placed).collect(),
            list,
        })
    }
}

/// The joints of all points in the skeleton, by their indices in an order.
fn followed(
    mesh: &Subject<'_>,
    (indices, weights): (&[f64], &[f64]),
    order: &Order,
) -> Result<Vec<Influence>, MeshProblem> {
    let influence = |(place, (&index, &weight)): (usize, (&f64, &f64))| {
        let is_whole = index >= 0.0 && index.fract() == 0.0;
        let joint = is_whole.then(|| order.joints.get(index as usize)).flatten();
        let (name, joint) = joint.ok_or_else(|| {
            let what = format!(
                "has {index} as number {place}, counted from 0, but there are {} in {}, counted from 0 too",
                order.joints.len(),
                order.list
            );
            mesh.wrong(INDICES, &what)
        })?;
        match joint {
            Some(joint) => Ok(Influence {
                joint: *joint,
                weight,
            }),
            None if weight == 0.0 => Ok(Influence { joint: 0, weight }),
            None => {
                let what = format!(
                    "has `{name}`, which points follow, but its skeleton has no such joint"
                );
                Err(mesh.wrong(ORDER, &what))
            }
        }
    };
    let both = indices.iter().zip(weights);
    both.enumerate().map(influence).collect()
}
