//! The end of a run: the last checkpoint, the film, `run.json`, the report.

use pliant_core::world::State;
use pliant_view::Layout;

use super::film::{FilmFormat, make_film, missing_frames};
use super::manifest::Status;
use super::meshes::Meshes;
use super::observer::Observer;
use super::recording::FolderRecording;
use super::{RunError, Summary};
use crate::report::write_report;

impl FolderRecording {
    /// Closes a run that ended, well or not.
    ///
    /// * `left` — the last state, what a checkpoint holds of it, and the columns of the tables
    ///
    /// # Errors
    /// The error it ended with, or what goes wrong while closing.
    pub fn close(
        mut self,
        ended: Result<Status, RunError>,
        (state, to_bytes, layout): (&State, &dyn Fn() -> Vec<u8>, &Layout),
        observer: &mut dyn Observer,
    ) -> Result<Summary, RunError> {
        observer.finishing();
        match ended {
            Ok(status) => {
                let with_film = status != Status::Interrupted;
                self.manifest.status = status;
                self.write_checkpoint(state, to_bytes)?;
                finish(&mut self, layout, with_film, observer)?;
            }
            Err(error) => {
                self.manifest.status = Status::Failed(error.to_string());
                if matches!(error, RunError::Step { .. } | RunError::Replay { .. }) {
                    finish(&mut self, layout, true, observer)?;
                } else {
                    // The error that ended the run is told, not one that follows from it.
                    let _ = self.write_manifest();
                }
                return Err(error);
            }
        }
        Ok(Summary {
            folder: self.folder,
            manifest: self.manifest,
            checkpoint: self.checkpoint,
            was_complete: false,
        })
    }
}

/// Writes what a run leaves once.
fn finish(
    recording: &mut FolderRecording,
    layout: &Layout,
    with_film: bool,
    observer: &mut dyn Observer,
) -> Result<(), RunError> {
    if let Some(mut pictures) = recording.pictures.take() {
        pictures.finish()?;
        if with_film {
            recording.manifest.film = film(recording, observer);
        }
    }
    if let Some(lacking) = recording.meshes.as_ref().and_then(Meshes::lacking) {
        observer.note(&lacking);
        recording.manifest.warnings.push(lacking);
    }
    recording.write_manifest()?;
    write_report(
        &recording.folder,
        &recording.scene,
        layout,
        &recording.manifest,
    )
}

/// The film's name relative to the folder. A run without a film is still a run, with a warning.
fn film(recording: &mut FolderRecording, observer: &mut dyn Observer) -> Option<String> {
    note_missing_frames(recording, observer);
    let format = FilmFormat::named(&recording.scene.output().film).unwrap_or_default();
    match make_film(&recording.folder, recording.scene.frame_rate(), format) {
        Ok(name) => name.map(|name| format!("preview/{name}")),
        Err(error) => {
            let warning = format!("there is no film: {error}");
            observer.note(&warning);
            recording.manifest.warnings.push(warning);
            None
        }
    }
}

/// Says so if frames have no picture, which the film jumps over.
fn note_missing_frames(recording: &mut FolderRecording, observer: &mut dyn Observer) {
    let Ok(pictures) = recording.folder.pictures().list() else {
        return;
    };
    let numbers: Vec<u32> = pictures.into_iter().map(|(number, _)| number).collect();
    if let Some(missing) = missing_frames(&numbers, 1, recording.manifest.frames_done) {
        let warning = format!(
            "there is no picture of frame {missing}, and the film jumps over that; `pliant render` makes pictures from particle files"
        );
        observer.note(&warning);
        recording.manifest.warnings.push(warning);
    }
}
