//! Columns that are in view before anybody has chosen some: is the energy paid for, do the iterations converge?

use pliant_core::measure::{Energies, FrameReport};
use pliant_core::world::World;

/// Names of columns of `stats.csv`. Each frame finds them out anyway, so that it costs nothing to look at them.
pub const GAUGES: [&str; 4] = [
    "energy_kinetic",
    "energy_elastic",
    "energy_gained",
    "residual",
];

/// The value of a column of `stats.csv` for the frame that a world has reached, the same as in the table; `None` if it
/// is no gauge.
///
/// * `report` — of the frame; a default one at the start, where energies are summed anew
pub(crate) fn gauge(name: &str, world: &World, report: &FrameReport) -> Option<f64> {
    let energies = || {
        let known = report.energies;
        known.unwrap_or_else(|| Energies::of(world, |_| true))
    };
    match name {
        "energy_kinetic" => Some(energies().kinetic),
        "energy_elastic" => Some(energies().elastic),
        "energy_gained" => Some(world.state.account.gained),
        "residual" => Some(report.residual),
        _ => None,
    }
}
