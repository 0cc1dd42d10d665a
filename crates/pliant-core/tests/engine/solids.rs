//! Solids with an energy.

mod cutting;

use std::sync::Arc;

use pliant_core::methods::strain_energy::{
    self, StrainEnergy, StrainEnergyColumns, StrainEnergySettings, StrainEnergySetup, read,
};
use pliant_core::particles::{Particles, ReorderScratch};
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Body, Material, Ordering, Setup, State, World};
use pliant_materials::laws::{NeoHookean, SaintVenantKirchhoff, Solid, SolidLaw};
use pliant_materials::strain_energy::{FiberField, Fibers, PlasticSplit, Plasticity};
use pliant_materials::{LameModuli, Law};
use pliant_math::simd::Instructions;
use pliant_math::{DMat3, DQuat, DVec3, RandomStream, Real, to_double, to_real};

use crate::blocks::{body, setup};
use crate::worlds::{advance, greatest_speed, momentum};

const SPACING: f64 = 0.05;
const YOUNGS_MODULUS: f64 = 1e5;

/// What is lost to rounding in single and in double precision.
fn by_precision(double: f64, single: f64) -> f64 {
    if size_of::<Real>() == 8 {
        double
    } else {
        single
    }
}

pub fn rubber() -> Solid {
    let moduli = LameModuli::from_youngs(YOUNGS_MODULUS, 0.3);
    Solid::elastic(SolidLaw::NeoHookean(NeoHookean { moduli }))
}

/// Fibres and flow at once.
pub fn metal() -> Solid {
    let moduli = LameModuli::from_youngs(YOUNGS_MODULUS, 0.3);
    Solid {
        law: SolidLaw::SaintVenantKirchhoff(SaintVenantKirchhoff { moduli }),
        fibers: Fibers {
            courses: [
                FiberField::Along([0.6, 0.8, 0.0]),
                FiberField::Around([0.0, 0.0, 1.0], [0.1, 0.1, 0.0]),
                FiberField::Along([0.0; 3]),
            ],
            stiffness: [3e4, 1e4, 0.0],
            count: 2,
        },
        plasticity: Some(Plasticity {
            yield_deviator: 1e3,
            flow_rate: 100.0,
            max_plastic_strain: 0.5,
            split: PlasticSplit::Multiplicative,
        }),
        tear_strain: None,
    }
}

pub fn solid(position: Vec<DVec3>) -> Body {
    strain_energy::body(0, 1000.0, SPACING, position)
}

pub fn world_of(law: Solid, bodies: Vec<Body>) -> Setup {
    let mut setup = setup(bodies);
    setup.materials = vec![Material {
        name: "solid".into(),
        density: 1000.0,
        youngs_modulus: YOUNGS_MODULUS,
        law: Law::Solid(law),
    }];
    setup.gravity = DVec3::ZERO;
    setup.colliders.clear();
    setup
}

pub fn lattice([nx, ny, nz]: [usize; 3], jitter: f64) -> Vec<DVec3> {
    let random = RandomStream::new(2, 0);
    let number = |k: u64| jitter * (2.0 * random.unit(k) - 1.0);
    let cell = |k: usize| DVec3::new((k % nx) as f64, (k / nx % ny) as f64, (k / nx / ny) as f64);
    let noise = |k: u64| DVec3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2));
    (0..nx * ny * nz)
        .map(|k| (cell(k) + noise(k as u64)) * SPACING)
        .collect()
}

/// A free block whose particles are displaced and move at random.
fn stirred(law: Solid, ordering: Ordering, displacement: f64) -> World {
    let mut setup = world_of(law, vec![solid(lattice([6, 5, 4], 0.2))]);
    setup.solver.ordering = ordering;
    setup.solver.iterations = 2;
    let mut world = World::new(setup);
    let random = RandomStream::new(5, 0);
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        let k = 6 * i as u64;
        let number = |n: u64| random.unit(k + n) - 0.5;
        p.position[i] += DVec3::new(number(0), number(1), number(2)) * displacement;
        p.velocity[i] = to_real(DVec3::new(number(3), number(4), number(5)));
    }
    world
}

