//! What the method promises, without a world around it.

mod moduli;
mod oracle;
mod sweeps;

use std::sync::Arc;

use pliant_materials::ClothLaw;
use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use crate::rest::Fabric;

use super::{Cloth, ClothColumns, ClothReadings, ClothSetup, ClothStep, Sheet, Vertices};

/// Cloth without tearing, as stiff along the weft as along the warp.
pub const LAW: ClothLaw = ClothLaw {
    thickness: 1e-3,
    contact_thickness: None,
    warp_stiffness: 100.0,
    weft_stiffness: 100.0,
    shear_stiffness: 40.0,
    bending_stiffness: 0.0,
    tear_strain: None,
};

/// Density [kg/m3] of the cloth of tests.
pub const DENSITY: f64 = 300.0;

/// A sheet and what moves it.
pub struct Sample {
    pub cloth: Cloth,
    pub columns: ClothColumns,
    pub position: Vec<DVec3>,
    pub velocity: Vec<Vec3>,
    pub mass: Vec<f64>,
    pub inverse_mass: Vec<Real>,
    pub force: Vec<DVec3>,
    pub gravity: DVec3,
    pub damping: f64,
    pub iterations: usize,
}

impl Sample {
    /// A sheet at rest; `is_held` picks the vertices that do not move by their position.
    pub fn new(fabric: Fabric, law: ClothLaw, is_held: impl Fn(DVec3) -> bool) -> Self {
        let mass: Vec<f64> = fabric
            .vertex_areas()
            .iter()
            .map(|area| area * law.thickness * DENSITY)
            .collect();
        let position = fabric.rest_position.clone();
        let inverse_mass = position.iter().zip(&mass);
        let count = position.len();
        let setup = ClothSetup {
            sheets: vec![Sheet {
                body: 0,
                first_id: 0,
                fabric: Arc::new(fabric),
                law,
            }],
        };
        Self {
            columns: ClothColumns::whole(setup.triangle_count()),
            cloth: Cloth::new(setup),
            inverse_mass: inverse_mass
                .map(|(&x, &m)| if is_held(x) { 0.0 } else { (1.0 / m) as Real })
                .collect(),
            velocity: vec![Vec3::ZERO; count],
            force: vec![DVec3::ZERO; count],
            gravity: DVec3::ZERO,
            damping: 0.0,
            iterations: 10,
            position,
            mass,
        }
    }

    /// One substep of `dt` [s].
    pub fn step(&mut self, dt: f64) {
        let ids: Vec<u32> = (0..self.position.len() as u32).collect();
        let vertices = Vertices {
            position: &self.position,
            id: &ids,
        };
        self.cloth.find(vertices, &self.columns);
        for (i, v) in self.velocity.iter_mut().enumerate() {
            let w = f64::from(self.inverse_mass[i]);
            if w > 0.0 {
                *v += to_real((self.gravity + self.force[i] * w) * dt);
            }
        }
        let step = ClothStep::new(dt, self.iterations as u32);
        self.cloth
            .start_warm(&mut self.velocity, &self.inverse_mass, step);
        for _ in 0..self.iterations {
            self.cloth
                .project(&mut self.velocity, &self.inverse_mass, step);
        }
        for (v, x) in self.velocity.iter_mut().zip(&mut self.position) {
            *v *= (1.0 / (1.0 + self.damping * dt)) as Real;
            *x += to_double(*v) * dt;
        }
    }

    /// So many substeps of `dt` [s].
    pub fn run(&mut self, steps: usize, dt: f64) {
        (0..steps).for_each(|_| self.step(dt));
    }

    /// Elastic energy [J].
    pub fn energy(&self) -> f64 {
        let ids: Vec<u32> = (0..self.position.len() as u32).collect();
        let vertices = Vertices {
            position: &self.position,
            id: &ids,
        };
        let readings = ClothReadings::of(&self.cloth.setup, vertices, &self.columns);
        readings.of_vertex.iter().map(|r| r.energy).sum()
    }

    /// Momentum [kg m/s].
    pub fn momentum(&self) -> DVec3 {
        let each = self.velocity.iter().zip(&self.mass);
        each.map(|(&v, &m)| to_double(v) * m).sum()
    }
}
