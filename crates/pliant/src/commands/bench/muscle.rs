//! The part `muscle`.

use pliant::bench::{MUSCLE_WAYS, MuscleCost, MuscleScan};
use pliant::text::{grouped, table};

use super::super::Failure;
use super::super::print::{eprint_line, print_line, print_text};
use super::{BenchArguments, header};

/// Particles along each side of the cubes.
const SIDES: [u32; 2] = [10, 27];
/// Young's modulus of flesh and of its muscle [Pa].
const MODULUS: f64 = 5e4;
/// Those for which the step is scanned [Pa].
const SCANNED_MODULI: [f64; 6] = [5e3, 2e4, 5e4, 2e5, 1e6, 5e6];

impl BenchArguments {
    /// Cubes of two sizes, explicit and implicit, with and without keeping their volume.
    pub(super) fn muscle(&self) -> Result<Vec<MuscleCost>, Failure> {
        let mut all: Vec<MuscleCost> = Vec::new();
        let names = [
            "way",
            "particles",
            "step [ms]",
            "solves",
            "predict [ms]",
            "ns a particle",
            "bounds",
            "project [ms]",
            "substep [ms]",
            "s/s",
            "over without",
        ];
        let mut rows = vec![header(&names)];
        for side in SIDES {
            for way in MUSCLE_WAYS {
                eprint_line(format_args!("timing {}, {side} particles a side", way.0));
                let processor = self.processor(usize::from(self.threads));
                let of_block = (side, MODULUS, 1.0);
                let cost = MuscleCost::measure(way, of_block, processor, usize::from(self.rounds));
                let cost = cost.map_err(Failure::failed)?;
                // Each way that keeps the volume stands behind the same without it.
                let without = all.last().filter(|_| way.2);
                rows.push(row(&cost, without));
                all.push(cost);
            }
        }
        print_line(
            "\nCubes of flesh and muscle; a bound is reading the velocity of each neighbour once, on one thread",
        );
        print_text(table(&rows, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
        Ok(all)
    }

    /// The same cubes of more and of less stiffness: the step and the integration that are chosen, beside others.
    pub(super) fn muscle_scans(&self) -> Result<Vec<MuscleScan>, Failure> {
        let mut all = Vec::new();
        let names = [
            "E [Pa]",
            "particles",
            "chosen",
            "step [ms]",
            "s/s",
            "cheapest",
            "step [ms]",
            "s/s",
            "chosen/cheapest",
        ];
        let mut rows = vec![header(&names)];
        for side in SIDES {
            for keeps_volume in [false, true] {
                for modulus in SCANNED_MODULI {
                    eprint_line(format_args!("scanning steps, E = {modulus:e} Pa"));
                    let processor = self.processor(usize::from(self.threads));
                    let (block, rounds) = ((side, modulus), usize::from(self.rounds));
                    let scan = MuscleScan::measure(keeps_volume, block, processor, rounds);
                    let scan = scan.map_err(Failure::failed)?;
                    rows.push(scan_row(&scan));
                    all.push(scan);
                }
            }
        }
        print_line(
            "\nWhat is chosen for them, beside explicit steps up to the longest and implicit ones up to 4 ms",
        );
        print_text(table(&rows, &[0, 1, 3, 4, 6, 7, 8]));
        Ok(all)
    }
}

fn scan_row(scan: &MuscleScan) -> Vec<String> {
    let (chosen, cheapest) = (scan.chosen(), scan.cheapest());
    let mut row = vec![
        format!("{:.0e}", chosen.youngs_modulus),
        grouped(chosen.particles as u64),
    ];
    for cost in [chosen, cheapest] {
        row.push(cost.way.into());
        row.push(format!("{:.3}", 1e3 * cost.step));
        row.push(format!("{:.3}", cost.seconds_per_second()));
    }
    row.push(format!("{:.2}", scan.over_cheapest()));
    row
}

/// * `without` — the same without keeping the volume, if that is kept
fn row(cost: &MuscleCost, without: Option<&MuscleCost>) -> Vec<String> {
    let over = without.map(|without| cost.substep / without.substep);
    vec![
        cost.way.into(),
        grouped(cost.particles as u64),
        format!("{:.3}", 1e3 * cost.step),
        format!("{:.1} {:.1}", cost.solves[0], cost.solves[1]),
        format!("{:.3}", 1e3 * cost.predict),
        format!("{:.0}", 1e9 * cost.per_particle()),
        format!("{:.1}", cost.predict / cost.bound),
        format!("{:.3}", 1e3 * cost.volume),
        format!("{:.3}", 1e3 * cost.substep),
        format!("{:.2}", cost.seconds_per_second()),
        over.map_or(String::new(), |over| format!("{over:.2}")),
    ]
}
