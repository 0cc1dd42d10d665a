//! What the method needs to know of bodies and materials.

use std::sync::Arc;

use pliant_materials::laws::Solid;

use super::RestShape;
use super::settings::StrainEnergySettings;
use crate::constraints::Ordering;

/// Constants of the method for a run.
#[derive(Clone, Debug)]
pub struct StrainEnergySetup {
    /// What the method does its own way.
    pub settings: StrainEnergySettings,
    /// Order of the projections in a sweep.
    pub ordering: Ordering,
    /// The laws.
    pub laws: Vec<Solid>,
    /// The bodies, in their order.
    pub bodies: Vec<SolidBody>,
}

/// A body as the method sees it.
#[derive(Clone, Debug)]
pub struct SolidBody {
    /// Index of the body.
    pub body: u32,
    /// Stable id of its first particle; the others follow.
    pub first_id: u32,
    /// Its shape at rest.
    pub shape: Arc<RestShape>,
    /// Rest volume of each particle [m3], > 0.
    pub volume: Vec<f64>,
    /// Index of its law.
    pub law: u32,
    /// Young's modulus [Pa].
    pub youngs_modulus: f64,
    /// Distance of neighbouring particles [m].
    pub spacing: f64,
    /// Coefficient of friction between its own parts; `None` if they pass through each other.
    pub inner_friction: Option<f64>,
}

impl StrainEnergySetup {
    /// Particles of all bodies.
    pub fn particle_count(&self) -> usize {
        self.bodies.iter().map(|body| body.shape.len()).sum()
    }

    /// Whether any law flows.
    pub fn flows(&self) -> bool {
        self.laws.iter().any(|law| law.plasticity.is_some())
    }

    /// The number among the particles of all bodies, in their order at the start, of the particle
    /// with each id, `u32::MAX` for others.
    pub fn numbers(&self) -> Vec<u32> {
        let mut numbers = vec![u32::MAX; self.id_count()];
        let mut first = 0;
        for body in &self.bodies {
            let ids = body.first_id as usize..body.first_id as usize + body.shape.len();
            for (number, of_id) in (first..).zip(&mut numbers[ids]) {
                *of_id = number;
            }
            first += body.shape.len() as u32;
        }
        numbers
    }

    /// Above all ids.
    fn id_count(&self) -> usize {
        let end = |body: &SolidBody| body.first_id as usize + body.shape.len();
        self.bodies.iter().map(end).max().unwrap_or(0)
    }

    /// The place in space of each particle among all solid ones, by its id, `u32::MAX` for others.
    pub fn ranks(&self) -> Vec<u32> {
        let mut ranks = vec![u32::MAX; self.id_count()];
        let mut rank = 0;
        for body in &self.bodies {
            for &particle in &body.shape.order {
                ranks[(body.first_id + particle) as usize] = rank;
                rank += 1;
            }
        }
        ranks
    }
}

/// Pairs of neighbours that are both there, by their places among some ids.
///
/// * `ids` — increasing
pub fn neighbor_links(setup: &StrainEnergySetup, ids: &[u32]) -> Vec<[u32; 2]> {
    let mut links = Vec::new();
    for body in &setup.bodies {
        let place = |particle: u32| ids.binary_search(&(body.first_id + particle)).ok();
        for particle in 0..body.shape.len() as u32 {
            let Some(own) = place(particle) else {
                continue;
            };
            let others = body.shape.neighbors_of(particle as usize).iter();
            let later = others.filter(|&&other| other > particle);
            links.extend(later.filter_map(|&other| Some([own as u32, place(other)? as u32])));
        }
    }
    links
}
