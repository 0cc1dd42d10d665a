//! `pliant validate`.

use std::path::{Path, PathBuf};

use clap::Args;
use pliant::bundled::bundled_scenes;
use pliant::new_folder;
use pliant::text::{duration, table};
use pliant::validate::{
    Halvings, Held, Holds, Measured, NoHalvings, RandomScenes, chosen, csv, page,
};
use pliant::validation::{Claim, Figure, Short};
use pliant_io::{create_folder, write_bytes};

use super::Failure;
use super::arguments::check_exists;
use super::print::{eprint_line, print_line, print_text};

#[derive(Args)]
pub(crate) struct ValidateArguments {
    /// Only claims whose statement contains one of these words, however long they take
    words: Vec<String>,
    /// All claims, slow ones too, and every bundled scene that converges
    #[arg(long)]
    full: bool,
    /// Halve the spacing of a scene twice: its expectations with `converges = true` must change less
    /// and less. Without words and --full no claims are measured then
    #[arg(long, value_name = "FILE")]
    scene: Vec<PathBuf>,
    /// Run so many random scenes with default settings: none may gain energy or lose a body. Without words
    /// and --full no claims are measured then
    #[arg(long, value_name = "COUNT")]
    random: Option<u64>,
    /// Seed of the random scenes
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Number of the first random scene
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    first: u64,
    /// Find the greatest mass ratios, stiffnesses and speeds that are stable with default settings, for the
    /// named methods or for all. Without words and --full no claims are measured then
    #[arg(long, value_name = "METHOD", num_args = 0..)]
    holds: Option<Vec<String>>,
    /// List the claims and measure nothing
    #[arg(long)]
    list: bool,
    /// Where validate.csv and validate.html are written
    #[arg(long, value_name = "DIR", default_value = "out/validate")]
    out: PathBuf,
    /// Print only what is not as expected
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn execute(arguments: &ValidateArguments) -> Result<(), Failure> {
    let claims = arguments.claims()?;
    if arguments.list {
        claims.iter().for_each(|claim| print_line(claim.statement));
        return Ok(());
    }
    // Lives as long as the scenes in it are run.
    let bundled = tempfile::tempdir().map_err(Failure::failed)?;
    let scenes = arguments.scenes(bundled.path())?;
    let holds = arguments.holds()?;
    new_folder::create(&arguments.out).map_err(Failure::wrong)?;
    let mut all = Vec::new();
    for (place, claim) in claims.iter().enumerate() {
        let (place, count) = (place + 1, claims.len());
        arguments.announce(&format!("{place} of {count}: {}", claim.statement));
        arguments.add(&mut all, Measured::of(claim))?;
    }
    for (path, halvings) in &scenes {
        let measured = halvings.measure(path, &mut |text| arguments.announce(text));
        arguments.add(&mut all, measured)?;
    }
    if let Some(count) = arguments.random {
        let scenes = RandomScenes {
            count,
            first: arguments.first,
            seed: arguments.seed,
        };
        let folder = arguments.out.join("random");
        create_folder(&folder).map_err(Failure::failed)?;
        all.extend(scenes.measure(&folder, &|measured| arguments.print_results(measured)));
        arguments.write(&all, None)?;
    }
    if let Some(holds) = holds {
        let held = arguments.measure_holds(&holds)?;
        all.extend(held.measured());
        arguments.write(&all, Some(&held))?;
    }
    arguments.conclude(&all)
}

impl ValidateArguments {
    fn claims(&self) -> Result<Vec<&'static Claim>, Failure> {
        let has_scenes = !self.scene.is_empty() || self.random.is_some() || self.holds.is_some();
        let only_scenes = has_scenes && self.words.is_empty() && !self.full;
        let claims = if only_scenes {
            Vec::new()
        } else {
            chosen(&self.words, self.full)
        };
        if claims.is_empty() && !only_scenes {
            let words = self.words.join("' or '");
            let failure = Failure::wrong(format!("no claim has '{words}' in it"));
            return Err(failure.with_advice("`pliant validate --list --full` shows them"));
        }
        Ok(claims)
    }

