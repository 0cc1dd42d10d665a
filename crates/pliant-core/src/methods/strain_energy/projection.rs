//! What a constraint reads of its neighbours and applies to them.

use pliant_materials::laws::Solid;
use pliant_math::simd::{Instructions, Pack, Row};
use pliant_math::{Matrix3, Real, SymMat3, Vector3};

use super::multipliers::{project_energy, project_stress};
use super::response::{stored, stress_response};
use super::rows::{ConstraintRow, MaterialStateRow, RowInfo};
use super::settings::EnergyConstraint;
use crate::interactions::rows::lanes_in;
use crate::parallel::{Source, gather_eight};
use crate::rest::BondRow;

/// What a sweep reads: constant during a substep.
#[derive(Clone, Copy)]
pub struct SolidSweepInput<'a> {
    /// What to compute with.
    pub instructions: Instructions,
    /// The laws.
    pub laws: &'a [Solid],
    /// Which constraint stands for the energy.
    pub constraint: EnergyConstraint,
    /// Positions [m] at the start of the substep, each the sum of two numbers of which the first is the
    /// nearest there is: differences are as exact as those of double precision.
    pub start: &'a [[Real; 8]],
    /// Velocities [m/s] and inverse masses [1/kg] before the sweep, which Jacobi reads; `None` for
    /// Gauss-Seidel.
    pub frozen_velocity: Option<&'a [[Real; 4]]>,
    /// Whether this is the first sweep of the substep.
    pub is_first: bool,
    /// The substep [s].
    pub dt: Real,
}

/// What is cached of a neighbour between the two passes over a row's neighbours.
#[derive(Clone, Copy, Debug, Default)]
pub struct NeighborCache {
    /// The neighbour's velocity [m/s] and 1/m [1/kg].
    pub velocity: [Row; 4],
    /// Its displacement from where it would be if nothing were deformed [m].
    pub displacement: [Row; 3],
}

/// The cache of so many neighbours.
#[inline(always)]
pub fn cache_of(cache: &mut Vec<NeighborCache>, count: usize) -> &mut [NeighborCache] {
    if cache.len() < count {
        cache.resize(count, NeighborCache::default());
    }
    &mut cache[..count]
}

/// What the projections of sixteen constraints apply.
#[derive(Clone, Copy)]
pub struct ConstraintProjection<P> {
    /// F - I at the end of the substep if velocities stay as they are.
    pub strain: Matrix3<P>,
    /// B: the impulse of a neighbour is -B G_ij [N s].
    pub impulse_per_gradient: Matrix3<P>,
    /// Strength of the hourglass control, to be multiplied with (1 - q^2)^3 / |X|^2 [N s/m].
    pub hourglass_strength: P,
}

/// Reads the neighbours of the constraints in the lanes of a pack and projects them.
///
/// * `velocity` — velocities [m/s] and inverse masses [1/kg] at places
#[inline(always)]
pub fn evaluate<P: Pack, const FIRST: bool>(
    input: SolidSweepInput<'_>,
    (row, info): (&mut ConstraintRow, &mut RowInfo),
    edges: &[BondRow],
    material_state: Option<&MaterialStateRow>,
    cache: &mut [NeighborCache],
    own: [P; 4],
    velocity: &(impl Source + ?Sized),
) -> ConstraintProjection<P> {
    let rate = read::<P, FIRST>(input, row, edges, cache, own, velocity);
    let strain = end_strain(input.dt, row, info, rate);
    let dt = P::splat(input.dt);
    let law = &input.laws[info.law as usize];
    let strain_rows = stored(strain);
    let response = stress_response::<P>(law, &strain_rows, material_state);
    let lanes = lanes_in::<P>();
    info.collapsed = info.collapsed & !lanes | response.crushed & info.filled & lanes;
    let deformed = (law, material_state, &strain_rows);
    // Called by name: through a pointer they would be compiled for the least of processors.
    let impulse_per_gradient = match input.constraint {
        EnergyConstraint::Consistent => project_stress(input, row, deformed, &response),
        EnergyConstraint::Energy => project_energy(input, row, &response),
    };
    let hourglass = P::load(&row.hourglass);
    let hourglass_strength = dt * hourglass * P::load(&row.rest.hourglass_stiffness)
        / (P::splat(1.0) + dt * dt * hourglass * P::load(&row.rest.hourglass_rate));
    ConstraintProjection {
        strain,
        impulse_per_gradient,
        hourglass_strength,
    }
}

