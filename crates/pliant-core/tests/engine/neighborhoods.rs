//! Particles with few neighbours, or with all of them in a plane or on a line.

use pliant_core::methods::xpbi::{
    Gather, PositionCorrection, Xpbi, XpbiColumns, XpbiSettings, XpbiSetup,
};
use pliant_core::particles::ReorderScratch;
use pliant_core::step::{CpuStepper, Stepper};
use pliant_core::world::World;
use pliant_math::{DMat3, DVec3, to_double, to_real};

use crate::blocks::{block, body, setup};
use crate::worlds::advance;

const FIELD: DMat3 = DMat3::from_cols(
    DVec3::new(0.5, -0.3, 0.8),
    DVec3::new(0.2, 0.4, -0.6),
    DVec3::new(-0.7, 0.1, -0.2),
);

/// grad v of the linear field at the particle that stands first, and its rank.
fn gradient(points: &[DVec3]) -> (DMat3, u8) {
    let mut state = World::new(setup(vec![body(0, 1.0, points.to_vec(), DVec3::ZERO)])).state;
    let mut xpbi = Xpbi::new(XpbiSetup::of(&setup(vec![body(
        0,
        1.0,
        vec![],
        DVec3::ZERO,
    )])));
    xpbi.find(
        &mut state.particles,
        state.methods.of_mut::<XpbiColumns>(),
        &mut ReorderScratch::default(),
        1e-3,
    );
    let particles = &state.particles;
    let first = particles.id.iter().position(|&id| id == 0).expect("there");
    let velocity = |j: usize| to_real(FIELD * particles.position[j]);
    let lists = &xpbi.continua[0].neighbors;
    let g = lists.velocity_gradient(first, velocity);
    let columns = [g.x_axis, g.y_axis, g.z_axis].map(to_double);
    (
        DMat3::from_cols(columns[0], columns[1], columns[2]),
        lists.rank(first),
    )
}

fn largest(m: DMat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |a, x| x.abs().max(a))
}

/// Asserts that the gradient is the field's in the directions that the neighbours span, zero in
/// the others.
fn assert_projected(neighbors: &[DVec3], spanned: DMat3, rank: u8) {
    let points: Vec<DVec3> = std::iter::once(DVec3::ZERO)
        .chain(neighbors.iter().copied())
        .collect();
    let (found, found_rank) = gradient(&points);
    let error = largest(found - FIELD * spanned);
    assert!(error < 1e-5, "{neighbors:?}: {found} {error:e}");
    assert_eq!(found_rank, rank, "{neighbors:?}");
}

fn onto(axis: DVec3) -> DMat3 {
    let a = axis.normalize();
    DMat3::from_cols(a * a.x, a * a.y, a * a.z)
}

#[test]
fn a_lone_particle_has_no_gradient() {
    assert_projected(&[], DMat3::ZERO, 0);
    assert_projected(&[DVec3::X * 2.5], DMat3::ZERO, 0);
}

#[test]
fn neighbors_on_a_line_give_the_gradient_along_it() {
    let axis = DVec3::new(0.6, 0.5, -0.4);
    assert_projected(&[axis], onto(axis), 1);
    assert_projected(&[axis, -1.1 * axis], onto(axis), 1);
    assert_projected(&[axis, 1.6 * axis, -0.9 * axis], onto(axis), 1);
}

#[test]
fn neighbors_in_a_plane_give_the_gradient_inside_it() {
    let normal = DVec3::new(1.0, 2.0, -1.0);
    let (a, b) = normal.normalize().any_orthonormal_pair();
    let inside = DMat3::IDENTITY - onto(normal);
    assert_projected(&[a, b], inside, 2);
    assert_projected(&[a, b, -0.9 * a, 0.7 * a - 0.6 * b], inside, 2);
}

#[test]
fn three_neighbors_in_general_position_give_the_whole_gradient() {
    let neighbors = [
        DVec3::new(0.9, 0.1, 0.0),
        DVec3::new(-0.2, 1.0, 0.1),
        DVec3::new(0.1, -0.1, 0.8),
    ];
    assert_projected(&neighbors, DMat3::IDENTITY, 3);
}

#[test]
fn sparse_particles_fall_freely_and_stay_finite() {
    let sets = [
        vec![DVec3::Y],
        vec![DVec3::Y, DVec3::new(0.0, 2.0, 0.0)],
        vec![DVec3::Y, DVec3::Y],
        vec![
            DVec3::Y,
            DVec3::new(1.0, 1.0, 0.0),
            DVec3::new(2.0, 1.0, 0.0),
        ],
        vec![
            DVec3::Y,
            DVec3::new(1.0, 1.0, 0.0),
            DVec3::new(0.0, 1.0, 1.0),
        ],
    ];
    for points in sets {
        let mut setup = setup(vec![body(0, 1.0, points, DVec3::ZERO)]);
        setup.colliders.clear();
        setup.solver.methods.of_mut::<XpbiSettings>().correction = PositionCorrection::None;
        let mut world = World::new(setup);
        advance(&mut world, 1e-2, 20, 1).expect("finite");
        for v in &world.state.particles.velocity {
            assert!((f64::from(v.y) + 9.81 * 0.2).abs() < 1e-4, "{v}");
        }
    }
}

#[test]
fn the_gather_bound_reads_every_neighbor_once() {
    let mut setup = setup(vec![
        block(0, [6; 3], 0.05, DVec3::ZERO, DVec3::ZERO),
        block(0, [4; 3], 0.08, DVec3::X * 2.0, DVec3::ZERO),
    ]);
    for body in &mut setup.bodies {
        // No neighbour of the lattices lies on the edge of the support.
        body.support_radius = 2.1 * body.spacing;
    }
    let mut world = World::new(setup);
    for (i, v) in world.state.particles.velocity.iter_mut().enumerate() {
        *v = to_real(DVec3::new(1e-3 * i as f64, 1.0, 5e-4 * i as f64));
    }
    let mut stepper = CpuStepper::new(1).expect("threads");
    stepper.substep(&mut world, 1e-6).expect("a sound start");
    let xpbi = stepper.method().expect("the method");
    let mut gather = Gather::new(xpbi, &world.state.particles);
    gather.pass();
    let particles = &world.state.particles;
    // Neighbours were found at the start of the substep, a few micrometres away.
    for (i, sum) in gather.sums().iter().enumerate() {
        let body = particles.body[i];
        let support = world.setup.bodies[body as usize].support_radius;
        let near = (0..particles.len()).filter(|&j| {
            let distance = particles.position[i].distance(particles.position[j]);
            j != i && particles.body[j] == body && distance < support
        });
        let expected: DVec3 = near.map(|j| to_double(particles.velocity[j])).sum();
        let found = DVec3::new(sum[0].into(), sum[1].into(), sum[2].into());
        assert!(
            found.distance(expected) < 1e-3 * expected.length(),
            "{found} {expected}"
        );
    }
}
