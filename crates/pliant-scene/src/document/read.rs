//! Reading a scene file with what it includes, its level of detail and the values set from outside.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pliant_parameters::{Files, Found};

use super::merge::{lost_error, merge_root, set};
use super::node::{Data, Node, Table};
use super::parse::{parse_file, parse_value};
use crate::problems::{Origin, Place, SceneError, Source, Sources, choices_text, nearest};

/// Most files one scene may consist of.
const MOST_FILES: usize = 64;
/// Largest scene file [bytes].
const LARGEST_FILE: u64 = 16 << 20;

/// The level that `pliant test --quick` takes.
const QUICK: &str = "quick";

/// What replaces values of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    /// Name of a level `[detail.NAME]`.
    pub detail: Option<String>,
    /// True for the level `quick` of a scene that has one.
    pub quick: bool,
    /// `KEY=VALUE` of arguments `--set`, in order; values are TOML.
    pub set: Vec<String>,
    /// What other arguments set, after those.
    pub others: Vec<Setting>,
}

/// A value that an argument other than `--set` sets.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// `KEY=VALUE`; the value is TOML.
    pub assignment: String,
    /// The argument, as errors name it: `--frames 3`.
    pub argument: String,
}

impl Overrides {
    /// The same with a value set, `KEY=VALUE`, in place of another one of its key.
    pub fn with_value(&self, assignment: &str) -> Self {
        let key = |assignment: &str| {
            assignment
                .split('=')
                .next()
                .map(|key| key.trim().to_owned())
        };
        let mut overrides = self.clone();
        overrides.set.retain(|other| key(other) != key(assignment));
        overrides.set.push(assignment.to_owned());
        overrides
    }

    /// The assignments in order, each with the argument that made it.
    fn settings(&self) -> Vec<Setting> {
        let set = self.set.iter().map(|assignment| Setting {
            assignment: assignment.clone(),
            argument: format!("--set {assignment}"),
        });
        set.chain(self.others.iter().cloned()).collect()
    }
}

/// A document with everything merged.
#[derive(Clone)]
pub(crate) struct Document {
    pub sources: Sources,
    pub root: Table,
    /// The levels of detail that were not asked for, laid over the document each for itself, so
    /// that they can be checked too.
    pub other_levels: Vec<Table>,
    pub errors: Vec<SceneError>,
}

/// Reads the text of a scene called `name` whose relative paths start from `folder`.
pub(crate) fn read_document(
    text: String,
    name: &str,
    folder: &Path,
    overrides: &Overrides,
    files: &dyn Files,
) -> Document {
    let settings = overrides.settings();
    let mut reader = Reader {
        sources: Sources {
            files: Vec::new(),
            arguments: settings.clone(),
        },
        errors: Vec::new(),
        files,
    };
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let mut root = reader.read_text(text, name.into(), folder, &mut Vec::new());
    let levels = reader.take_levels(&mut root);
    let has_quick = levels.iter().any(|(name, _)| name == QUICK);
    let quick = (overrides.quick && has_quick).then_some(QUICK);
    let wanted = overrides.detail.as_deref().or(quick);
    let other_levels = reader.apply_level(&mut root, levels, wanted);
    for (i, setting) in settings.iter().enumerate() {
        reader.apply_argument(&mut root, &setting.assignment, i);
    }
    Document {
        sources: reader.sources,
        root,
        other_levels,
        errors: reader.errors,
    }
}

/// Reads a further text, called `name`, whose relative paths start from `folder`: returns its tables. The document
/// knows their places and has what is wrong with them.
pub(crate) fn read_more(
    document: &mut Document,
    text: String,
    (name, folder): (&str, &Path),
    files: &dyn Files,
) -> Table {
    let mut reader = Reader {
        sources: std::mem::take(&mut document.sources),
        errors: Vec::new(),
        files,
    };
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
    let root = reader.read_text(text, name.into(), folder, &mut Vec::new());
    document.sources = reader.sources;
    document.errors.append(&mut reader.errors);
    root
}

/// The text of a file, or why there is none.
pub(crate) fn read_file(files: &dyn Files, path: &Path) -> Result<String, String> {
    if let Found::File { length } = files.look(path).map_err(|e| e.to_string())?
        && length > LARGEST_FILE
    {
        return Err(format!("{length} bytes are too many for a scene"));
    }
    let bytes = files.read(path).map_err(|e| e.to_string())?;
    String::from_utf8(bytes).map_err(|e| {
        let line = e.as_bytes()[..e.utf8_error().valid_up_to()]
            .iter()
            .filter(|b| **b == b'\n')
            .count();
        format!("line {} is not UTF-8 text", line + 1)
    })
}

struct Reader<'a> {
    sources: Sources,
    errors: Vec<SceneError>,
    files: &'a dyn Files,
}

