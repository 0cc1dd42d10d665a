//! The legend of a quantity and the caption, drawn over a finished picture.

use crate::coloring::Legend;
use crate::picture::Picture;
use crate::text::{self, Ink};
use crate::tone::to_srgb;

const PAPER: [u8; 3] = [250, 250, 250];
const PANEL: [u8; 3] = [24, 26, 30];
/// Opacity of what is laid behind text.
const PANEL_OPACITY: f32 = 0.7;
/// Height of a picture for which sizes are given in pixels.
const REFERENCE_HEIGHT: f32 = 720.0;

/// Draws a vertical colour bar with title, unit and ticks at the right edge.
pub(crate) fn draw_legend(picture: &mut Picture, legend: &Legend) {
    let scale = picture.height as f32 / REFERENCE_HEIGHT;
    let size = 19.0 * scale;
    let heading = heading(legend);
    let ticks = round_ticks(legend.range, 5);
    let labels: Vec<String> = ticks.iter().map(|t| tick_label(*t, &ticks)).collect();
    let widest = labels
        .iter()
        .map(|l| text::width(l, size))
        .fold(0.0, f32::max);
    let bar = Rectangle {
        left: 0.0,
        top: 0.0,
        width: 18.0 * scale,
        height: 230.0 * scale,
    };
    let inner = (bar.width + 12.0 * scale + widest).max(text::width(&heading, size));
    let panel = Rectangle {
        left: picture.width as f32 - inner - 52.0 * scale,
        top: 0.5 * (picture.height as f32 - bar.height) - 38.0 * scale,
        width: inner + 32.0 * scale,
        height: bar.height + 76.0 * scale,
    };
    let bar = Rectangle {
        left: panel.left + 16.0 * scale,
        top: panel.top + 56.0 * scale,
        ..bar
    };
    fill(picture, &panel, 10.0 * scale, PANEL_OPACITY, |_| PANEL);
    fill(picture, &bar, 2.0 * scale, 1.0, |t| {
        map_color(legend, 1.0 - t)
    });
    let ink = Ink { color: PAPER, size };
    let title_at = [panel.left + 16.0 * scale, panel.top + 32.0 * scale];
    text::draw(picture, &heading, title_at, ink);
    draw_ticks(picture, legend, &bar, scale, &ticks, &labels);
}

/// Draws a title at the upper left and the time at the lower left.
pub(crate) fn draw_caption(picture: &mut Picture, title: Option<&str>, time: Option<f64>) {
    let scale = picture.height as f32 / REFERENCE_HEIGHT;
    let left = 32.0 * scale;
    if let Some(title) = title {
        draw_on_plate(picture, title, [left, 50.0 * scale], 28.0 * scale);
    }
    if let Some(time) = time {
        let at = [left, picture.height as f32 - 30.0 * scale];
        draw_on_plate(picture, &time_label(time), at, 22.0 * scale);
    }
}

/// Draws a line of text on a dark plate, readable before anything; its baseline starts at `at`.
fn draw_on_plate(picture: &mut Picture, line: &str, at: [f32; 2], size: f32) {
    let margin = 12.0 * picture.height as f32 / REFERENCE_HEIGHT;
    let plate = Rectangle {
        left: at[0] - margin,
        top: at[1] - 1.05 * size,
        width: text::width(line, size) + 2.0 * margin,
        height: 1.5 * size,
    };
    fill(picture, &plate, 0.35 * size, PANEL_OPACITY, |_| PANEL);
    text::draw(picture, line, at, Ink { color: PAPER, size });
}

/// Round values (1, 2 or 5 times a power of ten apart) inside a range, about `wanted` of them.
pub(crate) fn round_ticks(range: [f32; 2], wanted: usize) -> Vec<f64> {
    let (low, high) = (f64::from(range[0]), f64::from(range[1]));
    let span = high - low;
    if !(span.is_finite() && span > 0.0) || wanted == 0 {
        return Vec::new();
    }
    let rough = span / wanted as f64;
    let decade = 10f64.powi(rough.log10().floor() as i32);
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|m| m * decade)
        .into_iter()
        .find(|step| *step >= 0.7 * rough)
        .unwrap_or(10.0 * decade);
    let tolerance = 1e-6;
    let first = (low / step - tolerance).ceil() as i64;
    let last = (high / step + tolerance).floor() as i64;
    (first..=last).map(|n| n as f64 * step).collect()
}

