//! Contracts of positions and velocities that are given between steps.

use pliant_core::measure::Wanted;
use pliant_core::step::{MotionColumn, MotionError, MotionTrouble, NewMotion};
use pliant_math::{Vec3, to_double};
use pliant_scene::SceneBuilder;

use super::editing::{cube, of_all_methods, simulation_of, step, tables};
use super::*;

/// What is always there, far from everything else.
const ALONE: &str = r#"
[scene]
duration = 1
bounds = { min = [-100, -100, -100], max = [100, 100, 100], on_exit = "stop" }
[material.rubber]
law = "neo-hookean"
density = 1000.0
youngs_modulus = 1e5
poissons_ratio = 0.3
[[body]]
name = "far"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [5.0, 0.0, 0.0]
sampling = "grid"
spacing = 0.05
[[collider]]
name = "hand"
driven = true
position = [5.0, 3.0, 0.0]
"#;

/// A body of a method 0.2 m above the origin, without a floor; after some frames, so that it moves and has a past.
fn with(method: &str, tables: &SceneBuilder) -> Simulation {
    let mut own = simulation_of(ALONE.trim_start());
    own.add(tables).unwrap_or_else(|e| panic!("{method}: {e}"));
    own
}

fn falling(method: &str, tables: &SceneBuilder) -> Simulation {
    let mut own = with(method, tables);
    step(&mut own, 2);
    own
}

fn mean(values: impl ExactSizeIterator<Item = DVec3>) -> DVec3 {
    let count = values.len() as f64;
    values.sum::<DVec3>() / count
}

/// Mean position [m] and velocity [m/s] of the body that was added.
fn center(own: &Simulation) -> (DVec3, DVec3) {
    let (places, particles) = (own.places_of("added").expect("a body"), own.particles());
    (
        mean(places.iter().map(|&i| particles.position[i])),
        mean(places.iter().map(|&i| to_double(particles.velocity[i]))),
    )
}

fn momentum(own: &Simulation) -> DVec3 {
    let particles = own.particles();
    let of = |i: usize| to_double(particles.velocity[i]) * f64::from(particles.mass[i]);
    (0..particles.len()).map(of).sum()
}

/// The error of one particle.
fn refused(error: SimulationError) -> (MotionColumn, u32, MotionTrouble) {
    match error {
        SimulationError::Motion(MotionError::Value {
            column,
            particle,
            trouble,
            ..
        }) => (column, particle, trouble),
        other => panic!("{other}"),
    }
}

#[test]
fn an_edit_that_changes_nothing_changes_no_bit() {
    for (method, tables) in of_all_methods() {
        let mut edited = falling(method, &tables);
        let mut plain = falling(method, &tables);
        assert!(edited.save() == plain.save(), "{method}");
        let (position, velocity) = edited
            .edit(|particles| (particles.position.to_vec(), particles.velocity.to_vec()))
            .expect("nothing is changed");
        let same = NewMotion {
            position: Some(position),
            velocity: Some(velocity),
        };
        edited.give_motion(same).expect("nothing is changed");
        assert!(edited.save() == plain.save(), "{method}");
        step(&mut edited, 2);
        step(&mut plain, 2);
        assert!(edited.save() == plain.save(), "{method}");
    }
}

#[test]
fn momentum_is_what_the_given_velocities_make_and_stays_so() {
    for (method, tables) in of_all_methods() {
        let mut own = with(method, &tables);
        own.change(|setup| setup.gravity = DVec3::ZERO)
            .expect("live");
        step(&mut own, 1);
        let of_place = |i: usize| DVec3::new(0.3 + 0.02 * (i % 5) as f64, -0.1, 0.05);
        own.edit(|particles| {
            for (i, v) in particles.velocity.iter_mut().enumerate() {
                *v = pliant_math::to_real(of_place(i));
            }
        })
        .unwrap_or_else(|e| panic!("{method}: {e}"));
        let particles = own.particles();
        let given = (0..particles.len()).map(|i| of_place(i) * f64::from(particles.mass[i]));
        let given: DVec3 = given.sum();
        let set = momentum(&own);
        assert!(
            (set - given).length() < 1e-6 * given.length(),
            "{method}: {set} of {given}"
        );
        step(&mut own, 2);
        let kept = momentum(&own);
        assert!(
            (kept - given).length() < 1e-5 * given.length(),
            "{method}: {kept} of {given}"
        );
    }
}

