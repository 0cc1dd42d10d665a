//! The gather bound: what reading the velocity of every neighbour once costs. No sweep over the same
//! lists can be faster, so sweeps are measured in multiples of it.

use pliant_math::{Vec3, to_double};

use super::Xpbi;
use crate::particles::Particles;

/// Bare neighbour lists: an index of four bytes an interaction, velocities of sixteen bytes.
#[derive(Clone, Debug, Default)]
pub struct Gather {
    /// Neighbours of particle i are `neighbor[start[i]..start[i + 1]]`.
    start: Vec<u32>,
    neighbor: Vec<u32>,
    velocity: Vec<[f32; 4]>,
    sum: Vec<[f32; 4]>,
}

impl Gather {
    /// The lists of the last `find`.
    pub fn new(xpbi: &Xpbi, particles: &Particles) -> Self {
        let mut gather = Self {
            velocity: particles.velocity.iter().map(padded).collect(),
            ..Self::default()
        };
        for continuum in &xpbi.continua {
            let first = continuum.range.start as u32;
            for particle in 0..continuum.range.len() {
                gather.start.push(gather.neighbor.len() as u32);
                let neighbors = continuum.neighbors.neighbors(particle);
                let places = neighbors.map(|n| first + n.neighbor as u32);
                gather.neighbor.extend(places);
            }
        }
        gather.start.push(gather.neighbor.len() as u32);
        gather.sum.resize(gather.velocity.len(), [0.0; 4]);
        gather
    }

    /// Pairs of a particle and a neighbour.
    pub fn interactions(&self) -> usize {
        self.neighbor.len()
    }

    /// Sums the velocities of each particle's neighbours: what is timed.
    pub fn pass(&mut self) {
        let velocity = self.velocity.as_slice();
        for (range, sum) in self.start.windows(2).zip(&mut self.sum) {
            let mut total = [0.0; 4];
            for &j in &self.neighbor[range[0] as usize..range[1] as usize] {
                let v = velocity[j as usize];
                total = std::array::from_fn(|k| total[k] + v[k]);
            }
            *sum = total;
        }
    }

    /// The sums of the last pass [m/s], one a particle.
    pub fn sums(&self) -> &[[f32; 4]] {
        &self.sum
    }
}

fn padded(v: &Vec3) -> [f32; 4] {
    let [x, y, z] = to_double(*v).as_vec3().to_array();
    [x, y, z, 0.0]
}
