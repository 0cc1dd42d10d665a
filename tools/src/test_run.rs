//! All tests of the workspace: once in single precision, once more in double where there is one.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Instant;

use crate::{Member, ToolError, Workspace};

/// The cargo feature that computes in double precision.
const DOUBLE: &str = "double";

/// The crate of which only one test program says anything about precision, and that program.
const WORLDS: (&str, &str) = ("pliant-scene", "worlds");

/// The crate that asks others' crates for all features that the workspace does.
const SHARED_FEATURES: &str = "pliant-shared-features";

/// Where proptest begins to draw, unless the environment says so: the same input in every run, so that
/// a change is never blamed for a rare case that it did not meet before. `cargo test` draws anew.
const SEED: (&str, &str) = ("PROPTEST_RNG_SEED", "1");

/// Flags for processors with AVX2: tests are compiled for this one alone, without the form of the kernels for
/// lesser ones, which is a third of what is to be compiled. `cargo golden --instructions sse2` tries that form.
#[cfg(target_arch = "x86_64")]
fn flags_of_this_processor() -> &'static [&'static str] {
    let has_all = std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("f16c")
        && std::arch::is_x86_feature_detected!("fma")
        && std::arch::is_x86_feature_detected!("lzcnt")
        && std::arch::is_x86_feature_detected!("movbe");
    match has_all {
        true => &[
            "--config",
            "target.'cfg(target_arch = \"x86_64\")'.rustflags = ['-C', 'target-cpu=x86-64-v3']",
        ],
        false => &[],
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn flags_of_this_processor() -> &'static [&'static str] {
    &[]
}

/// Names this machine as the target, as `.ci/run` does for lints and documentation: what only runs while compiling,
/// a fifth of others' crates, is compiled once for all of them by it.
fn target_of_this_machine() -> Vec<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let told = Command::new(rustc).arg("-vV").output();
    let told = told.map(|told| String::from_utf8_lossy(&told.stdout).into_owned());
    let told = told.unwrap_or_default();
    let host = told.lines().find_map(|line| line.strip_prefix("host: "));
    host.map_or_else(Vec::new, |host| vec!["--target".into(), host.into()])
}

/// What a run of `cargo test` has counted.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tally {
    programs: u64,
    passed: u64,
    failed: u64,
    /// Whether everything has been compiled and has passed.
    has_passed: bool,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            programs: 0,
            passed: 0,
            failed: 0,
            has_passed: true,
        }
    }
}

/// Runs all tests, printing what they print, and a summary; true if all have passed. Those in double precision are
/// compiled and run while those in single precision run, which leave cores idle in the ends of their programs; what
/// they print comes after the others'.
///
/// # Errors
/// If cargo cannot be started.
pub fn run_all(workspace: &Workspace) -> Result<bool, ToolError> {
    let start = Instant::now();
    // Whoever compiles locks the folder: the first line says that the tests in single precision are compiled.
    let (sender, first_line) = channel();
    let (single, double) = std::thread::scope(|scope| {
        let double = scope.spawn(move || {
            // There is none if they do not compile.
            let _ = first_line.recv();
            let (start, mut lines) = (Instant::now(), Vec::new());
            let tally = run_double(workspace, &mut |line| lines.push(line));
            (tally, lines, start.elapsed().as_secs_f64())
        });
        let single = run(workspace, &single_arguments(), &mut |line| {
            println!("{line}");
            // Nobody listens after the first.
            let _ = sender.send(());
        });
        drop(sender);
        (
            single.map(|tally| (tally, start.elapsed().as_secs_f64())),
            double.join(),
        )
    });
    let (single, single_seconds) = single?;
    let (double, lines, double_seconds) =
        double.map_err(|_| ToolError::new("the tests in double precision have panicked"))?;
    lines.iter().for_each(|line| println!("{line}"));
    let double = double?;
    println!();
    print_tally("single precision", single, single_seconds);
    print_tally("double precision", double, double_seconds);
    let passed = single.has_passed && double.has_passed;
    let said = if passed {
        "all tests passed"
    } else {
        "some tests FAILED"
    };
    println!("{said}, {:.0} s", start.elapsed().as_secs_f64());
    Ok(passed)
}

/// The tests of crates that compute in double precision.
fn run_double(workspace: &Workspace, print: &mut dyn FnMut(String)) -> Result<Tally, ToolError> {
    let mut tally = run(workspace, &double_arguments(&workspace.members), print)?;
    tally.join(run(workspace, &worlds_arguments(), print)?);
    Ok(tally)
}

/// Runs the tests of the window, compiled as [`run_all`] compiles others; true if all have passed.
///
/// # Errors
/// If cargo cannot be started.
pub fn run_window(workspace: &Workspace) -> Result<bool, ToolError> {
    let packages = ["--package", "pliant-viewer", "--package", SHARED_FEATURES];
    let all = packages.into_iter().chain(["--features", "pliant/vtkhdf"]);
    let arguments: Vec<String> = all.map(String::from).collect();
    Ok(run(workspace, &arguments, &mut |line| println!("{line}"))?.has_passed)
}

