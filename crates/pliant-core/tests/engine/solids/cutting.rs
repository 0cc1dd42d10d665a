//! Cutting and tearing.

use std::sync::Arc;

use pliant_core::boundaries::{Blade, Motion};
use pliant_core::measure::FrameBuffers;
use pliant_core::methods::strain_energy::{StrainEnergyColumns, StrainEnergySetup};
use pliant_core::particles::ReorderScratch;
use pliant_core::world::RenderMesh;
use pliant_geometry::shapes::{Box as Cuboid, Sheet};
use pliant_geometry::{Shape, TriangleMesh, refined};
use pliant_math::{DVec2, Pose};

use super::*;

/// A square of 10 m that cuts once, at the start.
fn plane(point: DVec3, normal: DVec3) -> Blade {
    let sheet = Sheet {
        size: DVec2::splat(10.0),
        resolution: [2, 2],
        spacing: 10.0,
    };
    Blade {
        name: "blade".into(),
        surface: sheet.fabric().expect("a surface"),
        shape: Arc::new(sheet),
        motion: Motion::Rest(Pose {
            rotation: DQuat::from_rotation_arc(DVec3::Y, normal.normalize()),
            translation: point,
        }),
        start: 0.0,
        stop: 0.0,
        body: None,
        color: [0.5; 3],
        opacity: 1.0,
    }
}

/// One whose edge comes along x from `from` on at a speed [m/s].
fn moving(plane: Blade, from: DVec3, speed: f64) -> Blade {
    let Motion::Rest(pose) = plane.motion else {
        return plane;
    };
    Blade {
        motion: Motion::Constant {
            start: Pose {
                translation: from - 5.0 * DVec3::X,
                ..pose
            },
            velocity: DVec3::X * speed,
            spin: DVec3::ZERO,
        },
        stop: f64::INFINITY,
        ..plane
    }
}

fn fragments(world: &World) -> usize {
    let mut buffers = FrameBuffers::default();
    buffers.update(world);
    let frame = buffers.frame();
    let of = frame.quantity("fragment").expect("every frame has it");
    let mut names: Vec<u32> = of.values.iter().map(|&name| name as u32).collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}

fn cut_block(size: [usize; 3], jitter: f64, blades: Vec<Blade>) -> World {
    let mut setup = world_of(rubber(), vec![solid(lattice(size, jitter))]);
    setup.blades = blades;
    World::new(setup)
}

/// Positions by id.
fn positions(world: &World) -> Vec<DVec3> {
    let p = &world.state.particles;
    let mut all = vec![DVec3::ZERO; p.len()];
    for (&id, &x) in p.id.iter().zip(&p.position) {
        all[id as usize] = x;
    }
    all
}

#[test]
fn halves_fly_apart_freely_and_each_keeps_its_shape() {
    let middle = 5.5 * SPACING;
    let mut world = cut_block([12, 5, 5], 0.2, vec![plane(DVec3::X * middle, DVec3::X)]);
    advance(&mut world, 1e-3, 1, 1).expect("a sound scene");
    assert_eq!(fragments(&world), 2);
    let before = positions(&world);
    let velocity = |x: DVec3| DVec3::new(if x.x > middle { 0.5 } else { -0.3 }, 0.1, 0.0);
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        p.velocity[i] = to_real(velocity(p.position[i]));
    }
    advance(&mut world, 1e-3, 100, 2).expect("a sound scene");
    let way = |(from, to): (&DVec3, &DVec3)| (*to - *from - velocity(*from) * 0.1).length();
    let worst = before
        .iter()
        .zip(&positions(&world))
        .map(way)
        .fold(0.0, f64::max);
    assert!(worst < by_precision(1e-13, 1e-6), "{worst}");
}

