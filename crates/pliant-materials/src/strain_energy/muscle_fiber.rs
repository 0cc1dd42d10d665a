//! Muscle fibres: they resist stretch, and pull when they are activated.

use pliant_math::simd::Number;
use pliant_math::{Matrix3, Real};

/// Stretch below which fibres have that of this one in denominators.
const LEAST_STRETCH: Real = 1e-6;

/// Half of the range of stretches around 1 in which active fibres pull.
// Woittiez et al. 1984: F = -6.25 l^2 + 12.5 l - 5.25 = 1 - 6.25 (l - 1)^2, which is zero 0.4 away from 1.
pub const ACTIVE_RANGE: Real = 0.4;

/// Fibres along a direction, as they are activated at a moment.
///
/// `Psi = mu/2 (l - s l0)^2 + sigma int f(l) dl`, `l = |F a|`: the first term shortens fibres at rest to
/// l0 (active strain), the second pulls with a stress (active stress) that falls off with the stretch as
/// `f(l) = 1 - ((l - 1)/0.4)^2`. s is -1 where material is turned inside out along the fibres, else 1.
// Kim, De Goes and Iben 2019, eq. 20: Psi = mu/2 (sqrt(I5) - sign(I4))^2; Wang et al. 2023, sec. 4, has l0.
#[derive(Clone, Copy, Debug)]
pub struct MuscleFiber<N: Number = Real> {
    /// mu [Pa], >= 0.
    pub stiffness: N,
    /// By how much l0 is shorter than 1, in [0, 1).
    pub shortening: N,
    /// sigma: stress at the stretch 1 [Pa], >= 0.
    pub active_stress: N,
}

/// What fibres answer to a deformation.
#[derive(Clone, Copy, Debug)]
pub struct FiberResponse<N: Number = Real> {
    /// Energy density [J/m3], >= 0.
    pub energy: N,
    /// Stress along the fibres over the area at rest [Pa]; negative where they push.
    pub tension: N,
    /// l = |F a|, >= 0.
    pub stretch: N,
    /// Where they run now: F a / l.
    pub direction: [N; 3],
    /// d tension / dl [Pa], what is negative left out.
    pub along: N,
    /// Tension over stretch [Pa], what is negative left out: what resists turning.
    pub across: N,
}

impl<N: Number> MuscleFiber<N> {
    /// The answer to a displacement gradient H = F - I.
    ///
    /// * `along` — a, a unit vector at rest
    /// * `is_turned` — where s is -1
    #[inline(always)]
    pub fn response(&self, along: [N; 3], h: Matrix3<N>, is_turned: N::Mask) -> FiberResponse<N> {
        let (one, half) = (N::splat(1.0), N::splat(0.5));
        let moved = h.times_vector(along);
        let end = [
            along[0] + moved[0],
            along[1] + moved[1],
            along[2] + moved[2],
        ];
        // l^2 - 1 = 2 a.(H a) + |H a|^2, without cancellation.
        let excess = N::splat(2.0) * dot(along, moved) + dot(moved, moved);
        let stretch = dot(end, end).sqrt();
        let of_small = excess / (one + stretch);
        // l - s l0
        let strain =
            (of_small + self.shortening).or_where_not(!is_turned, stretch + one - self.shortening);
        let range = N::splat(ACTIVE_RANGE);
        let u = (of_small / range).max(-one).min(one);
        let third = N::splat(1.0 / 3.0);
        let pulled = range * (u - u * u * u * third + N::splat(2.0) * third);
        let active = self.active_stress * (one - u * u);
        let tension = self.stiffness * strain + active;
        let inverse = one / stretch.max(N::splat(LEAST_STRETCH));
        let slope = self.active_stress * N::splat(-2.0) * u / range;
        FiberResponse {
            energy: half * self.stiffness * strain * strain + self.active_stress * pulled,
            tension,
            stretch,
            direction: [end[0] * inverse, end[1] * inverse, end[2] * inverse],
            along: (self.stiffness + slope).max(N::ZERO),
            across: (tension * inverse).max(N::ZERO),
        }
    }
}

