//! Preconditioned conjugate gradients.
//!
//! The preconditioner is the inverse of the 3x3 blocks on the diagonal, and where the matrix is stiff a
//! coarse system beside it ([`CoarseSpace`]).

use pliant_math::simd::{Instructions, LANES, Row};
use pliant_math::{DVec3, Real, Spatial};

use super::field::{FieldMemory, write_columns, write_records};
use super::tied::TiedBodies;
use super::unknowns::{Advance, MatrixProduct, Residual, UpdateDirection, chunk_row_lane};
use super::{
    BodyParticles, CoarseSpace, NeighborRun, Stiffness, Unknowns, VectorField, VectorRow, lane,
};
use crate::parallel::{self, CHUNK};

/// Most steps of a solve that runs until it has converged.
const MAX_STEPS: u32 = 300;

/// How long a solve goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// So many steps, fewer if nothing is left.
    Steps(u32),
    /// Until the residual is this part of what it was, each weighted by the inverse root of the mass.
    Tolerance(f64),
}

/// A system of equations of particles and its solution; scratch of a stepper.
#[derive(Debug)]
pub struct Solver {
    /// What it computes with; the bits are the same for all.
    pub instructions: Instructions,
    /// The unknowns, an item for a chunk of particles.
    pub unknowns: Vec<Unknowns>,
    memory: FieldMemory,
    tied: TiedBodies,
    coarse_space: CoarseSpace,
    /// Whether the coarse space is solved for.
    is_coarse_space_used: bool,
}

impl Default for Solver {
    /// Of no particles.
    fn default() -> Self {
        Self {
            instructions: Instructions::best(),
            unknowns: Vec::new(),
            memory: FieldMemory::default(),
            tied: TiedBodies::default(),
            coarse_space: CoarseSpace::default(),
            is_coarse_space_used: false,
        }
    }
}

impl Solver {
    /// Makes room for particles.
    ///
    /// * masses [kg] and their inverses, 0 for what is held
    /// * `bodies` — those that may have a coarse space
    /// * `runs` — how all neighbours lie that products read
    pub fn build(
        &mut self,
        (mass, inverse_mass): (&[Real], &[Real]),
        bodies: &[BodyParticles],
        runs: impl Iterator<Item = NeighborRun>,
    ) {
        let chunks = mass.chunks(CHUNK).zip(inverse_mass.chunks(CHUNK));
        let unknowns = chunks.map(|(mass, inverse)| Unknowns::new(mass, inverse));
        self.unknowns = unknowns.collect();
        self.memory = FieldMemory::new(mass.len(), runs);
        self.tied.clear();
        self.coarse_space = CoarseSpace::new(bodies, &self.unknowns);
        self.is_coarse_space_used = false;
    }

    /// The bodies that particles are tied to.
    pub fn tied(&self) -> &TiedBodies {
        &self.tied
    }

    /// Ties other particles, from the next system on.
    ///
    /// * `tie` — changes what is tied, which it finds empty
    pub fn tie(&mut self, tie: impl FnOnce(&mut TiedBodies)) {
        self.tied.hold(&mut self.unknowns, false);
        self.tied.clear();
        tie(&mut self.tied);
        self.tied.hold(&mut self.unknowns, true);
    }

    /// Gives tied particles their gaps, after the rows were started.
    pub fn start_tied(&mut self, stiffness: &mut impl Stiffness) {
        if self.tied.is_empty() {
            return;
        }
        parallel::for_items(&mut self.unknowns, |_, unknowns| {
            unknowns.direction.fill([Row::ZERO; 3]);
        });
        self.tied.start(&mut self.unknowns);
        self.spread_rows(|unknowns| &unknowns.direction);
        self.multiply(stiffness);
        self.advance(1.0);
    }

    /// The coarse space, be it used or not.
    pub fn coarse_space(&self) -> &CoarseSpace {
        &self.coarse_space
    }

    /// Takes over a matrix for the solves to come: assembles the coarse space if it is allowed and would save
    /// anything.
    pub fn prepare(&mut self, stiffness: &impl Stiffness, may_use_coarse_space: bool) {
        self.is_coarse_space_used =
            may_use_coarse_space && self.coarse_space.factor(stiffness, self.instructions);
    }

    /// Solves the system whose rows were started ([`Unknowns::start_row`]). Returns the steps.
    pub fn solve(&mut self, stiffness: &mut impl Stiffness, until: Until) -> u32 {
        let (most, tolerance) = match until {
            Until::Steps(steps) => (steps, 0.0),
            Until::Tolerance(tolerance) => (MAX_STEPS, tolerance),
        };
        let [mut scaled, start] = self.sums();
        scaled += self.correct();
        let target = tolerance * tolerance * start;
        let mut share = 0.0;
        for step in 0..most {
            if scaled <= 0.0 {
                return step;
            }
            self.update_direction(share);
            let resisted = self.multiply(stiffness);
            // A matrix that pushes somewhere has no least energy to search for.
            if resisted <= 0.0 {
                return step;
            }
            self.advance(scaled / resisted);
            let [mut next, rest] = self.sums();
            if rest <= target {
                return step + 1;
            }
            next += self.correct();
            share = next / scaled;
            scaled = next;
        }
        most
    }

