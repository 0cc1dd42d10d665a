//! What every method holds with default settings: how heavy and how light a load, how stiff, how nearly
//! incompressible, how fast.
//!
//! | what | where |
//! |---|---|
//! | a ladder of values, gone up until one does not hold | [`ladder`] |
//! | methods, their materials, and the least that each must hold | [`methods`] |
//! | what is raised or lowered | [`quantity`] |
//! | a scene with what must be true of it | [`case`], [`scene`] |
//! | a case that is run and judged | [`trial`], [`weight`] |
//! | the table | [`row`], [`table`] |

mod case;
mod ladder;
mod methods;
mod quantity;
mod row;
mod scene;
mod table;
mod trial;
mod weight;

use std::path::Path;

use pliant_io::write_bytes;

use self::ladder::{Verdict, climb};
use self::methods::{METHODS, Method};
use self::quantity::Quantity;
use self::row::{Ladder, Row};
use self::table::with_unit;
use self::trial::{Trial, run};
use super::Measured;
use super::workers::on_all_cores;
use crate::text::{duration, number};

/// Methods whose defaults are asked how far they hold.
#[derive(Clone, Debug)]
pub struct Holds {
    methods: Vec<&'static Method>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Held(Vec<Row>);

impl Holds {
    /// The methods whose names have one of the words in them, all without words; nothing if a word is in
    /// no name.
    pub fn of(words: &[String]) -> Option<Self> {
        let has = |method: &Method, word: &str| method.name.contains(&word.to_lowercase());
        let is_known = |word: &String| METHODS.iter().any(|method| has(method, word));
        let is_meant =
            |method: &&Method| words.is_empty() || words.iter().any(|word| has(method, word));
        words.iter().all(is_known).then(|| Self {
            methods: METHODS.iter().filter(is_meant).collect(),
        })
    }

    /// The names of all methods.
    pub fn names() -> Vec<&'static str> {
        METHODS.iter().map(|method| method.name).collect()
    }

    /// Climbs all ladders, as many at once as the machine has cores, and tells each case when it is done.
    /// The scenes are left in a folder.
    pub fn measure(&self, folder: &Path, report: &(dyn Fn(&str) + Sync)) -> Held {
        let of = |quantity: Quantity| self.methods.iter().map(move |method| (*method, quantity));
        let has_values =
            |(method, quantity): &(&Method, Quantity)| !quantity.values(method).is_empty();
        let tasks: Vec<_> = Quantity::ALL
            .into_iter()
            .flat_map(of)
            .filter(has_values)
            .collect();
        let done = on_all_cores(tasks.len(), &|place| {
            let (method, quantity) = tasks[place];
            let rungs = climb(quantity.values(method), |value| {
                attempt(method, quantity, value, folder, report)
            });
            (method.name, Ladder { quantity, rungs })
        });
        let row = |method: &&'static Method| Row {
            method,
            ladders: of_method(method, &done),
        };
        Held(self.methods.iter().map(row).collect())
    }
}

impl Held {
    /// A row of figures for each method.
    pub fn measured(&self) -> Vec<Measured> {
        self.0.iter().map(Row::measured).collect()
    }

    /// The table for people.
    pub fn printed(&self) -> String {
        table::printed(&self.0)
    }

    /// The table as a section of a page.
    pub fn html(&self) -> String {
        table::html(&self.0)
    }

    /// The table for programs, a row a case.
    pub fn csv(&self) -> String {
        table::csv(&self.0)
    }
}

/// The ladders of a method, in the order of [`Quantity::ALL`].
fn of_method(method: &Method, done: &[(&str, Ladder)]) -> Vec<Ladder> {
    let own = done.iter().filter(|(name, _)| *name == method.name);
    own.map(|(_, ladder)| ladder.clone()).collect()
}

fn attempt(
    method: &Method,
    quantity: Quantity,
    value: f64,
    folder: &Path,
    report: &(dyn Fn(&str) + Sync),
) -> (Verdict, Trial) {
    let case = quantity.case(method, value);
    let name = quantity.name(method);
    let file = format!("{} {name} {}.toml", method.name, number(value));
    let path = folder.join(file.replace(' ', "-").replace('\'', ""));
    let (verdict, trial) = match write_bytes(&path, case.text.as_bytes()) {
        Ok(()) => run(&case, &path),
        Err(error) => (Verdict::Failed(error.to_string()), Trial::default()),
    };
    let said = match &verdict {
        Verdict::Held => "holds",
        Verdict::Failed(why) => why,
        Verdict::TooExpensive(_) => "too expensive",
    };
    let (value, seconds) = (
        with_unit(value, quantity.unit(method)),
        duration(trial.seconds),
    );
    report(&format!(
        "{}, {name} {value}: {said} ({seconds})",
        method.name
    ));
    (verdict, trial)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_choose_among_methods() {
        let named = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|word| (*word).into()).collect();
            Holds::of(&words).map(|holds| holds.methods.len())
        };
        assert_eq!(named(&[]), Some(METHODS.len()));
        assert_eq!(named(&["XPBI", "rigid"]), Some(4));
        assert_eq!(named(&["rigid", "clay"]), None);
    }
}
