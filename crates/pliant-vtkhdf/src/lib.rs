//! All frames of a run in one file for ParaView: VTKHDF, a PolyData with steps (version 2.0 of the format,
//! <https://docs.vtk.org/en/latest/vtk_file_formats/vtkhdf_file_format/index.html>).
//!
//! | what | where |
//! | --- | --- |
//! | the file | [`VtkhdfFile`] |
//! | arrays to which frames are appended | `columns` |
//! | vertices and triangles | `cells` |
//! | what triangles have | `triangles` |
//! | which part of the arrays belongs to which step | `steps` |
//!
//! A vertex cell for each particle, a polygon for each triangle; positions in single precision. The file is for other
//! programs: it is not read back.

mod cells;
mod columns;
mod file;
mod steps;
#[cfg(test)]
mod tests;
mod triangles;

pub use file::{VtkhdfError, VtkhdfFile};

use rust_hdf5::{H5Group, H5Type, Result};

/// Rows of a chunk, the unit in which appended arrays are stored.
const CHUNK: usize = 1 << 14;

/// Writes an array of a known size.
fn write<T: H5Type>(group: &H5Group, name: &str, values: &[T], shape: &[usize]) -> Result<()> {
    let array = group.new_dataset::<T>().shape(shape).create(name)?;
    match values {
        [] => Ok(()),
        values => array.write_raw(values),
    }
}
