//! The substep on one page: its operations in their order, no arithmetic.
//!
//! It is Algorithm 1 of Yu et al. 2024 (search at the start, velocities as unknowns, one velocity
//! for deformation and position), which other methods join through x_start + dt v.

use crate::measure::Stage;

/// An operation of the substep: what a stepper can be asked for by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Births and removals; colliders from the start to the end of the substep.
    Emit,
    /// Neighbours, gradients, attached particles and contact candidates at the start positions.
    Find,
    /// Force fields, gravity and loads into velocities.
    Accelerate,
    /// Velocities of methods that solve a system of equations.
    Predict,
    /// The impulses of stress and pressure at the start.
    StartWarm,
    /// One pass over all contacts.
    ProjectContacts,
    /// Answers of the methods that solve a system to what has been done to their velocities since.
    Respond {
        /// Sweeps before in this substep.
        turn: u32,
    },
    /// One sweep of the constraints inside bodies.
    ProjectConstraints,
    /// One pass of position correction.
    CorrectPositions,
    /// One pass over the springs that pull particles and the rods that join bodies.
    ProjectAttachments,
    /// What the constraints are off by, if it is asked for.
    MeasureResidual,
    /// XSPH.
    Smooth,
    /// Restitution.
    Restore,
    /// Resistance of media, and damping.
    Damp,
    /// Stops what would end beyond a surface.
    StopPassages,
    /// What ways that were stopped give rigid bodies.
    SettleBodies,
    /// Velocities finite? In bounds?
    InspectVelocity,
    /// Deformation, plastic state and pressure committed.
    Flow,
    /// Strains finite?
    InspectStrain,
    /// Positions moved, time passed.
    Advance,
    /// What the substep did, into its report.
    SumUp,
}

/// The operations of a substep in their order, each with the stage that its time belongs to.
///
/// * `iterations` — sweeps of the constraints
pub fn operations(iterations: u32) -> impl Iterator<Item = (Stage, Operation)> {
    use Operation as O;
    let start = [
        (Stage::Emit, O::Emit),
        (Stage::Find, O::Find),
        (Stage::Accelerate, O::Accelerate),
        (Stage::Predict, O::Predict),
        (Stage::Project, O::StartWarm),
        (Stage::Project, O::ProjectContacts),
    ];
    let sweep = |turn| {
        [
            (Stage::Project, O::Respond { turn }),
            (Stage::Project, O::ProjectConstraints),
            (Stage::Project, O::CorrectPositions),
            (Stage::Project, O::ProjectAttachments),
            (Stage::Project, O::ProjectContacts),
        ]
    };
    let end = [
        (Stage::Project, O::MeasureResidual),
        (Stage::Derive, O::Smooth),
        (Stage::Derive, O::ProjectAttachments),
        (Stage::Derive, O::ProjectContacts),
        (Stage::Derive, O::Restore),
        (Stage::Derive, O::Damp),
        (Stage::Derive, O::StopPassages),
        (Stage::Derive, O::SettleBodies),
        (Stage::Inspect, O::InspectVelocity),
        (Stage::Flow, O::Flow),
        (Stage::Inspect, O::InspectStrain),
        (Stage::Advance, O::Advance),
        (Stage::Inspect, O::SumUp),
    ];
    let sweeps = (0..iterations).flat_map(sweep);
    start.into_iter().chain(sweeps).chain(end)
}
