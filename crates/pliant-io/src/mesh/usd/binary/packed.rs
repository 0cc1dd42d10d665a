//! What is packed: bytes as blocks of LZ4, integers as differences.

use lz4_flex::block::decompress_into;

use super::super::MeshProblem;
use super::{Cursor, cut_off};

/// Of each byte LZ4 makes at most so many.
const MOST_OF_A_BYTE: usize = 255;

/// Bytes as OpenUSD packs them: the number of chunks, and each with its size; a single one is numbered 0 and has no size.
pub(super) fn unpacked(packed: &[u8], size: usize) -> Result<Vec<u8>, MeshProblem> {
    if size / MOST_OF_A_BYTE > packed.len() {
        return Err(cut_off());
    }
    let mut bytes = vec![0; size];
    let mut cursor = Cursor::new(packed, 0)?;
    let [chunks] = cursor.array()?;
    let mut filled = 0;
    let mut unpack = |chunk: &[u8]| -> Result<(), MeshProblem> {
        filled += decompress_into(chunk, &mut bytes[filled..]).map_err(|_| cut_off())?;
        Ok(())
    };
    match chunks {
        0 => unpack(&packed[1..])?,
        _ => {
            for _ in 0..chunks {
                let size = cursor.u32()? as usize;
                unpack(cursor.take(size)?)?;
            }
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

/// Integers of 32 bits, from their packed size on.
pub(super) fn integers(cursor: &mut Cursor, count: usize) -> Result<Vec<i32>, MeshProblem> {
    let differences = differences(cursor, count, [1, 2, 4])?;
    let mut last = 0_i32;
    let sum = |difference: i64| {
        last = last.wrapping_add(difference as i32);
        last
    };
    Ok(differences.into_iter().map(sum).collect())
}

/// Integers of 64 bits, from their packed size on.
pub(super) fn long_integers(cursor: &mut Cursor, count: usize) -> Result<Vec<i64>, MeshProblem> {
    let differences = differences(cursor, count, [2, 4, 8])?;
    let mut last = 0_i64;
    let sum = |difference: i64| {
        last = last.wrapping_add(difference);
        last
    };
    Ok(differences.into_iter().map(sum).collect())
}

/// Differences of integers: the common one, a code of two bits for each, and those that are not the common one, in as
/// many bytes as the code says. The common one takes as many as the widest.
fn differences(
    cursor: &mut Cursor,
    count: usize,
    widths: [usize; 3],
) -> Result<Vec<i64>, MeshProblem> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let packed_size = cursor.count()?;
    let packed = cursor.take(packed_size)?;
    let codes = count.div_ceil(4);
    if codes / MOST_OF_A_BYTE > packed.len() {
        return Err(cut_off());
    }
    let widest = widths[2];
    let most = widest + codes + count * widest;
    let size = most.min(packed.len().saturating_mul(MOST_OF_A_BYTE));
    let bytes = unpacked(packed, size)?;
    let mut cursor = Cursor::new(&bytes, 0)?;
    let common = signed(cursor.take(widest)?);
    let codes = cursor.take(codes)?;
    let difference = |i: usize| -> Result<i64, MeshProblem> {
        match codes[i / 4] >> (2 * (i % 4)) & 3 {
            0 => Ok(common),
            code => Ok(signed(cursor.take(widths[usize::from(code) - 1])?)),
        }
    };
    (0..count).map(difference).collect()
}

/// A number with a sign, of at most eight bytes.
fn signed(bytes: &[u8]) -> i64 {
    let unused = 64 - 8 * bytes.len() as u32;
    let digits = bytes.iter().rev();
    let number = digits.fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
    (number << unused) as i64 >> unused
}