fn elastic_energy(world: &World) -> f64 {
    let (setup, state) = (StrainEnergySetup::of(&world.setup), &world.state);
    let mut energy = 0.0;
    read(
        &setup,
        &state.particles,
        state.methods.of::<StrainEnergyColumns>(),
        |reading| reading,
        |_, reading| {
            energy += reading.energy;
        },
    );
    energy
}

fn map_positions(particles: &mut Particles, map: DMat3) {
    for x in &mut particles.position {
        *x = map * *x;
    }
}

#[test]
fn affine_deformations_are_exact_inside_at_corners_and_in_sheets() {
    let map = DMat3::from_quat(DQuat::from_rotation_y(2.0))
        * DMat3::from_cols(
            DVec3::new(1.1, 0.1, 0.0),
            DVec3::new(0.3, 0.8, 0.2),
            DVec3::new(0.0, 0.1, 1.2),
        );
    for (size, jitter) in [([6, 5, 4], 0.0), ([6, 5, 4], 0.25), ([7, 1, 5], 0.0)] {
        let mut world = World::new(world_of(rubber(), vec![solid(lattice(size, jitter))]));
        map_positions(&mut world.state.particles, map);
        let (setup, state) = (StrainEnergySetup::of(&world.setup), &world.state);
        let mut count = 0;
        read(
            &setup,
            &state.particles,
            state.methods.of::<StrainEnergyColumns>(),
            |reading| reading,
            |_, reading| {
                let mut error = reading.deformation_gradient - map;
                if size[1] == 1 {
                    error.y_axis = DVec3::ZERO;
                    // The thickness stays.
                    let normal = reading.deformation_gradient.y_axis;
                    assert!((normal.length() - 1.0).abs() < 1e-12);
                    assert!(normal.dot(map.x_axis).abs() + normal.dot(map.z_axis).abs() < 1e-12);
                }
                assert!(error.to_cols_array().iter().all(|e| e.abs() < 1e-12));
                count += 1;
            },
        );
        assert_eq!(count, state.particles.len());
    }
}

#[test]
fn impulses_of_a_short_step_are_those_of_the_energy() {
    for ordering in [Ordering::GaussSeidel, Ordering::Jacobi] {
        for law in [rubber(), metal()] {
            let mut world = stirred(law, ordering, by_precision(0.2, 0.2) * SPACING);
            Arc::make_mut(&mut world.setup)
                .solver
                .methods
                .of_mut::<StrainEnergySettings>()
                .hourglass = 0.0;
            Arc::make_mut(&mut world.setup).solver.iterations = 1;
            Arc::make_mut(&mut world.setup).bodies[0].meets_itself = false;
            for v in &mut world.state.particles.velocity {
                *v = to_real(DVec3::ZERO);
            }
            let dt = 1e-6;
            let mut after = world.clone();
            advance(&mut after, dt, 1, 1).expect("a sound scene");
            for place in [0, 17, 60] {
                let id = after.state.particles.id[place];
                let before = world
                    .state
                    .particles
                    .id
                    .iter()
                    .position(|&i| i == id)
                    .expect("there");
                let mass = f64::from(after.state.particles.mass[place]);
                let force = to_double(after.state.particles.velocity[place]) * mass / dt;
                let expected = -slope(&world, before);
                let error = (force - expected).length() / expected.length();
                assert!(
                    error < by_precision(1e-5, 0.02),
                    "{ordering:?} {error} {force} {expected}"
                );
            }
        }
    }
}

/// Change of the energy with the position of a particle [N], by differences.
fn slope(world: &World, place: usize) -> DVec3 {
    // Energies of single precision want a longer way.
    let way = by_precision(1e-6, 3e-3) * SPACING;
    let along = |axis: DVec3| {
        let energy = |sign: f64| {
            let mut moved = world.clone();
            moved.state.particles.position[place] += axis * (sign * way);
            elastic_energy(&moved)
        };
        (energy(1.0) - energy(-1.0)) / (2.0 * way)
    };
    DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
}

