//! The window of a scene that runs.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use eframe::egui;
use pliant::live::{Command, FileWatch, Opening, SceneFacts, Session, Snapshot, Status};
use pliant::math::DVec3;

use crate::gl::renderer;
use crate::measurement::Measurement;
use crate::panels::{self, ChosenCamera, Controls, PlotChoice, Values};
use crate::picture::{Picture, Touch};
use crate::screenshot::Screenshot;

/// The window is drawn at least so often.
const REFRESH: Duration = Duration::from_millis(400);
/// A panel that is new is laid out in the first picture and shown in the next.
const SETTLING: u32 = 4;
/// Pictures a second are counted over this time [s].
const COUNT_OVER: f32 = 0.5;

/// A picture of the window that is asked for.
pub struct Shots {
    /// The file.
    pub file: PathBuf,
    /// Frames after the initial one before it is taken.
    pub frames: u32,
}

/// What a window is opened for.
pub enum Purpose {
    /// To be looked at.
    Look,
    /// For a picture of it.
    Shots(Shots),
    /// To count pictures for so long.
    Measurement(Duration),
}

/// The window.
pub struct App {
    session: Session,
    scene: PathBuf,
    picture: Picture,
    snapshot: Option<Arc<Snapshot>>,
    facts: Option<Arc<SceneFacts>>,
    controls: Controls,
    values: Values,
    plots: PlotChoice,
    watch: FileWatch,
    /// Pictures since a moment, and pictures a second before it.
    counted: (u32, Instant),
    pictures_a_second: f32,
    shots: Option<Shots>,
    measurement: Option<Measurement>,
    screenshot: Option<Screenshot>,
    /// Pictures of the window since it showed what is asked for.
    settled: u32,
    has_title: bool,
}

impl App {
    /// Opens a scene.
    ///
    /// # Errors
    /// If the window has no OpenGL.
    pub fn new(
        context: &eframe::CreationContext<'_>,
        opening: Opening,
        purpose: Purpose,
    ) -> Result<Self, String> {
        let Some(gl) = &context.gl else {
            return Err("the window has no OpenGL".to_owned());
        };
        context.egui_ctx.set_theme(egui::Theme::Dark);
        let scene = opening.source.path.clone();
        let again = context.egui_ctx.clone();
        let session = Session::open(opening, move || again.request_repaint());
        let (speed, shots, measurement) = match purpose {
            Purpose::Look => (1.0, None, None),
            Purpose::Shots(shots) => (f64::INFINITY, Some(shots), None),
            Purpose::Measurement(time) => {
                let measurement = Measurement::over(time, renderer(gl));
                (f64::INFINITY, None, Some(measurement))
            }
        };
        session.tell(Command::Speed(speed));
        let plots = PlotChoice::default();
        session.tell(Command::Plot(plots.columns.clone()));
        Ok(Self {
            session,
            watch: FileWatch::new(&scene),
            scene,
            picture: Picture::new(),
            snapshot: None,
            facts: None,
            controls: Controls::new(speed),
            values: Values::default(),
            plots,
            counted: (0, Instant::now()),
            pictures_a_second: 0.0,
            shots,
            measurement,
            screenshot: None,
            settled: 0,
            has_title: false,
        })
    }

    /// Takes what is new on the board.
    fn look(&mut self, ctx: &egui::Context) -> Told {
        let mut board = self.session.board();
        self.snapshot = board.snapshot.take().or(self.snapshot.take());
        let facts = board.facts.clone();
        let told = Told {
            status: board.status,
            problem: board.problem.clone(),
            needs_restart: board.needs_restart.clone(),
            notice: board.notice.clone(),
            speed: board.speed,
            substeps: board.substeps,
            plots: board.plots.clone(),
        };
        drop(board);
        let is_new = match (&facts, &self.facts) {
            (Some(new), Some(old)) => !Arc::ptr_eq(new, old),
            (Some(_), None) => true,
            (None, _) => false,
        };
        if let (true, Some(facts)) = (is_new, facts) {
            self.take_facts(ctx, facts);
        }
        told
    }

