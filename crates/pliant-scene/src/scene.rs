//! A scene: what was written, checked, with defaults filled in.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_core::schedule::Ease;
use pliant_materials::Law;
use pliant_math::DVec3;
use pliant_parameters::{Disk, Files, Value, Values};

use crate::check::{Checker, Origins, Tables, check_document, nearest_origin};
use crate::document::{Document, Overrides, read_document, read_file};
use crate::problems::{SceneError, SceneErrors, Sources};
use crate::tables::{PRESET, TABLES};
use crate::units::{ease, radians};

/// A checked scene.
///
/// Two scenes are equal if they say the same, wherever that was written.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(crate) tables: Tables,
    written: Arc<Written>,
}

/// Where things were written, for errors found later.
#[derive(Debug)]
struct Written {
    sources: Sources,
    origins: Origins,
}

/// What is measured in each frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Probe<'a> {
    /// Name, the first part of its columns.
    pub name: &'a str,
    /// Name of the measure.
    pub measure: &'a str,
    /// The measure's parameters.
    pub values: &'a Values,
}

/// What bodies are made of.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneMaterial<'a> {
    /// Name.
    pub name: &'a str,
    /// Name of the law.
    pub law: &'a str,
    /// Name of the preset it started from, if any.
    pub preset: Option<&'a str>,
    /// Density and parameters of the law, defaults and the preset's included: key, value, unit.
    pub values: Vec<(&'static str, &'a Value, &'static str)>,
}

/// What a scene must show.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Column of `probes.csv` or `stats.csv`.
    pub column: String,
    /// What is taken of the column.
    pub at: Moment,
    /// Rows before this time [s] do not count.
    pub from: Option<f64>,
    /// Rows after this time [s] do not count.
    pub to: Option<f64>,
    /// Least accepted value.
    pub low: f64,
    /// Greatest accepted value.
    pub high: f64,
    /// Source of the value.
    pub source: Option<String>,
    /// Whether halving the spacing shall change it less and less.
    pub converges: bool,
}

/// What is taken of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Moment {
    /// The value at a time [s].
    Time(f64),
    /// `end`, `min`, `max`, `mean`, `slope` (a second) or `r2`.
    Whole(String),
}

/// Where pictures are taken from.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands [m].
    pub position: DVec3,
    /// The point in the middle of the picture [m].
    pub target: DVec3,
    /// Angle between the lower and the upper edge [rad].
    pub field_of_view: f64,
    /// Where it goes, times increasing; empty if it stays.
    pub keyframes: Vec<CameraKeyframe>,
    /// From one keyframe to the next.
    pub ease: Ease,
    /// Turn around the vertical through the target [rad/s].
    pub turn: f64,
}

/// Where a camera is at a time. What is missing is as before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraKeyframe {
    /// The time [s].
    pub time: f64,
    /// [`Camera::position`].
    pub position: Option<DVec3>,
    /// [`Camera::target`].
    pub target: Option<DVec3>,
    /// [`Camera::field_of_view`].
    pub field_of_view: Option<f64>,
}

/// A surface around loose particles.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// The body whose particles it is around.
    pub body: Option<String>,
    /// The material of the particles that it is around.
    pub material: Option<String>,
    /// Edge of the cubes of marching cubes [spacings].
    pub cube_size: f64,
    /// Passes of smoothing.
    pub smoothing: u32,
}

/// An environment map that lights pictures.
#[derive(Clone, Debug, PartialEq)]
pub struct Environment {
    /// Its file.
    pub file: PathBuf,
    /// Factor on its brightness, >= 0.
    pub strength: f64,
    /// How far it is turned about the vertical [rad].
    pub turn: f64,
    /// Whether it is seen behind the scene.
    pub is_seen: bool,
}

/// What a run leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Formats of the particle files.
    pub particles: Vec<String>,
    /// Formats of the files of surfaces around particles.
    pub surface: Vec<String>,
    /// Whether pictures and a film are made.
    pub preview: bool,
    /// Columns and rows of the pictures; the usual ones if missing.
    pub size: Option<[u32; 2]>,
    /// Share of the time between two frames for which the shutter is open, from 0 to 1.
    pub shutter: f64,
    /// Diameter of the lens [m], >= 0.
    pub aperture: f64,
    /// Sharp pictures of which a blurred one is made, at least 1.
    pub samples: u32,
    /// An environment map that lights the pictures.
    pub environment: Option<Environment>,
    /// Frames between two checkpoints, at least 1.
    pub checkpoint_every: u32,
    /// What the pictures are put together to: `automatic`, `mp4`, `apng`, `gif`, `none`.
    pub film: String,
    /// What colours the particles in pictures.
    pub color_by: String,
}

