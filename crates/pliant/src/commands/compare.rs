//! `pliant compare`.

use std::path::PathBuf;

use clap::Args;
use pliant::compare::{
    AttributeDifference, Comparison, FrameDifference, Frames, TableDifference, compare,
};
use pliant::run::{Manifest, OutputFolder, Status};
use pliant::text::{number, table};
use pliant_io::{csv_text, write_bytes};

use super::Failure;
use super::frame_progress::FrameBar;
use super::print::{print_line, print_text};

/// Frames, keys and columns that are shown of many.
const SHOWN: usize = 12;
/// Characters of a value that are shown.
const LONGEST_VALUE: usize = 32;

#[derive(Args)]
pub(crate) struct CompareArguments {
    /// The folder of a run
    one: PathBuf,
    /// The folder of another run
    two: PathBuf,
    /// Results are the same if they differ by at most this part of the greatest value
    /// [default: 0, the same bits]
    #[arg(long, value_name = "X", value_parser = share, allow_hyphen_values = true)]
    tolerance: Option<f64>,
    /// Write every attribute of every frame as a table
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Show every frame, key and column that differs
    #[arg(long, short, conflicts_with = "quiet")]
    verbose: bool,
    /// Print errors only; the exit status is the result
    #[arg(long, short)]
    quiet: bool,
}

pub(crate) fn execute(arguments: &CompareArguments) -> Result<(), Failure> {
    let bar = FrameBar::new("frame", arguments.quiet);
    let folders = [&arguments.one, &arguments.two].map(|folder| OutputFolder::new(folder));
    let compared = compare([&folders[0], &folders[1]], &mut |done, of| {
        bar.show(done, of);
    });
    bar.finish();
    let comparison = compared.map_err(Failure::wrong)?;
    if let Some(path) = &arguments.csv {
        write_bytes(path, csv(&comparison.frames).as_bytes()).map_err(Failure::wrong)?;
    }
    if !arguments.quiet {
        arguments.print_results(&comparison);
    }
    arguments.conclude(&comparison)
}

impl CompareArguments {
    /// How much of a list is shown.
    fn limit(&self) -> usize {
        if self.verbose { usize::MAX } else { SHOWN }
    }

    fn print_results(&self, comparison: &Comparison) {
        let [one, two] = &comparison.manifests;
        let runs = [("one", &self.one, one), ("two", &self.two, two)];
        let rows = runs.map(|(name, folder, manifest)| {
            let folder = folder.display().to_string();
            vec![name.into(), folder, course(manifest)]
        });
        print_text(table(&rows, &[]));
        self.print_scene(comparison);
        self.print_environment(comparison);
        self.print_frames(&comparison.frames);
        for table in &comparison.tables {
            self.print_table(table);
        }
    }

    fn print_scene(&self, comparison: &Comparison) {
        let changes = &comparison.scene;
        if changes.is_empty() {
            print_line("\nscene: the same");
            return;
        }
        let keys = if changes.len() == 1 {
            "key differs"
        } else {
            "keys differ"
        };
        print_line(format_args!("\nscene: {} {keys}", changes.len()));
        let text = |value: &Option<String>| clipped(value.as_deref().unwrap_or("absent"));
        let rows: Vec<Vec<String>> = changes
            .iter()
            .take(self.limit())
            .map(|c| {
                vec![
                    format!("  {}", c.key),
                    text(&c.values[0]),
                    text(&c.values[1]),
                ]
            })
            .collect();
        print_text(table(&rows, &[]));
        self.print_omitted(changes.len());
    }

    fn print_environment(&self, comparison: &Comparison) {
        if comparison.circumstances.is_empty() {
            print_line("\nprogram and machine: the same");
            return;
        }
        print_line("\nprogram and machine: not the same");
        let rows = comparison.circumstances.iter();
        let rows: Vec<Vec<String>> = rows
            .map(|(name, [one, two])| vec![format!("  {name}"), one.clone(), two.clone()])
            .collect();
        print_text(table(&rows, &[]));
    }

