//! Constants of the method from bodies and materials, and the constraints that follow from them.

use std::ops::Range;
use std::sync::Arc;

use pliant_materials::ClothLaw;

use super::CLOTH;
use super::rows::{NewHinge, NewTriangle};
use crate::rest::{Fabric, RestHinge};
use crate::world::{NumberedBody, Setup};

/// Constants of the method for a run.
#[derive(Clone, Debug, Default)]
pub struct ClothSetup {
    /// The sheets, in order of their bodies.
    pub sheets: Vec<Sheet>,
}

/// Constants of a body.
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

impl Sheet {
    /// Stable ids of its vertices.
    pub fn ids(&self) -> Range<u32> {
        self.first_id..self.first_id + self.fabric.rest_position.len() as u32
    }
}

impl ClothSetup {
    /// What a setup tells of it.
    pub fn of(setup: &Setup) -> Self {
        let sheet = |numbered: NumberedBody<'_>| {
            let body = numbered.body;
            Some(Sheet {
                body: numbered.number,
                first_id: numbered.first_id,
                fabric: body.particles.structure_of()?,
                law: *setup.materials[body.material as usize].law.cloth()?,
            })
        };
        Self {
            sheets: setup.bodies_of(CLOTH).filter_map(sheet).collect(),
        }
    }

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
        let rest = &self.fabric.rest_triangles()[triangle];
        let stiffness = [
            self.law.warp_stiffness,
            self.law.weft_stiffness,
            self.law.shear_stiffness,
        ];
        NewTriangle {
            points,
            gradient: rest.gradients.map(|g| g.to_array()),
            compliance: stiffness.map(|k| inverse(k * rest.area)),
        }
    }

    /// A hinge as a constraint, its ends and far corners where `points` says.
    pub fn hinge(&self, hinge: &RestHinge, points: [u32; 4]) -> NewHinge {
        NewHinge {
            points,
            rest: hinge.angle,
            compliance: inverse(self.bending(hinge)),
        }
    }

    /// Stiffness [J] of the angle at an edge.
    pub fn bending(&self, hinge: &RestHinge) -> f64 {
        self.law.bending_stiffness * hinge.coefficient
    }
}
