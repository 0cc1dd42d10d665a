//! `validate.csv`: a row a number.

use std::fmt::Write;

use super::Measured;

/// The table: claim, number, what it must be, whether it is, seconds of the claim.
pub fn csv(measured: &[Measured]) -> String {
    let mut text = "claim,what,measured,must_be,verdict,seconds\n".to_owned();
    for claim in measured {
        let sentence = quoted(&claim.sentence);
        // Writing to a string cannot fail.
        match &claim.outcome {
            Ok(figures) => {
                for figure in figures {
                    let verdict = if figure.holds() {
                        "pass"
                    } else {
                        "falls short"
                    };
                    let _ = writeln!(
                        text,
                        "{sentence},{},{:?},{},{verdict},{:.1}",
                        quoted(&figure.what),
                        figure.measured,
                        quoted(&figure.must_be.to_string()),
                        claim.seconds
                    );
                }
            }
            Err(why) => {
                let _ = writeln!(
                    text,
                    "{sentence},{},,,falls short,{:.1}",
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