    fn print_frames(&self, frames: &Frames) {
        print_line(format_args!("\nparticles: {}", frames_text(frames)));
        let Some(first) = frames.first_different() else {
            return;
        };
        if first.number == 1 && frames.numbers[0].len() > 1 {
            print_line(
                "  the runs start from different particles: an id does not name the same one in both",
            );
        }
        let from = frames.compared.iter().filter(|f| f.number >= first.number);
        let different: Vec<&FrameDifference> = from.collect();
        print_text(table(
            &frame_rows(&spread(&different, self.limit())),
            &[0, 1, 2, 3, 4, 5, 6],
        ));
        print_line("  the greatest difference of each attribute over all frames");
        let mut rows = vec![row(&[
            "  attribute",
            "difference",
            "",
            "relative",
            "rms",
            "frame",
            "particle",
            "at [m]",
        ])];
        let greatest = frames.greatest().into_iter();
        rows.extend(
            greatest
                .filter(|(_, attribute)| !attribute.is_identical)
                .map(|(frame, attribute)| attribute_row(frame, attribute)),
        );
        print_text(table(&rows, &[1, 3, 4, 5, 6]));
    }

    fn print_table(&self, difference: &TableDifference) {
        let TableDifference {
            name,
            rows,
            columns,
            only_in,
        } = difference;
        let mut different: Vec<_> = columns.iter().filter(|c| !c.is_identical).collect();
        different.sort_by(|a, b| b.relative().total_cmp(&a.relative()));
        let mut text = match different.len() {
            0 => format!("\n{name}: the same in every column"),
            count => format!("\n{name}: {count} of {} columns differ", columns.len()),
        };
        if rows[0] != rows[1] {
            text += &format!(
                "; {} and {} rows, of which the first {} are compared",
                rows[0],
                rows[1],
                rows[0].min(rows[1])
            );
        }
        print_line(text);
        if !different.is_empty() {
            let mut lines = vec![row(&[
                "  column",
                "relative",
                "difference",
                "one",
                "two",
                "time [s]",
            ])];
            lines.extend(different.iter().take(self.limit()).map(|column| {
                let [one, two] = column.values.map(number);
                let (relative, size) = (number(column.relative()), number(column.greatest));
                vec![
                    format!("  {}", column.name),
                    relative,
                    size,
                    one,
                    two,
                    number(column.time),
                ]
            }));
            print_text(table(&lines, &[1, 2, 3, 4, 5]));
            self.print_omitted(different.len());
        }
        for (place, names) in ["one", "two"].iter().zip(only_in) {
            if !names.is_empty() {
                print_line(format_args!(
                    "  only in {place}: {}",
                    clipped(&names.join(", "))
                ));
            }
        }
    }

    fn print_omitted(&self, count: usize) {
        if count > self.limit() {
            print_line(format_args!(
                "  and {} more; --verbose shows them",
                count - SHOWN
            ));
        }
    }

    /// Prints and returns whether the results are the same.
    fn conclude(&self, comparison: &Comparison) -> Result<(), Failure> {
        let greatest = comparison.greatest_relative();
        let tolerance = self.tolerance.unwrap_or(0.0);
        let (is_same, text) = match comparison.is_identical() {
            true => (true, "the results are identical".to_owned()),
            false if greatest.is_finite() => (
                tolerance > 0.0 && greatest <= tolerance,
                format!(
                    "the results differ by up to {} of the greatest value",
                    number(greatest)
                ),
            ),
            false => (false, "the results differ beyond comparison".into()),
        };
        match (is_same, self.quiet) {
            (false, true) => Err(Failure::different(String::new())),
            (false, false) => Err(Failure::different(text)),
            (true, is_quiet) => {
                if !is_quiet {
                    print_line(format_args!("\n{text}"));
                }
                Ok(())
            }
        }
    }
}

/// `61 frames in both, one as vtp, two as npz; identical up to frame 4`.
fn frames_text(frames: &Frames) -> String {
    let [one, two] = &frames.numbers;
    if frames.are_missing() {
        let which = match (one.is_empty(), two.is_empty()) {
            (true, true) => "both runs have",
            (true, false) => "one has",
            _ => "two has",
        };
        return format!("not compared, {which} no particle files");
    }
    let shared = frames.compared.len();
    let mut text = match one == two {
        true => format!("{shared} frames in both"),
        false => format!(
            "{shared} frames in both; one has {}, two has {}",
            span(one),
            span(two)
        ),
    };
    let [first, second] = &frames.formats;
    if first != second {
        text += &format!(", one as {first}, two as {second}");
    }
    for (place, names) in ["one", "two"].iter().zip(only_in(frames)) {
        if !names.is_empty() {
            text += &format!("; only in {place}: {}", names.join(", "));
        }
    }
    match frames.first_different() {
        None if shared > 0 => text + "; identical",
        None => text,
        Some(frame) => format!("{text}; frame {} is the first that differs", frame.number),
    }
}

