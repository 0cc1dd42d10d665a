//! The film of a run's pictures.

use pliant_io::{FileError, PendingFile, read_bytes, remove_file, write_file};
use pliant_render::Picture;
use pliant_render::film::{Ffmpeg, FilmError, write_apng, write_gif};
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

/// What pictures are put together to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FilmFormat {
    /// An mp4 if `ffmpeg` is there and works, otherwise an animated PNG.
    #[default]
    Automatic,
    /// An mp4, by the program `ffmpeg`.
    Mp4,
    /// An animated PNG.
    Apng,
    /// A GIF.
    Gif,
    /// Nothing.
    None,
}

impl FilmFormat {
    /// The names of all, as scenes write them.
    pub const NAMES: [&str; 5] = ["automatic", "mp4", "apng", "gif", "none"];

    /// That of a name, if it is one of [`Self::NAMES`].
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "automatic" => Some(Self::Automatic),
            "mp4" => Some(Self::Mp4),
            "apng" => Some(Self::Apng),
            "gif" => Some(Self::Gif),
            "none" => Some(Self::None),
            _ => None,
        }
    }
}

/// Makes the film of all pictures in a folder and returns its name, `None` if there shall be none. An older film is
/// replaced.
///
/// # Errors
/// If there are no pictures, the film cannot be written, or it needs a program that is not there.
pub fn make_film(
    folder: &OutputFolder,
    frames_per_second: f64,
    format: FilmFormat,
) -> Result<Option<&'static str>, NoFilm> {
    let [mp4, apng, gif] = FILM_NAMES;
    let name = match format {
        FilmFormat::None => None,
        FilmFormat::Mp4 => {
            let ffmpeg = Ffmpeg::find().ok_or_else(no_ffmpeg)?;
            with_ffmpeg(&ffmpeg, folder, mp4, frames_per_second)?;
            Some(mp4)
        }
        FilmFormat::Apng => {
            with_apng(folder, apng, frames_per_second)?;
            Some(apng)
        }
        FilmFormat::Gif => {
            with_gif(folder, gif, frames_per_second)?;
            Some(gif)
        }
        FilmFormat::Automatic => {
            let found = Ffmpeg::find();
            let made = found.map(|ffmpeg| with_ffmpeg(&ffmpeg, folder, mp4, frames_per_second));
            match made {
                Some(Ok(())) => Some(mp4),
                Some(Err(NoFilm::Film(FilmError::Ffmpeg(_)))) | None => {
                    with_apng(folder, apng, frames_per_second)?;
                    Some(apng)
                }
                Some(Err(error)) => return Err(error),
            }
        }
    };
    for other in FILM_NAMES.into_iter().filter(|other| Some(*other) != name) {
        remove_file(&folder.preview().join(other))?;
    }
    Ok(name)
}

fn no_ffmpeg() -> FilmError {
    FilmError::Ffmpeg("it is not there; install it, or ask for an apng or a gif".into())
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

fn with_ffmpeg(
    ffmpeg: &Ffmpeg,
    folder: &OutputFolder,
    name: &str,
    rate: f64,
) -> Result<(), NoFilm> {
    let pending = PendingFile::new(&folder.preview().join(name));
    ffmpeg.write_mp4(pending.temporary(), rate, pictures(folder)?)?;
    Ok(pending.commit()?)
}

fn with_gif(folder: &OutputFolder, name: &str, rate: f64) -> Result<(), NoFilm> {
    let mut bytes = Vec::new();
    write_gif(&mut bytes, rate, pictures(folder)?)?;
    write_file(&folder.preview().join(name), |out| out.write_all(&bytes))?;
    Ok(())
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
    fn every_name_of_a_film_stands_for_a_format() {
        assert!(
            FilmFormat::NAMES
                .iter()
                .all(|name| FilmFormat::named(name).is_some())
        );
        assert_eq!(FilmFormat::named("webp"), None);
    }

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