    /// Solves for another right side, from the last solution on. Returns the steps.
    ///
    /// * `right` — the right side in a chunk; of what is held it does not count [kg m/s]
    /// * `change` — change of motion that impulses on a tied body by itself would lead to, by its number there
    pub fn improve<K: Stiffness>(
        &mut self,
        stiffness: &mut K,
        right: impl Fn(&K, usize) -> &[VectorRow] + Sync,
        change: impl Fn(usize) -> Spatial,
        until: Until,
    ) -> u32 {
        let instructions = self.instructions;
        self.spread_rows(|unknowns| &unknowns.solution);
        self.multiply(stiffness);
        let stiffness_now = &*stiffness;
        parallel::for_items(&mut self.unknowns, |chunk, unknowns| {
            let right = right(stiffness_now, chunk);
            instructions.run(Residual { unknowns, right });
        });
        let right_at = |place: usize| {
            let (chunk, row, at) = chunk_row_lane(place);
            DVec3::from_array(lane(&right(stiffness_now, chunk)[row], at).map(f64::from))
        };
        self.tied.restart(&self.unknowns, right_at, change);
        self.solve(stiffness, until)
    }

    /// Forgets the solution, so that the next one starts at zero.
    pub fn clear_solution(&mut self) {
        let clear = |_, unknowns: &mut Unknowns| unknowns.solution.fill([Row::ZERO; 3]);
        parallel::for_items(&mut self.unknowns, clear);
        self.tied.clear_solution();
    }

    /// Puts vectors where products read them. The direction of the last solve is lost.
    ///
    /// * `fill` — writes the vectors of a chunk
    pub fn field_of(&mut self, fill: impl Fn(usize, &mut [VectorRow]) + Sync) -> VectorField<'_> {
        parallel::for_items(&mut self.unknowns, |chunk, unknowns| {
            fill(chunk, &mut unknowns.direction);
        });
        self.spread_rows(|unknowns| &unknowns.direction);
        self.memory.field()
    }

    fn update_direction(&mut self, share_of_last: f64) {
        let (instructions, share) = (self.instructions, share_of_last as Real);
        self.spread(
            |unknowns| &unknowns.direction,
            |unknowns, columns| {
                instructions.run(UpdateDirection {
                    unknowns,
                    columns,
                    share,
                });
            },
        );
        self.tied
            .update_direction(&mut self.unknowns, share_of_last);
        let memory = &mut self.memory;
        self.tied.directions(&self.unknowns, |place, direction| {
            memory.set(place, direction)
        });
    }

    /// Rows into columns, and into records where these are needed.
    fn spread_rows(&mut self, rows: impl Fn(&Unknowns) -> &[VectorRow] + Copy + Sync) {
        self.spread(rows, |unknowns, columns| {
            for (k, row) in rows(unknowns).iter().enumerate() {
                write_columns(row, columns, k);
            }
        });
    }

    /// Has vectors written into columns, and writes those of `rows` into records where these are needed.
    fn spread(
        &mut self,
        rows: impl Fn(&Unknowns) -> &[VectorRow] + Sync,
        write: impl Fn(&mut Unknowns, &mut [&mut [Real]; 3]) + Sync,
    ) {
        let (memory, unknowns) = (&mut self.memory, &mut self.unknowns);
        parallel::for_chunks3_with(memory.columns(), unknowns, |mut columns, unknowns| {
            write(unknowns, &mut columns);
        });
        parallel::for_chunks_with(&mut memory.records, unknowns, |_, records, unknowns| {
            for (rows, records) in rows(unknowns).iter().zip(records.chunks_exact_mut(LANES)) {
                write_records(rows, records);
            }
        });
    }

    fn multiply<K: Stiffness>(&mut self, stiffness: &mut K) -> f64 {
        let (instructions, field) = (self.instructions, self.memory.field());
        stiffness.prepare(field, instructions);
        let stiffness = &*stiffness;
        parallel::for_items(&mut self.unknowns, |chunk, unknowns| {
            instructions.run(MatrixProduct {
                unknowns,
                chunk,
                stiffness,
                field,
            });
        });
        self.sums_of_chunks()[0] + self.tied.resisted()
    }

    fn advance(&mut self, step: f64) {
        let (instructions, step) = (self.instructions, step as Real);
        parallel::for_items(&mut self.unknowns, |_, unknowns| {
            instructions.run(Advance { unknowns, step });
        });
        self.tied.advance(&self.unknowns, f64::from(step));
    }

    /// Adds what the coarse space has to scaled residuals. Returns residuals times it.
    pub(super) fn correct(&mut self) -> f64 {
        if !self.is_coarse_space_used {
            return 0.0;
        }
        self.coarse_space
            .correct(&mut self.unknowns, self.instructions)
    }

    /// Sums of residuals, of bodies too.
    fn sums(&self) -> [f64; 2] {
        let ([scaled, squared], tied) = (self.sums_of_chunks(), self.tied.sums());
        [scaled + tied[0], squared + tied[1]]
    }

    /// Sums over all chunks, in their order.
    fn sums_of_chunks(&self) -> [f64; 2] {
        let add = |all: [f64; 2], part: &Unknowns| [all[0] + part.sums[0], all[1] + part.sums[1]];
        self.unknowns.iter().fold([0.0; 2], add)
    }
}
