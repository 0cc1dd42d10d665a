//! A block on an inclined plane.

use std::sync::Arc;

use pliant_core::rest::RestShape;
use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_math::{DVec3, to_double};

use crate::{Case, Claim, Expected, Figure, box_lattice, elastic, greatest_speed, rubber, run};

/// Sliding with and without friction.
pub const SLIDES: Claim = Claim {
    statement: "above the friction angle a block slides by Coulomb's law",
    measure: || {
        let mut figures = Vec::new();
        for friction in [0.5, 0.0] {
            let angle = 35f64.to_radians();
            let theory = GRAVITY * (angle.sin() - friction * angle.cos());
            let what = format!("acceleration over theory at 35 degrees, friction {friction}");
            let ratio = acceleration(angle, friction)? / theory;
            figures.push(Figure::new(what, ratio, Expected::Near(1.0, 1e-3)));
        }
        Ok(figures)
    },
};

/// Sticking.
pub const STICKS: Claim = Claim {
    statement: "below the friction angle a block sticks",
    measure: || {
        let mut world = settled(20f64.to_radians(), 0.5)?;
        run(&mut world, DT, 500, |_, _| ())?;
        let what = "greatest speed at 20 degrees, friction 0.5 [m/s]";
        Ok(vec![Figure::new(
            what,
            greatest_speed(&world),
            Expected::AtMost(1e-5),
        )])
    },
};

/// Sliding on particles instead of a plane.
pub const ON_PARTICLES: Claim = Claim {
    statement: "a solid block slides on particles of any spacing by Coulomb's law, as on a plane",
    measure: || {
        let angle = 30f64.to_radians();
        let mut figures = Vec::new();
        for ratio in [0.5, 0.65, 1.0, 2.0] {
            for friction in [0.3, 0.0] {
                let theory = GRAVITY * (angle.sin() - friction * angle.cos());
                let world = on_particles(angle, friction, ratio).world();
                let what = format!(
                    "acceleration over theory on particles {ratio} times as far apart, friction {friction}"
                );
                let ratio = acceleration_of(settle(world, 250)?, 250)? / theory;
                figures.push(Figure::new(what, ratio, Expected::Near(1.0, 0.01)));
            }
        }
        let world = settle(on_particles(angle, 0.6, 1.0).world(), 250)?;
        let rest = acceleration_of(world, 250)?.abs();
        let what = "acceleration at a friction of 0.6 [m/s2]";
        figures.push(Figure::new(what, rest, Expected::AtMost(1e-3)));
        Ok(figures)
    },
};

const GRAVITY: f64 = 9.81;
const DT: f64 = 1e-3;

/// A block on a plane, gravity tilted instead of the plane.
fn block(angle: f64, friction: f64) -> Case {
    let spacing = 0.1;
    let points = box_lattice([6, 6, 6], spacing, 0.0);
    let mut case = Case::new(elastic(1000.0, 1e6, 0.3), points, spacing).floor(0.0, 0.0, friction);
    case.setup.gravity = DVec3::new(angle.sin(), -angle.cos(), 0.0) * GRAVITY;
    case
}

/// A solid block on a slab of solid particles that are held, `ratio` times as far apart.
fn on_particles(angle: f64, friction: f64, ratio: f64) -> Case {
    let spacing = 0.05;
    let apart = ratio * spacing;
    let along = |size: f64| (size / apart).round() as usize;
    let slab = box_lattice([along(2.0), 2, along(0.7)], apart, 0.0);
    let mut case = Case::new(rubber(1000.0, 2e5, 0.3), slab, apart);
    let points = box_lattice([6, 3, 5], spacing, 0.0).into_iter();
    let corner = DVec3::new(0.33, 2.0 * apart, 0.2137);
    let points: Vec<DVec3> = points.map(|x| x + corner).collect();
    let shape = RestShape::new(points.clone(), 1.8 * spacing);
    case = case.beside(points);
    let [slab, block] = &mut case.setup.bodies[..] else {
        unreachable!("two bodies were made");
    };
    slab.particles.is_pinned.fill(true);
    block.spacing = spacing;
    block.support_radius = 1.8 * spacing;
    block.particles.particle_volume = spacing.powi(3);
    block.particles.particle_mass = 1000.0 * spacing.powi(3);
    block.particles.structure = Some(Arc::new(shape));
    (slab.friction, block.friction) = (friction, friction);
    case.setup.gravity = DVec3::new(angle.sin(), -angle.cos(), 0.0) * GRAVITY;
    case
}

/// The block after its first bounces have died away under damping.
fn settled(angle: f64, friction: f64) -> Result<World, StepError> {
    settle(block(angle, friction).world(), 500)
}

/// A world after so many substeps under damping, and as many without.
fn settle(mut world: World, substeps: usize) -> Result<World, StepError> {
    Arc::make_mut(&mut world.setup).solver.damping = 30.0;
    run(&mut world, DT, substeps, |_, _| ())?;
    Arc::make_mut(&mut world.setup).solver.damping = 0.0;
    run(&mut world, DT, substeps, |_, _| ())?;
    Ok(world)
}

/// Mean acceleration [m/s2] of the settled block down the plane.
fn acceleration(angle: f64, friction: f64) -> Result<f64, StepError> {
    acceleration_of(settled(angle, friction)?, 500)
}

/// The same in so many substeps from now on.
fn acceleration_of(mut world: World, substeps: usize) -> Result<f64, StepError> {
    let start = mean_velocity(&world);
    run(&mut world, DT, substeps, |_, _| ())?;
    Ok((mean_velocity(&world) - start) / (substeps as f64 * DT))
}

/// Of the particles that are not held [m/s].
fn mean_velocity(world: &World) -> f64 {
    let p = &world.state.particles;
    let free: Vec<usize> = (0..p.len()).filter(|&i| p.inverse_mass[i] > 0.0).collect();
    let sum: f64 = free.iter().map(|&i| to_double(p.velocity[i]).x).sum();
    sum / free.len() as f64
}
