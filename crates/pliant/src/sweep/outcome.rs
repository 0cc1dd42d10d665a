//! The outcome of a run of a sweep, read from its folder.

use std::path::PathBuf;

use pliant_core::measure::FrameBuffers;
use pliant_core::world::{State, World};
use pliant_io::checkpoint;
use pliant_render::Renderer;
use pliant_render::picture::encode_png;
use pliant_scene::Overrides;
use pliant_view::{camera_path_of, settings_of};

use super::combinations::Combination;
use super::runs::Ended;
use crate::environment::environment_of;
use crate::expectation::Verdict;
use crate::prepare::Prepared;
use crate::run::{Layout, Manifest, OutputFolder, RunColumns, layout};
use crate::shown::in_pictures;

/// Columns and rows of the pictures.
const PICTURE: [u32; 2] = [640, 360];

/// How a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It came to its end.
    Done,
    /// It was stopped.
    Interrupted,
    /// It could not go on, and why.
    Failed(String),
    /// It was not begun.
    NotRun,
}

/// What a run of a sweep left.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Its values and the name of its folder.
    pub combination: Combination,
    /// How it stands.
    pub ending: Ending,
    /// Wall time [s], 0 if it was not begun.
    pub wall: f64,
    /// Frames it has.
    pub frames: u32,
    /// Particles in the last one.
    pub particles: usize,
    /// What was expected and found.
    pub verdicts: Vec<Verdict>,
    /// Its tables and their units; `None` if it has none.
    pub columns: Option<(RunColumns, Layout)>,
    /// A picture of the last frame as PNG, if there is one.
    pub picture: Option<Vec<u8>>,
}

impl Outcome {
    /// Reads what a run left. What cannot be read is missing: a run that failed leaves less.
    pub fn read(combination: &Combination, folder: PathBuf, ended: &Ended) -> Self {
        let ending = match ended {
            Ended::Done | Ended::WasDone => Ending::Done,
            Ended::Interrupted => Ending::Interrupted,
            Ended::Failed(error) => Ending::Failed(error.to_string()),
            Ended::NotRun => Ending::NotRun,
        };
        let mut outcome = Self {
            combination: combination.clone(),
            ending,
            wall: 0.0,
            frames: 0,
            particles: 0,
            verdicts: Vec::new(),
            columns: None,
            picture: None,
        };
        // What lies in the folder of a run that was not begun is of another sweep.
        if outcome.ending != Ending::NotRun {
            outcome.fill(&OutputFolder::new(&folder));
        }
        outcome
    }

    /// The last value of a column.
    pub fn last(&self, column: &str) -> Option<f64> {
        let (columns, _) = self.columns.as_ref()?;
        [&columns.probes, &columns.stats]
            .into_iter()
            .find_map(|table| table.column(column).ok())?
            .last()
            .copied()
    }

    /// One word for a table.
    pub fn status(&self) -> &'static str {
        match self.ending {
            Ending::Done => "done",
            Ending::Interrupted => "interrupted",
            Ending::Failed(_) => "failed",
            Ending::NotRun => "not run",
        }
    }

    fn fill(&mut self, folder: &OutputFolder) {
        let Ok(manifest) = Manifest::read(&folder.manifest()) else {
            return;
        };
        self.wall = manifest.timings.total;
        self.frames = manifest.frames_done;
        self.particles = manifest.particles;
        let Ok(prepared) = Prepared::read(&folder.scene(), &Overrides::default()) else {
            return;
        };
        let columns = RunColumns::read(folder).ok();
        let layout = layout(&prepared.built.setup, &prepared.scene).ok();
        if let Some((columns, layout)) = columns.zip(layout) {
            let expectations = prepared.scene.expectations().into_iter();
            self.verdicts = expectations.map(|e| Verdict::of(e, &columns)).collect();
            self.columns = Some((columns, layout));
        }
        self.picture = picture(folder, prepared, &manifest);
    }
}

/// The newest checkpoint drawn, with the camera and the colours of the run.
fn picture(folder: &OutputFolder, prepared: Prepared, manifest: &Manifest) -> Option<Vec<u8>> {
    let newest = checkpoint::newest_whole(&folder.checkpoints())
        .ok()?
        .checkpoint?;
    let mut world = World::new(prepared.built.setup);
    let mut buffers = FrameBuffers::default();
    buffers.update(&world);
    let frames = manifest.frames_to_picture();
    let mut settings = settings_of(&prepared.scene, &world.setup, &buffers.frame(), frames);
    settings.environment = environment_of(&prepared.scene).ok()?;
    let path = camera_path_of(&prepared.scene, &world.setup, &buffers.frame(), frames);
    [settings.width, settings.height] = PICTURE;
    settings.title = None;
    let state = State::from_bytes(&newest.state, &world.setup).ok()?;
    world.state = state;
    buffers.update(&world);
    let columns = in_pictures(&buffers.frame(), buffers.surface().as_ref());
    let picture = Renderer::new(settings)
        .render(&buffers.show(&columns), &path.at(buffers.frame().time))
        .ok()?;
    encode_png(&picture).ok()
}
