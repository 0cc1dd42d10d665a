//! Volume, kept by velocities: det F of each particle is 1 at the end of a substep, but for what a fluid of a great
//! bulk modulus K would give way.
//!
//!   C_i + dt sum_j S_i G_ij . (v_j - v_i) = -pi_i / (K V_i dt),   S_i = cof(F_i) L_i,   C_i = det F_i - 1
//!
//! linearised at the start, where all of this is frozen. Impulses p_i = -sum_j (pi_i S_i + pi_j S_j) G_ij, pi being
//! that of the pressure, make it so: a system (D W D^T + a) pi = -(C/dt + D v), a = 1/(K V dt^2), symmetric and
//! positive, which is solved by conjugate gradients from the impulses of the substep before. Unlike a density, which
//! depends on where neighbours happen to be, det F is what the volume of the body is made of; and as velocities are
//! changed and not positions, angular momentum is kept. This is implicit Euler for the energy K V C^2/2: what cannot
//! be had, because a tie to a body holds against it, is resisted as much as K says and no more, however short the
//! step; and the system is the better conditioned the shorter the step is.
//!
//! Implicit steps solve for the stress before, and that does not follow what is changed here. So that this is little,
//! their system has a part of K already, k: as that of an augmented Lagrangian, it makes of the pressure
//!
//!   pi = pi_0 - k V dt^2 (C/dt + D v + a pi_0)
//!
//! with velocities as the stress has them, pi_0 being that of the substep before.

use pliant_math::simd::{Instructions, LANES, Row};
use pliant_math::{DVec3, Real};

use super::force::{MatrixField, RowState};
use super::rows::{MuscleRow, MuscleRows};
use super::volume_rows::{
    Advance, FindChanges, FindImpulses, FindProduct, FindResidual, Spread, Start, UpdateDirection,
    VolumeRow, find_rate,
};
use crate::parallel;
use crate::rest::BondRow;
use crate::solvers::TiedBodies;

/// The volumes of all particles; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Volumes {
    rows: Vec<VolumeRow>,
    /// Changes of velocity by a direction [m/s].
    changes: Vec<[[Real; 4]; LANES]>,
    /// Impulses of ties: by the direction, and in the last solve [N s].
    shared: Vec<DVec3>,
    given: Vec<DVec3>,
    /// Number of particles.
    count: usize,
    /// Steps of conjugate gradients in this substep.
    pub steps: u32,
    /// Squared residuals of this substep: before the first step, and now.
    residuals: [f64; 2],
}

/// What a solve reads.
#[derive(Clone, Copy)]
pub struct VolumeInput<'a> {
    /// What to compute with.
    pub instructions: Instructions,
    /// The particles.
    pub particles: &'a MuscleRows,
    /// The step [s].
    pub dt: Real,
}

impl Volumes {
    /// Makes room.
    pub fn build(&mut self, rows: &MuscleRows) {
        self.rows = vec![VolumeRow::default(); rows.rows.len()];
        self.changes = vec![[[0.0; 4]; LANES]; rows.rows.len()];
        self.count = rows.count;
    }

    /// Takes over the shape at the start of a substep.
    ///
    /// * `pressure` — of the substep before, p V [N m], by rows: it is among the stress already
    /// * `is_implicit` — whether the system of the stress has had a part of K
    pub fn start(
        &mut self,
        input: VolumeInput<'_>,
        states: &[RowState],
        pressure: &[Row],
        is_implicit: bool,
    ) {
        (self.steps, self.residuals) = (0, [0.0; 2]);
        parallel::for_items(&mut self.rows, |k, row| {
            input.instructions.run(Start {
                particles: &input.particles.rows[k],
                strain: &states[k].strain,
                pressure: &pressure[k],
                is_implicit,
                dt: input.dt,
                row,
            });
        });
    }

