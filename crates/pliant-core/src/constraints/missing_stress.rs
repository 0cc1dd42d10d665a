//! Gives the stress that is missing, P(F) less what was given, as far as it stays missing when all other particles
//! keep their velocities: after the last sweep the impulses are those of the stress at the end, as in implicit Euler.
//!
//! Giving X changes F by -X N, N = dt2 V times the mobility, and the stress by C:(X N),
//! C = 2 mu I + lambda |g|2 Q Q + sum 2 beta f f, with g the gradient of what lambda resists, det F or the trace of a
//! strain, Q its direction, and f those of the stretches of fibres. Two parts of what is missing are given, that along
//! Q, which near incompressibility is much stiffer, and all the rest: a R + p Q, with
//!
//! ```text
//! a |R|2 + R:C:(a R + p Q) N = |R|2        p + Q:C:(a R + p Q) N = Q:(P - given)
//! ```
//!
//! C is that of small strains, raised to the secant; where strains are large, the stress after a change tells how far
//! to go along it.
// A scalar for the energy, whose impulses add up along whatever direction the stress had in each sweep, gains energy
// where that direction turns: near incompressibility a fifth of what is stored. Alone it also shortens what is given
// of shear by the stiffness of volume.

use pliant_materials::LameModuli;
use pliant_math::simd::Pack;
use pliant_math::{Matrix3, Real, SymMat3, Vector3};

/// Least energy density [J/m3] that is not neglected.
const LEAST_ENERGY: Real = 1e-30;
/// Least squared stress [Pa2] that is divided by.
const LEAST_SQUARED_STRESS: Real = 1e-20;
/// Least square of the gradients of volume and stretch that is divided by.
const LEAST_SQUARED_GRADIENT: Real = 1e-12;
/// Energy density over the shear modulus above which stress is not that of small strains, at a stretch of about 2 %.
const LARGE_ENERGY: Real = 5e-4;
/// Greatest stiffness along the stress over that of small strains.
const GREATEST_SECANT: Real = 1e4;
/// Least and greatest part of a change that is taken.
const LENGTHS: [Real; 2] = [0.25, 4.0];

/// What is projected.
#[derive(Clone, Copy, Debug)]
pub struct Stressed<P> {
    /// F - I at the end of the substep if velocities stay as they are.
    pub strain: Matrix3<P>,
    /// Energy density at it [J/m3].
    pub energy: P,
    /// First Piola-Kirchhoff stress at it [Pa].
    pub stress: Matrix3<P>,
    /// The gradient of what lambda resists: cof F for laws with a volume.
    pub dilation: Matrix3<P>,
    /// What was given of it in this substep [Pa].
    pub given: Matrix3<P>,
    /// The normal at rest of what is planar, along which nothing acts; zero elsewhere.
    pub normal: Vector3<P>,
    /// How far a gradient moves F [1/(kg m2)].
    pub mobility: SymMat3<P>,
    /// dt2 V [s2 m3].
    pub scale: P,
}

/// A family of fibres.
#[derive(Clone, Copy, Debug)]
pub struct Fiber<P> {
    /// Against stretch, 2 beta [Pa].
    stiffness: P,
    /// The unit vector along it at rest.
    at_rest: Vector3<P>,
    /// And now.
    now: Vector3<P>,
}

