//! Folders that are created for the user, and what stands in their way.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Why a folder cannot be created. Names the path that is the trouble.
#[derive(Debug, thiserror::Error)]
pub enum NoFolder {
    /// Something that is no folder has its name, or that of a folder above it.
    #[error("cannot create the folder `{}`: `{}` is {what}", folder.display(), in_the_way.display())]
    InTheWay {
        /// The folder.
        folder: PathBuf,
        /// What is in the way.
        in_the_way: PathBuf,
        /// What that is.
        what: &'static str,
    },
    /// The operating system refuses.
    #[error("cannot create the folder `{}` in `{}`: {source}", folder.display(), above.display())]
    Refused {
        /// The folder.
        folder: PathBuf,
        /// The nearest one above it that exists.
        above: PathBuf,
        /// The system's own error.
        source: io::Error,
    },
    /// It is there, and no file can be created in it.
    #[error("cannot write into the folder `{}`: {source}", folder.display())]
    NotWritable {
        /// The folder.
        folder: PathBuf,
        /// The system's own error.
        source: io::Error,
    },
    /// No file or folder can have this name.
    #[error("no folder can be called `{}`: {source}", shortened(folder))]
    Name {
        /// The folder.
        folder: PathBuf,
        /// The system's own error.
        source: io::Error,
    },
}

/// Longest name that a message shows whole, in characters.
const LONGEST_SHOWN: usize = 80;

/// A path of which a message shows the beginning.
fn shortened(path: &Path) -> String {
    let text = path.display().to_string();
    match text.chars().count() {
        0..=LONGEST_SHOWN => text,
        _ => text
            .chars()
            .take(LONGEST_SHOWN)
            .chain("...".chars())
            .collect(),
    }
}

/// Creates a folder and those above it; one that exists is left as it is.
///
/// # Errors
/// What stands in the way.
pub fn create(folder: &Path) -> Result<(), NoFolder> {
    check(folder)?;
    fs::create_dir_all(folder).map_err(|source| NoFolder::Refused {
        folder: folder.to_owned(),
        above: nearest_existing(folder).to_owned(),
        source,
    })
}

/// Checks, without creating anything, that a folder can have its name, and that nothing else has it or
/// that of one above it.
///
/// # Errors
/// [`NoFolder::Name`], [`NoFolder::InTheWay`].
pub fn check(folder: &Path) -> Result<(), NoFolder> {
    if let Err(source) = fs::symlink_metadata(folder)
        && matches!(
            source.kind(),
            ErrorKind::InvalidFilename | ErrorKind::InvalidInput
        )
    {
        return Err(NoFolder::Name {
            folder: folder.to_owned(),
            source,
        });
    }
    let nearest = nearest_existing(folder);
    let what = match fs::metadata(nearest) {
        Ok(found) if found.is_dir() => return Ok(()),
        Ok(_) => "a file",
        Err(_) => "a link that leads nowhere",
    };
    Err(NoFolder::InTheWay {
        folder: folder.to_owned(),
        in_the_way: nearest.to_owned(),
        what,
    })
}

/// The path itself or the nearest one above it that there is; the current folder at last.
fn nearest_existing(path: &Path) -> &Path {
    let named = path.ancestors().filter(|p| !p.as_os_str().is_empty());
    let mut existing = named.filter(|p| fs::symlink_metadata(p).is_ok());
    existing.next().unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_created_with_those_above() {
        let place = tempfile::tempdir().unwrap();
        let deep = place.path().join("a/b/c");
        create(&deep).unwrap();
        create(&deep).unwrap();
        assert!(deep.is_dir());
        check(Path::new("no-such-folder/below")).unwrap();
    }

    #[test]
    fn file_in_the_way_is_named() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "mine").unwrap();
        for folder in [file.clone(), file.join("below/it")] {
            let error = create(&folder).unwrap_err().to_string();
            let part = format!("`{}` is a file", file.display());
            assert!(error.contains(&part), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn an_impossible_folder_name_is_shortened_and_refused() {
        let name = "a".repeat(300);
        let error = check(Path::new(&name)).unwrap_err();
        assert!(matches!(error, NoFolder::Name { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("aaa...`") && text.len() < 200, "{text}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn refusal_names_the_folder_above_and_the_reason() {
        // Nobody, not even the administrator, creates folders there.
        let error = create(Path::new("/proc/none/below")).unwrap_err();
        assert!(matches!(&error, NoFolder::Refused { above, .. } if above == Path::new("/proc")));
        assert!(error.to_string().contains("`/proc`: "), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn link_that_leads_nowhere_is_named() {
        let place = tempfile::tempdir().unwrap();
        let link = place.path().join("link");
        std::os::unix::fs::symlink("nothing", &link).unwrap();
        let error = create(&link.join("below")).unwrap_err().to_string();
        assert!(error.contains("link` is a link"), "{error}");
    }
}