#[test]
fn a_blade_cuts_a_moving_block_and_half_a_cut_does_not_divide_it() {
    let blade = |way: f64| {
        let start = DVec3::new(-2.0 * SPACING, 2.02 * SPACING, 0.1);
        let blade = moving(plane(DVec3::ZERO, DVec3::Y), start, 1.0);
        Blade {
            stop: way * SPACING,
            ..blade
        }
    };
    for (way, pieces) in [(5.0, 1), (12.0, 2)] {
        let mut world = cut_block([8, 5, 5], 0.2, vec![blade(way)]);
        let p = &mut world.state.particles;
        for i in 0..p.len() {
            // It turns about the axis along z and flies.
            let spin = DVec3::Z.cross(p.position[i]) * 0.1;
            p.velocity[i] = to_real(spin + DVec3::new(0.05, 0.0, 0.4));
        }
        advance(&mut world, 1e-3, 700, 2).expect("a sound scene");
        assert_eq!(fragments(&world), pieces, "{way}");
        assert!(broken_bonds(&world) > 0);
    }
}

#[test]
fn affine_deformations_stay_exact_after_cuts() {
    let along = [
        DVec3::X,
        DVec3::new(0.3, 1.0, 0.2),
        DVec3::new(-0.2, 0.4, 1.0),
    ];
    let center = DVec3::splat(2.3 * SPACING);
    let blades = along.map(|normal| plane(center, normal)).to_vec();
    let mut world = cut_block([6, 6, 6], 0.2, blades);
    advance(&mut world, 1e-3, 1, 1).expect("a sound scene");
    assert_eq!(fragments(&world), 8);
    let map = DMat3::from_quat(DQuat::from_rotation_y(2.0))
        * DMat3::from_cols(
            DVec3::new(1.1, 0.1, 0.0),
            DVec3::new(0.3, 0.8, 0.2),
            DVec3::new(0.0, 0.1, 1.2),
        );
    map_positions(&mut world.state.particles, map);
    let (setup, state) = (StrainEnergySetup::of(&world.setup), &world.state);
    let mut worst: f64 = 0.0;
    read(
        &setup,
        &state.particles,
        state.methods.of::<StrainEnergyColumns>(),
        |reading| reading,
        |_, reading| {
            let wrong = reading.deformation_gradient - map;
            // Single particles and rods say nothing.
            if reading.deformation_gradient != DMat3::IDENTITY {
                let components = wrong.to_cols_array().into_iter();
                worst = components.map(f64::abs).fold(worst, f64::max);
            }
        },
    );
    assert!(worst < by_precision(1e-11, 1e-5), "{worst}");
}

#[test]
fn cuts_leave_the_same_constraints_as_a_fresh_start_after_them() {
    for ordering in [Ordering::GaussSeidel, Ordering::Jacobi] {
        let run = |stops: bool| {
            let mut world = stirred(metal(), ordering, 0.4 * SPACING);
            let start = DVec3::new(-SPACING, 2.1 * SPACING, 0.0);
            let normal = DVec3::new(0.0, 1.0, 0.3);
            Arc::make_mut(&mut world.setup).blades =
                vec![moving(plane(DVec3::ZERO, normal), start, 8.0)];
            let mut stepper = CpuStepper::new(2).expect("threads");
            for _ in 0..60 {
                if stops {
                    let bytes = world.state.to_bytes();
                    world.state = State::from_bytes(&bytes, &world.setup).expect("its own bytes");
                    stepper = CpuStepper::new(1).expect("threads");
                }
                stepper.substep(&mut world, 1e-3).expect("a sound scene");
            }
            assert!(broken_bonds(&world) > 200);
            world.state.to_bytes()
        };
        assert!(run(false) == run(true), "{ordering:?}");
    }
}

