//! Another run beside the first one, at the same time.

use std::path::Path;
use std::sync::Arc;

use eframe::egui;
use pliant::geometry::Aabb;
use pliant::live::{Ask, Playback, Snapshot};
use pliant::render::{Camera, Coloring};

use crate::picture::Picture;

/// The other run.
pub struct Beside {
    playback: Playback,
    picture: Picture,
    /// What it shows.
    pub snapshot: Option<Arc<Snapshot>>,
    /// Its title.
    name: String,
    /// Times of its frames [s].
    times: Vec<f64>,
    /// The frame that is shown, by its place.
    place: usize,
}

/// How the first run is seen.
#[derive(Clone, Copy)]
pub struct Sight {
    /// From where.
    pub camera: Camera,
    /// What is seen, and how large that is.
    pub bounds: Aabb,
    /// Whether things throw shadows.
    pub has_shadows: bool,
}

impl Beside {
    /// Opens the folder of a run.
    pub fn open(folder: &Path, context: &egui::Context) -> Self {
        let again = context.clone();
        Self {
            playback: Playback::open(folder, move || again.request_repaint()),
            picture: Picture::new(),
            snapshot: None,
            name: folder.display().to_string(),
            times: Vec::new(),
            place: 0,
        }
    }

    /// Takes what is new on its reel; what is wrong with it.
    pub fn look(&mut self) -> Option<String> {
        let mut reel = self.playback.reel();
        self.snapshot = reel.snapshot.take().or(self.snapshot.take());
        if let Some(facts) = &reel.facts {
            let time = |&frame: &u32| f64::from(frame.max(1) - 1) / facts.frame_rate;
            self.times = reel.frames.iter().map(time).collect();
        }
        reel.problem.clone().or(self.picture.failure())
    }

    /// Goes to the frame that is nearest to a time [s].
    pub fn go_to(&mut self, time: f64) {
        let away = |place: &usize| (self.times[*place] - time).abs();
        let nearest = (0..self.times.len()).min_by(|a, b| away(a).total_cmp(&away(b)));
        if let Some(place) = nearest.filter(|&place| place != self.place) {
            self.place = place;
            self.playback.ask(Ask::Show(place));
        }
    }

    /// Whether it shows the frame that it was asked for.
    pub fn is_there(&self) -> bool {
        let wanted = self.times.get(self.place);
        let shown = self.snapshot.as_ref().map(|snapshot| snapshot.time);
        wanted
            .zip(shown)
            .is_some_and(|(wanted, shown)| (wanted - shown).abs() < 1e-6)
    }

    /// Colours it as the first run is coloured.
    pub fn color(&self, coloring: Coloring) {
        self.playback.ask(Ask::Color(coloring));
    }

    /// Shows its bodies as those of the first run.
    pub fn show_surfaces(&self, surfaces: bool) {
        self.playback.ask(Ask::Surfaces(surfaces));
    }

    /// Draws it in all the room that is left, as the first run is seen; the camera afterwards.
    pub fn show(&mut self, ui: &mut egui::Ui, sight: Sight) -> Camera {
        let corner = ui.available_rect_before_wrap().left_top() + egui::vec2(12.0, 12.0);
        self.picture.camera = sight.camera;
        self.picture.bounds = sight.bounds;
        self.picture.has_shadows = sight.has_shadows;
        self.picture.show(ui, self.snapshot.as_ref(), false);
        let font = egui::FontId::proportional(14.0);
        let color = ui.visuals().strong_text_color();
        let painter = ui.painter();
        painter.text(corner, egui::Align2::LEFT_TOP, &self.name, font, color);
        self.picture.camera
    }
}