    fn take_facts(&mut self, ctx: &egui::Context, facts: Arc<SceneFacts>) {
        if self.facts.is_none() {
            self.picture.choose(ChosenCamera::OfScene(0));
            self.controls.coloring = facts.coloring.clone();
        }
        self.picture.bounds = facts.bounds;
        self.values.forget();
        if !self.has_title {
            let title = format!("Pliant: {}", facts.title);
            ctx.send_viewport_cmd(egui::ViewportCommand::Title(title));
            self.has_title = true;
        }
        self.facts = Some(facts);
    }

    /// Reads the scene again if its file has changed.
    fn watch_file(&mut self) {
        if self.watch.has_changed() {
            self.session.tell(Command::Reload);
        }
    }

    fn count(&mut self) {
        self.counted.0 += 1;
        let passed = self.counted.1.elapsed().as_secs_f32();
        if passed > COUNT_OVER {
            self.pictures_a_second = self.counted.0 as f32 / passed;
            self.counted = (0, Instant::now());
        }
    }

    fn touch(&self, touches: Vec<Touch>) {
        for touch in touches {
            match touch {
                Touch::Grab(hit) => self.session.tell(Command::Grab(hit.point)),
                Touch::Move(to) => self.session.tell(Command::Move(to)),
                Touch::Release => self.session.tell(Command::Release),
                Touch::Cut(corners) => self.session.tell(Command::Cut(corners)),
                Touch::Pour(at) => self.session.tell(Command::Pour(self.poured(at))),
                Touch::Click(_) => {}
            }
        }
    }

    /// The body that is poured at a point [m].
    fn poured(&self, at: Option<DVec3>) -> Option<(String, DVec3)> {
        Some((self.controls.poured.clone()?, at?))
    }

    /// The panel at the side: the values of the scene, and what was done.
    fn side(&mut self, ui: &mut egui::Ui) {
        ui.horizontal(|ui| {
            ui.heading("scene");
            let hint = "Writes what was done since the start to a file beside the scene, so that it can be done again";
            if ui.button("save inputs").on_hover_text(hint).clicked() {
                let file = self.scene.with_extension("inputs.toml");
                self.session.tell(Command::SaveInputs(file));
            }
            let hint = "Runs the scene again with what was done so far, in the background, with pictures and a film";
            if ui.button("film").on_hover_text(hint).clicked() {
                let file = self.scene.with_extension("inputs.toml");
                self.session.tell(Command::Film(file));
            }
        });
        egui::ScrollArea::vertical().show(ui, |ui| {
            let facts = self.facts.clone();
            let entries = facts.as_ref().map_or(&[][..], |facts| &facts.entries);
            if let Some(assignment) = panels::show_values(ui, &mut self.values, entries) {
                self.session.tell(Command::Set(assignment));
            }
        });
    }

    /// Errors and news, over the picture.
    fn messages(&self, ctx: &egui::Context, at: egui::Rect, told: &Told) {
        let corner = at.left_top() + egui::vec2(12.0, 12.0);
        let messages = egui::Area::new(egui::Id::unique("messages")).fixed_pos(corner);
        messages.show(ctx, |ui| {
            if told.problem.is_none() && told.notice.is_none() {
                return;
            }
            egui::Frame::popup(ui.style()).show(ui, |ui| {
                ui.set_max_width((0.6 * at.width()).max(200.0));
                if let Some(problem) = &told.problem {
                    let text = egui::RichText::new(problem).color(ui.visuals().error_fg_color);
                    ui.add(egui::Label::new(text.monospace()).wrap());
                }
                if let Some(assignment) = &told.needs_restart
                    && ui.button(format!("restart with {assignment}")).clicked()
                {
                    self.session.tell(Command::RestartWith(assignment.clone()));
                }
                if let Some(notice) = &told.notice {
                    ui.label(notice);
                }
                if ui.small_button("close").clicked() {
                    let mut board = self.session.board();
                    (board.problem, board.needs_restart, board.notice) = (None, None, None);
                }
            });
        });
    }

