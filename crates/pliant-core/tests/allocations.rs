//! A warm substep asks for no memory, whatever the number of particles.
//!
//! This file is a program of its own because it counts what the whole program asks for.

#[path = "engine/blocks.rs"]
mod blocks;
mod counting;
#[allow(dead_code)]
#[path = "engine/springs/networks.rs"]
mod networks;
#[path = "engine/cloth/sheets.rs"]
mod sheets;

use pliant_core::boundaries::Motion;
use pliant_core::methods::fluid::FLUID;
use pliant_core::methods::granules::GRANULES;
use pliant_core::methods::muscle::{self, Incompressibility, MuscleSettings};
use pliant_core::methods::shape_groups::{self, ParticleGroups};
use pliant_core::methods::strain_energy;
use pliant_core::methods::xpbi::{PositionCorrection, XpbiSettings};
use pliant_core::world::{Material, MethodKind, Setup};
use pliant_geometry::shapes::Plane;
use pliant_materials::laws::{ContactFriction, Corotated, NeoHookean, Solid, SolidLaw};
use pliant_materials::{LameModuli, Law, Newtonian};
use pliant_math::{DVec3, Pose};

use blocks::{block, collider, setup};
use counting::bytes_a_substep;
use sheets::{LAW, at, sheet, world_of};

const SPACING: f64 = 0.05;

/// Sand, and a body of another continuum that touches it.
fn sand(side: usize, correction: PositionCorrection) -> Setup {
    let sand = block(2, [side; 3], 0.05, DVec3::ZERO, DVec3::ZERO);
    let top = DVec3::Y * (0.05 * side as f64);
    let elastic = block(0, [side, 2, side], 0.04, top, DVec3::ZERO);
    let mut setup = setup(vec![sand, elastic]);
    // At rest: particles that move find other neighbours, for which there may be no room yet.
    setup.gravity = DVec3::ZERO;
    setup.solver.methods.of_mut::<XpbiSettings>().correction = correction;
    setup
}

/// A block of rubber on another, soon at rest.
fn solids(side: usize) -> Setup {
    let solid = |corner: DVec3| {
        let block = block(0, [side, 4, side], SPACING, corner, DVec3::ZERO);
        strain_energy::body(0, 1000.0, SPACING, block.particles.position)
    };
    let top = DVec3::Y * (3.99 * SPACING);
    let mut setup = setup(vec![solid(DVec3::ZERO), solid(top)]);
    let moduli = LameModuli::from_youngs(1e5, 0.3);
    let rubber = Solid::elastic(SolidLaw::NeoHookean(NeoHookean { moduli }));
    setup.materials.truncate(1);
    setup.materials[0].law = Law::Solid(rubber);
    setup.solver.damping = 30.0;
    setup
}

/// A block of flesh on another, soon at rest.
fn flesh((side, incompressibility): (usize, Incompressibility)) -> Setup {
    let soft = |corner: DVec3| {
        let block = block(0, [side, 4, side], SPACING, corner, DVec3::ZERO);
        let flesh = muscle::flesh(SPACING, block.particles.position);
        muscle::body(0, 1000.0, SPACING, flesh)
    };
    let top = DVec3::Y * (3.99 * SPACING);
    let mut setup = setup(vec![soft(DVec3::ZERO), soft(top)]);
    let moduli = LameModuli::from_youngs(1e5, 0.3);
    setup.materials.truncate(1);
    setup.materials[0].law = Law::Solid(Solid::elastic(SolidLaw::Corotated(Corotated { moduli })));
    let settings = setup.solver.methods.of_mut::<MuscleSettings>();
    settings.incompressibility = incompressibility;
    setup.solver.damping = 30.0;
    setup
}

/// A block of hexahedra on another, soon at rest: contacts of triangles that enclose something.
fn groups(side: usize) -> Setup {
    let n = side as i64;
    let cells: Vec<[i64; 3]> = (0..n * n * 2)
        .map(|k| [k % n, k / (n * n), k / n % n])
        .collect();
    let block = |height: f64| {
        let corner = DVec3::Y * height;
        let groups = ParticleGroups::hexahedra(&cells, corner, DVec3::splat(SPACING));
        shape_groups::body(0, 1000.0, SPACING, groups, Pose::IDENTITY)
    };
    let mut setup = solids(6);
    setup.bodies = vec![block(1e-3), block(2.0 * SPACING + 2e-3)];
    setup
}

