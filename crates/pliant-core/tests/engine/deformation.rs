//! Colliders that deform.

use pliant_core::attachments::{Attachment, AttachmentKind};
use pliant_core::boundaries::{Collider, Ease, Grip, Keyframe, Motion};
use pliant_core::methods::granules::GRANULES;
use pliant_core::step::{CpuStepper, Stepper, first_frame_substeps};
use pliant_core::world::{Body, Material, Setup, World};
use pliant_geometry::shapes::{Box, Sphere};
use pliant_geometry::{Course, Frames, MovingMesh, Shape, TriangleMesh, topology};
use pliant_materials::Law;
use pliant_materials::laws::ContactFriction;
use pliant_math::{DQuat, DVec3, Pose, to_double};

use crate::blocks::{block, collider, materials, setup};
use crate::worlds::{advance, advance_frames, carry};

const DT: f64 = 1e-3;
const RATE: f64 = 20.0;

/// A mesh whose vertices are taken to where `place` has them at each of so many frames.
fn moving(shape: &dyn Shape, frames: usize, place: impl Fn(DVec3, usize) -> DVec3) -> MovingMesh {
    let mesh: TriangleMesh = topology::closed(&shape.surface(1.0)).expect("closed");
    let places = |frame| mesh.vertices.iter().map(|&x| place(x, frame)).collect();
    let places = (0..frames).map(places).collect();
    MovingMesh::new(&mesh, true, Frames::new(places, course(false)))
}

fn course(is_smooth: bool) -> Course {
    Course {
        rate: RATE,
        start: 0.0,
        repeats: false,
        is_smooth,
    }
}

fn plate() -> Box {
    Box {
        half_size: DVec3::new(0.6, 0.05, 0.5),
    }
}

/// Where a plate is taken: up and along, slowly.
fn way(frame: usize) -> DVec3 {
    DVec3::new(0.02, 0.012, -0.005) * frame as f64
}

/// A layer of grains that do not touch each other on something whose top is at y = 0.05.
fn scattered(body_of: fn(usize) -> DVec3) -> Body {
    let points = (0..60).map(body_of).collect();
    Body::new(GRANULES, 6, 1000.0, 0.04, points)
}

/// A setup of grains.
fn of_grains(grains: Body, collider: Collider) -> Setup {
    let mut materials = materials();
    let law = ContactFriction { friction: 0.5 };
    materials.push(Material {
        law: Law::ContactFriction(law),
        ..materials[0].clone()
    });
    Setup {
        colliders: vec![collider],
        ..Setup::new(materials, vec![grains])
    }
}

fn on_plate(k: usize) -> DVec3 {
    DVec3::new(
        0.09 * (k % 10) as f64 - 0.4,
        0.072,
        0.13 * (k / 10) as f64 - 0.33,
    )
}

fn world_on(collider: Collider) -> World {
    World::new(of_grains(scattered(on_plate), collider))
}

#[test]
fn vertices_that_carry_a_plate_do_what_its_motion_would() {
    let keyframe = |frame: usize| Keyframe {
        time: frame as f64 / RATE,
        position: way(frame),
        rotation: DVec3::ZERO,
    };
    let motion = Motion::Keyframes {
        keyframes: (0..8).map(keyframe).collect(),
        ease: Ease::Linear,
    };
    let carried = collider(moving(&plate(), 1, |x, _| x), motion);
    let deforming = moving(&plate(), 8, |x, frame| x + way(frame));
    let rest = Motion::Rest(Pose::IDENTITY);
    let mut worlds = [carried, collider(deforming, rest)].map(world_on);
    for world in &mut worlds {
        advance_frames(world, 10, |_| ());
    }
    let [a, b] = &worlds;
    let end = way(7);
    for (x, y) in a
        .state
        .particles
        .position
        .iter()
        .zip(&b.state.particles.position)
    {
        assert!(x.distance(*y) < 1e-4, "{x} {y}");
    }
    let mean: DVec3 = b.state.particles.position.iter().sum::<DVec3>() / 60.0;
    let before: DVec3 = (0..60).map(on_plate).sum::<DVec3>() / 60.0;
    // Friction has taken them along: they slip at first, and fly on when it stops.
    let way = mean - before;
    assert!((way.y - end.y).abs() < 4e-3, "{way} {end}");
    assert!((way.x / end.x - 1.0).abs() < 0.15, "{way} {end}");
    let [a, b] = [a, b].map(|world| world.state.account.work.colliders);
    assert!((a / b - 1.0).abs() < 1e-3, "{a} {b}");
}