impl<N: Number> FiberResponse<N> {
    /// First Piola-Kirchhoff stress [Pa]: tension (F a / l) a^T.
    #[inline(always)]
    pub fn stress(&self, along: [N; 3]) -> Matrix3<N> {
        let ([x, y, z], t) = (self.direction, self.tension);
        Matrix3::outer([x * t, y * t, z * t], along)
    }

    /// Its change with a change of F: w = dF a, (t_along - t_across) n (n . w) + t_across w.
    #[inline(always)]
    pub fn stress_change(&self, along: [N; 3], change: Matrix3<N>) -> Matrix3<N> {
        let w = change.times_vector(along);
        let n = self.direction;
        let excess = (self.along - self.across) * dot(n, w);
        let mut d = n;
        for k in 0..3 {
            d[k] = w[k] * self.across + n[k] * excess;
        }
        Matrix3::outer(d, along)
    }
}

#[inline(always)]
fn dot<N: Number>(a: [N; 3], b: [N; 3]) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What is lost to rounding and to finite differences, in double and in single precision.
    const TOLERANCE: Real = if size_of::<Real>() == 8 { 1e-6 } else { 3e-2 };
    const STEP: Real = if size_of::<Real>() == 8 { 1e-6 } else { 3e-3 };

    fn fiber() -> impl Strategy<Value = MuscleFiber> {
        let numbers = (0.0..2.0_f64, 0.0..0.5_f64, 0.0..2.0_f64);
        numbers.prop_map(|(stiffness, shortening, active_stress)| MuscleFiber {
            stiffness: stiffness as Real,
            shortening: shortening as Real,
            active_stress: active_stress as Real,
        })
    }

    fn matrix(size: f64) -> impl Strategy<Value = Matrix3> {
        prop::array::uniform3(prop::array::uniform3(-size..size))
            .prop_map(|rows| Matrix3::from_rows(rows.map(|row| row.map(|x| x as Real))))
    }

    const ALONG: [Real; 3] = [0.6, 0.0, 0.8];

    proptest! {
        #[test]
        fn fiber_stress_is_the_derivative_of_its_energy(
            fiber in fiber(), h in matrix(0.3), way in matrix(1.0), is_turned in any::<bool>(),
        ) {
            let at = |s: Real| fiber.response(ALONG, h + way * s, is_turned);
            let difference = (at(STEP).energy - at(-STEP).energy) / (2.0 * STEP);
            let exact = at(0.0).stress(ALONG).double_dot(way);
            prop_assert!((difference - exact).abs() < TOLERANCE, "{difference} {exact}");
        }

        #[test]
        fn change_of_fiber_stress_is_its_derivative_where_fibers_pull(
            fiber in fiber(), h in matrix(0.2), way in matrix(1.0),
        ) {
            let at = |s: Real| fiber.response(ALONG, h + way * s, false);
            let now = at(0.0);
            prop_assume!(now.tension > 0.01 && now.along > 0.01);
            prop_assume!((now.stretch - 1.0).abs() < 0.9 * ACTIVE_RANGE);
            let difference = (at(STEP).stress(ALONG) - at(-STEP).stress(ALONG)) * (0.5 / STEP);
            let error = difference - now.stress_change(ALONG, way);
            prop_assert!(error.norm_squared().sqrt() < 10.0 * TOLERANCE, "{error:?}");
        }
    }

    #[test]
    fn activated_fibers_pull_as_the_law_says() {
        let fiber = MuscleFiber {
            stiffness: 2e5,
            shortening: 0.3,
            active_stress: 1e5,
        };
        let held = fiber.response(ALONG, Matrix3::ZERO, false);
        assert!((held.tension / (2e5 * 0.3 + 1e5) - 1.0).abs() < 1e-6);
        let short = Matrix3::outer(ALONG, ALONG) * -0.45;
        let slack = fiber.response(ALONG, short, false);
        // Beyond its range nothing pulls, and the stiffness pushes.
        assert!((slack.tension / (2e5 * (0.55 - 0.7)) - 1.0).abs() < 1e-5);
        assert_eq!(slack.across, 0.0);
    }
}
