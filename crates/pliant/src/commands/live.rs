//! `pliant live` and `pliant view`: hands over to the window, which is a program of its own.

use std::env;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::Command;

use clap::Args;

use super::Failure;

/// The program with the window.
const PROGRAM: &str = "pliant-live";
/// What brings it.
const INSTALL: &str =
    "in a clone of Pliant, `cargo install --path crates/pliant-viewer` installs it";

#[derive(Args)]
#[command(disable_help_flag = true)]
pub(crate) struct LiveArguments {
    /// What the window is given: `pliant live --help` tells more
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARGUMENT"
    )]
    arguments: Vec<OsString>,
}

/// Runs the window as `pliant-live COMMAND ARGUMENTS` until it is closed.
pub(crate) fn execute(command: &str, arguments: &LiveArguments) -> Result<(), Failure> {
    let mut window = Command::new(program());
    let status = window.arg(command).args(&arguments.arguments).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::of_program(status.code())),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(Failure::failed(format!(
            "the window is a program of its own, `{PROGRAM}`, which is neither beside `pliant` nor in PATH"
        ))
        .with_advice(INSTALL)),
        Err(error) => Err(Failure::failed(format!("cannot start `{PROGRAM}`: {error}"))),
    }
}

/// The program beside this one if it is there; otherwise the one that PATH leads to.
fn program() -> PathBuf {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let beside = env::current_exe().map(|own| own.with_file_name(&name));
    match beside {
        Ok(beside) if beside.is_file() => beside,
        _ => PathBuf::from(name),
    }
}
