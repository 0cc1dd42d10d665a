//! Neighbour lists with corrected kernel gradients, and close pairs.
// Blocks write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_math::{DVec3, Mat3, Real, SymMat3, Vec3, to_real};

use crate::constraints::minimum_distance::ClosePair;
use crate::kernels::{Correction, CutOff, Wendland};
use crate::neighbors::{BlockGrid, CELLS, Surroundings};
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
    /// sum_j g_ij of each particle [1/m].
    pub gradient_sum: Vec<Vec3>,
    /// K_i = sum_j g g^T / m_j + (sum g)(sum g)^T / m_i [1/(kg m2)].
    pub mobility: Vec<SymMat3>,
    /// Particle i's pairs are `pair_start[i]..pair_start[i + 1]`.
    pub pair_start: Vec<u32>,
    /// Pairs that may come too close, each held by the particle that is first in order.
    pub pairs: Vec<ClosePair>,
    /// Rank of each particle's gradient: 3 unless its neighbours lie in a plane or on a line.
    pub rank: Vec<u8>,
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
        self.gradient_sum.resize(count, Vec3::ZERO);
        self.mobility.resize(count, SymMat3::ZERO);
        self.rank.resize(count, 0);
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
        parallel::for_indices(grid.block_count(), |block| {
            // SAFETY: each block writes the counts of its own particles, and no particle is in two.
            let (mut start, mut pair_start) =
                unsafe { (start.view(block as u32), pair_start.view(block as u32)) };
            for_particles(grid, block, |around, cell, i| {
                let (mut neighbors, mut pairs) = (0, 0);
                for_neighbors(input, around, cell, i, |j, _, distance| {
                    neighbors += 1;
                    pairs += u32::from(j > i && distance < input.pair_distance);
                });
                start.set(i, neighbors);
                pair_start.set(i, pairs);
            });
        });
    }

    fn fill(&mut self, grid: BlockGrid<'_>, input: SearchInput<'_>) {
        let (start, pair_start) = (&self.start, &self.pair_start);
        let records = Shared::new(&mut self.records);
        let smoothing = Shared::new(&mut self.smoothing);
        let pairs = Shared::new(&mut self.pairs);
        let gradient_sum = Shared::new(&mut self.gradient_sum);
        let mobility = Shared::new(&mut self.mobility);
        let rank = Shared::new(&mut self.rank);
        parallel::for_indices(grid.block_count(), |block| {
            let task = block as u32;
            // SAFETY: each block writes the entries and records of its own particles only.
            let (mut records, mut smoothing, mut pairs) =
                unsafe { (records.view(task), smoothing.view(task), pairs.view(task)) };
            // SAFETY: as above.
            let (mut gradient_sum, mut mobility, mut rank) = unsafe {
                (
                    gradient_sum.view(task),
                    mobility.view(task),
                    rank.view(task),
                )
            };
            for_particles(grid, block, |around, cell, i| {
                let first = start[i] as usize;
                let mut next = first;
                let mut next_pair = pair_start[i] as usize;
                let mut moment = SymMat3::ZERO;
                for_neighbors(input, around, cell, i, |j, d, distance| {
                    let factor = input.volume[j] * input.kernel.gradient_factor(distance);
                    moment += SymMat3::outer(d) * factor;
                    let gradient = (d * factor).to_array();
                    let neighbor = j as u32;
                    records.set(next, Interaction { gradient, neighbor });
                    smoothing.set(next, smoothing_weight(input, i, j, distance));
                    next += 1;
                    if j > i && distance < input.pair_distance {
                        pairs.set(next_pair, close_pair(d, distance, j));
                        next_pair += 1;
                    }
                });
                let correction = Correction::from_moment(moment, CutOff::default());
                let (mut sum, mut k) = (Vec3::ZERO, SymMat3::ZERO);
                for at in first..next {
                    let mut record = records.get(at);
                    let g = correction
                        .matrix
                        .mul_vec3(Vec3::from_array(record.gradient));
                    record.gradient = g.to_array();
                    records.set(at, record);
                    sum += g;
                    k += SymMat3::outer(g) * input.inverse_mass[record.neighbor as usize];
                }
                gradient_sum.set(i, sum);
                mobility.set(i, k + SymMat3::outer(sum) * input.inverse_mass[i]);
                rank.set(i, correction.rank);
            });
        });
    }
}

const EMPTY_PAIR: ClosePair = ClosePair {
    normal: [0.0; 3],
    other: 0,
    distance: 0.0,
    impulse: 0.0,
};

fn for_particles(
    grid: BlockGrid<'_>,
    block: usize,
    mut f: impl FnMut(&Surroundings, usize, usize),
) {
    let around = grid.surroundings(block);
    for cell in 0..CELLS {
        for i in grid.cell(block, cell) {
            f(&around, cell, i);
        }
    }
}

/// Calls `f(j, x_j - x_i, distance)` for every neighbour strictly inside the support radius.
#[inline(always)]
fn for_neighbors(
    input: SearchInput<'_>,
    around: &Surroundings,
    cell: usize,
    i: usize,
    mut f: impl FnMut(usize, Vec3, Real),
) {
    let own = input.position[i];
    around.candidates(cell, |run| {
        let first = run.start;
        for (k, &other) in input.position[run].iter().enumerate() {
            let d = to_real(other - own);
            let squared = d.length_squared();
            if squared < input.kernel.support_squared && first + k != i {
                f(first + k, d, squared.sqrt());
            }
        }
    });
}

/// The pair-symmetric weight of XSPH: harmonic mean of the masses, mean of the volumes, W.
#[inline(always)]
fn smoothing_weight(input: SearchInput<'_>, i: usize, j: usize, distance: Real) -> Real {
    let (m_i, m_j) = (input.mass[i], input.mass[j]);
    let volume = 0.5 * (input.volume[i] + input.volume[j]);
    2.0 * m_i * m_j / (m_i + m_j) * volume * input.kernel.weight(distance)
}

fn close_pair(d: Vec3, distance: Real, other: usize) -> ClosePair {
    // Particles in one place are pushed apart along an axis: any direction is as good.
    let normal = if distance > 0.0 {
        d / distance
    } else {
        Vec3::Y
    };
    ClosePair {
        normal: normal.to_array(),
        other: other as u32,
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
