//! A closed world: every pair of methods meets without weight, walls or air.

use pliant_core::methods::rigid::{RigidColumns, RigidSetup};
use pliant_core::step::{CpuStepper, Stepper, advance_frame};
use pliant_core::world::World;
use pliant_math::{DMat3, DVec3, Real, to_double};

use crate::method_bodies::{METHOD_BODIES, body, momentum};
use crate::world;

/// How two bodies meet.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    /// Their densities [kg/m3].
    densities: [f64; 2],
    /// Whether each is a plate a spacing thick.
    is_plate: [bool; 2],
    /// Part of the energy of all that may appear. What a frame may gain goes by all energy there is, of which the light
    /// body that a heavy one falls upon has little.
    gain: f64,
}

const MEETINGS: [Meeting; 3] = [
    Meeting {
        densities: [1000.0, 1000.0],
        is_plate: [false, false],
        gain: 1e-3,
    },
    Meeting {
        densities: [100.0, 10_000.0],
        is_plate: [true, false],
        gain: 0.01,
    },
    Meeting {
        densities: [10_000.0, 100.0],
        is_plate: [true, true],
        gain: 1e-3,
    },
];

/// One body at rest, and one, with further keys, that falls upon it at 2 m/s, turned.
fn meeting(first: usize, second: usize, how: Meeting, keys: &str) -> World {
    let Meeting {
        densities,
        is_plate,
        ..
    } = how;
    let (lower, low) = body("lower", first, densities[0], is_plate[0], "");
    let (_, high) = body("", second, 1.0, is_plate[1], "");
    let height = low + high + 0.05;
    let place = format!(
        "position = [0.02, {height:?}, 0.01]\nvelocity = [0.3, -2.0, 0.1]\nrotation = [10, 20, 5]\n{keys}"
    );
    let (upper, _) = body("upper", second, densities[1], is_plate[1], &place);
    let scene = "[scene]\nduration = 0.1\nframe_rate = 120\ngravity = [0, 0, 0]\n";
    world(&format!("{scene}{lower}{upper}"))
}

#[test]
fn every_pair_of_methods_keeps_momentum_and_gains_no_energy() {
    for first in 0..METHOD_BODIES.len() {
        for (second, how) in
            (first..METHOD_BODIES.len()).flat_map(|second| MEETINGS.map(|how| (second, how)))
        {
            let name = format!(
                "{} and {}, {how:?}",
                METHOD_BODIES[first].0, METHOD_BODIES[second].0
            );
            assert_closed(&name, meeting(first, second, how, ""), how.gain);
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
            assert_closed(
                &format!("{name} under scales, {factor}"),
                world,
                MEETINGS[0].gain,
            );
        }
    }
}

/// No momentum is lost or gained while two bodies meet, and no more energy gained than that part.
fn assert_closed(name: &str, mut world: World, gain: f64) {
    let tolerance = if size_of::<Real>() == 4 { 1e-5 } else { 1e-12 };
    let mut stepper = CpuStepper::new(1).expect("a thread");
    let (start, mut size) = momentum(&world);
    let (spin, spin_size) = (angular_momentum(&world), size * UPPER_SIZE);
    let energy = stepper.energies(&world).total();
    let mut most: f64 = 0.0;
    for _ in 0..8 {
        advance_frame(&mut world, &mut stepper, &mut |_| ())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let (now, size_now) = momentum(&world);
        size = size.max(size_now);
        let drift = (now - start).length() / size;
        assert!(drift < tolerance, "{name}: momentum drifts by {drift}");
        let now = stepper.energies(&world).total();
        most = most.max(now / energy);
        assert!(now < (1.0 + gain) * energy, "{name}: {now} J of {energy} J");
    }
    let turned = (angular_momentum(&world) - spin).length() / spin_size;
    println!(
        "{name}: angular momentum drifts by {turned:.1e}, {:.1e} of the energy is gained",
        most - 1.0
    );
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
