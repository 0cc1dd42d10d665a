//! Boundary terms of rigid bodies: particles whose pressure moves one.
//!
//!   dp = (target - div v)/(dt V0 (tr K + K_b)),   K_b = sum_b G M_b^-1 G
//!   u_b += dt V0 M_b^-1 dp G,   G the walls' gradient and its moment about the centre of mass
//!
//! Many particles share one body. If each took it for a wall, all would correct the same error, and a
//! body lighter than the water that it moves would be thrown. So they are visited one after the other,
//! after all others of a sweep, each uses the results of those before it, and the body's mobility is
//! part of the solution: Gauss–Seidel, which never adds energy, whatever the masses. Gissler et al. 2019
//! solve for the same pressures with relaxed Jacobi iterations.
//!
//! What a light body passes on from one side to the other is, a visit, no more than its own momentum.
//! So those on different sides take turns, by a scattered order, the lighter the body the more often,
//! and its other contacts are solved in between.
//!
//! Reads and writes: velocities of fluid and bodies, pressures. Velocities of bodies are in double
//! precision, since many small impulses add up to one large momentum.

use std::ops::Range;

use pliant_math::simd::Row;
use pliant_math::{DVec3, Real, Vec3};

use super::residual;
use super::state::FluidInteractions;
use super::walls::Wall;
use crate::boundaries::RigidStep;
use crate::constraints::maximum_density::MaximumDensity;
use crate::interactions::ParticleRows;

/// Effect of the pressure of a particle on a rigid body, for an impulse of 1 N s m.
#[derive(Clone, Copy, Debug)]
struct BodyCoupling {
    /// Number of the body.
    body: u32,
    /// Sum of the gradients of its faces [1/m], and its moment about the centre of mass.
    force: DVec3,
    moment: DVec3,
    /// Change of the body's velocity and spin.
    velocity: DVec3,
    spin: DVec3,
}

impl BodyCoupling {
    fn new(body: u32, force: DVec3, point: DVec3, step: &RigidStep) -> Self {
        let moment = (point - step.center).cross(force);
        Self {
            body,
            force,
            moment,
            velocity: force * step.inverse_mass,
            spin: step.inverse_inertia * moment,
        }
    }

    /// The flow of the body towards the particle [1/s].
    fn flow(&self, bodies: &[RigidStep]) -> f64 {
        let step = &bodies[self.body as usize];
        self.force.dot(step.velocity) + self.moment.dot(step.spin)
    }

    /// What the flow changes by for an impulse of 1 N s m [1/(kg m2)].
    fn mobility(&self) -> f64 {
        self.force.dot(self.velocity) + self.moment.dot(self.spin)
    }

    fn push(&self, strength: f64, bodies: &mut [RigidStep]) {
        let step = &mut bodies[self.body as usize];
        step.velocity += self.velocity * strength;
        step.spin += self.spin * strength;
    }
}

/// Passes of a sweep for a body whose mobility is that of the fluid at it...
const PASSES: f64 = 2.0;
/// ...and the most for lighter ones.
const MAX_PASSES: u32 = 8;
/// Particles between two solutions of other contacts, if each moves the body as much as the fluid...
const ANSWERED: f64 = 4.0;
/// ...and the most such solutions in a pass.
const MAX_ANSWERS: usize = 16;

/// A particle near rigid bodies, whose pressure moves them.
#[derive(Clone, Debug)]
struct CoupledParticle {
    member: u32,
    row: u32,
    lane: u32,
    neighbors: Range<u32>,
    couplings: Range<u32>,
    /// Gradients of neighbours and walls, summed [1/m].
    recoil: Vec3,
    /// What the divergence shall at least be [1/s], less what walls that nothing moves bring.
    target: Real,
    /// Change of the pressure for a lacking divergence [Pa s].
    response: Real,
    /// dt V0 [m3 s].
    step_volume: Real,
}

