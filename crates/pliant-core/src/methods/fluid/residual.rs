//! The residual of the pressures: the change that another projection of each particle would make.
//!
//!   r = p - max(0, p + (target - div v)/(dt V0 tr K)),   0 where p >= 0, div v >= target, one equal

use pliant_math::simd::Row;
use pliant_math::{Real, Vec3};

use super::state::FluidInteractions;
use crate::constraints::maximum_density::MaximumDensity;
use crate::interactions::ParticleRows;
use crate::parallel;

/// Neighbours, pressures and velocities of a group.
#[derive(Clone, Copy)]
pub struct ResidualInput<'a> {
    /// Who stands where.
    pub rows: &'a ParticleRows,
    /// Neighbours and gradients.
    pub interactions: &'a FluidInteractions,
    /// Pressure of each row [Pa].
    pub pressure: &'a [Row],
    /// Velocities [m/s] and inverse masses.
    pub velocity: &'a [[Real; 4]],
}

/// (sum V0 r^2, sum V0 (p - r)^2) over the members that the common sweep visits.
pub fn sums(input: ResidualInput<'_>, members: usize) -> (f64, f64) {
    parallel::ordered_fold(
        members,
        (0.0, 0.0),
        |range| {
            range
                .map(|member| of_member(input, member))
                .fold((0.0, 0.0), add)
        },
        add,
    )
}

/// V0 r^2 and V0 (p - r)^2 of a particle [J2/m3].
///
/// * `applied` — p [Pa]
/// * `wanted` — what a visit would make of it [Pa]
pub fn parts(applied: Real, wanted: Real, volume: Real) -> (f64, f64) {
    let [applied, wanted, volume] = [applied, wanted, volume].map(f64::from);
    (
        volume * (wanted - applied).powi(2),
        volume * wanted * wanted,
    )
}

/// Both sums.
pub fn add(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    (a.0 + b.0, a.1 + b.1)
}

fn of_member(input: ResidualInput<'_>, member: usize) -> (f64, f64) {
    let (row, lane) = input.rows.place(member);
    let data = &input.interactions.data[row];
    let response = data.state.response.0[lane];
    if response <= 0.0 {
        return (0.0, 0.0);
    }
    let velocity = |i: usize| {
        let [x, y, z, _] = input.velocity[i];
        Vec3::new(x, y, z)
    };
    let own = velocity(member);
    let neighbors = input.interactions.of(input.rows, member);
    let divergence: Real = neighbors
        .map(|of| of.gradient.dot(velocity(of.neighbor) - own))
        .sum();
    let walls = data.state.wall_gradient.map(|axis| axis.0[lane]);
    let at_walls = data.state.wall_flow.0[lane] - own.dot(Vec3::from_array(walls));
    let lacking = data.state.target.0[lane] - (divergence + at_walls);
    let applied = input.pressure[row].0[lane];
    let wanted = MaximumDensity::projected(applied, lacking, response);
    parts(applied, wanted, data.rest_volume.0[lane])
}
