//! Places of records in columns, as gathers and scatters read them.

use super::{LANES, Row};
use crate::Real;

/// Digits by which a place is shifted: the logarithm of the bytes of four numbers.
pub(super) const SHIFT: u32 = (4 * size_of::<Real>()).trailing_zeros();

/// Sixteen places in columns of records of four or eight numbers.
///
/// They are kept as distances in bytes in a column of four numbers a record: sweeps visit each thousands
/// of times, and an address is then one addition away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Places(pub(super) [u32; LANES]);

impl Places {
    /// Places are below this one.
    pub const LIMIT: usize = 1 << (u32::BITS - SHIFT);

    /// The place of each lane, below [`Self::LIMIT`].
    #[inline(always)]
    pub fn from_fn(mut place: impl FnMut(usize) -> u32) -> Self {
        Self(std::array::from_fn(|lane| distance(place(lane))))
    }

    /// The first places of sixteen items of four, then the second, and so on.
    #[inline(always)]
    pub fn transposed(items: &[[u32; 4]; LANES]) -> [Self; 4] {
        let mut all = [Self::default(); 4];
        for (lane, item) in items.iter().enumerate() {
            for (places, &place) in all.iter_mut().zip(item) {
                places.0[lane] = distance(place);
            }
        }
        all
    }

    /// The place in a lane.
    #[inline(always)]
    pub fn get(&self, lane: usize) -> usize {
        (self.0[lane] >> SHIFT) as usize
    }

    /// Changes the place in a lane. Written as volatile because the compiler otherwise gathers writes
    /// to one lane of many packs into scatter instructions, which take several times as long.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, place: u32) {
        let there: *mut u32 = &mut self.0[lane];
        // SAFETY: it points to a place that is borrowed.
        #[allow(unsafe_code)]
        unsafe {
            there.write_volatile(distance(place))
        }
    }

    /// All of them hidden in numbers, as [`place_to_real`] does.
    #[inline(always)]
    pub fn hidden(&self) -> Row {
        Row(self.0.map(distance_to_real))
    }
}

impl Default for Places {
    fn default() -> Self {
        Self([0; LANES])
    }
}

#[inline(always)]
fn distance(place: u32) -> u32 {
    debug_assert!((place as usize) < Places::LIMIT, "place {place} is too far");
    place << SHIFT
}

/// The least distance that is not of a place below `count`, if there is one.
#[inline(always)]
pub(super) fn end_of(count: usize) -> Option<u32> {
    (count < Places::LIMIT).then_some((count as u32) << SHIFT)
}

/// A place hidden in a number, so that it lies in a record of numbers; nothing is computed with it.
#[inline(always)]
pub fn place_to_real(place: u32) -> Real {
    distance_to_real(distance(place))
}

/// The place that [`place_to_real`] hid.
#[inline(always)]
pub fn real_to_place(number: Real) -> u32 {
    real_to_distance(number) >> SHIFT
}

#[inline(always)]
fn distance_to_real(distance: u32) -> Real {
    #[cfg(not(feature = "double"))]
    return f32::from_bits(distance);
    #[cfg(feature = "double")]
    return f64::from(distance);
}

/// The inverse of [`distance_to_real`].
#[inline(always)]
pub(super) fn real_to_distance(number: Real) -> u32 {
    #[cfg(not(feature = "double"))]
    return number.to_bits();
    #[cfg(feature = "double")]
    return number as u32;
}

/// The distance in a lane. Read as volatile because the compiler otherwise loads all of them into one
/// register to extract them one by one, which takes longer than the loads that it saves.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(super) fn distance_of(places: &Places, lane: usize) -> usize {
    let distance: *const u32 = &places.0[lane];
    // SAFETY: it points to a number that is borrowed.
    #[allow(unsafe_code)]
    unsafe {
        distance.read_volatile() as usize
    }
}
