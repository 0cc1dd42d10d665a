//! `pliant fingerprint`.

use std::path::{Path, PathBuf};

use clap::Args;
use pliant::bench::Processor;
use pliant::fingerprint::Fingerprint;
use pliant::jobs::{Job, Jobs};
use pliant_math::simd::Instructions;

use super::Failure;
use super::arguments::{SceneArguments, instructions, prepare, scene_files};
use super::print::print_line;

#[derive(Args)]
pub(crate) struct FingerprintArguments {
    /// Scene files; a folder means all scenes in it and below
    #[arg(required = true)]
    scenes: Vec<PathBuf>,
    #[command(flatten)]
    scene_arguments: SceneArguments,
    /// Substeps [default: 4 to 400, what takes about half a second]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    substeps: Option<u32>,
    /// Threads of the simulation [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Scenes at the same time; they share the threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    jobs: u16,
    /// Vector instructions [default: the best that this processor has]
    #[arg(long, value_name = "NAME", value_parser = instructions)]
    instructions: Option<Instructions>,
}

pub(crate) fn execute(arguments: &FingerprintArguments) -> Result<(), Failure> {
    let mut failed = 0;
    let scenes = scene_files(&arguments.scenes)?;
    let jobs = usize::from(arguments.jobs);
    let jobs = Jobs::new(jobs, scenes.len(), arguments.threads.map_or(0, usize::from));
    let work = |job: Job, scene: &PathBuf| arguments.fingerprint(scene, job.threads);
    jobs.run(&scenes, &|| false, work, |place, found| match found {
        Ok(found) => print_line(format_args!(
            "{}  {:3}  {:016x}  {:016x}",
            scenes[place].display(),
            found.substeps,
            found.hash.motion,
            found.hash.state
        )),
        Err(failure) => {
            failure.report();
            failed += 1;
        }
    });
    match failed {
        0 => Ok(()),
        count => Err(Failure::failed(format!(
            "{count} scenes have no fingerprint"
        ))),
    }
}

impl FingerprintArguments {
    fn fingerprint(&self, scene: &Path, threads: usize) -> Result<Fingerprint, Failure> {
        let prepared = prepare(scene, &self.scene_arguments.overrides(), threads, true)?;
        let processor = Processor {
            threads,
            instructions: self.instructions.unwrap_or(Instructions::best()),
        };
        let substeps = self.substeps.map(|count| count as usize);
        Fingerprint::of(prepared, processor, substeps)
            .map_err(|error| Failure::failed(format!("{}: {error}", scene.display())))
    }
}
