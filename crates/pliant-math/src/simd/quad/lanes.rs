//! A pack in registers of four numbers.

use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::{Quad, half};
use crate::simd::number::{BIAS, DIGITS};
use crate::simd::pack::prefetch;
use crate::simd::places::end_of;
use crate::simd::{HalfRow, Job, LANES, Mask, Near, Number, Pack, Places, Row};

/// The highest bit of a word: that of the sign.
pub const SIGN: u32 = 1 << 31;

/// Sixteen numbers, four a register.
#[derive(Clone, Copy, Debug)]
pub struct Quads<Q>([Q; QUADS]);

/// All bits of a lane, set or not.
#[derive(Clone, Copy, Debug)]
pub struct QuadsMask<Q>([Q; QUADS]);

/// Registers of a pack.
const QUADS: usize = LANES / 4;

/// A value for each register. Written out: a loop would have to be unrolled wherever an operation is inlined, which
/// takes the compiler minutes, and closures are not always inlined where much else is.
macro_rules! each {
    ($k:ident => $value:expr) => {
        [
            {
                let $k: usize = 0;
                $value
            },
            {
                let $k: usize = 1;
                $value
            },
            {
                let $k: usize = 2;
                $value
            },
            {
                let $k: usize = 3;
                $value
            },
        ]
    };
}

macro_rules! operator {
    ($type:ident, $trait:ident, $method:ident, $of_register:ident) => {
        impl<Q: Quad> $trait for $type<Q> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(each!(k => self.0[k].$of_register(other.0[k])))
            }
        }
    };
}

operator!(Quads, Add, add, add);
operator!(Quads, Sub, sub, sub);
operator!(Quads, Mul, mul, mul);
operator!(Quads, Div, div, div);
operator!(QuadsMask, BitAnd, bitand, and);
operator!(QuadsMask, BitOr, bitor, or);

impl<Q: Quad> Not for QuadsMask<Q> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(each!(k => self.0[k].xor(Q::splat_word(u32::MAX))))
    }
}

impl<Q: Quad> Mask for QuadsMask<Q> {
    #[inline(always)]
    fn bits(self) -> u32 {
        let four = each!(k => self.0[k].highest_bits() << (4 * k));
        four[0] | four[1] | four[2] | four[3]
    }

    #[inline(always)]
    fn from_bits(bits: u32) -> Self {
        Self(each!(k => from_bits(bits >> (4 * k))))
    }
}

impl<Q: Quad> Neg for Quads<Q> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(each!(k => self.0[k].xor(Q::splat_word(SIGN))))
    }
}

impl<Q: Quad> AddAssign for Quads<Q> {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Four numbers of a row: those of register `k`.
#[inline(always)]
pub fn quarter<T>(row: &[T; LANES], k: usize) -> &[T; 4] {
    &row.as_chunks().0[k]
}

/// The same, to be written.
#[inline(always)]
pub fn quarter_mut<T>(row: &mut [T; LANES], k: usize) -> &mut [T; 4] {
    &mut row.as_chunks_mut().0[k]
}

/// Lanes whose bits are set, from the lowest four bits.
#[inline(always)]
pub fn from_bits<Q: Quad>(bits: u32) -> Q {
    let lanes = Q::load_words(&[1, 2, 4, 8]);
    Q::splat_word(bits).and(lanes).equal_words(lanes)
}

/// [`Number::split`].
#[inline(always)]
pub fn split<Q: Quad>(numbers: Q) -> (Q, Q) {
    let digits = numbers.and(Q::splat_word((1 << DIGITS) - 1));
    let biased = numbers.shift_right::<{ DIGITS as i32 }>();
    let exponent = biased.add_words(Q::splat_word(BIAS.wrapping_neg() as u32));
    (digits.or(Q::splat(1.0)), exponent.words_to_numbers())
}

/// [`Number::power_of_two`].
#[inline(always)]
pub fn power_of_two<Q: Quad>(powers: Q) -> Q {
    let biased = powers
        .numbers_to_words()
        .add_words(Q::splat_word(BIAS as u32));
    biased.shift_left::<{ DIGITS as i32 }>()
}

impl<Q: Quad> Number for Quads<Q> {
    type Mask = QuadsMask<Q>;
    const COUNT: usize = LANES;
    const ZERO: Self = Self([Q::ZERO; QUADS]);

