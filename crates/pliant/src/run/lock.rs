//! One run at a time in a folder.
//!
//! The lock is the operating system's, on a hidden file: it goes with the process that holds it, however
//! that ends, so that a run that was killed bars nobody. What the file says is only for messages.

use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use super::RunError;
use crate::new_folder::{self, NoFolder};
use crate::text::duration;

/// Name of the file that is locked.
pub const LOCK_NAME: &str = ".lock";

/// Longest text that is read of one [bytes].
const LONGEST: u64 = 4096;

/// A folder that no other run writes into while this lives.
#[derive(Debug)]
pub struct FolderLock {
    file: File,
}

/// Who writes into a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Holder {
    process: u32,
    /// Seconds since 1970.
    since: u64,
    command: String,
}

impl FolderLock {
    /// Locks a folder, which is created if it does not exist. `None` where files cannot be locked, as on
    /// some network drives.
    ///
    /// # Errors
    /// [`RunError::Busy`] if another process holds it; a folder that cannot be created or written into.
    pub fn take(folder: &Path) -> Result<Option<Self>, RunError> {
        new_folder::create(folder)?;
        let mut options = File::options();
        let options = options.read(true).write(true).create(true).truncate(false);
        let opened = options.open(folder.join(LOCK_NAME));
        let file = opened.map_err(|source| NoFolder::NotWritable {
            folder: folder.to_owned(),
            source,
        })?;
        match file.try_lock() {
            Ok(()) => {
                let mut lock = Self { file };
                // Without it the lock holds as well, and only its message says less.
                let _ = lock.write(&Holder::this());
                Ok(Some(lock))
            }
            Err(TryLockError::WouldBlock) => Err(RunError::Busy {
                folder: folder.to_owned(),
                holder: holder_text(file),
            }),
            Err(TryLockError::Error(_)) => Ok(None),
        }
    }

    fn write(&mut self, holder: &Holder) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(holder.to_text().as_bytes())
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // The file stays: one that is removed may just have been opened by the next to lock it.
        let _ = self.file.set_len(0);
    }
}

impl Holder {
    fn this() -> Self {
        let arguments = std::env::args_os().map(|a| a.to_string_lossy().into_owned());
        let mut arguments: Vec<String> = arguments.collect();
        if let Some(program) = arguments.first_mut() {
            let name = PathBuf::from(&*program).file_name().map(|n| n.to_owned());
            *program = name.unwrap_or_default().to_string_lossy().into_owned();
        }
        Self {
            process: std::process::id(),
            since: now(),
            command: arguments.join(" ").replace('\n', " "),
        }
    }

    fn to_text(&self) -> String {
        format!("{}\n{}\n{}\n", self.process, self.since, self.command)
    }

    fn from_text(text: &str) -> Option<Self> {
        let mut lines = text.lines();
        Some(Self {
            process: lines.next()?.parse().ok()?,
            since: lines.next()?.parse().ok()?,
            command: lines.next()?.to_owned(),
        })
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// Who holds the lock of an open file, as far as that can be read.
fn holder_text(file: File) -> String {
    let mut text = String::new();
    // Some systems let nobody else read a locked file.
    let read = file.take(LONGEST).read_to_string(&mut text);
    match read.ok().and_then(|_| Holder::from_text(&text)) {
        Some(holder) => format!(
            "`{}`, process {}, begun {} ago",
            holder.command,
            holder.process,
            duration(now().saturating_sub(holder.since) as f64)
        ),
        None => "another process".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_once_and_free_again() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("a/b");
        let lock = FolderLock::take(&folder).unwrap();
        let refused = FolderLock::take(&folder).unwrap_err().to_string();
        let process = format!("process {}", std::process::id());
        assert!(refused.contains(&process), "{refused}");
        assert!(refused.contains("a/b"), "{refused}");
        drop(lock);
        assert!(FolderLock::take(&folder).unwrap().is_some());
    }

    #[test]
    fn a_lock_without_a_readable_holder_still_locks() {
        let place = tempfile::tempdir().unwrap();
        let file = File::create(place.path().join(LOCK_NAME)).unwrap();
        file.lock().unwrap();
        let refused = FolderLock::take(place.path()).unwrap_err().to_string();
        assert!(refused.contains("another process"), "{refused}");
    }

    #[test]
    fn lock_holders_round_trip() {
        let holder = Holder {
            process: 12,
            since: 34,
            command: "pliant run a.toml".into(),
        };
        assert_eq!(Holder::from_text(&holder.to_text()), Some(holder));
        assert_eq!(Holder::from_text("twelve\n"), None);
    }
}
