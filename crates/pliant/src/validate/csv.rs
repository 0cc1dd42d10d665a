//! `validate.csv`: a row a number.

use std::fmt::Write;

use super::Measured;

/// The table: claim, number, what is expected, verdict, seconds of the claim.
pub fn csv(measured: &[Measured]) -> String {
    let mut text = "claim,what,measured,expected,verdict,seconds\n".to_owned();
    for claim in measured {
        let statement = quoted(&claim.statement);
        // Writing to a string cannot fail.
        match &claim.outcome {
            Ok(figures) => {
                for figure in figures {
                    let verdict = if figure.holds() { "pass" } else { "fail" };
                    let _ = writeln!(
                        text,
                        "{statement},{},{:?},{},{verdict},{:.1}",
                        quoted(&figure.what),
                        figure.measured,
                        quoted(&figure.expected.to_string()),
                        claim.seconds
                    );
                }
            }
            Err(why) => {
                let _ = writeln!(
                    text,
                    "{statement},{},,,fail,{:.1}",
                    quoted(&format!("not measured: {why}")),
                    claim.seconds
                );
            }
        }
    }
    text
}

/// A text as a cell.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
