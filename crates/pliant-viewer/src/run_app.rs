//! The window of a run that is looked at: a recorded one, or a simulation that goes on in another program.

use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui;
use pliant::live::{Ask, Picked, Playback, Plots, RunPlace, SceneFacts, Snapshot};

use crate::app::Shots;
use crate::beside::{Beside, Sight};
use crate::panels::{self, Appearance, ChosenCamera, Controls, PlotChoice};
use crate::pick::Met;
use crate::picture::{Picture, Touch};
use crate::screenshot::Screenshot;
use crate::timeline::Timeline;

/// The window is drawn at least so often.
const REFRESH: Duration = Duration::from_millis(500);

/// The window.
pub struct RunApp {
    playback: Playback,
    picture: Picture,
    snapshot: Option<Arc<Snapshot>>,
    facts: Option<Arc<SceneFacts>>,
    controls: Controls,
    plots: PlotChoice,
    timeline: Timeline,
    /// Whether it was known once that a simulation adds frames, which are followed from then on.
    has_been_live: bool,
    /// Since when it plays, and from which place.
    playing: Option<(Instant, usize)>,
    shots: Option<Shots>,
    screenshot: Option<Screenshot>,
    comparison: Option<Comparison>,
}

/// Another run that this one is compared with.
struct Comparison {
    beside: Beside,
    /// Whether the difference is shown in the place of both.
    shows_difference: bool,
    /// The last difference, and the moments that it was made of.
    difference: Option<[Arc<Snapshot>; 3]>,
}

/// What the reel said in this picture.
struct Told {
    is_live: bool,
    tables: Arc<Vec<(String, Vec<f64>)>>,
    picked: Option<Picked>,
    problem: Option<String>,
}

impl RunApp {
    /// Opens a run.
    ///
    /// # Errors
    /// If the window has no OpenGL.
    pub fn new(
        context: &eframe::CreationContext<'_>,
        place: &RunPlace,
        shots: Option<Shots>,
    ) -> Result<Self, String> {
        if context.gl.is_none() {
            return Err("the window has no OpenGL".to_owned());
        }
        context.egui_ctx.set_theme(egui::Theme::Dark);
        let again = context.egui_ctx.clone();
        Ok(Self {
            playback: Playback::open(place.clone(), move || again.request_repaint()),
            picture: Picture::new(),
            snapshot: None,
            facts: None,
            controls: Controls::new(1.0),
            plots: PlotChoice::default(),
            timeline: Timeline::default(),
            has_been_live: false,
            playing: None,
            shots,
            screenshot: None,
            comparison: None,
        })
    }

    /// Shows another run beside this one, or the difference of both.
    pub fn compare_with(
        &mut self,
        other: &RunPlace,
        shows_difference: bool,
        context: &egui::Context,
    ) {
        self.comparison = Some(Comparison {
            beside: Beside::open(other, context),
            shows_difference,
            difference: None,
        });
    }

    /// Takes what is new on the reel.
    fn look(&mut self) -> Told {
        let mut reel = self.playback.reel();
        self.snapshot = reel.snapshot.take().or(self.snapshot.take());
        let facts = reel.facts.clone();
        let frames = Arc::clone(&reel.frames);
        let told = Told {
            is_live: reel.is_live,
            tables: Arc::clone(&reel.tables),
            picked: reel.picked.clone(),
            problem: reel.problem.clone(),
        };
        drop(reel);
        let shown = self.snapshot.as_ref().map(|snapshot| snapshot.frame);
        self.timeline.update(frames, shown);
        if told.is_live && !self.has_been_live {
            self.has_been_live = true;
            self.follow_newest(true);
        }
        if let (None, Some(facts)) = (&self.facts, facts) {
            self.picture.choose(ChosenCamera::OfScene(0));
            self.picture.bounds = facts.bounds;
            self.controls.coloring = facts.coloring.clone();
            if let Some(comparison) = &self.comparison {
                comparison.beside.color(facts.coloring.clone());
            }
            self.facts = Some(facts);
        }
        told
    }

    fn go_to(&mut self, place: usize) {
        if let Some(ask) = self.timeline.go_to(place) {
            self.playback.ask(ask);
        }
    }

    /// Shows each new frame as it comes, or stays.
    fn follow_newest(&mut self, follows: bool) {
        if follows {
            self.playing = None;
        }
        self.playback.ask(self.timeline.follow(follows));
    }

    /// Goes on to the frame that is due while it plays, from the start after the last.
    fn play(&mut self, ctx: &egui::Context) {
        let count = self.timeline.count();
        let (Some((start, from)), Some(facts)) = (self.playing, &self.facts) else {
            return;
        };
        if count > 0 {
            let speed = self.controls.speed.min(1e3);
            let passed = start.elapsed().as_secs_f64() * speed * facts.frame_rate;
            self.go_to((from + passed as usize) % count);
        }
        ctx.request_repaint_after(Duration::from_millis(10));
    }

    fn toggle(&mut self) {
        self.playing = match self.playing {
            Some(_) => None,
            None => Some((Instant::now(), self.timeline.place())),
        };
    }

