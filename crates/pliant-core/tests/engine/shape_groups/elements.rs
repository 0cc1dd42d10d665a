//! Groups as finite elements.

use pliant_core::methods::shape_groups::{
    self, EnergySolve, ParticleGroups, ShapeGroupsSettings, ShapeGroupsSetup, read,
};
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::{Body, World};
use pliant_geometry::shapes::Sphere;
use pliant_geometry::{CutGrid, Shape, TetrahedralMesh};
use pliant_math::simd::Instructions;
use pliant_math::{DMat3, DVec3, Pose, RandomStream, to_double};

use super::momentum::stirred;
use super::{DENSITY, SPACING, YOUNGS_MODULUS, block, by_precision, rubber, step, world_of};
use crate::worlds::advance;

/// Cubes of six tetrahedra each, with corners displaced at random.
fn tetrahedra([nx, ny, nz]: [usize; 3]) -> TetrahedralMesh {
    let random = RandomStream::new(3, 0);
    let vertex = |x: usize, y: usize, z: usize| (z * (ny + 1) + y) * (nx + 1) + x;
    let mut vertices = Vec::new();
    for k in 0..(nx + 1) * (ny + 1) * (nz + 1) {
        let at = [
            k % (nx + 1),
            k / (nx + 1) % (ny + 1),
            k / ((nx + 1) * (ny + 1)),
        ];
        let noise = [0, 1, 2].map(|axis| 0.2 * (random.unit(3 * k as u64 + axis) - 0.5));
        let place = DVec3::from_array(at.map(|c| c as f64)) + DVec3::from_array(noise);
        vertices.push(place * SPACING);
    }
    // Along the diagonal of the cube, by the order in which axes are gone.
    const WAYS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let mut all = Vec::new();
    for k in 0..nx * ny * nz {
        let cell = [k % nx, k / nx % ny, k / (nx * ny)];
        for way in WAYS {
            let mut at = cell;
            let mut corners = [vertex(at[0], at[1], at[2]) as u32; 4];
            for (corner, axis) in corners[1..].iter_mut().zip(way) {
                at[axis] += 1;
                *corner = vertex(at[0], at[1], at[2]) as u32;
            }
            all.push(corners);
        }
    }
    TetrahedralMesh::new(&vertices, all).expect("tetrahedra")
}

/// Piola-Kirchhoff stress of Psi = mu/2 (|F|^2 - 3) + l/2 (J - 1 - mu/l)^2, l = lambda + mu.
fn stress(f: DMat3, poissons_ratio: f64) -> DMat3 {
    let mu = YOUNGS_MODULUS / (2.0 * (1.0 + poissons_ratio));
    let lambda = 2.0 * mu * poissons_ratio / (1.0 - 2.0 * poissons_ratio) + mu;
    let j = f.determinant();
    let cofactor = f.inverse().transpose() * j;
    f * mu + cofactor * (lambda * (j - 1.0) - mu)
}

#[test]
fn forces_of_tetrahedra_are_those_of_linear_finite_elements() {
    let nu = 0.35;
    let mesh = tetrahedra([3, 2, 2]);
    for solve in [EnergySolve::Block, EnergySolve::Energy, EnergySolve::Stress] {
        let mut groups = ParticleGroups::tetrahedra(&mesh);
        groups.triangles.clear();
        let body = shape_groups::body(0, DENSITY, SPACING, groups, Pose::IDENTITY);
        let mut setup = world_of(rubber(nu), vec![body]);
        setup.solver.methods.of_mut::<ShapeGroupsSettings>().solve = solve;
        let mut world = World::new(setup);
        let random = RandomStream::new(4, 0);
        for (k, x) in world.state.particles.position.iter_mut().enumerate() {
            let noise = [0, 1, 2].map(|axis| 0.2 * (random.unit(3 * k as u64 + axis) - 0.5));
            *x += DVec3::from_array(noise) * SPACING;
        }
        let position = world.state.particles.position.clone();
        // So short that nothing but the forces at the start counts.
        let dt = step(by_precision(1e-8, 1e-3));
        advance(&mut world, dt, 1, 1).expect("a sound body");
        let mut force = vec![DVec3::ZERO; position.len()];
        for t in mesh.tetrahedra() {
            let edges = |x: &[DVec3]| {
                let [a, b, c, d] = t.map(|k| x[k as usize]);
                DMat3::from_cols(b - a, c - a, d - a)
            };
            let rest = edges(mesh.vertices());
            let volume = rest.determinant() / 6.0;
            let f = edges(&position) * rest.inverse();
            let of_corners = stress(f, nu) * rest.inverse().transpose() * -volume;
            let columns = [of_corners.x_axis, of_corners.y_axis, of_corners.z_axis];
            for (&corner, column) in t[1..].iter().zip(columns) {
                force[corner as usize] += column;
                force[t[0] as usize] -= column;
            }
        }
        let p = &world.state.particles;
        let greatest = force.iter().map(|f| f.length()).fold(0.0, f64::max);
        for (i, &id) in p.id.iter().enumerate() {
            let found = to_double(p.velocity[i]) * (f64::from(p.mass[i]) / dt);
            let error = found.distance(force[id as usize]) / greatest;
            assert!(error < by_precision(1e-12, 1e-5), "{solve:?} {error:e}");
        }
    }
}