/// The particles of a group near rigid bodies that can move; scratch of a substep.
#[derive(Debug, Default)]
pub struct BodyTerms {
    coupled: Vec<CoupledParticle>,
    neighbors: Vec<(u32, Vec3)>,
    couplings: Vec<BodyCoupling>,
    /// Passes in a sweep.
    passes: u32,
    /// Parts of a pass after which other contacts are solved.
    parts: usize,
}

impl BodyTerms {
    /// Takes the particles at walls that are bodies out of the common sweep, to which they respond
    /// no longer.
    ///
    /// * `first_rigid` — index of the first collider that is a rigid body
    pub fn find(
        &mut self,
        walls: &[Wall],
        (first_rigid, bodies): (usize, &[RigidStep]),
        rows: &ParticleRows,
        interactions: &mut FluidInteractions,
        dt: Real,
    ) {
        self.coupled.clear();
        self.neighbors.clear();
        self.couplings.clear();
        let body = |wall: &Wall| {
            let number = (wall.collider as usize).checked_sub(first_rigid)?;
            (bodies[number].inverse_mass > 0.0).then_some(number as u32)
        };
        let mut lightness = 0.0;
        // The faces of a particle with bodies stand together.
        for faces in walls.chunk_by(|a, b| (a.row, a.lane) == (b.row, b.lane)) {
            let first = self.couplings.len() as u32;
            let mut flow = 0.0;
            for of_one in faces.chunk_by(|a, b| a.collider == b.collider) {
                if let Some(number) = body(&of_one[0]) {
                    let force = of_one.iter().map(|face| face.gradient).sum();
                    let (point, step) = (of_one[0].point, &bodies[number as usize]);
                    self.couplings
                        .push(BodyCoupling::new(number, force, point, step));
                    flow += of_one.iter().map(|face| face.flow).sum::<f64>();
                }
            }
            if self.couplings.len() as u32 > first {
                lightness += self.add(&faces[0], (first, flow), rows, interactions, dt);
            }
        }
        let mean = lightness / self.coupled.len().max(1) as f64;
        self.passes = (PASSES * mean).ceil().clamp(1.0, f64::from(MAX_PASSES)) as u32;
        self.parts = (lightness / ANSWERED).ceil().clamp(1.0, MAX_ANSWERS as f64) as usize;
        // Multiples of the golden ratio, of which the whole part is dropped, are scattered.
        self.coupled
            .sort_unstable_by_key(|coupled| coupled.member.wrapping_mul(0x9e37_79b9));
    }

    /// Adds a particle, and returns how many times as mobile as the fluid there its bodies are.
    fn add(
        &mut self,
        wall: &Wall,
        (first_coupling, flow): (u32, f64),
        rows: &ParticleRows,
        interactions: &mut FluidInteractions,
        dt: Real,
    ) -> f64 {
        let (row, lane) = (wall.row as usize, wall.lane as usize);
        let member = rows.particle[row].get(lane);
        let first = self.neighbors.len() as u32;
        let found = interactions.of(rows, member);
        self.neighbors
            .extend(found.map(|i| (i.neighbor as u32, i.gradient)));
        let data = &mut interactions.data[row];
        let sum = data.gradient_sum.map(|axis| axis.0[lane]);
        let walls = data.state.wall_gradient.map(|axis| axis.0[lane]);
        let couplings = first_coupling..self.couplings.len() as u32;
        let step_volume = dt * data.rest_volume.0[lane];
        let own = data.state.response.0[lane];
        let of_bodies: f64 = self.couplings[first_coupling as usize..]
            .iter()
            .map(BodyCoupling::mobility)
            .sum();
        let lightness = f64::from(own * step_volume) * of_bodies;
        self.coupled.push(CoupledParticle {
            member: member as u32,
            row: wall.row,
            lane: wall.lane,
            neighbors: first..self.neighbors.len() as u32,
            couplings,
            recoil: Vec3::from_array(sum) + Vec3::from_array(walls),
            target: data.state.target.0[lane] - (data.state.wall_flow.0[lane] - flow as Real),
            response: own / (1.0 + lightness as Real),
            step_volume,
        });
        data.state.response.set(lane, 0.0);
        lightness
    }

