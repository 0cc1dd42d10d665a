//! The files of the page.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use super::ServeError;
use super::built_in::FILES;

/// What puts the page together, in a clone.
pub const PAGE_SCRIPT: &str = "tools/web/build";

/// Where the files of the page are.
pub(super) enum PageFiles {
    /// In a folder, with the engine.
    In(PathBuf),
    /// In this program, for runs alone.
    BuiltIn,
}

/// Where the page stands if [`PAGE_SCRIPT`] has put it there: in the target folder that this program is in, or beside
/// the program.
pub fn page_beside() -> Option<PathBuf> {
    let own = env::current_exe().ok()?;
    let folder = own.parent()?;
    let places = [
        Some(folder.join("page")),
        folder.parent().map(|f| f.join("page")),
    ];
    let mut places = places.into_iter().flatten();
    places.find(|place| place.join("index.html").is_file())
}

impl PageFiles {
    /// Of a folder; those that are built in where there is none.
    pub(super) fn of(folder: Option<&Path>) -> Result<Self, ServeError> {
        let Some(folder) = folder.map(Path::to_owned) else {
            return Ok(Self::BuiltIn);
        };
        match folder.join("index.html").is_file() {
            true => Ok(Self::In(folder)),
            false => Err(ServeError::NoPage { folder }),
        }
    }

    /// The bytes of the file that an address asks for, and what kind they are.
    pub(super) fn read(&self, path: &str) -> Option<(Vec<u8>, &'static str)> {
        let name = path.strip_prefix('/')?;
        let name = if name.is_empty() { "index.html" } else { name };
        if !name.split('/').all(is_plain) {
            return None;
        }
        let bytes = match self {
            Self::In(folder) => fs::read(folder.join(name)).ok()?,
            Self::BuiltIn => {
                let (_, text) = FILES.iter().find(|(known, _)| *known == name)?;
                text.as_bytes().to_vec()
            }
        };
        Some((bytes, kind(Path::new(name))))
    }
}

/// Whether a part of a path is the name of a file or folder and leads nowhere else.
fn is_plain(part: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !part.is_empty() && !part.starts_with('.') && part.chars().all(is_allowed)
}

fn kind(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        Some("toml") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_leads_out_of_the_page() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("page");
        fs::create_dir_all(folder.join("scenes")).expect("a folder");
        for name in ["index.html", "scenes/a.toml", ".hidden", "../secret"] {
            fs::write(folder.join(name), name).expect("a file");
        }
        let page = PageFiles::of(Some(&folder)).expect("a page");
        let read = |path: &str| page.read(path).map(|(bytes, _)| bytes);
        assert_eq!(read("/").as_deref(), Some(&b"index.html"[..]));
        assert_eq!(
            read("/scenes/a.toml").as_deref(),
            Some(&b"scenes/a.toml"[..])
        );
        for path in [
            "/../secret",
            "/scenes/../../secret",
            "/%2e%2e/secret",
            "/.hidden",
            "//index.html",
            "/scenes",
            "index.html",
            "",
            "/..\\secret",
        ] {
            assert_eq!(read(path), None, "{path}");
        }
    }
}
