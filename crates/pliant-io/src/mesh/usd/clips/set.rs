//! A set of clips: its files, of which a few are kept, and their samples.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::super::layer::{Held, Layer, Prim, Value};
use super::super::{MeshProblem, malformed};
use super::library::Library;
use super::template::expanded;
use super::timing::Timing;
use super::told::ToldSet;
use crate::beside::Beside;

/// Files that are kept: the clip of a time, the next one, and one more for those who go back.
const KEPT: usize = 3;

/// Sample times with their values.
pub(super) type Samples = Vec<(f64, Held)>;

/// A set of clips.
#[derive(Debug)]
pub(super) struct ClipSet {
    name: String,
    /// What it is called for people.
    of: String,
    /// The path in the clips that stands for the prim that has the set.
    root: String,
    told: ToldSet,
    library: Rc<Library>,
    files: Vec<String>,
    timing: Timing,
    interpolates_missing: bool,
    /// Files that were read last, by their places.
    kept: RefCell<VecDeque<(usize, Rc<Layer>)>>,
}

/// An attribute that is looked for.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// The path of its prim in the clips.
    pub(super) prim: String,
    pub(super) name: String,
    /// What holds where a clip has no value.
    pub(super) default: Option<Held>,
}

impl ClipSet {
    /// * `path` — of the prim that has it
    /// * `library` — where its files are
    ///
    /// # Errors
    /// If files or times are missing, or do not fit each other.
    pub(super) fn new(
        name: &str,
        path: &str,
        told: ToldSet,
        library: &Rc<Library>,
    ) -> Result<Self, MeshProblem> {
        let of = format!("the clip set `{name}` of {path}");
        let root = told.prim.clone().ok_or_else(|| {
            malformed(format!(
                "{of} has no primPath; write the path of the prim in the clips that stands for {path}"
            ))
        })?;
        Self::timed(name.to_owned(), of, root, told, library.clone())
    }

    fn timed(
        name: String,
        of: String,
        root: String,
        told: ToldSet,
        library: Rc<Library>,
    ) -> Result<Self, MeshProblem> {
        let given = |pairs: &Option<Vec<[f64; 2]>>| pairs.clone().unwrap_or_default();
        let (files, active, times) = match (&told.files, &told.template) {
            (Some(files), _) => (files.clone(), given(&told.active), given(&told.times)),
            (None, Some(template)) => {
                let expanded = expanded(&of, &told, template)?;
                (expanded.files, expanded.active, expanded.times)
            }
            (None, None) => (Vec::new(), Vec::new(), Vec::new()),
        };
        Ok(Self {
            timing: Timing::new(&of, active, times, files.len())?,
            interpolates_missing: told.interpolates_missing.unwrap_or(false),
            kept: RefCell::default(),
            files,
            name,
            of,
            root,
            told,
            library,
        })
    }

    /// The set as it is if more is told of it that is stronger.
    ///
    /// # Errors
    /// As for [`Self::new`].
    pub(super) fn changed(&self, stronger: ToldSet) -> Result<Self, MeshProblem> {
        let [name, of, root] = [&self.name, &self.of, &self.root].map(String::clone);
        let told = stronger.or(self.told.clone());
        Self::timed(name, of, root, told, self.library.clone())
    }

    /// Whether it has a name, and values at a path in the clips for the prim at a path from the one that has it.
    pub(super) fn is_at(&self, name: &str, path: &str, in_clips: &str) -> bool {
        let root = self.root.trim_end_matches('/');
        self.name == name && in_clips.trim_end_matches('/').strip_prefix(root) == Some(path)
    }

    /// The path in the clips that stands for the prim that has the set.
    pub(super) fn root(&self) -> &str {
        &self.root
    }

    /// What a clip or the manifest holds.
    ///
    /// # Errors
    /// If its file is not there or damaged.
    pub(super) fn read(&self, file: &str, files: &Beside<'_>) -> Result<Rc<Layer>, MeshProblem> {
        self.library.read(&self.of, file, files)
    }

    /// The files of clips.
    pub(super) fn files(&self) -> &[String] {
        &self.files
    }

    /// The clip of a place in the order of times.
    fn clip(&self, place: usize, files: &Beside<'_>) -> Result<Rc<Layer>, MeshProblem> {
        let file = self.timing.file(place);
        let mut kept = self.kept.borrow_mut();
        if let Some((_, known)) = kept.iter().find(|(own, _)| *own == file) {
            return Ok(known.clone());
        }
        let layer = self.read(&self.files[file], files)?;
        kept.push_front((file, layer.clone()));
        kept.truncate(KEPT);
        Ok(layer)
    }

    /// The samples that a clip has of an attribute, by times of the stage; none if it has none.
    fn samples(
        &self,
        place: usize,
        wanted: &Wanted,
        files: &Beside<'_>,
    ) -> Result<Samples, MeshProblem> {
        let clip = self.clip(place, files)?;
        let prim = Prim::below(&clip.prims, &wanted.prim);
        let attribute = prim.and_then(|prim| prim.attribute(&wanted.name));
        let Some(own) = attribute.map(|attribute| &attribute.samples) else {
            return Ok(Vec::new());
        };
        if own.is_empty() {
            return Ok(Vec::new());
        }
        let inner: Vec<f64> = own.iter().map(|(time, _)| *time).collect();
        let keyframes = self.timing.keyframes(place, &inner).into_iter();
        let sample = |keyframe: super::timing::Keyframe| (keyframe.time, held(own, keyframe.inner));
        Ok(keyframes.map(sample).collect())
    }

