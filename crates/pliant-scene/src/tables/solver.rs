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
            "The largest substep; a frame is cut into equal substeps. If missing, it is chosen from the materials and the speeds.",
        ),
        Field::new(
            "iterations",
            Kind::Integer(Range::closed(1.0, 10000.0)),
            "",
            Preset::Integer(4),
            "Sweeps a substep.",
        ),
        choice(
            "ordering",
            &["gauss-seidel", "jacobi"],
            "gauss-seidel",
            "Whether a projection sees the results of those before it, or the state before the sweep.",
        ),
        choice(
            "backend",
            &["auto", "cpu", "gpu"],
            "auto",
            "What computes. There is no backend for graphics cards yet.",
        ),
        Field::number(
            "xsph_rate",
            Range::NOT_NEGATIVE,
            "1/s",
            10.0,
            "XSPH viscosity: the rate at which neighbours share their velocity. 0 switches it off.",
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
            "Greatest speed at which overlaps are pushed apart. If missing, 0.15 sqrt(g spacing).",
        ),
        Field::number(
            "stop_when_still",
            Range::NOT_NEGATIVE,
            "m/s",
            0.0,
            "The run ends when no particle is faster. 0 never.",
        ),
        flag(
            "allow_unresolved",
            false,
            "Accepts a substep that the sweeps cannot resolve: results then look softer than the material, and particles may be thrown apart.",
        ),
        Field::new(
            "xpbi",
            Kind::Table(XPBI),
            "",
            Preset::Absent,
            "What the method `xpbi` does its own way.",
        ),
        Field::new(
            "fluid",
            Kind::Table(FLUID),
            "",
            Preset::Absent,
            "What the method `fluid` does its own way.",
        ),
        Field::new(
            "strain-energy",
            Kind::Table(STRAIN_ENERGY),
            "",
            Preset::Absent,
            "What the method `strain-energy` does its own way.",
        ),
        Field::new(
            "springs",
            Kind::Table(SPRINGS),
            "",
            Preset::Absent,
            "What the method `springs` does its own way.",
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
        "Least distance that two particles of a fluid keep, so that they do not clump where density does not hold them apart. 0 switches it off.",
    ),
    Field::number(
        "vorticity_confinement",
        Range::NOT_NEGATIVE,
        "1/s",
        0.0,
        "Rate at which eddies are spun up against what smoothing takes from them; a few 1/s show. It is not physics: momentum is not kept. 0 switches it off.",
    ),
];

const SPRINGS: &[Field] = &[
    Field::new(
        "cg_iterations",
        Kind::Integer(Range::closed(0.0, 10000.0)),
        "",
        Preset::Integer(0),
        "Steps of conjugate gradients in a substep, as papers fix them: few leave springs longer and slower than they are. 0: as many as `tolerance` asks for.",
    ),
    Field::number(
        "tolerance",
        Range::closed(1e-6, 0.5),
        "",
        1e-3,
        "What is left of the forces, in the mean, when a substep counts as solved.",
    ),
    flag(
        "clamp_jacobian",
        true,
        "Whether what is negative in the derivative of a spring's force, in compression, is left out. If not, squeezed springs may blow up.",
    ),
    Field::number(
        "jacobian_damping",
        Range::closed(0.0, 1.0),
        "",
        0.0,
        "Part of the coefficients b and d of the cubic force that its derivative leaves out, as published to damp trembling: 0.01 already freezes most motion, and it grows with the square of how near the lengths of the stiffnesses are.",
    ),
    flag(
        "keep_angular_momentum",
        true,
        "Whether bodies that nothing pins get the angular momentum back that a linearised step takes.",
    ),
];

const STRAIN_ENERGY: &[Field] = &[
    choice(
        "constraint",
        &["consistent", "energy"],
        "consistent",
        "What is projected: the root of twice the energy, which gives the material its stiffness, or the energy itself as the method was published, whose stiffness depends on step, sweeps and size.",
    ),
    Field::number(
        "hourglass",
        Range::closed(0.0, 1.0),
        "",
        0.3,
        "Control of zero-energy modes, a part of Young's modulus; at least 0.3 while parts of a body are collapsed. 0 switches it off.",
    ),
];

const XPBI: &[Field] = &[
    choice(
        "multiplier",
        &["tensor", "scalar"],
        "tensor",
        "The unknown that accumulates a constraint's impulse: a stress, or the published method's one number, which does not converge to implicit Euler.",
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
        "Digits of the kernel gradients: half precision needs less memory and is faster, and is chosen for grains, whose outcome does not move; elastic bodies keep all digits.",
    ),
    choice(
        "correction",
        &["distance", "density", "none"],
        "distance",
        "What is done about particles that flow has crowded: pairs keep a minimum distance, no particle sees more than a maximum density, or nothing.",
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
        "Greatest density, as a multiple of that of a regular packing at rest, for correction by density. Irregular particles need some room: those of Poisson sampling see up to 1.23.",
    ),
    Field::new(
        "warm_start",
        Kind::Flag,
        "",
        Preset::Flag(true),
        "Whether the stress at the start of a substep is applied before its first sweep. Without it a few sweeps leave a body softer than it is. The scalar multiplier always starts cold.",
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
