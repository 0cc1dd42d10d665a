//! Text with an embedded font (Ubuntu Light), so that pictures need no fonts of the system.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, ScaleFont, point};

use crate::picture::Picture;

/// `None` only if the embedded font were damaged; then there is no text, but a picture.
static FONT: LazyLock<Option<FontRef<'static>>> =
    LazyLock::new(|| FontRef::try_from_slice(epaint_default_fonts::UBUNTU_LIGHT).ok());

/// How much bolder than the font's thin strokes text is drawn.
const WEIGHT: f32 = 1.35;

/// Colour (sRGB) and size of text [pixels].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ink {
    pub color: [u8; 3],
    pub size: f32,
}

/// Width of a line of text [pixels].
pub(crate) fn width(text: &str, size: f32) -> f32 {
    layout(text, size).1
}

/// Draws a line of text whose baseline starts at `at` (x, y).
pub(crate) fn draw(picture: &mut Picture, text: &str, at: [f32; 2], ink: Ink) {
    let Some(font) = FONT.as_ref() else { return };
    for (glyph, x) in layout(text, ink.size).0 {
        let glyph = glyph.with_scale_and_position(ink.size, point(at[0] + x, at[1]));
        let Some(outline) = font.outline_glyph(glyph) else {
            continue;
        };
        let corner = outline.px_bounds().min;
        outline.draw(|x, y, coverage| {
            let (x, y) = (corner.x + x as f32, corner.y + y as f32);
            if x >= 0.0 && y >= 0.0 {
                blend(picture, x as u32, y as u32, ink.color, WEIGHT * coverage);
            }
        });
    }
}

/// Lays a colour over a pixel; outside of the picture nothing happens.
pub(crate) fn blend(picture: &mut Picture, x: u32, y: u32, color: [u8; 3], opacity: f32) {
    if x >= picture.width || y >= picture.height {
        return;
    }
    let at = 3 * (y as usize * picture.width as usize + x as usize);
    for (old, new) in picture.rgb[at..at + 3].iter_mut().zip(color) {
        let mixed = f32::from(*old) + opacity.clamp(0.0, 1.0) * (f32::from(new) - f32::from(*old));
        *old = (mixed + 0.5) as u8;
    }
}

/// The glyphs with their positions along the line, and the line's width [pixels].
fn layout(text: &str, size: f32) -> (Vec<(GlyphId, f32)>, f32) {
    let Some(font) = FONT.as_ref() else {
        return (Vec::new(), 0.0);
    };
    let scaled = font.as_scaled(size);
    let mut glyphs: Vec<(GlyphId, f32)> = Vec::new();
    let mut x = 0.0;
    for id in text.chars().map(|c| font.glyph_id(c)) {
        if let Some((last, _)) = glyphs.last() {
            x += scaled.kern(*last, id);
        }
        glyphs.push((id, x));
        x += scaled.h_advance(id);
    }
    (glyphs, x)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: Ink = Ink {
        color: [255; 3],
        size: 20.0,
    };

    #[test]
    fn text_has_ink_inside_its_width_only() {
        let mut picture = Picture::filled(200, 40, [0; 3]);
        draw(&mut picture, "t = 0.25 s", [10.0, 28.0], INK);
        let end = 10.0 + width("t = 0.25 s", 20.0);
        let inked = |x: u32| (0..40).any(|y| picture.pixel(x, y)[0] > 60);
        assert!((0..200).filter(|x| inked(*x)).count() > 30);
        assert!((0..9).chain(end as u32 + 2..200).all(|x| !inked(x)));
    }

    #[test]
    fn digits_and_signs_of_labels_exist_in_the_font() {
        let font = FONT.as_ref().unwrap();
        for c in "0123456789.−e[]/=³²·σµ".chars() {
            assert_ne!(font.glyph_id(c).0, 0, "{c}");
        }
    }

    #[test]
    fn text_beyond_the_edges_is_cut_without_harm() {
        let mut picture = Picture::filled(20, 10, [0; 3]);
        draw(&mut picture, "far too long", [-30.0, 4.0], INK);
        draw(&mut picture, "outside", [500.0, -90.0], INK);
        assert_eq!(picture.rgb.len(), 600);
    }
}
