//! The volume inside a signed distance, by an octree that refines at the surface.

use pliant_math::DVec3;

use crate::{Aabb, Shape};

/// Cells along the edge of a cube as large as the bounds, in the first attempt.
const CELLS: f64 = 128.0;
/// How often a cell of the coarsest level can be halved.
const LEVELS: u32 = 4;
/// Greatest share of the volume in cells that the surface cuts, above which cells are halved.
const CUT_SHARE: f64 = 0.25;
/// How often the finest cells are halved for thin shapes.
const REFINEMENTS: usize = 2;

/// Volume of the part of `shape` inside `bounds` [m3], to about 0.1 %: a cell at the surface counts
/// with the part of it below its tangent plane, an error of second order in the cell.
pub(crate) fn volume(shape: &dyn Shape, bounds: Aabb) -> f64 {
    let extent = bounds.extent();
    let mut finest = libm::cbrt(extent.element_product()) / CELLS;
    if !(finest > 0.0 && finest.is_finite()) {
        return 0.0;
    }
    let mut sums = Sums::over(shape, bounds, finest);
    for _ in 0..REFINEMENTS {
        if sums.cut <= CUT_SHARE * sums.inside {
            break;
        }
        finest *= 0.5;
        sums = Sums::over(shape, bounds, finest);
    }
    sums.inside
}

#[derive(Default)]
struct Sums {
    inside: f64,
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
        let cell_volume = size * size * size;
        if distance <= -half_diagonal {
            self.inside += cell_volume;
        } else if level == 0 {
            self.cut += cell_volume;
            let normal = shape.normal(center);
            self.inside += cell_volume * part_below_plane(normal, distance / size);
        } else {
            for corner in Aabb::around([DVec3::splat(-0.25), DVec3::splat(0.25)]).corners() {
                self.add_cell(shape, center + size * corner, 0.5 * size, level - 1);
            }
        }
    }
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
    fn the_part_below_a_plane_is_that_of_many_points() {
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
