//! One pass of projections over all particles of a continuum.
//!
//! A projection at particle i reads and writes the velocities of i and its neighbours. Groups of
//! blocks of one colour are swept in parallel; inside a group the rows come in order, sixteen
//! particles of sixteen blocks at once, none of which has a neighbour in common with another.
// Groups write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_materials::{HenckyLaw, ReturnMapping, dispatch_hencky_law};
use pliant_math::simd::{Instructions, Mask, Pack, Row, RowJob};
use pliant_math::{Real, SymMat3, hencky_strain};

use super::deformation::{limited_step, trial_strain};
use super::settings::PlasticityScheme;
use super::state::{XpbiInteractions, XpbiRow};
use crate::interactions::ParticleRows;
use crate::interactions::lanes::{are_zero, load_vector};
use crate::interactions::passes::{Rows3, gradient, moved, scatter, times};
use crate::interactions::records::{RecordRow, dispatch_records};
use crate::interactions::rows::{MIXED, lanes_of};
use crate::parallel::{self, Shared, View, gather};

/// What a projection reads: constant during a substep.
#[derive(Clone, Copy)]
pub struct XpbiSweepInput<'a> {
    /// Who stands where.
    pub rows: &'a ParticleRows,
    /// Neighbours and gradients.
    pub interactions: &'a XpbiInteractions,
    /// The laws.
    pub laws: &'a [HenckyLaw],
    /// Law of each particle.
    pub law: &'a [u32],
    /// The substep [s].
    pub dt: Real,
    /// Velocities before the sweep, which Jacobi reads; `None` for Gauss–Seidel.
    pub frozen_velocity: Option<&'a [[Real; 4]]>,
    /// Factor on each update: 1 for Gauss–Seidel.
    pub relaxation: Real,
    /// When strains are mapped back.
    pub plasticity: PlasticityScheme,
}

/// What a projection reads of a row of particles.
#[derive(Clone, Copy)]
pub struct Visit<'a, N> {
    /// What the row has.
    pub data: &'a XpbiRow,
    /// K, if the projection wants it.
    pub mobility: Option<&'a [Row; 6]>,
    /// grad v [1/s], by rows; zero if the projection does not need it.
    pub velocity_gradient: Rows3<N>,
    /// The substep [s].
    pub dt: Real,
    /// Factor on the update.
    pub relaxation: Real,
    /// Whether strains are mapped back now.
    pub plasticity: PlasticityScheme,
}

impl<P: Pack> Visit<'_, P> {
    /// The strain nearest to a trial strain that the law admits at the start of the substep.
    #[inline(always)]
    pub fn admissible<L: ReturnMapping>(&self, law: &L, trial: SymMat3<P>) -> SymMat3<P> {
        match self.plasticity {
            PlasticityScheme::Implicit => {
                law.project(trial, P::load(&self.data.state.plastic), self.dt)
                    .0
            }
            PlasticityScheme::SemiImplicit => trial,
        }
    }

    /// Elastic Hencky strain at the end of the substep if velocities stay as they are.
    #[inline(always)]
    pub fn end_strain<L: ReturnMapping>(&self, law: &L) -> SymMat3<P> {
        let step = limited_step(self.velocity_gradient, self.dt);
        let trial = hencky_strain(trial_strain(SymMat3::load(&self.data.state.strain), step));
        self.admissible(law, trial)
    }

    /// Kirchhoff stress [Pa] at the end of the substep if velocities stay as they are.
    #[inline(always)]
    pub fn end_stress<L: ReturnMapping>(&self, law: &L) -> SymMat3<P> {
        law.kirchhoff_stress(self.end_strain(law), P::load(&self.data.state.plastic))
    }
}

/// The result of a projection.
#[derive(Clone, Copy)]
pub struct StressUpdate<N> {
    /// The stress increment [Pa] whose impulse is to be applied.
    pub increment: SymMat3<N>,
    /// What has been applied, from sweep to sweep.
    pub multiplier: SymMat3<N>,
}

/// A projection: what one visit to one row of particles does.
pub trait Projection: Copy + Sync {
    /// Whether it needs the velocity gradient.
    const READS_VELOCITY: bool;

    /// The stress increment for each particle, and its new multiplier.
    fn project<L: ReturnMapping, P: Pack>(
        &self,
        law: &L,
        visit: Visit<'_, P>,
        multiplier: SymMat3<P>,
    ) -> StressUpdate<P>;
}

/// Visits every particle once, colour by colour.
///
/// * `velocity` — velocities [m/s] and inverse masses, spare places included
/// * `multiplier` — of each row
pub fn sweep<J: Projection>(
    instructions: Instructions,
    projection: J,
    input: XpbiSweepInput<'_>,
    velocity: &mut [[Real; 4]],
    multiplier: &mut [[Row; 6]],
) {
    dispatch_records!(&input.interactions.all_records, |columns| sweep_colors(
        instructions,
        projection,
        input,
        &columns.records,
        velocity,
        multiplier
    ));
}

