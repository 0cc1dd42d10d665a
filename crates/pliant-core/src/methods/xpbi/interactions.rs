//! Neighbour lists with corrected kernel gradients, and close pairs.
// Blocks write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use std::ops::Range;

use pliant_math::{DVec3, Mat3, Real, SymMat3, Vec3};

use super::gradients::{Candidates, GradientColumns};
use crate::constraints::minimum_distance::ClosePair;
use crate::kernels::{Correction, CutOff, Wendland};
use crate::neighbors::{BlockGrid, LocalBlock, Neighbor};
use crate::parallel::{self, Bump, Shared};

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
    /// What is summed over each particle's records.
    pub sums: Vec<GradientSums>,
    /// Pairs that may come too close, each held by the particle that is first in order.
    pairs: Vec<ClosePair>,
    spans: Vec<Spans>,
    /// The records of a block lie together; blocks lie in any order.
    records: Vec<Interaction>,
    /// XSPH weight of each record [kg].
    smoothing: Vec<Real>,
    record_count: usize,
}

/// Where the records and pairs of a particle are.
#[derive(Clone, Copy, Debug, Default)]
struct Spans {
    record: u32,
    record_count: u32,
    pair: u32,
    pair_count: u32,
}

impl Spans {
    #[inline(always)]
    fn records(self) -> Range<usize> {
        self.record as usize..(self.record + self.record_count) as usize
    }

    #[inline(always)]
    fn pairs(self) -> Range<usize> {
        self.pair as usize..(self.pair + self.pair_count) as usize
    }
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
        self.spans.resize(count, Spans::default());
        self.sums.resize(count, GradientSums::default());
        loop {
            let (records, pairs) = self.fill(grid, input);
            self.record_count = records;
            if records <= self.records.len() && pairs <= self.pairs.len() {
                return;
            }
            // With room for denser times: then this happens in the first substeps only.
            let with_room = |needed: usize, has: usize| has.max(needed + needed / 4);
            let (records, pairs) = (
                with_room(records, self.records.len()),
                with_room(pairs, self.pairs.len()),
            );
            self.records.resize(records, Interaction::default());
            self.smoothing.resize(records, 0.0);
            self.pairs.resize(pairs, EMPTY_PAIR);
        }
    }

    /// Number of records.
    pub fn count(&self) -> usize {
        self.record_count
    }

    /// The records of a particle.
    #[inline(always)]
    pub fn of(&self, particle: usize) -> &[Interaction] {
        &self.records[self.spans[particle].records()]
    }

    /// The XSPH weights [kg] of a particle's records.
    #[inline(always)]
    pub fn smoothing_of(&self, particle: usize) -> &[Real] {
        &self.smoothing[self.spans[particle].records()]
    }

    /// All pairs to be changed, and where those of a particle are.
    pub fn pairs_mut(&mut self) -> (&mut [ClosePair], impl Fn(usize) -> Range<usize> + Sync) {
        let spans = self.spans.as_slice();
        (&mut self.pairs, |particle| spans[particle].pairs())
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

    /// Searches every block once and writes what there is room for; returns the records and pairs
    /// that there are.
    fn fill(&mut self, grid: BlockGrid<'_>, input: SearchInput<'_>) -> (usize, usize) {
        let (record_room, pair_room) = (Bump::default(), Bump::default());
        let (record_limit, pair_limit) = (self.records.len(), self.pairs.len());
        let records = Shared::new(&mut self.records);
        let smoothing = Shared::new(&mut self.smoothing);
        let pairs = Shared::new(&mut self.pairs);
        let spans = Shared::new(&mut self.spans);
        let sums = Shared::new(&mut self.sums);
        parallel::for_indices_with(grid.block_count(), |build: &mut BlockBuild, block| {
            build.build(grid, block, input);
            let record_range = record_room.take(build.records.len());
            let pair_range = pair_room.take(build.pairs.len());
            let task = block as u32;
            // SAFETY: each block writes the entries of its own particles, and the records and pairs
            // in ranges that no other block was given.
            let (mut spans, mut sums) = unsafe { (spans.view(task), sums.view(task)) };
            for (&(particle, of_particle), &sum) in build.spans.iter().zip(&build.sums) {
                let moved = Spans {
                    record: of_particle.record + record_range.start as u32,
                    pair: of_particle.pair + pair_range.start as u32,
                    ..of_particle
                };
                spans.set(particle as usize, moved);
                sums.set(particle as usize, sum);
            }
            // SAFETY: as above.
            let (mut records, mut smoothing) =
                unsafe { (records.view(task), smoothing.view(task)) };
            if record_range.end <= record_limit {
                let places = records.range(record_range.clone());
                places.copy_from_slice(&build.records);
                let places = smoothing.range(record_range);
                places.copy_from_slice(&build.smoothing);
            }
            // SAFETY: as above.
            let mut pairs = unsafe { pairs.view(task) };
            if pair_range.end <= pair_limit {
                pairs.range(pair_range).copy_from_slice(&build.pairs);
            }
        });
        (record_room.taken(), pair_room.taken())
    }
}

/// The interactions of one block while they are computed; scratch of a thread.
#[derive(Debug, Default)]
struct BlockBuild {
    local: LocalBlock,
    candidates: Candidates,
    records: Vec<Interaction>,
    smoothing: Vec<Real>,
    pairs: Vec<ClosePair>,
    /// Of each particle, counted from the block's first record and pair.
    spans: Vec<(u32, Spans)>,
    sums: Vec<GradientSums>,
    gradients: GradientColumns,
}

impl BlockBuild {
    fn build(&mut self, grid: BlockGrid<'_>, block: usize, input: SearchInput<'_>) {
        let Self {
            local,
            candidates,
            records,
            smoothing,
            pairs,
            spans,
            sums,
            gradients,
        } = self;
        local.load(grid, block, input.position);
        candidates.load(local.particles(), input);
        records.clear();
        smoothing.clear();
        pairs.clear();
        spans.clear();
        sums.clear();
        local.for_particles(input.kernel.support_squared, |i, neighbors| {
            let (first_record, first_pair) = (records.len(), pairs.len());
            let moment = gradients.start(input.kernel, candidates, neighbors);
            let correction = Correction::from_moment(moment, CutOff::default());
            sums.push(gradients.correct(&correction, input.inverse_mass[i]));
            gradients.write(neighbors, records, smoothing);
            let close = neighbors.iter().filter(|n| input.is_pair(i, n));
            pairs.extend(close.map(close_pair));
            let of_particle = Spans {
                record: first_record as u32,
                record_count: (records.len() - first_record) as u32,
                pair: first_pair as u32,
                pair_count: (pairs.len() - first_pair) as u32,
            };
            spans.push((i as u32, of_particle));
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

const EMPTY_PAIR: ClosePair = ClosePair {
    normal: [0.0; 3],
    other: 0,
    distance: 0.0,
    impulse: 0.0,
};

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