    #[inline(always)]
    fn splat(value: f32) -> Self {
        Self([Q::splat(value); QUADS])
    }

    #[inline(always)]
    fn lanes(self) -> [f32; LANES] {
        let mut row = Row::ZERO;
        self.store(&mut row);
        row.0
    }

    #[inline(always)]
    fn from_lanes(lanes: [f32; LANES]) -> Self {
        Self::load(&Row(lanes))
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(each!(k => self.0[k].sqrt()))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(each!(k => self.0[k].and(Q::splat_word(!SIGN))))
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(each!(k => self.0[k].min(other.0[k])))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(each!(k => self.0[k].max(other.0[k])))
    }

    #[inline(always)]
    fn less(self, other: Self) -> Self::Mask {
        QuadsMask(each!(k => self.0[k].less(other.0[k])))
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> Self::Mask {
        QuadsMask(each!(k => self.0[k].at_most(other.0[k])))
    }

    #[inline(always)]
    fn or_where_not(self, mask: Self::Mask, other: Self) -> Self {
        Self(each!(k => self.0[k].or_where_not(mask.0[k], other.0[k])))
    }

    #[inline(always)]
    fn split(self) -> (Self, Self) {
        let parts = each!(k => split(self.0[k]));
        (Self(each!(k => parts[k].0)), Self(each!(k => parts[k].1)))
    }

    #[inline(always)]
    fn power_of_two(self) -> Self {
        Self(each!(k => power_of_two(self.0[k])))
    }
}

/// Four components, from `first` on, of records of `WIDTH` numbers at four places.
///
/// # Safety
/// `records` points to records that may be read at every place, and have these components.
#[allow(unsafe_code)]
#[inline(always)]
pub unsafe fn gather_four<Q: Quad, const WIDTH: usize>(
    records: *const [f32; WIDTH],
    distances: &[u32; 4],
    first: usize,
) -> [Q; 4] {
    let rows = each!(lane => {
        // SAFETY: the caller says that every place may be read and has the components; an array of numbers is
        // aligned as a number is.
        Q::load(unsafe {
            let record = records.byte_add(WIDTH / 4 * distances[lane] as usize);
            &*record.cast::<f32>().add(first).cast::<[f32; 4]>()
        })
    });
    Q::transpose(rows)
}

/// Packs of each of four components, of registers of each of four quarters of a pack.
#[inline(always)]
fn by_component<Q: Quad>(quarters: [[Q; 4]; QUADS]) -> [Quads<Q>; 4] {
    each!(component => Quads(each!(k => quarters[k][component])))
}

#[allow(unsafe_code)]
impl<Q: Quad> Pack for Quads<Q> {
    #[inline(never)]
    fn apart<J: Job>(job: J) -> J::Output {
        job.run::<Self>()
    }

    #[inline(always)]
    fn load(row: &Row) -> Self {
        Self(each!(k => Q::load(quarter(&row.0, k))))
    }

    #[inline(always)]
    fn store(self, row: &mut Row) {
        each!(k => self.0[k].store(quarter_mut(&mut row.0, k)));
    }

    #[inline(always)]
    fn load_half(row: &HalfRow) -> Self {
        Self(each!(k => half::to_numbers(Q::load_halves(quarter(&row.0, k)))))
    }

    #[inline(always)]
    fn load_finite_half(row: &HalfRow) -> Self {
        Self(each!(k => half::to_finite_numbers(Q::load_halves(quarter(&row.0, k)))))
    }

    #[inline(always)]
    fn store_half(self, row: &mut HalfRow) {
        each!(k => half::from_numbers(self.0[k]).store_halves(quarter_mut(&mut row.0, k)));
    }

    #[inline(always)]
    unsafe fn gather(records: *const [f32; 4], places: &Places) -> [Self; 4] {
        // SAFETY: the caller says that every place may be read.
        let four = each!(k => unsafe { gather_four(records, quarter(&places.0, k), 0) });
        by_component(four)
    }

