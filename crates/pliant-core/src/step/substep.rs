//! The substep on one page: one call a stage, no arithmetic.
//!
//! It is Algorithm 1 of Yu et al. 2024 (search at the start, velocities as unknowns, one velocity
//! for deformation and position), which other methods join through x_start + dt v.

use super::stages::Stages;
use super::{StepError, StepReport};
use crate::measure::Stage;
use crate::world::World;

/// Advances a world by `dt` [s].
pub fn substep(s: &mut Stages, world: &mut World, dt: f64) -> Result<StepReport, StepError> {
    s.begin();
    s.timed(Stage::Emit, |s| s.emit(world, dt))?;
    s.timed(Stage::Find, |s| s.find(world, dt));
    s.timed(Stage::Accelerate, |s| s.accelerate(world, dt));
    s.timed(Stage::Predict, |s| s.predict(world, dt));
    s.timed(Stage::Project, |s| {
        s.start_warm(world);
        s.project_contacts(world, dt);
        for turn in 0..world.setup.solver.iterations {
            s.respond(world, turn);
            s.project_constraints(world, dt);
            s.correct_positions(world);
            s.project_attachments(world);
            s.project_contacts(world, dt);
        }
        s.measure_residual(world);
    });
    s.timed(Stage::Derive, |s| {
        s.smooth(world);
        s.project_attachments(world);
        s.project_contacts(world, dt);
        s.restore(world, dt);
        s.damp(world, dt);
        s.stop_passages(world, dt);
        s.settle_bodies(world);
    });
    s.timed(Stage::Inspect, |s| s.inspect(world, dt))?;
    s.timed(Stage::Flow, |s| s.flow(world));
    s.timed(Stage::Inspect, |s| s.inspect_strain(world))?;
    s.timed(Stage::Advance, |s| s.advance(world, dt));
    s.timed(Stage::Inspect, |s| s.sum_up(world));
    Ok(s.end())
}
