//! `[[collider]]`: what particles cannot enter.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::{EASE, Form, ROTATION, TableKind, flag, name, position, vector};

pub(super) const TABLE: TableKind = TableKind {
    name: "collider",
    form: Form::List,
    doc: "Obstacles with prescribed motion.",
    fields: &[
        name("Name, unique among colliders."),
        Field::optional(
            "shape",
            Kind::Shape,
            "",
            "The solid region. If missing, nothing touches the collider: it only moves what is attached to it.",
        ),
        position("Position of the shape's origin at time zero."),
        ROTATION,
        flag(
            "two_sided",
            false,
            "Whether only its surface is solid, a thin shell that particles cannot pass from either side; a mesh may then be open. If not, its inside is solid.",
        ),
        flag(
            "sticky",
            false,
            "Whether touching particles neither slide nor separate, regardless of `friction`, `restitution` and `separate`.",
        ),
        flag(
            "separate",
            true,
            "Whether touching particles may separate. If not, they slide along it, with friction under pressure.",
        ),
        Field::number(
            "friction",
            Range::NOT_NEGATIVE,
            "",
            0.5,
            "Coefficient of Coulomb friction with any body, in place of that body's own. For a viscous fluid: no slip above 0, free slip at 0.",
        ),
        Field::number(
            "restitution",
            Range::UNIT,
            "",
            0.0,
            "Coefficient of restitution; the greater of the collider's and a rigid body's applies.",
        ),
        MOVES,
        flag(
            "driven",
            false,
            "Whether a program that uses the library moves it while the simulation runs (`World::drive_to`), in place of `motion`. It rests until it is driven.",
        ),
        Field::new(
            "color",
            Kind::Color,
            "",
            Preset::Text("#9aa0a6"),
            "Colour in pictures.",
        ),
        OPACITY,
        Field::number(
            "gloss",
            Range::UNIT,
            "",
            0.1,
            "How much it shines in pictures: 0 matt, 1 as if wet.",
        ),
    ],
    variants: None,
};

/// How much of what is behind it a collider or a blade hides.
pub(super) const OPACITY: Field = Field::number(
    "opacity",
    Range::UNIT,
    "",
    1.0,
    "Opacity in pictures: 1 opaque, 0 not drawn, between as glass.",
);

/// How a collider or a blade moves.
pub(super) const MOVES: Field = Field::optional(
    "motion",
    Kind::Table(MOTION),
    "",
    "Motion. If missing, it is at rest.",
);

const MOTION: &[Field] = &[
    Field::optional(
        "keyframes",
        Kind::Tables(KEYFRAME),
        "",
        "Poses over time, in place of `position` and `rotation`; constant before the first and after the last.",
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
        "Position. If missing, the collider's `position`.",
    ),
    Field::optional(
        "rotation",
        Kind::Vector(3, Range::ANY),
        "degrees",
        "Rotations about its own x, then y, then z axis, interpolated one by one: 720 is two turns. If missing, the collider's `rotation`.",
    ),
];
