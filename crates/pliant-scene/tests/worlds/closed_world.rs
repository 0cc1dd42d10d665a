//! A closed world: every pair of methods meets without weight, walls or air.

use pliant_core::methods::rigid::{RigidColumns, RigidSetup};
use pliant_core::step::{CpuStepper, Stepper, advance_frame};
use pliant_core::world::World;
use pliant_math::{DMat3, DVec3, Real, to_double};

use crate::method_bodies::{METHOD_BODIES, body, momentum};
use crate::world;

/// How two bodies meet: their densities [kg/m3], and whether they are plates a spacing thick.
const MEETINGS: [([f64; 2], bool); 3] = [
    ([1000.0, 1000.0], false),
    ([100.0, 10_000.0], true),
    ([10_000.0, 100.0], true),
];

/// One body at rest, and one, with further keys, that falls upon it at 2 m/s, turned.
fn meeting(
    first: usize,
    second: usize,
    (densities, is_plate): ([f64; 2], bool),
    keys: &str,
) -> World {
    let (lower, low) = body("lower", first, densities[0], is_plate, "");
    let (_, high) = body("", second, 1.0, is_plate, "");
    let height = low + high + 0.05;
    let place = format!(
        "position = [0.02, {height:?}, 0.01]\nvelocity = [0.3, -2.0, 0.1]\nrotation = [10, 20, 5]\n{keys}"
    );
    let (upper, _) = body("upper", second, densities[1], is_plate, &place);
    let scene = "[scene]\nduration = 0.1\nframe_rate = 120\ngravity = [0, 0, 0]\n";
    world(&format!("{scene}{lower}{upper}"))
}

#[test]
fn every_pair_of_methods_keeps_momentum_and_gains_no_energy() {
    for first in 0..METHOD_BODIES.len() {
        for (second, meeting_kind) in
            (first..METHOD_BODIES.len()).flat_map(|second| MEETINGS.map(|kind| (second, kind)))
        {
            let name = format!(
                "{} and {}, {meeting_kind:?}",
                METHOD_BODIES[first].0, METHOD_BODIES[second].0
            );
            assert_closed(&name, meeting(first, second, meeting_kind, ""));
        }
    }
}

#[test]
fn a_rigid_body_with_scales_and_one_of_any_method_keep_momentum_and_gain_no_energy() {
    let mut matters = METHOD_BODIES.iter().map(|&(name, ..)| name);
    let rigid = matters.position(|name| name == "rigid").expect("it is one");
    for (first, &(name, ..)) in METHOD_BODIES.iter().enumerate() {
        for factor in [0.1, 5.0] {
            let keys = format!(
                "friction = 0.6\nfriction_axis = [1, 0.2, 0.7]\nfriction_along = {factor:?}"
            );
            let world = meeting(first, rigid, MEETINGS[0], &keys);
            assert_closed(&format!("{name} under scales, {factor}"), world);
        }
    }
}

/// Nothing is lost or gained while two bodies meet.
fn assert_closed(name: &str, mut world: World) {
    let tolerance = if size_of::<Real>() == 4 { 1e-5 } else { 1e-12 };
    let mut stepper = CpuStepper::new(1).expect("a thread");
    let (start, mut size) = momentum(&world);
    let (spin, spin_size) = (angular_momentum(&world), size * UPPER_SIZE);
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
    let turned = (angular_momentum(&world) - spin).length() / spin_size;
    println!("{name}: angular momentum drifts by {turned:.1e}");
    let pushed = speed_of_lower(&world);
    assert!(pushed > 1e-5, "{name}: they have not met, {pushed} m/s");
}

/// A length of the upper body [m], by which angular momentum is compared with momentum.
const UPPER_SIZE: f64 = 0.1;

/// Angular momentum about the origin [kg m2/s].
fn angular_momentum(world: &World) -> DVec3 {
    let p = &world.state.particles;
    let orbits =
        (0..p.len()).map(|i| p.position[i].cross(to_double(p.velocity[i]) * f64::from(p.mass[i])));
    let bodies = RigidSetup::of(&world.setup).bodies;
    // Worlds without rigid bodies have no columns of them.
    let rigid = world.state.methods.find::<RigidColumns>();
    let numbered = bodies.iter().enumerate();
    let spins = numbered.filter_map(|(number, body)| Some((number, body, rigid?)));
    let spins = spins.map(|(number, body, rigid)| {
        let turn = DMat3::from_quat(rigid.rotation[number]);
        turn * body.shape.inertia * turn.transpose() * rigid.spin[number]
    });
    orbits.sum::<DVec3>() + spins.sum::<DVec3>()
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
