//! Pictures and film of a run made again from its particle frames.

use std::path::{Path, PathBuf};

use pliant_core::measure::FrameBuffers;
use pliant_io::export::{ParticleFrame, read_frame};
use pliant_io::{FileError, create_folder, write_bytes};
use pliant_math::DVec3;
use pliant_render::picture::{PictureError, encode_png};
use pliant_render::{Camera, Coloring, EnvironmentLight, Lens, RenderError, Renderer, Settings};
use pliant_scene::{Environment, Scene, SceneErrors};
use pliant_view::{CameraPath, camera_path_of, color_map_of, settings_of};

use crate::additions::{RunScene, RunWorld};
use crate::environment::{environment_of, read_environment};
use crate::recorded::{Recorded, RecordedError, chosen_files};
use crate::report::write_report;
use crate::run::{
    FilmFormat, FolderLock, Manifest, NoFilm, OutputFolder, RunError, layout, make_film,
    missing_frames,
};
use crate::shown::in_pictures;

/// How the pictures are made. What is missing is as in the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RedrawOptions {
    /// Where they are taken from.
    pub camera: Option<CameraChoice>,
    /// How fast the camera turns around what it looks at [rad/s].
    pub turn: Option<f64>,
    /// Columns and rows.
    pub size: Option<[u32; 2]>,
    /// What colours the particles: `body`, `material`, `speed` or a quantity of the particle files.
    pub color_by: Option<String>,
    /// The values at the ends of the colour map; from all frames if missing.
    pub range: Option<[f32; 2]>,
    /// First and last frame.
    pub frames: Option<[u32; 2]>,
    /// Without title, time and legend.
    pub is_plain: bool,
    /// Share of the time between two frames for which the shutter is open.
    pub shutter: Option<f64>,
    /// Diameter of the lens [m].
    pub aperture: Option<f64>,
    /// Sharp pictures of which a blurred one is made.
    pub samples: Option<u32>,
    /// An environment map that lights them, as a scene names one.
    pub environment: Option<PathBuf>,
    /// What they are put together to.
    pub film: Option<FilmFormat>,
}

/// Where pictures are taken from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CameraChoice {
    /// A camera of the scene, from 1.
    Numbered(usize),
    /// A place and what is in the middle of the picture [m].
    Placed {
        /// Where it stands; the run's place if missing.
        position: Option<DVec3>,
        /// What is in the middle; the run's target if missing.
        target: Option<DVec3>,
    },
}

