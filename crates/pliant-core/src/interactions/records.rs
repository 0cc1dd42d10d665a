//! Neighbours and corrected gradients as the sweeps read them: in full or in half precision.
//!
//! Half precision (eleven bits) takes three fifths of the memory. The gradient of a rotation is then
//! wrong by a two-thousandth of it, which grains that slide all the time forget, and elastic bodies
//! do not: laws say whether they admit it.

use pliant_math::simd::{HalfRow, Pack, Places, Row};
use pliant_math::{Real, Vec3};

use super::lanes::{load_vector, store_vector};

/// The n-th neighbour of each particle of a row, and its corrected kernel gradient. A lane with fewer neighbours has
/// its particle itself, and zeros for its gradient.
pub trait RecordRow: Copy + Default + Send + Sync {
    /// What XSPH reads beside the record, which would only be in the way of the sweeps.
    type SeparateWeight: Copy + Default + Send + Sync;

    /// Bytes that a sweep reads: neighbours and gradients.
    const SWEPT_BYTES: usize;

    /// The neighbours j.
    fn neighbors(&self) -> &Places;

    /// The neighbours, to be changed.
    fn neighbors_mut(&mut self) -> &mut Places;

    /// g_ij = V_j L_i grad W_ij by axis, in multiples of a unit.
    fn gradient<P: Pack>(&self) -> [P; 3];

    /// Writes the gradients, and returns what will be read.
    fn set_gradient<P: Pack>(&mut self, gradient: [P; 3]) -> [P; 3];

    /// The gradient of a lane.
    fn gradient_of_lane(&self, lane: usize) -> Vec3;

    /// XSPH weights, in multiples of a unit.
    fn weight<P: Pack>(&self, separate_weights: &Self::SeparateWeight) -> P;

    /// The XSPH weight of a lane.
    fn weight_of_lane(&self, separate_weights: &Self::SeparateWeight, lane: usize) -> Real;

    /// Writes the XSPH weights.
    fn set_weight<P: Pack>(&mut self, separate_weights: &mut Self::SeparateWeight, weight: P);
}

/// Records in the precision of everything else; the weights stand beside them.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct FullRecord {
    neighbors: Places,
    gradient: [Row; 3],
}

/// Records in half precision.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct HalfRecord {
    neighbors: Places,
    gradient: [HalfRow; 3],
    weight: HalfRow,
}

impl RecordRow for FullRecord {
    type SeparateWeight = Row;
    const SWEPT_BYTES: usize = size_of::<Self>();

    #[inline(always)]
    fn neighbors(&self) -> &Places {
        &self.neighbors
    }

    #[inline(always)]
    fn neighbors_mut(&mut self) -> &mut Places {
        &mut self.neighbors
    }

    #[inline(always)]
    fn gradient<P: Pack>(&self) -> [P; 3] {
        load_vector(&self.gradient)
    }

    #[inline(always)]
    fn set_gradient<P: Pack>(&mut self, gradient: [P; 3]) -> [P; 3] {
        store_vector(gradient, &mut self.gradient);
        gradient
    }

    fn gradient_of_lane(&self, lane: usize) -> Vec3 {
        Vec3::from_array([0, 1, 2].map(|axis: usize| self.gradient[axis].0[lane]))
    }

    #[inline(always)]
    fn weight<P: Pack>(&self, separate_weights: &Row) -> P {
        P::load(separate_weights)
    }

    fn weight_of_lane(&self, separate_weights: &Row, lane: usize) -> Real {
        separate_weights.0[lane]
    }

    #[inline(always)]
    fn set_weight<P: Pack>(&mut self, separate_weights: &mut Row, weight: P) {
        weight.store(separate_weights);
    }
}

impl RecordRow for HalfRecord {
    type SeparateWeight = ();
    const SWEPT_BYTES: usize = std::mem::offset_of!(Self, weight);

