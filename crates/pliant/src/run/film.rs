//! The film of a run's pictures.

use pliant_io::{FileError, PendingFile, read_bytes, remove_file, write_file};
use pliant_render::Picture;
use pliant_render::film::{Ffmpeg, FilmError, write_apng};
use pliant_render::picture::decode_png;

use super::folder::{FILM_NAMES, OutputFolder};

/// Why there is no film.
#[derive(Debug, thiserror::Error)]
pub enum NoFilm {
    /// It could not be made.
    #[error(transparent)]
    Film(#[from] FilmError),
    /// It could not be written.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Makes the film of all pictures in a folder, an mp4 if `ffmpeg` is there and works, otherwise an
/// animated PNG, and returns its name. An older film is replaced.
///
/// # Errors
/// If there are no pictures, or neither film can be written.
pub fn make_film(folder: &OutputFolder, frames_per_second: f64) -> Result<&'static str, NoFilm> {
    let [mp4, apng] = FILM_NAMES;
    let made = with_ffmpeg(folder, mp4, frames_per_second)?;
    let name = match made {
        true => mp4,
        false => {
            with_apng(folder, apng, frames_per_second)?;
            apng
        }
    };
    for other in FILM_NAMES.into_iter().filter(|other| *other != name) {
        remove_file(&folder.preview().join(other))?;
    }
    Ok(name)
}

/// The numbers from a first to a last frame that are not among those found, which increase: `3, 5 to 7`;
/// `None` if none is missing.
pub fn missing_frames(found: &[u32], first: u32, last: u32) -> Option<String> {
    let mut spans = Vec::new();
    let mut next = first;
    let found = found.iter().copied().filter(|n| (first..=last).contains(n));
    for number in found.chain([last.saturating_add(1)]) {
        match number.saturating_sub(next) {
            0 => {}
            1 => spans.push(next.to_string()),
            _ => spans.push(format!("{next} to {}", number - 1)),
        }
        next = number.saturating_add(1);
    }
    (!spans.is_empty()).then(|| spans.join(", "))
}

/// False if there is no ffmpeg that can do it.
fn with_ffmpeg(folder: &OutputFolder, name: &str, rate: f64) -> Result<bool, NoFilm> {
    let Some(ffmpeg) = Ffmpeg::find() else {
        return Ok(false);
    };
    let pending = PendingFile::new(&folder.preview().join(name));
    match ffmpeg.write_mp4(pending.temporary(), rate, pictures(folder)?) {
        Ok(()) => pending.commit().map(|()| true).map_err(NoFilm::from),
        Err(FilmError::Ffmpeg(_)) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

fn with_apng(folder: &OutputFolder, name: &str, rate: f64) -> Result<(), NoFilm> {
    let mut bytes = Vec::new();
    let count = folder.pictures().list()?.len() as u32;
    write_apng(&mut bytes, rate, count, pictures(folder)?)?;
    write_file(&folder.preview().join(name), |out| out.write_all(&bytes))?;
    Ok(())
}

type AnyError = Box<dyn std::error::Error + Send + Sync>;

/// The pictures in order, each read when its turn comes.
fn pictures(
    folder: &OutputFolder,
) -> Result<impl Iterator<Item = Result<Picture, AnyError>>, FileError> {
    let files = folder.pictures().list()?;
    Ok(files.into_iter().map(|(_, path)| {
        let bytes = read_bytes(&path)?;
        Ok(decode_png(&bytes)?)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_frames_are_reported_as_spans() {
        let missing = |found: &[u32], last| missing_frames(found, 1, last);
        assert_eq!(missing(&[1, 2, 3], 3), None);
        assert_eq!(missing(&[1, 2, 4, 8], 8).as_deref(), Some("3, 5 to 7"));
        assert_eq!(missing(&[2, 3], 5).as_deref(), Some("1, 4 to 5"));
        assert_eq!(missing(&[], 2).as_deref(), Some("1 to 2"));
        assert_eq!(missing_frames(&[1, 2, 9], 3, 1), None);
    }
}
