//! Convergence of expectations: the spacing of a scene halved twice.

use std::path::Path;
use std::time::Instant;

use pliant_scene::{Expectation, Overrides, SceneErrors};
use pliant_validation::{Curve, Expected, Figure, Plot};

use super::Measured;
use crate::expectation::Verdict;
use crate::prepare::Prepared;
use crate::run::{OutputFolder, RunColumns, RunError, RunOptions, Unobserved, run};

/// Runs of a scene: at its own spacing, at half and at a quarter of it.
const LEVELS: u32 = 3;

const PLOT: Plot = Plot {
    title: "Expectations that converge, over their value at the scene's own spacing",
    unit: "",
    across: "halvings of the spacing",
    across_unit: "",
    is_logarithmic: [false, false],
};

/// Why a scene cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum NoHalvings {
    /// The scene is wrong.
    #[error(transparent)]
    Scene(#[from] SceneErrors),
    /// Nothing in it converges.
    #[error("`{0}` has no expectation with `converges = true`")]
    NothingConverges(String),
}

/// A scene with expectations that converge.
#[derive(Clone, Debug)]
pub struct Halvings {
    name: String,
    /// A scene a level, each with its outputs off.
    levels: Vec<Overrides>,
    expectations: Vec<Expectation>,
}

impl Halvings {
    /// Reads a scene and what of it shall converge.
    ///
    /// # Errors
    /// If the scene is wrong or nothing in it converges.
    pub fn of(path: &Path) -> Result<Self, NoHalvings> {
        let prepared = Prepared::read(path, &Overrides::default())?;
        let mut expectations = prepared.scene.expectations();
        expectations.retain(|expectation| expectation.converges);
        if expectations.is_empty() {
            return Err(NoHalvings::NothingConverges(prepared.file));
        }
        Ok(Self {
            levels: (0..LEVELS)
                .map(|level| overrides(&prepared, level))
                .collect(),
            name: prepared.name,
            expectations,
        })
    }

    /// Runs the scene at each spacing, calling `tell` with the spacing before each run, and asks for
    /// smaller and smaller changes.
    pub fn measure(&self, path: &Path, report: &mut dyn FnMut(&str)) -> Measured {
        let start = Instant::now();
        let mut levels = Vec::new();
        let mut outcome = Ok(());
        for (level, overrides) in self.levels.iter().enumerate() {
            report(&format!("{}: {}", self.name, spacing_text(level)));
            match verdicts(path, overrides, &self.expectations) {
                Ok(verdicts) => levels.push(verdicts),
                Err(error) => {
                    outcome = Err(format!("at {}: {error}", spacing_text(level)));
                    break;
                }
            }
        }
        let figures = |()| {
            let places = 0..self.expectations.len();
            places
                .flat_map(|place| self.figures(place, &levels))
                .collect()
        };
        Measured {
            statement: format!(
                "{} changes less and less as its spacing is halved",
                self.name
            ),
            outcome: outcome.map(figures),
            seconds: start.elapsed().as_secs_f64(),
        }
    }

    /// The values of an expectation, and the ratio of its last two changes.
    fn figures(&self, place: usize, levels: &[Vec<Verdict>]) -> Vec<Figure> {
        let found = |verdicts: &Vec<Verdict>| verdicts[place].found.clone().unwrap_or(f64::NAN);
        let values: Vec<f64> = levels.iter().map(found).collect();
        let name = format!(
            "{} {}",
            self.expectations[place].column,
            levels[0][place].moment_text()
        );
        let relative = values
            .iter()
            .enumerate()
            .map(|(k, v)| [k as f64, v / values[0]]);
        let curve = Curve::measured(PLOT, format!("{}: {name}", self.name), relative.collect());
        let mut figures: Vec<Figure> = values
            .iter()
            .enumerate()
            .map(|(level, &value)| {
                Figure::new(
                    format!("{name}, {}", spacing_text(level)),
                    value,
                    Expected::Finite,
                )
            })
            .collect();
        let what = format!("{name}, change by the second halving over that by the first");
        let ratio = Figure::new(what, ratio_of_changes(&values), Expected::AtMost(1.0));
        figures.push(ratio.with(curve));
        figures
    }
}

/// The last change over the one before; 0 if nothing changes any more.
fn ratio_of_changes(values: &[f64]) -> f64 {
    match values {
        [.., a, b, c] if b == c => 0.0 * a,
        [.., a, b, c] => (c - b).abs() / (b - a).abs(),
        _ => f64::NAN,
    }
}

fn spacing_text(level: usize) -> &'static str {
    [
        "the scene's own spacing",
        "half the spacing",
        "a quarter of the spacing",
    ]
    .get(level)
    .copied()
    .unwrap_or("less")
}

/// Spacings of all bodies, and a given step with them, halved so many times; no outputs but tables.
fn overrides(prepared: &Prepared, level: u32) -> Overrides {
    let share = 0.5f64.powi(level as i32);
    let setup = &prepared.built.setup;
    let bodies = setup.bodies.iter().enumerate();
    let mut set: Vec<String> = bodies
        .map(|(place, body)| format!("body[{place}].spacing={:?}", share * body.spacing))
        .collect();
    if let Some(step) = setup.solver.time_step {
        // Stress crosses a smaller particle in less time.
        set.push(format!("solver.time_step={:?}", share * step));
    }
    set.extend(["output.preview=false", "output.particles=[]"].map(String::from));
    Overrides {
        set,
        ..Overrides::default()
    }
}

fn verdicts(
    path: &Path,
    overrides: &Overrides,
    expectations: &[Expectation],
) -> Result<Vec<Verdict>, RunError> {
    let prepared = Prepared::read(path, overrides)?;
    let place = tempfile::tempdir().map_err(|error| {
        pliant_io::FileError::new(&std::env::temp_dir(), "create a folder in", error)
    })?;
    let options = RunOptions {
        folder: place.path().join("run"),
        threads: 0,
        resume: false,
    };
    run(prepared, &options, &mut Unobserved)?;
    let columns = RunColumns::read(&OutputFolder::new(&options.folder))?;
    let verdicts = expectations
        .iter()
        .map(|e| Verdict::of(e.clone(), &columns));
    Ok(verdicts.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_that_become_smaller_have_a_ratio_below_one() {
        assert_eq!(ratio_of_changes(&[1.0, 2.0, 2.5]), 0.5);
        assert_eq!(ratio_of_changes(&[1.0, 2.0, 4.0]), 2.0);
        assert_eq!(ratio_of_changes(&[2.0, 2.0, 2.0]), 0.0);
        assert!(ratio_of_changes(&[2.0, 2.0, 2.5]) > 1.0);
        for values in [[f64::NAN, 1.0, 1.0], [1.0, f64::NAN, 1.0]] {
            assert!(
                !Expected::AtMost(1.0).holds(ratio_of_changes(&values)),
                "{values:?}"
            );
        }
    }
}
