//! The coarse space of the preconditioner: aggregates of neighbouring particles that move as one.
//!
//! Conjugate gradients carry a pull one particle further each step. Aggregates carry it across a body at
//! once: the preconditioner is the inverse diagonal plus P (P^T A P)^-1 P^T, where P gives every free
//! particle of an aggregate the same velocity (Nicolaides 1987, deflation by subdomains, added as in a two-level
//! Schwarz method). It is symmetric and positive, so what is solved stays the same; a stiff body takes
//! far fewer steps.

use pliant_math::simd::{Instructions, Job, LANES, Pack};
use pliant_math::{DVec3, Real};

use super::cholesky::{Factor, Solve};
use super::unknowns::chunk_row_lane;
use super::{Coupling, Stiffness, Unknowns};
use crate::parallel::{self, CHUNK};

/// Most aggregates of all bodies: beyond that, factors of their matrix take longer than they save.
const MAX_AGGREGATES: usize = 64;
/// Least particles of an aggregate.
const MIN_PARTICLES: usize = 48;
/// Mean stiffness of a coupling over the mass of a particle from which on aggregates save more than they take.
const STIFFNESS_RATIO: f64 = 10.0;

/// No aggregate: that of held particles.
const NONE: u32 = u32::MAX;

/// The aggregates of all bodies and their matrix; scratch of the stepper.
#[derive(Debug, Default)]
pub struct CoarseSpace {
    count: usize,
    /// The aggregate of each particle.
    aggregate_of: Vec<u32>,
    of_chunk: Vec<ChunkAggregates>,
    /// Mass of what is free in each aggregate [kg].
    mass: Vec<f64>,
    /// Mean mass of a free particle of each [kg].
    particle_mass: Vec<f64>,
    /// Upper triangle, row by row: the matrix, then its Cholesky factor.
    matrix: Vec<f64>,
    /// Right side, then solution.
    values: Vec<f64>,
}

/// What a chunk of particles has to do with aggregates.
#[derive(Debug, Default)]
struct ChunkAggregates {
    /// Those that its free particles are in.
    aggregates: Vec<u32>,
    /// Where in this list that of each particle is, row by row; behind it for what has none or is held.
    places: Vec<[u8; LANES]>,
    /// Residuals and corrections of the aggregates, and of none.
    sums: Vec<[f64; 3]>,
    corrections: Vec<[Real; 3]>,
}

/// Particles of a body that are left.
#[derive(Clone, Debug, Default)]
pub struct BodyParticles {
    /// Their places.
    pub places: Vec<u32>,
    /// Where they are at rest [m].
    pub position: Vec<DVec3>,
}

impl CoarseSpace {
    /// Of bodies, which have all particles.
    pub(super) fn new(bodies: &[BodyParticles], unknowns: &[Unknowns]) -> Self {
        let total: usize = bodies.iter().map(|body| body.places.len()).sum();
        let mut aggregate_of = vec![NONE; total];
        let mut count = 0;
        for body in bodies {
            let size = body.places.len();
            let most = (size / MIN_PARTICLES).min(MAX_AGGREGATES * size / total.max(1));
            // A single aggregate is of no use.
            if most >= 2 {
                let parts = 1 << most.ilog2();
                let mut members: Vec<usize> = (0..size).collect();
                divide(body, &mut members, parts, &mut count, &mut aggregate_of);
            }
        }
        if count == 0 {
            return Self::default();
        }
        let (mut mass, mut free) = (vec![0.0; count], vec![0.0_f64; count]);
        for (place, aggregate) in aggregate_of.iter_mut().enumerate() {
            let (chunk, row, lane) = chunk_row_lane(place);
            let masses = &unknowns[chunk].masses[row];
            if masses.is_free.0[lane] == 0.0 {
                *aggregate = NONE;
            } else if *aggregate != NONE {
                mass[*aggregate as usize] += f64::from(masses.mass.0[lane]);
                free[*aggregate as usize] += 1.0;
            }
        }
        let means = mass.iter().zip(free);
        let of_chunk = aggregate_of.chunks(CHUNK).map(ChunkAggregates::new);
        Self {
            count,
            of_chunk: of_chunk.collect(),
            particle_mass: means.map(|(mass, count)| mass / count.max(1.0)).collect(),
            mass,
            matrix: vec![0.0; 9 * count * count],
            values: vec![0.0; 3 * count],
            aggregate_of,
        }
    }

