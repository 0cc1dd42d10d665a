//! Which part of the arrays belongs to which step.

use rust_hdf5::{H5Group, Result};

use crate::cells::Cells;
use crate::write;

/// The steps so far.
#[derive(Default)]
pub(crate) struct Steps {
    times: Vec<f64>,
    points: Vec<i64>,
}

impl Steps {
    /// Adds one with so many points.
    pub fn add(&mut self, time: f64, points: usize) {
        self.times.push(time);
        self.points.push(points as i64);
    }

    /// Writes them.
    ///
    /// * `cells` — vertices, lines, polygons, strips
    /// * `names` — of the arrays with a row a particle, and of those with a row a cell
    pub fn write(&self, root: &H5Group, cells: &[Cells; 4], names: [&[&str]; 2]) -> Result<()> {
        let [of_points, of_cells] = names;
        let count = self.times.len();
        write(root, "NumberOfPoints", &self.points, &[count])?;
        let group = root.create_group("Steps")?;
        group.set_attr_numeric("NSteps", &(count as i64))?;
        write(&group, "Values", &self.times, &[count])?;
        let numbers: Vec<i64> = (0..count as i64).collect();
        write(&group, "PartOffsets", &numbers, &[count])?;
        write(&group, "NumberOfParts", &vec![1_i64; count], &[count])?;
        let mut sum = 0;
        let offsets = self.points.iter().map(|points| {
            let offset = sum;
            sum += points;
            offset
        });
        let offsets: Vec<i64> = offsets.collect();
        write(&group, "PointOffsets", &offsets, &[count])?;
        write_offsets(&group, "PointDataOffsets", of_points, &offsets)?;
        let offsets: Vec<Vec<[i64; 2]>> = cells.iter().map(Cells::offsets).collect();
        let all_cells = |step: usize| offsets.iter().map(|of_kind| of_kind[step][0]).sum();
        let first_cells: Vec<i64> = (0..count).map(all_cells).collect();
        write_offsets(&group, "CellDataOffsets", of_cells, &first_cells)?;
        for (place, name) in ["CellOffsets", "ConnectivityIdOffsets"].iter().enumerate() {
            let of_step = |step: usize| offsets.iter().map(move |of_kind| of_kind[step][place]);
            let table: Vec<i64> = (0..count).flat_map(of_step).collect();
            write(&group, name, &table, &[count, 4])?;
        }
        Ok(())
    }
}

/// Writes where each step begins in some arrays, if there are any.
fn write_offsets(steps: &H5Group, name: &str, arrays: &[&str], offsets: &[i64]) -> Result<()> {
    if arrays.is_empty() {
        return Ok(());
    }
    let group = steps.create_group(name)?;
    let mut arrays = arrays.iter();
    arrays.try_for_each(|array| write(&group, array, offsets, &[offsets.len()]))
}