#[test]
fn readings_are_exact_for_affine_deformations() {
    let f = DMat3::from_cols(
        DVec3::new(1.2, 0.1, -0.3),
        DVec3::new(0.0, 0.8, 0.2),
        DVec3::new(0.1, 0.4, 1.1),
    );
    let hexahedra = block([3, 2, 4], DVec3::ONE * 7.0);
    for (body, particles) in [(hexahedra, 4 * 3 * 5), (pile([3, 2, 2]), 4 * 3 * 3)] {
        let mut world = World::new(world_of(rubber(0.4), vec![body]));
        for x in &mut world.state.particles.position {
            *x = f * *x;
        }
        let (mut count, mut worst) = (0, 0.0_f64);
        let setup = ShapeGroupsSetup::of(&world.setup);
        read(&setup, &world.state, |_, reading| {
            count += 1;
            let difference = reading.deformation_gradient - f;
            for error in difference.to_cols_array() {
                worst = worst.max(error.abs());
            }
        });
        // In single precision too: readings are in double.
        assert!(worst < 1e-12, "{worst:e}");
        assert_eq!(count, particles);
    }
}

/// A body of tetrahedra.
fn pile(cubes: [usize; 3]) -> Body {
    let groups = ParticleGroups::tetrahedra(&tetrahedra(cubes));
    shape_groups::body(0, DENSITY, SPACING, groups, Pose::IDENTITY)
}

#[test]
fn nothing_moves_at_rest() {
    let solves = [EnergySolve::Block, EnergySolve::Energy, EnergySolve::Stress];
    for (solve, is_cubes) in solves.into_iter().flat_map(|s| [(s, true), (s, false)]) {
        let body = match is_cubes {
            true => block([4, 3, 3], DVec3::ZERO),
            false => pile([3, 2, 2]),
        };
        let mut setup = world_of(rubber(0.45), vec![body]);
        setup.solver.methods.of_mut::<ShapeGroupsSettings>().solve = solve;
        let mut world = World::new(setup);
        let start = world.state.particles.position.clone();
        // Tetrahedra are a part of a spacing high.
        let dt = step(if is_cubes { 0.3 } else { 0.1 });
        advance(&mut world, dt, 1000, 2).expect("a sound body");
        let p = &world.state.particles;
        let moved = (0..p.len()).map(|i| p.position[i].distance(start[p.id[i] as usize]));
        let moved = moved.fold(0.0, f64::max) / SPACING;
        assert!(
            moved < by_precision(1e-10, 2e-3),
            "{solve:?} {is_cubes} {moved:e}"
        );
    }
}

#[test]
fn bits_depend_on_neither_threads_nor_instructions() {
    let bytes = |threads: usize| {
        let mut world = stirred(rubber(0.45), ShapeGroupsSettings::default());
        advance(&mut world, step(0.2), 30, threads).expect("a sound body");
        world.state.to_bytes()
    };
    let one = bytes(1);
    assert!(bytes(2) == one && bytes(4) == one);
    for &instructions in Instructions::available().iter() {
        let mut world = stirred(rubber(0.45), ShapeGroupsSettings::default());
        let mut stepper = CpuStepper::new(1).expect("a thread");
        stepper.set_instructions(instructions);
        for _ in 0..30 {
            stepper
                .substep(&mut world, step(0.2))
                .expect("a sound body");
        }
        assert!(world.state.to_bytes() == one, "{instructions:?}");
    }
}

#[test]
fn cut_cells_stay_at_rest_and_fall_without_strain() {
    let mesh = Sphere { radius: 0.15 }.surface(0.3);
    let grid = CutGrid {
        origin: DVec3::splat(-0.15),
        side: DVec3::splat(SPACING),
    };
    let pose = Pose::from_euler(DVec3::new(0.3, 0.1, 0.2), DVec3::new(0.4, -0.3, 0.8));
    let groups = ParticleGroups::cut_cells(&mesh, grid);
    let body = shape_groups::body(0, DENSITY, SPACING, groups, pose);
    let mut setup = world_of(rubber(0.45), vec![body]);
    setup.gravity = DVec3::Y * -9.81;
    let mut world = World::new(setup);
    let start = world.state.particles.position.clone();
    advance(&mut world, step(0.2), 100, 2).expect("a sound body");
    let p = &world.state.particles;
    let moved = |i: usize| p.position[i] - start[p.id[i] as usize];
    let worst = (0..p.len())
        .map(|i| moved(i).distance(moved(0)))
        .fold(0.0, f64::max);
    assert!(worst < by_precision(1e-10, 2e-4) * SPACING, "{worst:e}");
}
