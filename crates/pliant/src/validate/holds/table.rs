//! The limits of methods, printed and as `holds.csv`.

use pliant_io::csv_text;

use super::ladder::{Rung, Verdict};
use super::quantity::Quantity;
use super::row::{Ladder, Row};
use super::trial::Trial;
use crate::page::{self, escaped};
use crate::text::{number, table};

const HEADER: [&str; 7] = [
    "method",
    "load / body mass",
    "stiffness",
    "Poisson's ratio",
    "speed",
    "substeps a second",
    "frames repeated",
];

/// Columns whose numbers stand below each other.
const TO_THE_RIGHT: [usize; 2] = [5, 6];

/// The table, and below it why ladders ended before their last value.
pub fn printed(rows: &[Row]) -> String {
    let mut text = table(&cells(rows), &TO_THE_RIGHT);
    let notes: Vec<String> = rows.iter().flat_map(notes).collect();
    if !notes.is_empty() {
        text += &format!("\n{}\n", notes.join("\n"));
    }
    text
}

/// The same as a section of a page.
pub fn html(rows: &[Row]) -> String {
    let escape = |line: Vec<String>| line.iter().map(|cell| escaped(cell)).collect();
    let cells: Vec<Vec<String>> = cells(rows).into_iter().map(escape).collect();
    let note = |note: String| format!("<li>{}</li>\n", escaped(&note));
    let notes: String = rows.iter().flat_map(notes).map(note).collect();
    format!(
        "<section>\n<h2>Limits of the default settings</h2>\n{}<ul>\n{notes}</ul>\n</section>\n",
        page::table(&cells, &TO_THE_RIGHT)
    )
}

fn cells(rows: &[Row]) -> Vec<Vec<String>> {
    let header = HEADER.map(String::from).to_vec();
    let lines = rows.iter().map(|row| line(row).to_vec());
    std::iter::once(header).chain(lines).collect()
}

fn line(row: &Row) -> [String; 7] {
    let unit = row.method.stiffness_unit;
    let speed = row.held(&[Quantity::Speed]);
    let poissons_ratio = row.held(&[Quantity::PoissonsRatio]);
    let has = |quantity: Quantity| !quantity.values(row.method).is_empty();
    [
        row.method.name.to_owned(),
        range(row.held(&[Quantity::Lighter, Quantity::Heavier]), ""),
        match has(Quantity::Stiffer) {
            true => range(row.held(&[Quantity::Softer, Quantity::Stiffer]), unit),
            false => "-".into(),
        },
        match has(Quantity::PoissonsRatio) {
            true => up_to(poissons_ratio, ""),
            false => "-".into(),
        },
        up_to(speed, "m/s"),
        number(row.substeps()),
        row.redone().to_string(),
    ]
}

fn range(held: Option<[f64; 2]>, unit: &str) -> String {
    held.map_or("none".into(), |[least, greatest]| {
        format!("{} to {}", number(least), with_unit(greatest, unit))
    })
}

fn up_to(held: Option<[f64; 2]>, unit: &str) -> String {
    held.map_or("none".into(), |[_, greatest]| with_unit(greatest, unit))
}

/// A value as it is printed.
pub fn with_unit(value: f64, unit: &str) -> String {
    format!("{} {unit}", number(value)).trim_end().to_owned()
}

/// Why ladders of a row ended before their last value, and where weights could not be told.
fn notes(row: &Row) -> Vec<String> {
    let mut notes = Vec::new();
    for ladder in &row.ladders {
        let name = ladder.quantity.name(row.method);
        let unit = ladder.quantity.unit(row.method);
        let Some(last) = ladder.rungs.last() else {
            continue;
        };
        let at = format!(
            "{}, {name} {}",
            row.method.name,
            with_unit(last.value, unit)
        );
        match &last.verdict {
            Verdict::Held => (),
            Verdict::Failed(why) => notes.push(format!("{at}: {why}")),
            Verdict::TooExpensive(work) => {
                notes.push(format!("{at}: not tried, too expensive: {work}"))
            }
        }
    }
    let unsettled = row.ladders.iter().map(unsettled).sum::<usize>();
    if unsettled > 0 {
        notes.push(format!(
            "{}: {unsettled} loads or bodies still moved at the end, so their weight is not checked",
            row.method.name
        ));
    }
    notes
}

/// Cases at rest that hold and whose weight could not be told.
fn unsettled(ladder: &Ladder) -> usize {
    if ladder.quantity == Quantity::Speed {
        return 0;
    }
    let held = ladder.rungs.iter().filter(|r| r.verdict == Verdict::Held);
    let has_weights = |trial: &Trial| trial.on_load.is_some() && trial.on_supports.is_some();
    held.filter(|rung| !has_weights(&rung.measured)).count()
}

