//! The shape of a sheet of cloth at rest: triangles, and what follows from them.

use std::sync::OnceLock;

use pliant_math::{DVec2, DVec3};

/// A triangulated sheet at rest. Its vertices are the particles of a body, in their order at the start.
#[derive(Clone, Debug, Default)]
pub struct Fabric {
    /// Corners of each triangle, each less than the number of vertices and no two the same.
    pub triangles: Vec<[u32; 3]>,
    /// Where the vertices are at rest [m]; only lengths and angles matter.
    pub rest_position: Vec<DVec3>,
    /// Direction of the warp at rest, unit; in each triangle its projection.
    pub warp: DVec3,
    /// Factor on the stiffness of hinges, by which bending into a cylinder has the stiffness of the
    /// material: 1 for equilateral triangles, [`ALTERNATING_DIAGONALS`] for such a grid.
    pub bending_factor: f64,
    /// Derived data, computed on first use: the other fields must not change after that.
    rest_triangles: OnceLock<Vec<RestTriangle>>,
    rest_hinges: OnceLock<Vec<RestHinge>>,
}

/// A triangle at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestTriangle {
    /// Its area [m2].
    pub area: f64,
    /// Gradients [1/m] along warp and weft of the shape functions of the second and the third corner.
    pub gradients: [DVec2; 2],
}

/// A hinge at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestHinge {
    /// The edge that it turns about.
    pub edge: SharedEdge,
    /// Cosine and sine of the angle between its triangles, 0 for flat ones.
    pub angle: [f64; 2],
    /// Stiffness of the angle over that of the material.
    pub coefficient: f64,
}

/// [`Fabric::bending_factor`] of a rectangular grid whose neighbouring cells have different diagonals.
///
/// There hinges measure the curvature at every other vertex only. If the others stand back by a
/// common distance, the hinges have the energy D/2 ((k + c)^2 + 5 c^2) for a curvature k, c being that
/// distance in terms of a curvature, which is least at c = -k/6: 5/6 of a plate's.
pub const ALTERNATING_DIAGONALS: f64 = 6.0 / 5.0;

/// Length of the projection of the warp below which its direction in a triangle means nothing.
const LEAST_WARP: f64 = 1e-3;

/// An edge that two triangles share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedEdge {
    /// Its ends, and the corners of the two triangles that are not on it.
    pub points: [u32; 4],
    /// The triangles.
    pub triangles: [u32; 2],
}

impl Fabric {
    /// A sheet of triangles with their vertices at rest [m].
    pub fn new(
        triangles: Vec<[u32; 3]>,
        rest_position: Vec<DVec3>,
        warp: DVec3,
        bending_factor: f64,
    ) -> Self {
        Self {
            triangles,
            rest_position,
            warp,
            bending_factor,
            rest_triangles: OnceLock::new(),
            rest_hinges: OnceLock::new(),
        }
    }

    /// Its triangles at rest, in their order.
    pub fn rest_triangles(&self) -> &[RestTriangle] {
        self.rest_triangles.get_or_init(|| {
            let rest = |number| RestTriangle {
                area: self.area(number),
                gradients: self.shape_gradients(number),
            };
            (0..self.triangles.len()).map(rest).collect()
        })
    }

    /// Its hinges at rest, in the order of [`Self::shared_edges`].
    pub fn rest_hinges(&self) -> &[RestHinge] {
        self.rest_hinges.get_or_init(|| {
            let edges = self.shared_edges();
            edges.iter().map(|edge| self.hinge(edge)).collect()
        })
    }

    fn hinge(&self, edge: &SharedEdge) -> RestHinge {
        let [a, b, c, d] = edge.points.map(|v| self.rest_position[v as usize]);
        let area: f64 = edge.triangles.iter().map(|&t| self.area(t as usize)).sum();
        RestHinge {
            edge: *edge,
            angle: cosine_and_sine(b - a, c - a, d - a),
            coefficient: self.bending_factor * (b - a).length_squared() / area,
        }
    }

    /// Area of a triangle at rest [m2].
    pub fn area(&self, triangle: usize) -> f64 {
        let [a, b, c] = self.corners(triangle);
        0.5 * (b - a).cross(c - a).length()
    }

    /// Least distance [m] of a corner of a triangle from the side across, at rest.
    pub fn least_height(&self, triangle: usize) -> f64 {
        let [a, b, c] = self.corners(triangle);
        let sides = [a.distance(b), b.distance(c), c.distance(a)];
        let longest = sides.into_iter().fold(f64::MIN_POSITIVE, f64::max);
        2.0 * self.area(triangle) / longest
    }

