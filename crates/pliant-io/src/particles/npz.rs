//! NPZ: NumPy arrays in an uncompressed ZIP archive, `numpy.savez(file, position=..., velocity=...)`.

use std::io::Cursor;

use pliant_math::DVec3;
use zip::{CompressionMethod, ZipArchive};

use super::arrays::{Array, NumberRows};
use super::{ParticleFormat, ParticleProblem};
use crate::export::npz;

pub(super) const FORMAT: ParticleFormat = ParticleFormat {
    name: "NPZ",
    extension: "npz",
    positions: "an array `position` of shape (particles, 3)",
    read,
    read_cells: None,
};

fn read(bytes: &[u8]) -> Result<Vec<Array>, ParticleProblem> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(malformed)?;
    (0..archive.len())
        .map(|i| {
            check_stored(&mut archive, i)?;
            let array = npz::read_array(&mut archive, i, bytes.len()).map_err(malformed)?;
            Ok(Array {
                rows: rows(&array),
                name: array.name,
            })
        })
        .collect()
}

fn malformed(reason: impl ToString) -> ParticleProblem {
    ParticleProblem::Malformed(reason.to_string())
}

fn check_stored(archive: &mut ZipArchive<Cursor<&[u8]>>, i: usize) -> Result<(), ParticleProblem> {
    let entry = archive.by_index_raw(i).map_err(malformed)?;
    if entry.compression() == CompressionMethod::Stored {
        return Ok(());
    }
    Err(malformed(
        "it is compressed; write it with numpy.savez instead of numpy.savez_compressed",
    ))
}

fn rows(array: &npz::Array) -> NumberRows {
    let size = match array.type_name.as_str() {
        "<f4" => 4,
        "<f8" => 8,
        _ => 0,
    };
    match array.shape[..] {
        [count, 3] if size > 0 && count.checked_mul(3 * size) == Some(array.bytes.len()) => {
            NumberRows::Vectors(vectors(&array.bytes, size))
        }
        _ => NumberRows::Other(format!(
            "of type {} and shape {:?}",
            array.type_name, array.shape
        )),
    }
}

/// Rows of three numbers in little endian, each of `size` bytes, 4 or 8.
fn vectors(bytes: &[u8], size: usize) -> Vec<DVec3> {
    let number = |bytes: &[u8]| match (bytes.first_chunk::<8>(), bytes.first_chunk::<4>()) {
        (Some(&double), _) if size == 8 => f64::from_le_bytes(double),
        (_, Some(&single)) => f64::from(f32::from_le_bytes(single)),
        _ => f64::NAN,
    };
    let row = |row: &[u8]| {
        DVec3::from(std::array::from_fn(|i| {
            number(&row[i * size..(i + 1) * size])
        }))
    };
    bytes.chunks_exact(3 * size).map(row).collect()
}
