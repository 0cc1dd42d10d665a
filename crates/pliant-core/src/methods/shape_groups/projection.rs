//! The constraints of the groups in the lanes of a pack, in one sweep.
//!
//!   F - I = (sum m u X^T) K,  d = u - u_c - (F - I) X
//!
//! u being displacements at the end of the substep if velocities stay as they are, X places at rest from the
//! centre of mass, K the inverse of sum m X X^T (Müller et al. 2022, eqs. 10 and 17). A gradient A = dC/dF of a
//! constraint moves each free member by w A b, b = m K X, which changes F by A times the mobility, the sum of
//! w b b^T. The update is eq. 18 of Macklin et al. 2016,
//!
//!   C + a p + (tr(A B A^T) + a) dp = 0,  a = 1/(V k dt^2).
//!
//! The filter moves what is out of place by d towards its place: the exact step of the energy
//! s^2/2 sum m d^2. Both keep the momentum; the filter keeps the angular momentum too. Where members are finer than
//! their group, as in cut cells, d has a part in which a hexahedron bends and twists, sum phi sum m phi d over the
//! modes phi, and a rest, which is as stiff as matter of a quarter of the size of the group: with the stiffness of
//! the modes members would crumple, each on a spring of its own.

use pliant_math::simd::{Instructions, Mask, Pack, Row};
use pliant_math::{Matrix3, Real, SymMat3, Vector3};

use super::moments::MODES;
use super::rows::{FineRow, GroupRow, MemberMotion, MemberRow};
use super::stress::Answer;

use crate::constraints::missing_stress::in_plane;
use crate::parallel::{View, gather_eight};

/// What stands for the energy of the groups of a body in a substep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constraint {
    /// The two of `polynomial-neo-hookean` together.
    Block(Moduli),
    /// One after the other.
    Sequential(Moduli),
    /// The root of twice the energy.
    Energy,
    /// The stress.
    Stress,
}

/// Moduli of the two constraints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moduli {
    /// Of the change of shape, C = |F| [Pa].
    pub shear: Real,
    /// Of the change of volume, C = det F - 1 - shear/volume [Pa].
    pub volume: Real,
}

/// What a sweep reads.
#[derive(Clone, Copy)]
pub struct SweepInput<'a> {
    /// What to compute with.
    pub instructions: Instructions,
    /// Of each body: its constraint and its law.
    pub bodies: &'a [BodyStep],
    /// Positions at the start [m], each the sum of two numbers, from an origin.
    pub start: &'a [[Real; 8]],
    /// The substep [s].
    pub dt: Real,
    /// Whether members are put where the deformation has them, in place of the compliant filter.
    pub is_filter_full: bool,
}

/// A body in a substep.
#[derive(Clone, Copy, Debug)]
pub struct BodyStep {
    /// Its constraint.
    pub constraint: Constraint,
    /// Its law.
    pub law: pliant_materials::laws::SolidLaw,
}

/// What a sweep reads and writes of particles.
pub struct Columns<'a> {
    /// Velocities [m/s] and inverse masses [1/kg].
    pub velocity: View<'a, [Real; 4]>,
    /// Impulses on those that are held [kg m/s].
    pub on_held: View<'a, [Real; 4]>,
}

/// The members of sixteen groups.
pub struct Members<'a> {
    /// What does not change.
    pub rows: &'a [MemberRow],
    /// Where they are, of each.
    pub motions: &'a mut [MemberMotion],
    /// What they have beside if they are finer than the groups; else empty.
    pub fine: &'a mut [FineRow],
}

/// What is read of the members of sixteen groups.
pub struct Motion<P> {
    /// Mean displacement [m].
    pub mean: Vector3<P>,
    /// F - I.
    pub gradient: Matrix3<P>,
    /// Velocity of the first member [m/s].
    pub first: Vector3<P>,
    /// How far each mode has gone [m kg^(1/2)].
    pub of_modes: [Vector3<P>; MODES],
}

/// The same in memory.
#[derive(Debug, Default)]
pub struct MotionRow {
    mean: [Row; 3],
    /// F - I.
    pub gradient: [[Row; 3]; 3],
    first: [Row; 3],
    of_modes: [[Row; 3]; MODES],
}

impl<P: Pack> Motion<P> {
    /// From memory.
    #[inline(always)]
    pub fn load(row: &MotionRow) -> Self {
        let [a, b, c, d] = &row.of_modes;
        Self {
            mean: Vector3::load(&row.mean),
            gradient: Matrix3::load(&row.gradient),
            first: Vector3::load(&row.first),
            of_modes: [
                Vector3::load(a),
                Vector3::load(b),
                Vector3::load(c),
                Vector3::load(d),
            ],
        }
    }

