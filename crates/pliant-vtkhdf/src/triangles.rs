//! What triangles have, as data of cells: texture coordinates, and which of them are faces of cuts.
//!
//! VTK has data of all cells or of none, so particles have rows of zeros. There are no arrays before the first frame with
//! something to write; what came earlier has zeros too.

use pliant_core::measure::Frame;
use rust_hdf5::{H5Group, H5Type, Result};

use crate::columns::AppendedArray;

/// Names of the arrays, those of the VTP files.
const UV: &str = "uv";
const INSIDE: &str = "inside";

/// Zeros that are written at a time: whole rows of each of the arrays.
const ZEROS: usize = 6 << 16;

/// The arrays of cells.
#[derive(Default)]
pub(crate) struct TriangleColumns {
    /// Made for the first array.
    group: Option<H5Group>,
    /// u and v of each corner.
    uv: Option<AppendedArray>,
    /// 1 for faces of cuts.
    inside: Option<AppendedArray>,
    /// Cells so far.
    cells: usize,
}

impl TriangleColumns {
    /// Adds a frame, whose triangles come after so many cells that are particles.
    pub fn add(&mut self, root: &H5Group, frame: &Frame<'_>, particles: usize) -> Result<()> {
        if self.uv.is_none() && !frame.uv.is_empty() {
            self.uv = Some(self.begin::<f32>(root, UV, 6)?);
        }
        if self.inside.is_none() && !frame.inside.is_empty() {
            self.inside = Some(self.begin::<u8>(root, INSIDE, 1)?);
        }
        let triangles = frame.triangles.len();
        if let Some(uv) = &self.uv {
            add_zeros::<f32>(uv, 6 * particles)?;
            let values = frame.uv.as_flattened().as_flattened();
            uv.add(values)?;
            add_zeros::<f32>(uv, 6 * triangles - values.len())?;
        }
        if let Some(inside) = &self.inside {
            add_zeros::<u8>(inside, particles)?;
            let values: Vec<u8> = frame.inside.iter().map(|&flag| u8::from(flag)).collect();
            inside.add(&values)?;
            add_zeros::<u8>(inside, triangles - values.len())?;
        }
        self.cells += particles + triangles;
        Ok(())
    }

    /// Names of the arrays that there are.
    pub fn names(&self) -> Vec<&'static str> {
        let uv = self.uv.as_ref().map(|_| UV);
        uv.into_iter()
            .chain(self.inside.as_ref().map(|_| INSIDE))
            .collect()
    }

    /// An array with zeros for the cells so far.
    fn begin<T: H5Type + Default + Copy>(
        &mut self,
        root: &H5Group,
        name: &str,
        width: usize,
    ) -> Result<AppendedArray> {
        let group = match &self.group {
            Some(group) => group,
            None => self.group.insert(root.create_group("CellData")?),
        };
        let array = AppendedArray::new::<T>(group, name, width)?;
        add_zeros::<T>(&array, width * self.cells)?;
        Ok(array)
    }
}

/// Adds so many zeros, whole rows of them.
fn add_zeros<T: H5Type + Default + Copy>(array: &AppendedArray, count: usize) -> Result<()> {
    let zeros = vec![T::default(); ZEROS.min(count)];
    for start in (0..count).step_by(ZEROS) {
        array.add(&zeros[..ZEROS.min(count - start)])?;
    }
    Ok(())
}
