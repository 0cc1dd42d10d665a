//! Pictures to a film: an mp4 by the program `ffmpeg` if there is one, an animated PNG, a GIF.
//!
//! Films are written to a path or `Write` of the caller's choice, under a temporary name that the
//! caller renames afterwards. A film that cannot be made is an error with advice, and no reason to
//! end a run: the pictures are still there.

mod apng;
mod ffmpeg;
mod gif;
mod patch;

use std::error::Error;

pub use self::gif::write_gif;
pub use apng::write_apng;
pub use ffmpeg::Ffmpeg;

/// Why there is no film.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// There was no picture to make it from.
    #[error("a film needs at least one picture")]
    Empty,
    /// A picture could not be had.
    #[error("picture {number} of the film cannot be read: {source}")]
    Picture {
        /// Its place in the film, from 1.
        number: u32,
        /// Why.
        source: Box<dyn Error + Send + Sync>,
    },
    /// A picture has another size than the first one.
    #[error(
        "picture {number} is {width} x {height} pixels, the first one {first_width} x {first_height}; \
         render all pictures at one size"
    )]
    Size {
        /// Its place in the film, from 1.
        number: u32,
        /// Its columns.
        width: u32,
        /// Its rows.
        height: u32,
        /// Columns of the first picture.
        first_width: u32,
        /// Rows of the first picture.
        first_height: u32,
    },
    /// Frames per second that no film has.
    #[error("{0} frames per second are not possible; use a number from 0.1 to 1000")]
    Rate(f64),
    /// ffmpeg could not be run or refused.
    #[error(
        "ffmpeg made no film: {0}; the pictures are complete, so `pliant render` can make it again \
         once ffmpeg works"
    )]
    Ffmpeg(String),
    /// The film could not be written.
    #[error("the film cannot be written: {0}; is there space left?")]
    Write(#[from] std::io::Error),
    /// It could not be encoded.
    #[error("the film cannot be encoded: {0}")]
    Encode(#[from] png::EncodingError),
    /// A GIF could not be written.
    #[error("the GIF cannot be written: {0}; is there space left?")]
    Gif(#[from] ::gif::EncodingError),
    /// A side is longer than the format can tell.
    #[error("a GIF cannot be {0} pixels wide or high; 65535 is the most")]
    TooLarge(u32),
}

/// The pictures of a film, checked: each readable, each of the first one's size.
struct Reel<I> {
    pictures: I,
    number: u32,
    size: Option<[u32; 2]>,
}

impl<I> Reel<I> {
    fn new(pictures: I, frames_per_second: f64) -> Result<Self, FilmError> {
        if !(0.1..=1000.0).contains(&frames_per_second) {
            return Err(FilmError::Rate(frames_per_second));
        }
        Ok(Self {
            pictures,
            number: 0,
            size: None,
        })
    }
}

impl<I, E> Reel<I>
where
    I: Iterator<Item = Result<crate::Picture, E>>,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    /// The next picture, `None` after the last one.
    fn next(&mut self) -> Result<Option<crate::Picture>, FilmError> {
        let Some(picture) = self.pictures.next() else {
            return Ok(None);
        };
        self.number += 1;
        let number = self.number;
        let picture = picture.map_err(|source| FilmError::Picture {
            number,
            source: source.into(),
        })?;
        let [first_width, first_height] = *self.size.get_or_insert([picture.width, picture.height]);
        if [picture.width, picture.height] != [first_width, first_height] {
            return Err(FilmError::Size {
                number,
                width: picture.width,
                height: picture.height,
                first_width,
                first_height,
            });
        }
        Ok(Some(picture))
    }
}
