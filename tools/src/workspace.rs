//! The repository: its root, its crates, its files.

use std::fs;
use std::path::{Path, PathBuf};

use toml::de::DeTable;

use crate::ToolError;

/// A repository with a cargo workspace.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Its folder.
    pub root: PathBuf,
    /// Its crates, by folder.
    pub members: Vec<Member>,
}

/// A crate of the workspace.
#[derive(Clone, Debug)]
pub struct Member {
    /// Name of the package.
    pub name: String,
    /// Its folder, relative to the root.
    pub folder: PathBuf,
    /// Names of the packages it depends on, for building, running and testing.
    pub dependencies: Vec<String>,
    /// Names of its cargo features.
    pub features: Vec<String>,
}

impl Workspace {
    /// Reads the manifests of the workspace in a folder.
    ///
    /// # Errors
    /// If a manifest is missing or is not one.
    pub fn open(root: &Path) -> Result<Self, ToolError> {
        let root = fs::canonicalize(root).map_err(|e| ToolError::of_file(root, &e))?;
        let manifest = root.join("Cargo.toml");
        let text = read(&manifest)?;
        let table = parse(&manifest, &text)?;
        let patterns = table
            .get("workspace")
            .and_then(|w| w.get_ref().get("members"))
            .and_then(|m| m.get_ref().as_array())
            .ok_or_else(|| ToolError::new(format!("{}: no members", manifest.display())))?;
        let mut folders = Vec::new();
        for pattern in patterns.iter().filter_map(|p| p.get_ref().as_str()) {
            folders.extend(folders_of(&root, pattern)?);
        }
        folders.sort();
        let members = folders.into_iter().map(|folder| member(&root, folder));
        Ok(Self {
            members: members.collect::<Result<_, _>>()?,
            root,
        })
    }

    /// Paths, relative to the root, of all files that belong to the repository, sorted. Build
    /// folders, outputs of runs and hidden folders other than those of CI and cargo do not.
    ///
    /// # Errors
    /// If a folder cannot be listed.
    pub fn files(&self) -> Result<Vec<PathBuf>, ToolError> {
        let mut files = Vec::new();
        collect_files(&self.root, Path::new(""), &mut files)?;
        files.sort();
        Ok(files)
    }

    /// The text of a file given relative to the root; `None` if it is not text.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn text(&self, path: &Path) -> Result<Option<String>, ToolError> {
        let full = self.root.join(path);
        let bytes = fs::read(&full).map_err(|e| ToolError::of_file(&full, &e))?;
        Ok(String::from_utf8(bytes).ok())
    }
}

fn member(root: &Path, folder: PathBuf) -> Result<Member, ToolError> {
    let manifest = root.join(&folder).join("Cargo.toml");
    let text = read(&manifest)?;
    let table = parse(&manifest, &text)?;
    let name = table
        .get("package")
        .and_then(|p| p.get_ref().get("name"))
        .and_then(|n| n.get_ref().as_str())
        .ok_or_else(|| ToolError::new(format!("{}: no package name", manifest.display())))?;
    let keys = |section: &str| -> Vec<String> {
        let table = table.get(section).and_then(|t| t.get_ref().as_table());
        table.map_or(Vec::new(), |t| {
            t.keys().map(|k| k.get_ref().to_string()).collect()
        })
    };
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
    Ok(Member {
        name: name.to_owned(),
        folder,
        dependencies: sections.iter().flat_map(|s| keys(s)).collect(),
        features: keys("features"),
    })
}

/// The folders, relative to the root, that a member pattern means: itself, or with `/*` at its end
/// those in it.
fn folders_of(root: &Path, pattern: &str) -> Result<Vec<PathBuf>, ToolError> {
    let Some(parent) = pattern.strip_suffix("/*") else {
        return Ok(vec![PathBuf::from(pattern)]);
    };
    let names = names_in(&root.join(parent))?;
    let folders = names.into_iter().map(|name| Path::new(parent).join(name));
    Ok(folders
        .filter(|f| root.join(f).join("Cargo.toml").exists())
        .collect())
}

fn collect_files(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), ToolError> {
    for name in names_in(&root.join(folder))? {
        let path = folder.join(&name);
        if root.join(&path).is_symlink() {
            // What it leads to stands elsewhere.
        } else if !root.join(&path).is_dir() {
            files.push(path);
        } else if is_kept(&name) {
            collect_files(root, &path, files)?;
        }
    }
    Ok(())
}

fn is_kept(folder: &str) -> bool {
    let is_output = folder == "target" || folder == "out" || folder.starts_with("out-");
    let is_hidden = folder.starts_with('.') && !matches!(folder, ".ci" | ".cargo" | ".github");
    !is_output && !is_hidden
}

fn names_in(folder: &Path) -> Result<Vec<String>, ToolError> {
    let fail = |e: std::io::Error| ToolError::of_file(folder, &e);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        names.push(
            entry
                .map_err(fail)?
                .file_name()
                .to_string_lossy()
                .into_owned(),
        );
    }
    names.sort();
    Ok(names)
}

fn read(path: &Path) -> Result<String, ToolError> {
    fs::read_to_string(path).map_err(|e| ToolError::of_file(path, &e))
}

/// The table of a manifest.
///
/// # Errors
/// If it is none.
pub(crate) fn parse<'a>(path: &Path, text: &'a str) -> Result<DeTable<'a>, ToolError> {
    let parsed = DeTable::parse(text);
    let parsed = parsed.map_err(|e| ToolError::new(format!("{}: {e}", path.display())))?;
    Ok(parsed.into_inner())
}

/// A repository of the given files, for the tests of checks; it lasts as long as its folder.
#[cfg(test)]
pub fn sample(files: &[(&str, &str)]) -> (tempfile::TempDir, Workspace) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in [("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n")]
        .iter()
        .chain(files)
    {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    fs::create_dir_all(folder.path().join("crates")).expect("a folder");
    let workspace = Workspace::open(folder.path()).expect("a workspace");
    (folder, workspace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_with_their_dependencies_and_features() {
        let (_folder, workspace) = sample(&[
            (
                "Cargo.toml",
                "[workspace]\nmembers = [\"crates/*\", \"extra\"]\n",
            ),
            (
                "crates/b/Cargo.toml",
                "[package]\nname = \"b\"\n[features]\ndouble = []\n",
            ),
            ("crates/note.txt", "no crate"),
            (
                "extra/Cargo.toml",
                "[package]\nname = \"x\"\n[dependencies]\nb.workspace = true\n[dev-dependencies]\nc = \"1\"\n",
            ),
        ]);
        let found: Vec<_> = workspace.members.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(found, ["b", "x"]);
        assert_eq!(workspace.members[1].dependencies, ["b", "c"]);
        assert_eq!(workspace.members[0].features, ["double"]);
    }

    #[test]
    fn files_leave_out_what_builds_and_runs_write() {
        let paths = [
            "a/b.rs",
            "target/x",
            "out/run.json",
            "out-2/x",
            ".git/x",
            ".ci/run",
        ];
        let (_folder, workspace) = sample(&paths.map(|path| (path, "")));
        let files = workspace.files().unwrap();
        assert_eq!(
            files,
            [".ci/run", "Cargo.toml", "a/b.rs"].map(PathBuf::from)
        );
    }
}