#[test]
fn a_body_that_is_put_elsewhere_falls_freely_from_there() {
    for (method, tables) in of_all_methods() {
        let mut own = falling(method, &tables);
        let places = own.places_of("added").expect("a body");
        let way = DVec3::new(-1.0, 2.0, 0.5);
        let thrown = DVec3::new(0.5, 1.0, 0.0);
        let before = center(&own).0;
        own.edit(|particles| {
            for &place in &places {
                particles.position[place] += way;
                particles.velocity[place] = pliant_math::to_real(thrown);
            }
        })
        .unwrap_or_else(|e| panic!("{method}: {e}"));
        let (start, velocity) = center(&own);
        assert!((start - before - way).length() < 1e-12, "{method}");
        assert!((velocity - thrown).length() < 1e-6, "{method}");
        let time = own.time();
        let steps = [(); 4].map(|()| step(&mut own, 1).dt);
        let dt = steps.into_iter().fold(0.0, f64::max);
        let (reached, velocity) = center(&own);
        let flown = own.time() - time;
        // Steps that add up velocities first fall half a step further; rigid bodies fly along the parabola.
        let gravity = DVec3::Y * -9.81;
        let exact = start + thrown * flown + 0.5 * gravity * flown * flown;
        let off = (reached - exact).length();
        let allowed = 0.5 * 9.81 * flown * dt * 1.01 + 1e-5;
        assert!(
            off < allowed,
            "{method}: {reached} not {exact}, by {off}, {allowed}"
        );
        let exact = thrown + gravity * flown;
        assert!(
            (velocity - exact).length() < 1e-3,
            "{method}: {velocity} not {exact}"
        );
        // It was not torn: what it had of energy is what it has, but for the fall.
        assert!(
            own.report().gained_share < 1e-2,
            "{method}: {:?}",
            own.report()
        );
    }
}

#[test]
fn an_edited_simulation_has_the_same_bits_on_any_threads_and_from_a_saved_state() {
    for (method, tables) in of_all_methods() {
        let edited = |threads: usize| {
            let mut own = falling(method, &tables);
            own.move_to(Pool::new(threads).expect("threads"));
            for _ in 0..2 {
                own.edit(|particles| {
                    for (i, x) in particles.position.iter_mut().enumerate() {
                        let id = f64::from(particles.id[i]);
                        *x += DVec3::new(0.1, 1e-4 * (id % 3.0), 0.0);
                        particles.velocity[i] *= 0.5;
                    }
                })
                .unwrap_or_else(|e| panic!("{method}: {e}"));
                step(&mut own, 1);
            }
            own.edit(|particles| particles.velocity.fill(Vec3::ZERO))
                .expect("sound");
            own
        };
        let (mut one, mut other) = (edited(1), edited(3));
        assert!(one.save() == other.save(), "{method}");
        let saved = one.save();
        // A fresh one has no scratch that knows of what was before.
        let mut fresh = with(method, &tables);
        fresh.restore(&saved).expect("its own state");
        for own in [&mut one, &mut other, &mut fresh] {
            step(own, 2);
        }
        assert!(
            one.save() == other.save() && one.save() == fresh.save(),
            "{method}"
        );
    }
}

#[test]
fn what_no_particle_can_have_is_refused_with_its_name_and_nothing_changes() {
    let mut own = simulation_of(ALONE.trim_start());
    step(&mut own, 1);
    let before = own.save();
    let id = own.particles().id[3];
    let wrong_positions = [
        (DVec3::NAN, MotionTrouble::NotFinite),
        (DVec3::X * f64::NEG_INFINITY, MotionTrouble::NotFinite),
        (DVec3::Y * 1e30, MotionTrouble::TooFar),
        (DVec3::Y * 101.0, MotionTrouble::OutOfBounds),
    ];
    for (x, why) in wrong_positions {
        let error = own.edit(|particles| {
            particles.velocity.fill(Vec3::X);
            particles.position[3] = x;
        });
        let told = refused(error.expect_err("refused"));
        assert!(told == (MotionColumn::Position, id, why), "{told:?}");
        assert!(own.save() == before);
    }
    let wrong_velocities = [
        Vec3::NAN,
        Vec3::X * pliant_math::Real::INFINITY,
        Vec3::Y * 1e30,
    ];
    for v in wrong_velocities {
        let error = own.edit(|particles| {
            particles.position[0].y += 1.0;
            particles.velocity[3] = v;
        });
        let (column, particle, why) = refused(error.expect_err("refused"));
        assert!(column == MotionColumn::Velocity && particle == id);
        assert!(matches!(
            why,
            MotionTrouble::NotFinite | MotionTrouble::TooFast { .. }
        ));
        assert!(own.save() == before);
    }
    let said = own.edit(|particles| particles.velocity[3] = Vec3::NAN);
    let said = said.expect_err("refused").to_string();
    for part in [
        "velocity",
        &format!("particle {id}"),
        "\"far\"",
        "NaN",
        "m/s",
        "finite",
    ] {
        assert!(said.contains(part), "{part} in: {said}");
    }
    let short = NewMotion {
        velocity: Some(vec![Vec3::ZERO; 3]),
        ..NewMotion::default()
    };
    let said = own.give_motion(short).expect_err("too short").to_string();
    assert!(
        said.contains("velocity") && said.contains("8") && said.contains("3"),
        "{said}"
    );
    assert!(own.save() == before);
    // The greatest that is allowed can be stepped, by its own length.
    let given = own.edit(|particles| particles.velocity.fill(Vec3::X * 1e3));
    given.expect("fast, but not too fast");
    own.substep(1e-6).expect("sound");
}

