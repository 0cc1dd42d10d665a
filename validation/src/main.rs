//! Prints every claim: measured, what it must be, pass or fall short, and the seconds it took.
//!
//! Words on the command line choose the claims whose sentences contain one of them.

use std::process::ExitCode;
use std::time::Instant;

use pliant_validation::{CLAIMS, Claim, Short};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_chosen =
        |claim: &&Claim| words.is_empty() || words.iter().any(|w| claim.sentence.contains(w));
    let short: usize = CLAIMS.iter().filter(is_chosen).map(print).sum();
    if short == 0 {
        println!("\nevery number is what it must be");
        ExitCode::SUCCESS
    } else {
        println!("\n{short} fall short");
        ExitCode::FAILURE
    }
}

/// Measures and prints a claim; returns how many of its numbers fall short.
fn print(claim: &Claim) -> usize {
    let start = Instant::now();
    let outcome = (claim.measure)();
    println!(
        "\n{} ({:.1} s)",
        claim.sentence,
        start.elapsed().as_secs_f64()
    );
    let figures = match outcome {
        Ok(figures) => figures,
        Err(error) => {
            println!("  {error}");
            return 1;
        }
    };
    for figure in &figures {
        let verdict = if figure.holds() {
            "pass"
        } else {
            "FALLS SHORT"
        };
        let measured = Short(figure.measured).to_string();
        let must_be = figure.must_be.to_string();
        println!(
            "  {:<74} {measured:>10}   {must_be:<18} {verdict}",
            figure.what
        );
    }
    figures.iter().filter(|f| !f.holds()).count()
}
