//! Hyperelastic solids (`strain-energy`): total-Lagrangian corrected SPH as constraints of position-
//! based dynamics (Cao et al. 2023).
//!
//! Each particle has a constraint whose energy is that of its volume. The deformation gradient comes
//! from the neighbours at rest, which stay the same, corrected so that it is exact for affine maps
//! (`crate::rest`). Invariants: linear momentum to rounding; angular momentum of what nothing holds, which gets back
//! what steps take ([`FreeParts`]).
//!
//! | subject | file |
//! | --- | --- |
//! | who is projected beside whom | `rows` |
//! | deformation, stress and energy of particles | `readings` |
//! | what a constraint reads and applies | `projection` |
//! | how great its impulses are | `multipliers` |
//! | energy and stress | `response` |
//! | Gauss-Seidel, Jacobi, control of zero-energy modes | `sweep` |
//! | plastic flow | `flow` |
//! | how far multipliers are from the energy | `residual` |
//! | what is not fit to go on with | `inspect` |
//! | cutting and tearing | `cutting`, `broken_bonds` |
//! | what contacts see: particles near surfaces, sampled surfaces, directions | `surface` |

mod body;
mod broken_bonds;
mod columns;
mod cutting;
mod flow;
mod inspect;
mod kind;
mod links;
mod method;
mod multipliers;
mod projection;
mod readings;
mod residual;
mod response;
mod rows;
mod settings;
mod setup;
mod surface;
mod sweep;

pub use body::{SUPPORT, body};
pub use broken_bonds::BrokenBonds;
pub use columns::StrainEnergyColumns;
pub use links::neighbor_links;
pub use readings::{SolidReading, read};
pub use settings::{EnergyConstraint, StrainEnergySettings};
pub use setup::{SolidBody, StrainEnergySetup};

use std::ops::Range;

use pliant_geometry::topology::rim;
use pliant_materials::laws::Solid;
use pliant_materials::strain_energy::GREATEST_FAMILIES;
use pliant_math::simd::{Instructions, LANES, Row};
use pliant_math::{DVec3, Real, SymMat3, Vec3, to_double, to_real};

use self::flow::flow;
use self::links::joined_parts;
use self::projection::{NeighborCache, SolidSweepInput};
use self::rows::{ConstraintRows, NewConstraint};
use self::surface::bonded;
use self::sweep::sweep;
use crate::constraints::{FreeParts, Ordering};
use crate::contacts::Surfels;
use crate::parallel::{self, Scratches};
use crate::particles::{IdMap, Particles};
use crate::rest::{Neighborhood, RestCorrection, SurfaceParticles};

/// The method, as bodies name it.
pub const STRAIN_ENERGY: &dyn crate::world::MethodKind = &kind::Kind;

/// Hourglass control is at least so strong while parts of a body are collapsed: it unfolds tangles.
const UNFOLDING: f64 = 0.3;

/// The method; scratch of the stepper.
#[derive(Debug)]
pub struct StrainEnergy {
    setup: StrainEnergySetup,
    instructions: Instructions,
    /// By id.
    ranks: Vec<u32>,
    /// Number among the particles at the start, by id.
    numbers: Vec<u32>,
    /// Places of the solid particles in the last substep.
    range: Range<usize>,
    /// What the rows were built for.
    built_for: BuiltFor,
    /// Places of the particles among the solid ones.
    places: IdMap,
    rows: ConstraintRows,
    free_parts: FreeParts,
    /// Broken bonds that they were found with, if they are up to date.
    parted_by: Option<u64>,
    /// The rims of the blades.
    rims: Vec<Vec<[u32; 3]>>,
    surface: SurfaceParticles,
    /// Sampled surfaces for contacts, if they are up to date.
    surfels: Surfels,
    has_facets: bool,
    start: Vec<[Real; 8]>,
    /// Velocities and inverse masses.
    records: Vec<[Real; 4]>,
    /// The same before a sweep of Jacobi.
    frozen: Vec<[Real; 4]>,
    /// Impulses of the last substep on those that are held [kg m/s], and zeros; empty if they are not needed.
    on_held: Vec<[Real; 4]>,
    scratches: Scratches<Vec<NeighborCache>>,
    is_first: bool,
}

#[derive(Debug, Default)]
struct BuiltFor {
    ids: Vec<u32>,
    /// Broken bonds.
    broken_bonds: u64,
    inverse_mass: Vec<Real>,
    has_collapsed: Vec<bool>,
}