#[test]
fn what_is_held_is_refused_until_it_is_released() {
    let mut own = simulation_of(ALONE.trim_start());
    own.attach("grip", "far", AttachTo::Collider("hand"), |x| x.y > 0.0)
        .expect("particles");
    own.drive("hand", DVec3::Y, DVec3::ZERO).expect("driven");
    step(&mut own, 1);
    let before = own.save();
    let moved = own.edit(|particles| {
        for x in particles.position.iter_mut() {
            x.x += 0.1;
        }
    });
    let (column, _, why) = refused(moved.expect_err("some are held"));
    assert!(column == MotionColumn::Position && why == MotionTrouble::Held);
    let stopped = own.edit(|particles| particles.velocity.fill(Vec3::ZERO));
    let (column, _, why) = refused(stopped.expect_err("some are held"));
    assert!(column == MotionColumn::Velocity && why == MotionTrouble::Held);
    assert!(own.save() == before);
    // Those that are free can be told by their inverse masses.
    own.edit(|particles| {
        for (v, &inverse_mass) in particles.velocity.iter_mut().zip(particles.inverse_mass) {
            if inverse_mass > 0.0 {
                *v = Vec3::ZERO;
            }
        }
    })
    .expect("free ones only");
    own.release("grip").expect("an attachment");
    own.edit(|particles| particles.velocity.fill(Vec3::ZERO))
        .expect("all are free");
    assert!(momentum(&own) == DVec3::ZERO);
}

/// A stone on a floor.
fn stone() -> Simulation {
    let floor = "[[collider]]\nname = \"floor\"\nfriction = 0.0\nshape = { plane = {} }";
    let mut own = simulation_of(&format!(
        "{}\n{floor}",
        ALONE.replace("position = [5.0, 0.0", "position = [5.0, 9.0")
    ));
    let material = [("t.law", "rigid".into()), ("t.density", 2000.0.into())];
    let resting = cube("t")
        .with("position", [0.0, 0.05, 0.0])
        .with("friction", 0.0);
    own.add(&tables(&material, resting)).expect("sound");
    own
}

#[test]
fn a_rigid_body_goes_with_its_particle_and_keeps_its_rotation_and_spin() {
    let mut own = stone();
    let place = own.places_of("added").expect("a body")[0];
    own.edit(|particles| {
        particles.position[place] = DVec3::new(1.0, 1.0, -2.0);
        particles.velocity[place] = Vec3::X;
    })
    .expect("free");
    let pose = own.pose_of_collider("added").expect("a collider");
    assert!((pose.translation - DVec3::new(1.0, 1.0, -2.0)).length() < 1e-12);
    assert!(pose.rotation == Pose::IDENTITY.rotation);
    step(&mut own, 5);
    let (time, pose) = (
        own.time(),
        own.pose_of_collider("added").expect("a collider"),
    );
    let expected = DVec3::new(1.0 + time, 1.0 - 0.5 * 9.81 * time * time, -2.0);
    let off = (pose.translation - expected).length();
    assert!(off < 1e-5, "{} not {expected}", pose.translation);
    assert!(pose.rotation.is_near_identity());
}

