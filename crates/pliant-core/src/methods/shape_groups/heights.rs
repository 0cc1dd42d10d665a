//! How fine the surface of a body is, and how thick the body, which say how far from each other its surfaces can be
//! kept.

use pliant_math::DVec3;

/// Triangles from which the thickness is looked for, at most.
const LOOKS: usize = 400;

/// This part of the surface sees less than the thickness.
const THINNER: f64 = 0.05;

/// Lengths of a surface at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Heights {
    /// The least height of the triangles [m].
    pub least: f64,
    /// The height that half of the triangles by area exceed, or the thickness of the body where that is less [m].
    pub most: f64,
}

impl Heights {
    /// Of triangles, counter-clockwise seen from outside; `None` without any.
    pub fn of(position: &[DVec3], triangles: &[[u32; 3]]) -> Option<Self> {
        let corners = |&of: &[u32; 3]| of.map(|k| position[k as usize]);
        let measured = |of: &[u32; 3]| {
            let [a, b, c] = corners(of);
            let longest = [b - a, c - b, a - c].map(|side| side.length());
            let area = (b - a).cross(c - a).length();
            (area / longest.into_iter().fold(0.0, f64::max), area)
        };
        let mut all: Vec<(f64, f64)> = triangles.iter().map(measured).collect();
        let least = all.iter().map(|(height, _)| *height).reduce(f64::min)?;
        let median = quantile(&mut all, 0.5)?;
        Some(Self {
            least,
            most: median.min(thickness(&corners, triangles)),
        })
    }
}

/// The thickness of a body seen from the middles of triangles, inwards; infinite if they enclose nothing.
fn thickness(corners: &impl Fn(&[u32; 3]) -> [DVec3; 3], triangles: &[[u32; 3]]) -> f64 {
    let step = triangles.len().div_ceil(LOOKS);
    let look = |of: &[u32; 3]| {
        let [a, b, c] = corners(of);
        let across = (b - a).cross(c - a);
        let inwards = -across.try_normalize()?;
        let from = (a + b + c) / 3.0;
        let others = triangles.iter().filter(|other| *other != of);
        let hits = others.filter_map(|other| way_to(from, inwards, corners(other)));
        Some((hits.reduce(f64::min)?, across.length()))
    };
    let looks = triangles.iter().step_by(step.max(1));
    let mut ways: Vec<(f64, f64)> = looks.filter_map(look).collect();
    quantile(&mut ways, THINNER).unwrap_or(f64::INFINITY)
}

/// The number up to which a part of the weights beside the numbers lies; sorts them.
fn quantile(numbers: &mut [(f64, f64)], part: f64) -> Option<f64> {
    numbers.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let mut left = part * numbers.iter().map(|(_, weight)| weight).sum::<f64>();
    let found = numbers.iter().find(|(_, weight)| {
        left -= weight;
        left <= 0.0
    });
    found.map(|&(number, _)| number)
}

/// How far it is to a triangle along a direction (Möller and Trumbore 1997).
fn way_to(from: DVec3, along: DVec3, [a, b, c]: [DVec3; 3]) -> Option<f64> {
    let (ab, ac, arm) = (b - a, c - a, from - a);
    let normal = along.cross(ac);
    let determinant = ab.dot(normal);
    let u = arm.dot(normal) / determinant;
    let across = arm.cross(ab);
    let v = along.dot(across) / determinant;
    let way = ac.dot(across) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && way > 0.0 && way.is_finite()).then_some(way)
}

#[cfg(test)]
mod tests {
    use pliant_geometry::Shape;
    use pliant_geometry::shapes;

    use super::*;

    #[test]
    fn a_plate_is_as_thick_as_it_is_and_a_sliver_counts_for_little() {
        let half_size = DVec3::new(0.5, 0.01, 0.5);
        let plate = shapes::Box { half_size };
        let mut mesh = plate.surface(1.0);
        let heights = Heights::of(&mesh.vertices, &mesh.triangles).expect("triangles");
        assert!((heights.most - 0.02).abs() < 1e-12 && (heights.least - 0.02).abs() < 1e-3);
        let tip = mesh.vertices.len() as u32;
        mesh.vertices
            .push(0.5 * (mesh.vertices[0] + mesh.vertices[1]) + DVec3::splat(1e-6));
        mesh.triangles.push([0, 1, tip]);
        let heights = Heights::of(&mesh.vertices, &mesh.triangles).expect("triangles");
        assert!(
            (heights.most - 0.02).abs() < 1e-12 && heights.least < 1e-5,
            "{heights:?}"
        );
        assert_eq!(Heights::of(&mesh.vertices, &[]), None);
    }
}
