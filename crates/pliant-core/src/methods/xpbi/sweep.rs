//! One pass of projections over all particles of a continuum.
//!
//! A projection at particle i reads and writes the velocities of i and its neighbours. Groups of
//! blocks of one colour are swept in parallel; inside a group the rows come in order, sixteen
//! particles of sixteen blocks at once, none of which has a neighbour in common with another.
// Groups write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_materials::{HenckyElasticity, HenckyLaw, ReturnMapping, dispatch_hencky_law};
use pliant_math::simd::{Instructions, Mask, Number, Pack, Row, RowJob};
use pliant_math::{Real, SymMat3, hencky_strain};

use super::deformation::{limited_step, trial_strain};
use super::settings::PlasticityScheme;
use super::state::{XpbiInteractions, XpbiRow};
use crate::interactions::ParticleRows;
use crate::interactions::lanes::{are_zero, load_vector};
use crate::interactions::passes::{Rows3, gradient, moved, scatter, times};
use crate::interactions::records::{RecordRow, dispatch_records};
use crate::interactions::rows::{MIXED, lanes_in, lanes_of};
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
}

/// What the laws of a row say, each of its lanes.
#[derive(Clone, Copy)]
pub struct Admitted<N> {
    /// The elastic Hencky strain nearest to the trial strain that they admit at the start of the substep.
    pub strain: SymMat3<N>,
    /// The moduli of undeformed material.
    pub elasticity: HenckyElasticity<N>,
    /// The factor on both.
    pub stiffness_factor: N,
}

impl<N: Number> Admitted<N> {
    /// Kirchhoff stress [Pa] of the strain.
    #[inline(always)]
    pub fn kirchhoff_stress(&self) -> SymMat3<N> {
        self.elasticity.kirchhoff_stress(self.strain) * self.stiffness_factor
    }

    #[inline(always)]
    fn or_where_not(self, mask: N::Mask, other: Self) -> Self {
        let (own, others) = (self.elasticity, other.elasticity);
        Self {
            strain: self.strain.or_where_not(mask, other.strain),
            elasticity: HenckyElasticity {
                shear_modulus: own.shear_modulus.or_where_not(mask, others.shear_modulus),
                lame_lambda: own.lame_lambda.or_where_not(mask, others.lame_lambda),
            },
            stiffness_factor: self
                .stiffness_factor
                .or_where_not(mask, other.stiffness_factor),
        }
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
    ///
    /// * `admitted` — at the end of the substep if velocities stay as they are; at its start, if it does not read
    ///   velocities
    fn project<P: Pack>(
        &self,
        visit: Visit<'_, P>,
        admitted: Admitted<P>,
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
                group.lanes.len(),
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
        if input.rows.filled[row] & lanes_in::<P>() == 0 {
            return;
        }
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
    let start = SymMat3::load(&visit.data.state.strain);
    let trial = match J::READS_VELOCITY {
        true => trial_strain(start, limited_step(visit.velocity_gradient, visit.dt)),
        false => start,
    };
    let plastic = P::load(&visit.data.state.plastic);
    let (admitted, lanes) = admit(input, row, hencky_strain(trial), plastic);
    let update = projection.project(visit, admitted, multiplier);
    StressUpdate {
        increment: update.increment.or_where_not(lanes, SymMat3::ZERO),
        multiplier: update.multiplier.or_where_not(lanes, multiplier),
    }
}

/// What the laws of a row say of trial strains, and the lanes that have one.
#[inline(always)]
fn admit<P: Pack>(
    input: XpbiSweepInput<'_>,
    row: usize,
    trial: SymMat3<P>,
    plastic: P,
) -> (Admitted<P>, P::Mask) {
    let mut admitted = Admitted {
        strain: trial,
        elasticity: HenckyElasticity {
            shear_modulus: P::ZERO,
            lame_lambda: P::ZERO,
        },
        stiffness_factor: P::ZERO,
    };
    let (mut left, mut all) = (input.rows.filled[row] & lanes_in::<P>(), 0);
    while let Some((law, bits)) = next_law(input, row, &mut left) {
        let lanes = P::Mask::from_bits(bits);
        let of_law = dispatch_hencky_law!(&input.laws[law as usize], |law| Admitted {
            strain: match input.plasticity {
                PlasticityScheme::Implicit => law.project(trial, plastic, input.dt).0,
                PlasticityScheme::SemiImplicit => trial,
            },
            elasticity: law.elasticity().splat(),
            stiffness_factor: law.stiffness_factor(plastic),
        });
        admitted = of_law.or_where_not(lanes, admitted);
        all |= bits;
    }
    (admitted, P::Mask::from_bits(all))
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
