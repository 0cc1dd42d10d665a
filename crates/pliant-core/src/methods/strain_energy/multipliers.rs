//! The impulses of one projection of sixteen constraints: B with v_j -= w_j B G_ij (Cao et al. 2023, eqs. 5 and 11).

use pliant_materials::laws::Solid;
use pliant_math::simd::{Mask, Pack};
use pliant_math::{Matrix3, Real, SymMat3, Vector3};

use super::projection::SolidSweepInput;
use super::response::{StressResponse, stored, stress_response};
use super::rows::{ConstraintRow, MaterialStateRow};

/// Least energy density [J/m3] that is not neglected.
const LEAST_ENERGY: Real = 1e-30;
/// Least squared stress [Pa2] that is divided by.
const LEAST_SQUARED_STRESS: Real = 1e-20;
/// Least square of the gradients of volume and stretch that is divided by.
const LEAST_SQUARED_GRADIENT: Real = 1e-12;

/// Energy density over the shear modulus above which stress is not that of small strains, at a stretch of about 2 %.
const LARGE_ENERGY: Real = 5e-4;
/// Least and greatest part of a change that is taken.
const LENGTHS: [Real; 2] = [0.25, 4.0];

/// A law, the material state of a row, if its law has one, and F - I.
pub type Deformed<'a, P> = (&'a Solid, Option<&'a MaterialStateRow>, Matrix3<P>);

/// Gives the stress that is missing, P(F) less what was given, as far as it stays missing when all other particles
/// keep their velocities: after the last sweep the impulses are those of the stress at the end, as in implicit Euler.
///
/// Giving X changes F by -X N, N = dt2 V L K L, and the stress by C:(X N), C = 2 mu I + lambda |g|2 Q Q + sum 2 beta f f,
/// with g the gradient of det F, Q its direction, and f those of the stretches of fibres. Two parts of what is missing
/// are given, that along Q, which near incompressibility is much stiffer, and all the rest: a R + p Q, with
///
/// ```text
/// a |R|2 + R:C:(a R + p Q) N = |R|2        p + Q:C:(a R + p Q) N = Q:(P - given)
/// ```
///
/// C is that of small strains, raised to the secant; the stress after a change tells how far to go along it.
///
/// * `deformed` — the law and its row's material state, and F - I
// A scalar for the energy, whose impulses add up along whatever direction the stress had in each sweep, gains energy
// where that direction turns: near incompressibility a fifth of what is stored.
#[inline(always)]
pub fn project_stress<P: Pack>(
    input: SolidSweepInput<'_>,
    row: &mut ConstraintRow,
    (law, material_state, strain): Deformed<'_, P>,
    response: &StressResponse,
) -> Matrix3<P> {
    let dt = P::splat(input.dt);
    let volume = P::load(&row.rest.volume);
    let normal = Vector3::load(&row.rest.normal);
    let (stress, given) = (
        Matrix3::load(&response.stress),
        Matrix3::load(&row.given.stress),
    );
    let deformation = strain + Matrix3::identity();
    let gradient = in_plane(deformation.cofactor(), normal);
    let squared_gradient = gradient
        .norm_squared()
        .max(P::splat(LEAST_SQUARED_GRADIENT));
    let direction = gradient * (P::splat(1.0) / squared_gradient.sqrt());
    let missing = in_plane(stress - given, normal);
    let pressure = missing.double_dot(direction);
    let rest = missing - direction * pressure;
    let squared = rest.norm_squared().max(P::splat(LEAST_SQUARED_STRESS));

    let moduli = law.moduli();
    let shear = P::splat(2.0 * moduli.shear_modulus);
    let of_volume = shear + P::splat(moduli.lame_lambda) * squared_gradient;
    let mobility = SymMat3::load(&row.mobility);
    let scale = dt * dt * volume;
    let (by_rest, by_volume) = (
        rest.times_symmetric(mobility) * scale,
        direction.times_symmetric(mobility) * scale,
    );
    let both = rest.double_dot(by_volume);
    let mut answer = Answer {
        first: shear * rest.double_dot(by_rest),
        upper: shear * both,
        lower: of_volume * both,
        last: of_volume * direction.double_dot(by_volume),
    };
    let along = stress.double_dot(direction);
    let mut along_stress = shear * stress.norm_squared() + (of_volume - shear) * along * along;
    if let Some(state) = material_state {
        for (k, at_rest) in state.fibers[..law.fibers.count].iter().enumerate() {
            let fiber = Fiber::of(law.fibers.stiffness[k], Vector3::load(at_rest), deformation);
            answer.add(&fiber, [rest, direction], [by_rest, by_volume]);
            along_stress += fiber.stiffness * fiber.along(stress) * fiber.along(stress);
        }
    }
    let raised = raised_to_secant(stress, along_stress, P::load(&response.energy));
    let [part, pressure] = answer.solve(raised, squared, pressure);
    let change = rest * part + direction * pressure;
    let is_large = P::splat(LARGE_ENERGY * moduli.shear_modulus).less(P::load(&response.energy));
    let change = match is_large.any() {
        false => change,
        true => {
            let moved = stored(strain - change.times_symmetric(mobility) * scale);
            let after = stress_response(input.instructions, law, &moved, material_state);
            let after = in_plane(Matrix3::load(&after.stress) - given, normal) - change;
            let length = length(change, missing, after);
            change * length.or_where_not(is_large, P::splat(1.0))
        }
    };
    (given + change).store(&mut row.given.stress);
    change.times_symmetric(SymMat3::load(&row.rest.inverse)) * (dt * volume)
}