#[test]
fn momentum_is_conserved() {
    for ordering in [Ordering::GaussSeidel, Ordering::Jacobi] {
        let mut world = stirred(metal(), ordering, 0.2 * SPACING);
        let before = momentum(&world);
        let p = &world.state.particles;
        let scale: f64 = (0..p.len())
            .map(|i| f64::from(p.mass[i]) * to_double(p.velocity[i]).length())
            .sum();
        advance(&mut world, 1e-3, 100, 2).expect("a sound scene");
        let drift = (momentum(&world) - before).length() / scale;
        assert!(drift < by_precision(1e-12, 1e-5), "{ordering:?}: {drift}");
    }
}

#[test]
fn rows_and_lone_particles_hold_no_energy() {
    for counts in [[1, 1, 1], [2, 1, 1], [1, 5, 1]] {
        let mut world = World::new(world_of(rubber(), vec![solid(lattice(counts, 0.0))]));
        assert_eq!(elastic_energy(&world), 0.0);
        let particles = &mut world.state.particles;
        map_positions(particles, DMat3::from_diagonal(DVec3::splat(1.5)));
        assert_eq!(elastic_energy(&world), 0.0);
    }
}

#[test]
fn a_body_turned_as_a_whole_stays_at_rest() {
    let mut world = World::new(world_of(rubber(), vec![solid(lattice([6, 5, 4], 0.25))]));
    map_positions(
        &mut world.state.particles,
        DMat3::from_quat(DQuat::from_rotation_z(1.3)),
    );
    assert!(elastic_energy(&world) < by_precision(1e-20, 1e-9));
    advance(&mut world, 1e-3, 50, 1).expect("a sound scene");
    let fastest = greatest_speed(&world);
    assert!(fastest < by_precision(1e-12, 1e-4), "{fastest}");
}

#[test]
fn the_residual_falls_with_the_sweeps() {
    let residual = |sweeps: u32| {
        let mut world = stirred(rubber(), Ordering::GaussSeidel, 0.05 * SPACING);
        let mut solids = StrainEnergy::new(StrainEnergySetup::of(&world.setup));
        let (p, columns) = (
            &mut world.state.particles,
            world.state.methods.of::<StrainEnergyColumns>(),
        );
        let mut order = Vec::new();
        solids.sort(p, &mut order);
        p.reorder(&order, &mut ReorderScratch::default());
        solids.find(p, columns, false);
        assert_eq!(solids.residual(p, 1e-2), (0.0, 0.0));
        for _ in 0..sweeps {
            solids.project(p, 1e-2);
        }
        let (part, whole) = solids.residual(p, 1e-2);
        (part / whole).sqrt()
    };
    let of = [1, 2, 4, 8, 16, 32].map(residual);
    assert!(of.is_sorted_by(|a, b| a > b), "{of:?}");
    // The impulses are those of the stress at the end: what is missing goes to nothing.
    assert!(of[4] < 0.01 && of[5] < 1e-4, "{of:?}");
}

#[test]
fn only_hourglass_control_damps_zero_energy_modes() {
    let residual = |hourglass: f64| {
        let mut world = World::new(world_of(rubber(), vec![solid(lattice([10, 10, 10], 0.0))]));
        Arc::make_mut(&mut world.setup).solver.iterations = 1;
        Arc::make_mut(&mut world.setup).solver.damping = 2.0;
        Arc::make_mut(&mut world.setup).bodies[0].meets_itself = false;
        Arc::make_mut(&mut world.setup)
            .solver
            .methods
            .of_mut::<StrainEnergySettings>()
            .hourglass = hourglass;
        let p = &mut world.state.particles;
        for i in 0..p.len() {
            let sign = [1.0, -1.0][(p.id[i] as usize % 10 + p.id[i] as usize / 10 % 10) % 2];
            p.position[i].z += 0.1 * SPACING * sign;
        }
        advance(&mut world, 2.5e-3, 800, 2).expect("a sound scene");
        let p = &world.state.particles;
        let rest = &world.setup.bodies[0].particles.position;
        let inner = (0..p.len()).filter(|&i| {
            let cell = rest[p.id[i] as usize] / SPACING;
            cell.min_element() > 1.5 && cell.max_element() < 7.5
        });
        let wrong = inner.map(|i| (p.position[i] - rest[p.id[i] as usize]).z.abs());
        wrong.fold(0.0, f64::max) / SPACING
    };
    let (with, without) = (residual(0.1), residual(0.0));
    assert!(with < 2e-3, "{with}");
    assert!(without > 10.0 * with, "{without}");
}

