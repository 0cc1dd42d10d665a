//! `[solver]`: how the equations are solved.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::{Form, TableKind, choice, flag};

pub(super) const TABLE: TableKind = TableKind {
    name: "solver",
    form: Form::One,
    doc: "How the equations are solved. The defaults suit most scenes.",
    fields: &[
        Field::optional(
            "time_step",
            Kind::Number(Range::POSITIVE),
            "s",
            "The largest substep; a frame is divided into equal substeps. If missing, chosen from the materials and the speeds.",
        ),
        Field::new(
            "iterations",
            Kind::Integer(Range::closed(1.0, 10000.0)),
            "",
            Preset::Integer(4),
            "Number of sweeps in a substep.",
        ),
        choice(
            "ordering",
            &["gauss-seidel", "jacobi"],
            "gauss-seidel",
            "Whether a projection uses the results of earlier ones, or the state before the sweep.",
        ),
        choice(
            "backend",
            &["auto", "cpu", "gpu"],
            "auto",
            "Backend. There is none for GPUs yet.",
        ),
        Field::number(
            "xsph_rate",
            Range::NOT_NEGATIVE,
            "1/s",
            10.0,
            "XSPH viscosity: the rate at which velocities are smoothed over neighbours. 0 switches it off.",
        ),
        Field::number(
            "damping",
            Range::NOT_NEGATIVE,
            "1/s",
            0.0,
            "The rate at which all velocities decay.",
        ),
        Field::optional(
            "push_out_speed",
            Kind::Number(Range::POSITIVE),
            "m/s",
            "Greatest speed at which overlaps are corrected. If missing, 0.15 sqrt(g spacing).",
        ),
        Field::number(
            "stop_when_still",
            Range::NOT_NEGATIVE,
            "m/s",
            0.0,
            "The run ends when no particle is faster; 0: never.",
        ),
        flag(
            "allow_unresolved",
            false,
            "Accepts a substep that the sweeps do not resolve: results are then softer than the material, and particles may be ejected.",
        ),
        Field::new(
            "xpbi",
            Kind::Table(XPBI),
            "",
            Preset::Absent,
            "Settings of the method `xpbi`.",
        ),
        Field::new(
            "fluid",
            Kind::Table(FLUID),
            "",
            Preset::Absent,
            "Settings of the method `fluid`.",
        ),
        Field::new(
            "strain-energy",
            Kind::Table(STRAIN_ENERGY),
            "",
            Preset::Absent,
            "Settings of the method `strain-energy`.",
        ),
        Field::new(
            "springs",
            Kind::Table(SPRINGS),
            "",
            Preset::Absent,
            "Settings of the method `springs`.",
        ),
    ],
    variants: None,
};

const FLUID: &[Field] = &[
    Field::number(
        "minimum_distance",
        Range::closed(0.0, 0.9),
        "spacings",
        0.7,
        "Least distance of two particles of a fluid, which prevents clumping where pressure does not. 0 switches it off.",
    ),
    Field::number(
        "vorticity_confinement",
        Range::NOT_NEGATIVE,
        "1/s",
        0.0,
        "Vorticity confinement: rate at which vortices are amplified; a few 1/s are visible. Not physical: momentum is not conserved. 0 switches it off.",
    ),
];

const SPRINGS: &[Field] = &[
    Field::new(
        "cg_iterations",
        Kind::Integer(Range::closed(0.0, 10000.0)),
        "",
        Preset::Integer(0),
        "Fixed number of conjugate-gradient iterations in a substep, as in papers: a few leave springs too long and too slow. 0: as many as `tolerance` needs.",
    ),
    Field::number(
        "tolerance",
        Range::closed(1e-6, 0.5),
        "",
        1e-3,
        "Relative residual at which the system of a substep is solved.",
    ),
    flag(
        "clamp_jacobian",
        true,
        "Whether negative parts of the Jacobian of a compressed spring are left out. If not, compressed springs may be unstable.",
    ),
    Field::number(
        "jacobian_damping",
        Range::closed(0.0, 1.0),
        "",
        0.0,
        "Part of the coefficients b and d of the cubic force left out of the Jacobian, published as a damping: 0.01 already suppresses most motion, and it grows with the inverse square of a1 - 1.",
    ),
    flag(
        "keep_angular_momentum",
        true,
        "Whether free bodies get back the angular momentum lost by the linearisation.",
    ),
];

const STRAIN_ENERGY: &[Field] = &[
    choice(
        "constraint",
        &["consistent", "energy"],
        "consistent",
        "Constraint function: the root of twice the energy, consistent with the stiffness of the material, or the energy itself as published, whose stiffness depends on step, sweeps and particle size.",
    ),
    Field::number(
        "hourglass",
        Range::closed(0.0, 1.0),
        "",
        0.3,
        "Hourglass control of zero-energy modes, a part of Young's modulus; at least 0.3 while parts of a body are collapsed. 0 switches it off.",
    ),
];

const XPBI: &[Field] = &[
    choice(
        "multiplier",
        &["tensor", "scalar"],
        "tensor",
        "Multiplier of a constraint: a stress tensor, or the scalar of the published method, which does not converge to implicit Euler.",
    ),
    choice(
        "plasticity",
        &["implicit", "semi-implicit"],
        "implicit",
        "Whether stress is admissible in every projection or only after the step.",
    ),
    choice(
        "gradient_precision",
        &["auto", "full", "half"],
        "auto",
        "Precision of the stored kernel gradients: half precision needs less memory and is faster; `auto` takes it for grains, whose results do not change, and full precision for all else.",
    ),
    choice(
        "correction",
        &["distance", "density", "none"],
        "distance",
        "Correction of irregular particle distributions: pairs keep a minimum distance, the density is bounded, or none.",
    ),
    Field::new(
        "minimum_distance",
        Kind::Number(Range {
            low: 0.0,
            high: 0.9,
            with_low: false,
            with_high: true,
        }),
        "spacings",
        Preset::Number(0.75),
        "Least distance of two particles, for correction by distance.",
    ),
    Field::number(
        "maximum_density",
        Range::closed(1.0, 2.0),
        "",
        1.25,
        "Greatest density, as a multiple of that of a regular packing at rest, for correction by density. Irregular particles exceed 1: up to 1.23 with Poisson sampling.",
    ),
    Field::new(
        "warm_start",
        Kind::Flag,
        "",
        Preset::Flag(true),
        "Warm start: whether the stress at the start of a substep is applied before its first sweep. Without it a few sweeps leave a body too soft. The scalar multiplier has no warm start.",
    ),
    Field::new(
        "jacobi_relaxation",
        Kind::Number(Range {
            low: 0.0,
            high: 1.0,
            with_low: false,
            with_high: true,
        }),
        "",
        Preset::Number(0.2),
        "Factor on each update of the ordering `jacobi`.",
    ),
];