    /// The aggregates of two particles, if the first one is free and in another aggregate than the second.
    pub fn crossing(&self, ends: [u32; 2]) -> Option<[u32; 2]> {
        let of = |place: u32| self.aggregate_of.get(place as usize).copied();
        let [own, other] = ends.map(|place| of(place).unwrap_or(NONE));
        (own != NONE && own != other).then_some([own, other])
    }

    /// Assembles the matrix of the aggregates and factors it. False if aggregates would not save anything, or
    /// a matrix that is not positive pushes them.
    pub(super) fn factor(
        &mut self,
        stiffness: &impl Stiffness,
        instructions: Instructions,
    ) -> bool {
        if self.count == 0 || !self.is_stiff(stiffness) {
            return false;
        }
        let size = 3 * self.count;
        self.matrix.fill(0.0);
        for (aggregate, &mass) in self.mass.iter().enumerate() {
            for axis in 3 * aggregate..3 * aggregate + 3 {
                // Nothing moves where all is held.
                self.matrix[axis * size + axis] = if mass > 0.0 { mass } else { 1.0 };
            }
        }
        for coupling in stiffness.couplings() {
            let [own, other] = coupling.aggregates;
            let row = 3 * own as usize;
            add(&mut self.matrix, size, [row, row], &coupling.block, 1.0);
            if other != NONE && other > own {
                let place = [row, 3 * other as usize];
                add(&mut self.matrix, size, place, &coupling.block, -1.0);
            }
        }
        let matrix = &mut self.matrix;
        instructions.run(Factor { matrix, size })
    }

    /// True if couplings outweigh particles: only then do pulls travel far in a substep.
    fn is_stiff(&self, stiffness: &impl Stiffness) -> bool {
        let (mut sum, mut count) = (0.0, 0);
        for Coupling { aggregates, block } in stiffness.couplings() {
            let along_each = (block[0] + block[4] + block[8]) / 3.0;
            sum += along_each / self.particle_mass[aggregates[0] as usize];
            count += 1;
        }
        sum > STIFFNESS_RATIO * f64::from(count)
    }

    /// Solves for the corrections of the aggregates from residuals and adds them to the scaled residuals.
    /// Returns residuals times corrections.
    pub(super) fn correct(&mut self, unknowns: &mut [Unknowns], instructions: Instructions) -> f64 {
        parallel::for_items(&mut self.of_chunk, |number, of_chunk| {
            let unknowns = &unknowns[number];
            instructions.run(Restrict { of_chunk, unknowns });
        });
        self.values.fill(0.0);
        for of_chunk in &self.of_chunk {
            for (&aggregate, sum) in of_chunk.aggregates.iter().zip(&of_chunk.sums) {
                for (value, part) in self.values[3 * aggregate as usize..].iter_mut().zip(sum) {
                    *value += part;
                }
            }
        }
        let squared = instructions.run(Solve {
            factor: &self.matrix,
            values: &mut self.values,
        });
        let values = &self.values;
        for of_chunk in &mut self.of_chunk {
            for (&aggregate, correction) in
                of_chunk.aggregates.iter().zip(&mut of_chunk.corrections)
            {
                let value = &values[3 * aggregate as usize..];
                *correction = [value[0], value[1], value[2]].map(|v| v as Real);
            }
        }
        let all = &self.of_chunk;
        parallel::for_items(unknowns, |number, unknowns| {
            let of_chunk = &all[number];
            instructions.run(Prolong { of_chunk, unknowns });
        });
        squared
    }
}

