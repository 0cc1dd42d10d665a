//! Pictures and films as the bytes of files.

use pliant::render::Picture;
use pliant::render::film::{write_apng, write_gif};
use pliant::render::picture::encode_png;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors;

/// Columns, rows, and red, green, blue of each pixel.
type Pixels = (u32, u32, Vec<u8>);

/// A picture as PNG.
#[pyfunction]
pub fn png<'py>(py: Python<'py>, picture: Pixels) -> PyResult<Bound<'py, PyBytes>> {
    let encoded = py.detach(|| encode_png(&of_pixels(picture)));
    let encoded = encoded.map_err(|error| refused(py, &error))?;
    Ok(PyBytes::new(py, &encoded))
}

/// Pictures as a film: a GIF, or an animated PNG.
#[pyfunction]
pub fn film<'py>(
    py: Python<'py>,
    pictures: Vec<Pixels>,
    frame_rate: f64,
    is_gif: bool,
) -> PyResult<Bound<'py, PyBytes>> {
    let made = py.detach(|| {
        let count = pictures.len() as u32;
        let pictures = pictures.into_iter().map(of_pixels).map(Ok::<_, String>);
        let mut bytes = Vec::new();
        match is_gif {
            true => write_gif(&mut bytes, frame_rate, pictures)?,
            false => write_apng(&mut bytes, frame_rate, count, pictures)?,
        }
        Ok::<_, pliant::render::film::FilmError>(bytes)
    });
    let made = made.map_err(|error| refused(py, &error))?;
    Ok(PyBytes::new(py, &made))
}

fn of_pixels((width, height, rgb): Pixels) -> Picture {
    Picture { width, height, rgb }
}

fn refused(py: Python<'_>, error: &dyn std::error::Error) -> PyErr {
    errors::named(py, "InvalidValueError", &error.to_string())
}
