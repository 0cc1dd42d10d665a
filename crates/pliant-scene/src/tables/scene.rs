//! `[scene]`: what is simulated, for how long, and where.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::{Form, TableKind, choice};

pub(super) const TABLE: TableKind = TableKind {
    name: "scene",
    form: Form::One,
    doc: "What is simulated, for how long, and where.",
    fields: &[
        Field::new(
            "title",
            Kind::Text,
            "",
            Preset::Text(""),
            "Title of the report and the film.",
        ),
        Field::optional("source", Kind::Text, "", "Source of the case."),
        Field::required(
            "duration",
            Kind::Number(Range::POSITIVE),
            "s",
            "Simulated time.",
        ),
        Field::number(
            "frame_rate",
            Range::POSITIVE,
            "1/s",
            24.0,
            "Frames per second of the output.",
        ),
        Field::optional(
            "gravity",
            Kind::Vector(3, Range::ANY),
            "m/s2",
            "Acceleration of free fall. If missing, 9.81 downwards along `up`.",
        ),
        Field::new(
            "seed",
            Kind::Integer(Range::closed(0.0, 9007199254740992.0)),
            "",
            Preset::Integer(1),
            "Seed of all random numbers.",
        ),
        Field::optional(
            "bounds",
            Kind::Table(BOUNDS),
            "",
            "Bounds of the world. If missing, it is unbounded.",
        ),
        choice(
            "up",
            &["y", "z"],
            "y",
            "The axis that points up: sets the default gravity and camera, and how the meshes of files stand that say \
             themselves which axis is up (glTF, USD).",
        ),
    ],
    variants: None,
};

const BOUNDS: &[Field] = &[
    Field::required("min", Kind::Vector(3, Range::ANY), "m", "Least corner."),
    Field::required("max", Kind::Vector(3, Range::ANY), "m", "Greatest corner."),
    choice(
        "on_exit",
        &["remove", "stop"],
        "remove",
        "Action when a particle leaves: it is removed, or the run stops.",
    ),
];