    /// The scenes whose spacing is halved; bundled ones are written into a folder.
    fn scenes(&self, folder: &Path) -> Result<Vec<(PathBuf, Halvings)>, Failure> {
        let mut scenes = Vec::new();
        for path in &self.scene {
            check_exists(path)?;
            scenes.push((path.clone(), Halvings::of(path).map_err(wrong)?));
        }
        if !self.full {
            return Ok(scenes);
        }
        for scene in bundled_scenes().filter(|scene| scene.text.contains("converges = true")) {
            let path = folder.join(scene.file);
            let beside = path.parent().unwrap_or(folder);
            let own = [(path.clone(), scene.text.as_bytes())];
            let others = scene.files().into_iter();
            let others = others.map(|(name, bytes)| (beside.join(name), bytes));
            for (file, bytes) in others.chain(own) {
                create_folder(file.parent().unwrap_or(beside)).map_err(Failure::failed)?;
                write_bytes(&file, bytes).map_err(Failure::failed)?;
            }
            let halvings = Halvings::of(&path).map_err(wrong)?;
            scenes.push((path, halvings));
        }
        Ok(scenes)
    }

    /// The methods whose limits of stability are measured.
    fn holds(&self) -> Result<Option<Holds>, Failure> {
        let Some(words) = &self.holds else {
            return Ok(None);
        };
        let names = Holds::names().join("', '");
        let failure = || {
            Failure::wrong("no method is called so").with_advice(&format!("there are '{names}'"))
        };
        Holds::of(words).map(Some).ok_or_else(failure)
    }

    /// Prints the limits of the methods as a table and writes it.
    fn measure_holds(&self, holds: &Holds) -> Result<Held, Failure> {
        let folder = self.out.join("holds");
        create_folder(&folder).map_err(Failure::failed)?;
        let held = holds.measure(&folder, &|text| self.announce(text));
        let path = self.out.join("holds.csv");
        write_bytes(&path, held.csv().as_bytes()).map_err(Failure::failed)?;
        held.measured()
            .iter()
            .for_each(|measured| self.print_results(measured));
        if !self.quiet {
            print_line("");
            print_text(held.printed());
            print_line(format_args!("\ncases  {}", path.display()));
        }
        Ok(held)
    }

    fn announce(&self, text: &str) {
        if !self.quiet {
            eprint_line(text);
        }
    }

    /// Prints what was measured and writes all so far, so that an interrupted command loses nothing.
    fn add(&self, all: &mut Vec<Measured>, measured: Measured) -> Result<(), Failure> {
        self.print_results(&measured);
        all.push(measured);
        self.write(all, None)
    }

    fn print_results(&self, measured: &Measured) {
        if self.quiet && measured.shortfalls() == 0 {
            return;
        }
        let seconds = duration(measured.seconds);
        print_line(format_args!("\n{} ({seconds})", measured.statement));
        match &measured.outcome {
            Ok(figures) => {
                let shown = figures.iter().filter(|f| !self.quiet || !f.holds());
                print_text(table(&shown.map(row).collect::<Vec<_>>(), &[1]));
            }
            Err(why) => print_line(format_args!("  FAIL: {why}")),
        }
    }

    fn write(&self, measured: &[Measured], held: Option<&Held>) -> Result<(), Failure> {
        let [table, html] = self.files();
        write_bytes(&table, csv(measured).as_bytes()).map_err(Failure::failed)?;
        write_bytes(&html, page(measured, held).as_bytes()).map_err(Failure::failed)
    }

    fn conclude(&self, measured: &[Measured]) -> Result<(), Failure> {
        let short: usize = measured.iter().map(Measured::shortfalls).sum();
        if !self.quiet {
            let [table, html] = self.files();
            print_line(format_args!("\ntable  {}", table.display()));
            print_line(format_args!("page   {}", html.display()));
        }
        match short {
            0 if self.quiet => Ok(()),
            0 => {
                print_line("every number is as expected");
                Ok(())
            }
            1 => Err(Failure::failed("1 number is not as expected")),
            count => Err(Failure::failed(format!(
                "{count} numbers are not as expected"
            ))),
        }
    }

    fn files(&self) -> [PathBuf; 2] {
        ["validate.csv", "validate.html"].map(|name| self.out.join(name))
    }
}

fn wrong(error: NoHalvings) -> Failure {
    match error {
        NoHalvings::Scene(errors) => errors.into(),
        error => Failure::wrong(error),
    }
}

fn row(figure: &Figure) -> Vec<String> {
    let verdict = if figure.holds() { "pass" } else { "FAIL" };
    vec![
        format!("  {}", figure.what),
        Short(figure.measured).to_string(),
        figure.expected.to_string(),
        verdict.to_owned(),
    ]
}