impl Reader<'_> {
    /// The table of a text, laid over those of the files it includes. `chain` holds the files
    /// whose reading led here.
    fn read_text(
        &mut self,
        text: String,
        name: String,
        folder: PathBuf,
        chain: &mut Vec<PathBuf>,
    ) -> Table {
        let source = self.sources.files.len();
        let read = Source { name, folder, text };
        self.sources.files.push(Arc::new(read));
        let (mut own, mut errors) = parse_file(&self.sources, source);
        self.errors.append(&mut errors);
        let mut merged = Table::new();
        if let Some(include) = own.remove("include") {
            for table in self.read_includes(&include.node, chain) {
                merge_root(&self.sources, &mut merged, table, &mut self.errors);
            }
        }
        merge_root(&self.sources, &mut merged, own, &mut self.errors);
        merged
    }

    fn read_includes(&mut self, include: &Node, chain: &mut Vec<PathBuf>) -> Vec<Table> {
        let files = match &include.data {
            Data::List(files) => files.as_slice(),
            _ => {
                let remedy = "write a list of files: include = [\"common.toml\"]";
                self.fail(include, "include", "this is not a list of files", remedy);
                return Vec::new();
            }
        };
        let mut tables = Vec::new();
        for file in files {
            tables.extend(self.read_include(file, chain));
        }
        tables
    }

    fn read_include(&mut self, file: &Node, chain: &mut Vec<PathBuf>) -> Option<Table> {
        let Data::Text(written) = &file.data else {
            let remedy = "write the file's name in quotes";
            self.fail(file, "include", "this is not the name of a file", remedy);
            return None;
        };
        let path = self.sources.folder(&file.origin).join(written);
        let same = self.files.canonical(&path);
        if chain.contains(&same) || self.sources.files.len() >= MOST_FILES {
            let message = format!("files include each other, or there are more than {MOST_FILES}");
            self.fail(file, "include", &message, "take this file out");
            return None;
        }
        match read_file(self.files, &path) {
            Ok(text) => {
                let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
                chain.push(same);
                let table = self.read_text(text, written.clone(), folder, chain);
                chain.pop();
                Some(table)
            }
            Err(why) => {
                let message = format!("the file {} cannot be read: {why}", path.display());
                let remedy = "paths are relative to the file they are written in";
                self.fail(file, "include", &message, remedy);
                None
            }
        }
    }

    /// Takes `[detail]` out of the document: (name, values) of each level.
    fn take_levels(&mut self, root: &mut Table) -> Vec<(String, Table)> {
        let Some(entry) = root.remove("detail") else {
            return Vec::new();
        };
        let remedy = "write [detail.NAME] and below it what replaces other values";
        let Data::Table(levels) = entry.node.data else {
            self.fail(&entry.node, "detail", "this is not a table", remedy);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for (name, level) in levels {
            match level.node.data {
                Data::Table(table) => tables.push((name, table)),
                _ => self.fail(
                    &level.node,
                    &format!("detail.{name}"),
                    "this is not a table",
                    remedy,
                ),
            }
        }
        tables
    }

    /// Lays the asked-for level on the document; returns the document with each other one.
    fn apply_level(
        &mut self,
        root: &mut Table,
        levels: Vec<(String, Table)>,
        wanted: Option<&str>,
    ) -> Vec<Table> {
        if let Some(wanted) = wanted
            && !levels.iter().any(|(name, _)| name == wanted)
        {
            let names: Vec<&str> = levels.iter().map(|(name, _)| name.as_str()).collect();
            self.errors.push(unknown_level(wanted, &names));
        }
        let base = root.clone();
        let mut others = Vec::new();
        for (name, level) in levels {
            if Some(name.as_str()) == wanted {
                merge_root(&self.sources, root, level, &mut self.errors);
            } else {
                let mut other = base.clone();
                merge_root(&self.sources, &mut other, level, &mut self.errors);
                others.push(other);
            }
        }
        others
    }

    fn apply_argument(&mut self, root: &mut Table, argument: &str, index: usize) {
        let origin = Origin::Argument(index);
        let Some((key, text)) = argument.split_once('=') else {
            let lost = ("there is no = in it".into(), Some("write KEY=VALUE".into()));
            self.errors
                .push(lost_error(&self.sources, &origin, argument, lost));
            return;
        };
        let (key, text) = (key.trim(), text.trim());
        let outcome = match parse_value(text, index) {
            Ok(value) => set(root, key, value),
            Err(why) => Err((
                format!("the value {text} is not TOML: {why}"),
                Some(format!("texts need quotes: '{key}=\"...\"'")),
            )),
        };
        if let Err(lost) = outcome {
            self.errors
                .push(lost_error(&self.sources, &origin, key, lost));
        }
    }

    fn fail(&mut self, node: &Node, key: &str, message: &str, remedy: &str) {
        self.errors.push(SceneError {
            place: self.sources.place(&node.origin),
            key: key.into(),
            value: node.shown(),
            message: message.into(),
            remedy: Some(remedy.into()),
        });
    }
}

fn unknown_level(wanted: &str, names: &[&str]) -> SceneError {
    let remedy = match nearest(wanted, names.iter().copied()) {
        Some(right) => format!("did you mean \"{right}\"?"),
        None if names.is_empty() => "the scene has no levels of detail".into(),
        None => format!("levels are {}", choices_text(names.iter().copied())),
    };
    SceneError {
        place: Place::Nowhere,
        key: "detail".into(),
        value: Some(format!("{wanted:?}")),
        message: "there is no such level of detail".into(),
        remedy: Some(remedy),
    }
}