/// A tick as text, with as many digits as tell the ticks apart.
fn tick_label(tick: f64, ticks: &[f64]) -> String {
    let largest = ticks.iter().fold(0.0f64, |m, t| m.max(t.abs()));
    let step = match ticks {
        [a, b, ..] => b - a,
        _ => largest.max(1e-30),
    };
    if tick == 0.0 {
        return "0".to_owned();
    }
    if (1e-3..1e5).contains(&largest) {
        let digits = (-(step.log10() + 1e-9).floor()).clamp(0.0, 9.0) as usize;
        return format!("{tick:.digits$}").replace('-', "−");
    }
    let exponent = (largest.log10() + 1e-9).floor();
    let mantissa_step = step / 10f64.powf(exponent);
    let digits = (-(mantissa_step.log10() + 1e-9).floor()).clamp(0.0, 6.0) as usize;
    let mantissa = tick / 10f64.powf(exponent);
    format!("{mantissa:.digits$}e{exponent:.0}").replace('-', "−")
}

/// "stress von mises [Pa]"
fn heading(legend: &Legend) -> String {
    if legend.unit.is_empty() {
        legend.title.clone()
    } else {
        format!("{} [{}]", legend.title, legend.unit)
    }
}

fn time_label(time: f64) -> String {
    let digits = if time.abs() < 100.0 { 3 } else { 1 };
    format!("t = {time:.digits$} s").replace('-', "−")
}

fn map_color(legend: &Legend, t: f32) -> [u8; 3] {
    let color = legend.color_map.linear(t).to_array();
    color.map(|c| (255.0 * to_srgb(c) + 0.5) as u8)
}

fn draw_ticks(
    picture: &mut Picture,
    legend: &Legend,
    bar: &Rectangle,
    scale: f32,
    ticks: &[f64],
    labels: &[String],
) {
    let [low, high] = legend.range.map(f64::from);
    let ink = Ink {
        color: PAPER,
        size: 19.0 * scale,
    };
    for (tick, label) in ticks.iter().zip(labels) {
        let share = ((tick - low) / (high - low)).clamp(0.0, 1.0) as f32;
        let y = bar.top + bar.height * (1.0 - share);
        let mark = Rectangle {
            left: bar.left + bar.width,
            top: y - 0.5 * scale.max(1.0),
            width: 5.0 * scale,
            height: scale.max(1.0),
        };
        fill(picture, &mark, 0.0, 0.9, |_| PAPER);
        let at = [bar.left + bar.width + 11.0 * scale, y + 0.33 * ink.size];
        text::draw(picture, label, at, ink);
    }
}

/// A rectangle in pixels.
struct Rectangle {
    left: f32,
    top: f32,
    width: f32,
    height: f32,
}