/// Why the pictures could not be made.
#[derive(Debug, thiserror::Error)]
pub enum RedrawError {
    /// The environment map that was named cannot light them.
    #[error("--environment: {0}")]
    Environment(String),
    /// The folder's scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// The frames cannot be read.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// A colour map cannot reach from one value to the other.
    #[error(
        "no colours can show the range from {low} to {high}; both must be finite, and the first \
         less than the second"
    )]
    Range {
        /// The value at the lower end.
        low: f32,
        /// The value at the upper end.
        high: f32,
    },
    /// A range was given for colours that show no quantity.
    #[error(
        "a range belongs to a quantity, but the colours show the {0}; name one with --color-by"
    )]
    RangeOfNothing(&'static str),
    /// The camera looks nowhere.
    #[error("a camera at {position} cannot look at {target}; the two must be finite and apart")]
    Camera {
        /// Where it stands [m].
        position: DVec3,
        /// What it shall look at [m].
        target: DVec3,
    },
    /// There is no such camera.
    #[error("there is no camera {number}; the scene has {count}")]
    NoCamera {
        /// The number asked for.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// A picture cannot be made.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A picture cannot be encoded.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// There is no film.
    #[error(transparent)]
    Film(#[from] NoFilm),
    /// There is no report, or another process writes into the folder.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redrawn {
    /// The film, if there shall be one.
    pub film: Option<PathBuf>,
    /// Frames that have no particle file and are not in the film: `3, 5 to 7`.
    pub missing: Option<String>,
}

/// Makes the pictures of a folder's frames again, then the film and the report. Older pictures are
/// removed first. `progress` is called with the pictures done and their number.
///
/// # Errors
/// If the folder holds no run or no particle frames, another process writes into it, or a file cannot be
/// read or written.
pub fn redraw(
    folder: &OutputFolder,
    options: &RedrawOptions,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<Redrawn, RedrawError> {
    let no_run = |source| RecordedError::NoRun {
        folder: folder.root().to_owned(),
        source,
    };
    let mut manifest = Manifest::read(&folder.manifest()).map_err(no_run)?;
    let _lock = FolderLock::take(folder.root())?;
    let run = RunScene::read(folder)?;
    let chosen = chosen_files(folder, options.frames)?;
    let missing = missing_of(&chosen, options.frames, manifest.frames_done);
    let files: Vec<PathBuf> = chosen.into_iter().map(|(_, path)| path).collect();
    let start = run.start();
    let mut first = FrameBuffers::default();
    first.update(&start);
    // The particles of the start take no room while frames are drawn.
    let setup = start.setup;
    let RunScene { scene, mut world } = run;
    let frames = manifest.frames_to_picture();
    let of_run = camera_path_of(&scene, &setup, &first.frame(), frames);
    let mut camera = camera(&scene, options.camera, of_run)?;
    if let Some(turn) = options.turn {
        camera = camera.turning(turn);
    }
    let mut settings = settings_of(&scene, &setup, &first.frame(), frames);
    settings.environment = environment(&scene, options.environment.as_deref())?;
    apply(options, &mut settings, (&files, scene.frame_rate()))?;
    draw(folder, &files, &mut world, (settings, camera), progress)?;
    let of_scene = || FilmFormat::named(&scene.output().film).unwrap_or_default();
    let format = options.film.unwrap_or_else(of_scene);
    let name = make_film(folder, scene.frame_rate(), format)?;
    manifest.film = name.map(|name| format!("preview/{name}"));
    manifest.write(&folder.manifest())?;
    let columns = layout(&setup, &scene)?;
    write_report(folder, &scene, &columns, &manifest)?;
    Ok(Redrawn {
        film: name.map(|name| folder.preview().join(name)),
        missing,
    })
}

/// Frames of a run that were asked for and have no file.
fn missing_of(
    chosen: &[(u32, PathBuf)],
    asked: Option<[u32; 2]>,
    frames_done: u32,
) -> Option<String> {
    let [first, last] = asked.unwrap_or([1, u32::MAX]);
    let numbers: Vec<u32> = chosen.iter().map(|(number, _)| *number).collect();
    missing_frames(&numbers, first.max(1), last.min(frames_done))
}

fn camera(
    scene: &Scene,
    choice: Option<CameraChoice>,
    of_run: CameraPath,
) -> Result<CameraPath, RedrawError> {
    let path = chosen_camera(scene, choice, of_run)?;
    let Camera {
        position, target, ..
    } = path.at(0.0);
    // The distance of places that are not finite, or too far to be told apart, is not finite.
    let distance = position.distance(target);
    match distance.is_finite() && distance > 0.0 {
        true => Ok(path),
        false => Err(RedrawError::Camera { position, target }),
    }
}

fn chosen_camera(
    scene: &Scene,
    choice: Option<CameraChoice>,
    of_run: CameraPath,
) -> Result<CameraPath, RedrawError> {
    let cameras = scene.cameras();
    match choice {
        None => Ok(of_run),
        Some(CameraChoice::Numbered(number)) => {
            let found = number.checked_sub(1).and_then(|place| cameras.get(place));
            let count = cameras.len();
            let found = found.ok_or(RedrawError::NoCamera { number, count })?;
            Ok(CameraPath::of(found, scene))
        }
        Some(CameraChoice::Placed { position, target }) => {
            let start = of_run.at(0.0);
            Ok(CameraPath::fixed(Camera {
                position: position.unwrap_or(start.position),
                target: target.unwrap_or(start.target),
                ..start
            }))
        }
    }
}

/// What lights the pictures: the environment map of a file, or what the scene names.
fn environment(
    scene: &Scene,
    file: Option<&Path>,
) -> Result<Option<EnvironmentLight>, RedrawError> {
    let Some(file) = file else {
        return Ok(environment_of(scene)?);
    };
    let named = Environment {
        file: file.to_owned(),
        strength: 1.0,
        turn: 0.0,
        is_seen: true,
    };
    let read = read_environment(&named).map_err(RedrawError::Environment)?;
    Ok(Some(read))
}

/// Puts what was asked for into the settings of the run.
fn apply(
    options: &RedrawOptions,
    settings: &mut Settings,
    (files, frame_rate): (&[PathBuf], f64),
) -> Result<(), RedrawError> {
    if let Some([width, height]) = options.size {
        (settings.width, settings.height) = (width, height);
    }
    settings.check_size()?;
    settings.lens = Lens {
        shutter: options
            .shutter
            .map_or(settings.lens.shutter, |share| share / frame_rate),
        aperture: options.aperture.unwrap_or(settings.lens.aperture),
        samples: options.samples.unwrap_or(settings.lens.samples),
    };
    if options.is_plain {
        settings.title = None;
        (settings.shows_time, settings.shows_legend) = (false, false);
    }
    match options.color_by.as_deref() {
        Some("body") => settings.coloring = Coloring::Body,
        Some("material") => settings.coloring = Coloring::Material,
        Some("fragment") => settings.coloring = Coloring::Fragment,
        Some(name) => {
            settings.coloring = Coloring::Quantity {
                name: name.to_owned(),
                range: None,
                color_map: color_map_of(name),
            };
        }
        None => {}
    }
    match (&mut settings.coloring, options.range) {
        (Coloring::Quantity { range, .. }, Some(given)) => *range = Some(checked_range(given)?),
        (Coloring::Quantity { name, range, .. }, None) => *range = range_of_frames(name, files)?,
        (Coloring::Body, Some(_)) => return Err(RedrawError::RangeOfNothing("body")),
        (Coloring::Material, Some(_)) => return Err(RedrawError::RangeOfNothing("material")),
        (Coloring::Fragment, Some(_)) => return Err(RedrawError::RangeOfNothing("fragment")),
        (Coloring::Body | Coloring::Material | Coloring::Fragment, None) => {}
    }
    Ok(())
}

fn checked_range([low, high]: [f32; 2]) -> Result<[f32; 2], RedrawError> {
    // The span of a range can be infinite although its ends are not.
    let can_be_shown = low < high && (high - low).is_finite();
    match can_be_shown {
        true => Ok([low, high]),
        false => Err(RedrawError::Range { low, high }),
    }
}

/// The values of a quantity over all frames, from the least 2nd to the greatest 98th percentile;
/// `None` if no frame has it, so that drawing tells.
fn range_of_frames(name: &str, files: &[PathBuf]) -> Result<Option<[f32; 2]>, RedrawError> {
    let mut range: Option<[f32; 2]> = None;
    for file in files {
        let frame = read_frame(file).map_err(RecordedError::from)?;
        let mut values = values_of(&frame, name);
        values.retain(|value| value.is_finite());
        let Some(last) = values.len().checked_sub(1) else {
            continue;
        };
        values.sort_unstable_by(f32::total_cmp);
        let (low, high) = (values[last / 50], values[last - last / 50]);
        range = Some(range.map_or([low, high], |[a, b]| [a.min(low), b.max(high)]));
    }
    // The same value everywhere: some range around it.
    Ok(range.map(|[a, b]| if b > a { [a, b] } else { [a - 0.5, b + 0.5] }))
}

fn values_of(frame: &ParticleFrame, name: &str) -> Vec<f32> {
    if name == "speed" {
        let speed = |v: &[f32; 3]| v.iter().map(|c| c * c).sum::<f32>().sqrt();
        return frame.velocity.iter().map(speed).collect();
    }
    let quantity = frame
        .quantities
        .iter()
        .find(|quantity| quantity.name == name);
    quantity.map_or(Vec::new(), |quantity| quantity.values.clone())
}

fn draw(
    folder: &OutputFolder,
    files: &[PathBuf],
    world: &mut RunWorld,
    (settings, camera): (Settings, CameraPath),
    progress: &mut dyn FnMut(usize, usize),
) -> Result<(), RedrawError> {
    create_folder(&folder.preview())?;
    let mut renderer = Renderer::new(settings);
    let mut recorded = Recorded::of(world);
    for (done, file) in files.iter().enumerate() {
        recorded.read(folder, file)?;
        let (frame, surface) = (recorded.frame()?, recorded.surface()?);
        let columns = in_pictures(&frame, surface.as_ref());
        let picture = renderer.render(&columns.shown_in(&frame), &camera.at(frame.time))?;
        if done == 0 {
            // Not before the first picture is there: a wrong quantity takes nothing away.
            folder.pictures().remove_after(0)?;
        }
        write_bytes(
            &folder.pictures().path(frame.number),
            &encode_png(&picture)?,
        )?;
        progress(done + 1, files.len());
    }
    Ok(())
}
