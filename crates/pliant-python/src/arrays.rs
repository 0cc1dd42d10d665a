//! Arrays made of what a frame tells, and what is read from arguments.

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pliant::core::measure::Frame;
use pliant::math::{DQuat, DVec3, Pose};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors;

/// The columns of a frame by their names, in arrays of their own.
pub fn of_frame<'py>(py: Python<'py>, frame: &Frame<'_>) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    columns.set_item("number", frame.number)?;
    columns.set_item("time", frame.time)?;
    let position = frame.position.iter().map(|x| x.to_array());
    columns.set_item("position", rows(py, position.collect())?)?;
    columns.set_item("velocity", rows(py, frame.velocity.to_vec())?)?;
    columns.set_item("id", PyArray1::from_slice(py, frame.id))?;
    columns.set_item("body", PyArray1::from_slice(py, frame.body))?;
    columns.set_item("material", PyArray1::from_slice(py, frame.material))?;
    columns.set_item("radius", PyArray1::from_slice(py, frame.radius))?;
    columns.set_item("triangles", rows(py, frame.triangles.to_vec())?)?;
    let numbers = frame.uv.as_flattened().as_flattened().to_vec();
    let uv = PyArray1::from_vec(py, numbers).reshape([frame.uv.len(), 3, 2])?;
    columns.set_item("uv", uv)?;
    columns.set_item("inside", PyArray1::from_slice(py, frame.inside))?;
    let quantities = PyDict::new(py);
    for quantity in frame.quantities {
        let values = PyArray1::from_slice(py, &quantity.values);
        quantities.set_item(quantity.name, values)?;
    }
    columns.set_item("quantities", quantities)?;
    Ok(columns)
}

/// An array of rows, whose memory it takes over.
pub fn rows<const N: usize, T: numpy::Element>(
    py: Python<'_>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'_, PyArray2<T>>> {
    let count = rows.len();
    PyArray1::from_vec(py, rows.into_flattened()).reshape([count, N])
}

/// A pose of a position [m] and a quaternion (x, y, z, w) that turns, of any length above zero; `None` turns
/// nothing.
pub fn pose(py: Python<'_>, position: [f64; 3], rotation: Option<[f64; 4]>) -> PyResult<Pose> {
    let rotation = rotation.map_or(DQuat::IDENTITY, DQuat::from_array);
    let length = rotation.length();
    if !(length > 0.0 && length.is_finite()) {
        let message = format!("a rotation is a quaternion (x, y, z, w), not {rotation}");
        return Err(errors::named(py, "InvalidValueError", &message));
    }
    Ok(Pose {
        rotation: rotation / length,
        translation: DVec3::from_array(position),
    })
}

/// Position [m] and quaternion (x, y, z, w) of a pose.
pub fn of_pose(pose: Pose) -> ([f64; 3], [f64; 4]) {
    (pose.translation.to_array(), pose.rotation.to_array())
}
