//! The numbered files of a run, in all formats asked for.

use std::path::Path;
use std::time::SystemTime;

use pliant_core::measure::Frame;
use pliant_core::world::World;
use pliant_io::create_folder;
use pliant_io::export::{
    EXPORTERS, Exporter, Moment, SceneFacts, SeriesIndex, SeriesPlace, exporter, write_numbered,
};

use pliant_scene::Scene;

use super::RunError;
use super::folder::OutputFolder;
use crate::additions::RunWorld;
use crate::recorded::{facts_of_run, scene_facts};

/// What is written of each frame.
#[derive(Clone, Debug)]
pub struct FrameContents {
    /// Names of exporters.
    pub formats: Vec<String>,
    /// The scene.
    pub scene: SceneFacts,
}

/// The files of all frames: particles, and surfaces that bodies carry.
#[derive(Debug)]
pub struct FrameFiles {
    particles: Series,
    surfaces: Series,
    scene: SceneFacts,
}

/// A file a frame and format, and what makes one thing of them.
#[derive(Debug)]
struct Series {
    place: SeriesPlace,
    formats: Vec<Format>,
}

/// The files of a format.
#[derive(Debug)]
struct Format {
    exporter: &'static Exporter,
    index: Option<Box<dyn SeriesIndex>>,
}

impl FrameContents {
    /// What a scene asks for, by its world before the first substep.
    pub fn of(scene: &Scene, start: &World) -> Self {
        Self {
            formats: scene.output().particles,
            scene: scene_facts(scene, start),
        }
    }

    /// What the scene of a run asks for, with what was added to it.
    pub fn of_run(scene: &Scene, run: &RunWorld) -> Self {
        Self {
            formats: scene.output().particles,
            scene: facts_of_run(scene, run),
        }
    }
}

impl FrameFiles {
    /// Opens them in a folder, to go on after a time [s]; what makes one thing of the files is cut
    /// there.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn open(
        folder: &OutputFolder,
        contents: FrameContents,
        after: f64,
    ) -> Result<Self, RunError> {
        let exporters = contents.formats.iter().filter_map(|name| exporter(name));
        let exporters: Vec<&'static Exporter> = exporters.collect();
        let of_surfaces = exporters.iter().copied();
        let has_surface = !contents.scene.with_surface.is_empty();
        let of_surfaces = of_surfaces.filter(|e| has_surface && !e.holds_surfaces);
        let of_surfaces: Vec<&'static Exporter> = of_surfaces.collect();
        let surfaces = SeriesPlace::surfaces(&folder.surface());
        let particles = SeriesPlace::particles(&folder.particles());
        Ok(Self {
            surfaces: Series::open(surfaces, &of_surfaces, after)?,
            particles: Series::open(particles, &exporters, after)?,
            scene: contents.scene,
        })
    }

    /// The same for the surfaces of what is made of loose particles: `mesh/mesh.0001.vtp`, ... They are written as
    /// frames whose particles are the vertices.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn open_meshes(
        folder: &OutputFolder,
        contents: FrameContents,
        after: f64,
    ) -> Result<Self, RunError> {
        let exporters = contents.formats.iter().filter_map(|name| exporter(name));
        let exporters: Vec<&'static Exporter> = exporters.collect();
        let surfaces = SeriesPlace::surfaces(&folder.surface());
        let meshes = SeriesPlace::meshes(&folder.mesh());
        Ok(Self {
            surfaces: Series::open(surfaces, &[], f64::INFINITY)?,
            particles: Series::open(meshes, &exporters, after)?,
            scene: contents.scene,
        })
    }

    /// Goes on with a scene to which bodies were added.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn grow(&mut self, scene: SceneFacts) -> Result<(), RunError> {
        if self.scene.with_surface.is_empty() && !scene.with_surface.is_empty() {
            let formats = self.particles.formats.iter().map(|format| format.exporter);
            let of_surfaces: Vec<_> = formats.filter(|e| !e.holds_surfaces).collect();
            let place = self.surfaces.place.clone();
            self.surfaces = Series::open(place, &of_surfaces, f64::NEG_INFINITY)?;
        }
        self.scene = scene;
        Ok(())
    }

    /// What the files are written with.
    pub fn scene(&self) -> &SceneFacts {
        &self.scene
    }

    /// Writes a frame with the surfaces that bodies carry in it.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&mut self, frame: &Frame, surface: Option<&Frame>) -> Result<(), RunError> {
        self.write_where(frame, surface, |_| true)
    }

    /// The same, without the files that [`has`](Self::has) finds.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_missing(
        &mut self,
        frame: &Frame,
        surface: Option<&Frame>,
        since: Option<SystemTime>,
    ) -> Result<(), RunError> {
        self.write_where(frame, surface, |path| !is_since(path, since))
    }

    /// Whether all files of a frame are there, and none is older than `since`.
    pub fn has(&self, number: u32, since: Option<SystemTime>) -> bool {
        self.particles.has(number, since) && self.surfaces.has(number, since)
    }

    fn write_where(
        &mut self,
        frame: &Frame,
        surface: Option<&Frame>,
        is_wanted: impl Fn(&Path) -> bool,
    ) -> Result<(), RunError> {
        let scene = &self.scene;
        let particles = Moment {
            frame,
            surface,
            scene,
        };
        self.particles.write(&particles, &is_wanted)?;
        let Some(frame) = surface else {
            return Ok(());
        };
        let surfaces = Moment {
            frame,
            surface: None,
            scene,
        };
        self.surfaces.write(&surfaces, &is_wanted)
    }
}

