//! What the method needs to know of bodies and materials, and the constraints that follow from it.

use std::sync::Arc;

use pliant_materials::ClothLaw;
use pliant_math::DVec3;

use super::rows::{NewHinge, NewTriangle};
use super::{Fabric, SharedEdge};

/// Constants of the method for a run.
#[derive(Clone, Debug, Default)]
pub struct ClothSetup {
    /// The sheets, in order of their bodies.
    pub sheets: Vec<Sheet>,
}

/// A body as the method sees it.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Index of the body.
    pub body: u32,
    /// Stable id of its first vertex; the others follow.
    pub first_id: u32,
    /// Its shape at rest.
    pub fabric: Arc<Fabric>,
    /// What it is made of.
    pub law: ClothLaw,
}

impl ClothSetup {
    /// Triangles of all sheets, torn ones included.
    pub fn triangle_count(&self) -> usize {
        self.sheets.iter().map(|s| s.fabric.triangles.len()).sum()
    }

    /// The sheets, each with the number that its first triangle has among those of all.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, &Sheet)> {
        let mut first = 0;
        self.sheets.iter().map(move |sheet| {
            let number = first;
            first += sheet.fabric.triangles.len();
            (number, sheet)
        })
    }

    /// The body of a number, if it is a sheet.
    pub fn is_sheet(&self, body: u32) -> bool {
        self.sheets.iter().any(|sheet| sheet.body == body)
    }
}

/// 1/k [1/(N m)], so large for no stiffness that no force is left, and not infinite.
fn inverse(stiffness: f64) -> f64 {
    1.0 / stiffness.max(1e-25)
}

impl Sheet {
    /// A triangle as a constraint, its corners where `place` says.
    pub fn triangle(&self, triangle: usize, points: [u32; 3]) -> NewTriangle {
        let area = self.fabric.area(triangle);
        let stiffness = [
            self.law.warp_stiffness,
            self.law.weft_stiffness,
            self.law.shear_stiffness,
        ];
        NewTriangle {
            points,
            gradient: self.fabric.shape_gradients(triangle).map(|g| g.to_array()),
            compliance: stiffness.map(|k| inverse(k * area)),
        }
    }

    /// A hinge as a constraint.
    ///
    /// * `vertices` — ends of the edge and far corners
    /// * `triangles` — the two triangles
    /// * `points` — where the vertices are
    pub fn hinge(&self, vertices: [u32; 4], triangles: [u32; 2], points: [u32; 4]) -> NewHinge {
        let [a, b, c, d] = vertices.map(|v| self.fabric.rest_position[v as usize]);
        let edge = SharedEdge {
            points: vertices,
            triangles,
        };
        NewHinge {
            points,
            rest: cosine_and_sine(b - a, c - a, d - a),
            compliance: inverse(self.bending(&edge)),
        }
    }

    /// Stiffness [J] of the angle at an edge.
    pub fn bending(&self, edge: &SharedEdge) -> f64 {
        let [a, b, ..] = edge.points.map(|v| self.fabric.rest_position[v as usize]);
        let areas = edge.triangles.map(|t| self.fabric.area(t as usize));
        let area: f64 = areas.iter().sum();
        let coefficient = self.fabric.bending_factor * (b - a).length_squared() / area;
        self.law.bending_stiffness * coefficient
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
