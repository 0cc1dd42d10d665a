//! Closed-form solutions and published numbers as tests, named as claims.
//!
//! A file here measures one subject and says what is expected of its numbers; `tests/` asserts the quick
//! claims, and `pliant validate` tells and plots them. Cases drive the engine's core without scene files, so
//! that a wrong number points at the physics.

mod backend;
mod cases;
mod claim;
mod clamps;
mod curve;

pub use cases::{
    Case, box_lattice, by_precision, center_of_mass, elastic, granules, greatest_speed, material,
    quantile, rms_speed, rubber, run, sand, sand_of, solid, von_mises,
};
pub use claim::{Claim, Expected, Figure, Short};
pub use curve::{Curve, Plot};

pub mod ablation;
pub mod bar;
pub mod beam;
pub mod column;
pub mod constraint;
pub mod convergence;
pub mod gradient;
pub mod grains;
pub mod heap;
pub mod incline;
pub mod momentum;
pub mod muscle;
pub mod pile;
pub mod press;
pub mod residual;
pub mod retaining_wall;
pub mod ring;
pub mod rotation;
pub mod run_outs;
pub mod scales;
pub mod shape_groups;
pub mod snow;
pub mod solids;
pub mod spring_curves;
pub mod springs;
pub mod starts;

/// The claims that take seconds.
pub const QUICK_CLAIMS: &[Claim] = &[
    gradient::LATTICES,
    gradient::POISSON_SETS,
    constraint::EXACT_GRADIENT,
    constraint::SOLVER_GRADIENT,
    convergence::TENSOR,
    convergence::SCALAR,
    convergence::JACOBI,
    residual::SOFT,
    residual::MIDDLE,
    residual::STIFF,
    ablation::STEPS,
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
    beam::SIX_ROWS,
    grains::BLOCKS_COLLIDE,
    grains::CORRECTIONS,
    solids::STEPS,
    solids::JACOBI,
    solids::WIDELY,
    solids::SAMPLED,
    solids::LARGE,
    solids::CRUSHED,
    solids::DRAWN,
    solids::CURVES,
    solids::BLENDS,
    spring_curves::FORCES,
    spring_curves::STIFFNESSES,
    shape_groups::TETRAHEDRA,
    shape_groups::RECOVERS,
    muscle::FIBERS,
    muscle::ISOMETRIC,
];

/// The claims that take longer.
pub const SLOW_CLAIMS: &[Claim] = &[
    incline::ON_PARTICLES,
    ring::FLOWS,
    ring::FLOWS_WITH_LODE_ANGLE,
    ring::FLOWS_COLD,
    retaining_wall::RESTS,
    heap::SLOPES,
    grains::COLUMN_COLLAPSES,
    grains::ANGLES,
    bar::HOLDS_LONG,
    bar::PAIRS,
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
    run_outs::ROUND,
    run_outs::BETWEEN_PLATES,
    snow::TWO_STEPS,
    scales::GOO,
    solids::CANTILEVERS,
    solids::STIRRED,
    solids::RINGS,
    solids::PAIRS,
    solids::KERNELS,
    solids::IMPACTS,
    springs::HANGING,
    shape_groups::DRAGGED,
    shape_groups::BENDING,
    shape_groups::BENDING_AS_PUBLISHED,
    shape_groups::STRETCHED,
    shape_groups::COMPRESSED,
    shape_groups::TWISTED,
    shape_groups::TWISTED_AS_PUBLISHED,
    shape_groups::TWISTED_LAWS,
    muscle::LAWS,
    muscle::KEPT,
];
