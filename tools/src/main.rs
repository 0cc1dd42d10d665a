//! The checks of this repository, and the command that runs all of its tests.

use std::path::Path;
use std::process::ExitCode;

use pliant_tools::{
    ToolError, Violation, Workspace, docs, golden, layers, manifests, sizes, test_run,
};

const USAGE: &str = "\
usage: pliant-tools COMMAND

  layers         crates and rooms depend in one direction only
  sizes          the table of our code's sizes, and what exceeds the budget
  docs           documents name what exists; nothing private is in the repository
  manifests      crates are ready to be published, or say that they are not
  check          all four
  snippets DIR   writes the scenes that pages show to DIR, a file each
  test           runs every test of the workspace: in single precision, then the rooms of numbers
                 in double
  test window    runs the tests of the window
  golden         compares the bits that every bundled scene leads to with .ci/golden.txt;
                 --accept writes it anew, --program PATH asks a pliant that is built already, other
                 arguments go to `pliant fingerprint`
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Runs a command; true if it found nothing wrong.
fn run(arguments: &[&str]) -> Result<bool, ToolError> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let workspace = Workspace::open(Path::new(root))?;
    match arguments {
        ["layers"] => Ok(report("layers", &layers::check(&workspace)?)),
        ["sizes"] => check_sizes(&workspace),
        ["docs"] => Ok(report("docs", &docs::check(&workspace)?)),
        ["manifests"] => Ok(report("manifests", &manifests::check(&workspace)?)),
        ["check"] => {
            let layers = report("layers", &layers::check(&workspace)?);
            let sizes = check_sizes(&workspace)?;
            let docs = report("docs", &docs::check(&workspace)?);
            let manifests = report("manifests", &manifests::check(&workspace)?);
            Ok(layers && sizes && docs && manifests)
        }
        ["snippets", folder] => {
            let count = docs::write_snippets(&workspace, Path::new(folder))?;
            println!("{count} scenes of the pages written to {folder}");
            Ok(true)
        }
        ["test"] => test_run::run_all(&workspace),
        ["test", "window"] => test_run::run_window(&workspace),
        ["golden", arguments @ ..] => golden::run(&workspace, arguments),
        _ => Err(ToolError::new(USAGE)),
    }
}

fn check_sizes(workspace: &Workspace) -> Result<bool, ToolError> {
    let sizes = sizes::measure(workspace)?;
    print!("{}", sizes::table(&sizes));
    Ok(report("sizes", &sizes::violations(&sizes)))
}

fn report(check: &str, violations: &[Violation]) -> bool {
    for violation in violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => println!("{check}: nothing to report"),
        count => println!("{check}: {count} to put right"),
    }
    violations.is_empty()
}