impl PartialEq for Scene {
    fn eq(&self, other: &Self) -> bool {
        self.tables == other.tables
    }
}

impl Scene {
    /// Reads a scene file.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn read(path: &Path, overrides: &Overrides) -> Result<Self, SceneErrors> {
        let name = path.display().to_string();
        let text = read_file(&Disk, path).map_err(|why| SceneErrors::unreadable(&name, &why))?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        Self::parse(text, &name, folder, overrides)
    }

    /// Reads a scene from a text. `name` stands for its file in messages; relative paths start
    /// from `folder`.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn parse(
        text: impl Into<String>,
        name: &str,
        folder: &Path,
        overrides: &Overrides,
    ) -> Result<Self, SceneErrors> {
        Self::parse_with(text, name, folder, overrides, &Disk)
    }

    /// The same, with the files that it names and consists of looked for elsewhere than on the disk.
    ///
    /// # Errors
    /// As for [`Self::parse`].
    pub fn parse_with(
        text: impl Into<String>,
        name: &str,
        folder: &Path,
        overrides: &Overrides,
        files: &dyn Files,
    ) -> Result<Self, SceneErrors> {
        let document = read_document(text.into(), name, folder, overrides, files);
        Self::of_document(document, files)
    }

    /// Checks a document.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub(crate) fn of_document(document: Document, files: &dyn Files) -> Result<Self, SceneErrors> {
        if !document.errors.is_empty() {
            return Err(SceneErrors::new(document.errors));
        }
        let mut errors = check_other_levels(&document, files);
        let mut checker = Checker::new(&document.sources, files);
        let tables = check_document(&mut checker, &document.root);
        errors.append(&mut checker.errors);
        if !errors.is_empty() {
            return Err(SceneErrors::new(errors));
        }
        let origins = checker.origins;
        Ok(Self {
            tables,
            written: Arc::new(Written {
                sources: document.sources,
                origins,
            }),
        })
    }

    /// Title of the report and the film; the empty text if there is none.
    pub fn title(&self) -> &str {
        self.one("scene").text("title")
    }

    /// Source of the case.
    pub fn source(&self) -> Option<&str> {
        self.one("scene").optional_text("source")
    }

    /// Simulated time [s], > 0.
    pub fn duration(&self) -> f64 {
        self.one("scene").number("duration")
    }

    /// Frames per second, > 0.
    pub fn frame_rate(&self) -> f64 {
        self.one("scene").number("frame_rate")
    }

    /// Frames after the initial one, at least 1: the last one is the first at or after `duration`.
    pub fn frame_count(&self) -> u32 {
        // A duration that is a whole number of frames up to rounding takes no frame more.
        let frames = self.duration() * self.frame_rate();
        ((frames * (1.0 - 1e-9)).ceil() as u32).max(1)
    }

    /// The axis that points up, a unit vector.
    pub fn up(&self) -> DVec3 {
        match self.one("scene").text("up") {
            "z" => DVec3::Z,
            _ => DVec3::Y,
        }
    }

    /// What bodies are made of, in the order of their names.
    pub fn materials(&self) -> Vec<SceneMaterial<'_>> {
        self.tables["material"].iter().map(material).collect()
    }

    /// What is measured in each frame, in the order of the file.
    pub fn probes(&self) -> Vec<Probe<'_>> {
        self.tables["probe"].iter().map(probe).collect()
    }

    /// What the scene must show, in the order of the file.
    pub fn expectations(&self) -> Vec<Expectation> {
        self.tables["expect"].iter().map(expectation).collect()
    }

    /// Where pictures are taken from; may be empty.
    pub fn cameras(&self) -> Vec<Camera> {
        let camera = |values: &Values| Camera {
            position: DVec3::from_array(values.vector3("position")),
            target: DVec3::from_array(values.vector3("target")),
            field_of_view: radians(values.number("field_of_view")),
            keyframes: values
                .tables("keyframes")
                .into_iter()
                .map(camera_keyframe)
                .collect(),
            ease: ease(values),
            turn: radians(values.number("turn")),
        };
        self.tables["camera"].iter().map(camera).collect()
    }

    /// The surfaces around loose particles that a run writes; may be empty.
    pub fn surfaces(&self) -> Vec<Surface> {
        let text = |values: &Values, key| values.optional_text(key).map(String::from);
        let surface = |values: &Values| Surface {
            body: text(values, "body"),
            material: text(values, "material"),
            cube_size: values.number("cube_size"),
            smoothing: values.integer("smoothing") as u32,
        };
        self.tables["surface"].iter().map(surface).collect()
    }

    /// What a run leaves.
    pub fn output(&self) -> Output {
        let values = self.one("output");
        let texts = |key| values.texts(key).into_iter().map(String::from).collect();
        Output {
            particles: texts("particles"),
            surface: texts("surface"),
            preview: values.flag("preview"),
            size: values.has("size").then(|| {
                let numbers = values.numbers("size");
                [numbers[0] as u32, numbers[1] as u32]
            }),
            shutter: values.number("shutter"),
            aperture: values.number("aperture"),
            samples: values.integer("samples") as u32,
            environment: values.optional_text("environment").map(|file| Environment {
                file: file.into(),
                strength: values.number("environment_strength"),
                turn: values.number("environment_turn").to_radians(),
                is_seen: values.flag("shows_environment"),
            }),
            checkpoint_every: values.integer("checkpoint_every") as u32,
            film: values.text("film").into(),
            color_by: values.text("color_by").into(),
        }
    }

    /// The scene as TOML with every default written out, paths relative to `folder`: read again
    /// there, it is equal to this one.
    pub fn to_toml(&self, folder: &Path) -> String {
        crate::print::print(&self.tables, folder)
    }

    /// The values of a table that stands once.
    pub(crate) fn one(&self, table: &str) -> &Values {
        &self.tables[table][0]
    }

    /// What is wrong with the value at a key path, with the place where it was written.
    pub fn errors_at(&self, key: &str, message: impl Into<String>, remedy: &str) -> SceneErrors {
        SceneErrors::new(vec![self.error_at(key, message, Some(remedy.into()))])
    }

    /// An error at a key path, with the place where that or the nearest path above was written.
    pub(crate) fn error_at(
        &self,
        key: &str,
        message: impl Into<String>,
        remedy: Option<String>,
    ) -> SceneError {
        let Written { origins, sources } = self.written.as_ref();
        SceneError {
            place: sources.place(&nearest_origin(origins, key)),
            key: key.into(),
            value: origins.get(key).and_then(|origin| sources.value(origin)),
            message: message.into(),
            remedy,
        }
    }
}

