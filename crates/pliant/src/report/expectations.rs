//! What the scene expects, and what the run showed.

use pliant_scene::Scene;

use crate::expectation::Verdict;
use crate::page::{escaped, verdict as verdict_cell};
use crate::run::RunColumns;

/// A table with a row an expectation; empty if there is none.
pub fn section(scene: &Scene, columns: &RunColumns) -> String {
    let verdicts = scene
        .expectations()
        .into_iter()
        .map(|e| Verdict::of(e, columns));
    let rows: String = verdicts.map(|verdict| row(&verdict)).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!(
        "<section>\n<h2>Expectations</h2>\n<div class=\"wide\"><table>\n<tr><th></th><th>column</th><th>taken</th>\
         <th class=\"number\">found</th><th>expected</th><th>source</th></tr>\n{rows}</table></div>\n</section>\n"
    )
}

fn row(verdict: &Verdict) -> String {
    let expectation = &verdict.expectation;
    let found = match &verdict.found {
        Ok(value) => crate::text::number(*value),
        Err(why) => why.to_string(),
    };
    let [low, high] = [expectation.low, expectation.high].map(crate::text::number);
    format!(
        "<tr><td>{}</td><td><code>{}</code></td><td>{}</td>\
         <td class=\"number\">{}</td><td>{low} to {high}</td><td>{}</td></tr>\n",
        verdict_cell(verdict.passes()),
        escaped(&expectation.column),
        escaped(&verdict.moment_text()),
        escaped(&found),
        escaped(expectation.source.as_deref().unwrap_or(""))
    )
}
