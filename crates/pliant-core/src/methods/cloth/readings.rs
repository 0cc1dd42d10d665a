//! What can be read off the shape of the cloth: area, stress and energy at each vertex.

use pliant_math::DVec3;

use super::{ClothColumns, ClothSetup, Fabric, Places, Sheet, Vertices};

/// What the triangles around a vertex say, weighted by their areas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
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
pub struct Readings {
    /// In order of the vertices.
    pub of_vertex: Vec<Reading>,
}

/// What is summed over the triangles around a vertex.
#[derive(Clone, Copy)]
struct Sum {
    area: f64,
    stretched: f64,
    stress: f64,
    energy: f64,
    /// The least and the greatest principal stretch.
    stretches: [f64; 2],
    /// The greatest of each triangle times its area.
    greatest: f64,
}

impl Default for Sum {
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

impl Readings {
    /// Reads the shape of all sheets.
    pub fn of(setup: &ClothSetup, vertices: Vertices<'_>, columns: &ClothColumns) -> Self {
        let mut sums = vec![Sum::default(); vertices.id.len()];
        for (first, sheet) in setup.numbered() {
            let places = Places::new(sheet, vertices.id);
            let is_torn = &columns.is_torn[first..];
            add_triangles(sheet, &places, is_torn, vertices.position, &mut sums);
            add_hinges(sheet, &places, is_torn, vertices.position, &mut sums);
        }
        Self {
            of_vertex: sums.into_iter().map(reading).collect(),
        }
    }
}

fn reading(sum: Sum) -> Reading {
    let mean = |total: f64, of_none: f64| match sum.area > 0.0 {
        true => total / sum.area,
        false => of_none,
    };
    Reading {
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
    places: &Places,
    is_torn: &[bool],
    position: &[DVec3],
    sums: &mut [Sum],
) {
    for (number, &corners) in sheet.fabric.triangles.iter().enumerate() {
        let Some(points) = places.of(corners).filter(|_| !is_torn[number]) else {
            continue;
        };
        let corners = points.map(|place| position[place as usize]);
        let area = sheet.fabric.area(number);
        let [warp, weft] = in_plane_gradient(&sheet.fabric, number, corners);
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
    places: &Places,
    is_torn: &[bool],
    position: &[DVec3],
    sums: &mut [Sum],
) {
    for edge in sheet.fabric.shared_edges() {
        let is_whole = edge.triangles.iter().all(|&t| !is_torn[t as usize]);
        let Some(points) = places.of(edge.points).filter(|_| is_whole) else {
            continue;
        };
        let hinge = sheet.hinge(edge.points, edge.triangles, points);
        let [a, b, c, d] = points.map(|place| position[place as usize]);
        let bend = angle(b - a, c - a, d - a) - libm::atan2(hinge.rest[1], hinge.rest[0]);
        // Between -pi and pi.
        let bend = libm::remainder(bend, std::f64::consts::TAU);
        for place in points {
            sums[place as usize].energy += 0.125 * bend * bend / hinge.compliance;
        }
    }
}

/// The angle between the triangles (edge, one) and (edge, other), 0 for flat ones.
fn angle(edge: DVec3, one: DVec3, other: DVec3) -> f64 {
    let (normal_one, normal_other) = (edge.cross(one), other.cross(edge));
    let sine = -edge.length() * normal_one.dot(other);
    libm::atan2(sine, normal_one.dot(normal_other))
}

/// Columns F_u and F_v of the deformation gradient of a triangle.
pub fn in_plane_gradient(fabric: &Fabric, triangle: usize, [a, b, c]: [DVec3; 3]) -> [DVec3; 2] {
    let [second, third] = fabric.shape_gradients(triangle);
    [
        (b - a) * second.x + (c - a) * third.x,
        (b - a) * second.y + (c - a) * third.y,
    ]
}