#[test]
fn particles_far_from_a_cut_go_on_as_without_it() {
    let run = |blades: Vec<Blade>| {
        let (one, two) = (lattice([14, 4, 4], 0.2), lattice([3, 3, 3], 0.2));
        let mut setup = world_of(rubber(), vec![solid(one), solid(two)]);
        setup.solver.ordering = Ordering::Jacobi;
        for x in &mut setup.bodies[1].particles.position {
            *x += DVec3::Y * 9.0;
        }
        setup.blades = blades;
        setup.solver.iterations = 1;
        let mut world = World::new(setup);
        let p = &mut world.state.particles;
        for i in 0..p.len() {
            let noise = libm::sin(1e3 * (i as f64 + 0.5));
            p.position[i].x += 0.1 * SPACING * noise;
        }
        advance(&mut world, 1e-3, 2, 2).expect("a sound scene");
        positions(&world)
    };
    let cut = Blade {
        body: Some(0),
        ..plane(DVec3::X * 3.5 * SPACING, DVec3::X)
    };
    let (with, without) = (run(vec![cut]), run(vec![]));
    let differs: Vec<DVec3> = with
        .iter()
        .zip(&without)
        .filter(|(x, y)| x.distance(**y) > 1e-6 * SPACING)
        .map(|(_, y)| *y)
        .collect();
    // A sweep carries what happens two supports far.
    let is_near = |x: &DVec3| x.y < 1.0 && (x.x - 3.5 * SPACING).abs() < 4.0 * SPACING;
    assert!(!differs.is_empty() && differs.iter().all(is_near));
}

#[test]
fn slivers_of_any_rank_stay_finite_and_keep_momentum() {
    let mut blades = Vec::new();
    for k in 0..4 {
        let at = (f64::from(k) + 0.5) * SPACING;
        blades.push(plane(DVec3::Z * at, DVec3::Z));
        blades.push(Blade {
            start: 0.0205,
            stop: 0.0205,
            ..plane(DVec3::Y * at, DVec3::Y)
        });
        blades.push(Blade {
            start: 0.0405,
            stop: 0.0405,
            ..plane(DVec3::X * at, DVec3::X)
        });
    }
    for ordering in [Ordering::GaussSeidel, Ordering::Jacobi] {
        let mut world = cut_block([5, 5, 5], 0.0, blades.clone());
        Arc::make_mut(&mut world.setup).solver.ordering = ordering;
        let random = RandomStream::new(7, 0);
        let p = &mut world.state.particles;
        for i in 0..p.len() {
            let number = |n: u64| 0.4 * (random.unit(3 * i as u64 + n) - 0.5);
            p.velocity[i] = to_real(DVec3::new(number(0), number(1), number(2)));
        }
        let before = momentum(&world);
        let mut pieces = Vec::new();
        for _ in 0..3 {
            advance(&mut world, 1e-3, 20, 1).expect("a sound scene");
            pieces.push(fragments(&world));
        }
        assert_eq!(pieces, [5, 25, 125]);
        let p = &world.state.particles;
        let mass: f64 = p.mass.iter().map(|&m| f64::from(m)).sum();
        let drift = (momentum(&world) - before).length() / (0.1 * mass);
        assert!(drift < by_precision(1e-12, 1e-5), "{ordering:?}: {drift}");
    }
}

#[test]
fn a_cut_off_half_rests_on_the_other_without_being_pushed_away() {
    let middle = 2.5 * SPACING;
    let mut world = cut_block([6, 6, 6], 0.2, vec![plane(DVec3::Y * middle, DVec3::Y)]);
    Arc::make_mut(&mut world.setup).gravity = DVec3::Y * -9.81;
    Arc::make_mut(&mut world.setup).solver.damping = 5.0;
    let rest = positions(&world);
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        if p.position[i].y < 0.5 * SPACING {
            p.inverse_mass[i] = 0.0;
        }
    }
    advance(&mut world, 1e-3, 1, 1).expect("a sound scene");
    let start = positions(&world);
    let risen = start.iter().zip(&rest).map(|(x, y)| x.y - y.y);
    assert!(risen.fold(0.0, f64::max) < 1e-6 * SPACING);
    advance(&mut world, 1e-3, 600, 2).expect("a sound scene");
    let end = positions(&world);
    let fallen = |is_upper: bool| {
        let of = rest
            .iter()
            .zip(&end)
            .filter(|(x, _)| (x.y > middle) == is_upper);
        let ways: Vec<f64> = of.map(|(x, y)| (x.y - y.y) / SPACING).collect();
        ways.iter().sum::<f64>() / ways.len() as f64
    };
    // Irregular layers settle into each other by less than half a spacing.
    assert_eq!(fragments(&world), 2);
    assert!((-0.02..0.5).contains(&fallen(true)), "{}", fallen(true));
    assert!(fallen(false) < 0.1, "{}", fallen(false));
}

