//! Columns of vectors, read from arrays that programs give.

use numpy::{Element, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::errors;

/// The rows of an array; `None` if they do not lie one after the other.
pub fn read_rows<T: Element + Copy, V>(
    array: &PyReadonlyArray2<'_, T>,
    vector: impl Fn([T; 3]) -> V,
) -> Option<Vec<V>> {
    let (rows, _) = array.as_slice().ok()?.as_chunks::<3>();
    Some(rows.iter().map(|&row| vector(row)).collect())
}

/// The columns in arrays of rows of three.
pub fn columns<T: Element + Copy, V>(
    py: Python<'_>,
    arrays: Option<Vec<PyReadonlyArray2<'_, T>>>,
    vector: impl Fn([T; 3]) -> V,
) -> PyResult<Option<Vec<Vec<V>>>> {
    let Some(arrays) = arrays else {
        return Ok(None);
    };
    let columns = arrays.iter().map(|array| {
        read_rows(array, &vector).ok_or_else(|| {
            let message = "positions and velocities are rows of three numbers one after the other";
            errors::named(py, "InvalidValueError", message)
        })
    });
    columns.collect::<PyResult<_>>().map(Some)
}

/// A column in the order of the particles; one of another length as it is.
///
/// * `order` — places by id
pub fn by_place<V: Copy>(column: &[V], order: &[usize]) -> Vec<V> {
    let mut sorted = column.to_vec();
    if column.len() == order.len() {
        for (&place, &value) in order.iter().zip(column) {
            sorted[place] = value;
        }
    }
    sorted
}
