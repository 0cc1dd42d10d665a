//! Another run beside the first one, at the same time.

use std::sync::Arc;

use eframe::egui;
use pliant::geometry::Aabb;
use pliant::live::{Ask, Playback, RunPlace, Snapshot};
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
    /// Numbers and times of its frames [s].
    frames: (Arc<Vec<u32>>, Arc<Vec<f64>>),
    /// The frame that it was asked for, by its number, and its time [s].
    number: u32,
    time: f64,
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
    /// Opens a run.
    pub fn open(place: &RunPlace, context: &egui::Context) -> Self {
        let again = context.clone();
        Self {
            playback: Playback::open(place.clone(), move || again.request_repaint()),
            picture: Picture::new(),
            snapshot: None,
            name: place.to_string(),
            frames: Default::default(),
            number: 1,
            time: 0.0,
        }
    }

    /// Takes what is new on its reel; what is wrong with it.
    pub fn look(&mut self) -> Option<String> {
        let mut reel = self.playback.reel();
        self.snapshot = reel.snapshot.take().or(self.snapshot.take());
        self.frames = (Arc::clone(&reel.frames), Arc::clone(&reel.times));
        reel.problem.clone().or(self.picture.failure())
    }

    /// Goes to the frame that is nearest to a time [s].
    pub fn go_to(&mut self, time: f64) {
        let (frames, times) = &self.frames;
        let away = |(_, own): &(&u32, &f64)| (**own - time).abs();
        let frames = frames.iter().zip(times.iter());
        let nearest = frames.min_by(|a, b| away(a).total_cmp(&away(b)));
        if let Some((&number, &time)) = nearest.filter(|(number, _)| **number != self.number) {
            (self.number, self.time) = (number, time);
            self.playback.ask(Ask::Show(number));
        }
    }

    /// Whether it shows the frame that it was asked for.
    pub fn is_there(&self) -> bool {
        let shown = self.snapshot.as_ref().map(|snapshot| snapshot.time);
        shown.is_some_and(|shown| (self.time - shown).abs() < 1e-6)
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
        self.picture.turn_to(sight.camera);
        self.picture.bounds = sight.bounds;
        self.picture.has_shadows = sight.has_shadows;
        self.picture.show(ui, self.snapshot.as_ref(), false);
        let font = egui::FontId::proportional(14.0);
        let color = ui.visuals().strong_text_color();
        let painter = ui.painter();
        painter.text(corner, egui::Align2::LEFT_TOP, &self.name, font, color);
        self.picture.camera()
    }
}