#[test]
fn a_bar_tears_where_it_is_stretched_beyond_its_strain() {
    let torn = |stretch: f64| {
        let law = Solid {
            tear_strain: Some(0.5),
            ..rubber()
        };
        let mut world = World::new(world_of(law, vec![solid(lattice([12, 4, 4], 0.0))]));
        let p = &mut world.state.particles;
        for i in 0..p.len() {
            // The middle third alone is stretched.
            let x = p.position[i].x / SPACING;
            p.position[i].x += (stretch - 1.0) * SPACING * (x - 4.0).clamp(0.0, 3.0);
        }
        advance(&mut world, 1e-5, 1, 1).expect("a sound scene");
        (broken_bonds(&world), fragments(&world))
    };
    assert_eq!(torn(1.45), (0, 1));
    // Three layers of 16 ways along the bar, both directions counted; oblique ways are stretched less.
    assert_eq!(torn(1.55), (2 * 3 * 16, 1));
    assert!(torn(2.4).1 >= 4);
}

#[test]
fn cuts_of_another_world_are_refused() {
    let cut = || vec![plane(DVec3::X * 2.5 * SPACING, DVec3::X)];
    let mut world = cut_block([6, 5, 5], 0.0, cut());
    advance(&mut world, 1e-3, 1, 1).expect("a sound scene");
    let other = cut_block([6, 5, 4], 0.0, cut());
    assert!(world.state.check_fits(&world.setup).is_ok());
    let told = world
        .state
        .check_fits(&other.setup)
        .expect_err("it does not fit");
    assert!(told.to_string().contains("cuts"), "{told}");
}

#[test]
fn an_embedded_surface_is_rebuilt_when_particles_leave_and_others_are_emitted() {
    let block = block_with_surface([6, 5, 4], 0.0);
    let fed = body(0, SPACING, Vec::new(), DVec3::ZERO);
    let mut world = World::new(world_of(rubber(), vec![block, fed]));
    let mut buffers = FrameBuffers::default();
    buffers.update(&world);
    let whole = buffers.surface().expect("a surface").position.to_vec();
    // All that a corner of the surface goes with.
    let is_left = |x: DVec3| x.length() > 2.0 * SPACING;
    let p = &world.state.particles;
    let left = (0..p.len() as u32).filter(|&i| is_left(p.position[i as usize]));
    let left: Vec<u32> = left.collect();
    let gone = p.len() - left.len();
    world.state.reorder(&left, &mut ReorderScratch::default());
    for k in 0..gone {
        let far = DVec3::Z * (9.0 + k as f64);
        world.state.add(&world.setup, 1, far, DVec3::ZERO, false);
    }
    buffers.update(&world);
    let surface = buffers.surface().expect("a surface");
    assert_eq!(surface.position.len(), whole.len());
    for (x, y) in surface.position.iter().zip(&whole) {
        assert!(x.distance(*y) < 1e-6, "{x} {y}");
    }
}

/// A block with its box as its surface.
fn block_with_surface(size: [usize; 3], jitter: f64) -> Body {
    let extent = DVec3::from(size.map(|n| n as f64)) * SPACING;
    let cuboid = Cuboid {
        half_size: 0.5 * extent,
    };
    let pose = Pose {
        translation: 0.5 * (extent - SPACING),
        ..Pose::IDENTITY
    };
    let mut mesh = refined(&cuboid.surface(1.0), 1.5 * SPACING);
    for x in &mut mesh.vertices {
        *x = pose.to_world(*x);
    }
    let mut block = solid(lattice(size, jitter));
    block.particles.render_mesh = Some(Arc::new(RenderMesh {
        mesh,
        uv_map: None,
        shape: Arc::new(cuboid),
        pose,
    }));
    block
}

