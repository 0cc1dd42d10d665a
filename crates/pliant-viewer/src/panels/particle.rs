//! A particle that is followed: its quantities, its path.

use eframe::egui;
use pliant::live::Picked;
use pliant::math::DVec3;
use pliant::render::Camera;

use crate::orbit;

const PATH: egui::Color32 = egui::Color32::from_rgb(255, 200, 60);

/// The quantities of a particle. True if it is no longer to be followed.
pub fn show_particle(ui: &mut egui::Ui, picked: &Picked) -> bool {
    let mut is_left = false;
    ui.horizontal(|ui| {
        ui.heading(format!("particle {}", picked.id));
        is_left = ui.small_button("leave").clicked();
    });
    match picked.body.as_str() {
        "" => ui.label("it is not in this frame"),
        body => ui.label(format!("of {body}")),
    };
    egui::Grid::new("particle")
        .num_columns(3)
        .striped(true)
        .show(ui, |ui| {
            for (name, unit, value) in &picked.quantities {
                ui.label(name);
                ui.monospace(format!("{value:.6}"));
                ui.label(unit);
                ui.end_row();
            }
        });
    is_left
}

/// The path of a particle over the picture, with a ring around where it is in the frame at a place.
pub fn show_path(ui: &egui::Ui, rect: egui::Rect, camera: &Camera, picked: &Picked, place: usize) {
    let painter = ui.painter_at(rect);
    let on_screen = |at: &Option<[f32; 3]>| {
        let [x, y, z] = (*at)?;
        on_screen(camera, rect, DVec3::new(x.into(), y.into(), z.into()))
    };
    let points: Vec<Option<egui::Pos2>> = picked.path.iter().map(on_screen).collect();
    for pair in points.windows(2) {
        if let [Some(a), Some(b)] = pair {
            painter.line_segment([*a, *b], egui::Stroke::new(1.5, PATH));
        }
    }
    if let Some(Some(at)) = points.get(place) {
        painter.circle_stroke(*at, 6.0, egui::Stroke::new(2.0, PATH));
    }
}

/// Where a point appears; `None` behind the camera.
fn on_screen(camera: &Camera, rect: egui::Rect, point: DVec3) -> Option<egui::Pos2> {
    let [right, true_up, ahead] = orbit::axes(camera);
    let from_eye = point - camera.position;
    let depth = from_eye.dot(ahead);
    if depth <= 0.0 {
        return None;
    }
    let height = 2.0 * (0.5 * camera.vertical_field_of_view).tan() * depth;
    let across = (from_eye.dot(right) / height) as f32 * rect.height();
    let up = (from_eye.dot(true_up) / height) as f32 * rect.height();
    Some(rect.center() + egui::vec2(across, -up))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_drawn_where_its_ray_starts() {
        let camera = Camera {
            position: DVec3::new(1.0, 2.0, 3.0),
            target: DVec3::new(0.0, 0.5, 0.0),
            up: DVec3::Y,
            vertical_field_of_view: 0.7,
        };
        let rect = egui::Rect::from_min_size(egui::pos2(50.0, 20.0), egui::vec2(640.0, 400.0));
        let (from, toward) = orbit::ray(&camera, [0.25, -0.1]);
        let at = on_screen(&camera, rect, from + toward * 2.5).expect("before the camera");
        let expected = rect.center() + egui::vec2(100.0, -40.0);
        assert!(at.distance(expected) < 1e-3, "{at:?}");
        assert!(on_screen(&camera, rect, from - toward).is_none());
    }
}
