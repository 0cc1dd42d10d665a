//! Vectors of all particles, as they are read for neighbours.

use pliant_math::simd::{LANES, Pack, Places, Row};
use pliant_math::{Real, Vector3};

use super::VectorRow;
use crate::parallel::gather;

/// How the neighbours of sixteen particles lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeighborRun {
    /// One after the other from a place on, which may be before the first: who has no neighbour has any.
    From(i32),
    /// Anywhere.
    Scattered,
}

/// Vectors of all particles.
#[derive(Clone, Copy, Debug)]
pub struct VectorField<'a> {
    /// As records, for those that lie anywhere; empty if none does.
    pub(super) records: &'a [[Real; 4]],
    /// By components, for those that follow each other.
    pub(super) columns: [&'a [Real]; 3],
    /// Place of the first particle in them.
    pub(super) front: usize,
}

impl VectorField<'_> {
    /// The vectors of sixteen neighbours.
    #[inline(always)]
    pub fn at<P: Pack>(&self, places: &Places, run: NeighborRun) -> Vector3<P> {
        match run {
            NeighborRun::Scattered => {
                let [x, y, z, _] = gather::<P>(self.records, places);
                Vector3 { x, y, z }
            }
            NeighborRun::From(first) => self.following(i64::from(first)),
        }
    }

    /// The vectors of the sixteen particles of a row, which is that of a chunk.
    #[inline(always)]
    pub fn own<P: Pack>(&self, (chunk, row): (usize, usize)) -> Vector3<P> {
        self.following((chunk * crate::parallel::CHUNK + row * LANES) as i64)
    }

    /// The vectors of sixteen particles that follow each other.
    #[inline(always)]
    fn following<P: Pack>(&self, first: i64) -> Vector3<P> {
        let start = (self.front as i64 + first) as usize;
        let [x, y, z] = self.columns;
        Vector3 {
            x: load_sixteen(x, start),
            y: load_sixteen(y, start),
            z: load_sixteen(z, start),
        }
    }
}

#[inline(always)]
fn load_sixteen<P: Pack>(column: &[Real], start: usize) -> P {
    let mut row = Row::ZERO;
    row.0.copy_from_slice(&column[start..start + LANES]);
    P::load(&row)
}

/// Vectors of all particles in memory.
#[derive(Debug, Default)]
pub(super) struct FieldMemory {
    /// See [`VectorField`].
    pub records: Vec<[Real; 4]>,
    columns: [Vec<Real>; 3],
    front: usize,
    padded: usize,
}

impl FieldMemory {
    /// For so many particles.
    ///
    /// * `runs` — how all neighbours lie that are read
    pub fn new(count: usize, runs: impl Iterator<Item = NeighborRun>) -> Self {
        let padded = count.next_multiple_of(LANES);
        let (mut first, mut end, mut has_scattered) = (0, padded as i64, false);
        for run in runs {
            match run {
                NeighborRun::From(start) => {
                    first = first.min(i64::from(start));
                    end = end.max(i64::from(start) + LANES as i64);
                }
                NeighborRun::Scattered => has_scattered = true,
            }
        }
        Self {
            records: vec![[0.0; 4]; if has_scattered { padded } else { 0 }],
            columns: std::array::from_fn(|_| vec![0.0; (end - first) as usize]),
            front: (-first) as usize,
            padded,
        }
    }

    /// The vectors.
    pub fn field(&self) -> VectorField<'_> {
        VectorField {
            records: &self.records,
            columns: self.columns.each_ref().map(Vec::as_slice),
            front: self.front,
        }
    }

    /// Changes the vector of a particle.
    pub fn set(&mut self, place: usize, vector: [Real; 3]) {
        for (column, component) in self.columns.iter_mut().zip(vector) {
            column[self.front + place] = component;
        }
        if let Some([x, y, z, _]) = self.records.get_mut(place) {
            [*x, *y, *z] = vector;
        }
    }

    /// The columns of all particles.
    pub fn columns(&mut self) -> [&mut [Real]; 3] {
        let (front, end) = (self.front, self.front + self.padded);
        self.columns
            .each_mut()
            .map(|column| &mut column[front..end])
    }
}

/// Rows of group `k` as parts of columns.
#[inline(always)]
pub(super) fn write_columns(rows: &VectorRow, columns: &mut [&mut [Real]; 3], k: usize) {
    for (row, column) in rows.iter().zip(columns) {
        column[LANES * k..LANES * (k + 1)].copy_from_slice(&row.0);
    }
}

/// Rows as records.
#[inline(always)]
pub(super) fn write_records([x, y, z]: &VectorRow, records: &mut [[Real; 4]]) {
    for (lane, record) in records.iter_mut().enumerate().take(LANES) {
        *record = [x.0[lane], y.0[lane], z.0[lane], 0.0];
    }
}
