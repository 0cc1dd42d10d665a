//! What a world is built from.

use crate::support::*;

#[test]
fn sand_column_becomes_particles_of_its_mass() {
    let built = built(SAND_COLUMN);
    let body = &built.setup.bodies[0];
    let volume = std::f64::consts::PI * 0.1 * 0.1 * 0.1;
    let count = body.particles.position.len() as f64;
    let mass = count * body.particles.particle_mass;
    assert!((mass / (1600.0 * volume) - 1.0).abs() < 0.01, "{mass} kg");
    assert!((count * 1e-6 / volume - 1.0).abs() < 0.05, "{count} particles");
    assert_eq!(body.support_radius, 0.02);
    println!("{:#?}", built.facts);
}
