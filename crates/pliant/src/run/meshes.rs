//! The surfaces around loose particles that a run writes with each frame.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pliant_core::measure::{Frame, FrameBuffers, Wanted};
use pliant_core::parallel::Pool;
use pliant_core::world::{Setup, World};
use pliant_io::export::{SceneFacts, list_frames};
use pliant_scene::Scene;

use super::RunError;
use super::folder::OutputFolder;
use super::series::{FrameContents, FrameFiles};
use crate::additions::RunWorld;
use crate::particle_surface::{SurfaceMaker, SurfaceRequest};
use crate::recorded::{Recorded, scene_facts};

/// What is to be written, before there is a place for it.
#[derive(Debug)]
pub struct MeshPlan {
    maker: SurfaceMaker,
    contents: FrameContents,
}

/// The files of surfaces.
#[derive(Debug)]
pub struct Meshes {
    maker: SurfaceMaker,
    files: FrameFiles,
    /// The first frame without a surface, and why.
    lacking: Option<String>,
}

impl MeshPlan {
    /// What a scene asks for, if it does.
    ///
    /// * `all` — a frame with all bodies
    ///
    /// # Errors
    /// [`RunError::Surface`] if there is nothing that a surface could be around.
    pub fn of(
        scene: &Scene,
        facts: &SceneFacts,
        all: &Frame<'_>,
    ) -> Result<Option<Self>, RunError> {
        let requests = SurfaceRequest::of_scene(scene.surfaces());
        if requests.is_empty() {
            return Ok(None);
        }
        let maker = SurfaceMaker::new(requests, all, facts);
        let maker = maker.map_err(|(number, why)| RunError::Surface { number, why })?;
        let contents = FrameContents {
            formats: scene.output().surface,
            scene: maker.facts(facts.clone()),
        };
        Ok(Some(Self { maker, contents }))
    }

    /// Opens the files in a folder, to go on after a time [s].
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn open(self, folder: &OutputFolder, after: f64) -> Result<Meshes, RunError> {
        Ok(Meshes {
            files: FrameFiles::open_meshes(folder, self.contents, after)?,
            maker: self.maker,
            lacking: None,
        })
    }
}

impl Meshes {
    /// Goes on with those of a scene to which bodies were added.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn grow(&mut self, plan: MeshPlan) -> Result<(), RunError> {
        self.maker = plan.maker;
        self.files.grow(plan.contents.scene)
    }

    /// Makes and writes the surfaces of a frame. A frame of which none can be made is told at the end.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write(&mut self, frame: &Frame<'_>, pool: &Pool) -> Result<(), RunError> {
        match pool.run(|| self.maker.make(frame)) {
            Ok(made) => {
                let shown = self.maker.show(&made, frame);
                self.files.write_missing(&shown, None, None)
            }
            Err(why) => {
                self.lacking.get_or_insert_with(|| why.to_string());
                Ok(())
            }
        }
    }

    /// Writes the files that are missing of the frames up to `last`, as when a run is resumed whose scene asks for
    /// them now.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn fill(
        &mut self,
        folder: &OutputFolder,
        last: u32,
        (world, pool): (&mut RunWorld, &Pool),
    ) -> Result<(), RunError> {
        let files: BTreeMap<u32, PathBuf> = list_frames(&folder.particles())?.into_iter().collect();
        let mut recorded = Recorded::of(world);
        for number in 1..=last {
            if self.files.has(number, None) {
                continue;
            }
            if let Some(file) = files.get(&number) {
                recorded.read(folder, file)?;
                self.write(&recorded.frame()?, pool)?;
            } else {
                let why = format!("frame {number} has no particle file of which one could be made");
                self.lacking.get_or_insert(why);
            }
        }
        Ok(())
    }

    /// Why there are not all of them, if so.
    pub fn lacking(&self) -> Option<String> {
        let why = self.lacking.as_ref()?;
        Some(format!("not all frames have their surface: {why}"))
    }
}

/// Refuses surfaces that there can be none of.
///
/// # Errors
/// [`RunError::Surface`] for the first that is around nothing.
pub fn check_surfaces(setup: &Setup, scene: &Scene) -> Result<(), RunError> {
    if scene.surfaces().is_empty() {
        return Ok(());
    }
    let world = World::new(setup.clone());
    let mut first = FrameBuffers::default();
    first.update_wanted(&world, Wanted::MOTION);
    MeshPlan::of(scene, &scene_facts(scene, &world), &first.frame()).map(|_| ())
}