/// How far to go along a change so that nothing is missing along it: the secant of what is missing before and after it.
#[inline(always)]
fn length<P: Pack>(change: Matrix3<P>, before: Matrix3<P>, after: Matrix3<P>) -> P {
    let one = P::splat(1.0);
    let falls = change.double_dot(before - after);
    let part = change.double_dot(before) / falls.max(P::splat(LEAST_SQUARED_STRESS));
    let is_falling = P::splat(LEAST_SQUARED_STRESS).less(falls);
    let [least, greatest] = LENGTHS.map(P::splat);
    part.max(least).min(greatest).or_where_not(is_falling, one)
}

/// How stress answers what both parts change.
struct Answer<P> {
    /// R:C:(R N).
    first: P,
    /// R:C:(Q N).
    upper: P,
    /// Q:C:(R N).
    lower: P,
    /// Q:C:(Q N).
    last: P,
}

impl<P: Pack> Answer<P> {
    /// Adds a family of fibres.
    #[inline(always)]
    fn add(&mut self, fiber: &Fiber<P>, parts: [Matrix3<P>; 2], changes: [Matrix3<P>; 2]) {
        let [of_rest, of_volume] = parts.map(|part| fiber.stiffness * fiber.along(part));
        let [by_rest, by_volume] = changes.map(|change| fiber.along(change));
        self.first += of_rest * by_rest;
        self.upper += of_rest * by_volume;
        self.lower += of_volume * by_rest;
        self.last += of_volume * by_volume;
    }

    /// a and p.
    ///
    /// * `raised` — what C is multiplied by
    /// * `squared`, `pressure` — |R|2 and Q:(P - given)
    #[inline(always)]
    fn solve(self, raised: P, squared: P, pressure: P) -> [P; 2] {
        let (first, last) = (
            squared + raised * self.first,
            P::splat(1.0) + raised * self.last,
        );
        let (upper, lower) = (raised * self.upper, raised * self.lower);
        let inverse_determinant = P::splat(1.0) / (first * last - upper * lower);
        [
            (squared * last - pressure * upper) * inverse_determinant,
            (pressure * first - squared * lower) * inverse_determinant,
        ]
    }
}

/// A family of fibres at a particle.
struct Fiber<P> {
    /// Against stretch, 2 beta [Pa].
    stiffness: P,
    /// The unit vector along it at rest.
    at_rest: Vector3<P>,
    /// And now.
    now: Vector3<P>,
}

impl<P: Pack> Fiber<P> {
    #[inline(always)]
    fn of(beta: Real, at_rest: Vector3<P>, deformation: Matrix3<P>) -> Self {
        let now = deformation * at_rest;
        let length = now.squared().max(P::splat(LEAST_SQUARED_GRADIENT)).sqrt();
        Self {
            stiffness: P::splat(2.0 * beta),
            at_rest,
            now: now * (P::splat(1.0) / length),
        }
    }

    /// f:X, the part of a change along it.
    #[inline(always)]
    fn along(&self, change: Matrix3<P>) -> P {
        (change * self.at_rest).dot(self.now)
    }
}

/// The secant of the law along the stress over the stiffness of small strains, |P|2/(2 Psi) over P:C:P/|P|2, or one
/// where that is less, as wherever the law is linear.
#[inline(always)]
fn raised_to_secant<P: Pack>(stress: Matrix3<P>, along_stress: P, energy: P) -> P {
    let squared = stress.norm_squared();
    let least = (along_stress * (energy + energy)).max(P::splat(LEAST_ENERGY));
    (squared * squared / least).max(P::splat(1.0))
}

/// Without what acts along the normal of a sheet at rest, which has no constraint; all of it where the normal is zero.
#[inline(always)]
fn in_plane<P: Pack>(matrix: Matrix3<P>, normal: Vector3<P>) -> Matrix3<P> {
    matrix - (matrix * normal).outer(normal)
}

/// Projects the energy itself with the compliance 1, as it was published.
// The multiplier equation times dt^2.
#[inline(always)]
pub fn project_energy<P: Pack>(
    input: SolidSweepInput<'_>,
    row: &mut ConstraintRow,
    response: &StressResponse,
) -> Matrix3<P> {
    let dt = P::splat(input.dt);
    let energy = P::load(&response.energy);
    let stress = Matrix3::<P>::load(&response.stress);
    let by_gradient = stress.times_symmetric(SymMat3::load(&row.rest.inverse));
    let moves = stress.times_symmetric(SymMat3::load(&row.mobility));
    let mobility = moves.double_dot(stress);
    // Where there is nothing to speak of, not even a direction.
    let is_tense = P::splat(LEAST_ENERGY).less(energy);
    let multiplier = P::load(&row.given.multiplier);
    let increment = (dt * dt * energy + multiplier) / (dt * dt * mobility + P::splat(1.0));
    let increment = increment.or_where_not(is_tense, P::ZERO);
    (multiplier - increment).store(&mut row.given.multiplier);
    by_gradient * (increment / dt)
}