/// Columns of `holds.csv`.
const COLUMNS: &str = "method,quantity,unit,value,verdict,why,substeps_per_second,particles,\
                       frames_done_again,energy_rise,load_weight,all_weight,seconds";

/// `holds.csv`: a row a case.
pub fn csv(rows: &[Row]) -> String {
    let mut lines: Vec<Vec<String>> = vec![COLUMNS.split(',').map(String::from).collect()];
    for row in rows {
        for ladder in &row.ladders {
            lines.extend(ladder.rungs.iter().map(|rung| cells_of(row, ladder, rung)));
        }
    }
    csv_text(lines)
}

fn cells_of(row: &Row, ladder: &Ladder, rung: &Rung<Trial>) -> Vec<String> {
    let (verdict, why) = match &rung.verdict {
        Verdict::Held => ("held", ""),
        Verdict::Failed(why) => ("failed", why.as_str()),
        Verdict::TooExpensive(work) => ("too expensive", work.as_str()),
    };
    let trial = &rung.measured;
    let share = |share: Option<f64>| share.map_or(String::new(), |s| format!("{s:.6}"));
    vec![
        row.method.name.to_owned(),
        ladder.quantity.name(row.method).to_owned(),
        ladder.quantity.unit(row.method).to_owned(),
        format!("{:?}", rung.value),
        verdict.to_owned(),
        why.replace('\n', " "),
        trial.substeps.to_string(),
        trial.particles.to_string(),
        trial.redone.to_string(),
        format!("{:.3e}", trial.risen),
        share(trial.on_load),
        share(trial.on_supports),
        format!("{:.1}", trial.seconds),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::methods::METHODS;
    use super::*;

    fn ladder(quantity: Quantity, values: &[f64], last: Verdict) -> Ladder {
        let rung = |(place, &value): (usize, &f64)| Rung {
            value,
            verdict: match place + 1 == values.len() {
                true => last.clone(),
                false => Verdict::Held,
            },
            measured: Trial {
                on_load: Some(1.0),
                on_supports: (value < 50.0).then_some(1.0),
                ..Trial::default()
            },
        };
        Ladder {
            quantity,
            rungs: values.iter().enumerate().map(rung).collect(),
        }
    }

    fn row() -> Row {
        let failed = Verdict::Failed("energy rose by 3.0 %, a \"lot\"".into());
        let dear = Verdict::TooExpensive("40000 substeps a second".into());
        Row {
            method: &METHODS[0],
            ladders: vec![
                ladder(Quantity::Stiffer, &[1e5], failed),
                ladder(Quantity::Heavier, &[1.0, 10.0, 100.0, 1000.0], dear),
                ladder(Quantity::Speed, &[1.0, 10.0], Verdict::Held),
                ladder(Quantity::Softer, &[1e4], Verdict::Held),
            ],
        }
    }

    #[test]
    fn ranges_span_what_holds_downwards_and_upwards() {
        let row = row();
        let both = [Quantity::Softer, Quantity::Stiffer];
        assert_eq!(row.held(&both), Some([1e4, 1e4]));
        assert_eq!(
            row.held(&[Quantity::Lighter, Quantity::Heavier]),
            Some([1.0, 100.0])
        );
        assert_eq!(row.held(&[Quantity::PoissonsRatio]), None);
    }

    #[test]
    fn notes_below_the_table_say_why_ladders_ended() {
        let text = printed(&[row()]);
        for part in [
            "1 to 100 ",
            "10000 to 10000 Pa",
            "none",
            "10 m/s",
            "stiffness 100000 Pa: energy rose by 3.0 %",
            "mass ratio 1000: not tried, too expensive: 40000 substeps a second",
            "2 loads or bodies still moved",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        let page = html(&[row()]);
        assert!(
            page.contains("<td>10 m/s</td>") && page.contains("&quot;lot&quot;"),
            "{page}"
        );
        let csv = csv(&[row()]);
        assert_eq!(csv.lines().count(), 9);
        assert!(
            csv.contains("failed,\"energy rose by 3.0 %, a \"\"lot\"\"\","),
            "{csv}"
        );
    }

    #[test]
    fn limits_worse_than_documented_fail() {
        let measured = row().measured();
        let figures = measured.outcome.unwrap();
        let holds = |what: &str| {
            let mut meant = figures.iter().filter(|figure| figure.what.contains(what));
            meant.next().map(pliant_validation::Figure::holds)
        };
        assert_eq!(holds("smallest stiffness"), Some(true));
        assert_eq!(holds("greatest stiffness"), Some(false));
        assert_eq!(holds("Poisson's ratio"), Some(false));
        assert_eq!(holds("frames repeated"), Some(true));
    }
}