    /// To memory.
    #[inline(always)]
    pub fn store(self, row: &mut MotionRow) {
        self.mean.store(&mut row.mean);
        self.gradient.store(&mut row.gradient);
        self.first.store(&mut row.first);
        for (mode, row) in self.of_modes.into_iter().zip(&mut row.of_modes) {
            mode.store(row);
        }
    }
}

/// What the parts of a projection hand on. They are compiled by themselves: the first and the last would otherwise
/// be compiled with each law.
#[derive(Debug, Default)]
pub struct Between {
    /// What was read.
    pub motion: MotionRow,
    /// Sum of A dp over the constraints, times K.
    pub push: [[Row; 3]; 3],
    /// The law's answer at the end of the substep if velocities stay as they are...
    pub now: Answer,
    /// ...and after what is given where strains are small.
    pub after: Answer,
}

impl Between {
    /// Takes the sum of A dp over the constraints.
    #[inline(always)]
    pub fn store<P: Pack>(&mut self, row: &GroupRow, push: Matrix3<P>) {
        over_moment(row, push).store(&mut self.push);
    }
}

/// A sum of A dp over the constraints, times K.
#[inline(always)]
pub fn over_moment<P: Pack>(row: &GroupRow, push: Matrix3<P>) -> Matrix3<P> {
    push.times_symmetric(tensor(&row.inverse_moment))
}

/// F - I, completed by the normal where the groups are planar, and across the line where they are linear.
#[inline(always)]
pub fn completed<P: Pack>(row: &GroupRow, motion: &MotionRow) -> Matrix3<P> {
    let gradient = Matrix3::load(&motion.gradient);
    match row.flatness {
        0 => gradient,
        1 => with_normal(gradient, &row.normal),
        _ => with_normal(turned_across(gradient, row), &row.normal),
    }
}

/// Reads the members; in the first sweep of a substep their places at its start too.
#[inline(always)]
pub fn read<P: Pack, const FIRST: bool>(
    input: SweepInput<'_>,
    row: &GroupRow,
    members: Members<'_>,
    velocity: &View<'_, [Real; 4]>,
) -> Motion<P> {
    let dt = P::splat(input.dt);
    let [x, y, z, _] = velocity.gather::<P>(&members.rows[0].place);
    let first = Vector3 { x, y, z };
    let (reference, first_rest) = match FIRST {
        true => (
            gather_eight::<P>(input.start, &members.rows[0].place),
            Vector3::load(&members.rows[0].rest),
        ),
        false => ([P::ZERO; 8], Vector3::ZERO),
    };
    let (mut mean, mut sum) = (Vector3::ZERO, Matrix3::ZERO);
    let mut of_modes = [Vector3::ZERO; MODES];
    for (k, (member, at)) in members.rows.iter().zip(members.motions).enumerate() {
        let rest: Vector3<P> = Vector3::load(&member.rest);
        let mass = P::load(&member.mass);
        let [x, y, z, _] = velocity.gather::<P>(&member.place);
        if FIRST {
            let to = gather_eight::<P>(input.start, &member.place);
            let offset = rest - first_rest;
            let start = Vector3 {
                x: (to[0] - reference[0] - offset.x) + (to[4] - reference[4]),
                y: (to[1] - reference[1] - offset.y) + (to[5] - reference[5]),
                z: (to[2] - reference[2] - offset.z) + (to[6] - reference[6]),
            };
            start.store(&mut at.start);
            Vector3::<P>::ZERO.store(&mut at.filtered);
        }
        let moved = Vector3::load(&at.start) + (Vector3 { x, y, z } - first) * dt;
        let weighted = moved * mass;
        mean = mean + weighted;
        add_outer(&mut sum, weighted, rest);
        if let Some(fine) = members.fine.get_mut(k) {
            for (sum, value) in of_modes.iter_mut().zip(&fine.modes) {
                *sum = *sum + weighted * P::load(value);
            }
            if FIRST {
                Vector3::<P>::ZERO.store(&mut fine.filtered);
            }
        }
    }
    Motion {
        mean: mean * P::load(&row.inverse_mass),
        gradient: sum.times_symmetric(tensor(&row.inverse_moment)),
        first,
        of_modes,
    }
}

