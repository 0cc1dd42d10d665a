//! Constants of the method from bodies and materials.

use std::ops::Range;
use std::sync::Arc;

use pliant_materials::springs::{Membrane, SpringCurve};
use pliant_materials::{SpringLaw, Springs as SpringsLaw};
use pliant_math::DVec2;

use super::network::{Spring, SpringClass};
use super::{Network, SPRINGS, SpringsSettings};
use crate::particles::IdMap;
use crate::rest::Fabric;
use crate::world::{NumberedBody, Setup};

/// Constants of the method for a run.
#[derive(Clone, Debug, Default)]
pub struct SpringsSetup {
    /// How it is solved.
    pub settings: SpringsSettings,
    /// The bodies, in order of their numbers.
    pub bodies: Vec<SpringBody>,
}

/// Constants of a body.
#[derive(Clone, Debug)]
pub struct SpringBody {
    /// Index of the body.
    pub body: u32,
    /// Stable id of its first particle; the others follow.
    pub first_id: u32,
    /// Its springs at rest.
    pub network: Arc<Network>,
    /// What it is made of.
    pub law: SpringsLaw,
}

/// A triangle of membrane at rest.
#[derive(Clone, Copy, Debug)]
pub struct RestMembrane {
    /// Area [m2].
    pub area: f64,
    /// Gradients of the shape functions of its corners [1/m].
    pub gradients: [DVec2; 3],
}

impl SpringsSetup {
    /// What a setup tells of it.
    pub fn of(setup: &Setup) -> Self {
        let of_body = |numbered: NumberedBody<'_>| {
            let body = numbered.body;
            Some(SpringBody {
                body: numbered.number,
                first_id: numbered.first_id,
                network: body.particles.structure_of()?,
                law: *setup.materials[body.material as usize].law.springs()?,
            })
        };
        Self {
            settings: setup.solver.methods.of(),
            bodies: setup.bodies_of(SPRINGS).filter_map(of_body).collect(),
        }
    }

    /// The body of a number, if it is of this method.
    pub fn body(&self, body: u32) -> Option<&SpringBody> {
        self.bodies.iter().find(|b| b.body == body)
    }

    /// Triangles of sheets and meshes of which all corners are left, by the places of their corners
    /// among all ids.
    ///
    /// * `ids` — of all particles, increasing
    pub fn triangles(&self, ids: &[u32]) -> Vec<[u32; 3]> {
        let mut triangles = Vec::new();
        for body in &self.bodies {
            let places = IdMap::within(body.ids(), ids);
            let here = |&corners: &[u32; 3]| places.of_body(body.first_id, corners);
            triangles.extend(body.network.triangles.iter().filter_map(here));
        }
        triangles
    }

    /// What springs and triangles join, by places among all ids, increasing.
    pub fn links(&self, ids: &[u32]) -> Vec<[u32; 2]> {
        let mut links = Vec::new();
        for body in &self.bodies {
            let places = IdMap::within(body.ids(), ids);
            let joining = body.network.springs.iter().filter(|s| body.joins(s));
            links.extend(joining.filter_map(|s| places.of_body(body.first_id, s.ends)));
        }
        links
    }
}

impl SpringBody {
    /// Stable ids of its particles.
    pub fn ids(&self) -> Range<u32> {
        self.first_id..self.first_id + self.network.particle_count() as u32
    }

    /// True for sheets and meshes, whose contacts are by triangles.
    pub fn is_surface(&self) -> bool {
        !self.network.triangles.is_empty()
    }

    /// The curve of a spring; `None` if its class is left out or triangles do its work.
    pub fn curve(&self, spring: &Spring) -> Option<SpringCurve> {
        let SpringLaw::Curve(curve) = self.law.law else {
            return None;
        };
        let factor = match spring.class {
            SpringClass::Structural => 1.0,
            SpringClass::Shear => self.law.shear,
            SpringClass::Bending => self.law.bending,
        };
        (factor > 0.0).then(|| curve.scaled(factor))
    }

    /// Stiffness [N/m] that its springs along cells and edges begin with, if these are what holds it together.
    pub fn stiffness_at_rest(&self) -> Option<f64> {
        match &self.law.law {
            SpringLaw::Curve(curve) => Some(curve.slope(0.0)),
            _ => None,
        }
    }

    /// The membrane of its triangles, if these are what holds it together.
    pub fn membrane(&self) -> Option<Membrane> {
        match self.law.law {
            SpringLaw::Triangles(membrane) => Some(membrane),
            SpringLaw::Curve(_) => None,
        }
    }

    /// True if the ends of a spring act on each other.
    pub fn joins(&self, spring: &Spring) -> bool {
        self.curve(spring).is_some()
            || (self.membrane().is_some() && spring.class == SpringClass::Structural)
    }

    /// The triangles at rest.
    pub fn rest_triangles(&self) -> Vec<RestMembrane> {
        let fabric = Fabric::new(
            self.network.triangles.clone(),
            self.network.rest_position.clone(),
            pliant_math::DVec3::X,
            1.0,
        );
        let rest = |number: usize| {
            let rest = &fabric.rest_triangles()[number];
            let [second, third] = rest.gradients;
            RestMembrane {
                area: rest.area,
                gradients: [-second - third, second, third],
            }
        };
        (0..fabric.triangles.len()).map(rest).collect()
    }
}
