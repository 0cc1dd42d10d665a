//! Cells of unstructured grids.

use pliant_math::DVec3;
use roxmltree::Node;

use super::{Values, VtkXml};

/// The cells of a piece.
#[derive(Debug)]
pub(crate) struct Cells {
    corners: Vec<u64>,
    /// Where the corners of each cell end.
    ends: Vec<usize>,
    kinds: Vec<u8>,
}

impl Cells {
    /// # Errors
    /// If arrays are missing, are of other numbers, or do not fit each other.
    pub(crate) fn of_piece<'a>(file: &VtkXml<'a>, piece: Node<'_, 'a>) -> Result<Self, String> {
        let numbers = |wanted: &str| {
            let mut arrays = file.arrays(piece, "Cells");
            let array = arrays.find(|(name, _)| *name == wanted);
            let (_, array) = array.ok_or_else(|| format!("its cells have no array `{wanted}`"))?;
            match file.values(array)? {
                Values::Integers(numbers) => Ok(numbers),
                Values::Reals(_) => Err(format!("its array `{wanted}` is not of integers")),
            }
        };
        let [corners, ends, kinds] = [
            numbers("connectivity")?,
            numbers("offsets")?,
            numbers("types")?,
        ];
        if ends.len() != kinds.len() {
            let (ends, kinds) = (ends.len(), kinds.len());
            return Err(format!("it has {kinds} types for {ends} offsets of cells"));
        }
        let kind = |(number, kind): (usize, i64)| {
            u8::try_from(kind).map_err(|_| format!("cell {number} is of type {kind}"))
        };
        let cells = Self {
            // A number below zero is that of no point, as one too large is.
            corners: corners
                .into_iter()
                .map(|corner| u64::try_from(corner).unwrap_or(u64::MAX))
                .collect(),
            ends: ends
                .into_iter()
                .map(|end| usize::try_from(end).unwrap_or(usize::MAX))
                .collect(),
            kinds: kinds
                .into_iter()
                .enumerate()
                .map(kind)
                .collect::<Result<_, _>>()?,
        };
        let count = cells.corners.len();
        let mut start = 0;
        for (number, &end) in cells.ends.iter().enumerate() {
            if end < start || end > count {
                return Err(format!(
                    "cell {number} ends at {end} of {count} points of cells"
                ));
            }
            start = end;
        }
        Ok(cells)
    }

    /// The corners and the type of each cell.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u64], u8)> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(&self.ends).map(|(start, &end)| start..end);
        let corners = ranges.map(|range| &self.corners[range]);
        corners.zip(self.kinds.iter().copied())
    }

    /// The means of the corners of each cell.
    ///
    /// # Errors
    /// If a cell has no corners, or one that is no point.
    pub(crate) fn middles(&self, points: &[DVec3]) -> Result<Vec<DVec3>, String> {
        let middle = |(number, (corners, _)): (usize, (&[u64], u8))| {
            let mut sum = DVec3::ZERO;
            for &corner in corners {
                let point = usize::try_from(corner).ok().and_then(|k| points.get(k));
                sum += *point.ok_or_else(|| {
                    format!("cell {number} has point {corner} of {}", points.len())
                })?;
            }
            match corners.len() {
                0 => Err(format!("cell {number} has no points")),
                count => Ok(sum / count as f64),
            }
        };
        self.iter().enumerate().map(middle).collect()
    }
}