impl StrainEnergy {
    /// Scratch for worlds of a setup.
    pub fn new(setup: StrainEnergySetup) -> Self {
        Self {
            places: setup.places(),
            ranks: setup.ranks(),
            numbers: setup.numbers(),
            rims: setup.blades.iter().map(|b| rim(&b.surface)).collect(),
            setup,
            instructions: Instructions::best(),
            range: 0..0,
            built_for: BuiltFor::default(),
            rows: ConstraintRows::default(),
            free_parts: FreeParts::default(),
            parted_by: None,
            surface: SurfaceParticles::default(),
            surfels: Surfels::default(),
            has_facets: false,
            start: Vec::new(),
            records: Vec::new(),
            on_held: Vec::new(),
            scratches: Scratches::default(),
            frozen: Vec::new(),
            is_first: true,
        }
    }

    /// Computes with other instructions.
    pub fn set_instructions(&mut self, instructions: Instructions) {
        self.instructions = instructions;
    }

    /// Adds the places of the solid particles in an order that stays the same while they are there.
    pub fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        let first = order.len();
        if !self.setup.bodies.is_empty() {
            let rank = |i: u32| self.rank(particles.id[i as usize]);
            let places = 0..particles.len() as u32;
            order.extend(places.filter(|&i| rank(i) != u32::MAX));
            if !order[first..].is_sorted_by_key(|&i| rank(i)) {
                order[first..].sort_unstable_by_key(|&i| rank(i));
            }
        }
        self.range = first..order.len();
    }

    /// Number of the solid particle with an id, in order; `u32::MAX` for others.
    fn rank(&self, id: u32) -> u32 {
        self.ranks.get(id as usize).copied().unwrap_or(u32::MAX)
    }

    /// Takes over the shape at the start of a substep. Where particles have left the world since the
    /// last one, or others are held, what depends on it is built anew. `tells_held` if impulses on held particles are needed.
    pub fn find(&mut self, particles: &Particles, columns: &StrainEnergyColumns, tells_held: bool) {
        self.is_first = true;
        if self.setup.bodies.is_empty() {
            return;
        }
        self.on_held.clear();
        if tells_held {
            self.on_held.resize(self.range.len(), [0.0; 4]);
        }
        let (ids, inverse_mass) = (
            &particles.id[self.range.clone()],
            &particles.inverse_mass[self.range.clone()],
        );
        let built = &mut self.built_for;
        let is_built = built.ids == ids && built.broken_bonds == columns.broken_bonds.count();
        if is_built && built.inverse_mass != inverse_mass {
            self.rows.set_mobility(inverse_mass);
            built.inverse_mass.copy_from_slice(inverse_mass);
        }
        if !is_built {
            self.build(particles, columns);
        }
        if self.built_for.has_collapsed != columns.has_collapsed {
            self.set_hourglass(particles, columns);
            let kept = &mut self.built_for.has_collapsed;
            kept.clone_from(&columns.has_collapsed);
        }
        if !columns.plastic.is_empty() {
            self.load_histories(particles, columns);
        }
        let position = &particles.position[self.range.clone()];
        let mass = &particles.mass[self.range.clone()];
        let inverse_mass = &particles.inverse_mass[self.range.clone()];
        let broken_bonds = &columns.broken_bonds;
        if self.parted_by != Some(broken_bonds.count()) {
            let places = (&self.places, position.len());
            self.free_parts = joined_parts(&self.setup, broken_bonds, places);
            self.parted_by = Some(broken_bonds.count());
        }
        let masses = (mass, inverse_mass);
        self.free_parts.start(self.instructions, position, masses);
        self.load_positions(position);
    }

    /// One sweep over all constraints in a substep of `dt` [s].
    pub fn project(&mut self, particles: &mut Particles, dt: f64) {
        if self.rows.count == 0 {
            return;
        }
        self.load_velocities(particles);
        self.free_parts.watch(&self.records);
        let is_jacobi = self.setup.ordering == Ordering::Jacobi;
        if is_jacobi {
            self.frozen.clone_from(&self.records);
        }
        let input = SolidSweepInput {
            instructions: self.instructions,
            laws: &self.setup.laws,
            constraint: self.setup.settings.constraint,
            start: &self.start,
            frozen_velocity: is_jacobi.then_some(self.frozen.as_slice()),
            is_first: self.is_first,
            dt: dt as Real,
        };
        sweep(
            input,
            &mut self.rows,
            &self.scratches,
            &mut self.records,
            &mut self.on_held,
        );
        self.is_first = false;
        let velocity = &mut particles.velocity[self.range.clone()];
        self.free_parts
            .restore(self.instructions, &mut self.records);
        let records = &self.records;
        parallel::for_chunks(velocity, |first, velocity| {
            for (v, &[x, y, z, _]) in velocity.iter_mut().zip(&records[first..]) {
                *v = Vec3::new(x, y, z);
            }
        });
    }

    /// Adds the impulses [N s] that its constraints gave particles that are held in the last substep.
    ///
    /// * `on_particle` — of all particles, by place
    pub fn add_impulses(&self, on_particle: &mut [DVec3]) {
        let of_solids = &mut on_particle[self.range.clone()];
        for (sum, &[x, y, z, _]) in of_solids.iter_mut().zip(&self.on_held) {
            *sum += DVec3::new(x.into(), y.into(), z.into());
        }
    }

    /// Lets what yields flow by the velocities at the end of a substep of `dt` [s], and keeps which
    /// bodies have collapsed parts.
    pub fn flow(&mut self, particles: &Particles, columns: &mut StrainEnergyColumns, dt: f64) {
        if self.setup.bodies.is_empty() {
            return;
        }
        if !columns.plastic.is_empty() {
            self.load_velocities(particles);
            let laws = &self.setup.laws;
            flow(
                self.instructions,
                laws,
                &mut self.rows,
                &self.records,
                dt as Real,
            );
            self.store_histories(particles, columns);
        }
        self.store_collapsed(particles, columns);
    }

    fn store_histories(&self, particles: &Particles, columns: &mut StrainEnergyColumns) {
        for material_state in &self.rows.material_state {
            let row = material_state.row as usize;
            for lane in lanes(self.rows.info[row].filled) {
                let number = self.number(particles, self.rows.rows[row].rest.particle.get(lane));
                columns.plastic[number] = tensor(&material_state.history, lane);
            }
        }
    }

    fn load_histories(&mut self, particles: &Particles, columns: &StrainEnergyColumns) {
        let mut material_state = std::mem::take(&mut self.rows.material_state);
        for material_state in &mut material_state {
            let particle = self.rows.rows[material_state.row as usize].rest.particle;
            for lane in 0..LANES {
                let history = columns.plastic[self.number(particles, particle.get(lane))];
                set_tensor(&mut material_state.history, lane, history);
            }
        }
        self.rows.material_state = material_state;
    }

    /// The number at the start of the particle at a place among the solid ones.
    fn number(&self, particles: &Particles, place: usize) -> usize {
        let id = particles.id[self.range.start + place];
        self.numbers[id as usize] as usize
    }

    fn store_collapsed(&self, particles: &Particles, columns: &mut StrainEnergyColumns) {
        columns.has_collapsed.fill(false);
        for (row, info) in self.rows.rows.iter().zip(&self.rows.info) {
            for lane in lanes(info.collapsed) {
                let place = self.range.start + row.rest.particle.get(lane);
                let body = particles.body[place];
                let number = self.setup.bodies.iter().position(|b| b.body == body);
                if let Some(number) = number {
                    columns.has_collapsed[number] = true;
                }
            }
        }
    }

    fn load_velocities(&mut self, particles: &Particles) {
        let inverse_mass = &particles.inverse_mass[self.range.clone()];
        let velocity = &particles.velocity[self.range.clone()];
        self.records.resize(velocity.len(), [0.0; 4]);
        parallel::for_chunks(&mut self.records, |first, records| {
            let columns = velocity[first..].iter().zip(&inverse_mass[first..]);
            for (record, (v, &w)) in records.iter_mut().zip(columns) {
                *record = [v.x, v.y, v.z, w];
            }
        });
    }

    /// Splits positions [m] into two numbers each.
    fn load_positions(&mut self, position: &[DVec3]) {
        let origin = position.first().copied().unwrap_or_default();
        self.start.resize(position.len(), [0.0; 8]);
        parallel::for_chunks(&mut self.start, |first, start| {
            for (record, &x) in start.iter_mut().zip(&position[first..]) {
                let x = x - origin;
                let near = to_real(x);
                let rest = to_real(x - to_double(near));
                *record = [near.x, near.y, near.z, 0.0, rest.x, rest.y, rest.z, 0.0];
            }
        });
    }

    fn set_hourglass(&mut self, particles: &Particles, columns: &StrainEnergyColumns) {
        let usual = self.setup.settings.hourglass;
        let bodies = &self.setup.bodies;
        let last = bodies.iter().map(|body| body.body as usize).max();
        let mut of_body = vec![usual as Real; last.unwrap_or(0) + 1];
        for (body, &has_collapsed) in bodies.iter().zip(&columns.has_collapsed) {
            if has_collapsed && usual > 0.0 {
                of_body[body.body as usize] = usual.max(UNFOLDING) as Real;
            }
        }
        let body = &particles.body[self.range.clone()];
        for row in &mut self.rows.rows {
            for lane in 0..LANES {
                let body = body[row.rest.particle.get(lane)];
                row.hourglass.set(lane, of_body[body as usize]);
            }
        }
    }

    /// The constraints of the particles that are there.
    fn build(&mut self, particles: &Particles, columns: &StrainEnergyColumns) {
        let ids = &particles.id[self.range.clone()];
        self.places.update(ids);
        let (setup, broken_bonds, places) = (&self.setup, &columns.broken_bonds, &self.places);
        let mut constraints = Vec::with_capacity(ids.len());
        for body in &setup.bodies {
            let law = &setup.laws[body.law as usize];
            let of_particle = |&particle| constraint(body, law, particle, places, broken_bonds);
            constraints.extend(body.shape.order.iter().filter_map(of_particle));
        }
        let mass = &particles.mass[self.range.clone()];
        let inverse_mass = &particles.inverse_mass[self.range.clone()];
        self.rows = ConstraintRows::new(&constraints, mass, inverse_mass);
        let bodies = setup.bodies.iter();
        let bodies = bodies.map(|body| bonded(body, broken_bonds, places));
        self.surface = SurfaceParticles::new(bodies, ids.len());
        self.has_facets = false;
        self.parted_by = None;
        self.built_for = BuiltFor {
            ids: ids.to_vec(),
            broken_bonds: broken_bonds.count(),
            inverse_mass: inverse_mass.to_vec(),
            has_collapsed: Vec::new(),
        };
    }
}

