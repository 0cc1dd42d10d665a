//! Whether a file has changed.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// How often the file is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(400);

/// Looks at a file now and then.
#[derive(Debug)]
pub struct FileWatch {
    path: PathBuf,
    /// When it was written last, as far as is known.
    written: Option<SystemTime>,
    looked: Instant,
}

impl FileWatch {
    /// From now on.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            written: written(path),
            looked: Instant::now(),
        }
    }

    /// Whether it has changed since the last time that this was true. An editor may take it away for a moment: a
    /// file that is missing has not changed.
    pub fn has_changed(&mut self) -> bool {
        if self.looked.elapsed() < LOOK_EVERY {
            return false;
        }
        self.looked = Instant::now();
        let now = written(&self.path);
        let has_changed = now.is_some() && now != self.written;
        self.written = now.or(self.written);
        has_changed
    }
}

fn written(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path)
        .and_then(|data| data.modified())
        .ok()
}
