//! One sweep over all groups: colour by colour, the rows of a colour in parallel.
// Rows of one colour write to disjoint places of a shared column; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_materials::dispatch_solid_law;
use pliant_materials::laws::SolidLaw;
use pliant_materials::strain_energy::{ElasticEnergy, response};
use pliant_math::simd::{Job, LANES, Pack, RowJob};
use pliant_math::{Matrix3, Real};

use super::projection::{
    Between, Columns, Constraint, Members, Moduli, Motion, MotionRow, SweepInput, completed,
    push_of_energy, push_of_pair, read, write,
};
use super::rows::{FineRow, GroupRow, GroupRows, MemberMotion, MemberRow, ON_STACK};
use super::stress::push_by_stress;
use crate::interactions::rows::lanes_in;
use crate::parallel::{self, Shared, View};

/// Rows that one task works on: few where a colour has few, so that all threads get as much.
const MOST_ROWS_A_TASK: usize = 8;
const TASKS_A_COLOR: usize = 16;

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
        let rows_a_task = (color.len() / TASKS_A_COLOR).clamp(1, MOST_ROWS_A_TASK);
        parallel::for_chunks_of(&mut rows[color.clone()], rows_a_task, |first, rows| {
            let task = first as u32;
            // SAFETY: groups of one colour share no particle, each is in one row, and motions and fine members
            // belong to one row each.
            let sweep = unsafe {
                SweepRows::<FIRST> {
                    input,
                    rows,
                    members: all,
                    motions: motions.view(task),
                    fine: fine.view(task),
                    is_only,
                    columns: Columns {
                        velocity: velocity.view(task),
                        on_held: on_held.view(task),
                    },
                    between: Between::default(),
                    on_stack: [MemberMotion::default(); ON_STACK],
                }
            };
            input.instructions.run_rows(LANES, sweep);
        });
    }
}

struct SweepRows<'a, const FIRST: bool> {
    input: SweepInput<'a>,
    rows: &'a mut [GroupRow],
    members: &'a [MemberRow],
    motions: View<'a, MemberMotion>,
    fine: View<'a, FineRow>,
    is_only: bool,
    columns: Columns<'a>,
    between: Between,
    /// Motion of the members of small groups in a sweep that nothing follows.
    on_stack: [MemberMotion; ON_STACK],
}

impl<const FIRST: bool> RowJob for SweepRows<'_, FIRST> {
    #[inline(always)]
    fn rows(&self) -> usize {
        self.rows.len()
    }

    #[inline(always)]
    fn row<P: Pack>(&mut self, k: usize) {
        let row = &mut self.rows[k];
        if row.filled & lanes_in::<P>() == 0 {
            return;
        }
        let own = row.members();
        let members = Members {
            rows: &self.members[own.clone()],
            motions: match self.on_stack.get_mut(..own.len()) {
                Some(motions) if self.is_only => motions,
                _ => self.motions.range(own),
            },
            fine: self.fine.range(fine_members(row)),
        };
        let between = &mut self.between;
        project::<P, FIRST>(self.input, row, members, &mut self.columns, between);
    }
}

/// Where the members of a row are that are finer than their groups; empty if they are not.
fn fine_members(row: &GroupRow) -> std::ops::Range<usize> {
    match row.first_fine {
        u32::MAX => 0..0,
        first => first as usize..(first + row.member_count) as usize,
    }
}

/// Projects the groups in the lanes of a pack.
#[inline(always)]
fn project<P: Pack, const FIRST: bool>(
    input: SweepInput<'_>,
    row: &mut GroupRow,
    members: Members<'_>,
    columns: &mut Columns<'_>,
    between: &mut Between,
) {
    let body = &input.bodies[row.body as usize];
    if FIRST {
        row.forget::<P>();
    }
    P::apart(Read::<FIRST> {
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
        Constraint::Energy => push_by_energy::<P>(input, row, between, &body.law),
        Constraint::Stress => push_by_stress::<P>(row, between, (&body.law, input.dt)),
        Constraint::Block(moduli) => P::apart(PushOfPair::<true> {
            input,
            row,
            moduli,
            between,
        }),
        Constraint::Sequential(moduli) => P::apart(PushOfPair::<false> {
            input,
            row,
            moduli,
            between,
        }),
    }
    P::apart(Write {
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

fn push_by_energy<P: Pack>(
    input: SweepInput<'_>,
    row: &mut GroupRow,
    between: &mut Between,
    law: &SolidLaw,
) {
    dispatch_solid_law!(law, |law| {
        P::apart(PushOfEnergy {
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