/// Errors of the levels of detail that were not asked for.
fn check_other_levels(document: &Document, files: &dyn Files) -> Vec<SceneError> {
    let mut errors = Vec::new();
    for level in &document.other_levels {
        let mut checker = Checker::new(&document.sources, files);
        check_document(&mut checker, level);
        errors.append(&mut checker.errors);
    }
    errors
}

fn material(values: &Values) -> SceneMaterial<'_> {
    let law = values.text("law");
    let fields = TABLES.iter().filter(|t| t.name == "material");
    let fields = fields.flat_map(|t| t.fields).filter(|f| f.name != PRESET);
    let of_law = Law::all().filter(|k| k.name == law);
    let of_law = of_law.flat_map(|k| k.fields);
    SceneMaterial {
        name: values.text("name"),
        law,
        preset: values.optional_text(PRESET),
        values: fields
            .chain(of_law)
            .filter_map(|f| Some((f.name, values.get(f.name)?, f.unit)))
            .collect(),
    }
}

fn probe(values: &Values) -> Probe<'_> {
    Probe {
        name: values.text("name"),
        measure: values.text("measure"),
        values,
    }
}

fn expectation(values: &Values) -> Expectation {
    let at = match values.get("at") {
        Some(Value::Text(word)) => Moment::Whole(word.clone()),
        _ => Moment::Time(values.number("at")),
    };
    let (low, high) = match values.optional_number("value") {
        Some(value) => {
            let tolerance = values.number("tolerance");
            (value - tolerance, value + tolerance)
        }
        None => {
            let range = values.numbers("range");
            (range[0], range[1])
        }
    };
    Expectation {
        column: values.text("column").into(),
        at,
        from: values.optional_number("from"),
        to: values.optional_number("to"),
        low,
        high,
        source: values.optional_text("source").map(String::from),
        converges: values.flag("converges"),
    }
}

/// Where a camera is at a time.
fn camera_keyframe(values: &Values) -> CameraKeyframe {
    CameraKeyframe {
        time: values.number("t"),
        position: values.optional_vector3("position").map(DVec3::from_array),
        target: values.optional_vector3("target").map(DVec3::from_array),
        field_of_view: values.optional_number("field_of_view").map(radians),
    }
}