/// Blends a rectangle with round corners over the picture; the colour depends on the height, 0 at the top.
fn fill(
    picture: &mut Picture,
    area: &Rectangle,
    corner: f32,
    opacity: f32,
    color: impl Fn(f32) -> [u8; 3],
) {
    let half = [0.5 * area.width, 0.5 * area.height];
    let middle = [area.left + half[0], area.top + half[1]];
    let rows = area.top.floor().max(0.0) as u32..(area.top + area.height).ceil().max(0.0) as u32;
    for y in rows.start..rows.end.min(picture.height) {
        let row_color = color(((y as f32 + 0.5 - area.top) / area.height).clamp(0.0, 1.0));
        let right = (area.left + area.width).ceil().max(0.0) as u32;
        for x in area.left.floor().max(0.0) as u32..right.min(picture.width) {
            let dx = (x as f32 + 0.5 - middle[0]).abs() - half[0] + corner;
            let dy = (y as f32 + 0.5 - middle[1]).abs() - half[1] + corner;
            let distance = dx.max(0.0).hypot(dy.max(0.0)) + dx.max(dy).min(0.0) - corner;
            text::blend(
                picture,
                x,
                y,
                row_color,
                opacity * (0.5 - distance).clamp(0.0, 1.0),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::color_map::ColorMap;
    use crate::tone::to_linear;

    #[test]
    fn ticks_are_round_and_inside_the_range() {
        assert_eq!(
            round_ticks([0.0, 1.0], 5),
            [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]
        );
        for range in [[0.013, 7.9], [-3e5, 1e6], [0.94, 1.07], [1e-9, 4e-9]] {
            let ticks = round_ticks(range, 5);
            assert!((3..=7).contains(&ticks.len()), "{ticks:?}");
            let step = ticks[1] - ticks[0];
            let leading = step / 10f64.powf(step.log10().floor() + 0.0);
            assert!(
                [1.0, 2.0, 5.0, 10.0]
                    .iter()
                    .any(|m| (leading - m).abs() < 1e-6)
            );
            let slack = 1e-5 * f64::from(range[1] - range[0]);
            assert!(ticks[0] >= f64::from(range[0]) - slack);
            assert!(ticks[ticks.len() - 1] <= f64::from(range[1]) + slack);
        }
        assert!(round_ticks([1.0, 1.0], 5).is_empty());
        assert!(round_ticks([f32::NAN, 1.0], 5).is_empty());
    }

    #[test]
    fn labels_have_the_digits_that_tell_ticks_apart() {
        let labels = |range| -> Vec<String> {
            let ticks = round_ticks(range, 5);
            ticks.iter().map(|t| tick_label(*t, &ticks)).collect()
        };
        assert_eq!(labels([0.0, 1.0]), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels([-20.0, 20.0]), ["−20", "−10", "0", "10", "20"]);
        assert_eq!(
            labels([0.0, 2e6]),
            ["0", "0.5e6", "1.0e6", "1.5e6", "2.0e6"]
        );
    }

    #[test]
    fn legend_draws_its_bar_and_white_text() {
        let mut picture = Picture::filled(1280, 720, [90, 90, 90]);
        let legend = Legend {
            title: "speed".to_owned(),
            unit: "m/s".to_owned(),
            range: [0.0, 2.0],
            color_map: ColorMap::Dusk,
        };
        draw_legend(&mut picture, &legend);
        let pixels: Vec<[u8; 3]> = picture.rgb.chunks(3).map(|p| [p[0], p[1], p[2]]).collect();
        let near = |color: [u8; 3]| {
            let is_near = |p: &&[u8; 3]| p.iter().zip(color).all(|(a, b)| a.abs_diff(b) < 40);
            pixels.iter().filter(is_near).count()
        };
        assert!(near(map_color(&legend, 0.0)) > 10);
        assert!(near(map_color(&legend, 1.0)) > 10);
        assert!(near(PAPER) > 100);
    }

    /// Contrast of two colours (Web Content Accessibility Guidelines 2.2): 1 for the same, 21 for
    /// black and white; text should have 4.5.
    fn contrast(a: [u8; 3], b: [u8; 3]) -> f32 {
        let luminance = |c: [u8; 3]| {
            let light = to_linear(c.map(|c| f32::from(c) / 255.0));
            light.dot(glam::Vec3::new(0.2126, 0.7152, 0.0722)) + 0.05
        };
        let (a, b) = (luminance(a), luminance(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn plate_of_a_caption_is_readable_before_anything() {
        for background in [[255; 3], [128; 3], [0; 3], [255, 220, 120]] {
            let mut picture = Picture::filled(1280, 720, background);
            // Every other pixel as bright as can be, like grains of sand.
            picture.rgb.chunks_mut(6).for_each(|p| p[0..3].fill(255));
            draw_caption(&mut picture, Some("          "), None);
            let inside = (32..80).flat_map(|x| (28..54).map(move |y| (x, y)));
            for (x, y) in inside {
                assert!(contrast(PAPER, picture.pixel(x, y)) > 4.5);
            }
        }
    }

    #[test]
    fn caption_changes_the_corners_it_is_written_in() {
        let blank = Picture::filled(640, 360, [90, 90, 90]);
        let mut picture = blank.clone();
        draw_caption(&mut picture, Some("Column collapse"), Some(1.25));
        assert_ne!(picture, blank);
        assert_eq!(picture.pixel(600, 180), [90, 90, 90]);
    }
}
