//! `[[collider]]`: what particles cannot enter.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::{EASE, Form, ROTATION, TableKind, flag, name, position, vector};

pub(super) const TABLE: TableKind = TableKind {
    name: "collider",
    form: Form::List,
    doc: "What particles cannot enter. It moves as told and feels nothing.",
    fields: &[
        name("Name, unique among colliders."),
        Field::required("shape", Kind::Shape, "", "The solid region."),
        position("Where the shape's origin is at time zero."),
        ROTATION,
        flag(
            "two_sided",
            false,
            "Whether only its surface is solid, as a thin shell that holds particles on whichever side they are; a mesh may then be open. If not, its inside is solid.",
        ),
        flag(
            "sticky",
            false,
            "Whether particles that touch it neither slide nor leave, whatever `friction`, `restitution` and `separate` say.",
        ),
        flag(
            "separate",
            true,
            "Whether particles that touch it may leave. If not, they slide along it, with friction as far as they are pressed.",
        ),
        Field::number(
            "friction",
            Range::NOT_NEGATIVE,
            "",
            0.5,
            "Coefficient of Coulomb friction of whatever touches it, whatever that body's own is. A viscous fluid, which has no such friction, does not slip on it if this is above 0, and slips freely at 0.",
        ),
        Field::number(
            "restitution",
            Range::UNIT,
            "",
            0.0,
            "Fraction of the approach speed given back to what touches it; a rigid body's own counts if it is greater.",
        ),
        MOVES,
        Field::new(
            "color",
            Kind::Color,
            "",
            Preset::Text("#9aa0a6"),
            "Colour in pictures.",
        ),
        OPACITY,
    ],
    variants: None,
};

/// How much of what is behind it a collider or a blade hides.
pub(super) const OPACITY: Field = Field::number(
    "opacity",
    Range::UNIT,
    "",
    1.0,
    "In pictures: 1 opaque, 0 not drawn, between as glass.",
);

/// How a collider or a blade moves.
pub(super) const MOVES: Field = Field::optional(
    "motion",
    Kind::Table(MOTION),
    "",
    "How it moves. If missing, it rests.",
);

const MOTION: &[Field] = &[
    Field::optional(
        "keyframes",
        Kind::Tables(KEYFRAME),
        "",
        "Poses at times, instead of `position` and `rotation`; it rests before the first and after the last.",
    ),
    EASE,
    vector("velocity", "m/s", "Constant velocity, without keyframes."),
    vector(
        "spin",
        "degrees/s",
        "Constant angular velocity in world axes about the shape's origin, without keyframes.",
    ),
];

const KEYFRAME: &[Field] = &[
    Field::required(
        "t",
        Kind::Number(Range::ANY),
        "s",
        "Time, increasing from one keyframe to the next.",
    ),
    Field::optional(
        "position",
        Kind::Vector(3, Range::ANY),
        "m",
        "Position. If missing, `position` of the whole.",
    ),
    Field::optional(
        "rotation",
        Kind::Vector(3, Range::ANY),
        "degrees",
        "Rotations about its own x, then y, then z axis, interpolated one by one: 720 is two turns. If missing, `rotation` of the whole.",
    ),
];
