//! Flesh that moves in water.

use pliant_core::methods::fluid::FLUID;
use pliant_core::methods::muscle::{
    Activation, Flesh, Incompressibility, Integration, Muscle, TravelingWave,
};
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Body, Material, World};
use pliant_materials::{Law, Newtonian};
use pliant_math::{DVec3, to_double};

use super::{DENSITY, SPACING, block, by_precision, corotated, settings, world_of};

const SWIMMER: [usize; 3] = [2, 3, 8];

/// A bar of flesh with a muscle on each side that waves pass, half a period after each other.
fn swimmer() -> Flesh {
    let mut flesh = block(SWIMMER);
    for (name, side, phase) in [("left", 0.0, 0.0), ("right", SPACING, 0.5)] {
        let wave = Activation::Wave(TravelingWave {
            mean: 0.5,
            amplitude: 0.5,
            frequency: 5.0,
            phase,
        });
        flesh.add(Muscle::new(name, 1e5, wave), |_, x| {
            let is_there = (side..side + SPACING).contains(&x.x);
            is_there.then_some((DVec3::Z, x.z / (8.0 * SPACING)))
        });
    }
    flesh
}

/// Water two spacings thick all around it.
fn water() -> Body {
    let size = SWIMMER.map(|n| n + 4);
    let at = |k: usize| {
        let cell = [k % size[0], k / size[0] % size[1], k / (size[0] * size[1])];
        DVec3::from_array(cell.map(|c| (c as f64 - 1.5) * SPACING))
    };
    let end = DVec3::from_array(SWIMMER.map(|n| n as f64 * SPACING));
    let is_outside = |x: &DVec3| x.cmplt(DVec3::ZERO).any() || x.cmpgt(end).any();
    let places = (0..size.iter().product()).map(at).filter(is_outside);
    Body::new(FLUID, 1, DENSITY, SPACING, places.collect())
}

fn in_water(integration: Integration) -> World {
    let mut setup = world_of(corotated(0.4), vec![swimmer()]);
    setup.materials.push(Material {
        name: "water".into(),
        density: DENSITY,
        youngs_modulus: 0.0,
        law: Law::Newtonian(Newtonian { viscosity: 0.05 }),
    });
    setup.bodies.push(water());
    setup.solver.xsph_rate = 10.0;
    let chosen = settings(&mut setup);
    chosen.integration = integration;
    chosen.incompressibility = Incompressibility::Velocity;
    World::new(setup)
}

/// Momentum of both and of the water, and the sum of m |v| [kg m/s].
fn momenta(world: &World) -> (DVec3, DVec3, f64) {
    let p = &world.state.particles;
    let mut sums = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for i in 0..p.len() {
        let momentum = to_double(p.velocity[i]) * f64::from(p.mass[i]);
        sums.0 += momentum;
        sums.1 += momentum * f64::from(u8::from(p.body[i] == 1));
        sums.2 += momentum.length();
    }
    sums
}

#[test]
fn a_swimmer_and_its_water_keep_their_momentum() {
    for integration in [Integration::Explicit, Integration::Implicit] {
        let mut world = in_water(integration);
        let mut stepper = CpuStepper::new(2).expect("threads");
        let (mut size, mut of_water, mut worst) = (0.0_f64, 0.0_f64, 0.0_f64);
        for _ in 0..400 {
            stepper.substep(&mut world, 5e-4).expect("sound flesh");
            let (whole, water, sizes) = momenta(&world);
            size = size.max(sizes);
            of_water = of_water.max(water.length());
            worst = worst.max(whole.length() / size);
        }
        assert!(
            worst < by_precision(1e-12, 1e-5),
            "{integration:?} {worst:e}"
        );
        // They push each other.
        assert!(of_water > 1e-3 * size, "{integration:?} {of_water} {size}");
    }
}
