//! The part `shape-groups`.

use pliant::bench::{GROUP_LAWS, ShapeGroups};
use pliant::text::{grouped, table};

use super::super::Failure;
use super::super::print::{eprint_line, print_line, print_text};
use super::{BenchArguments, header};

/// Cells of the bars along each axis: the published size, and one thirty times as large.
const BARS: [[u32; 3]; 2] = [[35, 7, 7], [60, 30, 30]];

impl BenchArguments {
    /// Bars of two sizes with each law.
    pub(super) fn shape_groups(&self) -> Result<Vec<ShapeGroups>, Failure> {
        let mut all = Vec::new();
        let mut rows = vec![header(&[
            "law",
            "groups",
            "particles",
            "sweep [ms]",
            "ns a group",
            "bounds",
            "substep [ms]",
        ])];
        for cells in BARS {
            for law in GROUP_LAWS {
                eprint_line(format_args!("timing {law}, {cells:?} cells"));
                let processor = self.processor(usize::from(self.threads));
                let rounds = usize::from(self.rounds);
                let cost = ShapeGroups::measure(law, cells, processor, rounds);
                let cost = cost.map_err(Failure::failed)?;
                rows.push(row(&cost));
                all.push(cost);
            }
        }
        print_line(
            "\nBars of hexahedra, one sweep a substep; a bound is reading and writing the members of all groups",
        );
        print_text(table(&rows, &[1, 2, 3, 4, 5, 6]));
        Ok(all)
    }
}

fn row(cost: &ShapeGroups) -> Vec<String> {
    vec![
        cost.law.into(),
        grouped(cost.groups as u64),
        grouped(cost.particles as u64),
        format!("{:.3}", 1e3 * cost.sweep),
        format!("{:.0}", 1e9 * cost.per_group()),
        format!("{:.1}", cost.sweep / cost.bound),
        format!("{:.3}", 1e3 * cost.substep),
    ]
}