fn sweep_colors<J: Projection, R: RecordRow>(
    instructions: Instructions,
    projection: J,
    input: XpbiSweepInput<'_>,
    all_records: &[R],
    velocity: &mut [[Real; 4]],
    multiplier: &mut [[Row; 6]],
) {
    for color in &input.rows.colors {
        let velocity = Shared::new(velocity);
        let multiplier = Shared::new(multiplier);
        parallel::for_tasks(&input.rows.groups[color.clone()], |group| {
            let task = group.rows.start as u32;
            // SAFETY: a visit touches its particles and their neighbours within 2r; blocks of one
            // colour are at least 4r apart, so no index is within 2r of two of them, and lanes
            // without a block have places that no other group of the colour uses. Multipliers are
            // touched at the group's own rows.
            let (velocity, mut multiplier) =
                unsafe { (velocity.view(task), multiplier.view(task)) };
            instructions.run_rows(
                group.blocks.len(),
                SweepGroup {
                    projection,
                    input,
                    all_records,
                    first_row: group.rows.start,
                    velocity,
                    multiplier: multiplier.range(group.rows.clone()),
                },
            );
        });
    }
}

struct SweepGroup<'a, J, R> {
    projection: J,
    input: XpbiSweepInput<'a>,
    all_records: &'a [R],
    first_row: usize,
    velocity: View<'a, [Real; 4]>,
    multiplier: &'a mut [[Row; 6]],
}

impl<J: Projection, R: RecordRow> RowJob for SweepGroup<'_, J, R> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.multiplier.len()
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, k: usize) {
        let input = self.input;
        let multiplier = &mut self.multiplier[k];
        let row = self.first_row + k;
        let data = &input.interactions.data[row];
        P::prefetch(&input.interactions.data, row + 1, size_of::<XpbiRow>());
        let records = input.interactions.of_row(self.all_records, row);
        let unit = input.interactions.unit;
        let particles = &input.rows.particle[row];
        let own: [P; 4] = self.velocity.gather(particles);
        let velocity_gradient = if J::READS_VELOCITY {
            match input.frozen_velocity {
                None => gradient(records, unit, [own[0], own[1], own[2]], &self.velocity),
                Some(frozen) => {
                    let [x, y, z, _] = gather(frozen, particles);
                    gradient(records, unit, [x, y, z], frozen)
                }
            }
        } else {
            [[P::ZERO; 3]; 3]
        };
        let visit = Visit {
            data,
            mobility: input.interactions.mobility.get(row),
            velocity_gradient,
            dt: input.dt,
            relaxation: input.relaxation,
            plasticity: input.plasticity,
        };
        let update = project_row(
            &self.projection,
            input,
            row,
            visit,
            SymMat3::load(multiplier),
        );
        update.multiplier.store(multiplier);
        let impulse = update.increment * (P::splat(input.dt) * P::load(&data.rest_volume));
        // Grains in flight carry no stress.
        if are_zero(impulse) {
            return;
        }
        scatter(records, impulse * P::splat(unit), &mut self.velocity);
        let recoil = times(impulse, load_vector(&data.gradient_sum));
        let pushed = moved(own, recoil, own[3]);
        self.velocity.scatter(particles, pushed);
    }
}

/// Projects a row, each lane with its own law.
#[inline(always)]
pub fn project_row<J: Projection, P: Pack>(
    projection: &J,
    input: XpbiSweepInput<'_>,
    row: usize,
    visit: Visit<'_, P>,
    multiplier: SymMat3<P>,
) -> StressUpdate<P> {
    let mut update = StressUpdate {
        increment: SymMat3::ZERO,
        multiplier,
    };
    let mut left = input.rows.filled[row];
    while let Some((law, bits)) = next_law(input, row, &mut left) {
        let lanes = P::Mask::from_bits(bits);
        let of_law = dispatch_hencky_law!(&input.laws[law as usize], |law| {
            projection.project(law, visit, multiplier)
        });
        update.increment = of_law.increment.or_where_not(lanes, update.increment);
        update.multiplier = of_law.multiplier.or_where_not(lanes, update.multiplier);
    }
    update
}

/// A law of the lanes that are left of a row, and its lanes, a bit each; they are taken from
/// what is left.
#[inline(always)]
pub fn next_law(input: XpbiSweepInput<'_>, row: usize, left: &mut u16) -> Option<(u32, u32)> {
    let first = lanes_of(*left).next()?;
    let uniform = input.rows.material[row];
    if uniform != MIXED {
        *left = 0;
        return Some((uniform, u32::from(u16::MAX)));
    }
    let particles = &input.rows.particle[row];
    let of_lane = |lane: usize| input.law[particles.get(lane)];
    let law = of_lane(first);
    let mut lanes = 0;
    for lane in lanes_of(*left) {
        lanes |= u16::from(of_lane(lane) == law) << lane;
    }
    *left &= !lanes;
    Some((law, u32::from(lanes)))
}
