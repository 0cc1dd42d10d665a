//! Neighbours, corrected gradients and close pairs of one group of blocks.
//!
//! Each block is searched by itself, candidates sixteen at a time; then the lists of the sixteen
//! blocks are put side by side, and what follows is computed a row at a time: the moments, the
//! corrections, the gradients and what is summed over them.

use pliant_math::simd::{Instructions, Job, LANES, List, Mask, Pack, Places, Row};
use pliant_math::{Real, SymMat3};

use super::density::DensityCorrectionRow;
use super::lanes::{outer, scaled, store_vector};
use super::lists::{NeighborSums, RowData, RowState, SearchInput};
use super::records::RecordRow;
use super::rows::{ParticleRows, RowGroup, lanes_of};
use crate::constraints::minimum_distance::PairRow;
use crate::kernels::Correction;
use crate::neighbors::{BlockGrid, LocalBlocks, NeighborLists};
use crate::parallel::gather_eight;

/// Scratch of a thread.
#[derive(Debug, Default)]
pub struct GroupBuild {
    local: LocalBlocks,
    lists: NeighborLists,
    /// The neighbours of each row's lanes.
    spans: Vec<[List; LANES]>,
    /// Records of each row: the longest list.
    lengths: Vec<usize>,
    /// The n-th neighbours of a row, as candidates.
    candidates: Vec<[Places; LANES]>,
    /// V_j grad W_ij [1/m] by axis and 1/m_j [1/kg] of the n-th neighbours of a row.
    plain: Vec<[Row; 4]>,
    pairs: Vec<PairRow>,
}

/// Units of what is stored in multiples, powers of two.
#[derive(Clone, Copy)]
pub struct Units {
    /// Of gradients [1/m].
    pub gradient: Real,
    /// Of XSPH weights [kg].
    pub mass: Real,
}

/// Where the results of a group go.
pub struct GroupOutput<'a, R: RecordRow, S> {
    /// What they are multiples of.
    pub units: Units,
    /// Number of the first record row.
    pub first_record: usize,
    /// Records of all rows.
    pub records: &'a mut [R],
    /// What stands beside them.
    pub separate_weights: &'a mut [R::SeparateWeight],
    /// What each row has.
    pub data: &'a mut [RowData<S>],
    /// K of each row, or nothing.
    pub mobility: &'a mut [[Row; 6]],
    /// Density of each row, or nothing.
    pub density: &'a mut [DensityCorrectionRow],
}

impl GroupBuild {
    /// Lists the neighbours of all particles of a group; returns how many there are.
    pub fn search(
        &mut self,
        instructions: Instructions,
        grid: BlockGrid<'_>,
        group: &RowGroup,
        input: SearchInput<'_>,
    ) -> usize {
        self.local.clear();
        self.lists.clear();
        self.spans.clear();
        self.spans
            .resize(group.rows.len(), [List::default(); LANES]);
        instructions.run(Search {
            build: self,
            grid,
            group,
            input,
        });
        self.lengths.clear();
        let longest = |spans: &[List; LANES]| spans.iter().map(|s| s.count).max().unwrap_or(0);
        self.lengths
            .extend(self.spans.iter().map(|spans| longest(spans) as usize));
        self.lists.count()
    }

    /// Record rows that the last search needs.
    pub fn record_rows(&self) -> usize {
        self.lengths.iter().sum()
    }

    /// Computes the records of the last search, and the pairs.
    pub fn correct<R: RecordRow, S: RowState>(
        &mut self,
        instructions: Instructions,
        rows: &ParticleRows,
        group: &RowGroup,
        (input, columns): (SearchInput<'_>, S::Columns<'_>),
        output: GroupOutput<'_, R, S>,
    ) {
        self.pairs.clear();
        instructions.run_lanes(
            group.lanes.len(),
            Correct {
                build: self,
                rows,
                group,
                input,
                columns,
                output,
            },
        );
    }

    /// The pairs of the last rows; their places in `RowData` count from the first of these.
    pub fn pairs(&self) -> &[PairRow] {
        &self.pairs
    }

    /// Puts the lists of a row's lanes side by side.
    #[inline(always)]
    fn interleave<P: Pack>(&mut self, row: usize, count: usize) {
        if self.plain.len() < count {
            self.plain.resize(count, [Row::ZERO; 4]);
            let parts = count.div_ceil(LANES);
            self.candidates.resize(parts, [Places::default(); LANES]);
        }
        let parts = self.candidates[..count.div_ceil(LANES)].iter_mut();
        for (part, candidates) in parts.enumerate() {
            let lists = &self.spans[row];
            P::interleave(self.lists.numbers(), lists, part * LANES, candidates);
        }
    }
}

struct Search<'a> {
    build: &'a mut GroupBuild,
    grid: BlockGrid<'a>,
    group: &'a RowGroup,
    input: SearchInput<'a>,
}