#[test]
fn a_rigid_body_that_sleeps_wakes_when_it_is_moved() {
    let mut own = stone();
    step(&mut own, 24);
    let still = center(&own);
    step(&mut own, 2);
    assert!(
        center(&own) == still && still.1 == DVec3::ZERO,
        "it sleeps: {still:?}"
    );
    // Slower than what wakes a body by itself.
    let slow = 1e-3;
    let place = own.places_of("added").expect("a body")[0];
    own.edit(|particles| particles.velocity[place].x = slow)
        .expect("free");
    let time = own.time();
    step(&mut own, 2);
    let moved = center(&own).0.x - still.0.x;
    let expected = f64::from(slow) * (own.time() - time);
    assert!(
        (moved - expected).abs() < 0.05 * expected,
        "{moved} not {expected}"
    );
}

#[test]
fn water_that_is_lifted_out_of_the_deep_does_not_burst() {
    let text = r#"
scene.duration = 1
[material.water]
preset = "water"
[[body]]
name = "added"
material = "water"
shape = { box = { size = [0.2, 0.6, 0.2] } }
position = [0.0, 0.3, 0.0]
spacing = 0.05
[[collider]]
name = "floor"
shape = { plane = {} }
"#;
    let wall = |(name, normal): (&str, [f64; 3])| {
        let place = normal.map(|n| -0.1 * n);
        format!(
            "[[collider]]\nname = \"{name}\"\nshape.plane.normal = {normal:?}\nposition = {place:?}\n"
        )
    };
    let walls = [
        ("left", [1.0, 0.0, 0.0]),
        ("right", [-1.0, 0.0, 0.0]),
        ("back", [0.0, 0.0, 1.0]),
        ("front", [0.0, 0.0, -1.0]),
    ];
    let walls: String = walls.into_iter().map(wall).collect();
    let mut own = simulation_of(&format!("{}{walls}", text.trim_start()));
    step(&mut own, 12);
    let deep = |own: &Simulation| {
        let places = 0..own.particles().len();
        places
            .filter(|&i| own.particles().position[i].y < 0.1)
            .collect::<Vec<_>>()
    };
    let lifted = deep(&own);
    own.edit(|particles| {
        for &place in &lifted {
            particles.position[place].y += 5.0;
            particles.velocity[place] = Vec3::ZERO;
        }
    })
    .expect("free");
    own.substep(1e-3).expect("sound");
    let high = (0..own.particles().len()).filter(|&i| own.particles().position[i].y > 4.0);
    let velocities: Vec<DVec3> = high
        .map(|i| to_double(own.particles().velocity[i]))
        .collect();
    assert_eq!(velocities.len(), lifted.len());
    let middle = mean(velocities.iter().copied());
    let spread = velocities
        .iter()
        .map(|v| (*v - middle).length())
        .fold(0.0, f64::max);
    assert!(spread < 1e-3, "{spread} m/s");
}

#[test]
fn bodies_can_be_stepped_as_far_out_as_they_can_be_put() {
    for (method, tables) in of_all_methods() {
        let mut own = falling(method, &tables);
        own.change(|setup| setup.bounds = None).expect("live");
        let places = own.places_of("added").expect("a body");
        for limit in [1e9, -1e9] {
            let start = center(&own).0.x;
            let way = limit - start - 0.2 * limit.signum();
            own.edit(|particles| {
                for &place in &places {
                    particles.position[place].x += way;
                }
            })
            .unwrap_or_else(|e| panic!("{method}: {e}"));
            let before = center(&own);
            step(&mut own, 2);
            let (position, velocity) = center(&own);
            // Nothing but gravity acts, up to the rounding of places to 0.1 micrometres.
            assert!(
                (position.x - before.0.x).abs() < 1e-5,
                "{method}: {position}"
            );
            assert!(velocity.x.abs() < 1e-3, "{method}: {velocity}");
            assert!(velocity.y < before.1.y - 0.5, "{method}: {velocity}");
        }
    }
}

#[test]
fn frames_and_probes_show_what_was_given() {
    let mut own = simulation();
    let places = own.places_of("block").expect("a body");
    let height = own.measure("block.y").expect("a probe");
    own.edit(|particles| {
        for &place in &places {
            particles.position[place].y += 0.5;
            particles.velocity[place] = Vec3::Z;
        }
    })
    .expect("free");
    assert!((own.measure("block.y").expect("a probe") - height - 0.5).abs() < 1e-12);
    let frame = own.frame_with(Wanted::MOTION);
    assert!(frame.velocity.iter().all(|&v| v == [0.0, 0.0, 1.0]));
    assert!(frame.position.iter().all(|x| x.y > 0.6));
}
