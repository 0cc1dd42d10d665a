//! Normals of the triangles of a frame, for formats that shade by them.
//!
//! A normal is the sum over the triangles around a vertex of n_k = a x b / (|a|² |b|²), with a and b the edges that
//! leave the vertex (Max 1999): right where vertices are on a sphere, whatever the triangles' sizes, and without angles.

use pliant_core::measure::Frame;
use pliant_math::DVec3;

/// Cosine of the angle between two triangles from which on the edge between them stays sharp: 60 degrees, as of
/// Houdini's own normals.
const CREASE: f64 = 0.5;

/// The triangles around each vertex.
struct Around {
    /// Where those of a vertex start, and after the last one their number.
    starts: Vec<u32>,
    /// Numbers of corners: three times that of the triangle, and that of the corner in it.
    corners: Vec<u32>,
}

/// Normals of length 1 of the corners of all triangles, three each. Edges between triangles that are more than 60
/// degrees apart stay sharp. Zero where a triangle has no direction.
pub(super) fn of_corners(frame: &Frame) -> Vec<[f32; 3]> {
    let around = Around::of(frame);
    let directions: Vec<DVec3> = frame.triangles.iter().map(|t| facing(frame, t)).collect();
    let shares = shares(frame);
    let vertices = frame.triangles.as_flattened().iter().enumerate();
    let normal = |(corner, &vertex): (usize, &u32)| {
        let own = directions[corner / 3];
        let beside = around.of_vertex(vertex).iter().map(|&c| c as usize);
        let smooth = beside.filter(|&other| directions[other / 3].dot(own) > CREASE);
        single(smooth.map(|other| shares[other]).sum())
    };
    vertices.map(normal).collect()
}

/// Normals of length 1 of all particles, zero for those without triangles.
pub(super) fn of_points(frame: &Frame) -> Vec<[f32; 3]> {
    let mut sums = vec![DVec3::ZERO; frame.particle_count()];
    let corners = frame.triangles.as_flattened().iter();
    for (&vertex, share) in corners.zip(shares(frame)) {
        sums[vertex as usize] += share;
    }
    sums.into_iter().map(single).collect()
}

/// What each corner adds to the normal of its vertex.
fn shares(frame: &Frame) -> Vec<DVec3> {
    let of_triangle = |triangle: &[u32; 3]| {
        let places = triangle.map(|corner| frame.position[corner as usize]);
        [0, 1, 2].map(|k| {
            let [a, b] = [1, 2].map(|step| places[(k + step) % 3] - places[k]);
            let share = a.cross(b) / (a.length_squared() * b.length_squared());
            // An edge without a length has no direction.
            if share.is_finite() {
                share
            } else {
                DVec3::ZERO
            }
        })
    };
    frame.triangles.iter().flat_map(of_triangle).collect()
}

fn facing(frame: &Frame, triangle: &[u32; 3]) -> DVec3 {
    let [a, b, c] = triangle.map(|corner| frame.position[corner as usize]);
    (b - a).cross(c - a).normalize_or_zero()
}

fn single(sum: DVec3) -> [f32; 3] {
    sum.normalize_or_zero().as_vec3().to_array()
}

impl Around {
    fn of(frame: &Frame) -> Self {
        let vertices = frame.triangles.as_flattened();
        let mut starts = vec![0; frame.particle_count() + 1];
        for &vertex in vertices {
            starts[vertex as usize + 1] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut next = starts.clone();
        let mut corners = vec![0; vertices.len()];
        for (corner, &vertex) in (0..).zip(vertices) {
            corners[next[vertex as usize] as usize] = corner;
            next[vertex as usize] += 1;
        }
        Self { starts, corners }
    }

    fn of_vertex(&self, vertex: u32) -> &[u32] {
        let [start, end] = [0, 1].map(|step| self.starts[vertex as usize + step] as usize);
        &self.corners[start..end]
    }
}

#[cfg(test)]
mod tests {
    use super::super::ParticleFrame;
    use super::*;