impl Job for Search<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let GroupBuild {
            local,
            lists,
            spans,
            ..
        } = self.build;
        let SearchInput {
            position, points, ..
        } = self.input;
        let lanes = &self.group.lanes;
        let mut around = self.grid.surroundings(lanes[0]);
        for (lane, part) in lanes.iter().enumerate() {
            let loaded = local.load::<P>(&around, position, points);
            if let Some(&next) = lanes.get(lane + 1) {
                around = self.grid.surroundings(next);
                LocalBlocks::prefetch::<P>(&around, points);
            }
            let mut row = 0;
            for cell in part.cells() {
                local.around(&loaded, cell);
                for own in loaded.own(cell) {
                    let squared = self.input.kernel.support_squared;
                    spans[row][lane] = local.search::<P>(own, squared, lists);
                    row += 1;
                }
            }
        }
    }
}

struct Correct<'a, 'c, R: RecordRow, S: RowState> {
    build: &'a mut GroupBuild,
    rows: &'a ParticleRows,
    group: &'a RowGroup,
    input: SearchInput<'a>,
    columns: S::Columns<'c>,
    output: GroupOutput<'a, R, S>,
}

impl<R: RecordRow, S: RowState> Job for Correct<'_, '_, R, S> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self {
            build,
            rows,
            group,
            input,
            columns,
            output,
        } = self;
        let mut pair_distance = Row([Real::NEG_INFINITY; LANES]);
        for (distance, part) in pair_distance.0.iter_mut().zip(&group.lanes) {
            *distance = input.pair_distance[part.block()];
        }
        let mut first = 0;
        for (k, row) in group.rows.clone().enumerate() {
            let count = build.lengths[k];
            let records = &mut output.records[first..first + count];
            let separate_weights = &mut output.separate_weights[first..first + count];
            let particles = &rows.particle[row];
            build.interleave::<P>(k, count);
            let data = &mut output.data[k];
            read_state(rows, row, (input, columns), data);
            let filled = rows.filled[row];
            let first_pair = build.pairs.len();
            let close = ClosePairs {
                limit: P::load(&pair_distance),
                particles,
                filled,
            };
            let (moment, volume_fraction) = start::<P, R>(
                build,
                k,
                close,
                input,
                (records, separate_weights, output.units.mass),
            );
            let (correction, rank) = corrections(moment, filled);
            data.rank = rank;
            let [.., own_inverse_mass, _]: [P; 8] = gather_eight(input.points, particles);
            let records = (records, output.units.gradient);
            let matrix = if S::CORRECTS {
                correction
            } else {
                SymMat3::isotropic(P::splat(1.0))
            };
            let mobility = correct::<P, R, S>(build, matrix, own_inverse_mass, records, data);
            data.state.take(NeighborSums {
                volume_fraction,
                mobility,
                correction,
            });
            mobility.gershgorin_bound().store(&mut data.mobility_bound);
            if let Some(kept) = output.mobility.get_mut(k) {
                mobility.store(kept);
            }
            if let Some(kept) = output.density.get_mut(k) {
                let own = P::load(&data.rest_volume) * input.kernel.weight(P::ZERO);
                kept.take(own + volume_fraction, moment, mobility);
            }
            let first_record = output.first_record + first;
            data.set_spans(
                first_record..first_record + count,
                first_pair..build.pairs.len(),
            );
            first += count;
        }
    }
}

/// Copies rest volume and state of a row's particles.
#[inline(always)]
fn read_state<S: RowState>(
    rows: &ParticleRows,
    row: usize,
    (input, columns): (SearchInput<'_>, S::Columns<'_>),
    data: &mut RowData<S>,
) {
    data.state = S::default();
    data.rest_volume = Row::ZERO;
    for lane in lanes_of(rows.filled[row]) {
        let particle = rows.particle[row].get(lane);
        data.state.read(lane, columns, particle);
        data.rest_volume.set(lane, input.rest_volume[particle]);
    }
}

