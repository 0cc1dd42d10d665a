//! `[solver]`: how the equations are solved.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::{Form, TableKind, choice, flag};
use crate::methods::settings::TABLES as METHOD_TABLES;

pub(super) const TABLE: TableKind = TableKind {
    name: "solver",
    form: Form::One,
    doc: "How the equations are solved. The defaults suit most scenes.",
    fields: &FIELDS,
    variants: None,
};

/// Those of all methods, then a table for each method with settings.
const FIELDS: [Field; COMMON_FIELDS.len() + METHOD_TABLES.len()] = {
    let mut fields = [COMMON_FIELDS[0]; COMMON_FIELDS.len() + METHOD_TABLES.len()];
    let mut number = 1;
    while number < fields.len() {
        fields[number] = match number < COMMON_FIELDS.len() {
            true => COMMON_FIELDS[number],
            false => METHOD_TABLES[number - COMMON_FIELDS.len()].field,
        };
        number += 1;
    }
    fields
};

const COMMON_FIELDS: &[Field] = &[
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
];
