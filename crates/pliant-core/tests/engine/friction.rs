//! Blocks of particles on surfaces of particles.

use std::sync::Arc;

use pliant_core::methods::granules::GRANULES;
use pliant_core::methods::strain_energy;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Body, BodyGrain, Material, Setup, State, World};
use pliant_materials::laws::{ContactFriction, NeoHookean, Solid, SolidLaw};
use pliant_materials::springs::SpringCurve;
use pliant_materials::{LameModuli, Law, SpringLaw, Springs};
use pliant_math::simd::Instructions;
use pliant_math::{DQuat, DVec3, to_double};

use crate::blocks::{body, setup};
use crate::springs::networks::lattice as network_of;
use crate::worlds::{advance, momentum};

const SPACING: f64 = 0.05;
const GRAVITY: f64 = 9.81;
const DT: f64 = 1e-3;

/// Particles from a corner on.
pub fn lattice([nx, ny, nz]: [usize; 3], spacing: f64, corner: DVec3) -> Vec<DVec3> {
    let cell = |k: usize| DVec3::new((k % nx) as f64, (k / nx % ny) as f64, (k / nx / ny) as f64);
    (0..nx * ny * nz)
        .map(|k| corner + cell(k) * spacing)
        .collect()
}

/// A body of strain energy.
pub fn solid(position: Vec<DVec3>, spacing: f64, friction: f64) -> Body {
    Body {
        friction,
        ..strain_energy::body(0, 1000.0, spacing, position)
    }
}

/// Indices of materials in [`world_of`], after those of blocks, of which the first is a solid.
const SPRINGS: u32 = 6;
const GRAINS: u32 = 7;

/// Bodies without colliders.
pub fn world_of(bodies: Vec<Body>) -> Setup {
    let mut setup = setup(bodies);
    let moduli = LameModuli::from_youngs(2e5, 0.3);
    let solid = Solid::elastic(SolidLaw::NeoHookean(NeoHookean { moduli }));
    setup.materials[0] = Material {
        name: "solid".into(),
        density: 1000.0,
        youngs_modulus: 2e5,
        law: Law::Solid(solid),
    };
    let curve = SpringLaw::Curve(SpringCurve::linear(2e4));
    setup.materials.push(Material {
        name: "springs".into(),
        density: 1000.0,
        youngs_modulus: 0.0,
        law: Law::Springs(Springs::new(curve)),
    });
    setup.materials.push(Material {
        name: "grains".into(),
        density: 1000.0,
        youngs_modulus: 0.0,
        law: Law::ContactFriction(ContactFriction { friction: 0.5 }),
    });
    setup.colliders.clear();
    setup
}

/// Grains that meet as contacts only.
pub fn grains(position: Vec<DVec3>, spacing: f64, friction: f64) -> Body {
    let mut grains = body(GRAINS, spacing, position, DVec3::ZERO);
    grains.method = GRANULES;
    grains.friction = friction;
    grains
}

fn springs([nx, ny, nz]: [usize; 3], corner: DVec3, friction: f64) -> Body {
    let mass = 1000.0 * SPACING.powi(3) * (nx * ny * nz) as f64;
    let mut springs = network_of([nx, ny, nz], SPACING, mass, corner);
    springs.material = SPRINGS;
    springs.friction = friction;
    springs
}

/// A slab that is held, its top at y = 0, of which so much lies around the origin [m].
fn slab([x, z]: [f64; 2], spacing: f64, friction: f64) -> Body {
    let count = |size: f64| (size / spacing).round() as usize + 1;
    let corner = DVec3::new(-0.5 * x, -1.5 * spacing, -0.5 * z);
    let points = lattice([count(x), 2, count(z)], spacing, corner);
    let mut slab = solid(points, spacing, friction);
    slab.particles.is_pinned.fill(true);
    slab
}

/// Corner of a block of so many particles that lies on y = 0 somewhere on the particles of the slab.
fn corner() -> DVec3 {
    DVec3::new(-0.45, 0.5 * SPACING, -0.137)
}

fn tilted(mut setup: Setup, degrees: f64) -> World {
    let angle = degrees.to_radians();
    setup.gravity = DVec3::new(angle.sin(), -angle.cos(), 0.0) * GRAVITY;
    World::new(setup)
}

fn mean(world: &World, body: u32, of: impl Fn(usize) -> f64) -> f64 {
    let p = &world.state.particles;
    let places: Vec<usize> = (0..p.len()).filter(|&i| p.body[i] == body).collect();
    places.iter().map(|&i| of(i)).sum::<f64>() / places.len() as f64
}

fn speed(world: &World) -> f64 {
    let velocity = &world.state.particles.velocity;
    mean(world, 1, |i| to_double(velocity[i]).x)
}

