//! Area, stress and energy at each vertex of cloth.

use pliant_math::DVec3;

use super::{ClothColumns, ClothSetup, Sheet, Vertices};
use crate::particles::IdMap;
use crate::rest::RestTriangle;

/// What the triangles around a vertex say, weighted by their areas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClothReading {
    /// Area over that at rest; 1 where nothing is left.
    pub area_ratio: f64,
    /// Von Mises stress [Pa] of the membrane forces over the thickness.
    pub von_mises: f64,
    /// Elastic energy [J] of the vertex's share of triangles and hinges.
    pub energy: f64,
    /// Principal stretches in the cloth: the least, the mean of each triangle's greatest, and the
    /// greatest; `None` where nothing is left.
    pub stretch: Option<[f64; 3]>,
}

/// A reading for each vertex.
#[derive(Clone, Debug, Default)]
pub struct ClothReadings {
    /// In order of the vertices.
    pub of_vertex: Vec<ClothReading>,
}

/// What is summed over the triangles around a vertex.
#[derive(Clone, Copy)]
struct StretchSum {
    area: f64,
    stretched: f64,
    stress: f64,
    energy: f64,
    /// The least and the greatest principal stretch.
    stretches: [f64; 2],
    /// The greatest of each triangle times its area.
    greatest: f64,
}

impl Default for StretchSum {
    fn default() -> Self {
        Self {
            area: 0.0,
            stretched: 0.0,
            stress: 0.0,
            energy: 0.0,
            stretches: [f64::INFINITY, 0.0],
            greatest: 0.0,
        }
    }
}

impl ClothReadings {
    /// Reads the shape of all sheets.
    pub fn of(setup: &ClothSetup, vertices: Vertices<'_>, columns: &ClothColumns) -> Self {
        let mut sums = vec![StretchSum::default(); vertices.id.len()];
        for (first, sheet) in setup.numbered() {
            let places = IdMap::within(sheet.ids(), vertices.id);
            let is_torn = &columns.is_torn[first..];
            add_triangles(sheet, &places, is_torn, vertices.position, &mut sums);
            add_hinges(sheet, &places, is_torn, vertices.position, &mut sums);
        }
        Self {
            of_vertex: sums.into_iter().map(reading).collect(),
        }
    }
}

fn reading(sum: StretchSum) -> ClothReading {
    let mean = |total: f64, of_none: f64| match sum.area > 0.0 {
        true => total / sum.area,
        false => of_none,
    };
    ClothReading {
        area_ratio: mean(sum.stretched, 1.0),
        von_mises: mean(sum.stress, 0.0),
        energy: sum.energy,
        stretch: (sum.area > 0.0).then(|| {
            let [least, greatest] = sum.stretches;
            [least, sum.greatest / sum.area, greatest]
        }),
    }
}

fn add_triangles(
    sheet: &Sheet,
    places: &IdMap,
    is_torn: &[bool],
    position: &[DVec3],
    sums: &mut [StretchSum],
) {
    let rest_triangles = sheet.fabric.rest_triangles();
    for (number, (&corners, rest)) in sheet
        .fabric
        .triangles
        .iter()
        .zip(rest_triangles)
        .enumerate()
    {
        let Some(points) = places
            .of_body(sheet.first_id, corners)
            .filter(|_| !is_torn[number])
        else {
            continue;
        };
        let corners = points.map(|place| position[place as usize]);
        let area = rest.area;
        let [warp, weft] = in_plane_gradient(rest, corners);
        let strain = [warp.length() - 1.0, weft.length() - 1.0, warp.dot(weft)];
        let law = &sheet.law;
        let stiffness = [law.warp_stiffness, law.weft_stiffness, law.shear_stiffness];
        let [a, b, c] = [0, 1, 2].map(|k| stiffness[k] * strain[k]);
        let energy: f64 = (0..3)
            .map(|k| 0.5 * stiffness[k] * strain[k] * strain[k])
            .sum();
        let [least, greatest] = principal_stretches(warp, weft);
        for place in points {
            let sum = &mut sums[place as usize];
            sum.stretches = [sum.stretches[0].min(least), sum.stretches[1].max(greatest)];
            sum.greatest += greatest * area;
            sum.area += area;
            sum.stretched += warp.cross(weft).length() * area;
            // Of plane stress, sqrt(s_u^2 - s_u s_v + s_v^2 + 3 t^2).
            sum.stress += (a * a - a * b + b * b + 3.0 * c * c).sqrt() / law.thickness * area;
            sum.energy += energy * area / 3.0;
        }
    }
}

/// Singular values of the gradient with two columns, the lesser first: the roots of the eigenvalues of
/// its square.
fn principal_stretches(warp: DVec3, weft: DVec3) -> [f64; 2] {
    let (uu, vv, uv) = (warp.dot(warp), weft.dot(weft), warp.dot(weft));
    let (middle, half) = (0.5 * (uu + vv), (0.5 * (uu - vv)).hypot(uv));
    [middle - half, middle + half].map(|square| square.max(0.0).sqrt())
}

fn add_hinges(
    sheet: &Sheet,
    places: &IdMap,
    is_torn: &[bool],
    position: &[DVec3],
    sums: &mut [StretchSum],
) {
    if sheet.law.bending_stiffness == 0.0 {
        return;
    }
    for hinge in sheet.fabric.rest_hinges() {
        let edge = &hinge.edge;
        let is_whole = edge.triangles.iter().all(|&t| !is_torn[t as usize]);
        let Some(points) = places
            .of_body(sheet.first_id, edge.points)
            .filter(|_| is_whole)
        else {
            continue;
        };
        let [a, b, c, d] = points.map(|place| position[place as usize]);
        let bend = angle_beyond(hinge.angle, b - a, c - a, d - a);
        for place in points {
            sums[place as usize].energy += 0.125 * bend * bend * sheet.bending(hinge);
        }
    }
}

/// By how much the angle between the triangles (edge, one) and (edge, other) is more than one with some cosine
/// and sine, between -pi and pi.
fn angle_beyond([cosine, sine]: [f64; 2], edge: DVec3, one: DVec3, other: DVec3) -> f64 {
    let (normal_one, normal_other) = (edge.cross(one), other.cross(edge));
    let (x, y) = (
        normal_one.dot(normal_other),
        -edge.length() * normal_one.dot(other),
    );
    libm::atan2(y * cosine - x * sine, x * cosine + y * sine)
}

/// Columns F_u and F_v of the deformation gradient of a triangle.
pub fn in_plane_gradient(rest: &RestTriangle, [a, b, c]: [DVec3; 3]) -> [DVec3; 2] {
    let [second, third] = rest.gradients;
    [
        (b - a) * second.x + (c - a) * third.x,
        (b - a) * second.y + (c - a) * third.y,
    ]
}
