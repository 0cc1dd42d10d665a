//! The volume inside a signed distance, and its moments, by an octree that refines at the surface.

use pliant_math::{DMat3, DVec3};

use crate::{Aabb, Shape};

/// Cells along the edge of a cube as large as the bounds, in the first attempt.
const CELLS: f64 = 128.0;
/// How often a cell of the coarsest level can be halved.
const LEVELS: u32 = 4;
/// Greatest share of the volume in cells that the surface cuts, above which cells are halved.
const CUT_SHARE: f64 = 0.25;
/// How often the finest cells are halved for thin shapes.
const REFINEMENTS: usize = 2;

/// Moments of the inside of a shape.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    /// Volume [m3].
    pub volume: f64,
    /// Integral of the position x [m4].
    pub first: DVec3,
    /// Integral of the dyad x x^T [m5].
    pub second: DMat3,
}

/// Volume of the part of `shape` inside `bounds` [m3], to about 0.1 %.
pub(crate) fn volume(shape: &dyn Shape, bounds: Aabb) -> f64 {
    moments(shape, bounds).volume
}

/// Moments of the part of `shape` inside `bounds`, to about 0.1 %: a cell at the surface counts with the
/// part of it below its tangent plane, an error of second order in the cell.
pub fn moments(shape: &dyn Shape, bounds: Aabb) -> Moments {
    let extent = bounds.extent();
    let mut finest = libm::cbrt(extent.element_product()) / CELLS;
    if !(finest > 0.0 && finest.is_finite()) {
        return Moments::default();
    }
    let mut sums = Sums::over(shape, bounds, finest);
    for _ in 0..REFINEMENTS {
        if sums.cut <= CUT_SHARE * sums.inside.volume {
            break;
        }
        finest *= 0.5;
        sums = Sums::over(shape, bounds, finest);
    }
    sums.inside
}

impl Default for Moments {
    /// Of nothing.
    fn default() -> Self {
        Self {
            volume: 0.0,
            first: DVec3::ZERO,
            second: DMat3::ZERO,
        }
    }
}

impl Moments {
    /// Adds a share of a cube with an edge [m] about its middle.
    fn add(&mut self, center: DVec3, size: f64, share: f64) {
        let volume = share * size * size * size;
        let dyad = DMat3::from_cols(center * center.x, center * center.y, center * center.z);
        self.volume += volume;
        self.first += center * volume;
        self.second += (dyad + DMat3::IDENTITY * (size * size / 12.0)) * volume;
    }
}

#[derive(Default)]
struct Sums {
    inside: Moments,
    cut: f64,
}

impl Sums {
    fn over(shape: &dyn Shape, bounds: Aabb, finest: f64) -> Self {
        let size = finest * f64::from(1u32 << LEVELS);
        let counts = (bounds.extent() / size).ceil().max(DVec3::ONE);
        let first = bounds.center() - 0.5 * size * (counts - DVec3::ONE);
        let mut sums = Self::default();
        for z in 0..counts.z as usize {
            for y in 0..counts.y as usize {
                for x in 0..counts.x as usize {
                    let center = first + size * DVec3::new(x as f64, y as f64, z as f64);
                    sums.add_cell(shape, center, size, LEVELS);
                }
            }
        }
        sums
    }

    fn add_cell(&mut self, shape: &dyn Shape, center: DVec3, size: f64, level: u32) {
        let distance = shape.signed_distance(center);
        let half_diagonal = 0.5 * 3f64.sqrt() * size;
        if distance >= half_diagonal {
            return;
        }
        let is_last = level == 0;
        let is_full = distance <= -half_diagonal
            || (is_last && distance < 0.0 && is_hidden(shape, center, size));
        if is_full {
            self.inside.add(center, size, 1.0);
        } else if is_last {
            self.cut += size * size * size;
            let normal = shape.normal(center);
            let share = part_below_plane(normal, distance / size);
            self.inside.add(center, size, share);
        } else {
            for corner in Aabb::around([DVec3::splat(-0.25), DVec3::splat(0.25)]).corners() {
                self.add_cell(shape, center + size * corner, 0.5 * size, level - 1);
            }
        }
    }
}

/// True if a surface that is near a cell inside a shape lies inside it too.
fn is_hidden(shape: &dyn Shape, center: DVec3, size: f64) -> bool {
    let corners = Aabb::around([DVec3::splat(-0.5), DVec3::splat(0.5)]).corners();
    let is_inside = |corner: DVec3| shape.signed_distance(center + size * corner) < 0.0;
    shape.hides_surface() && corners.into_iter().all(is_inside)
}

/// Part of the unit cube about the origin where `normal . x < -distance`
/// (Scardovelli and Zaleski 2000, eqs. 15 to 19).
fn part_below_plane(normal: DVec3, distance: f64) -> f64 {
    let sum = normal.abs().element_sum();
    let mut m = (normal.abs() / sum).to_array();
    m.sort_by(f64::total_cmp);
    let offset = (0.5 - distance / sum).clamp(0.0, 1.0);
    if offset > 0.5 {
        1.0 - part_of_half(m, 1.0 - offset)
    } else {
        part_of_half(m, offset)
    }
}

/// The part for an offset of at most one half and 0 <= m1 <= m2 <= m3 with sum 1.
fn part_of_half([m1, m2, m3]: [f64; 3], offset: f64) -> f64 {
    let m12 = m1 + m2;
    if offset >= m12 && m12 <= m3 {
        return (2.0 * offset - m12) / (2.0 * m3);
    }
    if m1 < 1e-6 {
        let is_corner = offset < m2;
        return if is_corner {
            offset * offset / (2.0 * m2 * m3)
        } else {
            (2.0 * offset - m2) / (2.0 * m3)
        };
    }
    let beyond = |m: f64| (offset - m).max(0.0).powi(3);
    (offset.powi(3) - beyond(m1) - beyond(m2) - beyond(m3)) / (6.0 * m1 * m2 * m3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_volume_below_a_plane_agrees_with_many_samples() {
        let normals = [
            DVec3::new(1.0, 0.0, 0.0),
            DVec3::new(0.6, 0.8, 0.0),
            DVec3::new(1.0, 1.0, 1.0).normalize(),
            DVec3::new(0.2, -0.5, 0.9).normalize(),
            DVec3::new(1e-8, 0.3, 0.9).normalize(),
        ];
        let n = 60;
        let coordinate = |i: usize| (i as f64 + 0.5) / n as f64 - 0.5;
        for normal in normals {
            for distance in [-0.8, -0.4, -0.13, 0.0, 0.07, 0.3, 0.55, 0.9] {
                let is_below = |i: usize| {
                    let place = [i % n, i / n % n, i / (n * n)].map(coordinate);
                    normal.dot(DVec3::from(place)) < -distance
                };
                let count = (0..n * n * n).filter(|i| is_below(*i)).count();
                let counted = count as f64 / (n * n * n) as f64;
                let part = part_below_plane(normal, distance);
                assert!((part - counted).abs() < 0.01, "{normal} {distance}");
            }
        }
    }
}
