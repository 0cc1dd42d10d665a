//! One sweep over all groups: colour by colour, the rows of a colour in parallel.
// Rows of one colour write to disjoint places of a shared column; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_materials::dispatch_solid_law;
use pliant_materials::laws::SolidLaw;
use pliant_materials::strain_energy::{ElasticEnergy, response};
use pliant_math::simd::{Job, Pack, Row};
use pliant_math::{Matrix3, Real};

use super::projection::{
    Between, Columns, Constraint, Members, Moduli, Motion, MotionRow, SweepInput, completed,
    push_of_energy, push_of_pair, read, write,
};
use super::rows::{GroupRow, GroupRows, MemberMotion, ON_STACK};
use super::stress::push_by_stress;
use crate::parallel::{self, Shared};

/// Rows that one task works on.
const ROWS_A_TASK: usize = 8;

/// Projects every group once.
///
/// * `FIRST` — the first sweep of a substep
/// * `is_only` — whether nothing follows it: then the motion of small groups is not written to memory, which is
///   most of what the sweep of a large body waits for
/// * `velocity` — velocities [m/s] and inverse masses [1/kg] of all particles
/// * `on_held` — where impulses on those that are held are added [kg m/s]
pub fn sweep<const FIRST: bool>(
    groups: &mut GroupRows,
    input: SweepInput<'_>,
    is_only: bool,
    (velocity, on_held): (&mut [[Real; 4]], &mut [[Real; 4]]),
) {
    groups.keep_motions(is_only);
    let GroupRows {
        rows,
        members: all,
        motions,
        fine,
        colors,
        ..
    } = groups;
    let all = all.as_slice();
    for color in colors.iter() {
        let (velocity, on_held) = (Shared::new(velocity), Shared::new(on_held));
        let motions = Shared::new(motions.as_mut_slice());
        let fine = Shared::new(fine.as_mut_slice());
        parallel::for_chunks_of(&mut rows[color.clone()], ROWS_A_TASK, |first, rows| {
            // SAFETY: groups of one colour share no particle, each is in one row, and motions and fine members
            // belong to one row each.
            let (columns, mut motions, mut fine) = unsafe {
                let columns = Columns {
                    velocity: velocity.view(first as u32),
                    on_held: on_held.view(first as u32),
                };
                let task = first as u32;
                (columns, motions.view(task), fine.view(task))
            };
            let mut columns = columns;
            let mut between = Between::default();
            let mut on_stack = [MemberMotion::default(); ON_STACK];
            for row in rows {
                let own = row.first_member as usize..(row.first_member + row.member_count) as usize;
                let members = Members {
                    rows: &all[own.clone()],
                    motions: match on_stack.get_mut(..own.len()) {
                        Some(motions) if is_only => motions,
                        _ => motions.range(own),
                    },
                    fine: fine.range(fine_members(row)),
                };
                project::<FIRST>(input, row, members, &mut columns, &mut between);
            }
        });
    }
}

/// Where the members of a row are that are finer than their groups; empty if they are not.
fn fine_members(row: &GroupRow) -> std::ops::Range<usize> {
    match row.first_fine {
        u32::MAX => 0..0,
        first => first as usize..(first + row.member_count) as usize,
    }
}

fn project<const FIRST: bool>(
    input: SweepInput<'_>,
    row: &mut GroupRow,
    members: Members<'_>,
    columns: &mut Columns<'_>,
    between: &mut Between,
) {
    let body = &input.bodies[row.body as usize];
    if FIRST {
        row.multiplier = [Row::ZERO; 2];
    }
    input.instructions.run(Read::<FIRST> {
        input,
        row,
        members: Members {
            motions: &mut *members.motions,
            fine: &mut *members.fine,
            ..members
        },
        columns,
        motion: &mut between.motion,
    });
    match body.constraint {
        Constraint::Energy => push_by_energy(input, row, between, &body.law),
        Constraint::Stress => {
            if FIRST {
                row.given = Default::default();
            }
            push_by_stress(input.instructions, row, between, (&body.law, input.dt));
        }
        Constraint::Block(moduli) => input.instructions.run(PushOfPair::<true> {
            input,
            row,
            moduli,
            between,
        }),
        Constraint::Sequential(moduli) => input.instructions.run(PushOfPair::<false> {
            input,
            row,
            moduli,
            between,
        }),
    }
    input.instructions.run(Write {
        input,
        row,
        members,
        columns,
        between,
    });
}

struct Read<'a, 'c, const FIRST: bool> {
    input: SweepInput<'a>,
    row: &'a GroupRow,
    members: Members<'a>,
    columns: &'a Columns<'c>,
    motion: &'a mut MotionRow,
}

impl<const FIRST: bool> Job for Read<'_, '_, FIRST> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let velocity = &self.columns.velocity;
        read::<P, FIRST>(self.input, self.row, self.members, velocity).store(self.motion);
    }
}

fn push_by_energy(
    input: SweepInput<'_>,
    row: &mut GroupRow,
    between: &mut Between,
    law: &SolidLaw,
) {
    dispatch_solid_law!(law, |law| {
        input.instructions.run(PushOfEnergy {
            law,
            input,
            row,
            between,
        });
    });
}

struct PushOfEnergy<'a, L> {
    law: &'a L,
    input: SweepInput<'a>,
    row: &'a mut GroupRow,
    between: &'a mut Between,
}

impl<L: ElasticEnergy> Job for PushOfEnergy<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let gradient = completed::<P>(self.row, &self.between.motion);
        let response = response(self.law, gradient);
        let found = (response.energy, response.stress);
        let push = push_of_energy(self.row, found, self.input.dt);
        self.between.store(self.row, push);
    }
}

struct PushOfPair<'a, const TOGETHER: bool> {
    input: SweepInput<'a>,
    row: &'a mut GroupRow,
    moduli: Moduli,
    between: &'a mut Between,
}

impl<const TOGETHER: bool> Job for PushOfPair<'_, TOGETHER> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let gradient = completed::<P>(self.row, &self.between.motion);
        let push = push_of_pair::<P, TOGETHER>(self.row, self.moduli, gradient, self.input.dt);
        self.between.store(self.row, push);
    }
}

struct Write<'a, 'c> {
    input: SweepInput<'a>,
    row: &'a GroupRow,
    members: Members<'a>,
    columns: &'a mut Columns<'c>,
    between: &'a Between,
}

impl Job for Write<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let motion = Motion::<P>::load(&self.between.motion);
        let push = Matrix3::load(&self.between.push);
        write(
            self.input,
            self.row,
            self.members,
            self.columns,
            &motion,
            push,
        );
    }
}
