//! Membrane triangles, and their forces and stiffness in a substep.

use std::collections::BTreeMap;

use pliant_materials::springs::{Membrane, MembraneResponse};
use pliant_math::{DMat3, DVec3};

use super::setup::RestMembrane;
use crate::parallel;

/// Triangles that a task works on.
const TRIANGLES_A_TASK: usize = 128;

/// A triangle in place.
#[derive(Clone, Copy, Debug)]
pub struct MembraneTriangle {
    /// Its corners among the particles of the method.
    pub corners: [u32; 3],
    /// Its shape at rest.
    pub rest: RestMembrane,
    /// What it is made of.
    pub membrane: Membrane,
}

/// The triangles of all bodies; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Membranes {
    triangles: Vec<MembraneTriangle>,
    /// Of each triangle, the pair of its corners 0 and 1, 1 and 2, 2 and 0, and whether that is seen from
    /// the second of the pair.
    sides: Vec<[(u32, bool); 3]>,
    /// Corners of a side, the lesser first, each once.
    pub pairs: Vec<[u32; 2]>,
    responses: Vec<MembraneResponse>,
    /// Force on each particle [N]; empty without triangles.
    pub force: Vec<DVec3>,
    /// Derivative of the force on the first of each pair by the position of the second [N/m].
    pub stiffness: Vec<DMat3>,
}

impl Membranes {
    /// Of triangles in place.
    pub fn new(triangles: Vec<MembraneTriangle>) -> Self {
        let mut numbers = BTreeMap::new();
        let ends = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
        for triangle in &triangles {
            for side in sides(triangle.corners) {
                numbers.entry(ends(side)).or_insert(0);
            }
        }
        for (number, value) in (0..).zip(numbers.values_mut()) {
            *value = number;
        }
        let side = |side: [u32; 2]| (numbers[&ends(side)], side[0] > side[1]);
        Self {
            sides: triangles
                .iter()
                .map(|t| sides(t.corners).map(side))
                .collect(),
            pairs: numbers.into_keys().collect(),
            triangles,
            ..Self::default()
        }
    }

    /// Forces and their derivatives for a shape.
    pub fn respond(&mut self, position: &[DVec3], is_clamped: bool) {
        let Self {
            triangles,
            responses,
            ..
        } = self;
        let respond = |triangle: &MembraneTriangle| {
            let points = triangle.corners.map(|corner| position[corner as usize]);
            let RestMembrane { area, gradients } = triangle.rest;
            triangle
                .membrane
                .response(area, gradients, points, is_clamped)
        };
        if triangles.is_empty() {
            return;
        }
        responses.resize(triangles.len(), NO_RESPONSE);
        parallel::for_chunks_of(responses, TRIANGLES_A_TASK, |first, responses| {
            for (response, triangle) in responses.iter_mut().zip(&triangles[first..]) {
                *response = respond(triangle);
            }
        });
        self.sum_up(position.len());
    }

    fn sum_up(&mut self, count: usize) {
        self.force.clear();
        self.force.resize(count, DVec3::ZERO);
        self.stiffness.clear();
        self.stiffness.resize(self.pairs.len(), DMat3::ZERO);
        let all = self.triangles.iter().zip(&self.responses).zip(&self.sides);
        for ((triangle, response), sides) in all {
            for (corner, force) in triangle.corners.iter().zip(response.force) {
                self.force[*corner as usize] += force;
            }
            for (&(pair, is_second), stiffness) in sides.iter().zip(response.stiffness) {
                let seen = if is_second {
                    stiffness.transpose()
                } else {
                    stiffness
                };
                self.stiffness[pair as usize] += seen;
            }
        }
    }
}

const NO_RESPONSE: MembraneResponse = MembraneResponse {
    force: [DVec3::ZERO; 3],
    stiffness: [DMat3::ZERO; 3],
    energy: 0.0,
};

fn sides([a, b, c]: [u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}
