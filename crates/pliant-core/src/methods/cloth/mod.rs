//! Cloth: triangles that resist stretch and shear, edges that resist bending, by extended
//! position-based dynamics (Macklin et al. 2016) in small steps (Macklin et al. 2019).
//!
//! | what | here |
//! | --- | --- |
//! | the sheet at rest | [`crate::rest::Fabric`] |
//! | stretch and shear of a triangle | `membrane` |
//! | bending of an edge | `bending` |
//! | who is projected beside whom | `rows` |
//! | a pass over all constraints | `sweep` |
//! | how long a step may be | `longest_step` |
//! | tearing | `tearing` |
//! | stress, energy and area, read off positions | [`ClothReadings`] |
//!
//! Vertices are particles. Reads and writes: velocities; positions in a constraint are x_start + dt v,
//! multipliers start at those of the stress at the start of each substep. Keeps: which triangles have torn (`columns`).
//! Invariants: linear momentum to rounding; angular momentum as far as the sweeps converge.
//! Not here: contacts, of the cloth with itself too (`crate::contacts`).

mod bending;
mod body;
mod columns;
mod kind;
mod longest_step;
mod membrane;
mod method;
mod point;
mod readings;
mod rows;
mod setup;
mod sweep;
mod tearing;
#[cfg(test)]
mod tests;

pub use body::body;
pub use columns::ClothColumns;
pub use longest_step::{crossing_time, longest_step};
pub use membrane::ClothStep;
pub use readings::{ClothReading, ClothReadings};
pub use setup::{ClothSetup, Sheet};

use std::ops::Range;

use pliant_math::simd::Instructions;
use pliant_math::{DVec3, Real, Vec3};

use crate::particles::IdMap;
use crate::rest::StartShape;

use self::rows::{HingeRows, NewHinge, NewTriangle, TriangleRows};

/// The method, as bodies name it.
pub const CLOTH: &dyn crate::world::MethodKind = &kind::Kind;

/// The vertices of all sheets in order of their stable ids: a slice of each shared column.
#[derive(Clone, Copy, Debug)]
pub struct Vertices<'a> {
    /// Positions [m].
    pub position: &'a [DVec3],
    /// Stable ids, increasing.
    pub id: &'a [u32],
}

/// The method for all its bodies; scratch of the stepper.
#[derive(Debug)]
pub struct Cloth {
    /// Constants of the run.
    pub setup: ClothSetup,
    /// The sheets that have an axis of friction.
    start_shapes: Vec<StartShape>,
    /// Places of its vertices.
    range: Range<usize>,
    instructions: Instructions,
    triangles: TriangleRows,
    hinges: HingeRows,
    /// Corners of the whole triangles, as places among the vertices.
    intact: Vec<[u32; 3]>,
    /// Their sides, each once, as places among the vertices.
    edges: Vec<[u32; 2]>,
    /// What the constraints were built for.
    built_for: Option<(Vec<u32>, ClothColumns)>,
    records: Vec<[Real; 4]>,
    /// Impulses of the last substep on vertices that are held [kg m/s], and zeros.
    on_held: Vec<[Real; 4]>,
}

impl Cloth {
    /// For the sheets of a setup.
    pub fn new(setup: ClothSetup) -> Self {
        Self {
            setup,
            start_shapes: Vec::new(),
            range: 0..0,
            instructions: Instructions::best(),
            triangles: TriangleRows::default(),
            hinges: HingeRows::default(),
            intact: Vec::new(),
            edges: Vec::new(),
            built_for: None,
            records: Vec::new(),
            on_held: Vec::new(),
        }
    }

    /// The same with sheets whose directions are followed.
    pub fn following(self, start_shapes: Vec<StartShape>) -> Self {
        Self {
            start_shapes,
            ..self
        }
    }

    /// Computes with other instructions than the best that the processor has; the bits are the same.
    pub fn set_instructions(&mut self, instructions: Instructions) {
        self.instructions = instructions;
    }

    /// Takes over the shape at the start of a substep. Where vertices have left the world or triangles
    /// have torn since the last one, what holds them together is built anew.
    pub fn find(&mut self, vertices: Vertices<'_>, columns: &ClothColumns) {
        let is_built = |(ids, built): &(Vec<u32>, ClothColumns)| {
            ids.as_slice() == vertices.id && built == columns
        };
        if !self.built_for.as_ref().is_some_and(is_built) {
            self.build(vertices.id, columns);
            self.built_for = Some((vertices.id.to_vec(), columns.clone()));
        }
        self.on_held.clear();
        self.on_held.resize(vertices.id.len(), [0.0; 4]);
        self.triangles.start(vertices.position);
        self.hinges.start(vertices.position);
    }