    #[inline(always)]
    unsafe fn gather_eight(records: *const [f32; 8], places: &Places) -> [Self; 8] {
        // SAFETY: the caller says that every place may be read.
        let low = each!(k => unsafe { gather_four(records, quarter(&places.0, k), 0) });
        // SAFETY: as above.
        let high = each!(k => unsafe { gather_four(records, quarter(&places.0, k), 4) });
        let ([a, b, c, d], [e, f, g, h]) = (by_component(low), by_component(high));
        [a, b, c, d, e, f, g, h]
    }

    #[inline(always)]
    unsafe fn scatter(records: *mut [f32; 4], places: &Places, [x, y, z, w]: [Self; 4]) {
        each!(k => {
            let distances = quarter(&places.0, k);
            let rows = Q::transpose([x.0[k], y.0[k], z.0[k], w.0[k]]);
            each!(lane => {
                // SAFETY: the caller says that every place may be written.
                rows[lane].store(unsafe { &mut *records.byte_add(distances[lane] as usize) })
            })
        });
    }

    #[inline(always)]
    fn to_places(self) -> Places {
        let mut places = Places::default();
        each!(k => self.0[k].store_words(quarter_mut(&mut places.0, k)));
        places
    }

    #[inline(always)]
    fn is_beyond(places: &Places, others: &Places) -> Self::Mask {
        // Words are compared with a sign, and places have none.
        let signed = |places: &Places, k: usize| {
            Q::load_words(quarter(&places.0, k)).xor(Q::splat_word(SIGN))
        };
        QuadsMask(each!(k => signed(places, k).greater_words(signed(others, k))))
    }

    #[inline(always)]
    fn are_below(places: &Places, count: usize) -> bool {
        let mut greatest = 0;
        for &place in &places.0 {
            greatest = greatest.max(place);
        }
        end_of(count).is_none_or(|end| greatest < end)
    }

    #[inline(always)]
    fn prefetch<T>(elements: &[T], at: usize, bytes: usize) {
        prefetch(elements, at, bytes);
    }

    #[inline(always)]
    fn keep_near(near: Near<'_>, kept: &mut [u32], count: usize) -> usize {
        keep_near::<Q>(near, kept, count)
    }
}

/// [`Pack::keep_near`], four points at once.
#[inline(always)]
pub fn keep_near<Q: Quad>(near: Near<'_>, kept: &mut [u32], mut count: usize) -> usize {
    let [x, y, z] = near.checked_center(kept, count);
    let center = [Q::splat(x), Q::splat(y), Q::splat(z)];
    let limit = Q::splat(near.limit);
    for run in near.runs.list() {
        let first = run.first as usize;
        let [x, y, z] = near.points.map(|column| &column[first..first + LANES]);
        for quarter in 0..LANES / 4 {
            let there = u32::from(run.there) >> (4 * quarter);
            if there == 0 {
                break;
            }
            let square = |column: &[f32], axis: usize| {
                let difference = Q::load(&column.as_chunks().0[quarter]).sub(center[axis]);
                difference.mul(difference)
            };
            let sum = square(x, 0).add(square(y, 1)).add(square(z, 2));
            let number = run.first + 4 * quarter as u32;
            let own = 1_u32
                .checked_shl(near.own.wrapping_sub(number))
                .unwrap_or(0);
            let set = (sum.less(limit).highest_bits() & there & !own) as usize;
            let selected = Q::load_words(&SELECTED[set]).add_words(Q::splat_word(number));
            let room = &mut kept[count..count + 4];
            selected.store_words(&mut room.as_chunks_mut().0[0]);
            count += set.count_ones() as usize;
        }
    }
    count
}

/// Of each set of four lanes, the numbers of those in the set, in order, then zeros.
const SELECTED: [[u32; 4]; 16] = {
    let mut table = [[0; 4]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut lane, mut count) = (0, 0);
        while lane < 4 {
            if set >> lane & 1 == 1 {
                table[set][count] = lane as u32;
                count += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};