    fn state_line(&self, ui: &mut egui::Ui, told: &Told) {
        let Some(snapshot) = &self.snapshot else {
            ui.label(match told.status {
                Status::Failed => "failed",
                _ => "opening the scene ...",
            });
            return;
        };
        let state = match told.status {
            Status::Opening => "opening",
            Status::Running => "running",
            Status::Paused => "paused",
            Status::Failed => "failed",
        };
        ui.label(format!(
            "{state}   t = {:.3} s   frame {}   {} particles   {} substeps a frame   {:.2} of real time   {:.0} pictures a second",
            snapshot.time,
            snapshot.frame,
            snapshot.particles,
            told.substeps,
            told.speed,
            self.pictures_a_second
        ));
    }

    /// Takes the picture that was asked for, and ends.
    fn shoot(&mut self, ctx: &egui::Context, status: Status) {
        let Some(shots) = &self.shots else { return };
        ctx.request_repaint();
        let reached = self
            .snapshot
            .as_ref()
            .is_some_and(|s| s.frame > shots.frames);
        let is_due = reached || status == Status::Failed;
        self.settled += u32::from(is_due);
        match &self.screenshot {
            None if self.settled > SETTLING => {
                self.session.tell(Command::Run(false));
                self.screenshot = Some(Screenshot::request(ctx));
            }
            None => {}
            Some(screenshot) => {
                if let Some(written) = screenshot.write(&shots.file) {
                    if let Err(why) = written {
                        eprintln!("error: {why}");
                    }
                    ctx.send_viewport_cmd(egui::ViewportCommand::Close);
                }
            }
        }
    }

    /// Counts this picture, and ends when there were enough.
    fn measure(&mut self, ctx: &egui::Context, status: Status) {
        let Some(measurement) = &mut self.measurement else {
            return;
        };
        ctx.request_repaint();
        let result = match (status, &self.snapshot) {
            (Status::Failed, _) => Some("nothing was measured: the scene failed".to_owned()),
            (Status::Opening, _) | (_, None) => None,
            (_, Some(snapshot)) => measurement.count(snapshot),
        };
        if let Some(result) = result {
            println!("{result}");
            self.measurement = None;
            ctx.send_viewport_cmd(egui::ViewportCommand::Close);
        }
    }
}

/// What the board said in this picture.
struct Told {
    status: Status,
    problem: Option<String>,
    needs_restart: Option<String>,
    notice: Option<String>,
    speed: f64,
    substeps: u64,
    plots: pliant::live::Plots,
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, _: &mut eframe::Frame) {
        let ctx = ui.ctx().clone();
        self.watch_file();
        self.count();
        let told = self.look(&ctx);
        let facts = self.facts.clone();
        let mut commands = panels::keys(&ctx, told.status);
        egui::Panel::top("controls").show(ui, |ui| {
            let shown =
                panels::show_controls(ui, &mut self.controls, told.status, facts.as_deref());
            commands.extend(shown);
        });
        egui::Panel::bottom("plots").show(ui, |ui| {
            self.state_line(ui, &told);
            let columns = facts.as_ref().map_or(&[][..], |facts| &facts.columns);
            if panels::show_plots(ui, &mut self.plots, columns, &told.plots) {
                commands.push(Command::Plot(self.plots.columns.clone()));
            }
        });
        egui::Panel::left("values")
            .default_size(300.0)
            .show(ui, |ui| self.side(ui));
        for command in commands {
            self.session.tell(command);
        }
        if let Some(chosen) = self.controls.camera.take() {
            self.picture.choose(chosen);
        }
        if let (Some(facts), Some(snapshot)) = (&facts, &self.snapshot) {
            self.picture.follow(facts, snapshot.time);
        }
        self.picture.has_shadows = self.controls.has_shadows;
        let middle = ui.available_rect_before_wrap();
        let touches = self.picture.show(ui, self.snapshot.as_ref(), true);
        self.touch(touches);
        if let Some(legend) = self.snapshot.as_ref().and_then(|s| s.legend.as_ref()) {
            panels::show_legend(&ctx, middle, legend);
        }
        let mut told = told;
        told.problem = told.problem.or(self.picture.failure());
        self.messages(&ctx, middle, &told);
        self.shoot(&ctx, told.status);
        self.measure(&ctx, told.status);
        ctx.request_repaint_after(REFRESH);
    }
}