impl<P: Pack> Fiber<P> {
    /// A family of stiffness `beta` [Pa] along a unit vector at rest, at a deformation gradient F.
    #[inline(always)]
    pub fn of(beta: Real, at_rest: Vector3<P>, deformation: Matrix3<P>) -> Self {
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

/// A projection.
pub struct MissingStress<P> {
    of: Stressed<P>,
    shear_modulus: Real,
    missing: Matrix3<P>,
    /// What is missing without its part along Q: R.
    rest: Matrix3<P>,
    /// |R|2.
    squared: P,
    /// The direction of the gradient of what lambda resists, Q.
    direction: Matrix3<P>,
    /// Q:(P - given).
    pressure: P,
    /// R N and Q N.
    by_rest: Matrix3<P>,
    by_volume: Matrix3<P>,
    answer: Answer<P>,
    /// P:C:P.
    along_stress: P,
}

impl<P: Pack> MissingStress<P> {
    /// Of a law of these moduli without fibres.
    #[inline(always)]
    pub fn new(of: Stressed<P>, moduli: LameModuli) -> Self {
        let of = Stressed {
            stress: supported(of.energy, of.stress),
            ..of
        };
        let gradient = in_plane(of.dilation, of.normal);
        let squared_gradient = gradient
            .norm_squared()
            .max(P::splat(LEAST_SQUARED_GRADIENT));
        let direction = gradient * (P::splat(1.0) / squared_gradient.sqrt());
        let missing = in_plane(of.stress - of.given, of.normal);
        let pressure = missing.double_dot(direction);
        let rest = missing - direction * pressure;
        let shear = P::splat(2.0 * moduli.shear_modulus);
        let of_volume = shear + of_lambda(moduli.lame_lambda, squared_gradient);
        let (by_rest, by_volume) = (
            rest.times_symmetric(of.mobility) * of.scale,
            direction.times_symmetric(of.mobility) * of.scale,
        );
        let both = rest.double_dot(by_volume);
        let along = of.stress.double_dot(direction);
        Self {
            shear_modulus: moduli.shear_modulus,
            missing,
            rest,
            squared: rest.norm_squared().max(P::splat(LEAST_SQUARED_STRESS)),
            direction,
            pressure,
            by_rest,
            by_volume,
            answer: Answer {
                first: shear * rest.double_dot(by_rest),
                upper: shear * both,
                lower: of_volume * both,
                last: of_volume * direction.double_dot(by_volume),
            },
            along_stress: shear * of.stress.norm_squared() + (of_volume - shear) * along * along,
            of,
        }
    }

    /// Adds a family of fibres to the law.
    #[inline(always)]
    pub fn add(&mut self, fiber: &Fiber<P>) {
        let (parts, changes) = ([self.rest, self.direction], [self.by_rest, self.by_volume]);
        self.answer.add(fiber, parts, changes);
        let along = fiber.along(self.of.stress);
        self.along_stress += fiber.stiffness * along * along;
    }

    /// What is to be given [Pa], as it is where strains are small.
    #[inline(always)]
    pub fn change(&self) -> Matrix3<P> {
        let raised = raised_to_secant(self.of.stress, self.along_stress, self.of.energy);
        let [part, pressure] = self.answer.solve(raised, self.squared, self.pressure);
        self.rest * part + self.direction * pressure
    }

    /// Where strains are so large that [`Self::along`] is needed.
    #[inline(always)]
    pub fn is_large(&self) -> P::Mask {
        P::splat(LARGE_ENERGY * self.shear_modulus).less(self.of.energy)
    }

    /// F - I after a change has been given.
    #[inline(always)]
    pub fn strain_after(&self, change: Matrix3<P>) -> Matrix3<P> {
        self.of.strain - change.times_symmetric(self.of.mobility) * self.of.scale
    }

    /// A change as far as it is to be given, by the energy density [J/m3] and the stress [Pa] after the whole of it.
    #[inline(always)]
    pub fn along(&self, change: Matrix3<P>, (energy, stress): (P, Matrix3<P>)) -> Matrix3<P> {
        let after = supported(energy, stress);
        let after = in_plane(after - self.of.given, self.of.normal) - change;
        let length = length(change, self.missing, after);
        change * length.or_where_not(self.is_large(), P::splat(1.0))
    }
}

/// lambda |g|2. A negative lambda (Poisson's ratio) counts as in small strains, where |g|2 is 3, at most: with more of it
/// the volume would have a negative stiffness.
#[inline(always)]
fn of_lambda<P: Pack>(lambda: Real, squared_gradient: P) -> P {
    let counted = match lambda < 0.0 {
        true => squared_gradient.min(P::splat(3.0)),
        false => squared_gradient,
    };
    P::splat(lambda) * counted
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

/// The stress of a law whose energy does not fall below that at rest, and is that there where it would: where material of
/// a negative Poisson's ratio is crushed, some laws would pay for crushing it further.
#[inline(always)]
pub fn supported<P: Pack>(energy: P, stress: Matrix3<P>) -> Matrix3<P> {
    stress.or_where_not(P::splat(LEAST_ENERGY).less(energy), Matrix3::ZERO)
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
    fn solve(&self, raised: P, squared: P, pressure: P) -> [P; 2] {
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

/// The secant of the law along the stress over the stiffness of small strains, |P|2/(2 Psi) over P:C:P/|P|2, or one
/// where that is less, as wherever the law is linear. It is bounded: where material of a negative Poisson's ratio is
/// crushed, some laws have hardly any energy, but stress.
#[inline(always)]
fn raised_to_secant<P: Pack>(stress: Matrix3<P>, along_stress: P, energy: P) -> P {
    let squared = stress.norm_squared();
    let least = (along_stress * (energy + energy)).max(P::splat(LEAST_ENERGY));
    (squared * squared / least)
        .max(P::splat(1.0))
        .min(P::splat(GREATEST_SECANT))
}

/// Without what acts along the normal of a sheet at rest, which has no constraint; all of it where the normal is zero.
#[inline(always)]
pub fn in_plane<P: Pack>(matrix: Matrix3<P>, normal: Vector3<P>) -> Matrix3<P> {
    matrix - (matrix * normal).outer(normal)
}