    /// A third of the area at rest [m2] of the triangles around each vertex: what its mass is in
    /// proportion to.
    pub fn vertex_areas(&self) -> Vec<f64> {
        let mut areas = vec![0.0; self.rest_position.len()];
        for (number, triangle) in self.triangles.iter().enumerate() {
            let share = self.area(number) / 3.0;
            for &corner in triangle {
                areas[corner as usize] += share;
            }
        }
        areas
    }

    /// Gradients [1/m] along warp and weft of the shape functions of the second and the third corner.
    fn shape_gradients(&self, triangle: usize) -> [DVec2; 2] {
        let [a, b, c] = self.corners(triangle);
        let normal = (b - a).cross(c - a).normalize_or(DVec3::Y);
        // A triangle across the warp has its first side instead: any direction is as good.
        let projected = self.warp - normal * normal.dot(self.warp);
        let is_across = projected.length() < LEAST_WARP;
        let warp = if is_across { b - a } else { projected }.normalize_or(DVec3::X);
        let weft = normal.cross(warp);
        let flat = |x: DVec3| DVec2::new(x.dot(warp), x.dot(weft));
        let (second, third) = (flat(b - a), flat(c - a));
        let determinant = second.perp_dot(third);
        [
            DVec2::new(third.y, -third.x) / determinant,
            DVec2::new(-second.y, second.x) / determinant,
        ]
    }

    /// The edges that two triangles share, in order of their ends. Of more than two triangles at an edge
    /// each shares it with the next.
    pub fn shared_edges(&self) -> Vec<SharedEdge> {
        let mut sides = self.sides();
        sides.sort_unstable();
        let mut edges = Vec::new();
        for pair in sides.windows(2) {
            let [(ends, triangle, corner), (other_ends, other, other_corner)] = [pair[0], pair[1]];
            if ends == other_ends {
                edges.push(SharedEdge {
                    points: [ends[0], ends[1], corner, other_corner],
                    triangles: [triangle, other],
                });
            }
        }
        edges
    }

    /// The ends of every side of every triangle in increasing order, the triangle, and its far corner.
    fn sides(&self) -> Vec<([u32; 2], u32, u32)> {
        let mut sides = Vec::with_capacity(3 * self.triangles.len());
        for (number, &[a, b, c]) in self.triangles.iter().enumerate() {
            for (first, second, far) in [(a, b, c), (b, c, a), (c, a, b)] {
                let ends = [first.min(second), first.max(second)];
                sides.push((ends, number as u32, far));
            }
        }
        sides
    }

    fn corners(&self, triangle: usize) -> [DVec3; 3] {
        self.triangles[triangle].map(|corner| self.rest_position[corner as usize])
    }
}

/// Cosine and sine of the angle between the triangles (edge, one) and (edge, other), 0 for flat ones.
fn cosine_and_sine(edge: DVec3, one: DVec3, other: DVec3) -> [f64; 2] {
    let (normal_one, normal_other) = (edge.cross(one), other.cross(edge));
    let product = normal_one.length() * normal_other.length();
    [
        normal_one.dot(normal_other) / product,
        -edge.length() * normal_one.dot(other) / product,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rest::samples::grid;

    #[test]
    fn vertices_share_the_area_of_the_sheet() {
        let fabric = grid([5, 3], 0.1);
        let total: f64 = fabric.vertex_areas().iter().sum();
        assert!((total - 0.4 * 0.2).abs() < 1e-15);
    }

    #[test]
    fn shape_gradients_give_the_gradient_of_a_linear_field() {
        let fabric = Fabric {
            warp: DVec3::new(0.6, 0.3, 0.8).normalize(),
            ..grid([4, 4], 0.1)
        };
        let slope = DVec3::new(0.3, 0.0, -0.7);
        for triangle in 0..fabric.triangles.len() {
            let [a, b, c] = fabric.corners(triangle).map(|x| x.dot(slope));
            let [second, third] = fabric.shape_gradients(triangle);
            let gradient = second * (b - a) + third * (c - a);
            assert!((gradient.length() - slope.length()).abs() < 1e-12);
            // The warp lies in the plane y = 0 but for its part along the normal.
            let warp = DVec3::new(0.6, 0.0, 0.8);
            assert!((gradient.x - slope.dot(warp)).abs() < 1e-12);
        }
    }

    #[test]
    fn inner_edges_are_shared_by_two_triangles() {
        let fabric = grid([4, 3], 0.1);
        // Of 3 x 2 cells: a diagonal each, 2 x 2 and 3 x 1 inner sides.
        let edges = fabric.shared_edges();
        assert_eq!(edges.len(), 6 + 4 + 3);
        for edge in edges {
            for (number, far) in edge.triangles.iter().zip(&edge.points[2..]) {
                let triangle = fabric.triangles[*number as usize];
                let has = |point: &u32| triangle.contains(point);
                assert!(has(far) && edge.points[..2].iter().all(has));
            }
        }
    }
}