/// Halves a set of particles across its longest side until there is the given number of parts, a
/// power of two, and gives each the next number.
fn divide(
    body: &BodyParticles,
    members: &mut [usize],
    parts: usize,
    next: &mut usize,
    aggregate_of: &mut [u32],
) {
    if parts == 1 {
        for &member in members.iter() {
            aggregate_of[body.places[member] as usize] = *next as u32;
        }
        *next += 1;
        return;
    }
    let at = |member: usize| body.position[member];
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &member in members.iter() {
        (low, high) = (low.min(at(member)), high.max(at(member)));
    }
    let axis = (high - low).max_position();
    members.sort_unstable_by(|&a, &b| at(a)[axis].total_cmp(&at(b)[axis]).then(a.cmp(&b)));
    let (one, two) = members.split_at_mut(members.len() / 2);
    divide(body, one, parts / 2, next, aggregate_of);
    divide(body, two, parts / 2, next, aggregate_of);
}

impl ChunkAggregates {
    /// * `aggregate_of` — of each particle of the chunk
    fn new(aggregate_of: &[u32]) -> Self {
        let mut aggregates = aggregate_of.to_vec();
        aggregates.retain(|&aggregate| aggregate != NONE);
        aggregates.sort_unstable();
        aggregates.dedup();
        let none = aggregates.len();
        let mut places = vec![[none as u8; LANES]; aggregate_of.len().div_ceil(LANES)];
        for (k, aggregate) in aggregate_of.iter().enumerate() {
            let place = aggregates.binary_search(aggregate).unwrap_or(none);
            places[k / LANES][k % LANES] = place as u8;
        }
        Self {
            sums: vec![[0.0; 3]; none + 1],
            corrections: vec![[0.0; 3]; none + 1],
            aggregates,
            places,
        }
    }
}

/// Sums residuals over each aggregate.
struct Restrict<'a> {
    of_chunk: &'a mut ChunkAggregates,
    unknowns: &'a Unknowns,
}

impl Job for Restrict<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let ChunkAggregates { places, sums, .. } = self.of_chunk;
        sums.fill([0.0; 3]);
        for (places, [x, y, z]) in places.iter().zip(&self.unknowns.residual) {
            for (at, &place) in places.iter().enumerate() {
                let sum = &mut sums[place as usize];
                sum[0] += f64::from(x.0[at]);
                sum[1] += f64::from(y.0[at]);
                sum[2] += f64::from(z.0[at]);
            }
        }
    }
}

/// Adds the corrections of the aggregates to the scaled residuals.
struct Prolong<'a> {
    of_chunk: &'a ChunkAggregates,
    unknowns: &'a mut Unknowns,
}

impl Job for Prolong<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let ChunkAggregates {
            places,
            corrections,
            ..
        } = self.of_chunk;
        for (places, [x, y, z]) in places.iter().zip(&mut self.unknowns.scaled) {
            for (at, &place) in places.iter().enumerate() {
                let correction = &corrections[place as usize];
                x.0[at] += correction[0];
                y.0[at] += correction[1];
                z.0[at] += correction[2];
            }
        }
    }
}

/// Adds a multiple of a block to a matrix at a row and a column.
fn add(matrix: &mut [f64], size: usize, [row, column]: [usize; 2], block: &[f64; 9], factor: f64) {
    for (k, part) in block.iter().enumerate() {
        matrix[(row + k / 3) * size + column + k % 3] += factor * part;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_divided_into_equal_parts_of_neighbours() {
        let position: Vec<DVec3> = (0..400)
            .map(|k| DVec3::new((k % 20) as f64, 0.0, (k / 20) as f64))
            .collect();
        let body = BodyParticles {
            places: (0..400).collect(),
            position: position.clone(),
        };
        let (mut members, mut count): (Vec<usize>, usize) = ((0..400).collect(), 0);
        let mut aggregate_of = vec![NONE; 400];
        divide(&body, &mut members, 16, &mut count, &mut aggregate_of);
        assert_eq!(count, 16);
        for aggregate in 0..16 {
            let of_aggregate: Vec<DVec3> = (0..400)
                .filter(|&k| aggregate_of[k] == aggregate)
                .map(|k| position[k])
                .collect();
            assert_eq!(of_aggregate.len(), 25);
            let reach = of_aggregate
                .iter()
                .map(|x| x.distance(of_aggregate[0]))
                .fold(0.0, f64::max);
            assert!(reach < 6.0, "{reach}");
        }
    }
}
