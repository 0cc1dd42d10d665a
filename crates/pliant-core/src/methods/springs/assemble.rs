//! The system of equations of a substep, from the shape at its start.
//!
//! Implicit Euler with the forces linearised (Baraff and Witkin 1998; Vogiannou et al. 2010, sec. 3):
//!
//!   (M + dt D + dt^2 S) dv = dt f - (dt D + dt^2 S) v
//!
//! S is what stiffness opposes to displacements: along a spring g', across it g/r, where both are
//! negative for some springs in compression and are then left out unless the settings say otherwise.

use pliant_materials::springs::SpringCurve;
use pliant_math::simd::{Job, LANES, Pack, Places, Row};
use pliant_math::{DMat3, DVec3, Real, SymMat3, Vector3};

use super::SpringsSettings;
use super::tasks::{MembraneBlock, MembraneSlot, SpringBlock, SpringGroup, SpringSlot, SpringTask};
use crate::parallel::gather;
use crate::solvers::{Norms, Unknowns, VectorRow};

/// What the system is assembled from.
#[derive(Clone, Copy)]
pub struct AssemblyInput<'a> {
    /// Positions [m].
    pub position: &'a [DVec3],
    /// Velocities at the start [m/s], as records.
    pub velocity: &'a [[Real; 4]],
    /// Forces of membranes on each particle [N]; empty without membranes.
    pub membrane_force: &'a [DVec3],
    /// Derivatives of the force on the first of each pair by the position of the second [N/m].
    pub membrane_stiffness: &'a [DMat3],
    /// Settings of the method.
    pub settings: SpringsSettings,
    /// The substep [s].
    pub dt: f64,
}

/// Assembles the rows of a task, and starts the search for its solution at zero.
pub struct Assemble<'a> {
    pub task: &'a mut SpringTask,
    pub unknowns: &'a mut Unknowns,
    pub input: AssemblyInput<'a>,
}

/// What is summed over the neighbours of sixteen particles.
struct SpringSums<P> {
    force: Vector3<P>,
    resisted: Vector3<P>,
    diagonal: SymMat3<P>,
}

impl Job for Assemble<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self {
            task,
            unknowns,
            input,
        } = self;
        let mut norms = Norms::ZERO;
        for (k, group) in task.groups.iter().enumerate() {
            let mut sums = SpringSums {
                force: Vector3::ZERO,
                resisted: Vector3::ZERO,
                diagonal: SymMat3::isotropic(P::load(&unknowns.masses[k].mass)),
            };
            let own = velocity::<P>(input.velocity, &group.own);
            for number in group.springs.clone() {
                let (slot, block) = (&task.slots[number], &mut task.blocks[number]);
                spring(slot, block, group, own, input, &mut sums);
            }
            for number in group.membranes.clone() {
                let slot = &task.membrane_slots[number];
                let block = &mut task.membrane_blocks[number];
                edge(slot, block, own, input, &mut sums);
            }
            if !input.membrane_force.is_empty() {
                let force = membrane_force(group, input.membrane_force);
                sums.force = sums.force + Vector3::load(&force);
            }
            let inner = sums.force * P::splat(input.dt as Real) - sums.resisted;
            inner.store(&mut task.inner_impulse[k]);
            let right = inner + Vector3::load(&task.impulse[k]);
            unknowns.start_row(k, sums.diagonal, right, &mut norms);
        }
        unknowns.finish(norms);
    }
}

/// The vectors of records at sixteen places.
#[inline(always)]
fn velocity<P: Pack>(records: &[[Real; 4]], places: &Places) -> Vector3<P> {
    let [x, y, z, _] = gather::<P>(records, places);
    Vector3 { x, y, z }
}

/// Way to the other end [m] of each spring, and its squared length over that at rest, less one.
#[inline(always)]
fn directions_and_stretches(
    slot: &SpringSlot,
    own: &Places,
    position: &[DVec3],
) -> (VectorRow, Row) {
    let (mut direction, mut stretch) = ([Row::ZERO; 3], Row::ZERO);
    for lane in 0..LANES {
        let there = position[slot.neighbors.get(lane)];
        // In double precision, or small strains are lost.
        let between = there - position[own.get(lane)];
        let rest = f64::from(slot.rest_length.0[lane]);
        direction[0].0[lane] = between.x as Real;
        direction[1].0[lane] = between.y as Real;
        direction[2].0[lane] = between.z as Real;
        stretch.0[lane] = (between.length_squared() / (rest * rest) - 1.0) as Real;
    }
    (direction, stretch)
}

/// Length over rest length below which a spring has no direction of its own.
const SHORTEST: Real = 1e-6;

