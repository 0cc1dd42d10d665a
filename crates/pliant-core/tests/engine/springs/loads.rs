//! Networks under loads far heavier than they are, at the step that follows from them.

use pliant_core::measure::Energies;
use pliant_core::world::World;
use pliant_materials::springs::SpringCurve;

use super::contacts::block_on_fine_sheet;
use super::networks::cubic;
use crate::worlds::advance_frames;

/// Greatest gain of energy over that of the fall.
fn gain(curve: SpringCurve, n: usize, mass: f64) -> f64 {
    let height = 0.03;
    let setup = block_on_fine_sheet(n, curve, mass, height, 0.0);
    let iterations = pliant_core::world::SolverSettings::default().iterations;
    let mut setup = setup;
    setup.solver.iterations = iterations;
    let mut world = World::new(setup);
    let start = Energies::of(&world, |_| true).total();
    let mut greatest = f64::NEG_INFINITY;
    advance_frames(&mut world, 8, |world| {
        greatest = greatest.max(Energies::of(world, |_| true).total() - start);
    });
    greatest / (mass * 9.81 * height)
}

#[test]
fn a_heavy_block_on_light_springs_gains_no_energy_at_the_default_step() {
    for (curve, n, mass) in [(cubic(1e3), 13, 100.0), (SpringCurve::linear(1e4), 9, 30.0)] {
        let gain = gain(curve, n, mass);
        println!("{mass} kg: {gain:e}");
        assert!(gain < 0.01, "{mass} kg: {gain:e}");
    }
}