/// F - I at the end of a substep, from that at its start and its rate [1/s].
#[inline(always)]
pub fn end_strain<P: Pack>(
    dt: Real,
    row: &ConstraintRow,
    info: &RowInfo,
    rate: Matrix3<P>,
) -> Matrix3<P> {
    let strain = Matrix3::load(&row.start) + rate * P::splat(dt);
    if info.thin == 0 {
        return strain;
    }
    with_normal(strain, Vector3::load(&row.rest.normal))
}

/// Reads the neighbours: their rate of deformation [1/s], by rows; in the first sweep the deformation
/// at the start as well, which goes into the row.
#[inline(always)]
fn read<P: Pack, const FIRST: bool>(
    input: SolidSweepInput<'_>,
    row: &mut ConstraintRow,
    edges: &[BondRow],
    cache: &mut [NeighborCache],
    own: [P; 4],
    velocity: &(impl Source + ?Sized),
) -> Matrix3<P> {
    let own_start: [P; 8] = match FIRST {
        true => gather_eight(input.start, &row.rest.particle),
        false => [P::ZERO; 8],
    };
    let (mut rate, mut start) = (Matrix3::ZERO, Matrix3::ZERO);
    for (k, (edge, cache)) in edges.iter().zip(cache).enumerate() {
        BondRow::prefetch::<P>(edges, k);
        let offset = Vector3::<P>::load(&edge.offset);
        let gradient = row.rest.gradient(offset);
        let v: [P; 4] = velocity.at(&edge.neighbor);
        let difference = Vector3::new(v[0] - own[0], v[1] - own[1], v[2] - own[2]);
        rate += difference.outer(gradient);
        if FIRST {
            let x: [P; 8] = gather_eight(input.start, &edge.neighbor);
            let displacement = Vector3::new(
                (x[0] - own_start[0] - offset.x) + (x[4] - own_start[4]),
                (x[1] - own_start[1] - offset.y) + (x[5] - own_start[5]),
                (x[2] - own_start[2] - offset.z) + (x[6] - own_start[6]),
            );
            start += displacement.outer(gradient);
            displacement.store(&mut cache.displacement);
        }
        let [x, y, z, w] = &mut cache.velocity;
        v[0].store(x);
        v[1].store(y);
        v[2].store(z);
        v[3].store(w);
    }
    let inverse = SymMat3::load(&row.rest.inverse);
    if FIRST {
        start.times_symmetric(inverse).store(&mut row.start);
        Matrix3::<P>::ZERO.store(&mut row.given.stress);
        P::ZERO.store(&mut row.given.multiplier);
    }
    rate.times_symmetric(inverse)
}

/// F - I of sheets, which is determined in their plane only, completed by the normal: F gains n N^T, N
/// being the normal at rest and n that of the deformed plane. Without a normal nothing changes.
#[inline(always)]
fn with_normal<P: Pack>(h: Matrix3<P>, normal_at_rest: Vector3<P>) -> Matrix3<P> {
    let Vector3 { x, y, z } = normal_at_rest;
    let rest = [x, y, z];
    let one = P::splat(1.0);
    // Of rank 2 F has no N part; F - I, as it was summed, lacks that of I as well.
    let mut f = h;
    for i in 0..3 {
        f.rows[i][i] += one;
        for j in 0..3 {
            f.rows[i][j] = f.rows[i][j] - rest[i] * rest[j];
        }
    }
    // The cofactors times N: the images of the plane's directions crossed.
    let normal = f.cofactor() * normal_at_rest;
    let length = normal.squared().sqrt();
    let is_there = P::splat(1e-12).less(length);
    let inverse = (one / length.max(P::splat(1e-12))).or_where_not(is_there, P::ZERO);
    h + (normal * inverse - normal_at_rest).outer(normal_at_rest)
}
