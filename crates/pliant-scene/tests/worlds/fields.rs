//! What force fields do to bodies that rest, fall and orbit.

use pliant_core::step::{CpuStepper, advance_frame};
use pliant_core::world::World;
use pliant_math::DVec3;

use crate::world;

/// Runs so many frames. Returns the force on the first collider in the last one [N].
fn run(world: &mut World, frames: u32) -> DVec3 {
    let mut stepper = CpuStepper::new(1).expect("a thread");
    let mut force = DVec3::ZERO;
    for _ in 0..frames {
        let report = advance_frame(world, &mut stepper, &mut |_| ()).expect("a sound scene");
        force = report
            .collider_force
            .first()
            .copied()
            .unwrap_or(DVec3::ZERO);
    }
    force
}

/// A block of iron of 1 kg, its lower face at a height [m].
fn block(height: f64, more: &str) -> String {
    format!(
        "[scene]\nduration = 1.0\nframe_rate = 24\n\
         [material.iron]\nlaw = \"rigid\"\ndensity = 1000.0\n\
         [[collider]]\nname = \"floor\"\nshape = {{ plane = {{}} }}\nfriction = 0.5\n\
         [[body]]\nname = \"block\"\nmaterial = \"iron\"\nshape = {{ box = {{ size = [0.1, 0.1, 0.1] }} }}\n\
         position = [0, {:?}, 0]\n{more}",
        height + 0.05
    )
}

fn field(lines: &str) -> String {
    format!("[[force]]\nname = \"field\"\n{lines}\n")
}

#[test]
fn what_rests_in_a_medium_weighs_what_it_does_without_one() {
    for rate in [1.0, 5.0, 100.0] {
        let drag = field(&format!("kind = \"drag\"\nlinear = {rate:?}"));
        let mut world = world(&block(0.0, &drag));
        let force = run(&mut world, 12);
        assert!((force.y / -9.81 - 1.0).abs() < 1e-4, "{rate}/s: {force}");
        // Acting on what contacts had not yet stopped, it took 32 % at 100/s.
        let account = world.state.account;
        assert!(account.work.fields.abs() < 1e-6, "{account:?}");
        assert!(account.gained < 1e-6, "{account:?}");
    }
}

#[test]
fn springs_that_hang_in_a_medium_stretch_as_far_as_without_one() {
    let lowest = |medium: &str| {
        let text = format!(
            "[scene]\nduration = 2.0\nframe_rate = 24\n[solver]\ndamping = 2.0\n\
             [material.net]\nlaw = \"spring-linear\"\ndensity = 1000.0\nstiffness = 2000.0\nthickness = 0.005\n\
             [[body]]\nname = \"net\"\nmaterial = \"net\"\nshape = {{ sheet = {{ size = [0.2, 0.5] }} }}\n\
             position = [0, -0.25, 0]\nspacing = 0.05\nrotation = [90, 0, 0]\n\
             [[attach]]\nname = \"top\"\nbody = \"net\"\nshape = {{ box = {{ size = [0.5, 0.01, 0.1] }} }}\n{medium}"
        );
        let mut world = world(&text);
        run(&mut world, 48);
        let heights = world.state.particles.position.iter().map(|x| x.y);
        -0.5 - heights.fold(0.0, f64::min)
    };
    let alone = lowest("");
    assert!(alone > 1e-3, "{alone} m");
    for medium in [
        "kind = \"drag\"\nlinear = 20.0",
        "kind = \"drag\"\nquadratic = 20.0",
        "kind = \"wind\"\nvelocity = [0, 0, 0]\nlinear = 20.0",
    ] {
        let within = lowest(&field(medium));
        assert!(
            (within / alone - 1.0).abs() < 2e-3,
            "{medium}: {within} of {alone} m"
        );
    }
}

#[test]
fn wind_that_friction_withstands_moves_nothing_and_is_borne_by_the_floor() {
    // 3 N of drag against 4.9 N of friction.
    let wind = field("kind = \"wind\"\nvelocity = [1, 0, 0]\nlinear = 3.0");
    let mut world = world(&block(0.0, &wind));
    let force = run(&mut world, 24);
    assert!(
        (force - DVec3::new(3.0, -9.81, 0.0)).length() < 1e-3,
        "{force}"
    );
    let x = world.state.particles.position[0].x;
    assert!(x.abs() < 1e-6, "{x} m");
}

#[test]
fn what_falls_in_a_medium_reaches_the_terminal_velocity() {
    for (medium, speed) in [
        ("kind = \"drag\"\nlinear = 20.0", 9.81 / 20.0),
        ("kind = \"drag\"\nquadratic = 40.0", (9.81f64 / 40.0).sqrt()),
    ] {
        let mut world = world(&block(5.0, &field(medium)));
        run(&mut world, 24);
        let v = f64::from(world.state.particles.velocity[0].y);
        assert!((v / -speed - 1.0).abs() < 1e-5, "{medium}: {v} m/s");
        let account = world.state.account;
        assert!(account.gained < 1e-3 * account.scale(), "{account:?}");
    }
}

#[test]
fn a_rigid_body_orbits_a_point_and_swings_about_it_without_gaining_energy() {
    let scene = |velocity: &str, pull: &str| {
        format!(
            "[scene]\nduration = 8.0\nframe_rate = 48\ngravity = [0, 0, 0]\n\
             [material.stone]\nlaw = \"rigid\"\ndensity = 1000.0\n\
             [[body]]\nname = \"planet\"\nmaterial = \"stone\"\nshape = {{ sphere = {{ radius = 0.02 }} }}\n\
             position = [1, 0, 0]\nvelocity = {velocity}\n\
             [[force]]\nname = \"sun\"\nkind = \"point\"\n{pull}\n"
        )
    };
    // Kepler: with a = 1/r^2 the semi-major axis is 1/(2 - v^2).
    let mut orbit = world(&scene("[0, 0, 0.8]", "acceleration = 1.0\ncore = 0.01"));
    let period = std::f64::consts::TAU * (1.0 / (2.0 - 0.64f64)).powf(1.5);
    run(&mut orbit, (2.0 * period * 48.0).round() as u32);
    let p = &orbit.state.particles;
    let momentum = p.position[0]
        .cross(pliant_math::to_double(p.velocity[0]))
        .length();
    assert!((momentum / 0.8 - 1.0).abs() < 1e-4, "{momentum} m2/s");
    assert!(p.position[0].distance(DVec3::X) < 0.05, "{}", p.position[0]);

    let mut swing = world(&scene("[0, 0, 0]", "acceleration = 9.0\nfalloff = -1.0"));
    let mut farthest: f64 = 0.0;
    let mut stepper = CpuStepper::new(1).expect("a thread");
    for frame in 0..20 * 48 {
        advance_frame(&mut swing, &mut stepper, &mut |_| ()).expect("a sound scene");
        if frame > 18 * 48 {
            farthest = farthest.max(swing.state.particles.position[0].x.abs());
        }
    }
    // It was 1.2 m after 20 s.
    assert!((farthest - 1.0).abs() < 5e-3, "{farthest} m");
    let account = swing.state.account;
    assert!(
        account.lost + account.gained < 1e-3 * account.scale(),
        "{account:?}"
    );
}
