//! Constants of the method from bodies and materials.

use std::ops::Range;
use std::sync::Arc;

use pliant_materials::laws::Solid;
use pliant_materials::strain_energy::GREATEST_FAMILIES;
use pliant_math::DVec3;

use super::STRAIN_ENERGY;
use super::broken_bonds::BrokenBonds;
use super::settings::StrainEnergySettings;
use crate::boundaries::Blade;
use crate::constraints::Ordering;
use crate::particles::IdMap;
use crate::rest::{RestShape, SurfaceCarrier};
use crate::world::Setup;

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
    /// What cuts them.
    pub blades: Vec<Blade>,
}

/// Constants of a body.
#[derive(Clone, Debug)]
pub struct SolidBody {
    /// Index of the body.
    pub body: u32,
    /// Stable id of its first particle; the others follow.
    pub first_id: u32,
    /// Its shape at rest.
    pub shape: Arc<RestShape>,
    /// Number of the first bond among those of all bodies; the others follow.
    pub first_bond: usize,
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
    /// Neighbours hold each other no longer when farther apart than at rest by this part of their
    /// distance, > 0; `None`: always.
    pub tear_strain: Option<f64>,
}

impl SolidBody {
    /// Its particles at rest, as surfaces that they carry see them.
    pub fn carrier(&self) -> SurfaceCarrier {
        SurfaceCarrier {
            body: self.body,
            first_id: self.first_id,
            shape: Arc::clone(&self.shape),
            spacing: self.spacing,
        }
    }

    /// Stable ids of its particles.
    pub fn ids(&self) -> Range<u32> {
        self.first_id..self.first_id + self.shape.len() as u32
    }

    /// The neighbours at rest of a particle, increasing, and the numbers of the bonds to them.
    pub fn bonds(&self, particle: usize) -> impl Iterator<Item = (usize, u32)> + Clone {
        let numbers = self.shape.edges_of(particle);
        let numbers = self.first_bond + numbers.start..self.first_bond + numbers.end;
        numbers.zip(self.shape.neighbors_of(particle).iter().copied())
    }

    /// Unit vectors along the families of fibres at a particle, at rest.
    pub fn fiber_directions(&self, law: &Solid, particle: usize) -> [DVec3; GREATEST_FAMILIES] {
        let pose = &self.shape.pose;
        let local = pose.to_local(self.shape.position[particle]);
        let directions = law.fibers.directions(local.to_array());
        directions.map(|b| pose.direction_to_world(DVec3::from_array(b)))
    }

    /// The neighbours that a particle still has, increasing.
    pub fn neighbors(
        &self,
        particle: usize,
        broken_bonds: &BrokenBonds,
    ) -> impl Iterator<Item = u32> + Clone {
        let holds = |&(bond, _): &(usize, u32)| !broken_bonds.contains(bond);
        self.bonds(particle).filter(holds).map(|(_, other)| other)
    }
}

impl StrainEnergySetup {
    /// What a setup tells of it.
    pub fn of(setup: &Setup) -> Self {
        let laws = setup.materials.iter().map(|material| material.law.solid());
        let mut first_bond = 0;
        let mut bodies = Vec::new();
        for numbered in setup.bodies_of(STRAIN_ENERGY) {
            let (body, start) = (numbered.body, &numbered.body.particles);
            let Some(shape) = start.structure_of::<RestShape>() else {
                continue;
            };
            let before = laws.clone().take(body.material as usize);
            let share = |k: usize| start.share.get(k).copied().unwrap_or(1.0);
            let volume = (0..start.position.len()).map(|k| start.particle_volume * share(k));
            let material = &setup.materials[body.material as usize];
            let law = material.law.solid();
            let bonds = shape.edge_count();
            bodies.push(SolidBody {
                body: numbered.number,
                first_id: numbered.first_id,
                shape,
                first_bond,
                volume: volume.collect(),
                law: before.flatten().count() as u32,
                youngs_modulus: material.youngs_modulus,
                spacing: body.spacing,
                inner_friction: body.meets_itself.then_some(body.friction),
                tear_strain: law.and_then(|law| law.tear_strain).map(f64::from),
            });
            first_bond += bonds;
        }
        Self {
            settings: setup.solver.methods.of(),
            ordering: setup.solver.ordering,
            laws: laws.flatten().copied().collect(),
            bodies,
            blades: setup.blades.clone(),
        }
    }

    /// Particles of all bodies.
    pub fn particle_count(&self) -> usize {
        self.bodies.iter().map(|body| body.shape.len()).sum()
    }

    /// Bonds of all bodies, both directions counted.
    pub fn bond_count(&self) -> usize {
        self.bodies.iter().map(|body| body.shape.edge_count()).sum()
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

    /// Room for the places of the particles of all bodies.
    pub fn places(&self) -> IdMap {
        IdMap::new(0..self.id_count() as u32)
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
