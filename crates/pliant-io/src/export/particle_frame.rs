//! A particle frame read from a file: it owns its columns and lends a frame.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use pliant_core::measure::{Frame, FrameBody, FrameCollider, Quantity};
use pliant_geometry::TriangleUv;
use pliant_math::DVec3;
use thiserror::Error;

use super::columns::{INSIDE, Kind, ReadColumn, ReadTriangles, UV};

/// Most quantities a file may have. Names live as long as the program, so their number is bounded.
const MOST_QUANTITIES: usize = 256;

/// One moment of a run, read from a file. Columns have equal lengths.
#[derive(Clone, Debug, Default)]
pub struct ParticleFrame {
    /// Number of the frame; 1 is the initial state.
    pub number: u32,
    /// Simulated time (s).
    pub time: f64,
    /// Positions (m).
    pub position: Vec<DVec3>,
    /// Velocities [m/s].
    pub velocity: Vec<[f32; 3]>,
    /// Stable ids.
    pub id: Vec<u32>,
    /// Body of each particle, an index into the scene's bodies.
    pub body: Vec<u32>,
    /// Material of each particle, an index into `material_names`.
    pub material: Vec<u32>,
    /// Radius of each particle (m).
    pub radius: Vec<f32>,
    /// Further quantities.
    pub quantities: Vec<Quantity>,
    /// Triangles of cloth that hold: places of their corners in these columns.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates of the triangles, or nothing.
    pub uv: Vec<TriangleUv>,
    /// Which triangles are faces of cuts, or nothing.
    pub inside: Vec<bool>,
    /// Names of the bodies.
    pub body_names: Vec<String>,
    /// Names of the materials.
    pub material_names: Vec<String>,
}

/// What is wrong with the content of a particle file.
#[derive(Debug, Error)]
pub enum FrameProblem {
    /// It does not follow the format.
    #[error("{0}")]
    Malformed(String),
    /// An array ends early or claims more than the file holds.
    #[error("its array `{0}` is cut off")]
    CutOff(String),
    /// An array is missing or has another type.
    #[error("it has no array `{0}` of the right type")]
    NoArray(&'static str),
    /// Arrays differ in length.
    #[error("its array `{name}` has {found} values for {expected} particles")]
    WrongLength {
        /// Array.
        name: String,
        /// Its length.
        found: usize,
        /// Number of particles.
        expected: usize,
    },
    /// A particle belongs to something that does not exist.
    #[error("a particle belongs to {what} {index}, but there are only {count}")]
    OutOfRange {
        /// "body" or "material".
        what: &'static str,
        /// Its index, from 0.
        index: u32,
        /// How many there are.
        count: usize,
    },
    /// A triangle whose corner does not exist.
    #[error("a triangle has particle {corner} as a corner, but there are only {count}")]
    NoCorner {
        /// Its place, from 0.
        corner: u32,
        /// How many particles there are.
        count: usize,
    },
    /// A time that is not a number.
    #[error("its time {0} is not finite")]
    BadTime(f64),
}

impl ParticleFrame {
    /// The frame with the bodies and colliders of its scene, which the file does not hold. The
    /// bodies must be those the run had, in the same order.
    ///
    /// # Errors
    /// If a particle belongs to a body that is not among them.
    pub fn frame<'a>(
        &'a self,
        bodies: &'a [FrameBody],
        colliders: &'a [FrameCollider],
    ) -> Result<Frame<'a>, FrameProblem> {
        check_indices("body", &self.body, bodies.len())?;
        Ok(Frame {
            number: self.number,
            time: self.time,
            position: &self.position,
            velocity: &self.velocity,
            id: &self.id,
            body: &self.body,
            material: &self.material,
            radius: &self.radius,
            quantities: &self.quantities,
            triangles: &self.triangles,
            uv: &self.uv,
            inside: &self.inside,
            bodies,
            material_names: &self.material_names,
            colliders,
        })
    }

    /// Puts a frame together from the arrays and lists of a file.
    pub(super) fn assemble(
        number: u32,
        time: f64,
        mut columns: Vec<ReadColumn>,
        mut lists: Vec<(String, Vec<String>)>,
        triangles: ReadTriangles,
    ) -> Result<Self, FrameProblem> {
        if !time.is_finite() {
            return Err(FrameProblem::BadTime(time));
        }
        let mut list = |name: &str| {
            let index = lists.iter().position(|(found, _)| found == name);
            index.map_or(Vec::new(), |i| lists.swap_remove(i).1)
        };
        let (body_names, material_names) = (list("body_names"), list("material_names"));
        let units = list("quantity_units");
        let frame = Self {
            number,
            time,
            position: position(&required(&mut columns, "position", Kind::Double3)?),
            velocity: vectors(&required(&mut columns, "velocity", Kind::Single3)?),
            id: indices(&required(&mut columns, "id", Kind::Index)?),
            body: indices(&required(&mut columns, "body", Kind::Index)?),
            material: indices(&required(&mut columns, "material", Kind::Index)?),
            radius: singles(&required(&mut columns, "radius", Kind::Single)?),
            quantities: quantities(columns, &units)?,
            triangles: triangles.corners,
            uv: triangles.uv,
            inside: triangles.inside,
            body_names,
            material_names,
        };
        frame.check()?;
        Ok(frame)
    }

    fn check(&self) -> Result<(), FrameProblem> {
        let expected = self.position.len();
        let lengths = [
            ("velocity", self.velocity.len()),
            ("id", self.id.len()),
            ("body", self.body.len()),
            ("material", self.material.len()),
            ("radius", self.radius.len()),
        ];
        let quantities = self.quantities.iter().map(|q| (q.name, q.values.len()));
        for (name, found) in lengths.into_iter().chain(quantities) {
            if found != expected {
                return Err(FrameProblem::WrongLength {
                    name: name.to_owned(),
                    found,
                    expected,
                });
            }
        }
        let of_triangles = [(UV, self.uv.len()), (INSIDE, self.inside.len())];
        for (name, found) in of_triangles.into_iter().filter(|(_, found)| *found > 0) {
            if found != self.triangles.len() {
                let reason = format!(
                    "its array `{name}` has {found} values for {} triangles",
                    self.triangles.len()
                );
                return Err(FrameProblem::Malformed(reason));
            }
        }
        let corners = self.triangles.as_flattened().iter();
        if let Some(&corner) = corners.max().filter(|&&corner| corner as usize >= expected) {
            let count = expected;
            return Err(FrameProblem::NoCorner { corner, count });
        }
        check_indices("material", &self.material, self.material_names.len())?;
        check_indices("body", &self.body, self.body_names.len())
    }
}