fn surface_of(world: &World) -> TriangleMesh {
    let mut buffers = FrameBuffers::default();
    buffers.update(world);
    let surface = buffers.surface().expect("a surface");
    TriangleMesh {
        vertices: surface.position.to_vec(),
        triangles: surface.triangles.to_vec(),
    }
}

fn area(mesh: &TriangleMesh) -> f64 {
    let corners = (0..mesh.triangles.len()).map(|t| mesh.corners(t));
    let areas = corners.map(|[a, b, c]| 0.5 * (b - a).cross(c - a).length());
    areas.sum()
}

/// Neighbours that hold each other no longer.
fn broken_bonds(world: &World) -> u64 {
    let columns = world.state.methods.of::<StrainEnergyColumns>();
    columns.broken_bonds.count()
}

/// What the particles fill.
fn filled(world: &World) -> f64 {
    let (setup, state) = (StrainEnergySetup::of(&world.setup), &world.state);
    let mut volume = 0.0;
    read(
        &setup,
        &state.particles,
        state.methods.of::<StrainEnergyColumns>(),
        |reading| reading,
        |_, reading| volume += reading.deformation_gradient.determinant() * SPACING.powi(3),
    );
    volume
}

#[test]
fn a_crack_half_way_through_a_block_opens_its_surface() {
    // From the left to the middle, between the layers of height 4 and 5.
    let size = [12, 10, 6];
    let start = DVec3::new(-2.0 * SPACING, 4.53 * SPACING, 0.1);
    let depth = 6.0;
    let blade = Blade {
        stop: 0.01 * (2.0 + depth - 0.5),
        ..moving(plane(DVec3::ZERO, DVec3::Y), start, 5.0)
    };
    let mut setup = world_of(rubber(), vec![block_with_surface(size, 0.1)]);
    setup.blades = vec![blade];
    let mut world = World::new(setup);
    let whole = surface_of(&world);
    advance(&mut world, 1e-3, 80, 2).expect("a sound scene");
    assert_eq!(fragments(&world), 1);
    let closed = surface_of(&world);
    let face = depth * 6.0 * SPACING.powi(2);
    let grown = (area(&closed) - area(&whole)) / face;
    assert!((grown - 2.0).abs() < 0.25, "{grown}");
    let p = &mut world.state.particles;
    for i in 0..p.len() {
        let x = p.position[i];
        if x.x < depth * SPACING {
            let away = if x.y > 4.53 * SPACING { 1.5 } else { -1.5 };
            p.velocity[i] = to_real(DVec3::Y * away);
        }
    }
    advance(&mut world, 1e-3, 80, 2).expect("a sound scene");
    let open = surface_of(&world);
    assert!(open.vertices.iter().all(|x| x.is_finite()));
    // The mouth of the slit: what the lips are apart.
    let positions = positions(&world);
    let layer = |y: f64| {
        let of = (0..6).map(|z| positions[(y as usize) * 12 + z * 120].y);
        of.sum::<f64>() / 6.0
    };
    let mouth = layer(5.0) - layer(4.0) - SPACING;
    assert!(mouth > 2.0 * SPACING, "{mouth}");
    let wedge = 0.5 * mouth * depth * 6.0 * SPACING.powi(2);
    let covered = (open.volume() - filled(&world)) / wedge;
    assert!(covered.abs() < 0.15, "{covered}");
    let corners = (0..open.triangles.len()).map(|t| open.corners(t));
    let lengths = corners.flat_map(|[a, b, c]| [a.distance(b), b.distance(c), c.distance(a)]);
    let longest = lengths.fold(0.0, f64::max) / SPACING;
    assert!(longest < 3.0, "{longest}");
}
