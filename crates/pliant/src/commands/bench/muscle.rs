//! The part `muscle`.

use pliant::bench::{MUSCLE_WAYS, MuscleCost};
use pliant::text::{grouped, table};

use super::super::Failure;
use super::super::print::{eprint_line, print_line, print_text};
use super::{BenchArguments, header};

/// Particles along each side of the cubes.
const SIDES: [u32; 2] = [10, 27];
/// Young's moduli of flesh and of its muscle [Pa].
const MODULI: [f64; 3] = [5e4, 5e5, 5e6];
/// Parts of the chosen step that are scanned beside it.
const STEPS: [f64; 3] = [0.5, 1.0, 2.0];

impl BenchArguments {
    /// Cubes of two sizes, explicit and implicit, with and without keeping their volume; then a scan over the step
    /// for three moduli.
    pub(super) fn muscle(&self) -> Result<Vec<MuscleCost>, Failure> {
        let mut all = Vec::new();
        let names = [
            "way",
            "E [Pa]",
            "particles",
            "step [ms]",
            "solves",
            "predict [ms]",
            "ns a particle",
            "bounds",
            "project [ms]",
            "substep [ms]",
            "s/s",
        ];
        let mut rows = vec![header(&names)];
        let mut take = |way, of_block, rows: &mut Vec<Vec<String>>| -> Result<(), Failure> {
            let processor = self.processor(usize::from(self.threads));
            let cost = MuscleCost::measure(way, of_block, processor, usize::from(self.rounds));
            let cost = cost.map_err(Failure::failed)?;
            rows.push(row(&cost));
            all.push(cost);
            Ok(())
        };
        for side in SIDES {
            for way in MUSCLE_WAYS {
                eprint_line(format_args!("timing {}, {side} particles a side", way.0));
                take(way, (side, MODULI[0], 1.0), &mut rows)?;
            }
        }
        for modulus in MODULI {
            for way in MUSCLE_WAYS.into_iter().filter(|way| way.2) {
                for steps in STEPS {
                    eprint_line(format_args!("timing {}, E = {modulus:e} Pa", way.0));
                    take(way, (SIDES[0], modulus, steps), &mut rows)?;
                }
            }
        }
        print_line(
            "\nCubes of flesh and muscle; a bound is reading the velocity of each neighbour once, on one thread",
        );
        print_text(table(&rows, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
        Ok(all)
    }
}

fn row(cost: &MuscleCost) -> Vec<String> {
    vec![
        cost.way.into(),
        format!("{:.0e}", cost.youngs_modulus),
        grouped(cost.particles as u64),
        format!("{:.3}", 1e3 * cost.step),
        format!("{:.1} {:.1}", cost.solves[0], cost.solves[1]),
        format!("{:.3}", 1e3 * cost.predict),
        format!("{:.0}", 1e9 * cost.per_particle()),
        format!("{:.1}", cost.predict / cost.bound),
        format!("{:.3}", 1e3 * cost.volume),
        format!("{:.3}", 1e3 * cost.substep),
        format!("{:.2}", cost.seconds_per_second()),
    ]
}
