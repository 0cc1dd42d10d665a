//! The bytes of tables: integers as differences, and LZ4 blocks.

/// Codes of a difference, two bits each: the common one, or in one, two or four bytes.
const COMMON: u8 = 0;
const ONE_BYTE: u8 = 1;
const TWO_BYTES: u8 = 2;
const FOUR_BYTES: u8 = 3;

/// Integers as OpenUSD packs them: the most frequent difference to the one before (the first to 0), a
/// code for each difference, and the bytes of those that are not the frequent one.
pub(super) fn packed_integers(values: &[i32]) -> Vec<u8> {
    let mut before = 0_i32;
    let difference = |&value: &i32| {
        let difference = value.wrapping_sub(before);
        before = value;
        difference
    };
    let differences: Vec<i32> = values.iter().map(difference).collect();
    let common = most_frequent(&differences);
    let mut codes = vec![0_u8; values.len().div_ceil(4)];
    let mut bytes = Vec::new();
    for (i, &difference) in differences.iter().enumerate() {
        let code = if difference == common {
            COMMON
        } else if let Ok(small) = i8::try_from(difference) {
            bytes.extend(small.to_le_bytes());
            ONE_BYTE
        } else if let Ok(small) = i16::try_from(difference) {
            bytes.extend(small.to_le_bytes());
            TWO_BYTES
        } else {
            bytes.extend(difference.to_le_bytes());
            FOUR_BYTES
        };
        codes[i / 4] |= code << (2 * (i % 4));
    }
    let packed = [&common.to_le_bytes()[..], &codes, &bytes].concat();
    compressed(&packed)
}

/// The most frequent value, the greatest of several; 0 if there is none.
fn most_frequent(values: &[i32]) -> i32 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b);
    runs.max_by_key(|run| run.len()).map_or(0, |run| run[0])
}

/// Bytes in the form of LZ4, in one chunk, which a zero in front of it says: literals alone.
pub(super) fn compressed(bytes: &[u8]) -> Vec<u8> {
    /// Lengths from this on go on in further bytes.
    const LONG: usize = 15;
    let mut block = vec![0];
    match bytes.len().checked_sub(LONG) {
        None => block.push((bytes.len() as u8) << 4),
        Some(rest) => {
            block.push((LONG as u8) << 4);
            block.resize(block.len() + rest / 255, 255);
            block.push((rest % 255) as u8);
        }
    }
    block.extend(bytes);
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_take_as_few_bytes_as_they_need() {
        // Differences 1, 1, 300, 1, -100000: codes 0, 0, 2, 0 and 3.
        let packed = packed_integers(&[1, 2, 302, 303, -99_697]);
        let expected = [
            &[0, 12 << 4][..],
            &1_i32.to_le_bytes(),
            &[0b0010_0000, 0b0000_0011],
            &300_i16.to_le_bytes(),
            &(-100_000_i32).to_le_bytes(),
        ];
        assert_eq!(packed, expected.concat());
    }

    #[test]
    fn long_literals_have_their_length_in_bytes_of_255() {
        assert_eq!(compressed(b"ab"), [0, 0x20, b'a', b'b']);
        let long = compressed(&[7; 15 + 255 + 3]);
        assert_eq!(long[..4], [0, 0xf0, 255, 3]);
        assert_eq!(long.len(), 4 + 273);
        assert_eq!(compressed(&[7; 15])[..3], [0, 0xf0, 0]);
    }
}
