//! The checkpoint from which a run is resumed.

use std::collections::BTreeMap;

use pliant_core::world::{SnapshotError, State};
use pliant_io::{Table, TableError, checkpoint, read_text};
use pliant_view::Layout;

use super::folder::OutputFolder;
use super::identity::Identity;
use super::manifest::{Manifest, Status};
use super::observer::Observer;
use super::{RunError, Summary};

/// What the bytes of a checkpoint begin with to which a program has added what its scene does not have.
pub(crate) const EDITED: &[u8] = b"pliant: edited 1\n";

/// Changes named in an error; more are counted.
const NAMED_CHANGES: usize = 3;

/// A checkpoint to go on from.
pub(crate) struct Start {
    /// The state in it.
    pub state: State,
    /// What `run.json` said.
    pub manifest: Manifest,
}

impl Start {
    /// True if a run to a planned last frame, with its scene printed as `scene`, would find all of
    /// it done: the checkpoint is of a later frame, or of that one, with nothing else changed and
    /// the report written. Says so.
    pub fn is_complete(
        &self,
        folder: &OutputFolder,
        (planned, scene): (u32, &str),
        observer: &mut dyn Observer,
    ) -> bool {
        let frame = self.state.frame;
        let root = folder.root().display();
        let is_closed = matches!(self.manifest.status, Status::Done | Status::Still);
        let is_as_written = || read_text(&folder.scene()).is_ok_and(|text| text == scene);
        if frame > planned {
            observer.note(&format!(
                "the run in `{root}` has come to frame {frame} already, beyond frame {planned} that is \
                 asked for; nothing is done, and nothing removed"
            ));
            return true;
        }
        let is_complete =
            frame == planned && is_closed && folder.report().is_file() && is_as_written();
        if is_complete {
            observer.note(&format!(
                "the run in `{root}` is complete, with {frame} frames; there is nothing to do"
            ));
        }
        is_complete
    }

    /// How a run ended that has nothing to do.
    pub fn summary(&self, folder: OutputFolder) -> Summary {
        Summary {
            folder,
            manifest: self.manifest.clone(),
            checkpoint: self.state.frame,
            was_complete: true,
        }
    }
}

/// Says so if frames that a killed run wrote after its newest checkpoint will not be computed again.
pub(super) fn note_lost_frames(folder: &OutputFolder, planned: u32, observer: &mut dyn Observer) {
    let written = Table::read(&folder.stats()).map_or(0, |table| table.rows().len());
    if written > planned as usize {
        observer.note(&format!(
            "frames {} to {written} came after the newest checkpoint and are removed, because frame \
             {planned} is the last one now",
            planned + 1
        ));
    }
}

/// Makes a state of the frame of a checkpoint and what it holds.
pub(crate) type ReadState<'a> = &'a mut dyn FnMut(u32, &[u8]) -> Result<State, SnapshotError>;

/// The newest whole checkpoint of a folder; `None` if it holds no run or no checkpoint.
pub(super) fn find_start(
    folder: &OutputFolder,
    identity: &Identity,
    read: ReadState<'_>,
    observer: &mut dyn Observer,
) -> Result<Option<Start>, RunError> {
    let newest = checkpoint::newest_whole(&folder.checkpoints())?;
    for skipped in &newest.skipped {
        observer.note(&skipped.to_string());
    }
    let Some(found) = newest.checkpoint else {
        let root = folder.root().display();
        observer.note(&format!(
            "`{root}` holds no checkpoint; the run starts anew"
        ));
        return Ok(None);
    };
    let manifest = Manifest::read(&folder.manifest())?;
    if found.header.scene_hash != identity.hash() {
        return Err(RunError::OtherScene {
            folder: folder.root().to_owned(),
            changes: changes(folder, identity, &manifest),
        });
    }
    if manifest.version != env!("CARGO_PKG_VERSION") {
        let version = &manifest.version;
        observer.note(&format!(
            "the run was started by Pliant {version}; its bits may differ"
        ));
    }
    let state = read(found.header.frame, &found.state)?;
    Ok(Some(Start { state, manifest }))
}

/// Checks that the tables of a run can be gone on with after a frame.
pub(super) fn check_tables(
    folder: &OutputFolder,
    layout: &Layout,
    frame: u32,
) -> Result<(), RunError> {
    let tables = [
        (folder.stats(), layout.stats_names()),
        (folder.probes(), layout.probes_names()),
    ];
    for (path, columns) in tables {
        let damaged = |path, why| RunError::Damaged {
            path,
            why,
            remedy: "run without --resume to start anew",
        };
        let table = match Table::read(&path) {
            Ok(table) => table,
            Err(TableError::BadLine { line, reason, .. }) => {
                return Err(damaged(path, format!("line {line}: {reason}")));
            }
            Err(error) => return Err(damaged(path, error.to_string())),
        };
        if table.columns() != columns {
            let why = "its first line does not name the columns of this scene";
            return Err(damaged(path, why.into()));
        }
        let found = table.rows().len();
        if found < frame as usize {
            return Err(RunError::MissingRows { path, found, frame });
        }
    }
    Ok(())
}

/// What has changed since the scene was written into the folder, as far as that can be told.
fn changes(folder: &OutputFolder, identity: &Identity, manifest: &Manifest) -> String {
    let Ok(text) = read_text(&folder.scene()) else {
        return "its scene.toml is gone".into();
    };
    let hash = |text: &String| u64::from_str_radix(text, 16).unwrap_or(0);
    let files: BTreeMap<String, u64> = manifest
        .input_files
        .iter()
        .map(|(file, text)| (file.clone(), hash(text)))
        .collect();
    let changes = identity.changes_since(&Identity::of(&text, &files));
    match changes.len() {
        0 => "its scene.toml was edited, or another version of the program wrote it".into(),
        n if n <= NAMED_CHANGES => changes.join("; "),
        n => format!(
            "{}; and {} more",
            changes[..NAMED_CHANGES].join("; "),
            n - NAMED_CHANGES
        ),
    }
}
