//! An animated WebP, lossless inside, without any other program.
//!
//! Source of the format: WebP Container Specification (Google). Each frame holds only the pixels
//! that changed; the others are transparent and show the frame before, so that still ground costs
//! nothing. Changed pixels are rounded to fewer levels, which moving grains hide.

use std::error::Error;
use std::io::Write;

use image_webp::{ColorType, WebPEncoder};

use super::{FilmError, Reel};
use crate::Picture;

/// Pictures wider than this are halved.
const LARGEST_WIDTH: u32 = 854;
/// A pixel counts as changed when a channel differs by more than this.
const CHANGE: u8 = 7;
/// Changed channels are rounded to multiples of this.
const STEP: u8 = 4;

/// Writes an animated WebP that repeats for ever, at most 854 pixels wide.
///
/// It is put together in memory first, so nothing is written if a picture is bad.
///
/// # Errors
/// [`FilmError`] for no, unreadable or unequal pictures, an impossible rate, or a failed write.
pub fn write_webp<E: Into<Box<dyn Error + Send + Sync>>>(
    output: &mut impl Write,
    frames_per_second: f64,
    pictures: impl IntoIterator<Item = Result<Picture, E>>,
) -> Result<(), FilmError> {
    let mut reel = Reel::new(pictures.into_iter(), frames_per_second)?;
    let Some(first) = reel.next()? else {
        return Err(FilmError::Empty);
    };
    let mut shown = reduced(first);
    let (width, height) = (shown.width, shown.height);
    let clock = |n: u64| (1000.0 * n as f64 / frames_per_second).round() as u32;
    let mut frames = Vec::new();
    let opaque = rounded(&shown);
    append_frame(&mut frames, &Patch::whole(&opaque), clock(1))?;
    shown = opaque;
    let mut number = 1;
    while let Some(picture) = reel.next()? {
        let patch = Patch::of_changes(&mut shown, &reduced(picture));
        append_frame(&mut frames, &patch, clock(number + 1) - clock(number))?;
        number += 1;
    }
    let mut body = b"WEBP".to_vec();
    append_chunk(&mut body, b"VP8X", &extended_header(width, height));
    append_chunk(&mut body, b"ANIM", &[255, 255, 255, 255, 0, 0]);
    body.extend(frames);
    output.write_all(b"RIFF")?;
    output.write_all(&(body.len() as u32).to_le_bytes())?;
    output.write_all(&body)?;
    Ok(output.flush()?)
}

/// A part of the canvas, red, green, blue and alpha.
struct Patch {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
    rgba: Vec<u8>,
}

impl Patch {
    /// All of a picture.
    fn whole(picture: &Picture) -> Self {
        let opaque = |p: &[u8]| [p[0], p[1], p[2], 255];
        Self {
            left: 0,
            top: 0,
            width: picture.width,
            height: picture.height,
            rgba: picture.rgb.chunks_exact(3).flat_map(opaque).collect(),
        }
    }

    /// The pixels in which `next` differs from what is shown, which is brought up to date.
    fn of_changes(shown: &mut Picture, next: &Picture) -> Self {
        let width = shown.width as usize;
        let changed: Vec<bool> = shown
            .rgb
            .chunks_exact(3)
            .zip(next.rgb.chunks_exact(3))
            .map(|(a, b)| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > CHANGE))
            .collect();
        let [left, top, right, bottom] = extent(&changed, width);
        let mut rgba = Vec::with_capacity(4 * (right - left) * (bottom - top));
        for y in top..bottom {
            for x in left..right {
                let pixel = y * width + x;
                if changed[pixel] {
                    let color = [0, 1, 2].map(|c| round(next.rgb[3 * pixel + c]));
                    shown.rgb[3 * pixel..3 * pixel + 3].copy_from_slice(&color);
                    rgba.extend([color[0], color[1], color[2], 255]);
                } else {
                    rgba.extend([0; 4]);
                }
            }
        }
        Self {
            left: left as u32,
            top: top as u32,
            width: (right - left) as u32,
            height: (bottom - top) as u32,
            rgba,
        }
    }
}

/// Left, top, right, bottom (exclusive) of what changed, left and top even as the format wants it;
/// one pixel if nothing did.
fn extent(changed: &[bool], width: usize) -> [usize; 4] {
    let mut area = [usize::MAX, usize::MAX, 0, 0];
    for pixel in (0..changed.len()).filter(|n| changed[*n]) {
        let (x, y) = (pixel % width, pixel / width);
        area = [
            area[0].min(x),
            area[1].min(y),
            area[2].max(x + 1),
            area[3].max(y + 1),
        ];
    }
    if area[0] == usize::MAX {
        return [0, 0, 1, 1];
    }
    [area[0] & !1, area[1] & !1, area[2], area[3]]
}

fn reduced(mut picture: Picture) -> Picture {
    while picture.width > LARGEST_WIDTH {
        picture = picture.halved();
    }
    picture
}

