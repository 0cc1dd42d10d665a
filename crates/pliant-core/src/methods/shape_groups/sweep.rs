//! One sweep over all groups: colour by colour, the rows of a colour in parallel.
// Rows of one colour write to disjoint places of a shared column; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_materials::dispatch_solid_law;
use pliant_materials::laws::SolidLaw;
use pliant_materials::strain_energy::{ElasticEnergy, response};
use pliant_math::simd::{Job, Pack, Row};
use pliant_math::{Matrix3, Real};

use super::projection::{
    Columns, Constraint, Motion, SweepInput, push_of_energy, push_of_pair, read, tensor,
    with_normal, write,
};
use super::rows::{GroupRow, GroupRows, MemberRow, ModeRow};
use crate::parallel::{self, Shared};

/// The members of sixteen groups, and their modes if these are finer than the groups.
type Members<'a> = (&'a mut [MemberRow], &'a [ModeRow]);

/// Rows that one task works on.
const ROWS_A_TASK: usize = 8;

/// Projects every group once.
///
/// * `FIRST` — the first sweep of a substep
/// * `velocity` — velocities [m/s] and inverse masses [1/kg] of all particles
/// * `on_held` — where impulses on those that are held are added [kg m/s]
pub fn sweep<const FIRST: bool>(
    groups: &mut GroupRows,
    input: SweepInput<'_>,
    (velocity, on_held): (&mut [[Real; 4]], &mut [[Real; 4]]),
) {
    let GroupRows {
        rows,
        members,
        modes,
        colors,
        ..
    } = groups;
    let modes = modes.as_slice();
    for color in colors.iter() {
        let (velocity, on_held) = (Shared::new(velocity), Shared::new(on_held));
        let members = Shared::new(members.as_mut_slice());
        parallel::for_chunks_of(&mut rows[color.clone()], ROWS_A_TASK, |first, rows| {
            // SAFETY: groups of one colour share no particle, each is in one row, and members belong to one
            // row each.
            let (columns, mut members) = unsafe {
                let columns = Columns {
                    velocity: velocity.view(first as u32),
                    on_held: on_held.view(first as u32),
                };
                (columns, members.view(first as u32))
            };
            let mut columns = columns;
            for row in rows {
                let start = row.first_member as usize;
                let members = members.range(start..start + row.member_count as usize);
                let modes = modes_of(modes, row);
                project::<FIRST>(input, row, (members, modes), &mut columns);
            }
        });
    }
}

/// The modes of the members of a row; empty if it has none.
fn modes_of<'a>(modes: &'a [ModeRow], row: &GroupRow) -> &'a [ModeRow] {
    match row.first_mode {
        u32::MAX => &[],
        first => &modes[first as usize..][..row.member_count as usize],
    }
}

fn project<const FIRST: bool>(
    input: SweepInput<'_>,
    row: &mut GroupRow,
    members: Members<'_>,
    columns: &mut Columns<'_>,
) {
    let body = &input.bodies[row.body as usize];
    if FIRST {
        row.multiplier = [Row::ZERO; 2];
    }
    let instructions = input.instructions;
    match body.constraint {
        Constraint::Energy => {
            project_energy::<FIRST>(input, row, members, columns, &body.law);
        }
        _ => instructions.run(ProjectPair::<FIRST> {
            input,
            row,
            members,
            columns,
        }),
    }
}

struct ProjectPair<'a, 'c, const FIRST: bool> {
    input: SweepInput<'a>,
    row: &'a mut GroupRow,
    members: Members<'a>,
    columns: &'a mut Columns<'c>,
}

impl<const FIRST: bool> Job for ProjectPair<'_, '_, FIRST> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self {
            input,
            row,
            mut members,
            columns,
        } = self;
        let motion = motion::<P, FIRST>(input, row, &mut members, columns);
        let gradient = completed(row, motion.gradient);
        let push = match input.bodies[row.body as usize].constraint {
            Constraint::Sequential(moduli) => {
                push_of_pair::<P, false>(row, moduli, gradient, input.dt)
            }
            Constraint::Block(moduli) => push_of_pair::<P, true>(row, moduli, gradient, input.dt),
            Constraint::Energy => Matrix3::ZERO,
        };
        apply(input, row, members, columns, (&motion, push));
    }
}

/// Each law is compiled by itself, and the parts before and after it are called through memory.
fn project_energy<const FIRST: bool>(
    input: SweepInput<'_>,
    row: &mut GroupRow,
    members: Members<'_>,
    columns: &mut Columns<'_>,
    law: &SolidLaw,
) {
    dispatch_solid_law!(law, |law| {
        input.instructions.run(ProjectEnergy::<_, FIRST> {
            law,
            input,
            row,
            members,
            columns,
        });
    });
}

struct ProjectEnergy<'a, 'c, L, const FIRST: bool> {
    law: &'a L,
    input: SweepInput<'a>,
    row: &'a mut GroupRow,
    members: Members<'a>,
    columns: &'a mut Columns<'c>,
}

impl<L: ElasticEnergy, const FIRST: bool> Job for ProjectEnergy<'_, '_, L, FIRST> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self {
            law,
            input,
            row,
            mut members,
            columns,
        } = self;
        let motion = motion::<P, FIRST>(input, row, &mut members, columns);
        let response = response(law, completed(row, motion.gradient));
        let push = push_of_energy(row, (response.energy, response.stress), input.dt);
        apply(input, row, members, columns, (&motion, push));
    }
}

#[inline(always)]
fn motion<P: Pack, const FIRST: bool>(
    input: SweepInput<'_>,
    row: &GroupRow,
    (members, modes): &mut Members<'_>,
    columns: &Columns<'_>,
) -> Motion<P> {
    read::<P, FIRST>(input, row, (members, modes), &columns.velocity)
}

#[inline(always)]
fn completed<P: Pack>(row: &GroupRow, gradient: Matrix3<P>) -> Matrix3<P> {
    match row.has_planar {
        0 => gradient,
        _ => with_normal(gradient, &row.normal),
    }
}

#[inline(always)]
fn apply<P: Pack>(
    input: SweepInput<'_>,
    row: &GroupRow,
    members: Members<'_>,
    columns: &mut Columns<'_>,
    (motion, push): (&Motion<P>, Matrix3<P>),
) {
    let push = push.times_symmetric(tensor(&row.inverse_moment));
    write(input, row, members, columns, motion, push);
}
