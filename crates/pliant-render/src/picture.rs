//! Pictures as bytes: 8-bit sRGB, PNG in and out, halving.

use std::io::Cursor;

/// A picture, rows from top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue of each pixel in sRGB, length `3 width height`.
    pub rgb: Vec<u8>,
}

/// Why a picture could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The bytes are not a PNG that can be read.
    #[error("not a readable PNG picture: {0}")]
    Decode(#[from] png::DecodingError),
    /// The PNG could not be made.
    #[error("cannot encode a picture as PNG: {0}")]
    Encode(#[from] png::EncodingError),
    /// The PNG has a pixel format that pictures of this program never have.
    #[error("a picture must be 8-bit RGB or RGBA, found {0}")]
    Format(String),
}

impl Picture {
    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, color: [u8; 3]) -> Self {
        Self {
            width,
            height,
            rgb: color.repeat(width as usize * height as usize),
        }
    }

    /// The colour of a pixel; the nearest one for coordinates outside.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 3] {
        let x = x.min(self.width.saturating_sub(1)) as usize;
        let y = y.min(self.height.saturating_sub(1)) as usize;
        let at = 3 * (y * self.width as usize + x);
        [self.rgb[at], self.rgb[at + 1], self.rgb[at + 2]]
    }

    /// The picture at half the size, each pixel the mean of four.
    pub fn halved(&self) -> Self {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let mut rgb = Vec::with_capacity(3 * width as usize * height as usize);
        for y in 0..height {
            for x in 0..width {
                let quad = [(0, 0), (1, 0), (0, 1), (1, 1)]
                    .map(|(dx, dy)| self.pixel(2 * x + dx, 2 * y + dy));
                for channel in 0..3 {
                    let sum: u32 = quad.iter().map(|p| u32::from(p[channel])).sum();
                    rgb.push(((sum + 2) / 4) as u8);
                }
            }
        }
        Self { width, height, rgb }
    }
}

/// A picture as PNG bytes.
///
/// # Errors
/// [`PictureError::Encode`] for a picture without pixels or whose byte count is not `3 width height`.
pub fn encode_png(picture: &Picture) -> Result<Vec<u8>, PictureError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.rgb)?;
    writer.finish()?;
    Ok(bytes)
}

/// The picture in PNG bytes; transparency is dropped.
///
/// # Errors
/// [`PictureError::Decode`] for damaged bytes, [`PictureError::Format`] for other pixel formats.
pub fn decode_png(bytes: &[u8]) -> Result<Picture, PictureError> {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info()?;
    let size = reader.output_buffer_size().unwrap_or(0);
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels)?;
    pixels.truncate(info.buffer_size());
    let rgb = match (info.color_type, info.bit_depth) {
        (png::ColorType::Rgb, png::BitDepth::Eight) => pixels,
        (png::ColorType::Rgba, png::BitDepth::Eight) => pixels
            .chunks_exact(4)
            .flat_map(|p| [p[0], p[1], p[2]])
            .collect(),
        (color, depth) => return Err(PictureError::Format(format!("{color:?} {depth:?}"))),
    };
    Ok(Picture {
        width: info.width,
        height: info.height,
        rgb,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradient(width: u32, height: u32) -> Picture {
        let rgb = (0..3 * width * height).map(|i| (i * 7 % 251) as u8);
        Picture {
            width,
            height,
            rgb: rgb.collect(),
        }
    }

    #[test]
    fn png_round_trip_keeps_every_byte() {
        let picture = gradient(37, 11);
        let bytes = encode_png(&picture).unwrap();
        assert_eq!(decode_png(&bytes).unwrap(), picture);
    }

    #[test]
    fn damaged_png_is_an_error() {
        let bytes = encode_png(&gradient(8, 8)).unwrap();
        assert!(decode_png(&bytes[..bytes.len() / 2]).is_err());
        assert!(decode_png(b"not a picture").is_err());
    }

    #[test]
    fn picture_without_pixels_is_an_error() {
        assert!(encode_png(&Picture::filled(0, 4, [0; 3])).is_err());
    }

    #[test]
    fn halving_averages_four_pixels() {
        let mut picture = Picture::filled(2, 2, [0, 100, 200]);
        picture.rgb[0] = 80;
        let half = picture.halved();
        assert_eq!((half.width, half.height), (1, 1));
        assert_eq!(half.rgb, [20, 100, 200]);
    }
}