/// The first frame keeps twice the levels, because its still parts stay in sight.
fn rounded(picture: &Picture) -> Picture {
    let finer = |v: &u8| (v / 2 * 2).saturating_add(1);
    Picture {
        rgb: picture.rgb.iter().map(finer).collect(),
        ..*picture
    }
}

fn round(value: u8) -> u8 {
    (value / STEP * STEP).saturating_add(STEP / 2)
}

fn extended_header(width: u32, height: u32) -> Vec<u8> {
    const ANIMATION_AND_ALPHA: u8 = 0x12;
    let mut header = vec![ANIMATION_AND_ALPHA, 0, 0, 0];
    header.extend(three_bytes(width - 1));
    header.extend(three_bytes(height - 1));
    header
}

/// Appends a patch that is shown for a number of milliseconds, laid over what was there before.
fn append_frame(frames: &mut Vec<u8>, patch: &Patch, duration: u32) -> Result<(), FilmError> {
    const LAY_OVER_AND_KEEP: u8 = 0;
    let mut still = Vec::new();
    WebPEncoder::new(&mut still).encode(
        &patch.rgba,
        patch.width,
        patch.height,
        ColorType::Rgba8,
    )?;
    let after_riff_header = still.get(12..).unwrap_or_default();
    let mut payload = Vec::with_capacity(after_riff_header.len() + 16);
    for value in [
        patch.left / 2,
        patch.top / 2,
        patch.width - 1,
        patch.height - 1,
        duration.clamp(1, 0x00ff_ffff),
    ] {
        payload.extend(three_bytes(value));
    }
    payload.push(LAY_OVER_AND_KEEP);
    payload.extend(after_riff_header);
    append_chunk(frames, b"ANMF", &payload);
    Ok(())
}

fn append_chunk(bytes: &mut Vec<u8>, name: &[u8; 4], payload: &[u8]) {
    bytes.extend(name);
    bytes.extend((payload.len() as u32).to_le_bytes());
    bytes.extend(payload);
    if payload.len() % 2 == 1 {
        bytes.push(0);
    }
}

fn three_bytes(value: u32) -> [u8; 3] {
    let [a, b, c, _] = value.to_le_bytes();
    [a, b, c]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    use image_webp::WebPDecoder;

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
        write_webp(&mut bytes, 24.0, pictures).unwrap();
        bytes
    }

    #[test]
    fn film_decodes_to_its_pictures() {
        let bytes = film(12);
        let mut decoder = WebPDecoder::new(Cursor::new(bytes)).unwrap();
        assert_eq!(decoder.dimensions(), (101, 63));
        assert_eq!(decoder.num_frames(), 12);
        let mut rgba = vec![0; decoder.output_buffer_size().unwrap()];
        let mut total = 0;
        for n in 0..12 {
            total += decoder.read_frame(&mut rgba).unwrap();
            let expected = moving_square(101, 63, n);
            let channels = rgba.len() / (101 * 63);
            for (shown, wanted) in rgba.chunks(channels).zip(expected.rgb.chunks(3)) {
                let difference = (0..3).map(|c| shown[c].abs_diff(wanted[c])).max();
                assert!(difference.unwrap() <= CHANGE);
            }
        }
        assert_eq!(total, 500);
    }

    #[test]
    fn still_pictures_cost_almost_nothing() {
        let mut bytes = Vec::new();
        let pictures = (0..100).map(|_| -> Infallible { Ok(moving_square(640, 360, 3)) });
        write_webp(&mut bytes, 25.0, pictures).unwrap();
        assert!(bytes.len() < 20_000, "{}", bytes.len());
    }

    #[test]
    fn large_pictures_are_halved() {
        let mut bytes = Vec::new();
        let picture: Infallible = Ok(Picture::filled(1280, 720, [9; 3]));
        write_webp(&mut bytes, 24.0, [picture]).unwrap();
        let decoder = WebPDecoder::new(Cursor::new(bytes)).unwrap();
        assert_eq!(decoder.dimensions(), (640, 360));
    }

    #[test]
    fn faulty_pictures_are_named_with_their_number() {
        let mut bytes = Vec::new();
        let none: [Infallible; 0] = [];
        assert!(matches!(
            write_webp(&mut bytes, 24.0, none),
            Err(FilmError::Empty)
        ));
        let unequal: [Infallible; 2] = [
            Ok(Picture::filled(4, 4, [0; 3])),
            Ok(Picture::filled(4, 6, [0; 3])),
        ];
        let fault = write_webp(&mut bytes, 24.0, unequal);
        assert!(matches!(fault, Err(FilmError::Size { number: 2, .. })));
        let unreadable = [Err(std::io::Error::other("gone"))];
        let fault = write_webp(&mut bytes, 24.0, unreadable);
        assert!(matches!(fault, Err(FilmError::Picture { number: 1, .. })));
        let rate: [Infallible; 1] = [Ok(Picture::filled(4, 4, [0; 3]))];
        assert!(matches!(
            write_webp(&mut bytes, 0.0, rate),
            Err(FilmError::Rate(_))
        ));
        assert!(bytes.is_empty());
    }
}
