//! Packs in registers of four numbers, which every processor of x86-64 (SSE2) and of 64-bit Arm (NEON) has, and
//! WebAssembly with simd128.
//!
//! [`Quad`] is what these instruction sets differ in, [`Quads`] the pack that is made of such registers.

mod half;
mod lanes;
#[cfg(target_arch = "aarch64")]
mod neon;
mod quarter;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse2;

pub use lanes::Quads;
pub use quarter::Quarter;

/// The register of this target.
#[cfg(target_arch = "aarch64")]
pub type Register = neon::Neon;
/// The register of this target.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub type Register = simd128::Simd128;
/// The register of this target.
#[cfg(target_arch = "x86_64")]
pub type Register = sse2::Sse2;

/// What the instructions of this target are called.
pub const NAME: &str = <Register as Quad>::NAME;

/// A register of four numbers, which can also be taken as four words of 32 bits.
///
/// Every operation of a number rounds by itself, as that of one number does.
pub trait Quad: Copy {
    /// What the instructions are called.
    const NAME: &str;

    /// Zeros.
    const ZERO: Self;

    /// A number four times.
    fn splat(number: f32) -> Self;

    /// A word four times.
    fn splat_word(word: u32) -> Self;

    /// Reads four numbers.
    fn load(numbers: &[f32; 4]) -> Self;

    /// Writes four numbers.
    fn store(self, numbers: &mut [f32; 4]);

    /// Reads four words.
    fn load_words(words: &[u32; 4]) -> Self;

    /// Writes four words.
    fn store_words(self, words: &mut [u32; 4]);

    /// Reads four halves of words; the upper halves become zero.
    fn load_halves(halves: &[u16; 4]) -> Self;

    /// Writes the lower halves of the words.
    fn store_halves(self, halves: &mut [u16; 4]);

    /// Sums.
    fn add(self, other: Self) -> Self;

    /// Differences.
    fn sub(self, other: Self) -> Self;

    /// Products.
    fn mul(self, other: Self) -> Self;

    /// Quotients.
    fn div(self, other: Self) -> Self;

    /// Square roots.
    fn sqrt(self) -> Self;

    /// `self < other ? self : other`.
    fn min(self, other: Self) -> Self;

    /// `self > other ? self : other`.
    fn max(self, other: Self) -> Self;

    /// All bits of a word where `self < other`, none elsewhere and for what is not a number.
    fn less(self, other: Self) -> Self;

    /// All bits of a word where `self <= other`, none elsewhere and for what is not a number.
    fn at_most(self, other: Self) -> Self;

    /// Bits that both have.
    fn and(self, other: Self) -> Self;

    /// Bits that one of them has.
    fn or(self, other: Self) -> Self;

    /// Bits that exactly one of them has.
    fn xor(self, other: Self) -> Self;

    /// The words of `self` where all bits of `mask` are set, of `other` where none is.
    fn or_where_not(self, mask: Self, other: Self) -> Self;

    /// Sums of words, without what does not fit them.
    fn add_words(self, other: Self) -> Self;

    /// Words shifted to the left.
    fn shift_left<const DIGITS: i32>(self) -> Self;

    /// Words shifted to the right; zeros come in.
    fn shift_right<const DIGITS: i32>(self) -> Self;

    /// All bits of a word where both are equal.
    fn equal_words(self, other: Self) -> Self;

    /// All bits of a word where `self > other`, both with a sign.
    fn greater_words(self, other: Self) -> Self;

    /// Words with a sign as numbers.
    fn words_to_numbers(self) -> Self;

    /// Whole numbers as words with a sign, which they must fit.
    fn numbers_to_words(self) -> Self;

    /// Bit `k` is the highest bit of word `k`.
    fn highest_bits(self) -> u32;

    /// Four registers by their columns.
    fn transpose(rows: [Self; 4]) -> [Self; 4];
}