/// Computes V_j grad W_ij into the gradients, and the XSPH weights; returns the moment matrices and
/// the sums of V0_j W_ij.
///
/// The weights are symmetric in the pair: harmonic mean of the masses, mean of the volumes, W. So are
/// they when rounded to half precision, and momentum is kept.
#[inline(always)]
fn start<P: Pack, R: RecordRow>(
    build: &mut GroupBuild,
    k: usize,
    close: ClosePairs<'_, P>,
    input: SearchInput<'_>,
    (records, separate_weights, mass_unit): (&mut [R], &mut [R::SeparateWeight], Real),
) -> (SymMat3<P>, P) {
    let (particles, filled) = (close.particles, close.filled);
    let first_pair = build.pairs.len();
    let mut pair_count = [first_pair; LANES];
    let own = Places::from_fn(|lane| build.spans[k][lane].filler);
    let center: [P; 8] = gather_eight(&build.local.candidates, &own);
    let [_, _, _, _, own_volume, own_mass, ..]: [P; 8] = gather_eight(input.points, particles);
    let mut moment = SymMat3::ZERO;
    let mut volume_fraction = P::ZERO;
    let own_share = own_mass * P::splat(1.0 / mass_unit);
    let is_filled = P::Mask::from_bits(u32::from(filled));
    let candidates = build.candidates.as_flattened().iter();
    let columns = candidates
        .zip(&mut build.plain)
        .zip(records)
        .zip(separate_weights);
    for (((candidate, plain), record), separate_weights) in columns {
        let [x, y, z, place, volume, mass, inverse_mass, rest_volume]: [P; 8] =
            gather_eight(&build.local.candidates, candidate);
        let neighbors = record.neighbors_mut();
        *neighbors = place.to_places_or_where_not(is_filled, particles);
        let d = [x - center[0], y - center[1], z - center[2]];
        let distance = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        let factor = volume * input.kernel.gradient_factor(distance);
        let g = scaled(d, factor);
        moment += outer(g, d);
        let half_harmonic = half_harmonic(own_share, own_mass, mass, is_filled);
        let volumes = own_volume + volume;
        let [a, b, c, w] = plain;
        g[0].store(a);
        g[1].store(b);
        g[2].store(c);
        inverse_mass.store(w);
        let is_close = distance.less(close.limit) & P::is_beyond(neighbors, particles);
        let neighbors = *neighbors;
        let kernel = input.kernel.weight(distance);
        // A lane with fewer neighbours has its own particle in their place.
        let is_other = P::ZERO.less(distance);
        volume_fraction += (rest_volume * kernel).or_where_not(is_other, P::ZERO);
        let weight = half_harmonic * volumes * kernel;
        record.set_weight(separate_weights, weight);
        let is_close = is_close.bits() as u16 & filled;
        if is_close != 0 {
            let pairs = PairRow::new::<P>(d, distance, neighbors);
            add_pairs(
                &mut build.pairs,
                &mut pair_count,
                is_close,
                &pairs,
                particles,
            );
        }
    }
    (moment, volume_fraction)
}

/// m_i m_j / (m_i + m_j) with `own_share` for the first m_i; the division is spared where all masses
/// are equal, as in most bodies.
#[inline(always)]
fn half_harmonic<P: Pack>(own_share: P, own_mass: P, mass: P, is_filled: P::Mask) -> P {
    let half = own_share * P::splat(0.5);
    let is_equal = own_mass.at_most(mass) & mass.at_most(own_mass);
    if !(is_filled & !is_equal).any() {
        return half;
    }
    half.or_where_not(is_equal, own_share * mass / (own_mass + mass))
}

/// The corrections of a row and their ranks.
#[inline(always)]
fn corrections<P: Pack>(moment: SymMat3<P>, filled: u16) -> (SymMat3<P>, [u8; LANES]) {
    let (inverse, is_plain) = Correction::plain(moment);
    let mut rank = [3; LANES];
    if !(!is_plain).any() {
        return (inverse, rank);
    }
    let is_filled = P::Mask::from_bits(u32::from(filled));
    let inverse = inverse.or_where_not(is_filled, SymMat3::ZERO);
    let is_odd = is_filled & !is_plain;
    let inverse = inverse.replaced(is_odd, moment, |lane, moment| {
        let correction = Correction::from_moment(moment);
        rank[lane] = correction.rank;
        correction.matrix
    });
    (inverse, rank)
}

/// Turns V_j grad W_ij into g_ij and sums over them, as they will be read; returns K.
#[inline(always)]
fn correct<P: Pack, R: RecordRow, S>(
    build: &GroupBuild,
    l: SymMat3<P>,
    own_inverse_mass: P,
    (records, unit): (&mut [R], Real),
    data: &mut RowData<S>,
) -> SymMat3<P> {
    let l = l * P::splat(1.0 / unit);
    let mut sum = [P::ZERO; 3];
    let mut mobility = SymMat3::ZERO;
    for (record, [x, y, z, inverse_mass]) in records.iter_mut().zip(&build.plain) {
        let [x, y, z] = [P::load(x), P::load(y), P::load(z)];
        let g = record.set_gradient([
            l.xx * x + l.xy * y + l.xz * z,
            l.xy * x + l.yy * y + l.yz * z,
            l.xz * x + l.yz * y + l.zz * z,
        ]);
        mobility += outer(scaled(g, P::load(inverse_mass)), g);
        sum = [sum[0] + g[0], sum[1] + g[1], sum[2] + g[2]];
    }
    mobility += outer(scaled(sum, own_inverse_mass), sum);
    store_vector(scaled(sum, P::splat(unit)), &mut data.gradient_sum);
    mobility * P::splat(unit * unit)
}

/// Which pairs of a row are watched.
#[derive(Clone, Copy)]
struct ClosePairs<'a, P> {
    /// Distance [m] below which.
    limit: P,
    particles: &'a Places,
    filled: u16,
}

/// Adds the pairs of some lanes, each behind the earlier ones of its lane.
#[inline(always)]
fn add_pairs(
    all: &mut Vec<PairRow>,
    count: &mut [usize; LANES],
    lanes: u16,
    pairs: &PairRow,
    particles: &Places,
) {
    for lane in lanes_of(lanes) {
        let place = count[lane];
        count[lane] += 1;
        if place == all.len() {
            all.push(PairRow::none(*particles));
        }
        all[place].copy_lane(lane, pairs);
    }
}
