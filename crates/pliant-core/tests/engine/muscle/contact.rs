//! Contacts of flesh with itself and with other solids.

use pliant_core::methods::muscle::{
    self, Activation, Incompressibility, Integration, Muscle, SUPPORT,
};
use pliant_core::methods::strain_energy;
use pliant_core::particles::Particles;
use pliant_core::rest::RestShape;
use pliant_core::schedule::{Ease, Schedule};
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::World;
use pliant_math::{DVec3, Real, to_double, to_real};

use super::{DENSITY, SPACING, corotated, world_of};

const CELLS: [usize; 3] = [14, 7, 4];

/// Two arms of two layers, joined at one end, three spacings apart.
fn fork() -> Vec<DVec3> {
    let [nx, ny, nz] = CELLS;
    let cell = |k: usize| DVec3::from_array([k % nx, k / nx % ny, k / (nx * ny)].map(|c| c as f64));
    let cells = (0..nx * ny * nz).map(cell);
    let of_fork = cells.filter(|c| c.x < 1.5 || c.y < 1.5 || c.y > 4.5);
    of_fork.map(|c| c * SPACING).collect()
}

fn flesh(position: Vec<DVec3>) -> muscle::Flesh {
    muscle::Flesh::passive(RestShape::new(position, SUPPORT * SPACING))
}

/// Least height [m] of some particles above others.
fn gap(p: &Particles, above: impl Fn(u32) -> bool, below: impl Fn(u32) -> bool) -> f64 {
    let (mut least, mut greatest) = (f64::INFINITY, f64::NEG_INFINITY);
    for (x, &id) in p.position.iter().zip(&p.id) {
        if above(id) {
            least = least.min(x.y);
        }
        if below(id) {
            greatest = greatest.max(x.y);
        }
    }
    least - greatest
}

fn momentum(p: &Particles) -> DVec3 {
    let each = p.velocity.iter().zip(&p.mass);
    each.map(|(&v, &m)| to_double(v) * f64::from(m)).sum()
}

/// Presses the arms together; returns how far apart they are [spacings] and the momentum [kg m/s].
fn pressed(meets_itself: bool) -> (f64, DVec3) {
    let rest = fork();
    let mut setup = world_of(corotated(0.3), vec![flesh(rest.clone())]);
    setup.bodies[0].meets_itself = meets_itself;
    let mut world = World::new(setup);
    let is_of = |id: u32, low: f64, high: f64| {
        let cell = rest[id as usize] / SPACING;
        cell.x > 8.0 && cell.y > low && cell.y < high
    };
    let (upper, lower) = (
        |id: u32| is_of(id, 4.5, 9.0),
        |id: u32| is_of(id, -1.0, 1.5),
    );
    let mut stepper = CpuStepper::new(2).expect("threads");
    for _ in 0..400 {
        let p = &mut world.state.particles;
        for i in 0..p.len() {
            let push = f64::from(u8::from(lower(p.id[i]))) - f64::from(u8::from(upper(p.id[i])));
            p.velocity[i] += to_real(DVec3::Y * (push * 4e-3));
        }
        stepper.substep(&mut world, 5e-4).expect("a sound scene");
    }
    let p = &world.state.particles;
    (gap(p, upper, lower) / SPACING, momentum(p))
}

#[test]
fn parts_of_a_body_that_touch_do_not_pass_through_each_other() {
    let (with, momentum) = pressed(true);
    let (without, _) = pressed(false);
    assert!((0.5..1.3).contains(&with), "{with}");
    assert!(without < 0.0, "{without}");
    assert!(momentum.length() < 1e-4, "{momentum}");
}

/// A muscle that shortens to four tenths of its length draws particles that were two spacings apart within one.
#[test]
fn flesh_that_contracts_does_not_meet_itself() {
    let length = |meets_itself: bool| {
        let cell = |k: usize| DVec3::from_array([k % 5, k / 25, k / 5 % 5].map(|c| c as f64));
        let mut bar = flesh((0..5 * 5 * 16).map(|k| cell(k) * SPACING).collect());
        let activation = Schedule::Keyframes {
            keyframes: vec![(0.0, 0.0), (0.5, 1.0)],
            ease: Ease::Smooth,
        };
        let muscle = Muscle {
            shortening: 0.6,
            ..Muscle::new("bar", 1e6, Activation::Scheduled(activation))
        };
        bar.add(muscle, |_, _| Some((DVec3::Y, 0.0)));
        let mut setup = world_of(corotated(0.3), vec![bar]);
        setup.bodies[0].meets_itself = meets_itself;
        let settings = super::settings(&mut setup);
        settings.integration = Integration::Implicit;
        settings.incompressibility = Incompressibility::Velocity;
        let mut world = World::new(setup);
        let mut stepper = CpuStepper::new(2).expect("threads");
        for _ in 0..250 {
            stepper.substep(&mut world, 4e-3).expect("a sound scene");
        }
        let p = &world.state.particles;
        gap(p, |id| id >= 375, |id| id < 25) / (15.0 * SPACING)
    };
    let (with, without) = (length(true), length(false));
    assert!(without < 0.5, "{without}");
    assert!((with - without).abs() < 1e-3, "{with} {without}");
}

/// A block of one method falls on a block of another; both know where they are at rest.
#[test]
fn solids_of_two_methods_rest_on_each_other() {
    let block = |at: DVec3| -> Vec<DVec3> {
        let cell = |k: usize| DVec3::from_array([k % 6, k / 6 % 4, k / 24].map(|c| c as f64));
        (0..144).map(|k| at + cell(k) * SPACING).collect()
    };
    let lower = block(DVec3::ZERO);
    let upper = block(DVec3::new(0.004, 4.2 * SPACING, 0.003));
    let mut setup = world_of(corotated(0.3), vec![flesh(upper)]);
    let mut rubber = strain_energy::body(0, DENSITY, SPACING, lower);
    for (x, pinned) in rubber
        .particles
        .position
        .clone()
        .iter()
        .zip(&mut rubber.particles.is_pinned)
    {
        *pinned = x.y < 0.5 * SPACING;
    }
    setup.bodies.insert(0, rubber);
    setup.gravity = DVec3::NEG_Y * 9.81;
    setup.solver.damping = 8.0;
    let mut world = World::new(setup);
    let mut stepper = CpuStepper::new(2).expect("threads");
    for _ in 0..1600 {
        stepper.substep(&mut world, 5e-4).expect("a sound scene");
    }
    let p = &world.state.particles;
    let apart = gap(p, |id| id >= 144, |id| id < 144) / SPACING;
    assert!((0.75..1.3).contains(&apart), "{apart}");
    let fastest = p.velocity.iter().map(|v| v.length()).fold(0.0, Real::max);
    assert!(fastest < 0.03, "{fastest}");
}