    /// Whether values that a clip lacks lie between those of the clips around it: a value for them is stronger.
    fn interpolates(&self, wanted: &Wanted) -> bool {
        self.interpolates_missing && wanted.default.is_none()
    }

    /// What holds while a clip without values is active: at its start, and where `times` bends or jumps.
    fn missing(&self, place: usize, wanted: &Wanted) -> Samples {
        let default = wanted.default.clone();
        let held = default.unwrap_or_else(|| Held::of(Value::Blocked));
        let keyframes = self.timing.keyframes(place, &[]).into_iter();
        keyframes.map(|at| (at.time, held.clone())).collect()
    }

    /// The nearest clip with values among some; `None` if there is none.
    fn nearest(
        &self,
        mut places: impl Iterator<Item = usize>,
        wanted: &Wanted,
        files: &Beside<'_>,
    ) -> Result<Option<Samples>, MeshProblem> {
        let mut found = |place| {
            let samples = self.samples(place, wanted, files);
            samples
                .map(|samples| Some(samples).filter(|samples| !samples.is_empty()))
                .transpose()
        };
        places.find_map(&mut found).transpose()
    }

    /// The samples around a time of the set: that which holds, if there is one, and the next one.
    ///
    /// # Errors
    /// If a clip cannot be read.
    pub(super) fn around(
        &self,
        time: f64,
        wanted: &Wanted,
        files: &Beside<'_>,
    ) -> Result<Samples, MeshProblem> {
        let place = self.timing.at(time);
        let own = self.samples(place, wanted, files)?;
        let own = match own.is_empty() {
            true if self.interpolates(wanted) => return self.across(place, wanted, files),
            true => self.missing(place, wanted),
            false => own,
        };
        let after = own.partition_point(|&(at, _)| at <= time);
        let from = after.saturating_sub(1);
        let mut around = own[from..own.len().min(from + 2)].to_vec();
        if after == own.len() {
            around.extend(self.start_after(place, wanted, files)?);
        }
        Ok(around)
    }

    /// The samples around a clip that has none.
    fn across(
        &self,
        place: usize,
        wanted: &Wanted,
        files: &Beside<'_>,
    ) -> Result<Samples, MeshProblem> {
        let before = self.nearest((0..place).rev(), wanted, files)?;
        let last = before.and_then(|mut samples| samples.pop());
        let after = self.start_after(place, wanted, files)?;
        let around: Samples = last.into_iter().chain(after).collect();
        Ok(match around.is_empty() {
            true => self.missing(place, wanted),
            false => around,
        })
    }

    /// The first sample after a clip.
    fn start_after(
        &self,
        place: usize,
        wanted: &Wanted,
        files: &Beside<'_>,
    ) -> Result<Option<(f64, Held)>, MeshProblem> {
        let count = self.timing.count();
        if self.interpolates(wanted) {
            let after = self.nearest(place + 1..count, wanted, files)?;
            return Ok(after.map(|mut samples| samples.swap_remove(0)));
        }
        if place + 1 == count {
            return Ok(None);
        }
        let mut samples = self.samples(place + 1, wanted, files)?;
        if samples.is_empty() {
            samples = self.missing(place + 1, wanted);
        }
        Ok(Some(samples.swap_remove(0)))
    }

    /// The first sample of all.
    ///
    /// # Errors
    /// If a clip cannot be read.
    pub(super) fn first(
        &self,
        wanted: &Wanted,
        files: &Beside<'_>,
    ) -> Result<(f64, Held), MeshProblem> {
        let mut around = self.around(f64::NEG_INFINITY, wanted, files)?;
        Ok(around.swap_remove(0))
    }

    /// The times of the first sample and the last one.
    ///
    /// # Errors
    /// If a clip cannot be read.
    pub(super) fn ends(
        &self,
        wanted: &Wanted,
        files: &Beside<'_>,
    ) -> Result<[f64; 2], MeshProblem> {
        let last = self.timing.count() - 1;
        let (first, _) = self.first(wanted, files)?;
        let samples = self.samples(last, wanted, files)?;
        let end = samples.last().map(|(time, _)| *time);
        Ok([first, end.unwrap_or_else(|| self.timing.start(last))])
    }
}

/// What samples of a clip are at a time: before the first and after the last one they hold.
fn held(samples: &Samples, time: f64) -> Held {
    let after = samples.partition_point(|&(at, _)| at <= time);
    let Some(before) = after.checked_sub(1) else {
        return samples[0].1.clone();
    };
    let (start, earlier) = &samples[before];
    match samples.get(after) {
        Some((end, later)) if *start < time => {
            let share = (time - start) / (end - start);
            Held::Between(Rc::new((earlier.clone(), later.clone(), share)))
        }
        _ => earlier.clone(),
    }
}
