//! Where a run can be gone on with.

use std::collections::BTreeMap;

use pliant_core::world::{Setup, State};
use pliant_io::{checkpoint, read_text};

use super::RunError;
use super::folder::OutputFolder;
use super::identity::Identity;
use super::manifest::Manifest;
use super::observer::Observer;

/// Changes named in an error; more are counted.
const NAMED_CHANGES: usize = 3;

/// A checkpoint to go on from.
pub(super) struct Start {
    /// The state in it.
    pub state: State,
    /// What `run.json` said.
    pub manifest: Manifest,
}

/// The newest whole checkpoint of a folder; `None` if it holds no run or no checkpoint.
pub(super) fn find_start(
    folder: &OutputFolder,
    identity: &Identity,
    setup: &Setup,
    observer: &mut dyn Observer,
) -> Result<Option<Start>, RunError> {
    let newest = checkpoint::newest_whole(&folder.checkpoints())?;
    for skipped in &newest.skipped {
        observer.note(&skipped.to_string());
    }
    let (Some(found), Ok(manifest)) = (newest.checkpoint, Manifest::read(&folder.manifest()))
    else {
        let root = folder.root().display();
        observer.note(&format!(
            "`{root}` holds no checkpoint; the run starts anew"
        ));
        return Ok(None);
    };
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
    let state = State::from_bytes(&found.state)?;
    state.check_fits(setup)?;
    Ok(Some(Start { state, manifest }))
}

/// What has changed since the scene was written into the folder, as far as that can be told.
fn changes(folder: &OutputFolder, identity: &Identity, manifest: &Manifest) -> String {
    let Ok(text) = read_text(&folder.scene()) else {
        return "its scene.toml is gone".into();
    };
    let hash = |text: &String| u64::from_str_radix(text, 16).unwrap_or(0);
    let files: BTreeMap<String, u64> = manifest
        .mesh_files
        .iter()
        .map(|(file, text)| (file.clone(), hash(text)))
        .collect();
    let changes = identity.changes_since(&Identity::of(&text, &files));
    match changes.len() {
        0 => "another version of the program wrote it".into(),
        n if n <= NAMED_CHANGES => changes.join("; "),
        n => format!(
            "{}; and {} more",
            changes[..NAMED_CHANGES].join("; "),
            n - NAMED_CHANGES
        ),
    }
}
