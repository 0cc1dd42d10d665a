//! Neighbour lists with corrected kernel gradients, and close pairs.
// Blocks write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_math::{DVec3, Mat3, Real, SymMat3, Vec3};

use crate::constraints::minimum_distance::ClosePair;
use crate::kernels::{Correction, CutOff, Wendland};
use crate::neighbors::{BlockGrid, LocalBlock, Neighbor, Neighbors};
use crate::parallel::{self, Shared};

/// A neighbour and the gradient through which it is felt.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Interaction {
    /// g_ij = V_j L_i grad W_ij [1/m].
    pub gradient: [Real; 3],
    /// The neighbour j.
    pub neighbor: u32,
}

/// The interactions of all particles of a continuum, and what is summed over them.
#[derive(Debug, Default)]
pub struct Interactions {
    /// Particle i's records are `start[i]..start[i + 1]`.
    pub start: Vec<u32>,
    /// The records, in the order in which a sweep reads them.
    pub records: Vec<Interaction>,
    /// XSPH weight of each record [kg].
    pub smoothing: Vec<Real>,
    /// What is summed over each particle's records.
    pub sums: Vec<GradientSums>,
    /// Particle i's pairs are `pair_start[i]..pair_start[i + 1]`.
    pub pair_start: Vec<u32>,
    /// Pairs that may come too close, each held by the particle that is first in order.
    pub pairs: Vec<ClosePair>,
}

/// Sums over the gradients of one particle.
#[derive(Clone, Copy, Debug, Default)]
pub struct GradientSums {
    /// sum_j g_ij [1/m].
    pub gradient: Vec3,
    /// K_i = sum_j g g^T / m_j + (sum g)(sum g)^T / m_i [1/(kg m2)].
    pub mobility: SymMat3,
    /// Rank of the gradient: 3 unless the neighbours lie in a plane or on a line.
    pub rank: u8,
}

/// The columns that the search reads, sorted in space.
#[derive(Clone, Copy)]
pub struct SearchInput<'a> {
    /// Positions [m].
    pub position: &'a [DVec3],
    /// Volumes now [m3].
    pub volume: &'a [Real],
    /// Masses [kg].
    pub mass: &'a [Real],
    /// Inverse masses [1/kg].
    pub inverse_mass: &'a [Real],
    /// The kernel.
    pub kernel: Wendland,
    /// Pairs nearer than this are listed [m].
    pub pair_distance: Real,
}

impl Interactions {
    /// Finds all neighbours nearer than the support radius and their corrected gradients.
    pub fn find(&mut self, grid: BlockGrid<'_>, input: SearchInput<'_>) {
        let count = input.position.len();
        self.count(grid, input, count);
        prefix_sum(&mut self.start);
        prefix_sum(&mut self.pair_start);
        let total = self.start[count] as usize;
        self.records.resize(total, Interaction::default());
        self.smoothing.resize(total, 0.0);
        self.pairs
            .resize(self.pair_start[count] as usize, EMPTY_PAIR);
        self.sums.resize(count, GradientSums::default());
        self.fill(grid, input);
    }

    /// The records of a particle.
    #[inline(always)]
    pub fn of(&self, particle: usize) -> &[Interaction] {
        &self.records[self.start[particle] as usize..self.start[particle + 1] as usize]
    }

    /// grad v at a particle [1/s]: sum_j (v_j - v_i) (x) g_ij (Yu et al. 2024, eq. 7).
    #[inline(always)]
    pub fn velocity_gradient(&self, particle: usize, velocity: impl Fn(usize) -> Vec3) -> Mat3 {
        let own = velocity(particle);
        let (mut x, mut y, mut z) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        for record in self.of(particle) {
            let difference = velocity(record.neighbor as usize) - own;
            x += difference * record.gradient[0];
            y += difference * record.gradient[1];
            z += difference * record.gradient[2];
        }
        Mat3::from_cols(x, y, z)
    }

    fn count(&mut self, grid: BlockGrid<'_>, input: SearchInput<'_>, count: usize) {
        for counts in [&mut self.start, &mut self.pair_start] {
            counts.clear();
            counts.resize(count + 1, 0);
        }
        let start = Shared::new(&mut self.start);
        let pair_start = Shared::new(&mut self.pair_start);
        let limit = input.kernel.support_squared;
        parallel::for_indices_with(grid.block_count(), |local: &mut LocalBlock, block| {
            // SAFETY: each block writes the counts of its own particles, and no particle is in two.
            let (mut start, mut pair_start) =
                unsafe { (start.view(block as u32), pair_start.view(block as u32)) };
            local.load(grid, block, input.position);
            local.for_particles(limit, |i, neighbors| {
                start.set(i, neighbors.count() as u32);
                let pairs = neighbors.iter().filter(|n| input.is_pair(i, n));
                pair_start.set(i, pairs.count() as u32);
            });
        });
    }

