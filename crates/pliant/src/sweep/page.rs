//! `sweep.html`: the runs side by side on one page.

use super::combinations::Sweep;
use super::outcome::{Ending, Outcome};
use super::plots::{over_key, over_time};
use crate::expectation::Verdict;
use crate::page::{self, Chart, MOST_SERIES, data, escaped, grid, heading};
use crate::text::{duration, number};

/// The page: a picture of each run, a table, plots.
pub fn page(sweep: &Sweep, outcomes: &[Outcome]) -> String {
    let scene = sweep.scene().display().to_string();
    let keys: Vec<&str> = sweep
        .varied()
        .iter()
        .map(|vary| vary.key.as_str())
        .collect();
    let below = format!(
        "{} runs of {scene} over {}",
        outcomes.len(),
        keys.join(", ")
    );
    let [probes, statistics] = over_key(sweep, outcomes);
    let figures = |charts: &[Chart]| charts.iter().map(Chart::figure).collect::<String>();
    let over_time = over_time(sweep, outcomes);
    let with_time = match outcomes.len() > MOST_SERIES {
        true => format!("Over time, the first {MOST_SERIES} runs"),
        false => "Over time".into(),
    };
    let body = [
        heading("Sweep", &below),
        pictures(sweep, outcomes),
        table(sweep, outcomes),
        grid("At the end of each run", &figures(&probes)),
        grid(&with_time, &figures(&over_time)),
        grid("Statistics at the end of each run", &figures(&statistics)),
    ];
    page::page(&format!("Sweep of {scene}"), &body.concat())
}

fn pictures(sweep: &Sweep, outcomes: &[Outcome]) -> String {
    let figure = |outcome: &Outcome| {
        let title = escaped(&sweep.title(&outcome.combination));
        let shown = match (&outcome.picture, &outcome.ending) {
            (_, Ending::Failed(reason)) => format!(
                "<p class=\"lost\">failed: {}</p>\n",
                escaped(reason).replace('\n', "<br>")
            ),
            (None, _) => format!("<p class=\"lost\">{}</p>\n", outcome.status()),
            (Some(_), _) => String::new(),
        };
        let picture = outcome.picture.as_ref().map_or(String::new(), |png| {
            format!("<img alt=\"{title}\" src=\"{}\">\n", data("image/png", png))
        });
        format!("<figure>\n<figcaption>{title}</figcaption>\n{picture}{shown}</figure>\n")
    };
    let figures: String = outcomes.iter().map(figure).collect();
    format!("<section>\n<h2>Last frames</h2>\n<div class=\"runs\">\n{figures}</div>\n</section>\n")
}

fn table(sweep: &Sweep, outcomes: &[Outcome]) -> String {
    let with_most = outcomes.iter().map(|o| &o.verdicts).max_by_key(|v| v.len());
    let expected: &[Verdict] = with_most.map_or(&[], Vec::as_slice);
    let mut header: Vec<String> = sweep.labels().iter().map(|label| escaped(label)).collect();
    header.extend(["status", "time", "particles"].map(String::from));
    header.extend(expected.iter().map(|verdict| {
        let column = escaped(&verdict.expectation.column);
        format!("<code>{column}</code> {}", escaped(&verdict.moment_text()))
    }));
    let mut rows = vec![header];
    for outcome in outcomes {
        let mut row: Vec<String> = outcome
            .combination
            .values
            .iter()
            .map(|v| escaped(v))
            .collect();
        row.extend([
            outcome.status().to_owned(),
            duration(outcome.wall),
            outcome.particles.to_string(),
        ]);
        row.extend(outcome.verdicts.iter().map(verdict_cell));
        rows.push(row);
    }
    format!(
        "<section>\n<h2>Runs</h2>\n{}</section>\n",
        page::table(&rows, &[])
    )
}

fn verdict_cell(verdict: &Verdict) -> String {
    let value = match &verdict.found {
        Ok(value) => number(*value),
        Err(why) => why.to_string(),
    };
    format!("{} {}", escaped(&value), page::verdict(verdict.passes()))
}