    fn keys(&mut self, ctx: &egui::Context, is_live: bool) {
        if ctx.egui_wants_keyboard_input() {
            return;
        }
        let pressed = |key| ctx.input(|input| input.key_pressed(key));
        if pressed(egui::Key::Space) {
            self.toggle();
        }
        let (place, last) = (self.timeline.place(), self.timeline.last());
        if pressed(egui::Key::ArrowRight) {
            self.go_to((place + 1).min(last));
        }
        if pressed(egui::Key::ArrowLeft) {
            self.go_to(place.saturating_sub(1));
        }
        if pressed(egui::Key::Home) {
            self.go_to(0);
        }
        if pressed(egui::Key::End) {
            self.go_to(last);
            if is_live {
                self.follow_newest(true);
            }
        }
    }

    fn controls(&mut self, ui: &mut egui::Ui) {
        let facts = self.facts.clone();
        ui.horizontal_wrapped(|ui| {
            let label = if self.playing.is_some() {
                "pause"
            } else {
                "play"
            };
            if ui
                .button(label)
                .on_hover_text("space; arrows go frame by frame")
                .clicked()
            {
                self.toggle();
            }
            if panels::choose_speed(ui, &mut self.controls.speed).is_some()
                && self.playing.is_some()
            {
                self.playing = Some((Instant::now(), self.timeline.place()));
            }
            let mut follows = self.timeline.follows();
            let hint = "Shows each new frame as it comes, of a run or a simulation that goes on";
            if ui
                .checkbox(&mut follows, "follow")
                .on_hover_text(hint)
                .changed()
            {
                self.follow_newest(follows);
            }
            ui.separator();
            for change in panels::show_appearance(ui, &mut self.controls, facts.as_deref()) {
                self.change(change);
            }
            if let Some(comparison) = &mut self.comparison {
                let hint = "Colours by how far everything is from where it is in the other run";
                ui.checkbox(&mut comparison.shows_difference, "difference")
                    .on_hover_text(hint);
            }
        });
    }

    /// Shows this run, and the one beside it, in another way.
    fn change(&mut self, change: Appearance) {
        let beside = self
            .comparison
            .as_ref()
            .map(|comparison| &comparison.beside);
        match change {
            Appearance::Color(coloring) => {
                if let Some(beside) = beside {
                    beside.color(coloring.clone());
                }
                self.playback.ask(Ask::Color(coloring));
            }
            Appearance::Surfaces(surfaces) => {
                if let Some(beside) = beside {
                    beside.show_surfaces(surfaces);
                }
                self.playback.ask(Ask::Surfaces(surfaces));
            }
        }
    }

    /// The picture of this run, and beside it that of another one; what the mouse does in the first, and where it is.
    fn pictures(&mut self, ui: &mut egui::Ui) -> (Vec<Touch>, egui::Rect) {
        let snapshot = self.shown();
        let middle = ui.available_rect_before_wrap();
        let is_alone = self.comparison.as_ref().is_none_or(|c| c.shows_difference);
        if is_alone {
            return (self.picture.show(ui, snapshot.as_ref(), false), middle);
        }
        let (left, right) = middle.split_left_right_at_fraction(0.5);
        let part = |ui: &mut egui::Ui, rect| ui.new_child(egui::UiBuilder::new().max_rect(rect));
        let touches = self
            .picture
            .show(&mut part(ui, left), snapshot.as_ref(), false);
        let sight = Sight {
            camera: self.picture.camera(),
            bounds: self.picture.bounds,
            has_shadows: self.picture.has_shadows,
        };
        if let Some(comparison) = &mut self.comparison {
            let camera = comparison.beside.show(&mut part(ui, right), sight);
            self.picture.turn_to(camera);
        }
        ui.advance_cursor_after_rect(middle);
        (touches, left)
    }

    /// What the first picture shows: the moment, or how it differs from that of the other run.
    fn shown(&mut self) -> Option<Arc<Snapshot>> {
        let own = self.snapshot.clone()?;
        let Some(comparison) = self.comparison.as_mut().filter(|c| c.shows_difference) else {
            return Some(own);
        };
        let Some(other) = comparison.beside.snapshot.clone() else {
            return Some(own);
        };
        let known = comparison
            .difference
            .take()
            .filter(|[a, b, _]| Arc::ptr_eq(a, &own) && Arc::ptr_eq(b, &other));
        let [.., shown] = comparison.difference.insert(known.unwrap_or_else(|| {
            let difference = Arc::new(own.compared_with(&other));
            [own, other, difference]
        }));
        Some(Arc::clone(shown))
    }

    /// The other run goes where this one is; what is wrong with it.
    fn follow(&mut self) -> Option<String> {
        let comparison = self.comparison.as_mut()?;
        let problem = comparison.beside.look();
        if let Some(snapshot) = &self.snapshot {
            comparison.beside.go_to(snapshot.time);
        }
        problem
    }