/// Attributes that only one run has, as the first frame tells.
fn only_in(frames: &Frames) -> [Vec<String>; 2] {
    let first = frames.compared.first();
    first.map_or([Vec::new(), Vec::new()], |frame| frame.only_in.clone())
}

/// `61 (1 to 61)`.
fn span(numbers: &[u32]) -> String {
    match (numbers.first(), numbers.last()) {
        (Some(first), Some(last)) => format!("{} ({first} to {last})", numbers.len()),
        _ => "none".into(),
    }
}

/// So many of a list, evenly, the first and the last among them.
fn spread<'a>(all: &[&'a FrameDifference], count: usize) -> Vec<&'a FrameDifference> {
    if all.len() <= count {
        return all.to_vec();
    }
    let last = all.len() - 1;
    (0..count).map(|k| all[k * last / (count - 1)]).collect()
}

fn frame_rows(frames: &[&FrameDifference]) -> Vec<Vec<String>> {
    let mut rows = vec![row(&[
        "frame",
        "time [s]",
        "particles",
        "position rms [m]",
        "greatest [m]",
        "velocity rms [m/s]",
        "greatest [m/s]",
    ])];
    rows.extend(frames.iter().map(|frame| {
        let particles = match frame.has_same_particles() {
            true => frame.shared.to_string(),
            false => format!(
                "{} of {} and {}",
                frame.shared, frame.counts[0], frame.counts[1]
            ),
        };
        let mut cells = vec![
            format!("  {}", frame.number),
            number(frame.times[0]),
            particles,
        ];
        for attribute in frame.attributes.iter().take(2) {
            cells.extend([number(attribute.rms), number(attribute.greatest.size)]);
        }
        cells
    }));
    rows
}

fn attribute_row(frame: &FrameDifference, attribute: &AttributeDifference) -> Vec<String> {
    let greatest = &attribute.greatest;
    let place = greatest.place.to_array().map(number).join(", ");
    vec![
        format!("  {}", attribute.name),
        number(greatest.size),
        attribute.unit.clone(),
        number(attribute.relative()),
        number(attribute.rms),
        frame.number.to_string(),
        greatest.id.to_string(),
        place,
    ]
}

/// Every attribute of every frame.
fn csv(frames: &Frames) -> String {
    const COLUMNS: &str = "frame,time,attribute,unit,shared,rms,greatest,relative,id,x,y,z";
    let mut rows: Vec<Vec<String>> = vec![COLUMNS.split(',').map(String::from).collect()];
    for frame in &frames.compared {
        rows.extend(frame.attributes.iter().map(|attribute| {
            let greatest = &attribute.greatest;
            let [x, y, z] = greatest.place.to_array().map(|x| format!("{x:?}"));
            vec![
                frame.number.to_string(),
                format!("{:?}", frame.times[0]),
                attribute.name.clone(),
                attribute.unit.clone(),
                frame.shared.to_string(),
                format!("{:?}", attribute.rms),
                format!("{:?}", greatest.size),
                format!("{:?}", attribute.relative()),
                greatest.id.to_string(),
                x,
                y,
                z,
            ]
        }));
    }
    csv_text(rows)
}

/// `60 of 60 frames, done`.
fn course(manifest: &Manifest) -> String {
    let status = match &manifest.status {
        Status::Running => "not complete",
        Status::Done => "done",
        Status::Still => "ended when everything was still",
        Status::Interrupted => "interrupted",
        Status::Failed(_) => "failed",
    };
    format!(
        "{} of {} frames, {} particles, {status}",
        manifest.frames_done, manifest.frames_planned, manifest.particles
    )
}

fn clipped(text: &str) -> String {
    match text.char_indices().nth(LONGEST_VALUE) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// A number that is not negative.
fn share(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok();
    let value = value.filter(|v| v.is_finite() && *v >= 0.0);
    value.ok_or_else(|| "expected a number that is not negative, such as 1e-6".into())
}
