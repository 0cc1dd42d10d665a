//! Neighbours with corrected kernel gradients, and close pairs, in rows of sixteen lanes.
// Groups write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use std::ops::Range;

use pliant_math::simd::{Instructions, LANES, Pack, Row};
use pliant_math::{DVec3, Mat3, Real, SymMat3, Vec3};

use super::build::{GroupBuild, GroupOutput, Units};
use super::density::DensityCorrectionRow;
use super::records::{RecordColumns, RecordRow, Records, dispatch_records};
use super::rows::ParticleRows;
use crate::constraints::minimum_distance::PairRow;
use crate::kernels::Wendland;
use crate::neighbors::{BlockGrid, LocalPoint};
use crate::parallel::{self, Bump, Scratches, Shared};

/// What a method keeps for each row of particles, once a substep.
pub trait RowState: Copy + Default + Send + Sync {
    /// The columns it reads, sorted in space.
    type Columns<'a>: Copy + Sync;

    /// Whether gradients are corrected to be exact for linear fields. If not, they are V_j grad W_ij.
    const CORRECTS: bool;

    /// Takes over what a lane's particle has.
    fn read(&mut self, lane: usize, columns: Self::Columns<'_>, particle: usize);

    /// Takes over what was summed over the neighbours of a row.
    fn take<P: Pack>(&mut self, found: NeighborSums<P>);
}

/// What is summed over the neighbours of a row of particles.
#[derive(Clone, Copy)]
pub struct NeighborSums<P> {
    /// sum_j V0_j W_ij, without the particle itself.
    pub volume_fraction: P,
    /// K_i = sum_j g g^T / m_j + (sum g)(sum g)^T / m_i [1/(kg m2)].
    pub mobility: SymMat3<P>,
    /// L_i, which makes V_j L_i grad W_ij exact for linear fields.
    pub correction: SymMat3<P>,
}

/// What a row of particles has once a substep.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct RowData<S> {
    /// sum_j g_ij [1/m], by axis.
    pub gradient_sum: [Row; 3],
    /// A bound on the eigenvalues of K_i = sum_j g g^T / m_j + (sum g)(sum g)^T / m_i [1/(kg m2)].
    pub mobility_bound: Row,
    /// Rest volume [m3]; zero in an empty lane, which therefore gives no impulse.
    pub rest_volume: Row,
    /// What the method keeps.
    pub state: S,
    /// Rank of the gradients: 3 unless the neighbours lie in a plane or on a line.
    pub rank: [u8; LANES],
    record: u32,
    record_count: u32,
    pair: u32,
    pair_count: u32,
}

impl<S> RowData<S> {
    /// Says where the records and the pairs are.
    pub fn set_spans(&mut self, records: Range<usize>, pairs: Range<usize>) {
        self.record = records.start as u32;
        self.record_count = records.len() as u32;
        self.pair = pairs.start as u32;
        self.pair_count = pairs.len() as u32;
    }

    /// Where the records are.
    #[inline(always)]
    pub fn records(&self) -> Range<usize> {
        self.record as usize..(self.record + self.record_count) as usize
    }

    /// Where the pairs are.
    #[inline(always)]
    pub fn pairs(&self) -> Range<usize> {
        self.pair as usize..(self.pair + self.pair_count) as usize
    }
}

/// The interactions of all particles of a continuum, and what is summed over them.
#[derive(Debug)]
pub struct Interactions<S> {
    /// What each row has.
    pub data: Vec<RowData<S>>,
    /// K of each row, if it is wanted.
    pub mobility: Vec<[Row; 6]>,
    /// Density of each row, if it is wanted.
    pub density: Vec<DensityCorrectionRow>,
    /// All records: the passes over them are compiled for each kind.
    pub all_records: Records,
    /// Unit of the gradients [1/m], a power of two near their size.
    pub unit: Real,
    /// Unit of the XSPH weights [kg], a power of two near the mass of a particle.
    pub mass_unit: Real,
    /// Pairs that may come too close, each held by the particle that is first in order.
    pairs: Vec<PairRow>,
    count: usize,
    scratch: Scratches<GroupBuild>,
}

/// The columns that the search reads, sorted in space.
#[derive(Clone, Copy)]
pub struct SearchInput<'a> {
    /// Positions [m].
    pub position: &'a [DVec3],
    /// The same from the first particle of their block, with volume now [m3], mass [kg],
    /// inverse mass [1/kg] and rest volume [m3]; zeros at the spare places.
    pub points: &'a [LocalPoint],
    /// Rest volume [m3].
    pub rest_volume: &'a [Real],
    /// The kernel.
    pub kernel: Wendland,
    /// Greatest distance [m] of pairs that are listed, for each block.
    pub pair_distance: &'a [Real],
    /// Whether K is kept.
    pub wants_mobility: bool,
    /// Whether the density is kept.
    pub wants_density: bool,
}

/// A neighbour and its corrected kernel gradient.
#[derive(Clone, Copy, Debug)]
pub struct Interaction {
    /// g_ij [1/m].
    pub gradient: Vec3,
    /// The neighbour j.
    pub neighbor: usize,
}

impl<S: RowState> Interactions<S> {
    /// None yet, with what they will be multiples of.
    pub fn new(records: Records, unit: Real, mass_unit: Real) -> Self {
        Self {
            data: Vec::new(),
            mobility: Vec::new(),
            density: Vec::new(),
            all_records: records,
            unit,
            mass_unit,
            pairs: Vec::new(),
            count: 0,
            scratch: Scratches::default(),
        }
    }

