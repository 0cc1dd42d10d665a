//! A particle that touches several faces of one collider.

use pliant_core::boundaries::{Collider, Motion};
use pliant_core::step::{CpuStepper, StepReport, Stepper};
use pliant_core::world::{Setup, World};
use pliant_geometry::shapes::Box;
use pliant_geometry::{Aabb, Shape, TriangleMesh};
use pliant_math::{DVec3, Pose, to_real};

use crate::blocks::{body, collider, setup};

const SPACING: f64 = 0.02;
const DT: f64 = 1e-3;
/// Half the edge of the box whose inside the corner is [m].
const HALF: f64 = 0.5;

/// What is left between two planes that meet along z at the origin, open towards y.
#[derive(Debug)]
struct Groove {
    normals: [DVec3; 2],
}

impl Groove {
    /// A groove with an angle [degrees] between its faces.
    fn new(opening: f64) -> Self {
        let (sine, cosine) = (0.5 * opening).to_radians().sin_cos();
        Self {
            normals: [1.0, -1.0].map(|side| DVec3::new(side * cosine, sine, 0.0)),
        }
    }
}

impl Shape for Groove {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.normal(point).dot(point)
    }

    /// That of the nearer face, never a mean of both.
    fn normal(&self, point: DVec3) -> DVec3 {
        let [first, second] = self.normals;
        if first.dot(point) < second.dot(point) {
            first
        } else {
            second
        }
    }

    fn bounds(&self) -> Option<Aabb> {
        None
    }

    fn volume(&self) -> Option<f64> {
        None
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        TriangleMesh::default()
    }
}

/// The corner at the origin of a hollow box.
fn corner() -> Collider {
    let pose = Pose {
        translation: DVec3::splat(HALF),
        ..Pose::IDENTITY
    };
    let half_size = DVec3::splat(HALF);
    Collider {
        two_sided: true,
        friction: 0.0,
        ..collider(Box { half_size }, Motion::Rest(pose))
    }
}

fn groove(opening: f64) -> Collider {
    Collider {
        friction: 0.0,
        ..collider(Groove::new(opening), Motion::Rest(Pose::IDENTITY))
    }
}

/// One free particle and a collider, with gravity in a direction.
fn one_particle(collider: Collider, position: DVec3, down: DVec3) -> Setup {
    let mut setup = setup(vec![body(0, SPACING, vec![position], DVec3::ZERO)]);
    setup.gravity = down.normalize() * 9.81;
    setup.colliders = vec![collider];
    setup
}

/// Takes substeps and returns the last report.
fn settled(world: &mut World, substeps: usize) -> StepReport {
    let mut stepper = CpuStepper::new(1).expect("threads");
    let steps = (0..substeps).map(|_| stepper.substep(world, DT).expect("a sound fall"));
    steps.last().expect("a substep")
}

/// Every substep of a particle at rest, the faces bear its whole weight, and it stays where it is.
fn assert_rests(setup: Setup) {
    let mut world = World::new(setup);
    let start = world.state.particles.position[0];
    let weight = f64::from(world.state.particles.mass[0]) * world.setup.gravity;
    for _ in 0..100 {
        let report = settled(&mut world, 1);
        let pressed = report.collider_impulse[0] / DT;
        let miss = (pressed - weight).length() / weight.length();
        assert!(miss < 1e-3, "{pressed} N of {weight} N");
    }
    let way = world.state.particles.position[0].distance(start);
    assert!(way < 1e-4 * SPACING, "{way} m");
}

#[test]
fn three_faces_of_a_corner_support_a_particle_together() {
    let radius = 0.5 * SPACING;
    for down in [DVec3::ONE, DVec3::new(1.0, 2.0, 4.0)] {
        assert_rests(one_particle(corner(), DVec3::splat(radius), -down));
    }
}

#[test]
fn both_faces_of_a_groove_support_a_particle_together() {
    let radius = 0.5 * SPACING;
    for opening in [120.0, 90.0, 60.0] {
        let height = radius / (0.5f64 * opening).to_radians().sin();
        let down = DVec3::NEG_Y;
        assert_rests(one_particle(groove(opening), DVec3::Y * height, down));
    }
}

#[test]
fn a_particle_that_slides_along_one_face_stops_at_the_next() {
    // From 1.8 radii before the wall it would come to 3 radii behind it within the substep. What stops
    // it is the contact, a radius away, and not the last check at half of that.
    let radius = 0.5 * SPACING;
    let start = DVec3::new(1.8 * radius, radius, HALF);
    let mut world = World::new(one_particle(corner(), start, DVec3::NEG_Y));
    world.state.particles.velocity[0] = to_real(DVec3::NEG_X * 4.8 * radius / DT);
    settled(&mut world, 1);
    let end = world.state.particles.position[0];
    assert!((end.x / radius - 1.0).abs() < 1e-3, "{end}");
    assert!((end.y / radius - 1.0).abs() < 1e-3, "{end}");
}
