//! `validate.csv`: a row a number.

use pliant_io::csv_text;

use super::Measured;

/// The table: claim, number, what is expected, verdict, seconds of the claim.
pub fn csv(measured: &[Measured]) -> String {
    let header = [
        "claim", "what", "measured", "expected", "verdict", "seconds",
    ];
    let mut rows = vec![header.map(String::from)];
    for claim in measured {
        let row = |what: String, measured: String, expected: String, holds: bool| {
            let verdict = if holds { "pass" } else { "fail" };
            let (claim, seconds) = (claim.statement.clone(), format!("{:.1}", claim.seconds));
            [claim, what, measured, expected, verdict.into(), seconds]
        };
        match &claim.outcome {
            Ok(figures) => rows.extend(figures.iter().map(|figure| {
                let measured = format!("{:?}", figure.measured);
                let expected = figure.expected.to_string();
                row(figure.what.clone(), measured, expected, figure.holds())
            })),
            Err(why) => {
                let what = format!("not measured: {why}");
                rows.push(row(what, String::new(), String::new(), false));
            }
        }
    }
    csv_text(rows)
}
