//! A block on an inclined plane.

use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_math::{DVec3, to_double};

use crate::{Bound, Case, Claim, Figure, box_lattice, elastic, greatest_speed, run};

/// Sliding with and without friction.
pub const SLIDES: Claim = Claim {
    sentence: "above the friction angle a block slides as Coulomb says",
    measure: || {
        let mut figures = Vec::new();
        for friction in [0.5, 0.0] {
            let angle = 35f64.to_radians();
            let theory = GRAVITY * (angle.sin() - friction * angle.cos());
            let what = format!("acceleration over theory at 35 degrees, friction {friction}");
            let ratio = acceleration(angle, friction)? / theory;
            figures.push(Figure::new(what, ratio, Bound::Near(1.0, 1e-3)));
        }
        Ok(figures)
    },
};

/// Sticking.
pub const STICKS: Claim = Claim {
    sentence: "below the friction angle a block sticks",
    measure: || {
        let mut world = settled(20f64.to_radians(), 0.5)?;
        run(&mut world, DT, 500, |_, _| ())?;
        let what = "greatest speed at 20 degrees, friction 0.5 [m/s]";
        Ok(vec![Figure::new(
            what,
            greatest_speed(&world),
            Bound::AtMost(1e-5),
        )])
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

/// The block after its first bounces have died away under damping.
fn settled(angle: f64, friction: f64) -> Result<World, StepError> {
    let mut world = block(angle, friction).world();
    world.setup.solver.damping = 30.0;
    run(&mut world, DT, 500, |_, _| ())?;
    world.setup.solver.damping = 0.0;
    run(&mut world, DT, 500, |_, _| ())?;
    Ok(world)
}

/// Mean acceleration [m/s2] of the settled block down the plane.
fn acceleration(angle: f64, friction: f64) -> Result<f64, StepError> {
    let mut world = settled(angle, friction)?;
    let start = mean_velocity(&world);
    run(&mut world, DT, 500, |_, _| ())?;
    Ok((mean_velocity(&world) - start) / (500.0 * DT))
}

fn mean_velocity(world: &World) -> f64 {
    let velocity = &world.state.particles.velocity;
    velocity.iter().map(|v| to_double(*v).x).sum::<f64>() / velocity.len() as f64
}
