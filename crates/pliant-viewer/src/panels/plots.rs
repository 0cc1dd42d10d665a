//! Statistics and probes as they grow.

use eframe::egui;
use pliant::live::{GAUGES, Plots};

use super::legend::number;

const HEIGHT: f32 = 110.0;
const COLORS: [egui::Color32; 6] = [
    egui::Color32::from_rgb(86, 180, 233),
    egui::Color32::from_rgb(230, 159, 0),
    egui::Color32::from_rgb(0, 158, 115),
    egui::Color32::from_rgb(204, 121, 167),
    egui::Color32::from_rgb(213, 94, 0),
    egui::Color32::from_rgb(240, 228, 66),
];

/// Which columns are plotted.
#[derive(Clone, Debug, PartialEq)]
pub struct PlotChoice {
    /// Their names.
    pub columns: Vec<String>,
}

impl Default for PlotChoice {
    /// What is in view before anybody has chosen: energies and the residual.
    fn default() -> Self {
        Self {
            columns: GAUGES.map(str::to_owned).to_vec(),
        }
    }
}

/// The chosen columns, one plot each, and a menu to choose more. True if the choice has changed.
///
/// * `columns` — what there is, with units
pub fn show_plots(
    ui: &mut egui::Ui,
    choice: &mut PlotChoice,
    columns: &[(String, String)],
    plots: &Plots,
) -> bool {
    let before = choice.clone();
    let hint = "Columns of stats.csv and probes.csv; of a scene that runs from now on";
    let menu = ui.menu_button("plot ...", |ui| choose(ui, choice, columns));
    menu.response.on_hover_text(hint);
    if *choice == before && !choice.columns.is_empty() {
        let width = ui.available_width() / choice.columns.len().min(4) as f32 - 12.0;
        ui.horizontal_wrapped(|ui| {
            for (place, name) in choice.columns.iter().enumerate() {
                let found = columns.iter().find(|(other, _)| other == name);
                let title = with_unit(name, found.map_or("", |(_, unit)| unit.as_str()));
                let values: Vec<(f64, f64)> = match plots.columns.get(place) == Some(name) {
                    true => plots.rows.iter().map(|(t, row)| (*t, row[place])).collect(),
                    false => Vec::new(),
                };
                plot(ui, &title, &values, width, COLORS[place % COLORS.len()]);
            }
        });
    }
    *choice != before
}

/// A list of the columns that there are.
fn choose(ui: &mut egui::Ui, choice: &mut PlotChoice, columns: &[(String, String)]) {
    egui::ScrollArea::vertical()
        .max_height(360.0)
        .show(ui, |ui| {
            for (name, unit) in columns {
                let mut is_chosen = choice.columns.contains(name);
                if ui.checkbox(&mut is_chosen, with_unit(name, unit)).changed() {
                    choice.columns.retain(|other| other != name);
                    choice.columns.extend(is_chosen.then(|| name.clone()));
                }
            }
        });
}

fn with_unit(name: &str, unit: &str) -> String {
    match unit {
        "" => name.to_owned(),
        unit => format!("{name} [{unit}]"),
    }
}

fn plot(ui: &mut egui::Ui, title: &str, values: &[(f64, f64)], width: f32, color: egui::Color32) {
    let size = egui::vec2(width.max(80.0), HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, egui::Sense::hover());
    let painter = ui.painter_at(rect);
    let visuals = ui.visuals();
    painter.rect_filled(rect, 3.0, visuals.extreme_bg_color);
    let font = egui::TextStyle::Small.resolve(ui.style());
    let text = visuals.text_color();
    let put =
        |at: egui::Pos2, align, what: String| painter.text(at, align, what, font.clone(), text);
    let last = values
        .last()
        .map_or(String::new(), |(_, v)| format!("  {}", number(*v as f32)));
    put(
        rect.left_top() + egui::vec2(4.0, 2.0),
        egui::Align2::LEFT_TOP,
        format!("{title}{last}"),
    );
    let inside = rect.shrink2(egui::vec2(4.0, 18.0));
    let Some((ranges, points)) = curve(values, inside) else {
        return;
    };
    put(
        inside.left_top(),
        egui::Align2::LEFT_TOP,
        number(ranges[3] as f32),
    );
    put(
        inside.left_bottom(),
        egui::Align2::LEFT_BOTTOM,
        number(ranges[2] as f32),
    );
    put(
        rect.right_bottom() - egui::vec2(4.0, 2.0),
        egui::Align2::RIGHT_BOTTOM,
        format!("{} s", number(ranges[1] as f32)),
    );
    painter.add(egui::Shape::line(points, egui::Stroke::new(1.5, color)));
    if let Some(at) = response.hover_pos() {
        let time = egui::remap(
            f64::from(at.x),
            f64::from(inside.left())..=f64::from(inside.right()),
            ranges[0]..=ranges[1],
        );
        let nearest = values
            .iter()
            .min_by(|a, b| (a.0 - time).abs().total_cmp(&(b.0 - time).abs()));
        if let Some((t, v)) = nearest {
            response.on_hover_text(format!("{title} = {v:.6} at {t:.4} s"));
        }
    }
}

/// The curve in a rectangle, and the first and last time and value that it spans; `None` without finite values.
fn curve(values: &[(f64, f64)], rect: egui::Rect) -> Option<([f64; 4], Vec<egui::Pos2>)> {
    let finite = || values.iter().filter(|(_, v)| v.is_finite());
    let (first, last) = (values.first()?.0, values.last()?.0);
    let low = finite().map(|(_, v)| *v).min_by(f64::total_cmp)?;
    let high = finite().map(|(_, v)| *v).max_by(f64::total_cmp)?;
    let span = |a: f64, b: f64| if b > a { b - a } else { 1.0 };
    let place = |&(t, v): &(f64, f64)| {
        let x = ((t - first) / span(first, last)) as f32;
        let y = ((v - low) / span(low, high)) as f32;
        egui::pos2(
            rect.left() + x * rect.width(),
            rect.bottom() - y * rect.height(),
        )
    };
    Some(([first, last, low, high], finite().map(place).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_fills_its_rectangle_and_leaves_out_what_is_not_finite() {
        let rect = egui::Rect::from_min_max(egui::pos2(10.0, 20.0), egui::pos2(110.0, 70.0));
        let values = [(0.0, -1.0), (1.0, f64::NAN), (2.0, 3.0), (4.0, 1.0)];
        let (ranges, points) = curve(&values, rect).expect("values");
        assert_eq!(ranges, [0.0, 4.0, -1.0, 3.0]);
        let expected = [
            egui::pos2(10.0, 70.0),
            egui::pos2(60.0, 20.0),
            egui::pos2(110.0, 45.0),
        ];
        assert_eq!(points, expected);
        assert!(curve(&[(0.0, f64::NAN)], rect).is_none() && curve(&[], rect).is_none());
    }
}
