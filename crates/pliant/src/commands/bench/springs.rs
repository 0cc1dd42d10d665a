//! The part `springs`.

use pliant::bench::{SOLVES, SPRING_LAWS, Springs};
use pliant::text::{grouped, table};

use super::super::Failure;
use super::super::print::{eprint_line, print_line, print_text};
use super::{BenchArguments, header};

/// Particles along each side of the sheets.
const SIDES: [usize; 3] = [32, 100, 300];

impl BenchArguments {
    /// Sheets of three sizes with each law, two steps of conjugate gradients and solved.
    pub(super) fn springs(&self) -> Result<Vec<Springs>, Failure> {
        let mut all: Vec<Springs> = Vec::new();
        let mut rows = vec![header(&[
            "law",
            "particles",
            "springs",
            "steps",
            "predict [ms]",
            "substep [ms]",
            "over linear",
            "step [us]",
            "sparse products",
        ])];
        let cases = SIDES
            .into_iter()
            .flat_map(|side| SOLVES.map(|solve| (side, solve)));
        for (side, solve) in cases {
            let linear = all.len();
            for law in SPRING_LAWS {
                eprint_line(format_args!("timing {law}, {side} x {side}"));
                let processor = self.processor(usize::from(self.threads));
                let rounds = usize::from(self.rounds);
                let cost = Springs::measure(law, solve, side, processor, rounds);
                all.push(cost.map_err(Failure::failed)?);
                rows.push(row(&all, linear));
            }
        }
        print_line(
            "\nSheets of springs that swing, steps of 10 ms; a step of conjugate gradients beside a \
             sparse product with as many blocks",
        );
        print_text(table(&rows, &[1, 2, 3, 4, 5, 6, 7, 8]));
        Ok(all)
    }
}

/// The last of the sheets, beside that of linear springs.
fn row(all: &[Springs], linear: usize) -> Vec<String> {
    let cost = &all[all.len() - 1];
    let mut row = vec![
        cost.law.into(),
        grouped(cost.particles as u64),
        grouped(cost.springs as u64),
        format!("{:.0}", cost.steps),
        format!("{:.3}", 1e3 * cost.predict),
        format!("{:.3}", 1e3 * cost.substep),
        format!("{:.2}", cost.predict / all[linear].predict),
    ];
    // Of what is solved: a step without all else, which two steps have too.
    let is_two =
        |c: &&Springs| c.solve == Some(2) && c.law == cost.law && c.particles == cost.particles;
    match all.iter().find(is_two).filter(|_| cost.solve.is_none()) {
        Some(two) => {
            let step = (cost.predict - two.predict) / (cost.steps - two.steps);
            row.push(format!("{:.1}", 1e6 * step));
            row.push(format!("{:.2}", step / cost.bound));
        }
        None => row.extend([String::new(), String::new()]),
    }
    row
}