/// All of the workspace, with the formats that are built only where they are asked for, but without the extension
/// module for Python, which needs an interpreter and is tested from there, and the window, which brings a toolkit and
/// is tested by itself.
fn single_arguments() -> Vec<String> {
    let left_out = ["pliant-python", "pliant-viewer"];
    let excluded = left_out.into_iter().flat_map(|name| ["--exclude", name]);
    let all = ["--workspace", "--features", "pliant/vtkhdf"];
    let arguments = all.into_iter().chain(excluded);
    arguments.map(String::from).collect()
}

/// The command that compiles and runs tests.
fn cargo_test(workspace: &Workspace, arguments: &[String]) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let seed = std::env::var_os(SEED.0).unwrap_or_else(|| SEED.1.into());
    let mut command = Command::new(cargo);
    command
        .env(SEED.0, seed)
        .current_dir(&workspace.root)
        .args(["test", "--no-fail-fast"])
        .args(target_of_this_machine())
        .args(flags_of_this_processor())
        .args(arguments);
    command
}

fn failed(error: std::io::Error) -> ToolError {
    ToolError::new(format!("cannot run cargo test: {error}"))
}

/// Runs tests and prints the lines that they print.
fn run(
    workspace: &Workspace,
    arguments: &[String],
    print: &mut dyn FnMut(String),
) -> Result<Tally, ToolError> {
    let mut command = cargo_test(workspace, arguments);
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(failed)?;
    let mut tally = Tally::default();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines() {
            let line = line.map_err(failed)?;
            tally.add(&line);
            print(line);
        }
    }
    tally.has_passed = child.wait().map_err(failed)?.success();
    Ok(tally)
}

/// The crates that can compute in double precision and are tested whole, and the one with which others'
/// crates are as the tests in single precision have compiled them.
fn double_arguments(members: &[Member]) -> Vec<String> {
    let mut arguments = vec!["--features".to_owned(), DOUBLE.to_owned()];
    let is_wanted = |m: &&Member| {
        m.name == SHARED_FEATURES || m.name != WORLDS.0 && m.features.iter().any(|f| f == DOUBLE)
    };
    for member in members.iter().filter(is_wanted) {
        arguments.extend(["--package".to_owned(), member.name.clone()]);
    }
    arguments
}

/// Worlds built from scenes, in double precision.
fn worlds_arguments() -> Vec<String> {
    let (package, program) = WORLDS;
    let all = [
        "--features",
        DOUBLE,
        "--package",
        package,
        "--package",
        SHARED_FEATURES,
        "--test",
        program,
    ];
    all.map(str::to_owned).to_vec()
}

impl Tally {
    fn join(&mut self, other: Self) {
        self.programs += other.programs;
        self.passed += other.passed;
        self.failed += other.failed;
        self.has_passed &= other.has_passed;
    }

    /// Reads a line of the form `test result: ok. 3 passed; 0 failed; ...`.
    fn add(&mut self, line: &str) {
        let Some(result) = line.strip_prefix("test result: ") else {
            return;
        };
        let number_before = |word: &str| -> u64 {
            let words: Vec<&str> = result.split([' ', ';', '.']).collect();
            let at = words.iter().position(|w| *w == word).unwrap_or(0);
            words[..at].last().and_then(|w| w.parse().ok()).unwrap_or(0)
        };
        self.programs += 1;
        self.passed += number_before("passed");
        self.failed += number_before("failed");
    }
}

fn print_tally(name: &str, tally: Tally, seconds: f64) {
    println!(
        "{name}: {} passed, {} failed in {} test programs, {seconds:.0} s",
        tally.passed, tally.failed, tally.programs
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_added_up() {
        let mut tally = Tally::default();
        for line in [
            "running 3 tests",
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 10 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 1.0s",
        ] {
            tally.add(line);
        }
        let expected = Tally {
            programs: 2,
            passed: 13,
            failed: 2,
            has_passed: true,
        };
        assert_eq!(tally, expected);
    }

    #[test]
    fn double_precision_is_asked_of_crates_that_have_it() {
        let member = |name: &str, features: &[&str]| Member {
            name: name.into(),
            folder: name.into(),
            dependencies: Vec::new(),
            features: features.iter().map(|f| f.to_string()).collect(),
        };
        let members = [
            member("a", &["double"]),
            member("b", &[]),
            member("pliant-scene", &["double"]),
            member("pliant-shared-features", &[]),
        ];
        let expected = ["--features", "double", "--package", "a", "--package"];
        let arguments = double_arguments(&members);
        assert_eq!(arguments[..5], expected);
        assert_eq!(arguments[5..], ["pliant-shared-features"]);
    }
}
