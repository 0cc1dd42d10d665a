//! The command `pliant`.

mod commands;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    commands::Arguments::parse().execute()
}
