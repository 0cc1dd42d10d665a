//! `index.html`: the pictures of many runs on one page, each with its numbers and a link to its report.
//!
//! The page names files beside it by relative paths, so that the folder can be moved or put on a server.

use std::path::Path;

use pliant_scene::Scene;

use crate::expectation::Verdict;
use crate::page::{self, escaped, heading};
use crate::report::poster_file;
use crate::run::{Manifest, OutputFolder, RunColumns, RunError};
use crate::text::{duration, grouped, number};

/// A run in a gallery, or a scene that could not be run.
#[derive(Clone, Debug)]
pub struct Card {
    /// Folder of the run in that of the gallery: `hourglass`.
    pub name: String,
    /// Title of the scene.
    pub title: String,
    /// Where the scene comes from.
    pub source: String,
    /// What it came to.
    pub result: Result<Shown, String>,
}

/// What a run shows.
#[derive(Clone, Debug)]
pub struct Shown {
    /// A picture, relative to the folder of the run.
    picture: Option<String>,
    film: Option<String>,
    particles: usize,
    simulated: f64,
    /// Wall time of the simulation [s].
    wall: f64,
    substeps: u64,
    verdicts: Vec<Verdict>,
}

impl Shown {
    /// Reads it from the folder of a run.
    ///
    /// # Errors
    /// If a file of the run cannot be read.
    pub fn read(folder: &OutputFolder, scene: &Scene) -> Result<Self, RunError> {
        let manifest = Manifest::read(&folder.manifest())?;
        let columns = RunColumns::read(folder)?;
        let picture = poster_file(folder)?;
        let relative = |path: &Path| {
            let path = path.strip_prefix(folder.root()).unwrap_or(path);
            path.to_string_lossy().replace('\\', "/")
        };
        let expectations = scene.expectations().into_iter();
        Ok(Self {
            picture: picture.as_deref().map(relative),
            film: manifest.film.clone(),
            particles: manifest.particles,
            simulated: manifest.simulated_time,
            wall: manifest.timings.simulation,
            substeps: manifest.timings.substeps,
            verdicts: expectations.map(|e| Verdict::of(e, &columns)).collect(),
        })
    }

    /// Numbers that are as expected, and all that are expected.
    pub fn tally(&self) -> (usize, usize) {
        let passed = self.verdicts.iter().filter(|verdict| verdict.passes());
        (passed.count(), self.verdicts.len())
    }
}

/// The page.
pub fn page(cards: &[Card]) -> String {
    let shown: Vec<&Shown> = cards
        .iter()
        .filter_map(|c| c.result.as_ref().ok())
        .collect();
    let tallies = shown.iter().map(|shown| shown.tally());
    let (passed, expected) = tallies.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
    let below = format!(
        "{} scenes; {passed} of {expected} expected numbers as expected",
        cards.len()
    );
    let figures: String = cards.iter().map(figure).collect();
    let body = format!(
        "{}<section>\n<div class=\"runs\">\n{figures}</div>\n</section>\n<section>\n<h2>Numbers</h2>\n{}</section>\n",
        heading("Gallery", &below),
        table(cards)
    );
    page::page("Gallery", &body)
}

fn figure(card: &Card) -> String {
    let (name, title) = (escaped(&card.name), escaped(&card.title));
    let shown = match &card.result {
        Err(reason) => {
            let reason = escaped(reason).replace('\n', "<br>");
            format!("<p class=\"lost\">failed: {reason}</p>\n")
        }
        Ok(shown) => {
            let film = shown.film.iter().map(|film| {
                let film = escaped(film);
                format!(" · <a href=\"{name}/{film}\">film</a>")
            });
            let film: String = film.collect();
            let picture = shown.picture.iter().map(|picture| {
                let picture = escaped(picture);
                format!(
                    "<a href=\"{name}/report.html\"><img loading=\"lazy\" alt=\"{title}\" src=\"{name}/{picture}\"></a>\n"
                )
            });
            let picture: String = picture.collect();
            format!(
                "{picture}<p class=\"source\">{} particles, {} s · <a href=\"{name}/report.html\">report</a>{film}</p>\n",
                grouped(shown.particles as u64),
                number(shown.simulated)
            )
        }
    };
    format!("<figure>\n<figcaption>{title}</figcaption>\n{shown}</figure>\n")
}

fn table(cards: &[Card]) -> String {
    let header = [
        "scene",
        "source",
        "particles",
        "simulated",
        "simulating",
        "substeps",
        "as expected",
    ];
    let mut rows = vec![header.map(String::from).to_vec()];
    for card in cards {
        let mut row = vec![escaped(&card.title), escaped(&card.source)];
        match &card.result {
            Ok(shown) => {
                let (passed, expected) = shown.tally();
                row.extend([
                    grouped(shown.particles as u64),
                    format!("{} s", number(shown.simulated)),
                    duration(shown.wall),
                    grouped(shown.substeps),
                    match expected {
                        0 => "–".into(),
                        _ => format!(
                            "{passed} of {expected} {}",
                            page::verdict(passed == expected)
                        ),
                    },
                ]);
            }
            Err(_) => row.resize(header.len(), "–".into()),
        }
        rows.push(row);
    }
    page::table(&rows, &[2, 3, 4, 5])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scene_that_failed_is_shown_with_its_reason() {
        let card = Card {
            name: "broken".into(),
            title: "A <broken> scene".into(),
            source: String::new(),
            result: Err("no body".into()),
        };
        let page = page(&[card]);
        assert!(page.contains("A &lt;broken&gt; scene") && page.contains("no body"));
    }
}
