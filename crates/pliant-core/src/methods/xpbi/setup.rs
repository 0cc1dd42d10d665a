//! Constants of the method from materials and bodies.

use pliant_materials::{HenckyLaw, ReturnMapping, dispatch_hencky_law};
use pliant_math::Real;

use super::XPBI;
use super::settings::{GradientPrecision, XpbiSettings};
use crate::constraints::Ordering;
use crate::world::{Body, Material, Setup};

/// Constants of the method for a run.
#[derive(Clone, Debug)]
pub struct XpbiSetup {
    /// What the method does its own way.
    pub settings: XpbiSettings,
    /// Order of the projections in a sweep.
    pub ordering: Ordering,
    /// The laws.
    pub laws: Vec<HenckyLaw>,
    /// The bodies of the world; `None` for those of other methods.
    pub bodies: Vec<Option<XpbiBody>>,
}

/// Constants of a body.
#[derive(Clone, Copy, Debug)]
pub struct XpbiBody {
    /// Index into the laws.
    pub law: u32,
    /// Rest volume of each particle [m3], > 0.
    pub rest_volume: Real,
    /// Mass of each particle [kg], > 0.
    pub particle_mass: Real,
    /// Cube root of a particle's mean volume [m], > 0.
    pub spacing: f64,
    /// Distance at which the kernel reaches zero [m]; twice the kernel radius r.
    pub support_radius: f64,
    /// True if it joins the continuum of the other bodies with its support radius.
    pub shares_neighbors: bool,
}

impl XpbiSetup {
    /// What a setup tells of it.
    pub fn of(setup: &Setup) -> Self {
        let hencky = |material: &Material| material.law.hencky().copied();
        let of_body = |body: &Body| {
            let before = &setup.materials[..body.material as usize];
            let law = before.iter().filter(|m| m.law.hencky().is_some()).count();
            (body.method == XPBI).then_some(XpbiBody {
                law: law as u32,
                rest_volume: body.particles.particle_volume as Real,
                particle_mass: body.particles.particle_mass as Real,
                spacing: body.spacing,
                support_radius: body.support_radius,
                shares_neighbors: body.shares_neighbors,
            })
        };
        Self {
            settings: setup.solver.methods.of(),
            ordering: setup.solver.ordering,
            laws: setup.materials.iter().filter_map(hencky).collect(),
            bodies: setup.bodies.iter().map(of_body).collect(),
        }
    }

    /// A body of this method.
    ///
    /// # Panics
    /// For a body of another one.
    #[inline]
    pub fn body(&self, body: u32) -> &XpbiBody {
        match &self.bodies[body as usize] {
            Some(body) => body,
            None => panic!("body {body} is not one of xpbi"),
        }
    }

    /// Whether gradients among particles of these laws are kept in half precision.
    pub fn has_half_gradients(&self, laws: &[u32]) -> bool {
        let is_admitted = |&law: &u32| {
            let law = &self.laws[law as usize];
            dispatch_hencky_law!(law, |law| admits_half_gradients(law))
        };
        match self.settings.gradient_precision {
            GradientPrecision::Full => false,
            GradientPrecision::Half => true,
            GradientPrecision::Automatic => {
                size_of::<Real>() == size_of::<f32>() && laws.iter().all(is_admitted)
            }
        }
    }

    /// Bodies that share neighbours, as lists of their indices: those of one support radius, and each
    /// body that keeps to itself.
    pub fn continua(&self) -> Vec<Vec<u32>> {
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let bodies = (0..).zip(&self.bodies);
        for (b, body) in bodies.filter_map(|(b, body)| Some((b, body.as_ref()?))) {
            let is_of_kind = |group: &&mut Vec<u32>| {
                let first = self.body(group[0]);
                first.shares_neighbors && first.support_radius == body.support_radius
            };
            match groups.iter_mut().find(is_of_kind) {
                Some(group) if body.shares_neighbors => group.push(b),
                _ => groups.push(vec![b]),
            }
        }
        groups
    }
}

fn admits_half_gradients<L: ReturnMapping>(_law: &L) -> bool {
    L::ADMITS_HALF_GRADIENTS
}