    fn fill(&mut self, grid: BlockGrid<'_>, input: SearchInput<'_>) {
        let (start, pair_start) = (&self.start, &self.pair_start);
        let range = |start: &[u32], i: usize| start[i] as usize..start[i + 1] as usize;
        let records = Shared::new(&mut self.records);
        let smoothing = Shared::new(&mut self.smoothing);
        let pairs = Shared::new(&mut self.pairs);
        let sums = Shared::new(&mut self.sums);
        let limit = input.kernel.support_squared;
        parallel::for_indices_with(grid.block_count(), |local: &mut LocalBlock, block| {
            let task = block as u32;
            // SAFETY: each block writes the entries and records of its own particles only.
            let (mut records, mut smoothing) =
                unsafe { (records.view(task), smoothing.view(task)) };
            // SAFETY: as above.
            let (mut pairs, mut sums) = unsafe { (pairs.view(task), sums.view(task)) };
            local.load(grid, block, input.position);
            local.for_particles(limit, |i, neighbors| {
                let records = records.range(range(start, i));
                let smoothing = smoothing.range(range(start, i));
                let moment = uncorrected(input, i, neighbors, records, smoothing);
                sums.set(i, corrected(input, i, moment, records));
                let close = neighbors.iter().filter(|n| input.is_pair(i, n));
                let places = pairs.range(range(pair_start, i));
                places
                    .iter_mut()
                    .zip(close)
                    .for_each(|(place, n)| *place = close_pair(n));
            });
        });
    }
}

impl SearchInput<'_> {
    /// Whether the first of two particles in order must watch their distance.
    #[inline(always)]
    fn is_pair(&self, i: usize, neighbor: &Neighbor) -> bool {
        neighbor.particle > i && neighbor.squared < self.pair_distance * self.pair_distance
    }
}

/// Writes V_j grad W_ij and the XSPH weight of each neighbour; returns the moment matrix.
#[inline(always)]
fn uncorrected(
    input: SearchInput<'_>,
    i: usize,
    neighbors: Neighbors<'_>,
    records: &mut [Interaction],
    smoothing: &mut [Real],
) -> SymMat3 {
    let mut moment = SymMat3::ZERO;
    let places = records.iter_mut().zip(smoothing);
    for ((record, weight), n) in places.zip(neighbors.iter()) {
        let (j, distance) = (n.particle, n.squared.sqrt());
        let factor = input.volume[j] * input.kernel.gradient_factor(distance);
        moment += SymMat3::outer(n.difference) * factor;
        *record = Interaction {
            gradient: (n.difference * factor).to_array(),
            neighbor: j as u32,
        };
        *weight = smoothing_weight(input, i, j, distance);
    }
    moment
}

/// Turns V_j grad W_ij into g_ij and sums over them.
#[inline(always)]
fn corrected(
    input: SearchInput<'_>,
    i: usize,
    moment: SymMat3,
    records: &mut [Interaction],
) -> GradientSums {
    let correction = Correction::from_moment(moment, CutOff::default());
    let (mut sum, mut k) = (Vec3::ZERO, SymMat3::ZERO);
    for record in records {
        let g = correction
            .matrix
            .mul_vec3(Vec3::from_array(record.gradient));
        record.gradient = g.to_array();
        sum += g;
        k += SymMat3::outer(g) * input.inverse_mass[record.neighbor as usize];
    }
    GradientSums {
        gradient: sum,
        mobility: k + SymMat3::outer(sum) * input.inverse_mass[i],
        rank: correction.rank,
    }
}

const EMPTY_PAIR: ClosePair = ClosePair {
    normal: [0.0; 3],
    other: 0,
    distance: 0.0,
    impulse: 0.0,
};

/// The pair-symmetric weight of XSPH: harmonic mean of the masses, mean of the volumes, W.
#[inline(always)]
fn smoothing_weight(input: SearchInput<'_>, i: usize, j: usize, distance: Real) -> Real {
    let (m_i, m_j) = (input.mass[i], input.mass[j]);
    let volume = 0.5 * (input.volume[i] + input.volume[j]);
    2.0 * m_i * m_j / (m_i + m_j) * volume * input.kernel.weight(distance)
}

fn close_pair(neighbor: Neighbor) -> ClosePair {
    let distance = neighbor.squared.sqrt();
    // Particles in one place are pushed apart along an axis: any direction is as good.
    let normal = if distance > 0.0 {
        neighbor.difference / distance
    } else {
        Vec3::Y
    };
    ClosePair {
        normal: normal.to_array(),
        other: neighbor.particle as u32,
        distance,
        impulse: 0.0,
    }
}

/// Turns counts at `0..n` into starts at `0..=n`.
fn prefix_sum(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += std::mem::replace(count, sum);
    }
}
