//! A GIF, which pages of code and mail show where they show no film.
//!
//! Each frame has 255 colours of its own and holds only the pixels that changed; the others are transparent and show
//! the frame before.

use std::error::Error;
use std::io::Write;

use gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::patch::{Patch, reduced};
use super::{FilmError, Reel};
use crate::Picture;

/// Pictures wider than this are halved.
const LARGEST_WIDTH: u32 = 640;
/// How fast colours are chosen, from 1, the best, to 30.
const HASTE: i32 = 10;
/// Least time between two frames [1/100 s]: players take shorter ones for none at all.
const LEAST_DELAY: u64 = 2;

/// Writes a GIF that repeats for ever, at most 640 pixels wide. Of more than fifty frames a second some are left
/// out.
///
/// # Errors
/// [`FilmError`] for no, unreadable, unequal or too large pictures, an impossible rate, or a failed write; what was
/// written until then is no film.
pub fn write_gif<E: Into<Box<dyn Error + Send + Sync>>>(
    output: impl Write,
    frames_per_second: f64,
    pictures: impl IntoIterator<Item = Result<Picture, E>>,
) -> Result<(), FilmError> {
    let mut reel = Reel::new(pictures.into_iter(), frames_per_second)?;
    let Some(first) = reel.next()? else {
        return Err(FilmError::Empty);
    };
    let mut shown = reduced(first, LARGEST_WIDTH);
    let [width, height] = [side(shown.width)?, side(shown.height)?];
    let mut encoder = Encoder::new(output, width, height, &[])?;
    encoder.set_repeat(Repeat::Infinite)?;
    // Rounded times, not rounded durations, which would add up.
    let clock = |n: u64| (100.0 * n as f64 / frames_per_second).round() as u64;
    let mut patch = Patch::whole(&shown);
    let (mut start, mut number) = (0, 1);
    while let Some(picture) = reel.next()? {
        if clock(number) - start >= LEAST_DELAY {
            encoder.write_frame(&frame(patch, clock(number) - start))?;
            patch = Patch::of_changes(&mut shown, &reduced(picture, LARGEST_WIDTH));
            start = clock(number);
        }
        number += 1;
    }
    let delay = (clock(number) - start).max(LEAST_DELAY);
    Ok(encoder.write_frame(&frame(patch, delay))?)
}

/// A length that the format can hold.
fn side(pixels: u32) -> Result<u16, FilmError> {
    u16::try_from(pixels).map_err(|_| FilmError::TooLarge(pixels))
}

/// A patch that is shown for a time [1/100 s].
fn frame(mut patch: Patch, delay: u64) -> Frame<'static> {
    // No patch is larger than the first one, which fits.
    let [left, top, width, height] =
        [patch.left, patch.top, patch.width, patch.height].map(|n| n as u16);
    Frame {
        delay: delay.min(u64::from(u16::MAX)) as u16,
        dispose: DisposalMethod::Keep,
        left,
        top,
        ..Frame::from_rgba_speed(width, height, &mut patch.rgba, HASTE)
    }
}

#[cfg(test)]
mod tests {
    use gif::{ColorOutput, DecodeOptions};

    use super::*;

    type Infallible = Result<Picture, std::convert::Infallible>;

    /// A white square that moves to the right on grey.
    fn moving_square(n: u32) -> Picture {
        let mut picture = Picture::filled(100, 60, [100, 101, 102]);
        for y in 10..20 {
            for x in 5 + 3 * n..15 + 3 * n {
                let at = 3 * (y * 100 + x) as usize;
                picture.rgb[at..at + 3].copy_from_slice(&[240, 240, 240]);
            }
        }
        picture
    }

    fn film(frames_per_second: f64, count: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let pictures = (0..count).map(|n| -> Infallible { Ok(moving_square(n)) });
        write_gif(&mut bytes, frames_per_second, pictures).unwrap();
        bytes
    }

    /// The pictures as a player shows them, and how long all take [1/100 s].
    fn played(bytes: &[u8]) -> (Vec<Picture>, u32) {
        let mut options = DecodeOptions::new();
        options.set_color_output(ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        let (width, height) = (decoder.width().into(), decoder.height().into());
        let mut shown = Picture::filled(width, height, [0; 3]);
        let (mut pictures, mut total) = (Vec::new(), 0);
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            let pixels = frame.buffer.chunks_exact(4).zip(0..);
            for (pixel, place) in pixels.filter(|(pixel, _)| pixel[3] == 255) {
                let (left, top, across) = (frame.left.into(), frame.top, u32::from(frame.width));
                let (x, y): (u32, u32) = (left, top.into());
                let at = 3 * ((y + place / across) * width + x + place % across) as usize;
                shown.rgb[at..at + 3].copy_from_slice(&pixel[..3]);
            }
            total += u32::from(frame.delay);
            pictures.push(shown.clone());
        }
        (pictures, total)
    }

    #[test]
    fn film_decodes_to_its_pictures() {
        let (pictures, total) = played(&film(24.0, 12));
        assert_eq!((pictures.len(), total), (12, 50));
        for (n, shown) in (0..).zip(&pictures) {
            let expected = moving_square(n);
            let off = shown.rgb.iter().zip(&expected.rgb);
            let greatest = off.map(|(a, b)| a.abs_diff(*b)).max();
            assert!(greatest.unwrap() <= 12, "{greatest:?}");
        }
    }

    #[test]
    fn frames_too_short_for_players_are_left_out_and_the_film_takes_its_time() {
        let (pictures, total) = played(&film(200.0, 41));
        // The last one would be shown for a hundredth of a second.
        assert_eq!((pictures.len(), total), (11, 22));
    }

    #[test]
    fn large_pictures_are_halved_and_impossible_films_refused() {
        let mut bytes = Vec::new();
        let picture: Infallible = Ok(Picture::filled(1280, 720, [9; 3]));
        write_gif(&mut bytes, 24.0, [picture]).unwrap();
        let (pictures, _) = played(&bytes);
        assert_eq!((pictures[0].width, pictures[0].height), (640, 360));
        let none: [Infallible; 0] = [];
        let refused = write_gif(&mut bytes, 24.0, none);
        assert!(matches!(refused, Err(FilmError::Empty)));
        let tall: Infallible = Ok(Picture::filled(1, 70_000, [0; 3]));
        let refused = write_gif(&mut bytes, 24.0, [tall]);
        assert!(matches!(refused, Err(FilmError::TooLarge(70_000))));
    }
}
