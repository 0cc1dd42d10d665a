//! A closed world: every pair of methods meets without weight, walls or air.

use pliant_core::step::{CpuStepper, Stepper, advance_frame};
use pliant_core::world::World;
use pliant_math::{DVec3, Real, to_double};

use crate::support::*;

/// What bodies are made of: a name, whether it is a sheet, and the law without its density.
const MATTERS: [(&str, bool, &str); 10] = [
    (
        "sand",
        false,
        "law = \"drucker-prager\"\nyoungs_modulus = 3e5\nfriction_angle = 30",
    ),
    (
        "goo",
        false,
        "law = \"herschel-bulkley\"\nyoungs_modulus = 5e4\npoissons_ratio = 0.45\nyield_stress = 100\nconsistency = 10\nflow_index = 0.5",
    ),
    ("elastic", false, "law = \"elastic\"\nyoungs_modulus = 3e5"),
    (
        "granules",
        false,
        "law = \"contact-friction\"\nfriction = 0.5",
    ),
    ("fluid", false, "law = \"newtonian\"\nviscosity = 0.05"),
    (
        "rubber",
        false,
        "law = \"neo-hookean\"\nyoungs_modulus = 3e5\npoissons_ratio = 0.45",
    ),
    ("cloth", true, "law = \"cloth\""),
    ("lattice", false, "law = \"spring-cubic\"\nstiffness = 3000"),
    ("net", true, "law = \"spring-linear\"\nstiffness = 3000"),
    ("rigid", false, "law = \"rigid\""),
];

/// How two bodies meet: their densities [kg/m3], and whether they are plates a spacing thick.
const MEETINGS: [([f64; 2], bool); 3] = [
    ([1000.0, 1000.0], false),
    ([100.0, 10_000.0], true),
    ([10_000.0, 100.0], true),
];

/// A body of some matter, and half of how high it is [m].
fn body(name: &str, matter: usize, density: f64, is_plate: bool, place: &str) -> (String, f64) {
    let (kind, is_sheet, law) = MATTERS[matter];
    let (shape, half) = match (is_sheet, is_plate) {
        (true, _) => ("{ sheet = { size = [0.16, 0.16] } }", 0.0),
        (_, true) => ("{ box = { size = [0.12, 0.02, 0.12] } }", 0.01),
        (_, false) => ("{ box = { size = [0.08, 0.08, 0.08] } }", 0.04),
    };
    let spacing = if kind == "rigid" {
        ""
    } else {
        "spacing = 0.02"
    };
    let text = format!(
        "[material.{name}]\n{law}\ndensity = {density:?}\n[[body]]\nname = \"{name}\"\nmaterial = \"{name}\"\nshape = {shape}\n{spacing}\n{place}\n"
    );
    (text, half)
}

/// One body at rest, and one that falls upon it at 2 m/s, turned.
fn meeting(first: usize, second: usize, (densities, is_plate): ([f64; 2], bool)) -> World {
    let (lower, low) = body("lower", first, densities[0], is_plate, "");
    let (_, high) = body("", second, 1.0, is_plate, "");
    let height = low + high + 0.05;
    let place = format!(
        "position = [0.02, {height:?}, 0.01]\nvelocity = [0.3, -2.0, 0.1]\nrotation = [10, 20, 5]"
    );
    let (upper, _) = body("upper", second, densities[1], is_plate, &place);
    let scene = "[scene]\nduration = 0.1\nframe_rate = 120\ngravity = [0, 0, 0]\n";
    World::new(built(&format!("{scene}{lower}{upper}")).setup)
}

/// Momentum [kg m/s], and the sum of m |v|.
fn momentum(world: &World) -> (DVec3, f64) {
    let p = &world.state.particles;
    let of = |i: usize| to_double(p.velocity[i]) * f64::from(p.mass[i]);
    let add = |(sum, sizes), i| (sum + of(i), sizes + of(i).length());
    (0..p.len()).fold((DVec3::ZERO, 0.0), add)
}

#[test]
fn whatever_meets_keeps_its_momentum_and_makes_no_energy() {
    let tolerance = if size_of::<Real>() == 4 { 1e-5 } else { 1e-12 };
    for first in 0..MATTERS.len() {
        for (second, meeting_kind) in
            (first..MATTERS.len()).flat_map(|second| MEETINGS.map(|kind| (second, kind)))
        {
            let name = format!(
                "{} and {}, {meeting_kind:?}",
                MATTERS[first].0, MATTERS[second].0
            );
            let mut world = meeting(first, second, meeting_kind);
            let mut stepper = CpuStepper::new(&world.setup, 1).expect("a thread");
            let (start, mut size) = momentum(&world);
            let energy = stepper.energies(&world).total();
            for _ in 0..8 {
                advance_frame(&mut world, &mut stepper, &mut |_| ())
                    .unwrap_or_else(|error| panic!("{name}: {error}"));
                let (now, size_now) = momentum(&world);
                size = size.max(size_now);
                let drift = (now - start).length() / size;
                assert!(drift < tolerance, "{name}: momentum drifts by {drift}");
                let now = stepper.energies(&world).total();
                assert!(now < 1.005 * energy, "{name}: {now} J of {energy} J");
            }
            let pushed = speed_of_lower(&world);
            assert!(pushed > 1e-5, "{name}: they have not met, {pushed} m/s");
        }
    }
}

/// Speed [m/s] of the centre of mass of the first body.
fn speed_of_lower(world: &World) -> f64 {
    let p = &world.state.particles;
    let of_body = (0..p.len()).filter(|&i| p.body[i] == 0);
    let add = |(momentum, mass), i: usize| {
        let m = f64::from(p.mass[i]);
        (momentum + to_double(p.velocity[i]) * m, mass + m)
    };
    let (momentum, mass) = of_body.fold((DVec3::ZERO, 0.0), add);
    momentum.length() / mass
}