/// The constraint of a particle of a body, `None` if it has left, or had no neighbours at rest.
fn constraint(
    body: &SolidBody,
    law: &Solid,
    particle: u32,
    places: &IdMap,
    broken_bonds: &BrokenBonds,
) -> Option<NewConstraint> {
    let place = |particle: u32| Some(places.of(body.first_id + particle)? as u32);
    let shape = &body.shape;
    let x = shape.position[particle as usize];
    let (mut neighbors, mut offsets) = (Vec::new(), Vec::new());
    let own = place(particle)?;
    let mut points = vec![own];
    for (bond, other) in body.bonds(particle as usize) {
        let Some(neighbor) = place(other) else {
            continue;
        };
        points.push(neighbor);
        if !broken_bonds.contains(bond) {
            neighbors.push(neighbor);
            offsets.push(shape.position[other as usize] - x);
        }
    }
    let correction = RestCorrection::new(offsets.iter().copied(), shape.support_radius);
    // One without a plane has no stress, but those of its neighbours act on it.
    (points.len() > 1).then(|| NewConstraint {
        rest: Neighborhood {
            particle: own,
            neighbors,
            offsets,
            correction,
            volume: body.volume[particle as usize],
            support_radius: shape.support_radius,
            youngs_modulus: body.youngs_modulus,
        },
        points,
        law: body.law,
        fibers: fibers(body, law, particle as usize),
    })
}

/// Directions of the fibres at a particle, if the law has fibres or flows.
fn fibers(body: &SolidBody, law: &Solid, particle: usize) -> Option<[DVec3; GREATEST_FAMILIES]> {
    let is_plain = law.fibers.count == 0 && law.plasticity.is_none();
    (!is_plain).then(|| body.fiber_directions(law, particle))
}

/// The lanes whose bit is set.
fn lanes(bits: u16) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| bits >> lane & 1 == 1)
}

fn tensor([xx, yy, zz, xy, xz, yz]: &[Row; 6], lane: usize) -> SymMat3 {
    let at = |row: &Row| row.0[lane];
    SymMat3::new(at(xx), at(yy), at(zz), at(xy), at(xz), at(yz))
}

fn set_tensor([xx, yy, zz, xy, xz, yz]: &mut [Row; 6], lane: usize, tensor: SymMat3) {
    xx.set(lane, tensor.xx);
    yy.set(lane, tensor.yy);
    zz.set(lane, tensor.zz);
    xy.set(lane, tensor.xy);
    xz.set(lane, tensor.xz);
    yz.set(lane, tensor.yz);
}
