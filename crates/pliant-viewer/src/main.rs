//! The window of `pliant live` and `pliant view`.
//!
//! | what | where |
//! | --- | --- |
//! | arguments | this page |
//! | the window: panels around a picture | `app`, `run_app`, `panels` |
//! | which frame of a run is seen, and another run beside it | `timeline`, `beside` |
//! | camera, mouse, what is under it | `orbit`, `picture`, `pick` |
//! | the picture on the graphics card | `gl` |
//! | how many pictures a second | `measurement` |
//!
//! What is simulated, and all that a window does to it, is in `pliant::live`.

mod app;
mod beside;
mod gl;
mod measurement;
mod orbit;
mod panels;
mod pick;
mod picture;
mod run_app;
mod screenshot;
mod timeline;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use pliant::live::{BadAddress, Opening, RunPlace, Source, read_inputs};
use pliant::scene::Overrides;

use app::{App, Purpose, Shots};
use run_app::RunApp;

/// Shows scenes while they run.
#[derive(Parser)]
#[command(name = "pliant-live", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scene in a window: drag it, change it, look at it from all sides
    Live(LiveArguments),
    /// Look at a run: scrub through its frames, follow particles, plot what was measured
    View(ViewArguments),
}

#[derive(Args)]
struct LiveArguments {
    /// The scene file; read again when it changes
    #[arg(required_unless_present = "replay")]
    scene: Option<PathBuf>,
    /// Replace a value of the scene: body.column.spacing=0.005, solver.iterations=8
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Use the level [detail.NAME] of the scene
    #[arg(long, value_name = "NAME")]
    detail: Option<String>,
    /// Threads of the simulation [default: one a core]
    #[arg(long, value_name = "N")]
    threads: Option<u16>,
    /// Start paused
    #[arg(long)]
    paused: bool,
    /// Do again what was done to a scene and saved by the button "save inputs"
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scene", "set", "detail"])]
    replay: Option<PathBuf>,
    /// Draw as many pictures as can be for so long [s], say how many and how much was simulated, and end
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "screenshot")]
    measure: Option<Duration>,
    #[command(flatten)]
    shots: ShotArguments,
}

#[derive(Args)]
struct ViewArguments {
    /// The folder of a run, finished or not, or the address of one that `pliant serve` or a program shows:
    /// http://localhost:8000/#run=0
    #[arg(value_parser = run_places())]
    run: RunPlace,
    /// Another run, which is shown beside it, or as the difference of both
    #[arg(value_parser = run_places())]
    other: Option<RunPlace>,
    /// Colour the run by how far everything is from where it is in the other one
    #[arg(long, requires = "other")]
    difference: bool,
    #[command(flatten)]
    shots: ShotArguments,
}

/// For tests and documentation: a picture of the window.
#[derive(Args)]
struct ShotArguments {
    /// Write a picture of the window to a PNG file after `--frames` and end
    #[arg(long, value_name = "FILE")]
    screenshot: Option<PathBuf>,
    /// Frames after the initial one before the picture is taken
    #[arg(long, value_name = "N", default_value_t = 24, requires = "screenshot")]
    frames: u32,
    /// Width and height of the window [points]
    #[arg(long, value_name = "WxH", value_parser = size, default_value = "1280x800")]
    size: [f32; 2],
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Live(arguments) => live(arguments),
        Command::View(arguments) => view(arguments),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

fn live(arguments: LiveArguments) -> Result<(), String> {
    let replay = arguments.replay.as_deref().map(read_inputs);
    let replay = replay.transpose().map_err(|error| error.to_string())?;
    let source = match &replay {
        Some(log) => Source::of(log),
        None => Source {
            path: arguments.scene.unwrap_or_default(),
            overrides: Overrides {
                detail: arguments.detail,
                set: arguments.set,
                ..Overrides::default()
            },
        },
    };
    let opening = Opening {
        source,
        threads: arguments.threads.map_or(0, usize::from),
        runs: !arguments.paused,
        replay,
    };
    let title = format!("Pliant: {}", opening.source.path.display());
    let look = Look {
        size: arguments.shots.size,
        waits_for_screen: arguments.measure.is_none(),
    };
    let purpose = match (arguments.measure, arguments.shots.asked()) {
        (Some(time), _) => Purpose::Measurement(time),
        (None, Some(shots)) => Purpose::Shots(shots),
        (None, None) => Purpose::Look,
    };
    window(
        &title,
        look,
        Box::new(move |context| Ok(Box::new(App::new(context, opening, purpose)?))),
    )
}

fn view(arguments: ViewArguments) -> Result<(), String> {
    let ViewArguments {
        run,
        other,
        difference,
        shots,
    } = arguments;
    let title = format!("Pliant: {run}");
    let look = Look {
        size: shots.size,
        waits_for_screen: true,
    };
    let shots = shots.asked();
    window(
        &title,
        look,
        Box::new(move |context| {
            let mut app = RunApp::new(context, &run, shots)?;
            if let Some(other) = other {
                app.compare_with(&other, difference, &context.egui_ctx);
            }
            Ok(Box::new(app))
        }),
    )
}

/// A window.
struct Look {
    /// Width and height [points].
    size: [f32; 2],
    /// Whether pictures are drawn no faster than the screen shows them.
    waits_for_screen: bool,
}

/// Opens a window and shows it until it is closed.
fn window(title: &str, look: Look, create: eframe::AppCreator<'_>) -> Result<(), String> {
    let options = eframe::NativeOptions {
        depth_buffer: 24,
        glow_options: eframe::egui_glow::GlowConfiguration {
            vsync: look.waits_for_screen,
            ..Default::default()
        },
        viewport: eframe::egui::ViewportBuilder::default().with_inner_size(look.size),
        ..eframe::NativeOptions::default()
    };
    eframe::run_native(title, options, create).map_err(|error| {
        format!(
            "no window could be opened: {error}; it needs a display and OpenGL 3.3 or OpenGL ES 3.0"
        )
    })
}

impl ShotArguments {
    /// The picture that is asked for.
    fn asked(self) -> Option<Shots> {
        let frames = self.frames;
        self.screenshot.map(|file| Shots { file, frames })
    }
}

/// Folders and addresses.
fn run_places() -> impl TypedValueParser<Value = RunPlace> {
    OsStringValueParser::new().try_map(|text| -> Result<_, BadAddress> { RunPlace::named(&text) })
}

/// `10` or `0.5`.
fn seconds(text: &str) -> Result<Duration, String> {
    let parsed = text
        .parse()
        .ok()
        .filter(|time| (0.1..=3600.0).contains(time));
    let parsed = parsed.map(Duration::from_secs_f64);
    parsed.ok_or_else(|| "expected seconds from 0.1 to 3600, such as 10".into())
}

/// `1280x800`.
fn size(text: &str) -> Result<[f32; 2], String> {
    let parsed = text
        .split_once('x')
        .and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    let parsed = parsed.filter(|size: &[f32; 2]| size.iter().all(|s| (64.0..=8192.0).contains(s)));
    parsed.ok_or_else(|| "expected width and height from 64 to 8192, such as 1280x800".into())
}
