//! What layers tell of sets of clips.

use super::super::layer::Value;
use super::super::{MeshProblem, malformed};

/// What there is in a dictionary.
#[derive(Clone, Debug)]
pub(in super::super) enum Entry {
    Dictionary(Vec<(String, Self)>),
    Value(Value),
}

/// What a layer tells of a set; what it leaves open weaker layers may tell.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct ToldSet {
    pub(super) files: Option<Vec<String>>,
    pub(super) template: Option<String>,
    pub(super) start: Option<f64>,
    pub(super) end: Option<f64>,
    pub(super) stride: Option<f64>,
    pub(super) active_offset: Option<f64>,
    /// The path of the prim in the clips.
    pub(super) prim: Option<String>,
    pub(super) manifest: Option<String>,
    /// From which times on which files are active.
    pub(super) active: Option<Vec<[f64; 2]>>,
    /// Times of the stage, and those of the clips at them.
    pub(super) times: Option<Vec<[f64; 2]>>,
    /// Whether values that a clip lacks lie between those of the clips around it.
    pub(super) interpolates_missing: Option<bool>,
}

/// Which sets are stronger than others: changes of the list of all by their names, as `clipSets` tells them.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct SetOrder {
    /// All that there are, the strongest first.
    pub(in super::super) only: Option<Vec<String>>,
    pub(in super::super) first: Vec<String>,
    pub(in super::super) last: Vec<String>,
    pub(in super::super) removed: Vec<String>,
}

impl SetOrder {
    /// Names in order, the strongest first, from those in the order of the alphabet.
    pub(super) fn of(&self, names: &[String]) -> Vec<String> {
        let is_moved = |name: &&String| self.first.contains(name) || self.last.contains(name);
        let others = names.iter().filter(|name| !is_moved(name));
        let changed = || self.first.iter().chain(others).chain(&self.last);
        let mut order: Vec<String> = match &self.only {
            Some(only) => only.clone(),
            None => changed().cloned().collect(),
        };
        order.retain(|name| names.contains(name) && !self.removed.contains(name));
        order
    }
}

impl ToldSet {
    /// The sets of a dictionary `clips`, by their names.
    ///
    /// # Errors
    /// If a value is not what it must be.
    pub(in super::super) fn all(
        clips: Vec<(String, Entry)>,
    ) -> Result<Vec<(String, Self)>, MeshProblem> {
        let mut sets = Vec::new();
        for (name, entry) in clips {
            let Entry::Dictionary(entries) = entry else {
                return Err(malformed(format!(
                    "`{name}` in `clips` is no set of clips; write a dictionary with assetPaths or templateAssetPath"
                )));
            };
            let mut set = Self::default();
            for (key, entry) in entries {
                let Entry::Value(value) = entry else {
                    continue;
                };
                set.tell(&key, &value).ok_or_else(|| {
                    malformed(format!(
                        "`{key}` of the clip set `{name}` must be {}",
                        required(&key)
                    ))
                })?;
            }
            sets.push((name, set));
        }
        Ok(sets)
    }

    /// Keeps the value of a key; `None` if it cannot be one of it.
    fn tell(&mut self, key: &str, value: &Value) -> Option<()> {
        match key {
            "assetPaths" => self.files = Some(texts(value)?),
            "templateAssetPath" => self.template = Some(text(value)?),
            "templateStartTime" => self.start = Some(number(value)?),
            "templateEndTime" => self.end = Some(number(value)?),
            "templateStride" => self.stride = Some(number(value)?),
            "templateActiveOffset" => self.active_offset = Some(number(value)?),
            "primPath" => self.prim = Some(text(value)?),
            "manifestAssetPath" => self.manifest = Some(text(value)?).filter(|m| !m.is_empty()),
            "active" => self.active = Some(pairs(value)?),
            "times" => self.times = Some(pairs(value)?),
            "interpolateMissingClipValues" => {
                self.interpolates_missing = Some(number(value)? != 0.0);
            }
            _ => {}
        }
        Some(())
    }

    /// Whether it tells of files.
    pub(super) fn has_files(&self) -> bool {
        self.files.is_some() || self.template.is_some()
    }

    /// What a weaker layer tells of what is left open.
    pub(super) fn or(self, weaker: Self) -> Self {
        Self {
            files: self.files.or(weaker.files),
            template: self.template.or(weaker.template),
            start: self.start.or(weaker.start),
            end: self.end.or(weaker.end),
            stride: self.stride.or(weaker.stride),
            active_offset: self.active_offset.or(weaker.active_offset),
            prim: self.prim.or(weaker.prim),
            manifest: self.manifest.or(weaker.manifest),
            active: self.active.or(weaker.active),
            times: self.times.or(weaker.times),
            interpolates_missing: self.interpolates_missing.or(weaker.interpolates_missing),
        }
    }

    /// The files that it names.
    pub(in super::super) fn named_files(&mut self) -> impl Iterator<Item = &mut String> {
        let files = self.files.iter_mut().flatten();
        files.chain(&mut self.manifest).chain(&mut self.template)
    }
}

/// What the value of a key must be.
fn required(key: &str) -> &'static str {
    match key {
        "assetPaths" => "a list of the paths of files",
        "manifestAssetPath" => "the path of a file",
        "templateAssetPath" => "the path of files with # for the digits of their numbers",
        "primPath" => "the path of a prim",
        "active" => "pairs of a finite time and the number of a clip, counted from 0",
        "times" => "pairs of finite times, of the stage and of the clip",
        _ => "one finite number",
    }
}

fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Texts(texts) => Some(texts.clone()),
        // A list of nothing.
        Value::Numbers(numbers) if numbers.is_empty() => Some(Vec::new()),
        _ => None,
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Texts(texts) => <&[String; 1]>::try_from(&texts[..])
            .ok()
            .map(|[text]| text.clone()),
        _ => None,
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Numbers(numbers) => match numbers[..] {
            [number] if number.is_finite() => Some(number),
            _ => None,
        },
        _ => None,
    }
}

fn pairs(value: &Value) -> Option<Vec<[f64; 2]>> {
    let Value::Numbers(numbers) = value else {
        return None;
    };
    let (pairs, rest) = numbers.as_chunks::<2>();
    let are_pairs = rest.is_empty() && numbers.iter().all(|number| number.is_finite());
    are_pairs.then(|| pairs.to_vec())
}
