//! `pliant validate`.

use std::path::PathBuf;

use clap::Args;
use pliant::new_folder;
use pliant::text::{duration, table};
use pliant::validate::{Measured, chosen, csv, page};
use pliant::validation::{Figure, Short};
use pliant_io::write_bytes;

use super::Failure;
use super::say::{say, say_line, tell_line};

#[derive(Args)]
pub(crate) struct ValidateArguments {
    /// Only claims with one of these words in their sentence, however long they take
    words: Vec<String>,
    /// All claims, also those that take long
    #[arg(long)]
    full: bool,
    /// Say which claims there are, and measure nothing
    #[arg(long)]
    list: bool,
    /// Where validate.csv and validate.html are written
    #[arg(long, value_name = "DIR", default_value = "out/validate")]
    out: PathBuf,
    /// Say only what falls short
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn execute(arguments: &ValidateArguments) -> Result<(), Failure> {
    let claims = chosen(&arguments.words, arguments.full);
    if claims.is_empty() {
        let failure = Failure::wrong(format!(
            "no claim has '{}' in it",
            arguments.words.join("' or '")
        ));
        return Err(failure.with_advice("`pliant validate --list --full` shows them"));
    }
    if arguments.list {
        claims.iter().for_each(|claim| say_line(claim.sentence));
        return Ok(());
    }
    new_folder::create(&arguments.out).map_err(Failure::wrong)?;
    let mut all = Vec::new();
    for (place, claim) in claims.iter().enumerate() {
        if !arguments.quiet {
            let (place, count) = (place + 1, claims.len());
            tell_line(format_args!("{place} of {count}: {}", claim.sentence));
        }
        let measured = Measured::of(claim);
        arguments.tell(&measured);
        all.push(measured);
        // After every claim, so that one that is stopped loses nothing.
        arguments.write(&all)?;
    }
    arguments.conclude(&all)
}

impl ValidateArguments {
    fn tell(&self, measured: &Measured) {
        if self.quiet && measured.shortfalls() == 0 {
            return;
        }
        let seconds = duration(measured.seconds);
        say_line(format_args!("\n{} ({seconds})", measured.sentence));
        match &measured.outcome {
            Ok(figures) => {
                let shown = figures.iter().filter(|f| !self.quiet || !f.holds());
                say(table(&shown.map(row).collect::<Vec<_>>(), &[1]));
            }
            Err(why) => say_line(format_args!("  FALLS SHORT: {why}")),
        }
    }

    fn write(&self, measured: &[Measured]) -> Result<(), Failure> {
        let [table, html] = self.files();
        write_bytes(&table, csv(measured).as_bytes()).map_err(Failure::failed)?;
        write_bytes(&html, page(measured).as_bytes()).map_err(Failure::failed)
    }

    fn conclude(&self, measured: &[Measured]) -> Result<(), Failure> {
        let short: usize = measured.iter().map(Measured::shortfalls).sum();
        if !self.quiet {
            let [table, html] = self.files();
            say_line(format_args!("\ntable  {}", table.display()));
            say_line(format_args!("page   {}", html.display()));
        }
        match short {
            0 if self.quiet => Ok(()),
            0 => {
                say_line("every number is what it must be");
                Ok(())
            }
            1 => Err(Failure::failed("1 number falls short")),
            count => Err(Failure::failed(format!("{count} numbers fall short"))),
        }
    }

    fn files(&self) -> [PathBuf; 2] {
        ["validate.csv", "validate.html"].map(|name| self.out.join(name))
    }
}

fn row(figure: &Figure) -> Vec<String> {
    let verdict = if figure.holds() {
        "pass"
    } else {
        "FALLS SHORT"
    };
    vec![
        format!("  {}", figure.what),
        Short(figure.measured).to_string(),
        figure.must_be.to_string(),
        verdict.to_owned(),
    ]
}