    /// Solves for velocities that keep the volumes, by at most so many steps; fewer if what is left is below the
    /// tolerance.
    ///
    /// * `velocity` — velocities [m/s] and inverse masses [1/kg]
    /// * `tied` — what moves with rigid bodies, as it does already; with the masses of all [kg]
    pub fn project(
        &mut self,
        input: VolumeInput<'_>,
        (most, tolerance): (u32, f64),
        (matrices, velocity): (&mut MatrixField, &mut [[Real; 4]]),
        (tied, mass): (&TiedBodies, &[Real]),
    ) {
        let VolumeInput {
            instructions,
            particles,
            dt,
        } = input;
        self.given.clear();
        self.given.resize(tied.particles().len(), DVec3::ZERO);
        let field = &*velocity;
        parallel::for_items(&mut self.rows, |k, row| {
            let (of_row, bonds) = particles.row(k);
            let rate = &find_rate(instructions, of_row, bonds, field, &row.gradient);
            instructions.run(FindResidual { rate, dt, row });
        });
        let [mut rest, mut scaled] = self.sums();
        if self.steps == 0 {
            self.residuals[0] = rest;
        }
        let allowed = (tolerance / f64::from(dt)).powi(2) * self.count as f64;
        let target = allowed
            .min(REDUCTION.powi(2) * self.residuals[0])
            .max(UNSEEN.powi(2) * allowed);
        let mut share = 0.0;
        for _ in 0..most {
            if rest <= target || scaled <= 0.0 {
                break;
            }
            matrices.fill(&mut self.rows, |_, row, slot| {
                instructions.run(UpdateDirection { row, share, slot });
            });
            self.find_changes(input, matrices, velocity);
            let mass_at = |place: usize| f64::from(mass[place]);
            let changes = self.changes.as_flattened_mut();
            tied.share(changes, mass_at, &mut self.shared);
            let changes = &*changes;
            parallel::for_items(&mut self.rows, |k, row| {
                let (of_row, bonds) = particles.row(k);
                let rate = &find_rate(instructions, of_row, bonds, changes, &row.gradient);
                instructions.run(FindProduct { rate, row });
            });
            let [resisted, _] = self.sums();
            if resisted <= 0.0 {
                break;
            }
            let step = scaled / resisted;
            parallel::for_items(&mut self.rows, |_, row| {
                let step = step as Real;
                instructions.run(Advance { row, step });
            });
            self.apply(step as Real, velocity);
            for (given, shared) in self.given.iter_mut().zip(&self.shared) {
                *given += *shared * f64::from(step as Real);
            }
            let [next_rest, next] = self.sums();
            share = (next / scaled) as Real;
            (rest, scaled) = (next_rest, next);
            self.steps += 1;
        }
        self.residuals[1] = rest;
    }

    /// What ties have given particles in the last solve [N s], in the order of these.
    pub fn given_by_ties(&self) -> &[DVec3] {
        &self.given
    }

    /// Squared residuals of the substep: what is left, and what there was.
    pub fn residual(&self) -> (f64, f64) {
        (self.residuals[1], self.residuals[0])
    }

    /// The impulse of pressure at a place [N s m].
    pub fn pressure(&self, place: usize) -> Real {
        self.rows[place / LANES].pressure.0[place % LANES]
    }

    /// Impulses [N s] that the last solve gave particles: calls `add(place, impulse)`.
    pub fn impulses(
        &mut self,
        input: VolumeInput<'_>,
        matrices: &mut MatrixField,
        mut add: impl FnMut(usize, [Real; 3]),
    ) {
        matrices.fill(&mut self.rows, |_, row, slot| {
            row.direction = row.impulse;
            input.instructions.run(Spread { row: &*row, slot });
        });
        let (rows, matrices) = (input.particles, &*matrices);
        for number in 0..self.rows.len() {
            let (particles, bonds) = rows.row(number);
            let impulse = input.instructions.run(FindImpulses {
                particles,
                bonds,
                matrices,
            });
            for (lane, place) in (number * LANES..self.count).take(LANES).enumerate() {
                add(place, crate::solvers::lane(&impulse, lane));
            }
        }
    }

    /// Changes of velocity by the direction.
    fn find_changes(
        &mut self,
        input: VolumeInput<'_>,
        matrices: &MatrixField,
        velocity: &[[Real; 4]],
    ) {
        parallel::for_items(&mut self.changes, |k, changes| {
            let (of_row, bonds) = input.particles.row(k);
            let found = FindChanges {
                particles: of_row,
                bonds,
                matrices,
                velocity,
                changes,
            };
            input.instructions.run_rows(LANES, found);
        });
    }

    fn apply(&self, step: Real, velocity: &mut [[Real; 4]]) {
        let changes = self.changes.as_flattened();
        parallel::for_chunks(velocity, |first, velocity| {
            for (v, change) in velocity.iter_mut().zip(&changes[first..]) {
                for axis in 0..3 {
                    v[axis] += step * change[axis];
                }
            }
        });
    }

    /// Sums over all rows, in their order.
    fn sums(&self) -> [f64; 2] {
        let add = |all: [f64; 2], row: &VolumeRow| [all[0] + row.sums[0], all[1] + row.sums[1]];
        self.rows.iter().fold([0.0; 2], add)
    }
}

impl MuscleRows {
    /// A row and its bonds.
    fn row(&self, number: usize) -> (&MuscleRow, &[BondRow]) {
        let row = &self.rows[number];
        (row, &self.bonds[row.bonds.clone()])
    }
}

/// Part of what a substep starts with that is left at most, even below the tolerance: what is not solved for stays in
/// the pressures of the next substep, and nothing else would end it.
const REDUCTION: f64 = 0.3;

/// Part of the tolerance that nobody sees.
const UNSEEN: f64 = 0.01;
