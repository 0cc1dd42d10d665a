//! Vertices and triangles, to which those of each frame are appended.

use rust_hdf5::{H5Group, Result};

use crate::columns::AppendedArray;
use crate::write;

/// The cells of one kind: corners, and where the corners of each begin.
pub(crate) struct Cells {
    group: H5Group,
    connectivity: AppendedArray,
    offsets: AppendedArray,
    /// Cells of each step, and corners.
    counts: Vec<[i64; 2]>,
}

impl Cells {
    /// None yet.
    pub fn new(root: &H5Group, name: &str) -> Result<Self> {
        let group = root.create_group(name)?;
        Ok(Self {
            connectivity: AppendedArray::new::<i64>(&group, "Connectivity", 1)?,
            offsets: AppendedArray::new::<i64>(&group, "Offsets", 1)?,
            group,
            counts: Vec::new(),
        })
    }

    /// Adds those of a step, so many corners each.
    pub fn add(&mut self, corners: impl Iterator<Item = u32>, each: usize) -> Result<()> {
        let corners: Vec<i64> = corners.map(i64::from).collect();
        let count = corners.len() / each;
        let offsets: Vec<i64> = (0..=count).map(|cell| (cell * each) as i64).collect();
        self.connectivity.add(&corners)?;
        self.offsets.add(&offsets)?;
        self.counts.push([count as i64, corners.len() as i64]);
        Ok(())
    }

    /// Where the cells of each step begin, and their corners.
    pub fn offsets(&self) -> Vec<[i64; 2]> {
        let mut sum = [0; 2];
        let offsets = self.counts.iter().map(|[cells, corners]| {
            let offset = sum;
            sum = [sum[0] + cells, sum[1] + corners];
            offset
        });
        offsets.collect()
    }

    /// Writes how many there are.
    pub fn finish(&self) -> Result<()> {
        for (place, name) in ["NumberOfCells", "NumberOfConnectivityIds"]
            .iter()
            .enumerate()
        {
            let counts: Vec<i64> = self.counts.iter().map(|of_step| of_step[place]).collect();
            write(&self.group, name, &counts, &[counts.len()])?;
        }
        Ok(())
    }
}