    /// Finds all neighbours nearer than the support radius and their corrected gradients.
    pub fn find(
        &mut self,
        instructions: Instructions,
        grid: BlockGrid<'_>,
        rows: &ParticleRows,
        input: SearchInput<'_>,
        columns: S::Columns<'_>,
    ) {
        let count = rows.particle.len();
        self.data.resize(count, RowData::default());
        let with_mobility = if input.wants_mobility { count } else { 0 };
        self.mobility.resize(with_mobility, [Row::ZERO; 6]);
        let with_density = if input.wants_density { count } else { 0 };
        self.density
            .resize(with_density, DensityCorrectionRow::default());
        let mut all = std::mem::replace(&mut self.all_records, Records::new(false));
        loop {
            let (records, pairs) = dispatch_records!(&mut all, |records| self.fill(
                instructions,
                (grid, rows),
                (input, columns),
                records
            ));
            if records <= all.room() && pairs <= self.pairs.len() {
                break;
            }
            // With room for denser times: then this happens in the first substeps only.
            let with_room = |needed: usize, has: usize| has.max(needed + needed / 16);
            let (records, pairs) = (
                with_room(records, all.room()),
                with_room(pairs, self.pairs.len()),
            );
            all.resize(records);
            self.pairs.resize(pairs, PairRow::default());
        }
        self.all_records = all;
    }

    /// Number of pairs of a particle and a neighbour.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The part of a row of a column with an entry a record.
    #[inline(always)]
    pub fn of_row<'a, R>(&self, column: &'a [R], row: usize) -> &'a [R] {
        &column[self.data[row].records()]
    }

    /// All pairs, and what each row has.
    pub fn pairs(&self) -> (&[PairRow], &[RowData<S>]) {
        (&self.pairs, &self.data)
    }

    /// All pairs, to be changed, and what each row has.
    pub fn pairs_mut(&mut self) -> (&mut [PairRow], &[RowData<S>]) {
        (&mut self.pairs, &self.data)
    }

    /// The neighbours of a particle, one by one.
    pub fn of<'a>(
        &'a self,
        rows: &ParticleRows,
        particle: usize,
    ) -> impl Iterator<Item = Interaction> + use<'a, S> {
        let (row, lane) = rows.place(particle);
        let of_lane = move |record: usize| {
            dispatch_records!(&self.all_records, |columns| {
                let record = &columns.records[record];
                Interaction {
                    gradient: self.unit * record.gradient_of_lane(lane),
                    neighbor: record.neighbors().get(lane),
                }
            })
        };
        let records = self.data[row].records().map(of_lane);
        records.filter(move |interaction| interaction.neighbor != particle)
    }

    /// grad v at a particle [1/s]: sum_j (v_j - v_i) (x) g_ij (Yu et al. 2024, eq. 7).
    pub fn velocity_gradient(
        &self,
        rows: &ParticleRows,
        particle: usize,
        velocity: impl Fn(usize) -> Vec3,
    ) -> Mat3 {
        let own = velocity(particle);
        let (mut x, mut y, mut z) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        for Interaction { gradient, neighbor } in self.of(rows, particle) {
            let difference = velocity(neighbor) - own;
            x += difference * gradient.x;
            y += difference * gradient.y;
            z += difference * gradient.z;
        }
        Mat3::from_cols(x, y, z)
    }

    /// Searches every group once and writes what there is room for; returns the record rows and pair
    /// rows that there are.
    fn fill<R: RecordRow>(
        &mut self,
        instructions: Instructions,
        (grid, rows): (BlockGrid<'_>, &ParticleRows),
        (input, columns): (SearchInput<'_>, S::Columns<'_>),
        all: &mut RecordColumns<R>,
    ) -> (usize, usize) {
        let (record_room, pair_room) = (Bump::default(), Bump::default());
        let (record_limit, pair_limit) = (all.records.len(), self.pairs.len());
        let found = Bump::default();
        let records = Shared::new(&mut all.records);
        let separate_weights = Shared::new(&mut all.separate_weights);
        let pairs = Shared::new(&mut self.pairs);
        let data = Shared::new(&mut self.data);
        let mobility = Shared::new(&mut self.mobility);
        let density = Shared::new(&mut self.density);
        let units = Units {
            gradient: self.unit,
            mass: self.mass_unit,
        };
        parallel::for_indices_with(&self.scratch, rows.groups.len(), |build, number| {
            let number = rows.search_order[number] as usize;
            let group = &rows.groups[number];
            let task = number as u32;
            found.take(build.search(instructions, grid, group, input));
            let range = record_room.take(build.record_rows());
            if range.end > record_limit {
                return;
            }
            // SAFETY: each group writes the entries of its own rows, and the records in a range that
            // no other group was given.
            let (mut records, mut separate_weights, mut data, mut mobility, mut density) = unsafe {
                (
                    records.view(task),
                    separate_weights.view(task),
                    data.view(task),
                    mobility.view(task),
                    density.view(task),
                )
            };
            let rows_if = |wanted| if wanted { group.rows.clone() } else { 0..0 };
            let data = data.range(group.rows.clone());
            let output = GroupOutput {
                units,
                first_record: range.start,
                records: records.range(range.clone()),
                separate_weights: separate_weights.range(range),
                data: &mut *data,
                mobility: mobility.range(rows_if(input.wants_mobility)),
                density: density.range(rows_if(input.wants_density)),
            };
            build.correct(instructions, rows, group, (input, columns), output);
            let range = pair_room.take(build.pairs().len());
            if range.end > pair_limit {
                return;
            }
            // SAFETY: as above.
            let mut pairs = unsafe { pairs.view(task) };
            for data in data {
                let span = data.pairs();
                data.set_spans(
                    data.records(),
                    span.start + range.start..span.end + range.start,
                );
            }
            pairs.range(range).copy_from_slice(build.pairs());
        });
        self.count = found.taken();
        (record_room.taken(), pair_room.taken())
    }
}