    /// The frames as a line, and the plots of what was measured.
    fn timeline(&mut self, ui: &mut egui::Ui, told: &Told) {
        let last = self.timeline.last();
        let mut place = self.timeline.place();
        ui.horizontal(|ui| {
            let (frame, time) = self
                .snapshot
                .as_ref()
                .map_or((0, 0.0), |s| (s.frame, s.time));
            ui.label(format!("frame {frame}   t = {time:.3} s"));
            ui.spacing_mut().slider_width = (ui.available_width() - 60.0).max(80.0);
            if ui.add(egui::Slider::new(&mut place, 0..=last)).changed() {
                self.playing = None;
            }
        });
        self.go_to(place);
        let columns = self.facts.as_ref().map_or(&[][..], |facts| &facts.columns);
        let plots = plots_of(&self.plots, told);
        panels::show_plots(ui, &mut self.plots, columns, &plots);
    }

    fn side(&mut self, ui: &mut egui::Ui, picked: Option<&Picked>) {
        match picked {
            Some(picked) => {
                if panels::show_particle(ui, picked) {
                    self.playback.ask(Ask::Pick(None));
                }
            }
            None => {
                ui.label("Click on a particle to follow it.");
            }
        }
    }

    fn touch(&self, touches: Vec<Touch>) {
        for touch in touches {
            if let Touch::Click(Some(hit)) = touch
                && let Met::Particle(id) = hit.what
            {
                self.playback.ask(Ask::Pick(Some(id)));
            }
        }
    }

    /// Takes the picture that was asked for, and ends.
    fn shoot(&mut self, ctx: &egui::Context, told: &Told) {
        let Some(frames) = self.shots.as_ref().map(|shots| shots.frames as usize) else {
            return;
        };
        ctx.request_repaint();
        self.go_to(frames.min(self.timeline.last()));
        let wanted = self.timeline.number();
        let shown = self.snapshot.as_ref().map(|snapshot| snapshot.frame);
        let is_there = shown.is_some() && shown == wanted;
        let is_compared = self.comparison.as_ref().is_none_or(|c| c.beside.is_there());
        match (&self.screenshot, &self.shots) {
            (None, _) if is_there && is_compared || told.problem.is_some() => {
                self.screenshot = Some(Screenshot::request(ctx));
            }
            (Some(screenshot), Some(shots)) => {
                if let Some(written) = screenshot.write(&shots.file) {
                    if let Err(why) = written {
                        eprintln!("error: {why}");
                    }
                    ctx.send_viewport_cmd(egui::ViewportCommand::Close);
                }
            }
            _ => {}
        }
    }
}

/// The chosen columns of the tables.
fn plots_of(choice: &PlotChoice, told: &Told) -> Plots {
    let column = |name: &str| {
        let found = told.tables.iter().find(|(other, _)| other == name);
        found.map(|(_, values)| values.as_slice())
    };
    let times = column("time").unwrap_or(&[]);
    let columns: Vec<&[f64]> = choice
        .columns
        .iter()
        .map(|name| column(name).unwrap_or(&[]))
        .collect();
    let row = |(place, &time): (usize, &f64)| {
        let value = |values: &&[f64]| values.get(place).copied().unwrap_or(f64::NAN);
        (time, columns.iter().map(value).collect())
    };
    Plots {
        columns: choice.columns.clone(),
        rows: times.iter().enumerate().map(row).collect(),
    }
}

impl eframe::App for RunApp {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        let mut told = self.look();
        told.problem = self.follow().or(told.problem);
        self.keys(&ctx, told.is_live);
        self.play(&ctx);
        egui::Panel::top("controls").show(ui, |ui| self.controls(ui));
        egui::Panel::bottom("timeline").show(ui, |ui| self.timeline(ui, &told));
        egui::Panel::left("particle")
            .default_size(240.0)
            .show(ui, |ui| self.side(ui, told.picked.as_ref()));
        if let Some(chosen) = self.controls.camera.take() {
            self.picture.choose(chosen);
        }
        if let (Some(facts), Some(snapshot)) = (&self.facts, &self.snapshot) {
            self.picture.follow(facts, snapshot.time);
        }
        self.picture.has_shadows = self.controls.has_shadows;
        let middle = ui.available_rect_before_wrap();
        let (touches, own) = self.pictures(ui);
        self.touch(touches);
        if let Some(picked) = &told.picked {
            panels::show_path(
                ui,
                own,
                &self.picture.camera(),
                picked,
                self.timeline.place(),
            );
        }
        if let Some(legend) = self.shown().as_ref().and_then(|s| s.legend.as_ref()) {
            panels::show_legend(&ctx, middle, legend);
        }
        if let Some(problem) = told.problem.clone().or(self.picture.failure()) {
            let at = middle.left_top() + egui::vec2(12.0, 12.0);
            egui::Area::new(egui::Id::unique("problem"))
                .fixed_pos(at)
                .show(&ctx, |ui| {
                    egui::Frame::popup(ui.style()).show(ui, |ui| {
                        ui.set_max_width((0.7 * middle.width()).max(200.0));
                        let text = egui::RichText::new(problem).color(ui.visuals().error_fg_color);
                        ui.add(egui::Label::new(text.monospace()).wrap());
                    });
                });
        }
        self.shoot(&ctx, &told);
        ctx.request_repaint_after(REFRESH);
    }
}
