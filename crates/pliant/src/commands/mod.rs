//! The sub-commands, a file each, thin over the library.
//!
//! Exit status: 0 done; 1 the run failed, a number is not as expected or compared runs differ; 2 the scene or the
//! arguments are wrong; 130 the run was interrupted.

mod arguments;
mod bench;
mod check;
mod compare;
mod export;
mod failure;
mod fingerprint;
mod frame_progress;
mod gallery;
mod interrupt;
mod list;
mod live;
mod mesh;
mod new;
mod print;
mod progress;
mod render;
mod replay;
mod run;
mod schema;
mod serve;
mod shell;
mod sweep;
mod test;
mod validate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub(crate) use failure::Failure;

/// Simulates things that bend, flow, tear and stay bent.
#[derive(Parser)]
#[command(
    version,
    about,
    max_term_width = 100,
    after_help = "Exit status: 0 done; 1 the run failed, a number is not as expected, or \
                  compared runs differ; 2 the scene or the arguments are wrong; 130 interrupted."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scene: particles, tables, pictures, a film and a report
    Run(run::RunArguments),
    /// Validate a scene and estimate the cost of running it
    Check(check::CheckArguments),
    /// Run a scene in a window: drag it, change it, look at it from all sides
    Live(live::LiveArguments),
    /// Look at a run in a window, or at two, of a folder or an address: scrub through frames, follow particles
    View(live::LiveArguments),
    /// Show runs, and the page of the engine, in a browser on this machine
    Serve(serve::ServeArguments),
    /// Run a scene and do to it again what was done in a window: to the same bits, with pictures and a film
    Replay(replay::ReplayArguments),
    /// List the scenes that come with the program
    List(list::ListArguments),
    /// Write a scene to start from
    New(new::NewArguments),
    /// Run scenes and check their expectations
    Test(test::TestArguments),
    /// Render the pictures and the film of a run again
    Render(render::RenderArguments),
    /// Write the frames of a run in other formats: BGEO, USD, PLY, NPZ, VTK
    Export(export::ExportArguments),
    /// Make surfaces of water, sand, snow and goo from the particles of a run
    Mesh(mesh::MeshArguments),
    /// Run a scene for each combination of values and plot the results on one page
    Sweep(sweep::SweepArguments),
    /// Run many scenes and show them on one page
    Gallery(gallery::GalleryArguments),
    /// Compare two runs down to the particle
    Compare(compare::CompareArguments),
    /// Hash what the first substeps of scenes lead to, to tell whether results are the same bits
    Fingerprint(fingerprint::FingerprintArguments),
    /// Time substeps and scenes on this machine
    Bench(bench::BenchArguments),
    /// Measure the claims about the physics: a table and a page of plots
    Validate(validate::ValidateArguments),
    /// Print the JSON Schema of scene files
    Schema(schema::SchemaArguments),
}

impl Arguments {
    /// Executes the command.
    pub(crate) fn execute(self) -> ExitCode {
        let done = match self.command {
            Command::Run(arguments) => run::execute(&arguments),
            Command::Check(arguments) => check::execute(&arguments),
            Command::Live(arguments) => live::execute("live", &arguments),
            Command::View(arguments) => live::execute("view", &arguments),
            Command::Serve(arguments) => serve::execute(&arguments),
            Command::Replay(arguments) => replay::execute(&arguments),
            Command::List(arguments) => list::execute(&arguments),
            Command::New(arguments) => new::execute(&arguments),
            Command::Test(arguments) => test::execute(&arguments),
            Command::Render(arguments) => render::execute(&arguments),
            Command::Export(arguments) => export::execute(&arguments),
            Command::Mesh(arguments) => mesh::execute(&arguments),
            Command::Sweep(arguments) => sweep::execute(&arguments),
            Command::Gallery(arguments) => gallery::execute(&arguments),
            Command::Compare(arguments) => compare::execute(&arguments),
            Command::Fingerprint(arguments) => fingerprint::execute(&arguments),
            Command::Bench(arguments) => bench::execute(&arguments),
            Command::Validate(arguments) => validate::execute(&arguments),
            Command::Schema(arguments) => schema::execute(&arguments),
        };
        match (done, print::output_error()) {
            (Ok(()), None) => ExitCode::SUCCESS,
            (Ok(()), Some(why)) => {
                Failure::failed(format!("could not write to the standard output: {why}")).report()
            }
            (Err(failure), _) => failure.report(),
        }
    }
}
