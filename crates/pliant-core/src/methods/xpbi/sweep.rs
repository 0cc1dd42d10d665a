//! One pass of projections over all particles of a continuum.
//!
//! A projection at particle i reads and writes the velocities of i and its neighbours. Blocks of one
//! colour are swept in parallel; inside a block particles come in order, in runs of one material, so
//! that the law is chosen once a run.
// Blocks write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use std::ops::Range;

use pliant_materials::{HenckyLaw, ReturnMapping, dispatch_hencky_law};
use pliant_math::{Mat3, Real, SymMat3, Vec3};

use super::blocks::{Blocks, Run};
use super::deformation::trial_hencky_strain;
use super::interactions::Interactions;
use crate::constraints::minimum_distance::{ClosePair, MinimumDistance};
use crate::parallel::{self, Shared, View};

/// What a projection reads: constant during a substep.
#[derive(Clone, Copy)]
pub struct SweepInput<'a> {
    /// Neighbours and gradients.
    pub interactions: &'a Interactions,
    /// E = b - I at the start of the substep.
    pub strain: &'a [SymMat3],
    /// Plastic state at the start of the substep.
    pub plastic: &'a [Real],
    /// 1/mass [1/kg].
    pub inverse_mass: &'a [Real],
    /// Rest volume [m3].
    pub rest_volume: &'a [Real],
    /// The substep [s].
    pub dt: Real,
    /// Velocities [m/s] before the sweep, which Jacobi reads; `None` for Gauss–Seidel.
    pub frozen_velocity: Option<&'a [Vec3]>,
    /// Factor on each update: 1 for Gauss–Seidel.
    pub relaxation: Real,
}

impl SweepInput<'_> {
    /// grad v [1/s] at a particle, from the velocities that the ordering prescribes.
    #[inline(always)]
    pub fn velocity_gradient(&self, i: usize, velocity: &View<'_, Vec3>) -> Mat3 {
        match self.frozen_velocity {
            Some(frozen) => self.interactions.velocity_gradient(i, |j| frozen[j]),
            None => self.interactions.velocity_gradient(i, |j| velocity.get(j)),
        }
    }

    /// Elastic Hencky strain of a particle at the end of the substep if velocities stay as they are.
    #[inline(always)]
    pub fn end_strain<L: ReturnMapping>(
        &self,
        law: &L,
        i: usize,
        velocity: &View<'_, Vec3>,
    ) -> SymMat3 {
        let gradient = self.velocity_gradient(i, velocity);
        let trial = trial_hencky_strain(self.strain[i], gradient, self.dt);
        law.project(trial, self.plastic[i], self.dt).0
    }

    /// Applies the impulse of a stress increment [Pa] at particle i to it and its neighbours:
    /// v_j -= dt V0/m_j S g_ij, v_i += dt V0/m_i S sum g (Yu et al. 2024, eq. 19 with S = tau).
    #[inline(always)]
    pub fn scatter(&self, i: usize, stress: SymMat3, velocity: &mut View<'_, Vec3>) {
        let impulse = stress * (self.dt * self.rest_volume[i]);
        for record in self.interactions.of(i) {
            let j = record.neighbor as usize;
            let push = impulse.mul_vec3(Vec3::from_array(record.gradient));
            velocity.set(j, velocity.get(j) - push * self.inverse_mass[j]);
        }
        let recoil = impulse.mul_vec3(self.interactions.sums[i].gradient);
        velocity.set(i, velocity.get(i) + recoil * self.inverse_mass[i]);
    }
}

/// A projection: what one visit to one particle does.
pub trait Projection: Sync {
    /// What is kept for each particle from sweep to sweep.
    type Multiplier: Copy + Send;

    /// Projects the constraint of particle `i`.
    fn project<L: ReturnMapping>(
        &self,
        law: &L,
        i: usize,
        velocity: &mut View<'_, Vec3>,
        multiplier: &mut View<'_, Self::Multiplier>,
    );
}

/// Visits every particle once, colour by colour.
pub fn sweep<P: Projection>(
    projection: &P,
    blocks: &Blocks,
    laws: &[HenckyLaw],
    velocity: &mut [Vec3],
    multiplier: &mut [P::Multiplier],
) {
    for color in &blocks.colors {
        let velocity = Shared::new(velocity);
        let multiplier = Shared::new(multiplier);
        parallel::for_tasks(color, |&block| {
            // SAFETY: a visit touches its particle and neighbours within 2r; blocks of one colour
            // are at least 4r apart, so no index is within 2r of two of them. Multipliers are
            // touched at the block's own particles only.
            let (mut velocity, mut multiplier) =
                unsafe { (velocity.view(block), multiplier.view(block)) };
            for run in blocks.runs(block) {
                let law = &laws[run.material as usize];
                sweep_run(projection, run, law, &mut velocity, &mut multiplier);
            }
        });
    }
}

/// Visits consecutive particles of one law.
fn sweep_run<P: Projection>(
    projection: &P,
    run: &Run,
    law: &HenckyLaw,
    velocity: &mut View<'_, Vec3>,
    multiplier: &mut View<'_, P::Multiplier>,
) {
    dispatch_hencky_law!(law, |law| {
        for i in run.particles() {
            projection.project(law, i, velocity, multiplier);
        }
    });
}

/// Keeps close pairs at their minimum distance, colour by colour.
pub fn sweep_pairs(
    rule: MinimumDistance,
    blocks: &Blocks,
    pairs: &mut [ClosePair],
    pairs_of: impl Fn(usize) -> Range<usize> + Sync,
    inverse_mass: &[Real],
    velocity: &mut [Vec3],
) {
    for color in &blocks.colors {
        let velocity = Shared::new(velocity);
        let pairs = Shared::new(pairs);
        parallel::for_tasks(color, |&block| {
            // SAFETY: as in `sweep`; pairs are touched by the block of their first particle only.
            let (mut velocity, mut pairs) = unsafe { (velocity.view(block), pairs.view(block)) };
            for i in blocks.particles(block) {
                for pair in pairs.range(pairs_of(i)) {
                    separate(rule, i, pair, inverse_mass, &mut velocity);
                }
            }
        });
    }
}

/// Gives a pair the impulse that it lacks.
#[inline(always)]
fn separate(
    rule: MinimumDistance,
    i: usize,
    pair: &mut ClosePair,
    inverse_mass: &[Real],
    velocity: &mut View<'_, Vec3>,
) {
    let j = pair.other as usize;
    let (w_i, w_j) = (inverse_mass[i], inverse_mass[j]);
    let relative = velocity.get(j) - velocity.get(i);
    let impulse = rule.missing_impulse(pair, relative, w_i + w_j);
    if impulse != 0.0 {
        let normal = Vec3::from_array(pair.normal);
        velocity.set(i, velocity.get(i) - normal * (impulse * w_i));
        velocity.set(j, velocity.get(j) + normal * (impulse * w_j));
        pair.impulse += impulse;
    }
}
