//! The kernel integral beyond a free surface, or a wall, near a particle.
//!
//!   f_i + b(d) = s,   |grad f_i| = -db/dd,   b(d) the integral of W over the half-space beyond d
//!
//! f_i is the sum over neighbours and s what it is inside. Near a plane surface f_i lacks what a half-space
//! of fluid would add, and its gradient gives its distance. Without it a particle at the surface
//! takes its neighbours for sparse, and the outermost layers pack until they reach the density of the inside.

use pliant_math::Real;

use super::wendland::Wendland;

/// Distance [spacings] by which the half-space of a lattice lies beyond the face of its outermost cells:
/// sums over particles hold more than the integral, by the weight of the particle itself. 0.085 for a cubic
/// lattice, 0.035 to 0.046 for the body-centred and the face-centred one.
const OFFSET: f64 = 0.07;

/// Parts of the steepest slope between which a slope begins to indicate a surface: the outermost layer of a
/// lattice has 0.65 of it, the next one 0.1. Less is what any disorder has inside, where it would keep particles
/// from passing each other and thicken a fluid.
const TELLING: [f64; 2] = [0.3, 0.5];

/// Slopes for which shares are kept.
const KEPT: usize = 64;

/// The kernel's share beyond a surface, for one support radius and spacing.
#[derive(Clone, Debug)]
pub struct FreeSurface {
    kernel: Wendland,
    offset: Real,
    /// Shares for slopes from 0 to the greatest, at equal distances.
    shares: Vec<Real>,
    kept_per_slope: Real,
}

impl FreeSurface {
    /// What is beyond surfaces.
    ///
    /// * `support_radius` — where the kernel reaches zero [m]
    /// * `spacing` — cube root of a particle's volume [m]
    pub fn new(support_radius: f64, spacing: f64) -> Self {
        let kernel = Wendland::new(support_radius);
        let offset = (OFFSET * spacing) as Real;
        let steepest = kernel.beyond(0.0).1;
        let share = |k: usize| {
            let part = k as Real / KEPT as Real;
            let distance = distance_of_slope(&kernel, part * steepest, support_radius as Real);
            telling(f64::from(part)) as Real * kernel.beyond(distance + offset).0
        };
        Self {
            offset,
            shares: (0..=KEPT).map(share).collect(),
            kept_per_slope: KEPT as Real / steepest,
            kernel,
        }
    }

    /// The share of a half-space of matter that begins at a distance [m] from a particle, and minus its slope [1/m].
    pub fn beyond(&self, distance: Real) -> (Real, Real) {
        self.kernel.beyond(distance + self.offset)
    }

    /// The share that a half-space without matter takes, for the gradient of the sum over what is there [1/m].
    pub fn missing(&self, gradient: Real) -> Real {
        let place = gradient * self.kept_per_slope;
        let k = place as usize;
        if k >= KEPT {
            return self.shares[KEPT];
        }
        let part = place - k as Real;
        self.shares[k] + part * (self.shares[k + 1] - self.shares[k])
    }
}

/// Weight of a surface at a part of the steepest slope, from 0 to 1.
fn telling(part: f64) -> f64 {
    let [first, last] = TELLING;
    let t = ((part - first) / (last - first)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The distance [m] of a half-space of which the kernel has a given slope [1/m].
fn distance_of_slope(kernel: &Wendland, slope: Real, support_radius: Real) -> Real {
    let (mut near, mut far) = (0.0, support_radius);
    for _ in 0..40 {
        let middle = 0.5 * (near + far);
        if kernel.beyond(middle).1 > slope {
            near = middle;
        } else {
            far = middle;
        }
    }
    near
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::rest_fraction;

    /// Offsets of the neighbours of a particle in a lattice whose layers are normal to y, and their distance.
    fn lattice(
        is_point: impl Fn(i32, i32, i32) -> bool,
        points_in_cell: f64,
    ) -> (Vec<[f64; 3]>, f64) {
        let half = 0.5 * points_in_cell.cbrt();
        let all = || -8..=8;
        let mut points = Vec::new();
        for (i, j, k) in all().flat_map(|i| all().flat_map(move |j| all().map(move |k| (i, j, k))))
        {
            if is_point(i, j, k) {
                points.push([i, j, k].map(|c| f64::from(c) * half));
            }
        }
        let above = points.iter().map(|p| p[1]).filter(|y| *y > 1e-9);
        let layer = above.fold(f64::INFINITY, f64::min);
        (points, layer)
    }

    #[test]
    fn layers_of_lattices_at_a_surface_are_as_dense_as_the_inside() {
        let kernel = Wendland::new(2.0);
        let surface = FreeSurface::new(2.0, 1.0);
        let rest = rest_fraction(2.0, 1.0);
        let even = |c: i32| c.rem_euclid(2) == 0;
        let lattices = [
            lattice(|i, j, k| even(i) && even(j) && even(k), 1.0),
            lattice(|i, j, k| even(i + j + k), 4.0),
            lattice(|i, j, k| even(i) == even(j) && even(j) == even(k), 2.0),
        ];
        for (points, layer) in lattices {
            for depth in 0..3 {
                let top = f64::from(depth) * layer + 1e-9;
                let (mut sum, mut gradient) = (0.0, 0.0);
                for p in points.iter().filter(|p| p[1] <= top) {
                    let distance = p.iter().map(|c| c * c).sum::<f64>().sqrt() as Real;
                    if distance < 2.0 {
                        sum += kernel.weight(distance);
                        gradient += kernel.gradient_factor(distance) * p[1] as Real;
                    }
                }
                let completed = (sum + surface.missing(gradient.abs())) / rest;
                assert!((0.96..1.025).contains(&completed), "{depth}: {completed}");
                let to_wall = (top + 0.5 * layer) as Real;
                let walled = (sum + surface.beyond(to_wall).0) / rest;
                assert!((0.975..1.025).contains(&walled), "{depth}: {walled}");
            }
        }
    }

    #[test]
    fn no_density_is_missing_inside_and_at_most_half_at_a_surface() {
        let surface = FreeSurface::new(0.2, 0.1);
        assert!(surface.missing(0.0) < 1e-6);
        let noise = 0.25 * surface.beyond(-surface.offset).1;
        assert!(surface.missing(noise) < 1e-6);
        let most = surface.missing(1e9);
        assert!((0.4..=0.5).contains(&most), "{most}");
    }
}
