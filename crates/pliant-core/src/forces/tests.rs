use super::*;

const AIR: Resistance = Resistance {
    linear: 2.0,
    quadratic: 0.0,
};

/// Position and velocity of a lone particle after so many substeps of gravity and one field.
fn fall(
    field: &dyn ForceField,
    start: (DVec3, DVec3),
    gravity: DVec3,
    steps: (usize, f64),
) -> (DVec3, DVec3) {
    let (count, dt) = steps;
    let (mut x, mut v) = start;
    for _ in 0..count {
        v += gravity * dt;
        v += field.velocity_change(x, v, 1.0, dt);
        x += v * dt;
    }
    (x, v)
}

#[test]
fn the_terminal_velocity_is_exact_for_any_step() {
    let gravity = DVec3::Y * -9.81;
    let rest = (DVec3::ZERO, DVec3::ZERO);
    for dt in [1e-3, 0.05, 1.0] {
        let linear = Drag { resistance: AIR };
        let (_, v) = fall(&linear, rest, gravity, ((30.0 / dt) as usize, dt));
        assert!((v.y + 9.81 / 2.0).abs() < 1e-9, "{dt} {v}");
        let resistance = Resistance {
            linear: 0.0,
            quadratic: 0.5,
        };
        let (_, v) = fall(
            &Drag { resistance },
            rest,
            gravity,
            ((60.0 / dt) as usize, dt),
        );
        assert!((v.y + (9.81f64 / 0.5).sqrt()).abs() < 1e-9, "{dt} {v}");
    }
}

#[test]
fn velocities_decay_towards_the_wind_as_an_exponential_and_as_a_hyperbola() {
    let velocity = DVec3::new(3.0, 0.0, -1.0);
    let start = (DVec3::ZERO, DVec3::new(0.0, 4.0, -1.0));
    let difference = start.1 - velocity;
    let wind = |resistance| Wind {
        velocity,
        resistance,
    };
    let (_, v) = fall(&wind(AIR), start, DVec3::ZERO, (10_000, 1e-4));
    let exact = velocity + difference * libm::exp(-2.0);
    assert!(
        v.distance(exact) < 3e-4 * difference.length(),
        "{v} {exact}"
    );
    let resistance = Resistance {
        linear: 0.0,
        quadratic: 0.7,
    };
    let (_, v) = fall(&wind(resistance), start, DVec3::ZERO, (10_000, 1e-4));
    let exact = velocity + difference / (1.0 + 0.7 * difference.length());
    assert!(
        v.distance(exact) < 3e-4 * difference.length(),
        "{v} {exact}"
    );
}

#[test]
fn a_long_step_in_the_wind_never_overshoots() {
    let resistance = Resistance {
        linear: 1e6,
        quadratic: 1e6,
    };
    let velocity = DVec3::X * 5.0;
    let wind = Wind {
        velocity,
        resistance,
    };
    let change = wind.velocity_change(DVec3::ZERO, DVec3::ZERO, 1.0, 10.0);
    assert!(change.x <= 5.0 && change.x > 4.999, "{change}");
}

#[test]
fn a_particle_on_a_circular_orbit_stays_there_and_returns_after_its_period() {
    let sun = Point {
        center: DVec3::new(1.0, 0.0, 0.0),
        acceleration: 4.0,
        distance: 2.0,
        falloff: 2.0,
        core: 0.2,
    };
    // At a radius of 4 m the acceleration is 1 m/s2 and the speed 2 m/s.
    let start = (DVec3::new(5.0, 0.0, 0.0), DVec3::Z * 2.0);
    let count = 40_000;
    let dt = 4.0 * std::f64::consts::PI / count as f64;
    let (half, _) = fall(&sun, start, DVec3::ZERO, (count / 2, dt));
    assert!(half.distance(DVec3::X * -3.0) < 1e-2, "{half}");
    let (x, v) = fall(&sun, start, DVec3::ZERO, (count, dt));
    assert!(
        x.distance(start.0) < 1e-2 && v.distance(start.1) < 1e-2,
        "{x} {v}"
    );
}

#[test]
fn inside_the_core_a_point_pulls_like_a_spring_and_repels_when_negative() {
    let point = |acceleration| Point {
        center: DVec3::ZERO,
        acceleration,
        distance: 1.0,
        falloff: 2.0,
        core: 0.1,
    };
    let change =
        |field: Point, x: f64| field.velocity_change(DVec3::X * x, DVec3::ZERO, 1.0, 1.0).x;
    assert!((change(point(3.0), 0.1) + 300.0).abs() < 1e-9);
    assert!((change(point(3.0), 0.05) + 150.0).abs() < 1e-9);
    assert_eq!(change(point(3.0), 0.0), 0.0);
    assert!((change(point(-3.0), 2.0) - 0.75).abs() < 1e-12);
}

#[test]
fn a_vortex_turns_as_a_solid_inside_and_falls_off_outside() {
    let vortex = Vortex {
        center: DVec3::new(0.0, 0.0, 1.0),
        axis: DVec3::Y,
        spin: 3.0,
        core: 0.5,
        updraft: 0.25,
        resistance: AIR,
    };
    let flow = |r: f64| vortex.flow(DVec3::new(r, 7.0, 1.0));
    assert!(flow(0.2).distance(DVec3::new(0.0, 0.25, -0.6)) < 1e-12);
    assert!(flow(0.5).distance(DVec3::new(0.0, 0.25, -1.5)) < 1e-12);
    assert!(flow(2.0).distance(DVec3::new(0.0, 0.25, -0.375)) < 1e-12);
    // A heavy dust grain drifts with it: its own velocity tends to the air's.
    let change = vortex.velocity_change(DVec3::Z, DVec3::ZERO, 2.0, 1e9);
    assert!(change.distance(DVec3::Y * 0.5) < 1e-6, "{change}");
}

#[test]
fn a_push_and_what_resists_after_it_are_one_implicit_step_and_leave_at_rest_what_is_held() {
    let medium = Medium {
        flow: DVec3::new(4.0, -1.0, 0.5),
        resistance: Resistance {
            linear: 3.0,
            quadratic: 0.8,
        },
    };
    let velocity = DVec3::new(0.3, 2.0, -1.0);
    for dt in [1e-3, 0.1, 10.0] {
        let pushed = velocity + medium.push(dt);
        let free = pushed + medium.resist(pushed, dt);
        let exact = velocity + medium.velocity_change(velocity, dt);
        assert!(free.distance(exact) < 1e-12 * (1.0 + dt), "{free} {exact}");
        // Contacts and constraints have taken the push.
        let held = medium.resist(DVec3::ZERO, dt);
        assert!(held.length() < 1e-12 * (1.0 + dt), "{held}");
    }
    // What it pushes with is the force on something at rest.
    let push = medium.push(1e-6) * 1e6;
    let rate = medium.velocity_change(DVec3::ZERO, 1e-6) * 1e6;
    assert!(push.distance(rate) < 1e-4 * rate.length(), "{push} {rate}");
}