/// Moves the members by what the constraints and the filter ask for.
///
/// * `push` — sum of A dp over the constraints, times K
#[inline(always)]
pub fn write<P: Pack>(
    input: SweepInput<'_>,
    row: &GroupRow,
    members: Members<'_>,
    columns: &mut Columns<'_>,
    motion: &Motion<P>,
    push: Matrix3<P>,
) {
    let dt = P::splat(input.dt);
    let inverse_dt = P::splat(1.0 / input.dt);
    let strength = dt * dt * P::load(&row.filter);
    let fine_strength = dt * dt * P::load(&row.fine_filter);
    for (k, (member, at)) in members.rows.iter().zip(members.motions).enumerate() {
        let rest: Vector3<P> = Vector3::load(&member.rest);
        let mass = P::load(&member.mass);
        let [x, y, z, inverse_mass] = columns.velocity.gather::<P>(&member.place);
        let velocity = Vector3 { x, y, z };
        let moved = Vector3::load(&at.start) + (velocity - motion.first) * dt;
        let out = moved - motion.mean - times(motion.gradient, rest);
        let filtered = match (input.is_filter_full, members.fine.get_mut(k)) {
            (true, _) => -out,
            (false, None) => filter(out, strength, &mut at.filtered),
            (false, Some(fine)) => {
                let soft = in_modes(&motion.of_modes, &fine.modes);
                filter(soft, strength, &mut at.filtered)
                    + filter(out - soft, fine_strength, &mut fine.filtered)
            }
        };
        let change = (times(push, rest) + filtered) * inverse_dt;
        columns.push(member, (velocity, inverse_mass), change, mass);
    }
}

impl Columns<'_> {
    /// Changes the velocities of free members, and notes the impulses on those that are held. What has no mass
    /// repeats another and stays.
    #[inline(always)]
    pub fn push<P: Pack>(
        &mut self,
        member: &MemberRow,
        (velocity, inverse_mass): (Vector3<P>, P),
        change: Vector3<P>,
        mass: P,
    ) {
        let is_free = P::ZERO.less(inverse_mass) & P::ZERO.less(mass);
        let moved = velocity + change;
        let components = [
            moved.x.or_where_not(is_free, velocity.x),
            moved.y.or_where_not(is_free, velocity.y),
            moved.z.or_where_not(is_free, velocity.z),
            inverse_mass,
        ];
        self.velocity.scatter(&member.place, components);
        if (!P::ZERO.less(inverse_mass)).any() {
            let impulse = change * mass;
            let [x, y, z, rest]: [P; 4] = self.on_held.gather(&member.place);
            let sum = [x + impulse.x, y + impulse.y, z + impulse.z, rest];
            self.on_held.scatter(&member.place, sum);
        }
    }
}

/// F - I of planar groups, which is known in their plane only, completed by the normal: F gains n N^T, N being
/// the normal at rest and n that of the deformed plane. Without a normal nothing changes.
#[inline(always)]
pub fn with_normal<P: Pack>(gradient: Matrix3<P>, rest: &[Row; 3]) -> Matrix3<P> {
    let normal: Vector3<P> = Vector3::load(rest);
    let normal = [normal.x, normal.y, normal.z];
    let square = Matrix3::outer(normal, normal);
    let in_plane = gradient + Matrix3::identity() - square;
    let [x, y, z] = in_plane.cofactor().times_vector(normal);
    let length = (x * x + y * y + z * z).sqrt();
    let least = P::splat(1e-12);
    let inverse = P::splat(1.0) / length.max(least);
    let inverse = inverse.or_where_not(least.less(length), P::ZERO);
    let turned = [
        x * inverse - normal[0],
        y * inverse - normal[1],
        z * inverse - normal[2],
    ];
    gradient + Matrix3::outer(turned, normal)
}

/// F - I of linear groups, which is known along their line L only, completed by one of the two directions across it,
/// A: F gains (R A) A^T, R being the least turn of L into the line as it is now. Isotropic laws do not see the others.
#[inline(always)]
fn turned_across<P: Pack>(gradient: Matrix3<P>, row: &GroupRow) -> Matrix3<P> {
    let (across, normal): (Vector3<P>, Vector3<P>) =
        (Vector3::load(&row.across), Vector3::load(&row.normal));
    let line = across.cross(normal);
    let now = line + gradient * line;
    let least = P::splat(1e-12);
    let now = now * (P::splat(1.0) / now.dot(now).sqrt().max(least));
    let opening = (P::splat(1.0) + line.dot(now)).max(P::splat(LEAST_OPENING));
    let turned = (line + now) * -(across.dot(now) / opening);
    gradient + turned.outer(across)
}

/// Of 1 + cos of the angle by which a line has turned, at least: beyond, any direction across it will do.
const LEAST_OPENING: Real = 1e-6;

/// What acts where the groups have constraints: not along A of linear ones.
#[inline(always)]
pub fn acting<P: Pack>(row: &GroupRow, stress: Matrix3<P>) -> Matrix3<P> {
    match row.flatness {
        0 | 1 => stress,
        _ => in_plane(stress, Vector3::load(&row.across)),
    }
}

