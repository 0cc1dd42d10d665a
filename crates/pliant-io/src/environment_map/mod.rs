//! Environment maps from Radiance files (`.hdr`): RGBE, plain or run-length encoded (Ward 1991).

use std::path::{Path, PathBuf};

use pliant_parameters::{Disk, Files};
use thiserror::Error;

use crate::FileError;
use crate::beside::read_from;

#[cfg(test)]
mod tests;

/// An environment map (HDRI) in equirectangular projection: linear, row by row from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct EnvironmentPixels {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green and blue of each pixel.
    pub pixels: Vec<[f32; 3]>,
}

/// Why there is no environment map.
#[derive(Debug, Error)]
pub enum EnvironmentFileError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is no Radiance file, or damaged.
    #[error("`{}` is not a usable Radiance file: {why} (environment maps are read from .hdr files)", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
}

/// Most columns and rows: what is greater is taken to be damaged.
const LARGEST: usize = 32_768;

/// Narrower rows are not encoded.
const LEAST_ENCODED: usize = 8;

/// Reads a file.
///
/// # Errors
/// If it cannot be read, or is no Radiance file of RGBE pixels, rows from the top.
pub fn read(path: &Path) -> Result<EnvironmentPixels, EnvironmentFileError> {
    let bytes = read_from(&Disk as &dyn Files, path)?;
    decoded(&bytes).map_err(|why| EnvironmentFileError::Unusable {
        path: path.to_owned(),
        why,
    })
}

/// What bytes say, or why they do not.
fn decoded(bytes: &[u8]) -> Result<EnvironmentPixels, String> {
    let mut rest = bytes;
    let [width, height] = read_head(&mut rest)?;
    let mut pixels = Vec::new();
    let mut row = vec![[0; 4]; width];
    for number in 0..height {
        read_row(&mut rest, &mut row)
            .ok_or_else(|| format!("row {number} of {height} is damaged"))?;
        pixels.extend(row.iter().map(|&pixel| radiance(pixel)));
    }
    Ok(EnvironmentPixels {
        width: width as u32,
        height: height as u32,
        pixels,
    })
}

/// Columns and rows; what follows the head is left.
fn read_head(rest: &mut &[u8]) -> Result<[usize; 2], String> {
    let mut line = || {
        let end = rest.iter().take(4096).position(|byte| *byte == b'\n')?;
        let line = String::from_utf8_lossy(&rest[..end]).trim_end().to_owned();
        *rest = &rest[end + 1..];
        Some(line)
    };
    let cut_off = || "its head has no end".to_owned();
    if !line().is_some_and(|first| first.starts_with("#?")) {
        return Err("it does not begin with #?RADIANCE".into());
    }
    loop {
        let line = line().ok_or_else(cut_off)?;
        if line.is_empty() {
            break;
        }
        let format = line.strip_prefix("FORMAT=");
        if format.is_some_and(|format| format.trim() != "32-bit_rle_rgbe") {
            return Err(format!(
                "its pixels are {line}, and 32-bit_rle_rgbe is read"
            ));
        }
    }
    let size = line().ok_or_else(cut_off)?;
    let words: Vec<&str> = size.split_whitespace().collect();
    let side = |text: &str| {
        text.parse()
            .ok()
            .filter(|side| (1..=LARGEST).contains(side))
    };
    match words[..] {
        ["-Y", height, "+X", width] => match (side(width), side(height)) {
            (Some(width), Some(height)) => Ok([width, height]),
            _ => Err(format!(
                "its size `{size}` is not 1 to {LARGEST} columns and rows"
            )),
        },
        _ => Err(format!(
            "its rows are in the order `{size}`, and -Y .. +X .. is read"
        )),
    }
}

/// Reads a row of pixels; `None` if it is damaged.
fn read_row(rest: &mut &[u8], row: &mut [[u8; 4]]) -> Option<()> {
    let width = row.len();
    let [a, b, high, low] = *rest.first_chunk()?;
    let is_encoded = width >= LEAST_ENCODED && [a, b] == [2, 2];
    if is_encoded && usize::from(u16::from_be_bytes([high, low])) == width {
        *rest = &rest[4..];
        return (0..4).try_for_each(|channel| read_channel(rest, row, channel));
    }
    read_pixels(rest, row)
}

/// Reads one number of all pixels of a row, in runs of the same and of different ones.
fn read_channel(rest: &mut &[u8], row: &mut [[u8; 4]], channel: usize) -> Option<()> {
    let mut column = 0;
    while column < row.len() {
        let code = usize::from(take::<1>(rest)?[0]);
        let (count, is_run) = if code > 128 {
            (code - 128, true)
        } else {
            (code, false)
        };
        let pixels = row
            .get_mut(column..column + count)
            .filter(|pixels| !pixels.is_empty())?;
        if is_run {
            let value = take::<1>(rest)?[0];
            pixels.iter_mut().for_each(|pixel| pixel[channel] = value);
        } else {
            for pixel in pixels {
                pixel[channel] = take::<1>(rest)?[0];
            }
        }
        column += count;
    }
    Some(())
}

/// Reads whole pixels; three ones and a number repeat the last so often, a second such number 256 times as often.
fn read_pixels(rest: &mut &[u8], row: &mut [[u8; 4]]) -> Option<()> {
    let (mut column, mut shift) = (0, 0);
    while column < row.len() {
        let pixel = take::<4>(rest)?;
        if pixel[..3] != [1; 3] {
            row[column] = pixel;
            (column, shift) = (column + 1, 0);
            continue;
        }
        let count = usize::from(pixel[3]).checked_shl(shift)?;
        let last = *row.get(column.checked_sub(1)?)?;
        row.get_mut(column..column.checked_add(count)?)?.fill(last);
        (column, shift) = (column + count, shift + 8);
    }
    Some(())
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, left) = rest.split_first_chunk()?;
    *rest = left;
    Some(*taken)
}

/// Of three mantissas and their exponent.
fn radiance([r, g, b, exponent]: [u8; 4]) -> [f32; 3] {
    if exponent == 0 {
        return [0.0; 3];
    }
    // The middle of what a mantissa stands for (Ward 1991).
    let unit = f64::powi(2.0, i32::from(exponent) - 136);
    [r, g, b].map(|mantissa| ((f64::from(mantissa) + 0.5) * unit) as f32)
}
