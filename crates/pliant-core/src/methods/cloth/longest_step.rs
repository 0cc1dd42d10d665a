//! The longest step in which the sweeps of a substep find the stress of a sheet.
//!
//! Sweeps begin with the stress at the start, which is that of the end where nothing moves. What moves they
//! bring nearer to it: with the terms of `membrane`, n sweeps of Gauss and Seidel leave about
//!
//!   rho = exp(-2 n (1 + s)/(1 + S)),   s = (omega dt)^2
//!
//! of the error of a mode with the frequency omega, S being s of the stiffest mode. Leaving out what they
//! bring, a step would be explicit; with it a mode is stable while rho s < 4, or S below some 11 n: stiff
//! modes are smoothed away by few sweeps, slow ones are stable by themselves. At longer steps only a
//! part of the stress is taken over (`membrane::Step::start`), and the sheet is softer. So
//!
//!   dt = SHARE sqrt(n) / omega,   omega^2 = mean of W k over the constraints of a kind, by their areas,
//!
//! for the kind with the greatest omega: W = sum_i w_i |grad_i C|^2, and S is four to six times
//! (omega dt)^2. Weighted by areas, slivers of a mesh, which hold little, do not decide.

use pliant_math::DVec3;

use super::Sheet;
use crate::method::LongestStep;

/// dt omega over the root of the sweeps. Of a box of 20 kg that falls on cotton and of a hanging strip, the box
/// makes energy first: nothing of 29 J at 0.6, 0.5 J at 0.8, 2.8 J at 1 and 19 J at 1.3; the strip none at 1.
const SHARE: f64 = 0.8;

/// What sweeps have to find, in the order of [`squared_rates`].
const REASONS: [&str; 4] = [
    "the sweeps have to find its tension along the warp",
    "the sweeps have to find its tension along the weft",
    "the sweeps have to find its shear stress",
    "the sweeps have to find its bending moment",
];

/// For a sheet whose vertices have such inverse masses [1/kg], and so many sweeps, > 0, a substep.
pub fn longest_step(sheet: &Sheet, inverse_mass: &[f64], sweeps: u32) -> LongestStep {
    let crossed = SHARE * f64::from(sweeps).sqrt();
    let rates = squared_rates(sheet, inverse_mass).into_iter();
    let bounds = rates.zip(REASONS).map(|(squared, reason)| LongestStep {
        seconds: crossed / squared.sqrt(),
        reason,
    });
    bounds.fold(LongestStep::UNBOUND, LongestStep::or_shorter)
}

/// Time [s] in which tension crosses a triangle, along the softer of warp and weft: their omega is twice its inverse.
pub fn crossing_time(sheet: &Sheet, inverse_mass: &[f64]) -> f64 {
    let [warp, weft, ..] = squared_rates(sheet, inverse_mass);
    2.0 / warp.min(weft).sqrt()
}

/// omega^2 [1/s2] of warp, weft, shear and bending.
fn squared_rates(sheet: &Sheet, inverse_mass: &[f64]) -> [f64; 4] {
    let (fabric, law) = (&*sheet.fabric, &sheet.law);
    let weight = |corner: u32| inverse_mass[corner as usize];
    let (mut total, mut sums) = (0.0, [0.0; 4]);
    for (corners, rest) in fabric.triangles.iter().zip(fabric.rest_triangles()) {
        let area = rest.area;
        let [second, third] = rest.gradients;
        let gradients = [-second - third, second, third];
        total += area;
        for (corner, gradient) in corners.iter().zip(gradients) {
            let share = area * area * weight(*corner);
            sums[0] += share * law.warp_stiffness * gradient.x * gradient.x;
            sums[1] += share * law.weft_stiffness * gradient.y * gradient.y;
            sums[2] += share * law.shear_stiffness * gradient.length_squared();
        }
    }
    for hinge in fabric.rest_hinges() {
        let edge = &hinge.edge;
        let area: f64 = edge
            .triangles
            .iter()
            .map(|&t| fabric.rest_triangles()[t as usize].area)
            .sum();
        let points = edge
            .points
            .map(|point| fabric.rest_position[point as usize]);
        let gradients = angle_gradients(points);
        let weights = edge.points.iter().zip(gradients);
        let weight: f64 = weights.map(|(&point, g)| weight(point) * g * g).sum();
        sums[3] += area / 3.0 * weight * sheet.bending(hinge);
    }
    sums.map(|sum| sum / total.max(f64::MIN_POSITIVE))
}

/// Lengths [1/m] of the gradients of the angle at an edge that is as good as flat with respect to its
/// ends and the far corners.
fn angle_gradients([a, b, c, d]: [DVec3; 4]) -> [f64; 4] {
    let edge = b - a;
    let squared = edge.length_squared().max(f64::MIN_POSITIVE);
    // Where the foot of a far corner is on the edge, and one over its height.
    let foot = |far: DVec3| {
        let height = edge.cross(far - a).length() / squared.sqrt();
        (
            edge.dot(far - a) / squared,
            1.0 / height.max(f64::MIN_POSITIVE),
        )
    };
    let ((one, one_over), (other, other_over)) = (foot(c), foot(d));
    [
        (1.0 - one) * one_over + (1.0 - other) * other_over,
        one * one_over + other * other_over,
        one_over,
        other_over,
    ]
}
