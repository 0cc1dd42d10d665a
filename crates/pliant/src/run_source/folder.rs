//! The folder of a run, finished or not.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use pliant_io::Table;
use pliant_io::export::surface_file;

use super::{Listing, Particle, ReadError, RunSource, Tables};
use crate::additions::{RunScene, RunWorld};
use crate::live::{Painted, SceneFacts, Snapshot, facts_of_run};
use crate::recorded::{Recorded, chosen_files};
use crate::run::OutputFolder;

/// The folder of a run.
pub(crate) struct FolderRun {
    folder: OutputFolder,
    facts: Arc<SceneFacts>,
    files: Vec<(u32, PathBuf)>,
    recorded: Recorded<RunWorld>,
    /// The files of the frame that is held, and when they were written.
    held: Option<Written>,
}

/// Files of a frame, and when they were written: one that goes on may write them anew.
#[derive(PartialEq)]
struct Written {
    particles: PathBuf,
    times: [Option<SystemTime>; 2],
}

impl Written {
    fn of(folder: &OutputFolder, number: u32, particles: PathBuf) -> Self {
        let surface = surface_file(&folder.surface(), number);
        let time = |file: &Path| {
            std::fs::metadata(file)
                .and_then(|data| data.modified())
                .ok()
        };
        Self {
            times: [time(&particles), surface.and_then(|file| time(&file))],
            particles,
        }
    }
}

impl FolderRun {
    /// Opens the folder of a run, which may go on.
    ///
    /// # Errors
    /// If it holds no run, or none that can be shown.
    pub fn open(folder: &Path) -> Result<Self, ReadError> {
        let shown = folder.display().to_string();
        let folder = OutputFolder::new(folder);
        let run = RunScene::read(&folder).map_err(|errors| {
            ReadError::Failed(format!("`{shown}` holds no run of Pliant: {errors}"))
        })?;
        let facts = facts_of_run(&shown, &run.scene, &run.whole()).map_err(ReadError::Failed)?;
        let files = chosen_files(&folder, None).map_err(ReadError::failed)?;
        Ok(Self {
            folder,
            facts: Arc::new(facts),
            files,
            recorded: Recorded::of(run.world),
            held: None,
        })
    }

    /// Holds the frame of a number.
    fn hold(&mut self, number: u32) -> Result<(), ReadError> {
        let place = self.files.binary_search_by_key(&number, |(own, _)| *own);
        let file = match place {
            Ok(place) => self.files[place].1.clone(),
            // The run may have gone on.
            Err(_) => {
                let files = chosen_files(&self.folder, Some([number; 2]));
                files.map_err(ReadError::failed)?.swap_remove(0).1
            }
        };
        let wanted = Written::of(&self.folder, number, file);
        if self.held.as_ref() != Some(&wanted) {
            self.held = None;
            let read = self.recorded.read(&self.folder, &wanted.particles);
            read.map_err(ReadError::failed)?;
            self.held = Some(wanted);
        }
        Ok(())
    }
}

impl RunSource for FolderRun {
    fn facts(&self) -> Arc<SceneFacts> {
        Arc::clone(&self.facts)
    }

    fn list(&mut self) -> Result<Listing, ReadError> {
        self.files = chosen_files(&self.folder, None).map_err(ReadError::failed)?;
        let frames: Vec<u32> = self.files.iter().map(|(number, _)| *number).collect();
        let time = |&number: &u32| f64::from(number.max(1) - 1) / self.facts.frame_rate;
        Ok(Listing {
            times: frames.iter().map(time).collect(),
            frames,
            is_live: false,
        })
    }

    fn tables(&mut self) -> Result<Tables, ReadError> {
        let mut columns = Tables::new();
        for file in [self.folder.probes(), self.folder.stats()] {
            // A table that is being written may end in half a row; it is read again with the next frame.
            let Ok(table) = Table::read(&file) else {
                continue;
            };
            for name in table.columns() {
                if let Ok(values) = table.column(name) {
                    columns.push((name.clone(), values));
                }
            }
        }
        Ok(columns)
    }

    fn snapshot(&mut self, number: u32, painted: &Painted) -> Result<Snapshot, ReadError> {
        self.hold(number)?;
        let frame = self.recorded.frame().map_err(ReadError::failed)?;
        let surface = self.recorded.surface().map_err(ReadError::failed)?;
        let surface = surface.filter(|_| painted.surfaces);
        let shown = Snapshot::of_frame(&frame, surface.as_ref(), painted);
        shown.map_err(|error| ReadError::Coloring(error.to_string()))
    }

    fn particle(&mut self, number: u32, id: u32) -> Result<Option<Particle>, ReadError> {
        self.hold(number)?;
        let frame = self.recorded.frame().map_err(ReadError::failed)?;
        Ok(Particle::of(&frame, id))
    }
}
