//! Damping of what is not a rigid motion of a group: Müller et al. 2022, algorithm 2, with a share of
//! 1 - exp(-c dt), which does not depend on the step.
// Rows of one colour write to disjoint places of a shared column; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_math::simd::{Instructions, LANES, Pack, RowJob};
use pliant_math::{Real, SymMat3, Vector3};

use super::projection::Columns;
use super::rows::{GroupRow, GroupRows, MemberMotion, MemberRow};
use crate::interactions::rows::lanes_in;
use crate::parallel::{self, Shared};

/// Rows that one task works on.
const ROWS_A_TASK: usize = 8;

/// Part of the trace of an inertia that is added to it, so that members on a line have one that can be inverted: no more than rounding, as it takes that much of every spin.
const REGULAR: Real = 100.0 * Real::EPSILON;

/// Takes a share of what is not a rigid motion from the velocities of all groups, one after the other.
pub fn damp(
    instructions: Instructions,
    groups: &mut GroupRows,
    share: Real,
    (velocity, on_held): (&mut [[Real; 4]], &mut [[Real; 4]]),
) {
    let GroupRows {
        rows,
        members,
        motions,
        colors,
        ..
    } = groups;
    for color in colors.iter() {
        let (velocity, on_held) = (Shared::new(velocity), Shared::new(on_held));
        let (members, motions) = (&*members, &*motions);
        parallel::for_chunks_of(&mut rows[color.clone()], ROWS_A_TASK, |first, rows| {
            // SAFETY: groups of one colour share no particle, and each is in one row.
            let columns = unsafe {
                Columns {
                    velocity: velocity.view(first as u32),
                    on_held: on_held.view(first as u32),
                }
            };
            let damp = DampRows {
                rows,
                members,
                motions,
                columns,
                share,
            };
            instructions.run_rows(LANES, damp);
        });
    }
}

struct DampRows<'a> {
    rows: &'a [GroupRow],
    members: &'a [MemberRow],
    motions: &'a [MemberMotion],
    columns: Columns<'a>,
    share: Real,
}

impl RowJob for DampRows<'_> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.rows.len()
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, k: usize) {
        let row = &self.rows[k];
        if row.filled & lanes_in::<P>() == 0 {
            return;
        }
        let own = row.members();
        let (members, motions) = (&self.members[own.clone()], &self.motions[own]);
        let columns = &mut self.columns;
        let inverse_mass = P::load(&row.inverse_mass);
        let zero = Vector3 {
            x: P::ZERO,
            y: P::ZERO,
            z: P::ZERO,
        };
        let velocity_of = |columns: &Columns<'_>, member: &MemberRow| {
            let [x, y, z, w] = columns.velocity.gather::<P>(&member.place);
            (Vector3 { x, y, z }, w)
        };
        let (mut momentum, mut center) = (zero, zero);
        for (member, at) in members.iter().zip(motions) {
            let mass = P::load(&member.mass);
            momentum = momentum + velocity_of(columns, member).0 * mass;
            center = center + Vector3::load(&at.start) * mass;
        }
        let (mean, center) = (momentum * inverse_mass, center * inverse_mass);
        let arm = |member: &MemberRow, at: &MemberMotion| {
            Vector3::load(&member.rest) + Vector3::load(&at.start) - center
        };
        let (mut spin, mut second) = (zero, SymMat3::isotropic(P::ZERO));
        for (member, at) in members.iter().zip(motions) {
            let (r, mass) = (arm(member, at), P::load(&member.mass));
            let (v, _) = velocity_of(columns, member);
            spin = spin + r.cross(v - mean) * mass;
            second += SymMat3::new(
                r.x * r.x,
                r.y * r.y,
                r.z * r.z,
                r.x * r.y,
                r.x * r.z,
                r.y * r.z,
            ) * mass;
        }
        let trace = second.trace();
        let regular = trace * P::splat(1.0 + REGULAR);
        // Of the size of 1 before it is inverted: squares of small moments leave what numbers can be.
        let scale = P::splat(1.0) / trace;
        let inertia = (SymMat3::isotropic(regular) - second) * scale;
        let inverse = inertia.inverse() * scale;
        let rate = Vector3 {
            x: inverse.xx * spin.x + inverse.xy * spin.y + inverse.xz * spin.z,
            y: inverse.xy * spin.x + inverse.yy * spin.y + inverse.yz * spin.z,
            z: inverse.xz * spin.x + inverse.yz * spin.y + inverse.zz * spin.z,
        };
        for (member, at) in members.iter().zip(motions) {
            let (v, w) = velocity_of(columns, member);
            let change = (mean + rate.cross(arm(member, at)) - v) * P::splat(self.share);
            columns.push(member, (v, w), change, P::load(&member.mass));
        }
    }
}
