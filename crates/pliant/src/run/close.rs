//! The end of a run: the last checkpoint, the film, `run.json`, the report.

use super::film::{FilmFormat, make_film, missing_frames};
use super::manifest::Status;
use super::observer::Observer;
use super::session::Session;
use super::{RunError, Summary};
use crate::report::write_report;

/// Closes a run that ended, well or not.
///
/// # Errors
/// The error it ended with, or what goes wrong while closing.
pub(super) fn close(
    mut session: Session,
    ended: Result<Status, RunError>,
    observer: &mut dyn Observer,
) -> Result<Summary, RunError> {
    observer.finishing();
    match ended {
        Ok(status) => {
            let with_film = status != Status::Interrupted;
            session.manifest.status = status;
            session.write_checkpoint()?;
            finish(&mut session, with_film, observer)?;
        }
        Err(error) => {
            session.manifest.status = Status::Failed(error.to_string());
            if let RunError::Step { .. } = error {
                finish(&mut session, true, observer)?;
            } else {
                // The error that ended the run is told, not one that follows from it.
                let _ = session.write_manifest();
            }
            return Err(error);
        }
    }
    Ok(Summary {
        folder: session.folder,
        manifest: session.manifest,
        checkpoint: session.checkpoint,
        was_complete: false,
    })
}

/// Writes what a run leaves once.
fn finish(
    session: &mut Session,
    with_film: bool,
    observer: &mut dyn Observer,
) -> Result<(), RunError> {
    if let Some(mut pictures) = session.pictures.take() {
        pictures.finish()?;
        if with_film {
            session.manifest.film = film(session, observer);
        }
    }
    session.write_manifest()?;
    write_report(
        &session.folder,
        &session.scene,
        session.measurements.layout(),
        &session.manifest,
    )
}

/// The film's name relative to the folder. A run without a film is still a run, with a warning.
fn film(session: &mut Session, observer: &mut dyn Observer) -> Option<String> {
    note_missing_frames(session, observer);
    let format = FilmFormat::named(&session.scene.output().film).unwrap_or_default();
    match make_film(&session.folder, session.scene.frame_rate(), format) {
        Ok(name) => name.map(|name| format!("preview/{name}")),
        Err(error) => {
            let warning = format!("there is no film: {error}");
            observer.note(&warning);
            session.manifest.warnings.push(warning);
            None
        }
    }
}

/// Says so if frames have no picture, which the film jumps over.
fn note_missing_frames(session: &mut Session, observer: &mut dyn Observer) {
    let Ok(pictures) = session.folder.pictures().list() else {
        return;
    };
    let numbers: Vec<u32> = pictures.into_iter().map(|(number, _)| number).collect();
    if let Some(missing) = missing_frames(&numbers, 1, session.manifest.frames_done) {
        let warning = format!(
            "there is no picture of frame {missing}, and the film jumps over that; `pliant render` makes pictures from particle files"
        );
        observer.note(&warning);
        session.manifest.warnings.push(warning);
    }
}