fn check_indices(what: &'static str, column: &[u32], count: usize) -> Result<(), FrameProblem> {
    match column.iter().find(|&&index| index as usize >= count) {
        Some(&index) => Err(FrameProblem::OutOfRange { what, index, count }),
        None => Ok(()),
    }
}

/// Takes a column out of those read.
fn required(
    columns: &mut Vec<ReadColumn>,
    name: &'static str,
    kind: Kind,
) -> Result<Vec<u8>, FrameProblem> {
    let index = columns
        .iter()
        .position(|column| column.name == name && column.kind == kind)
        .ok_or(FrameProblem::NoArray(name))?;
    Ok(columns.remove(index).bytes)
}

/// The remaining columns of single numbers, in their order.
fn quantities(columns: Vec<ReadColumn>, units: &[String]) -> Result<Vec<Quantity>, FrameProblem> {
    let columns: Vec<ReadColumn> = columns
        .into_iter()
        .filter(|column| column.kind == Kind::Single)
        .collect();
    if columns.len() > MOST_QUANTITIES {
        let reason = format!("it has {} quantities", columns.len());
        return Err(FrameProblem::Malformed(reason));
    }
    let quantity = |(i, column): (usize, &ReadColumn)| Quantity {
        name: kept_name(&column.name),
        unit: kept_name(units.get(i).map_or("", String::as_str)),
        values: singles(&column.bytes),
    };
    Ok(columns.iter().enumerate().map(quantity).collect())
}

/// The name for the life of the program. Names are few and the same in every frame of a run; each
/// is kept once.
fn kept_name(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = names.get(name) {
        return kept;
    }
    let kept: &'static str = Box::leak(name.to_owned().into_boxed_str());
    names.insert(kept);
    kept
}

fn position(bytes: &[u8]) -> Vec<DVec3> {
    let (numbers, _) = bytes.as_chunks::<8>();
    let (points, _) = numbers.as_chunks::<3>();
    let to_vector = |point: &[[u8; 8]; 3]| DVec3::from_array(point.map(f64::from_le_bytes));
    points.iter().map(to_vector).collect()
}

fn vectors(bytes: &[u8]) -> Vec<[f32; 3]> {
    let (numbers, _) = bytes.as_chunks::<4>();
    let (points, _) = numbers.as_chunks::<3>();
    points
        .iter()
        .map(|point| point.map(f32::from_le_bytes))
        .collect()
}

fn singles(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().copied().map(f32::from_le_bytes).collect()
}

fn indices(bytes: &[u8]) -> Vec<u32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().copied().map(u32::from_le_bytes).collect()
}
