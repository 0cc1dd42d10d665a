//! The film in the report.

use std::path::{Path, PathBuf};

use pliant_io::{FileError, read_bytes};

use crate::page::data;
use crate::run::{Manifest, OutputFolder};

/// Films larger than this [bytes] are not put into the page, but shown from their own file.
const LARGEST_INSIDE: usize = 20_000_000;
/// The picture shown before the film starts, as a share of the run: when things have happened.
const POSTER: f64 = 0.6;

/// The film, or the last picture if there is none; empty without pictures.
pub fn section(folder: &OutputFolder, manifest: &Manifest) -> Result<String, FileError> {
    let shown = match &manifest.film {
        Some(name) => film(folder, name)?,
        None => match folder.pictures().list()?.last() {
            Some((_, last)) => format!(
                "<img alt=\"The last picture\" src=\"{}\">\n",
                data("image/png", &read_bytes(last)?)
            ),
            None => return Ok(String::new()),
        },
    };
    Ok(format!("<section class=\"film\">\n{shown}</section>\n"))
}

fn film(folder: &OutputFolder, name: &str) -> Result<String, FileError> {
    let bytes = read_bytes(&folder.root().join(name))?;
    let extension = Path::new(name).extension().and_then(|e| e.to_str());
    let is_video = extension == Some("mp4");
    let kind = match extension {
        Some("mp4") => "video/mp4",
        Some("gif") => "image/gif",
        _ => "image/png",
    };
    let source = match bytes.len() < LARGEST_INSIDE {
        true => data(kind, &bytes),
        false => name.to_owned(),
    };
    if !is_video {
        return Ok(format!("<img alt=\"The film\" src=\"{source}\">\n"));
    }
    Ok(format!(
        "<video controls loop muted autoplay playsinline poster=\"{}\" src=\"{source}\"></video>\n",
        poster(folder)?
    ))
}

fn poster(folder: &OutputFolder) -> Result<String, FileError> {
    match poster_file(folder)? {
        Some(path) => Ok(data("image/png", &read_bytes(&path)?)),
        None => Ok(String::new()),
    }
}

/// The picture that stands for a run, if it has any.
///
/// # Errors
/// If the folder cannot be listed.
pub fn poster_file(folder: &OutputFolder) -> Result<Option<PathBuf>, FileError> {
    let mut pictures = folder.pictures().list()?;
    let place = (POSTER * pictures.len() as f64) as usize;
    Ok((place < pictures.len()).then(|| pictures.swap_remove(place).1))
}
