//! An animated PNG, without any other program.
//!
//! Each frame holds only the pixels that changed; the others are transparent and show the frame before, so
//! that still ground costs nothing. Changed pixels are rounded to fewer levels, which moving grains hide.

use std::error::Error;
use std::io::Write;

use png::{BitDepth, BlendOp, ColorType, Compression, Encoder, SrgbRenderingIntent, Writer};

use super::patch::{Patch, reduced, rounded};
use super::{FilmError, Reel};
use crate::Picture;

/// Pictures wider than this are halved.
const LARGEST_WIDTH: u32 = 854;

/// Writes an animated PNG of so many pictures that repeats for ever, at most 854 pixels wide.
///
/// # Errors
/// [`FilmError`] for no, unreadable, unequal or too few pictures, an impossible rate, or a failed write;
/// what was written until then is no film.
pub fn write_apng<E: Into<Box<dyn Error + Send + Sync>>>(
    output: &mut impl Write,
    frames_per_second: f64,
    count: u32,
    pictures: impl IntoIterator<Item = Result<Picture, E>>,
) -> Result<(), FilmError> {
    let mut reel = Reel::new(pictures.into_iter(), frames_per_second)?;
    let Some(first) = reel.next()? else {
        return Err(FilmError::Empty);
    };
    let mut shown = rounded(&reduced(first, LARGEST_WIDTH));
    let mut encoder = Encoder::new(output, shown.width, shown.height);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_source_srgb(SrgbRenderingIntent::Perceptual);
    encoder.set_compression(Compression::Balanced);
    encoder.set_animated(count, 0)?;
    encoder.set_blend_op(BlendOp::Over)?;
    encoder.validate_sequence(true);
    let mut writer = encoder.write_header()?;
    // Rounded times, not rounded durations, which would add up.
    let clock = |n: u64| (1000.0 * n as f64 / frames_per_second).round() as u64;
    append_frame(&mut writer, &Patch::whole(&shown), clock(1))?;
    let mut number = 1;
    while let Some(picture) = reel.next()? {
        let patch = Patch::of_changes(&mut shown, &reduced(picture, LARGEST_WIDTH));
        append_frame(&mut writer, &patch, clock(number + 1) - clock(number))?;
        number += 1;
    }
    Ok(writer.finish()?)
}

/// Appends a patch that is shown for a number of milliseconds, laid over what was there before.
fn append_frame<W: Write>(
    writer: &mut Writer<W>,
    patch: &Patch,
    milliseconds: u64,
) -> Result<(), FilmError> {
    // The place has to fit the size at every moment.
    writer.reset_frame_position()?;
    writer.set_frame_dimension(patch.width, patch.height)?;
    writer.set_frame_position(patch.left, patch.top)?;
    writer.set_frame_delay(milliseconds.clamp(1, u64::from(u16::MAX)) as u16, 1000)?;
    Ok(writer.write_image_data(&patch.rgba)?)
}

#[cfg(test)]
mod tests {
    use super::super::patch::CHANGE;
    use super::*;
    use std::io::Cursor;

    type Infallible = Result<Picture, std::convert::Infallible>;

    /// A white square that moves to the right on grey.
    fn moving_square(width: u32, height: u32, n: u32) -> Picture {
        let mut picture = Picture::filled(width, height, [100, 101, 102]);
        for y in 10..20 {
            for x in 5 + 3 * n..15 + 3 * n {
                let at = 3 * (y * width + x) as usize;
                picture.rgb[at..at + 3].copy_from_slice(&[240, 240, 240]);
            }
        }
        picture
    }

    fn film(count: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let pictures = (0..count).map(|n| -> Infallible { Ok(moving_square(101, 63, n)) });
        write_apng(&mut bytes, 24.0, count, pictures).unwrap();
        bytes
    }

    /// The pictures of a film as a player shows them, and how long it takes [ms].
    fn played(bytes: &[u8]) -> (Vec<Picture>, u32) {
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
        let (width, height) = (reader.info().width, reader.info().height);
        let count = reader.info().animation_control.unwrap().num_frames;
        let mut shown = Picture::filled(width, height, [0; 3]);
        let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
        let (mut pictures, mut total) = (Vec::new(), 0);
        for _ in 0..count {
            reader.next_frame(&mut rgba).unwrap();
            let frame = *reader.info().frame_control().unwrap();
            let pixels = rgba.chunks_exact(4).zip(0..frame.width * frame.height);
            for (pixel, place) in pixels.filter(|(pixel, _)| pixel[3] == 255) {
                let x = frame.x_offset + place % frame.width;
                let y = frame.y_offset + place / frame.width;
                let at = 3 * (y * width + x) as usize;
                shown.rgb[at..at + 3].copy_from_slice(&pixel[..3]);
            }
            total += u32::from(frame.delay_num) * 1000 / u32::from(frame.delay_den);
            pictures.push(shown.clone());
        }
        (pictures, total)
    }

    #[test]
    fn film_decodes_to_its_pictures() {
        let (pictures, total) = played(&film(12));
        assert_eq!((pictures.len(), total), (12, 500));
        for (n, shown) in pictures.iter().enumerate() {
            let expected = moving_square(101, 63, n as u32);
            assert_eq!((shown.width, shown.height), (101, 63));
            let greatest = shown
                .rgb
                .iter()
                .zip(&expected.rgb)
                .map(|(a, b)| a.abs_diff(*b));
            assert!(greatest.max().unwrap() <= CHANGE);
        }
    }

    #[test]
    fn still_pictures_cost_almost_nothing() {
        let mut bytes = Vec::new();
        let pictures = (0..100).map(|_| -> Infallible { Ok(moving_square(640, 360, 3)) });
        write_apng(&mut bytes, 25.0, 100, pictures).unwrap();
        assert!(bytes.len() < 20_000, "{}", bytes.len());
    }

    #[test]
    fn large_pictures_are_halved() {
        let mut bytes = Vec::new();
        let picture: Infallible = Ok(Picture::filled(1280, 720, [9; 3]));
        write_apng(&mut bytes, 24.0, 1, [picture]).unwrap();
        let (pictures, _) = played(&bytes);
        assert_eq!((pictures[0].width, pictures[0].height), (640, 360));
    }

    #[test]
    fn faulty_pictures_are_named_with_their_number() {
        let mut bytes = Vec::new();
        let none: [Infallible; 0] = [];
        assert!(matches!(
            write_apng(&mut bytes, 24.0, 0, none),
            Err(FilmError::Empty)
        ));
        let unequal: [Infallible; 2] = [
            Ok(Picture::filled(4, 4, [0; 3])),
            Ok(Picture::filled(4, 6, [0; 3])),
        ];
        let fault = write_apng(&mut bytes, 24.0, 2, unequal);
        assert!(matches!(fault, Err(FilmError::Size { number: 2, .. })));
        let unreadable = [Err(std::io::Error::other("gone"))];
        let fault = write_apng(&mut bytes, 24.0, 1, unreadable);
        assert!(matches!(fault, Err(FilmError::Picture { number: 1, .. })));
        let rate: [Infallible; 1] = [Ok(Picture::filled(4, 4, [0; 3]))];
        assert!(matches!(
            write_apng(&mut bytes, 0.0, 1, rate),
            Err(FilmError::Rate(_))
        ));
        let too_few: [Infallible; 1] = [Ok(Picture::filled(4, 4, [0; 3]))];
        let fault = write_apng(&mut bytes, 24.0, 2, too_few);
        assert!(matches!(fault, Err(FilmError::Encode(_))));
    }
}