    fn frame_of(places: &[DVec3], triangles: &[[u32; 3]]) -> ParticleFrame {
        let count = places.len();
        ParticleFrame {
            position: places.to_vec(),
            velocity: vec![[0.0; 3]; count],
            id: (0..count as u32).collect(),
            body: vec![0; count],
            material: vec![0; count],
            radius: vec![1.0; count],
            triangles: triangles.to_vec(),
            ..ParticleFrame::default()
        }
    }

    fn normals(frame: &ParticleFrame) -> [Vec<[f32; 3]>; 2] {
        let bodies = [super::super::tests::body("body")];
        let frame = frame.frame(&bodies, &[]).unwrap();
        [of_corners(&frame), of_points(&frame)]
    }

    fn double(normal: [f32; 3]) -> DVec3 {
        DVec3::from_array(normal.map(f64::from))
    }

    /// Two squares with an edge in common along x, the second turned up by some degrees.
    fn fold(degrees: f64) -> ParticleFrame {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let up = DVec3::new(0.0, cosine, sine);
        let places = [
            -DVec3::Y,
            DVec3::X - DVec3::Y,
            DVec3::ZERO,
            DVec3::X,
            up,
            DVec3::X + up,
        ];
        frame_of(&places, &[[0, 1, 3], [0, 3, 2], [2, 3, 5], [2, 5, 4]])
    }

    #[test]
    fn gentle_folds_are_smooth_and_sharp_ones_stay_sharp() {
        let at_fold = |degrees: f64| {
            let [corners, points] = normals(&fold(degrees));
            // The last corner of the second triangle and the first of the third are one vertex.
            [corners[5], corners[6], points[2]].map(double)
        };
        let [one, other, point] = at_fold(40.0);
        assert!((one - other).length() < 1e-6 && (one - point).length() < 1e-6);
        assert!(one.angle_between(DVec3::Z).to_degrees() > 10.0);
        let [one, other, point] = at_fold(80.0);
        assert!((one - DVec3::Z).length() < 1e-6);
        assert!((one.angle_between(other).to_degrees() - 80.0).abs() < 1e-4);
        assert!(point.angle_between(one) > 0.1 && (point.length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn vertices_on_a_sphere_have_its_normals_whatever_the_triangles() {
        // A fan around the pole, whose corners are anywhere on the sphere.
        let on_sphere = |k: u32, angle: f64| {
            let (sine, cosine) = (0.3 + 0.1 * f64::from(k % 3)).sin_cos();
            DVec3::new(sine * angle.cos(), sine * angle.sin(), cosine)
        };
        let around = [0.0, 0.9, 2.0, 2.5, 4.0, 5.5];
        let rim = (0..).zip(around).map(|(k, angle)| on_sphere(k, angle));
        let places: Vec<DVec3> = [DVec3::Z].into_iter().chain(rim).collect();
        let triangles: Vec<[u32; 3]> = (0..6).map(|k| [0, 1 + k, 1 + (k + 1) % 6]).collect();
        let [corners, points] = normals(&frame_of(&places, &triangles));
        assert!((double(points[0]) - DVec3::Z).length() < 1e-6);
        for k in 0..6 {
            assert!((double(corners[3 * k]) - DVec3::Z).length() < 1e-6);
        }
    }

    #[test]
    fn what_has_no_direction_has_no_normal() {
        let places = [DVec3::ZERO, DVec3::X, 2.0 * DVec3::X, DVec3::Y];
        let [corners, points] = normals(&frame_of(&places, &[[0, 1, 2], [1, 1, 2]]));
        assert!(
            corners
                .iter()
                .chain(&points)
                .all(|normal| *normal == [0.0; 3])
        );
        let [corners, points] = normals(&frame_of(&places, &[[0, 1, 3]]));
        assert_eq!(corners, [[0.0, 0.0, 1.0]; 3]);
        assert_eq!(points[2], [0.0; 3]);
    }
}
