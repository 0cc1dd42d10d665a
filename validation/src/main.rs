//! Prints the measured numbers beside those they must reach.

use pliant_validation::beam::Beam;
use pliant_validation::column::Column;

fn main() {
    let start = std::time::Instant::now();
    for angle in [20.0, 30.0, 40.0] {
        match Column::new(angle).collapse() {
            Ok(d) => println!("{angle} {d:?} {:.1}s", start.elapsed().as_secs_f64()),
            Err(e) => println!("{e}"),
        }
    }
    for (rows, support) in [(6, 2.0), (8, 2.0), (12, 2.0), (8, 2.6)] {
        match Beam::new(rows, support).deflection_ratio() {
            Ok(ratio) => println!(
                "{rows} {support} {ratio:.3} {:.1}s",
                start.elapsed().as_secs_f64()
            ),
            Err(e) => println!("{e}"),
        }
    }
}
