//! Four numbers in half precision, by the operations that every register of four has.

use super::Quad;

/// The bits of a number without its sign.
const SIZE: u32 = 0x7fff_ffff;
/// Digits that a number has more than a half.
const DIGITS: i32 = 13;
/// What the exponents of the two kinds differ by, in the bits of a number.
const EXPONENTS: u32 = 112 << 23;
/// The bits of the least number that is a normal half, 2^-14.
const LEAST_NORMAL: u32 = 113 << 23;
/// The bits of the least number beyond all halves whatever the rounding, 2^16.
const BEYOND: u32 = 143 << 23;
/// The bits of a number that is infinite.
const INFINITE: u32 = 255 << 23;
/// The bits of a half that is infinite.
const INFINITE_HALF: u32 = 31 << 10;

/// The numbers of four halves, each in the lower half of a word.
#[inline(always)]
pub fn to_numbers<Q: Quad>(halves: Q) -> Q {
    let sign = halves.and(Q::splat_word(0x8000)).shift_left::<16>();
    let size = halves.and(Q::splat_word(0x7fff));
    let finite = to_number(size.shift_left::<DIGITS>());
    let is_infinite = size.greater_words(Q::splat_word(INFINITE_HALF - 1));
    let infinite = is_infinite.and(Q::splat_word(INFINITE));
    sign.or(finite).or(infinite)
}

/// The same of halves none of which is infinite or no number.
#[inline(always)]
pub fn to_finite_numbers<Q: Quad>(halves: Q) -> Q {
    let sign = halves.shift_left::<16>().and(Q::splat_word(!SIZE));
    let size = halves.shift_left::<DIGITS>();
    sign.or(to_number(size.and(Q::splat_word(0x0fff_ffff))))
}

/// The numbers of four sizes of halves whose digits stand where those of numbers do. Exponents are counted anew; one
/// multiplication would do that too, but where halves are subnormal it would be that of subnormal numbers, which
/// takes processors a hundred times as long.
#[inline(always)]
fn to_number<Q: Quad>(size: Q) -> Q {
    let is_subnormal = Q::splat_word(1 << 23).greater_words(size);
    // One exponent more, of which 2^-14 is too much.
    let one = is_subnormal.and(Q::splat_word(1 << 23));
    let excess = is_subnormal.and(Q::splat_word(LEAST_NORMAL));
    let number = size.add_words(Q::splat_word(EXPONENTS)).add_words(one);
    number.sub(excess)
}

/// The nearest halves of four numbers, to even between two, each in the lower half of a word.
#[inline(always)]
pub fn from_numbers<Q: Quad>(numbers: Q) -> Q {
    let size = numbers.and(Q::splat_word(SIZE));
    let sign = numbers.xor(size).shift_right::<16>();
    // A little less than half of the last digit that stays, or half of it if that digit is odd.
    let odd = size.shift_right::<DIGITS>().and(Q::splat_word(1));
    let rounded = size
        .add_words(Q::splat_word((1 << (DIGITS - 1)) - 1))
        .add_words(odd);
    let normal = rounded
        .add_words(Q::splat_word(EXPONENTS.wrapping_neg()))
        .shift_right::<DIGITS>();
    // The last digit of a half counts in a subnormal half what the last digit of a number counts in 1/2: the sum
    // with that is rounded to it.
    let one_half = Q::splat(0.5);
    let subnormal = size
        .add(one_half)
        .add_words(Q::splat_word(0.5_f32.to_bits().wrapping_neg()));
    let is_subnormal = Q::splat_word(LEAST_NORMAL).greater_words(size);
    let is_beyond = size.greater_words(Q::splat_word(BEYOND - 1));
    // What is not a number keeps its first digits and gets one, lest none be left.
    let is_no_number = size.greater_words(Q::splat_word(INFINITE));
    let digits = size
        .shift_right::<DIGITS>()
        .and(Q::splat_word(0x3ff))
        .or(Q::splat_word(0x200));
    let beyond = Q::splat_word(INFINITE_HALF).or(is_no_number.and(digits));
    let finite = subnormal.or_where_not(is_subnormal, normal);
    sign.or(beyond.or_where_not(is_beyond, finite))
}