#[test]
fn a_ball_that_swells_throws_what_touches_it_outwards_and_pays_for_it() {
    // By 0.5 m/s.
    let swelling = moving(&Sphere { radius: 0.3 }, 9, |x, frame| {
        x * (1.0 + 0.025 * frame as f64 / 0.3)
    });
    let around = |k: usize| {
        let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
        let height = 1.0 - 2.0 * (k as f64 + 0.5) / 60.0;
        let turn = DQuat::from_rotation_y(golden * k as f64);
        0.33 * (turn * DVec3::new((1.0 - height * height).sqrt(), height, 0.0))
    };
    let ball = Collider {
        friction: 0.0,
        ..collider(swelling, Motion::Rest(Pose::IDENTITY))
    };
    let mut world = World::new(Setup {
        gravity: DVec3::ZERO,
        ..of_grains(scattered(around), ball)
    });
    advance_frames(&mut world, 5, |_| ());
    let particles = &world.state.particles;
    let mut kinetic = 0.0;
    for i in 0..particles.len() {
        let velocity = to_double(particles.velocity[i]);
        let outwards = velocity.dot(particles.position[i].normalize());
        assert!((outwards - 0.5).abs() < 0.02, "{velocity}");
        kinetic += 0.5 * f64::from(particles.mass[i]) * velocity.length_squared();
    }
    // What hits a wall that moves on gets half of what that pays.
    let account = world.state.account;
    assert!(
        (account.work.colliders / kinetic - 2.0).abs() < 0.1,
        "{account:?} {kinetic}"
    );
    assert!(
        (account.lost / kinetic - 1.0).abs() < 0.1,
        "{account:?} {kinetic}"
    );
    assert!(account.gained < 0.01 * kinetic, "{account:?} {kinetic}");
}

#[test]
fn what_rides_on_a_smooth_course_loses_little() {
    // Up and down in a second, at most by 0.16 g.
    let loss = |amplitude: f64, is_smooth: bool| {
        let height =
            |frame: usize| amplitude * (1.0 - libm::cos(0.1 * std::f64::consts::PI * frame as f64));
        let mesh = topology::closed(&plate().surface(1.0)).expect("closed");
        let lifted = |frame| {
            let up = DVec3::Y * height(frame);
            mesh.vertices.iter().map(|&x| x + up).collect()
        };
        let frames = Frames::new((0..=20).map(lifted).collect(), course(is_smooth));
        let riding = collider(
            MovingMesh::new(&mesh, true, frames),
            Motion::Rest(Pose::IDENTITY),
        );
        let mut world = world_on(riding);
        advance_frames(&mut world, 24, |_| ());
        let account = world.state.account;
        assert!(
            account.gained < 1e-3 * account.lost.max(1e-3),
            "{account:?}"
        );
        account.lost
    };
    // Without what the grains lose when they fall onto it.
    let still = loss(0.0, true);
    let (smooth, jerky) = (loss(0.04, true) - still, loss(0.04, false) - still);
    assert!(smooth < 0.3 * jerky, "{smooth} {jerky} {still}");
}

#[test]
fn a_fast_membrane_lets_nothing_through() {
    // A slab of four spacings comes 0.3 m a frame, and swings round.
    let slab = Box {
        half_size: DVec3::new(0.04, 0.4, 0.4),
    };
    let swings = |x: DVec3, frame: usize| {
        let angle = 0.35 * libm::sin(2.0 * frame as f64);
        DQuat::from_rotation_z(angle) * x + DVec3::X * (0.3 * frame as f64)
    };
    let deforming = collider(moving(&slab, 6, swings), Motion::Rest(Pose::IDENTITY));
    let grains = block(
        2,
        [6, 6, 6],
        0.02,
        DVec3::new(0.2, -0.06, -0.06),
        DVec3::ZERO,
    );
    let mut world = World::new(Setup {
        gravity: DVec3::ZERO,
        colliders: vec![deforming],
        ..setup(vec![grains])
    });
    advance_frames(&mut world, 7, |world| {
        let shape = world.setup.colliders[0].shape_at(world.state.time);
        for x in &world.state.particles.position {
            assert!(shape.signed_distance(*x) > -0.004, "{x}");
        }
    });
    let behind = world.state.particles.position.iter().filter(|x| x.x < 1.4);
    assert_eq!(behind.count(), 0);
}

