//! `pliant render`.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use pliant::redraw::{CameraChoice, RedrawError, RedrawOptions, redraw};
use pliant::run::{FilmFormat, OutputFolder};
use pliant_math::DVec3;

use super::Failure;
use super::arguments::span;
use super::frame_progress::FrameBar;
use super::print::{eprint_line, print_line};

#[derive(Args)]
pub(crate) struct RenderArguments {
    /// The folder of a run
    folder: PathBuf,
    /// A camera of the scene, by its number among [[camera]], from 1
    #[arg(long, value_name = "N", conflicts_with_all = ["position", "target"])]
    camera: Option<usize>,
    /// Position of the camera [m]
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<f64, 3>, allow_hyphen_values = true)]
    position: Option<[f64; 3]>,
    /// Point in the middle of the picture [m]
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<f64, 3>, allow_hyphen_values = true)]
    target: Option<[f64; 3]>,
    /// Turns the camera around what it looks at, so many degrees a simulated second
    #[arg(long, value_name = "DEGREES", allow_hyphen_values = true)]
    turn: Option<f64>,
    /// Columns and rows of the pictures; most players need even numbers
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[u32; 2]>,
    /// What colours the particles: body, material, speed, density, det_F, stress_von_mises, fragment, ...
    #[arg(long, value_name = "QUANTITY")]
    color_by: Option<String>,
    /// Values at the ends of the colour map [default: from all frames]
    #[arg(long, value_name = "A,B", value_parser = numbers::<f32, 2>, allow_hyphen_values = true)]
    range: Option<[f32; 2]>,
    /// First and last frame; pictures of other frames are removed
    #[arg(long, value_name = "A..B", value_parser = span)]
    frames: Option<[u32; 2]>,
    /// What the pictures are put together to [default: as in the scene]
    #[arg(long, value_name = "FORMAT", value_parser = FilmFormat::NAMES)]
    film: Option<String>,
    /// Without title, time and legend
    #[arg(long)]
    plain: bool,
    /// Motion blur: the share of the time between two frames for which the shutter is open [default: as in the scene]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    shutter: Option<f64>,
    /// Depth of field: the diameter of the lens [m] [default: as in the scene]
    #[arg(long, value_name = "METRES", value_parser = diameter)]
    aperture: Option<f64>,
    /// Sharp pictures of which a blurred one is made [default: as in the scene, 16]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    samples: Option<u32>,
    /// An environment map that lights the pictures, a Radiance file (.hdr) [default: as in the scene]
    #[arg(long, value_name = "FILE")]
    environment: Option<PathBuf>,
    /// Print errors only
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn execute(arguments: &RenderArguments) -> Result<(), Failure> {
    let bar = FrameBar::new("picture", arguments.quiet);
    let made = redraw(
        &OutputFolder::new(&arguments.folder),
        &arguments.options(),
        &mut |done, of| bar.show(done, of),
    );
    bar.finish();
    let made = made.map_err(failure)?;
    if let Some(missing) = &made.missing {
        eprint_line(format_args!(
            "warning: there is no particle file of frame {missing}; the film jumps over that"
        ));
    }
    if let Some(film) = made.film.filter(|_| !arguments.quiet) {
        print_line(format_args!("film    {}", film.display()));
    }
    Ok(())
}

impl RenderArguments {
    fn options(&self) -> RedrawOptions {
        let placed = self.position.is_some() || self.target.is_some();
        let place = CameraChoice::Placed {
            position: self.position.map(DVec3::from),
            target: self.target.map(DVec3::from),
        };
        RedrawOptions {
            camera: self
                .camera
                .map(CameraChoice::Numbered)
                .or(placed.then_some(place)),
            turn: self.turn.map(f64::to_radians),
            size: self.size,
            color_by: self.color_by.clone(),
            range: self.range,
            frames: self.frames,
            is_plain: self.plain,
            shutter: self.shutter,
            aperture: self.aperture,
            samples: self.samples,
            environment: self.environment.clone(),
            film: self.film.as_deref().and_then(FilmFormat::named),
        }
    }
}

fn failure(error: RedrawError) -> Failure {
    match error {
        RedrawError::Scene(errors) => errors.into(),
        RedrawError::Run(error) => error.into(),
        RedrawError::Recorded(error) if error.is_about_arguments() => Failure::wrong(error),
        RedrawError::NoCamera { .. }
        | RedrawError::Range { .. }
        | RedrawError::RangeOfNothing(_)
        | RedrawError::Environment(_)
        | RedrawError::Camera { .. }
        | RedrawError::Render(_) => Failure::wrong(error),
        _ => Failure::failed(error),
    }
}

/// `1,2,3`.
fn numbers<T: FromStr + Copy, const N: usize>(text: &str) -> Result<[T; N], String> {
    let parsed: Result<Vec<T>, _> = text.split(',').map(|part| part.trim().parse()).collect();
    let expected = || format!("expected {N} numbers with commas between them");
    parsed
        .ok()
        .and_then(|list| list.try_into().ok())
        .ok_or_else(expected)
}

/// `1280x720`.
fn size(text: &str) -> Result<[u32; 2], String> {
    let parsed = text
        .split_once('x')
        .and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    parsed.ok_or_else(|| "expected columns and rows, such as 1280x720".into())
}

/// A share from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    number_from(text, 1.0).ok_or_else(|| "expected a number from 0 to 1".into())
}

/// A diameter up to a kilometre.
fn diameter(text: &str) -> Result<f64, String> {
    number_from(text, 1e3).ok_or_else(|| "expected metres, from 0 to 1000".into())
}

fn number_from(text: &str, most: f64) -> Option<f64> {
    let number: f64 = text.trim().parse().ok()?;
    (0.0..=most).contains(&number).then_some(number)
}
