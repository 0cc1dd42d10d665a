//! Soft rings that fall on each other.

use std::f64::consts::TAU;
use std::sync::Arc;

use pliant_core::boundaries::Motion;
use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_geometry::shapes::Plane;
use pliant_math::{DQuat, DVec3, Pose, to_double};

use crate::{Case, Claim, Expected, Figure, rubber, run};

/// Contacts between bodies of solids, and between their parts.
pub const RINGS: Claim = Claim {
    statement: "rings of rubber that fall on each other come to rest without penetration",
    measure: || {
        let mut world = heap();
        let mut greatest = 0.0f64;
        run(&mut world, 1e-3, 2500, |world, _| {
            greatest = greatest.max(kinetic_energy(world));
        })?;
        figures(&world, greatest)
    },
};

const SPACING: f64 = 0.027;

fn figures(world: &World, greatest: f64) -> Result<Vec<Figure>, StepError> {
    let p = &world.state.particles;
    let lowest = p.position.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
    let decayed = kinetic_energy(world) / greatest;
    Ok(vec![
        Figure::new(
            "least distance of particles that were no neighbours, in spacings",
            least_distance(world) / SPACING,
            Expected::AtLeast(0.9),
        ),
        Figure::new(
            "kinetic energy over the greatest",
            decayed,
            Expected::AtMost(1e-3),
        ),
        Figure::new(
            "lowest particle in spacings",
            lowest / SPACING,
            Expected::AtLeast(0.45),
        ),
    ])
}

/// Eight rings, each leant its own way, above a floor between four walls.
fn heap() -> World {
    let ring = |k: usize| {
        let turn = DQuat::from_rotation_x(0.5 * (k as f64).sin());
        let middle = DVec3::new(
            0.02 * (k % 3) as f64,
            0.08 + 0.16 * k as f64,
            0.03 * (k % 2) as f64,
        );
        ring().into_iter().map(move |x| middle + turn * x)
    };
    let material = rubber(1000.0, 1e5, 0.4);
    let mut case = Case::new(material, ring(0).collect(), SPACING).floor(0.0, 0.0, 0.5);
    for k in 1..8 {
        case = case.beside(ring(k).collect());
    }
    for (normal, distance) in [
        (DVec3::X, 0.18),
        (DVec3::NEG_X, 0.22),
        (DVec3::Z, 0.18),
        (DVec3::NEG_Z, 0.22),
    ] {
        let pose = Pose {
            rotation: DQuat::IDENTITY,
            translation: -distance * normal,
        };
        case = case.collider(Arc::new(Plane { normal }), Motion::Rest(pose), 0.2);
    }
    case.setup.solver.damping = 0.5;
    case.world()
}

/// The points of a lattice in a ring of 0.1 m and tubes of 0.04 m.
fn ring() -> Vec<DVec3> {
    let mut points = Vec::new();
    // Rings of particles around the tube's middle, so that every section is the same.
    let along = (TAU * 0.1 / SPACING).round() as usize;
    for k in 0..along {
        let angle = TAU * k as f64 / along as f64;
        for (out, up) in [
            (-1.0, -1.0),
            (-1.0, 0.0),
            (-1.0, 1.0),
            (0.0, -1.0),
            (0.0, 0.0),
            (0.0, 1.0),
            (1.0, -1.0),
            (1.0, 0.0),
            (1.0, 1.0),
        ] {
            let radius = 0.1 + out * SPACING;
            points.push(DVec3::new(
                radius * angle.cos(),
                up * SPACING,
                radius * angle.sin(),
            ));
        }
    }
    points
}

fn kinetic_energy(world: &World) -> f64 {
    let p = &world.state.particles;
    let of = |i: usize| 0.5 * f64::from(p.mass[i]) * to_double(p.velocity[i]).length_squared();
    (0..p.len()).map(of).sum()
}

/// Least distance [m] of particles of different rings, or of parts of one that were apart at rest.
fn least_distance(world: &World) -> f64 {
    let p = &world.state.particles;
    let rest: Vec<DVec3> = world
        .setup
        .bodies
        .iter()
        .flat_map(|b| b.particles.position.clone())
        .collect();
    let mut least = f64::INFINITY;
    for i in 0..p.len() {
        for j in 0..i {
            let were_apart = p.body[i] != p.body[j]
                || rest[p.id[i] as usize].distance(rest[p.id[j] as usize]) > 1.5 * SPACING;
            if were_apart {
                least = least.min(p.position[i].distance(p.position[j]));
            }
        }
    }
    least
}