/// The two constraints of `polynomial-neo-hookean` together, or one after the other: the sum of A dp.
#[inline(always)]
pub fn push_of_pair<P: Pack, const TOGETHER: bool>(
    row: &mut GroupRow,
    moduli: Moduli,
    gradient: Matrix3<P>,
    dt: Real,
) -> Matrix3<P> {
    let mobility = tensor(&row.mobility);
    let by_volume = P::splat(1.0) / (P::load(&row.volume) * P::splat(dt * dt));
    let compliance = [moduli.shear, moduli.volume].map(|k| by_volume * P::splat(1.0 / k));
    let [shear, volume] = &row.multiplier;
    let multiplier = [P::load(shear), P::load(volume)];
    let rest_volume = P::splat(1.0 + moduli.shear / moduli.volume);
    let f = gradient + Matrix3::identity();
    let size = f.norm_squared().max(P::splat(1e-12)).sqrt();
    let of_size = f * (P::splat(1.0) / size);
    let moved = of_size.times_symmetric(mobility);
    let shape = moved.double_dot(of_size) + compliance[0];
    let shape_error = size + compliance[0] * multiplier[0];
    // One after the other, the second sees what the first has done.
    let alone = -(shape_error / shape);
    let f = if TOGETHER { f } else { f + moved * alone };
    let of_volume = f.cofactor();
    let volume = of_volume.times_symmetric(mobility).double_dot(of_volume) + compliance[1];
    let volume_error = f.determinant() - rest_volume + compliance[1] * multiplier[1];
    let change = if TOGETHER {
        let both = moved.double_dot(of_volume);
        let inverse = -(P::splat(1.0) / (shape * volume - both * both));
        [
            (volume * shape_error - both * volume_error) * inverse,
            (shape * volume_error - both * shape_error) * inverse,
        ]
    } else {
        [alone, -(volume_error / volume)]
    };
    (multiplier[0] + change[0]).store(&mut row.multiplier[0]);
    (multiplier[1] + change[1]).store(&mut row.multiplier[1]);
    of_size * change[0] + of_volume * change[1]
}

/// The constraint that is the root of twice the energy: A dp.
///
/// * energy density [J/m3] and first Piola-Kirchhoff stress [Pa]
#[inline(always)]
pub fn push_of_energy<P: Pack>(
    row: &mut GroupRow,
    (energy, stress): (P, Matrix3<P>),
    dt: Real,
) -> Matrix3<P> {
    let is_tense = P::splat(LEAST_ENERGY).less(energy);
    let constraint = (energy + energy).max(P::splat(LEAST_ENERGY)).sqrt();
    let slope = P::splat(1.0) / constraint;
    let mobility = stress
        .times_symmetric(tensor(&row.mobility))
        .double_dot(stress)
        * (slope * slope);
    // The multiplier's equation times V dt^2.
    let compliance = P::load(&row.volume) * P::splat(dt * dt);
    let multiplier = P::load(&row.multiplier[0]);
    let change = -(compliance * constraint + multiplier) / (compliance * mobility + P::splat(1.0));
    let change = change.or_where_not(is_tense, P::ZERO);
    (multiplier + change).store(&mut row.multiplier[0]);
    stress * (change * slope)
}

/// Least energy density [J/m3] that is not neglected: below it there is not even a direction.
const LEAST_ENERGY: Real = 1e-30;

/// The step of the filter for what is out of place by d: d' + dt^2 s^2 d' = d.
///
/// * `strength` — dt^2 s^2
/// * `moved` — by what the filter has moved it in the substep
#[inline(always)]
fn filter<P: Pack>(out: Vector3<P>, strength: P, moved: &mut [Row; 3]) -> Vector3<P> {
    let share = P::splat(1.0) / (P::splat(1.0) + strength);
    let before = Vector3::load(moved);
    let change = -(before + out * strength) * share;
    (before + change).store(moved);
    change
}

/// The part of what is out of place in which a hexahedron bends and twists.
#[inline(always)]
fn in_modes<P: Pack>(of_modes: &[Vector3<P>; MODES], modes: &[Row; MODES]) -> Vector3<P> {
    let mut sum = Vector3::ZERO;
    for (&of_mode, value) in of_modes.iter().zip(modes) {
        sum = sum + of_mode * P::load(value);
    }
    sum
}

#[inline(always)]
fn times<P: Pack>(m: Matrix3<P>, v: Vector3<P>) -> Vector3<P> {
    let [x, y, z] = m.times_vector([v.x, v.y, v.z]);
    Vector3 { x, y, z }
}

#[inline(always)]
fn add_outer<P: Pack>(sum: &mut Matrix3<P>, a: Vector3<P>, b: Vector3<P>) {
    for (row, a) in sum.rows.iter_mut().zip([a.x, a.y, a.z]) {
        row[0] += a * b.x;
        row[1] += a * b.y;
        row[2] += a * b.z;
    }
}

#[inline(always)]
pub fn tensor<P: Pack>(rows: &[Row; 6]) -> SymMat3<P> {
    let [a, b, c, d, e, f] = rows;
    SymMat3::new(
        P::load(a),
        P::load(b),
        P::load(c),
        P::load(d),
        P::load(e),
        P::load(f),
    )
}