    #[inline(always)]
    fn neighbors(&self) -> &Places {
        &self.neighbors
    }

    #[inline(always)]
    fn neighbors_mut(&mut self) -> &mut Places {
        &mut self.neighbors
    }

    #[inline(always)]
    fn gradient<P: Pack>(&self) -> [P; 3] {
        let [x, y, z] = &self.gradient;
        [
            P::load_finite_half(x),
            P::load_finite_half(y),
            P::load_finite_half(z),
        ]
    }

    #[inline(always)]
    fn set_gradient<P: Pack>(&mut self, gradient: [P; 3]) -> [P; 3] {
        for (row, component) in self.gradient.iter_mut().zip(gradient) {
            // Finite ones can be read faster.
            let greatest = P::splat(HalfRow::GREATEST);
            component.max(-greatest).min(greatest).store_half(row);
        }
        self.gradient()
    }

    fn gradient_of_lane(&self, lane: usize) -> Vec3 {
        Vec3::from_array([0, 1, 2].map(|axis: usize| self.gradient[axis].get(lane)))
    }

    #[inline(always)]
    fn weight<P: Pack>(&self, (): &()) -> P {
        P::load_half(&self.weight)
    }

    fn weight_of_lane(&self, (): &(), lane: usize) -> Real {
        self.weight.get(lane)
    }

    #[inline(always)]
    fn set_weight<P: Pack>(&mut self, (): &mut (), weight: P) {
        weight.store_half(&mut self.weight);
    }
}

/// All records of a continuum. Those of a group of blocks lie together; groups lie in any order.
#[derive(Debug)]
pub enum Records {
    /// In the precision of everything else.
    Full(RecordColumns<FullRecord>),
    /// In half precision.
    Half(RecordColumns<HalfRecord>),
}

/// Records and what stands beside each of them.
#[derive(Clone, Debug)]
pub struct RecordColumns<R: RecordRow> {
    /// The records.
    pub records: Vec<R>,
    /// What stands beside them.
    pub separate_weights: Vec<R::SeparateWeight>,
}

/// Runs a body once with `$records` bound to the columns, so that loops inside are compiled for it.
macro_rules! dispatch_records {
    ($any:expr, |$records:ident| $body:expr) => {
        match $any {
            $crate::interactions::records::Records::Full($records) => $body,
            $crate::interactions::records::Records::Half($records) => $body,
        }
    };
}
pub(crate) use dispatch_records;

impl Records {
    /// None yet, in half precision or not.
    pub fn new(is_half: bool) -> Self {
        if is_half {
            Self::Half(RecordColumns::new())
        } else {
            Self::Full(RecordColumns::new())
        }
    }

    /// How many there is room for.
    pub fn room(&self) -> usize {
        dispatch_records!(self, |columns| columns.records.len())
    }

    /// Makes room for so many.
    pub fn resize(&mut self, count: usize) {
        dispatch_records!(self, |columns| {
            columns.records.resize(count, Default::default());
            columns
                .separate_weights
                .resize_with(count, Default::default);
        });
    }
}

impl<R: RecordRow> RecordColumns<R> {
    fn new() -> Self {
        Self {
            records: Vec::new(),
            separate_weights: Vec::new(),
        }
    }
}

/// Record rows that are fetched ahead: memory is slower than the sweep, and stops guessing where a
/// page ends.
const PREFETCH_DISTANCE: usize = 12;

/// The records of a row one after the other, those ahead being fetched.
#[inline(always)]
pub fn fetched<P: Pack, R: RecordRow>(records: &[R]) -> impl Iterator<Item = &R> {
    records.iter().enumerate().map(|(k, record)| {
        P::prefetch(records, k + PREFETCH_DISTANCE, R::SWEPT_BYTES);
        record
    })
}

/// The power of two next to a positive number: multiples of it have the same digits.
pub fn power_of_two(number: f64) -> Real {
    libm::exp2(libm::round(libm::log2(number))) as Real
}