    /// Gives bodies the impulses of the pressures that are there.
    pub fn start(&self, pressure: &[Row], bodies: &mut [RigidStep]) {
        for coupled in &self.coupled {
            let pressure = pressure[coupled.row as usize].0[coupled.lane as usize];
            let strength = f64::from(coupled.step_volume * pressure);
            for coupling in self.couplings(coupled) {
                coupling.push(strength, bodies);
            }
        }
    }

    /// Solves for the pressures of the particles one after the other.
    ///
    /// * `answer` — solves the other contacts of the bodies
    pub fn sweep(
        &self,
        velocity: &mut [[Real; 4]],
        pressure: &mut [Row],
        bodies: &mut [RigidStep],
        answer: &mut impl FnMut(&mut [RigidStep]),
    ) {
        let size = self.coupled.len().div_ceil(self.parts.max(1)).max(1);
        for _ in 0..self.passes {
            for part in self.coupled.chunks(size) {
                for coupled in part {
                    let pressure = &mut pressure[coupled.row as usize].0[coupled.lane as usize];
                    self.visit(coupled, velocity, pressure, bodies);
                }
                answer(bodies);
            }
        }
    }

    /// (sum V0 r^2, sum V0 (p - r)^2) over the particles; see `residual`.
    pub fn residual(
        &self,
        velocity: &[[Real; 4]],
        pressure: &[Row],
        bodies: &[RigidStep],
        dt: Real,
    ) -> (f64, f64) {
        let of_coupled = |coupled: &CoupledParticle| {
            let applied = pressure[coupled.row as usize].0[coupled.lane as usize];
            let lacking = coupled.lacking(self, velocity, bodies);
            let wanted = MaximumDensity::projected(applied, lacking, coupled.response);
            residual::parts(applied, wanted, coupled.step_volume / dt)
        };
        self.coupled
            .iter()
            .map(of_coupled)
            .fold((0.0, 0.0), residual::add)
    }

    fn around(&self, coupled: &CoupledParticle) -> &[(u32, Vec3)] {
        &self.neighbors[coupled.neighbors.start as usize..coupled.neighbors.end as usize]
    }

    fn couplings(&self, coupled: &CoupledParticle) -> &[BodyCoupling] {
        &self.couplings[coupled.couplings.start as usize..coupled.couplings.end as usize]
    }

    fn visit(
        &self,
        coupled: &CoupledParticle,
        velocity: &mut [[Real; 4]],
        pressure: &mut Real,
        bodies: &mut [RigidStep],
    ) {
        let lacking = coupled.lacking(self, velocity, bodies);
        let wanted = MaximumDensity::projected(*pressure, lacking, coupled.response);
        let strength = (wanted - *pressure) * coupled.step_volume;
        *pressure = wanted;
        for &(j, gradient) in self.around(coupled) {
            push(&mut velocity[j as usize], gradient * strength);
        }
        push(
            &mut velocity[coupled.member as usize],
            coupled.recoil * -strength,
        );
        for coupling in self.couplings(coupled) {
            coupling.push(f64::from(strength), bodies);
        }
    }
}

impl CoupledParticle {
    /// What the divergence lacks of what it shall at least be [1/s].
    fn lacking(&self, of: &BodyTerms, velocity: &[[Real; 4]], bodies: &[RigidStep]) -> Real {
        let inflow: Real = of
            .around(self)
            .iter()
            .map(|&(j, gradient)| gradient.dot(vector(velocity[j as usize])))
            .sum();
        let own = vector(velocity[self.member as usize]).dot(self.recoil);
        let couplings = of.couplings(self).iter();
        let of_bodies: f64 = couplings.map(|coupling| coupling.flow(bodies)).sum();
        self.target - (inflow - own + of_bodies as Real)
    }
}

fn vector([x, y, z, _]: [Real; 4]) -> Vec3 {
    Vec3::new(x, y, z)
}

fn push(record: &mut [Real; 4], impulse: Vec3) {
    let [x, y, z, inverse_mass] = record;
    *x += impulse.x * *inverse_mass;
    *y += impulse.y * *inverse_mass;
    *z += impulse.z * *inverse_mass;
}
