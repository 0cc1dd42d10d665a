//! What the colours mean.

use eframe::egui;
use pliant::render::Legend;

const WIDTH: f32 = 200.0;
const HEIGHT: f32 = 12.0;
const PIECES: usize = 64;

/// A bar of the colours with the values at its ends, in the upper right corner of the picture.
pub fn show_legend(ctx: &egui::Context, picture: egui::Rect, legend: &Legend) {
    let corner = picture.right_top() + egui::vec2(-WIDTH - 28.0, 12.0);
    egui::Area::new(egui::Id::unique("legend"))
        .fixed_pos(corner)
        .interactable(false)
        .show(ctx, |ui| {
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width(WIDTH);
                let unit = match legend.unit.as_str() {
                    "" => String::new(),
                    unit => format!(" [{unit}]"),
                };
                ui.label(format!("{}{unit}", legend.title));
                let (rect, _) =
                    ui.allocate_exact_size(egui::vec2(WIDTH, HEIGHT), egui::Sense::hover());
                paint(ui.painter(), rect, legend);
                ui.horizontal(|ui| {
                    ui.label(number(legend.range[0]));
                    let right = egui::Layout::right_to_left(egui::Align::Center);
                    ui.with_layout(right, |ui| ui.label(number(legend.range[1])));
                });
            });
        });
}

fn paint(painter: &egui::Painter, rect: egui::Rect, legend: &Legend) {
    let width = rect.width() / PIECES as f32;
    for piece in 0..PIECES {
        let [r, g, b] = legend.color_map.srgb((piece as f32 + 0.5) / PIECES as f32);
        let left = rect.left() + piece as f32 * width;
        // A little wider than it is, so that no line shows between two pieces.
        let x = left..=(left + width + 0.5).min(rect.right());
        let piece = egui::Rect::from_x_y_ranges(x, rect.y_range());
        painter.rect_filled(piece, 0.0, egui::Color32::from_rgb(r, g, b));
    }
}

/// Four digits, with an exponent where there would be many.
pub fn number(value: f32) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if (1e-3..1e5).contains(&size) => {
            let digits = (3 - size.log10().floor() as i32).max(0) as usize;
            let text = format!("{value:.digits$}");
            match text.contains('.') {
                true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
                false => text,
            }
        }
        _ => format!("{value:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_few_digits() {
        let shown = [0.0, 1.0, 0.25, 1234.5, 98765.0, 1e6, -0.0301, 2e-7].map(number);
        let expected = [
            "0", "1", "0.25", "1234", "98765", "1.00e6", "-0.0301", "2.00e-7",
        ];
        assert_eq!(shown, expected);
    }
}