#[test]
fn steps_are_short_where_a_collider_deforms_fast() {
    let of = |speed: f64| {
        let wobbling = moving(&plate(), 3, |x, frame| {
            x + DVec3::Y * (frame % 2) as f64 * speed / RATE
        });
        let mut setup = setup(vec![scattered(on_plate)]);
        setup.colliders = vec![collider(wobbling, Motion::Rest(Pose::IDENTITY))];
        first_frame_substeps(&setup)
    };
    assert!(of(40.0) > 1.8 * of(20.0), "{} {}", of(40.0), of(20.0));
}

#[test]
fn what_is_attached_to_a_surface_that_deforms_keeps_to_it() {
    let bends = |x: DVec3, frame: usize| {
        let up = 0.3 * x.x * x.x * frame as f64 / 4.0;
        DVec3::new(x.x, x.y + up, x.z + 0.03 * frame as f64)
    };
    let refined = pliant_geometry::refined(&plate().surface(1.0), 0.05);
    let mesh = topology::closed(&refined).expect("closed");
    let places = |frame| mesh.vertices.iter().map(|&x| bends(x, frame)).collect();
    let frames = Frames::new((0..5).map(places).collect(), course(false));
    let bending = MovingMesh::new(&mesh, true, frames);
    let mut setup = setup(vec![block(
        0,
        [8, 2, 3],
        0.05,
        DVec3::new(0.1, 0.05, -0.1),
        DVec3::ZERO,
    )]);
    setup.colliders = vec![collider(bending, Motion::Rest(Pose::IDENTITY))];
    setup.gravity = DVec3::ZERO;
    let is_low = |id: &u32| setup.bodies[0].particles.position[*id as usize].y < 0.1;
    let held: Vec<u32> = (0..48).filter(is_low).collect();
    let starts = carry(&mut setup, 0, held.clone());
    let mut world = World::new(setup.clone());
    advance(&mut world, DT, 200, 2).expect("a sound scene");
    for (id, start) in held.iter().zip(&starts) {
        let place = world
            .state
            .particles
            .id
            .iter()
            .position(|i| i == id)
            .expect("there");
        let end = world.state.particles.position[place];
        let expected = bends(*start, 4);
        // Facets, and the turn of the surface below.
        assert!(end.distance(expected) < 0.02, "{start}: {end} {expected}");
        assert!(
            (end.z - expected.z).abs() < 1e-3,
            "{start}: {end} {expected}"
        );
    }
    // Pulled instead, the same particles follow.
    setup.attachments = vec![Attachment {
        name: "springs".into(),
        particles: held.clone(),
        kind: AttachmentKind::Pull {
            collider: Some(0),
            target: starts,
            compliance: 1e-6,
            strength: pliant_core::schedule::Schedule::Constant(1.0),
        },
    }];
    setup.bodies[0].particles.is_pinned.fill(false);
    let mut pulled = World::new(setup);
    advance(&mut pulled, DT, 200, 2).expect("a sound scene");
    let middle = |world: &World| {
        let all = world.state.particles.position.iter();
        all.sum::<DVec3>() / world.state.particles.len() as f64
    };
    assert!(
        middle(&world).distance(middle(&pulled)) < 0.03,
        "{} {}",
        middle(&world),
        middle(&pulled)
    );
}

#[test]
fn bits_do_not_depend_on_threads_nor_on_a_stepper_that_is_dropped() {
    let world = || {
        let wavy = moving(&plate(), 5, |x, frame| {
            x + DVec3::Y * 0.02 * libm::sin(7.0 * x.x + frame as f64)
        });
        let deforming = Collider {
            grip: Grip::Separate,
            ..collider(wavy, Motion::Rest(Pose::IDENTITY))
        };
        let sand = block(
            2,
            [10, 6, 10],
            0.04,
            DVec3::new(-0.2, 0.08, -0.2),
            DVec3::ZERO,
        );
        World::new(Setup {
            colliders: vec![deforming],
            ..setup(vec![sand])
        })
    };
    let mut once = world();
    advance(&mut once, DT, 60, 1).expect("a sound scene");
    let mut often = world();
    for threads in [2, 3] {
        let mut stepper = CpuStepper::new(threads).expect("threads");
        for _ in 0..30 {
            stepper.substep(&mut often, DT).expect("a sound scene");
        }
    }
    assert_eq!(
        once.state.particles.position,
        often.state.particles.position
    );
    assert_eq!(
        once.state.particles.velocity,
        often.state.particles.velocity
    );
}