    /// The impulses of the stress at the start of a substep, with which its sweeps begin.
    pub fn start_warm(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        step: ClothStep<Real>,
    ) {
        self.pass::<true>(velocity, inverse_mass, step);
    }

    /// One sweep over all constraints.
    pub fn project(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real], step: ClothStep<Real>) {
        self.pass::<false>(velocity, inverse_mass, step);
    }

    fn pass<const START: bool>(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        step: ClothStep<Real>,
    ) {
        self.records.clear();
        let columns = velocity.iter().zip(inverse_mass);
        self.records
            .extend(columns.map(|(v, &w)| [v.x, v.y, v.z, w]));
        sweep::sweep::<START>(
            self.instructions,
            &mut self.triangles,
            &mut self.hinges,
            (&mut self.records, &mut self.on_held),
            step,
        );
        for (v, &[x, y, z, _]) in velocity.iter_mut().zip(&self.records) {
            *v = Vec3::new(x, y, z);
        }
    }

    /// Adds the impulses [N s] that its constraints gave vertices that are held in the last substep.
    ///
    /// * `on_vertex` — of its vertices, in their order
    pub fn add_impulses(&self, on_vertex: &mut [DVec3]) {
        for (sum, &[x, y, z, _]) in on_vertex.iter_mut().zip(&self.on_held) {
            *sum += DVec3::new(x.into(), y.into(), z.into());
        }
    }

    /// Number of constraints: three a triangle, one a hinge.
    pub fn constraint_count(&self) -> usize {
        3 * self.triangles.count + self.hinges.count
    }

    /// Corners of the triangles that hold, as places among the vertices, in the last substep.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.intact
    }

    /// The sides of these triangles, each once.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The constraints of what is whole.
    fn build(&mut self, ids: &[u32], columns: &ClothColumns) {
        let (mut triangles, mut hinges) = (Vec::new(), Vec::new());
        for (first, sheet) in self.setup.numbered() {
            let places = IdMap::within(sheet.ids(), ids);
            let is_torn = &columns.is_torn[first..first + sheet.fabric.triangles.len()];
            triangles.extend(triangles_of(sheet, &places, is_torn));
            hinges.extend(hinges_of(sheet, &places, is_torn));
        }
        self.intact.clear();
        self.intact.extend(triangles.iter().map(|t| t.points));
        let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
        self.edges.clear();
        self.edges.extend(self.intact.iter().flat_map(sides));
        self.edges.iter_mut().for_each(|edge| edge.sort_unstable());
        self.edges.sort_unstable();
        self.edges.dedup();
        self.triangles = TriangleRows::new(&triangles, ids.len());
        self.hinges = HingeRows::new(&hinges, ids.len());
    }
}

/// Triangles of cloth that hold, by the places of their corners among all ids.
///
/// * `ids` — of all particles, increasing
pub fn whole_triangles(setup: &ClothSetup, columns: &ClothColumns, ids: &[u32]) -> Vec<[u32; 3]> {
    let mut triangles = Vec::new();
    for (first, sheet) in setup.numbered() {
        let places = IdMap::within(sheet.ids(), ids);
        let whole = sheet
            .fabric
            .triangles
            .iter()
            .zip(&columns.is_torn[first..])
            .filter(|(_, is_torn)| !**is_torn);
        triangles.extend(whole.filter_map(|(&corners, _)| places.of_body(sheet.first_id, corners)));
    }
    triangles
}

fn triangles_of<'a>(
    sheet: &'a Sheet,
    places: &'a IdMap,
    is_torn: &'a [bool],
) -> impl Iterator<Item = NewTriangle> + 'a {
    let whole = sheet.fabric.triangles.iter().zip(is_torn).enumerate();
    whole.filter_map(move |(number, (&corners, &is_torn))| {
        let points = places.of_body(sheet.first_id, corners)?;
        (!is_torn).then(|| sheet.triangle(number, points))
    })
}

fn hinges_of<'a>(
    sheet: &'a Sheet,
    places: &'a IdMap,
    is_torn: &'a [bool],
) -> impl Iterator<Item = NewHinge> + 'a {
    sheet.fabric.rest_hinges().iter().filter_map(move |hinge| {
        let points = places.of_body(sheet.first_id, hinge.edge.points)?;
        let is_whole = hinge.edge.triangles.iter().all(|&t| !is_torn[t as usize]);
        (is_whole && sheet.law.bending_stiffness > 0.0).then(|| sheet.hinge(hinge, points))
    })
}