/// Two sheets of cloth on a floor, one on the other, and a few grains on both: contacts of edges, of
/// triangles with vertices, and of triangles with other particles.
fn cloth(side: usize) -> Setup {
    let spacing = 0.02;
    let layer = |height: f64| sheet(LAW, [side; 2], spacing, at(0.0, height, 0.0));
    let corner = DVec3::new(-0.02, 2.0e-3, -0.02);
    let grains = block(2, [4, 2, 4], 0.01, corner, DVec3::ZERO);
    let mut setup = world_of(LAW, vec![layer(3.0e-4), layer(9.0e-4), grains]);
    setup.solver.damping = 30.0;
    setup
}

/// A lattice of springs on a sheet of springs.
fn springs(side: usize) -> Setup {
    let sheet = networks::sheet([side; 2], SPACING, 1.0, at(0.0, 0.02, 0.0));
    let half = -0.25 * side as f64 * SPACING;
    let corner = DVec3::new(half, 0.08, half);
    let lattice = networks::lattice([side / 2, 3, side / 2], SPACING, 1.0, corner);
    let law = networks::law(networks::cubic(1e3));
    let mut setup = networks::world_of(law, vec![sheet, lattice]);
    let floor = Motion::Rest(Pose::IDENTITY);
    setup
        .colliders
        .push(collider(Plane { normal: DVec3::Y }, floor));
    setup.solver.damping = 30.0;
    setup
}

/// A method and a law in place of those of a block of rubber that fills its tank.
fn full_tank(side: usize, method: &'static dyn MethodKind, law: Law) -> Setup {
    let mut block = block(0, [side; 3], SPACING, DVec3::ZERO, DVec3::ZERO);
    block.method = method;
    let mut setup = setup(vec![block]);
    setup.materials = vec![Material {
        youngs_modulus: 0.0,
        law,
        ..setup.materials[0].clone()
    }];
    let width = side as f64 * SPACING;
    for normal in [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z] {
        let mut wall = Pose::IDENTITY;
        wall.translation = (DVec3::ONE - normal) * (0.5 * width);
        let wall = Motion::Rest(wall);
        setup.colliders.push(collider(Plane { normal }, wall));
    }
    setup.solver.damping = 30.0;
    setup
}

#[test]
#[cfg_attr(feature = "double", ignore = "does not hang on rounding")]
fn a_substep_after_the_first_ones_allocates_nothing() {
    // The report lists the impulse on each collider (24 bytes), and the thread pool's queue grows by
    // a block now and then.
    let distance = [6, 20].map(|side| (side, PositionCorrection::Distance));
    let of_sand = distance
        .into_iter()
        .chain([(14, PositionCorrection::Density)]);
    let of_sand = of_sand.map(|(side, correction)| sand(side, correction));
    let blocks = of_sand.chain([6, 16].map(solids));
    let setups = blocks.map(|setup| (setup, 100));
    let setups = setups.chain([4, 10].map(|side| (groups(side), 500)));
    // Grains on cloth take longer to come to rest.
    let setups = setups.chain([8, 12].map(|side| (cloth(side), 1500)));
    let setups = setups.chain([6, 12].map(|side| (springs(side), 500)));
    let kept = [Incompressibility::Velocity, Incompressibility::Density];
    let of_flesh = [6, 14]
        .into_iter()
        .flat_map(|side| kept.map(|kept| (side, kept)));
    let setups = setups.chain(of_flesh.map(|chosen| (flesh(chosen), 500)));
    let water = Law::Newtonian(Newtonian { viscosity: 0.1 });
    let setups = setups.chain([6, 11].map(|side| (full_tank(side, FLUID, water), 500)));
    let friction = Law::ContactFriction(ContactFriction { friction: 0.5 });
    let setups = setups.chain([6, 11].map(|side| (full_tank(side, GRANULES, friction), 500)));
    for (number, (setup, warm)) in setups.enumerate() {
        let most = 104 + 24 * setup.colliders.len();
        let bytes = bytes_a_substep(setup, warm);
        assert!(bytes <= most, "number {number}: {bytes} bytes a substep");
    }
}
