//! Every combination of the values, each with a folder of a telling name.

use std::path::{Path, PathBuf};

use pliant_scene::{Overrides, SceneErrors, Setting};

use super::vary::Vary;
use crate::prepare::Prepared;
use crate::run::{RunError, layout, with_frames};

/// Most runs of a sweep.
const MOST_RUNS: usize = 10_000;
/// Longest name of a folder in characters, without its number.
const LONGEST_NAME: usize = 80;

/// A scene with the values that vary.
#[derive(Clone, Debug, PartialEq)]
pub struct Sweep {
    scene: PathBuf,
    overrides: Overrides,
    frames: Option<u32>,
    varied: Vec<Vary>,
    labels: Vec<String>,
    combinations: Vec<Combination>,
}

/// A value of each key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// Name of its folder: `02-spacing=0.02`.
    pub folder: String,
    /// A value of each varied key, in the order of the keys.
    pub values: Vec<String>,
}

/// Why there is nothing to run.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// Nothing varies.
    #[error("nothing varies; name a key and its values with --vary KEY=V1,V2,...")]
    NothingVaries,
    /// A key is there twice.
    #[error("`{0}` is varied twice; write all its values once")]
    KeyTwice(String),
    /// There are too many combinations.
    #[error("there are {0} combinations, more than {MOST_RUNS}")]
    TooMany(String),
    /// The scene of a combination is wrong.
    #[error("{errors}\nThis is the scene with {values}; nothing was run")]
    Scene {
        /// The combination.
        values: String,
        /// What is wrong with it.
        errors: SceneErrors,
    },
    /// A combination cannot be run.
    #[error("{error}\nThis is the scene with {values}; nothing was run")]
    Run {
        /// The combination.
        values: String,
        /// Why.
        error: RunError,
    },
}

impl Sweep {
    /// The combinations of all values, those of the last key next to each other.
    ///
    /// # Errors
    /// If nothing varies, a key is there twice, or there are too many combinations.
    pub fn new(
        scene: &Path,
        overrides: Overrides,
        frames: Option<u32>,
        varied: Vec<Vary>,
    ) -> Result<Self, SweepError> {
        if varied.is_empty() {
            return Err(SweepError::NothingVaries);
        }
        for (place, vary) in varied.iter().enumerate() {
            if varied[..place].iter().any(|other| other.key == vary.key) {
                return Err(SweepError::KeyTwice(vary.key.clone()));
            }
        }
        let counts = varied.iter().map(|vary| vary.values.len());
        let count = counts.clone().try_fold(1usize, usize::checked_mul);
        let count = count.filter(|count| *count <= MOST_RUNS).ok_or_else(|| {
            let text: Vec<String> = counts.map(|count| count.to_string()).collect();
            SweepError::TooMany(text.join(" x "))
        })?;
        let labels = labels(&varied);
        let combination = |place| combination(place, count, &varied, &labels);
        Ok(Self {
            combinations: (0..count).map(combination).collect(),
            scene: scene.to_owned(),
            overrides,
            frames,
            labels,
            varied,
        })
    }

    /// The varied keys.
    pub fn varied(&self) -> &[Vary] {
        &self.varied
    }

    /// A short name for each varied key: as much of its end as tells it from the others.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// The combinations, in order.
    pub fn combinations(&self) -> &[Combination] {
        &self.combinations
    }

    /// The scene file.
    pub fn scene(&self) -> &Path {
        &self.scene
    }

    /// `spacing = 0.02, friction_angle = 30`.
    pub fn title(&self, combination: &Combination) -> String {
        let pairs = self.labels.iter().zip(&combination.values);
        let texts: Vec<String> = pairs
            .map(|(label, value)| format!("{label} = {value}"))
            .collect();
        texts.join(", ")
    }

    /// Reads the scene of a combination and builds its world.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn prepare(&self, combination: &Combination) -> Result<Prepared, SceneErrors> {
        let mut overrides = self.overrides.clone();
        let pairs = self.varied.iter().zip(&combination.values);
        overrides.others.extend(pairs.map(|(vary, value)| {
            let assignment = format!("{}={value}", vary.key);
            let argument = format!("--vary {assignment}");
            Setting {
                assignment,
                argument,
            }
        }));
        if let Some(frames) = self.frames {
            overrides = with_frames(&self.scene, &overrides, frames)?;
        }
        Prepared::read(&self.scene, &overrides)
    }

    /// Checks what `run` would refuse of any combination; returns the memory that the largest
    /// `jobs` of them take together [bytes], and the frames of all, the initial ones included.
    ///
    /// # Errors
    /// The first combination that is wrong.
    pub fn check(&self, jobs: usize) -> Result<(u64, u64), SweepError> {
        let (mut memory, mut frames) = (Vec::new(), 0);
        for combination in &self.combinations {
            let values = || self.title(combination);
            let prepared = self
                .prepare(combination)
                .map_err(|errors| SweepError::Scene {
                    values: values(),
                    errors,
                })?;
            layout(&prepared.built.setup, &prepared.scene).map_err(|error| SweepError::Run {
                values: values(),
                error,
            })?;
            memory.push(prepared.built.estimate.memory);
            frames += u64::from(prepared.scene.frame_count()) + 1;
        }
        memory.sort_unstable();
        Ok((memory.iter().rev().take(jobs).sum(), frames))
    }
}