fn bits_after(threads: usize, ordering: Ordering, instructions: Instructions) -> Vec<u8> {
    let mut world = stirred(metal(), ordering, 0.6 * SPACING);
    let mut stepper = CpuStepper::new(threads).expect("threads");
    stepper.set_instructions(instructions);
    for _ in 0..30 {
        stepper.substep(&mut world, 1e-3).expect("a sound scene");
    }
    world.state.to_bytes()
}

#[test]
fn the_bits_do_not_depend_on_threads_or_instructions() {
    for ordering in [Ordering::GaussSeidel, Ordering::Jacobi] {
        let one = bits_after(1, ordering, Instructions::BASELINE);
        for instructions in Instructions::available() {
            for threads in [1, 2, 4] {
                assert!(bits_after(threads, ordering, instructions) == one);
            }
        }
    }
}

#[test]
fn a_run_resumed_from_a_snapshot_has_the_same_bits() {
    let whole = bits_after(2, Ordering::GaussSeidel, Instructions::best());
    let mut world = stirred(metal(), Ordering::GaussSeidel, 0.6 * SPACING);
    advance(&mut world, 1e-3, 15, 2).expect("a sound scene");
    world.state = State::from_bytes(&world.state.to_bytes(), &world.setup).expect("its own bytes");
    advance(&mut world, 1e-3, 15, 1).expect("a sound scene");
    assert!(world.state.to_bytes() == whole);
    assert!(
        world
            .state
            .methods
            .of::<StrainEnergyColumns>()
            .plastic
            .iter()
            .any(|h| h.norm() > 0.01)
    );
}

/// An arm of a bent strip is pressed on the other.
#[test]
fn parts_of_a_body_that_touch_do_not_pass_through_each_other() {
    let gap = |meets_itself: bool| {
        // A U that lies open: two arms of two layers, joined at one end, three spacings apart.
        let cells = lattice([14, 7, 4], 0.0).into_iter().filter(|x| {
            let cell = *x / SPACING;
            cell.x < 1.5 || cell.y < 1.5 || cell.y > 4.5
        });
        let mut setup = world_of(rubber(), vec![solid(cells.collect())]);
        setup.bodies[0].meets_itself = meets_itself;
        let mut world = World::new(setup);
        let is_upper = |x: DVec3| x.y > 4.5 * SPACING && x.x > 8.0 * SPACING;
        let is_lower = |x: DVec3| x.y < 1.5 * SPACING && x.x > 8.0 * SPACING;
        let rest = world.setup.bodies[0].particles.position.clone();
        let mut stepper = CpuStepper::new(2).expect("threads");
        for _ in 0..400 {
            let p = &mut world.state.particles;
            for i in 0..p.len() {
                let x = rest[p.id[i] as usize];
                let push = f64::from(u8::from(is_lower(x))) - f64::from(u8::from(is_upper(x)));
                p.velocity[i] += to_real(DVec3::Y * (push * 4e-2));
            }
            stepper.substep(&mut world, 1e-3).expect("a sound scene");
        }
        let p = &world.state.particles;
        let heights = |of: &dyn Fn(DVec3) -> bool| -> Vec<f64> {
            let there = (0..p.len()).filter(|&i| of(rest[p.id[i] as usize]));
            there.map(|i| p.position[i].y).collect()
        };
        let least = heights(&is_upper).into_iter().fold(f64::INFINITY, f64::min);
        let greatest = heights(&is_lower)
            .into_iter()
            .fold(f64::NEG_INFINITY, f64::max);
        (least - greatest) / SPACING
    };
    let (with, without) = (gap(true), gap(false));
    assert!((0.5..1.3).contains(&with), "{with}");
    assert!(without < 0.0, "{without}");
}