#[inline(always)]
fn spring<P: Pack>(
    slot: &SpringSlot,
    block: &mut SpringBlock,
    group: &SpringGroup,
    own: Vector3<P>,
    input: AssemblyInput<'_>,
    sums: &mut SpringSums<P>,
) {
    let (direction, stretch) = directions_and_stretches(slot, &group.own, input.position);
    let one = P::splat(1.0);
    let stretch = P::load(&stretch);
    // (r - L)/L from (r^2 - L^2)/L^2, without cancellation.
    let ratio = (one + stretch).max(P::ZERO).sqrt();
    let strain = stretch / (one + ratio);
    let rest = P::load(&slot.rest_length);
    let inverse = one / ratio.max(P::splat(SHORTEST));
    let normal = Vector3::load(&direction) * (inverse / rest);
    let [stiffness, half_slope, third_curvature] = &slot.curve;
    let curve = SpringCurve {
        stiffness: P::load(stiffness),
        half_slope: P::load(half_slope),
        third_curvature: P::load(third_curvature),
    };
    let tension = curve.tension(strain);
    let mut along = curve.slope(strain);
    let mut across = tension * inverse;
    let damping = input.settings.jacobian_damping;
    if damping != 0.0 {
        let [more_along, more_across] = curve.scaling(ratio, inverse, P::splat(damping as Real));
        along += more_along;
        across += more_across;
    }
    if input.settings.clamp_jacobian {
        along = along.max(P::ZERO);
        across = across.max(P::ZERO);
    }
    let step = P::splat(input.dt as Real);
    let across = across * step * step;
    let excess = along * step * step + P::load(&slot.damping) * step - across;
    normal.store(&mut block.normal);
    across.store(&mut block.across);
    excess.store(&mut block.excess);
    sums.force = sums.force + normal * (tension * rest);
    let difference = own - velocity(input.velocity, &slot.neighbors);
    sums.resisted =
        sums.resisted + difference * across + normal * (excess * normal.dot(difference));
    let d = &mut sums.diagonal;
    let n = normal;
    d.xx += across + excess * n.x * n.x;
    d.yy += across + excess * n.y * n.y;
    d.zz += across + excess * n.z * n.z;
    d.xy += excess * n.x * n.y;
    d.xz += excess * n.x * n.z;
    d.yz += excess * n.y * n.z;
}

#[inline(always)]
fn edge<P: Pack>(
    slot: &MembraneSlot,
    block: &mut MembraneBlock,
    own: Vector3<P>,
    input: AssemblyInput<'_>,
    sums: &mut SpringSums<P>,
) {
    let squared_step = input.dt * input.dt;
    for lane in 0..LANES {
        let Some((pair, is_second)) = slot.pairs[lane] else {
            continue;
        };
        let stiffness = input.membrane_stiffness[pair as usize];
        let seen = if is_second {
            stiffness.transpose()
        } else {
            stiffness
        };
        for (k, row) in block.matrix.iter_mut().enumerate() {
            row.0[lane] = (seen.col(k % 3)[k / 3] * squared_step) as Real;
        }
    }
    let difference = own - velocity(input.velocity, &slot.neighbors);
    sums.resisted = sums.resisted + block_times(block, difference);
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz] = &block.matrix;
    let half = P::splat(0.5);
    let d = &mut sums.diagonal;
    d.xx += P::load(xx);
    d.yy += P::load(yy);
    d.zz += P::load(zz);
    d.xy += (P::load(xy) + P::load(yx)) * half;
    d.xz += (P::load(xz) + P::load(zx)) * half;
    d.yz += (P::load(yz) + P::load(zy)) * half;
}

/// A block of a membrane times a difference of velocities.
#[inline(always)]
pub fn block_times<P: Pack>(block: &MembraneBlock, v: Vector3<P>) -> Vector3<P> {
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz] = &block.matrix;
    Vector3 {
        x: P::load(xx) * v.x + P::load(xy) * v.y + P::load(xz) * v.z,
        y: P::load(yx) * v.x + P::load(yy) * v.y + P::load(yz) * v.z,
        z: P::load(zx) * v.x + P::load(zy) * v.y + P::load(zz) * v.z,
    }
}

#[inline(always)]
fn membrane_force(group: &SpringGroup, force: &[DVec3]) -> VectorRow {
    let mut rows = [Row::ZERO; 3];
    for lane in 0..LANES {
        let force = force[group.own.get(lane)];
        rows[0].0[lane] = force.x as Real;
        rows[1].0[lane] = force.y as Real;
        rows[2].0[lane] = force.z as Real;
    }
    rows
}