/// The combination at a place of so many.
fn combination(place: usize, count: usize, varied: &[Vary], labels: &[String]) -> Combination {
    let mut rest = place;
    let mut values: Vec<String> = Vec::new();
    for vary in varied.iter().rev() {
        values.push(vary.values[rest % vary.values.len()].clone());
        rest /= vary.values.len();
    }
    values.reverse();
    let digits = count.to_string().len().max(2);
    let pairs = labels.iter().zip(&values);
    let name: Vec<String> = pairs
        .map(|(label, value)| format!("{label}={value}"))
        .collect();
    let name: String = name
        .join("_")
        .chars()
        .filter_map(in_name)
        .take(LONGEST_NAME)
        .collect();
    Combination {
        folder: format!("{:0digits$}-{name}", place + 1),
        values,
    }
}

/// A character as it may stand in the name of a file anywhere; quotation marks and spaces are left
/// out.
fn in_name(c: char) -> Option<char> {
    match c {
        '"' | '\'' => None,
        c if c.is_whitespace() || c.is_control() => None,
        c if c.is_alphanumeric() || "=.,+-_".contains(c) => Some(c),
        _ => Some('_'),
    }
}

/// As many of the last parts of each key as tell it from the others.
fn labels(varied: &[Vary]) -> Vec<String> {
    let end = |key: &str, count: usize| {
        let starts = key.rmatch_indices('.').map(|(at, _)| at + 1).chain([0]);
        let start = starts.take(count).last().unwrap_or(0);
        key[start..].to_owned()
    };
    let label = |vary: &Vary| {
        let most = vary.key.matches('.').count() + 1;
        let is_own = |count: &usize| {
            let others = varied.iter().filter(|other| other.key != vary.key);
            others
                .into_iter()
                .all(|other| end(&other.key, *count) != end(&vary.key, *count))
        };
        end(&vary.key, (1..=most).find(is_own).unwrap_or(most))
    };
    varied.iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(varied: &[&str]) -> Result<Sweep, SweepError> {
        let varied = varied.iter().map(|text| Vary::parse(text).unwrap());
        Sweep::new(
            Path::new("s.toml"),
            Overrides::default(),
            None,
            varied.collect(),
        )
    }

    #[test]
    fn every_combination_is_there_once_with_a_folder_of_its_own() {
        let sweep = sweep(&["a.b=1,2", "scene.gravity=[0, 1, 0],[0, 2, 0],[0, 3, 0]"]).unwrap();
        let folders: Vec<&str> = sweep
            .combinations()
            .iter()
            .map(|c| c.folder.as_str())
            .collect();
        assert_eq!(folders.len(), 6);
        assert_eq!(folders[0], "01-b=1_gravity=_0,1,0_");
        assert_eq!(folders[5], "06-b=2_gravity=_0,3,0_");
        assert_eq!(sweep.combinations()[1].values, ["1", "[0, 2, 0]"]);
        assert_eq!(
            sweep.title(&sweep.combinations()[3]),
            "b = 2, gravity = [0, 1, 0]"
        );
    }

    #[test]
    fn labels_are_as_long_as_they_must_be() {
        let labels = |keys: &[&str]| sweep(keys).unwrap().labels().to_vec();
        assert_eq!(labels(&["solver.iterations=1"]), ["iterations"]);
        assert_eq!(
            labels(&["body.a.spacing=1", "body.b.spacing=2", "x=3"]),
            ["a.spacing", "b.spacing", "x"]
        );
    }

    #[test]
    fn empty_repeated_and_too_many_combinations_are_refused() {
        assert!(matches!(sweep(&[]), Err(SweepError::NothingVaries)));
        assert!(matches!(
            sweep(&["a=1", "a=2"]),
            Err(SweepError::KeyTwice(_))
        ));
        let many: Vec<String> = (0..200).map(|k| k.to_string()).collect();
        let (one, two) = (
            format!("a={}", many.join(",")),
            format!("b={}", many.join(",")),
        );
        assert!(matches!(sweep(&[&one, &two]), Err(SweepError::TooMany(_))));
    }
}
