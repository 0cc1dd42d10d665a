//! The numbers that accessors hold.

use gltf::Accessor;
use gltf::accessor::{DataType, Dimensions};
use pliant_math::DVec3;

use super::malformed;
use crate::mesh::MeshProblem;

/// Three numbers an item, in single precision: positions, their offsets.
pub(super) fn read_vectors(
    accessor: &Accessor,
    buffers: &[Vec<u8>],
) -> Result<Vec<DVec3>, MeshProblem> {
    if (accessor.data_type(), accessor.dimensions()) != (DataType::F32, Dimensions::Vec3) {
        return Err(malformed(
            "positions are not three single-precision numbers",
        ));
    }
    let items = items(accessor, buffers)?;
    let vector = |item: &[u8]| DVec3::new(number(item), number(&item[4..]), number(&item[8..]));
    Ok(items.map(vector).collect())
}

/// The numbers of all items, one after the other; whole ones that stand for a share of one are made so.
pub(super) fn read_numbers(
    accessor: &Accessor,
    buffers: &[Vec<u8>],
) -> Result<Vec<f64>, MeshProblem> {
    let kind = accessor.data_type();
    let component = kind.size();
    let read = |bytes: &[u8]| {
        let whole = little_endian(bytes);
        match kind {
            DataType::F32 => number(bytes),
            DataType::U8 => f64::from(whole) / 255.0,
            DataType::I8 => (f64::from(whole as u8 as i8) / 127.0).max(-1.0),
            DataType::U16 => f64::from(whole) / 65535.0,
            DataType::I16 => (f64::from(whole as u16 as i16) / 32767.0).max(-1.0),
            DataType::U32 => f64::from(whole),
        }
    };
    let items = items(accessor, buffers)?;
    Ok(items
        .flat_map(|item| item.chunks_exact(component).map(read))
        .collect())
}

/// Texture coordinates; v points down in files, and up here.
pub(super) fn read_uv(
    accessor: &Accessor,
    buffers: &[Vec<u8>],
) -> Result<Vec<[f32; 2]>, MeshProblem> {
    if accessor.dimensions() != Dimensions::Vec2 {
        return Err(malformed("texture coordinates are not two numbers"));
    }
    let numbers = read_numbers(accessor, buffers)?;
    let (pairs, _) = numbers.as_chunks::<2>();
    let uv = pairs.iter().map(|&[u, v]| [u, 1.0 - v].map(|c| c as f32));
    Ok(uv.collect())
}

/// Whole numbers: indices of vertices one an item, of joints four.
pub(super) fn read_whole(
    accessor: &Accessor,
    buffers: &[Vec<u8>],
    dimensions: Dimensions,
) -> Result<Vec<u32>, MeshProblem> {
    let kind = accessor.data_type();
    let is_known = matches!(kind, DataType::U8 | DataType::U16 | DataType::U32);
    if !is_known || accessor.dimensions() != dimensions {
        return Err(malformed("indices are not unsigned integers"));
    }
    let items = items(accessor, buffers)?;
    Ok(items
        .flat_map(|item| item.chunks_exact(kind.size()).map(little_endian))
        .collect())
}

fn number(bytes: &[u8]) -> f64 {
    let chunk = bytes.first_chunk().copied().unwrap_or_default();
    f64::from(f32::from_le_bytes(chunk))
}

/// A whole number of up to four bytes: missing higher ones are zero.
fn little_endian(bytes: &[u8]) -> u32 {
    let bytes = bytes.iter().rev();
    bytes.fold(0, |value, &byte| value << 8 | u32::from(byte))
}

/// The bytes of each item of an accessor, all known to lie inside its buffer.
fn items<'b>(
    accessor: &Accessor,
    buffers: &'b [Vec<u8>],
) -> Result<impl Iterator<Item = &'b [u8]> + use<'b>, MeshProblem> {
    if accessor.sparse().is_some() {
        return Err(malformed(
            "sparse accessors are not supported; export without them",
        ));
    }
    let view = accessor.view().ok_or_else(|| {
        malformed("an accessor has no data; compressed meshes are not supported, export without compression")
    })?;
    let size = accessor.size();
    let stride = view.stride().unwrap_or(size);
    let count = accessor.count();
    let span = count
        .saturating_sub(1)
        .checked_mul(stride)
        .and_then(|span| span.checked_add(size));
    let bytes = buffers
        .get(view.buffer().index())
        .and_then(|buffer| buffer.get(view.offset()..)?.get(..view.length()))
        .and_then(|bytes| bytes.get(accessor.offset()..)?.get(..span?));
    match bytes {
        Some(bytes) if count > 0 && stride >= size => {
            Ok((0..count).map(move |i| &bytes[i * stride..i * stride + size]))
        }
        _ => Err(MeshProblem::TooShort {
            claimed: count as u64,
            what: "items of an accessor",
            length: view.length(),
        }),
    }
}
