//! Numbers rounded to half precision by every instruction set.

use super::tests::numbers;
use super::*;
use crate::Real;

#[test]
fn halves_are_the_nearest_that_there_are() {
    struct Rounded(Row);
    impl Job for Rounded {
        type Output = (HalfRow, Row);
        #[inline(always)]
        fn run<P: Pack>(self) -> Self::Output {
            let (mut half, mut back) = (HalfRow::ZERO, Row::ZERO);
            P::load(&self.0).store_half(&mut half);
            P::load_half(&half).store(&mut back);
            (half, back)
        }
    }
    let mut row = Row(numbers(31, LANES).try_into().unwrap());
    // Ties, subnormal numbers, the least and the greatest, and what is beyond them.
    row.0[..8].copy_from_slice(&[
        1.0 + 1.0 / 2048.0,
        1.0 + 3.0 / 2048.0,
        -6.0e-8,
        2.9e-8,
        5.0e-6,
        65_504.0,
        1e6,
        -0.0,
    ]);
    let expected = [
        1.0,
        1.0 + 1.0 / 512.0,
        -5.960_464e-8,
        0.0,
        5.006_79e-6,
        65_504.0,
        Real::INFINITY,
        0.0,
    ];
    for instructions in Instructions::available() {
        let (half, back) = instructions.run(Rounded(row));
        assert_eq!(half, Instructions::PORTABLE.run(Rounded(row)).0);
        for (lane, (number, back)) in row.0.into_iter().zip(back.0).enumerate() {
            match expected.get(lane) {
                Some(&expected) => {
                    assert!(back == expected || (back / expected - 1.0).abs() < 1e-6)
                }
                None => assert!((back / number - 1.0).abs() <= 1.0 / 2048.0),
            }
        }
    }
}

/// Bits of halves, and of the numbers that they stand for, whatever the numbers are.
#[cfg(not(feature = "double"))]
#[test]
fn every_instruction_set_rounds_any_number_to_the_same_half() {
    struct Halves<'a>(&'a [Row]);
    impl Job for Halves<'_> {
        type Output = Vec<(HalfRow, [u32; LANES])>;
        #[inline(always)]
        fn run<P: Pack>(self) -> Self::Output {
            let mut found = Vec::new();
            for row in self.0 {
                let (mut half, mut back) = (HalfRow::ZERO, Row::ZERO);
                P::load(row).store_half(&mut half);
                P::load_half(&half).store(&mut back);
                let bits = back.0.map(f32::to_bits);
                if back.0.into_iter().all(f32::is_finite) {
                    P::load_finite_half(&half).store(&mut back);
                    assert_eq!(back.0.map(f32::to_bits), bits);
                }
                found.push((half, bits));
            }
            found
        }
    }
    // All exponents, and the digits around which rounding changes; of what is not a number those that say so.
    let digits = [
        0, 1, 0xfff, 0x1000, 0x1001, 0x1fff, 0x2fff, 0x3000, 0x3001, 0x7f_ffff,
    ];
    let bits = (0..512).flat_map(|k| digits.map(|digits| (k << 23) | digits));
    let numbers = bits.map(f32::from_bits).filter(|number| !number.is_nan());
    let mut numbers: Vec<f32> = numbers.collect();
    numbers.resize(numbers.len().next_multiple_of(LANES), f32::NAN);
    let rows: Vec<Row> = numbers.as_chunks().0.iter().map(|&row| Row(row)).collect();
    let expected = Instructions::PORTABLE.run(Halves(&rows));
    for instructions in Instructions::available() {
        let found = instructions.run(Halves(&rows));
        for (k, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(found, expected, "{} {:?}", instructions.name(), rows[k]);
        }
    }
}
