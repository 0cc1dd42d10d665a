//! The columns that all methods share, one entry a particle.

mod id_map;

pub use id_map::IdMap;

use std::ops::Range;

use pliant_math::{DVec3, Real, Vec3};
use serde::{Deserialize, Serialize};

use crate::parallel;

/// Particles as a structure of arrays; all columns have the same length.
///
/// The order changes while a run goes on: methods sort their particles in space. `id` is stable, and
/// outputs follow it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Particles {
    /// Position [m]. Written by `advance` alone, and between substeps by whoever gives particles other ones.
    pub position: Vec<DVec3>,
    /// Velocity [m/s]. Written by `accelerate`, `project` and `derive`, and between substeps as positions are.
    pub velocity: Vec<Vec3>,
    /// Mass [kg], > 0. Constant.
    pub mass: Vec<Real>,
    /// 1/mass [1/kg], 0 for a particle that is held. Constant.
    pub inverse_mass: Vec<Real>,
    /// Contact radius [m]: half the spacing, of cloth half of the distance that surfaces keep. Constant.
    pub radius: Vec<Real>,
    /// Index of the body. Constant.
    pub body: Vec<u32>,
    /// Stable id, never used twice in a run. Constant.
    pub id: Vec<u32>,
}

/// What a particle is born with.
#[derive(Clone, Copy, Debug)]
pub struct NewParticle {
    /// Position [m].
    pub position: DVec3,
    /// Velocity [m/s].
    pub velocity: Vec3,
    /// Mass [kg].
    pub mass: Real,
    /// True if nothing moves it.
    pub is_pinned: bool,
    /// Contact radius [m].
    pub radius: Real,
    /// Index of the body.
    pub body: u32,
    /// Stable id.
    pub id: u32,
}

impl Particles {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Appends the places of the particles of some bodies to a list. Returns where in it they stand.
    pub fn claim(&self, list: &mut Vec<u32>, belongs: impl Fn(u32) -> bool) -> Range<usize> {
        let first = list.len();
        let places = 0..self.len() as u32;
        list.extend(places.filter(|&i| belongs(self.body[i as usize])));
        first..list.len()
    }

    /// The same in order of their ids.
    pub fn claim_by_id(&self, list: &mut Vec<u32>, belongs: impl Fn(u32) -> bool) -> Range<usize> {
        let claimed = self.claim(list, belongs);
        list[claimed.clone()].sort_unstable_by_key(|&i| self.id[i as usize]);
        claimed
    }

    /// The places of the particles of some bodies, in order of their ids.
    pub fn places_by_id(&self, belongs: impl Fn(u32) -> bool) -> Vec<usize> {
        let mut places = Vec::new();
        self.claim_by_id(&mut places, belongs);
        places.into_iter().map(|place| place as usize).collect()
    }

    /// Adds a particle at the end.
    pub fn push(&mut self, new: NewParticle) {
        self.position.push(new.position);
        self.velocity.push(new.velocity);
        self.mass.push(new.mass);
        let inverse_mass = if new.is_pinned { 0.0 } else { 1.0 / new.mass };
        self.inverse_mass.push(inverse_mass);
        self.radius.push(new.radius);
        self.body.push(new.body);
        self.id.push(new.id);
    }

    /// Gives a particle another mass [kg], > 0, before the run begins.
    pub fn set_mass(&mut self, place: usize, mass: Real) {
        self.mass[place] = mass;
        if self.inverse_mass[place] > 0.0 {
            self.inverse_mass[place] = 1.0 / mass;
        }
    }

    /// Puts particle `order[k]` at place `k`, every column together. An `order` shorter than the
    /// columns removes the particles it does not name.
    pub fn reorder(&mut self, order: &[u32], scratch: &mut ReorderScratch) {
        reorder_column(&mut self.position, order, &mut scratch.double);
        reorder_column(&mut self.velocity, order, &mut scratch.vector);
        for column in [&mut self.mass, &mut self.inverse_mass, &mut self.radius] {
            reorder_column(column, order, &mut scratch.real);
        }
        for column in [&mut self.body, &mut self.id] {
            reorder_column(column, order, &mut scratch.index);
        }
    }
}

/// Buffers that `reorder` swaps columns with; kept by the stepper.
#[derive(Debug, Default)]
pub struct ReorderScratch {
    /// For positions.
    pub double: Vec<DVec3>,
    /// For velocities.
    pub vector: Vec<Vec3>,
    /// For scalars.
    pub real: Vec<Real>,
    /// For indices.
    pub index: Vec<u32>,
    /// For strains.
    pub tensor: Vec<pliant_math::SymMat3>,
}

/// `column[k] <- column[order[k]]`, through a buffer that keeps the old contents.
pub fn reorder_column<T>(column: &mut Vec<T>, order: &[u32], buffer: &mut Vec<T>)
where
    T: Copy + Send + Sync,
{
    let Some(&any) = column.first() else {
        return;
    };
    buffer.resize(order.len(), any);
    let from = column.as_slice();
    parallel::for_chunks(buffer, |first, chunk| {
        for (to, &i) in chunk.iter_mut().zip(&order[first..]) {
            *to = from[i as usize];
        }
    });
    std::mem::swap(column, buffer);
}
