//! `pliant gallery`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use pliant::gallery::{Card, Shown, page};
use pliant::run::{OutputFolder, RunOptions, run};
use pliant_io::write_bytes;

use super::Failure;
use super::arguments::{SceneArguments, prepare, scene_files};
use super::interrupt::Interrupt;
use super::print::{eprint_line, print_line};
use super::progress::{Loudness, Reporter};

#[derive(Args)]
pub(crate) struct GalleryArguments {
    /// Scene files; a folder means all scenes in it and below
    #[arg(default_value = "scenes")]
    scenes: Vec<PathBuf>,
    #[command(flatten)]
    scene_arguments: SceneArguments,
    /// Take the level [detail.quick] of each scene that has one
    #[arg(long, conflicts_with = "detail")]
    quick: bool,
    /// Where to: a folder for each scene, and `index.html`. What was run there before is kept
    #[arg(long, value_name = "DIR", default_value = "out/gallery")]
    out: PathBuf,
    /// Threads of the simulation [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Print errors only
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn execute(arguments: &GalleryArguments) -> Result<(), Failure> {
    let scenes = scene_files(&arguments.scenes)?;
    let index = arguments.out.join("index.html");
    let interrupt = Interrupt::catch(&arguments.out);
    let mut cards = Vec::new();
    let mut names = BTreeSet::new();
    for (number, scene) in scenes.iter().enumerate() {
        let name = name_of(scene, &mut names);
        if !arguments.quiet {
            let place = format!("{}/{}", number + 1, scenes.len());
            eprint_line(format_args!("{place}  {}", scene.display()));
        }
        let card = arguments.card(scene, name, &interrupt)?;
        if interrupt.is_wanted() {
            return Err(Failure::interrupted());
        }
        cards.push(card);
        // After each, so that it can be looked at while the others run.
        write_bytes(&index, page(&cards).as_bytes()).map_err(Failure::failed)?;
    }
    if !arguments.quiet {
        print_line(format_args!("gallery {}", index.display()));
    }
    let failed = cards.iter().filter(|card| card.result.is_err()).count();
    match failed {
        0 => Ok(()),
        _ => Err(Failure::failed(format!("{failed} scenes did not run"))),
    }
}

impl GalleryArguments {
    /// Runs a scene, or goes on with its run, or takes it as it is if it is complete.
    fn card(&self, scene: &Path, name: String, interrupt: &Interrupt) -> Result<Card, Failure> {
        let mut overrides = self.scene_arguments.overrides();
        overrides.quick = self.quick;
        let threads = self.threads.map_or(0, usize::from);
        let prepared = match prepare(scene, &overrides, threads, self.quiet) {
            Ok(prepared) => prepared,
            Err(failure) => {
                return Ok(Card {
                    title: name.clone(),
                    name,
                    source: String::new(),
                    result: Err(failure.text().to_owned()),
                });
            }
        };
        let described = prepared.scene.clone();
        let folder = OutputFolder::new(&self.out.join(&name));
        let options = RunOptions {
            folder: folder.root().to_owned(),
            threads,
            resume: folder.holds_run(),
        };
        let loudness = match self.quiet {
            true => Loudness::Silent,
            false => Loudness::Bar,
        };
        let mut reporter = Reporter::new(loudness, interrupt.clone());
        let ended = run(prepared, &options, &mut reporter);
        reporter.clear();
        let result = match ended {
            Ok(_) => Shown::read(&folder, &described).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        Ok(Card {
            title: match described.title() {
                "" => name.clone(),
                title => title.to_owned(),
            },
            name,
            source: described.source().unwrap_or_default().to_owned(),
            result,
        })
    }
}

/// The name of a scene's folder, unlike those that are taken.
fn name_of(scene: &Path, taken: &mut BTreeSet<String>) -> String {
    let stem = scene.file_stem().unwrap_or_default().to_string_lossy();
    let mut name = stem.clone().into_owned();
    let mut count = 1;
    while !taken.insert(name.clone()) {
        count += 1;
        name = format!("{stem}-{count}");
    }
    name
}
