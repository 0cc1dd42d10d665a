//! The part `shape-groups`.

use pliant::bench::{GROUP_LAWS, ShapeGroups, ShapeGroupsFrame};
use pliant::text::{grouped, table};

use super::super::Failure;
use super::super::print::{eprint_line, print_line, print_text};
use super::{BenchArguments, header};

/// Cells of the bars along each axis: the published size, and one thirty times as large.
const BARS: [[u32; 3]; 2] = [[35, 7, 7], [60, 30, 30]];

/// Substeps of the frames.
const FRAMES: [u32; 3] = [10, 20, 50];

impl BenchArguments {
    /// Bars of two sizes with each law, with the first of them also on one thread.
    pub(super) fn shape_groups(&self) -> Result<Vec<ShapeGroups>, Failure> {
        let mut all = Vec::new();
        let mut rows = vec![header(&[
            "law",
            "groups",
            "particles",
            "threads",
            "sweep [ms]",
            "ns a group",
            "bounds",
            "substep [ms]",
            "ns a group",
        ])];
        for cells in BARS {
            for (number, law) in GROUP_LAWS.into_iter().enumerate() {
                for threads in self.one_and_all(number == 0) {
                    eprint_line(format_args!("timing {law}, {cells:?} cells"));
                    let (processor, rounds) = (self.processor(threads), usize::from(self.rounds));
                    let cost = ShapeGroups::measure(law, cells, processor, rounds);
                    let cost = cost.map_err(Failure::failed)?;
                    rows.push(row(&cost));
                    all.push(cost);
                }
            }
        }
        print_line(
            "\nBars of hexahedra, one sweep a substep; a bound is reading and writing the members of all groups",
        );
        print_text(table(&rows, &[1, 2, 3, 4, 5, 6, 7, 8]));
        Ok(all)
    }

    /// Frames of the smaller bar on one thread and on all.
    pub(super) fn shape_group_frames(&self) -> Result<Vec<ShapeGroupsFrame>, Failure> {
        let names = ["substeps", "threads", "frame [ms]", "1 thread/threads"];
        let (mut all, mut rows) = (Vec::<ShapeGroupsFrame>::new(), vec![header(&names)]);
        let threads = self.one_and_all(true);
        for substeps in FRAMES {
            let mut alone = None;
            for &threads in &threads {
                eprint_line(format_args!("timing frames of {substeps} substeps"));
                let (processor, rounds) = (self.processor(threads), usize::from(self.rounds));
                let frame = ShapeGroupsFrame::measure(substeps, processor, rounds);
                let frame = frame.map_err(Failure::failed)?;
                let alone = *alone.get_or_insert(frame.wall);
                rows.push(vec![
                    frame.substeps.to_string(),
                    frame.threads.to_string(),
                    format!("{:.2}", 1e3 * frame.wall),
                    format!("{:.2}", alone / frame.wall),
                ]);
                all.push(frame);
            }
        }
        print_line(
            "\nA sixtieth of a second of 1715 damped hexahedra; Müller et al. 2022 print 170, 140, 100 and 82 ms for four \
             such bars on a thread",
        );
        print_text(table(&rows, &[0, 1, 2, 3]));
        Ok(all)
    }

    /// The threads that are asked for, after a single one where that is wanted too.
    fn one_and_all(&self, with_one: bool) -> Vec<usize> {
        let most = usize::from(self.threads);
        let one = (with_one && most > 1).then_some(1);
        one.into_iter().chain([most]).collect()
    }
}

fn row(cost: &ShapeGroups) -> Vec<String> {
    vec![
        cost.law.into(),
        grouped(cost.groups as u64),
        grouped(cost.particles as u64),
        cost.threads.to_string(),
        format!("{:.3}", 1e3 * cost.sweep),
        format!("{:.0}", 1e9 * cost.per_group()),
        format!("{:.1}", cost.sweep / cost.bound),
        format!("{:.3}", 1e3 * cost.substep),
        format!("{:.0}", 1e9 * cost.substep / cost.groups.max(1) as f64),
    ]
}