impl Series {
    fn open(
        place: SeriesPlace,
        exporters: &[&'static Exporter],
        after: f64,
    ) -> Result<Self, RunError> {
        if !exporters.is_empty() {
            create_folder(&place.folder)?;
        }
        let mut formats = Vec::new();
        for exporter in EXPORTERS {
            let is_asked_for = exporters.iter().any(|asked| asked.name == exporter.name);
            // Those of formats that are no longer asked for are cut too.
            let wanted =
                |index: &pliant_io::export::IndexKind| is_asked_for || index.path(&place).is_file();
            let index = exporter.index.filter(wanted);
            let index = index.map(|index| (index.open)(&place, after)).transpose()?;
            if is_asked_for {
                formats.push(Format { exporter, index });
            }
        }
        Ok(Self { place, formats })
    }

    fn write(
        &mut self,
        moment: &Moment,
        is_wanted: &impl Fn(&Path) -> bool,
    ) -> Result<(), RunError> {
        let number = moment.frame.number;
        for Format { exporter, index } in &mut self.formats {
            let files = self.place.files(exporter);
            let name = files.name(number);
            if is_wanted(&files.path(number)) {
                write_numbered(&files, exporter, moment)?;
            } else if index.as_ref().is_none_or(|index| index.has(&name)) {
                continue;
            }
            if let Some(index) = index {
                index.append(moment, &name)?;
            }
        }
        Ok(())
    }

    fn has(&self, number: u32, since: Option<SystemTime>) -> bool {
        self.formats.iter().all(|format| {
            let files = self.place.files(format.exporter);
            let index = format.index.as_ref();
            is_since(&files.path(number), since)
                && index.is_none_or(|index| index.has(&files.name(number)))
        })
    }
}

/// Whether there is a file, and it is not older than a time.
fn is_since(path: &Path, time: Option<SystemTime>) -> bool {
    let Ok(metadata) = path.metadata() else {
        return false;
    };
    let written = || metadata.modified().ok();
    time.is_none_or(|time| written().is_some_and(|written| written >= time))
}

/// When a file was written, if that can be told.
pub(crate) fn written_at(file: &Path) -> Option<SystemTime> {
    file.metadata().ok()?.modified().ok()
}