/// Mean acceleration [m/s2] along x of the second body, after it has settled under damping.
fn acceleration(mut world: World) -> f64 {
    Arc::make_mut(&mut world.setup).solver.damping = 30.0;
    advance(&mut world, DT, 150, 2).expect("a sound scene");
    Arc::make_mut(&mut world.setup).solver.damping = 0.0;
    advance(&mut world, DT, 100, 2).expect("a sound scene");
    let start = speed(&world);
    advance(&mut world, DT, 250, 2).expect("a sound scene");
    (speed(&world) - start) / (250.0 * DT)
}

fn theory(friction: f64) -> f64 {
    let angle = 30f64.to_radians();
    GRAVITY * (angle.sin() - friction * angle.cos())
}

fn block(friction: f64) -> Body {
    solid(lattice([6, 3, 5], SPACING, corner()), SPACING, friction)
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_block_slides_on_particles_of_any_spacing_as_coulomb_says() {
    for (ratio, friction) in [(0.5, 0.3), (1.0, 0.3), (2.0, 0.3), (1.0, 0.0)] {
        let slab = slab([1.1, 0.5], ratio * SPACING, friction);
        let found = acceleration(tilted(world_of(vec![slab, block(friction)]), 30.0));
        let theory = theory(friction);
        assert!(
            (found / theory - 1.0).abs() < 0.01,
            "{ratio} {friction}: {found} of {theory}"
        );
    }
}

#[test]
fn a_block_sticks_below_the_angle_of_friction() {
    let slab = slab([1.1, 0.5], SPACING, 0.6);
    let found = acceleration(tilted(world_of(vec![slab, block(0.6)]), 30.0));
    assert!(found.abs() < 1e-3, "{found}");
}

#[test]
fn lattices_of_springs_and_single_grains_slide_as_coulomb_says() {
    let mut lattice_slab = springs([23, 2, 11], DVec3::new(-0.55, -1.5 * SPACING, -0.25), 0.3);
    lattice_slab.particles.is_pinned.fill(true);
    let grain = || grains(vec![corner()], SPACING, 0.3);
    let pairs = [
        (
            "springs on solid",
            slab([1.1, 0.5], SPACING, 0.3),
            springs([6, 3, 5], corner(), 0.3),
        ),
        ("solid on springs", lattice_slab.clone(), block(0.3)),
        ("grain on solid", slab([1.1, 0.5], SPACING, 0.3), grain()),
        ("grain on springs", lattice_slab, grain()),
    ];
    for (what, slab, block) in pairs {
        let found = acceleration(tilted(world_of(vec![slab, block]), 30.0));
        assert!((found / theory(0.3) - 1.0).abs() < 0.01, "{what}: {found}");
    }
}

#[test]
fn blocks_slide_along_their_scales_and_those_of_others_with_less_friction() {
    let scales = |axis: DVec3| Some(BodyGrain { axis, factor: 0.25 });
    let slab = slab([1.1, 0.5], SPACING, 0.4);
    let cases = [
        (scales(DVec3::X), None, 0.1),
        (scales(DVec3::Z), None, 0.4),
        (None, scales(DVec3::X), 0.1),
        (scales(DVec3::Z), scales(DVec3::Z), 0.4),
    ];
    for (of_block, of_slab, friction) in cases {
        let (mut slab, mut block) = (slab.clone(), block(0.4));
        (slab.grain, block.grain) = (of_slab, of_block);
        let found = acceleration(tilted(world_of(vec![slab, block]), 30.0));
        let theory = theory(friction);
        let what = format!("{of_block:?} {of_slab:?}: {found} of {theory}");
        assert!((found / theory - 1.0).abs() < 0.015, "{what}");
    }
}

/// Two free blocks, of which one hits the other askew, and grains that hit both.
fn collision() -> World {
    let mut hit = solid(lattice([9, 4, 8], SPACING, DVec3::ZERO), SPACING, 0.4);
    hit.particles.velocity.fill(DVec3::ZERO);
    let turned = DQuat::from_scaled_axis(DVec3::new(0.3, 0.2, 0.6));
    let points = lattice([8, 6, 5], 0.8 * SPACING, DVec3::splat(-0.1));
    let points = points
        .iter()
        .map(|&x| turned * x + DVec3::new(0.17, 0.44, 0.2));
    let mut hits = solid(points.collect(), 0.8 * SPACING, 0.4);
    hits.particles.velocity.fill(DVec3::new(0.5, -2.0, 0.2));
    let falling = lattice([5, 1, 5], 1.2 * SPACING, DVec3::new(0.05, 0.7, 0.05));
    let mut falling = grains(falling, SPACING, 0.4);
    falling.particles.velocity.fill(DVec3::Y * -4.0);
    let mut setup = world_of(vec![hit, hits, falling]);
    setup.gravity = DVec3::ZERO;
    World::new(setup)
}

fn angular_momentum(world: &World) -> DVec3 {
    let p = &world.state.particles;
    let of = |i: usize| p.position[i].cross(to_double(p.velocity[i])) * f64::from(p.mass[i]);
    (0..p.len()).map(of).sum()
}

#[test]
fn colliding_bodies_keep_momentum() {
    let mut world = collision();
    let (start, turning) = (momentum(&world), angular_momentum(&world));
    advance(&mut world, DT, 200, 2).expect("a sound scene");
    let drift = (momentum(&world) - start).length() / start.length();
    let is_double = cfg!(feature = "double");
    assert!(drift < if is_double { 1e-13 } else { 1e-5 }, "{drift:e}");
    // Friction acts at the middles of particles, as it does between spheres: 2.0 % with these alone.
    let turned = (angular_momentum(&world) - turning).length() / turning.length();
    assert!(turned < 0.025, "{turned:e}");
    let met = mean(&world, 0, |i| {
        f64::from(world.state.particles.velocity[i].y)
    });
    assert!(met < -0.5, "{met}");
}

#[test]
fn threads_and_instructions_do_not_change_the_bits() {
    let bytes = |threads: usize, instructions: Option<Instructions>| {
        let mut world = collision();
        let mut stepper = CpuStepper::new(threads).expect("threads");
        if let Some(instructions) = instructions {
            stepper.set_instructions(instructions);
        }
        for _ in 0..120 {
            stepper.substep(&mut world, DT).expect("a sound scene");
        }
        world.state.to_bytes()
    };
    let one = bytes(1, None);
    assert!(bytes(2, None) == one && bytes(4, None) == one);
    for instructions in Instructions::available() {
        assert!(bytes(2, Some(instructions)) == one, "{instructions}");
    }
}

#[test]
fn touching_bodies_resumed_from_a_snapshot_have_the_same_bits() {
    let mut world = collision();
    advance(&mut world, DT, 80, 2).expect("a sound scene");
    let mut resumed = collision();
    resumed.state =
        State::from_bytes(&world.state.to_bytes(), &world.setup).expect("its own bytes");
    advance(&mut world, DT, 40, 2).expect("a sound scene");
    advance(&mut resumed, DT, 40, 1).expect("a sound scene");
    assert!(resumed.state.to_bytes() == world.state.to_bytes());
}

#[test]
fn a_sheet_of_one_layer_has_contacts_on_both_sides() {
    let mut sheet = solid(lattice([9, 1, 9], SPACING, DVec3::ZERO), SPACING, 0.3);
    sheet.particles.is_pinned.fill(true);
    let at = |y: f64| DVec3::new(0.187, y, 0.212);
    let mut both = grains(vec![at(0.1), at(-0.1)], SPACING, 0.3);
    both.particles.velocity = vec![DVec3::Y * -1.0, DVec3::Y];
    let mut setup = world_of(vec![sheet, both]);
    setup.gravity = DVec3::ZERO;
    let mut world = World::new(setup);
    advance(&mut world, DT, 200, 2).expect("a sound scene");
    let p = &world.state.particles;
    for i in (0..p.len()).filter(|&i| p.body[i] == 1) {
        let height = p.position[i].y;
        assert!((height.abs() - SPACING).abs() < 1e-3 * SPACING, "{height}");
    }
}

#[test]
fn a_grain_in_a_corner_of_a_body_touches_both_faces() {
    // The first layers lie at x = 0.35 and y = -0.15.
    let is_wall = |x: &DVec3| x.x > 0.33 || x.y < -0.13;
    let mut points = lattice([10, 9, 7], SPACING, DVec3::new(0.0, -0.25, -0.15));
    points.retain(is_wall);
    let mut corner = solid(points, SPACING, 0.0);
    corner.particles.is_pinned.fill(true);
    let grain = grains(vec![DVec3::new(0.22, -0.03, 0.013)], SPACING, 0.0);
    let mut setup = world_of(vec![corner, grain]);
    setup.gravity = DVec3::new(0.6, -0.8, 0.0) * GRAVITY;
    setup.solver.damping = 5.0;
    let mut world = World::new(setup);
    advance(&mut world, DT, 800, 2).expect("a sound scene");
    let p = &world.state.particles;
    let grain = (0..p.len()).find(|&i| p.body[i] == 1).expect("a grain");
    let before = [0.35 - p.position[grain].x, p.position[grain].y + 0.15];
    // Concave edges face nowhere: there spheres meet.
    for way in before {
        assert!((0.8 * SPACING..1.1 * SPACING).contains(&way), "{before:?}");
    }
}
