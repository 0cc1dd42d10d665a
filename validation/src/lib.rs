//! Closed-form solutions and published numbers as tests, named as claims.
//!
//! A file here measures one subject and says what its numbers must be; `tests/` asserts the quick
//! claims, and the program prints them all. Cases drive the engine's core without scene files, so
//! that a wrong number points at the physics.

mod cases;
mod claim;

pub use cases::{
    Case, box_lattice, by_precision, center_of_mass, elastic, greatest_speed, rms_speed, run, sand,
    von_mises,
};
pub use claim::{Bound, Claim, Figure, Short};

pub mod bar;
pub mod beam;
pub mod column;
pub mod constraint;
pub mod convergence;
pub mod gradient;
pub mod heap;
pub mod incline;
pub mod momentum;
pub mod pile;
pub mod press;
pub mod rotation;
pub mod starts;

/// All claims, the quick ones first.
pub const CLAIMS: &[Claim] = &[
    gradient::LATTICES,
    gradient::POISSON_SETS,
    constraint::EXACT_GRADIENT,
    constraint::SOLVER_GRADIENT,
    convergence::TENSOR,
    convergence::SCALAR,
    convergence::JACOBI,
    momentum::KEPT,
    rotation::ROTATION,
    rotation::TRANSLATION,
    incline::SLIDES,
    incline::STICKS,
    press::PLATE_FORCE,
    bar::STRETCHES,
    starts::BODIES,
    starts::FLOOR,
    starts::RANDOM_PILE,
    pile::RESTS,
    heap::SLOPES,
    beam::SIX_ROWS,
    beam::EIGHT_ROWS,
    beam::TWELVE_ROWS,
    beam::WIDE_SUPPORT,
    column::TWENTY_DEGREES,
    column::THIRTY_DEGREES,
    column::FORTY_DEGREES,
    column::FLAT,
    column::TALL,
    column::WARM,
    column::THREE_STEPS,
    column::FINE,
];
