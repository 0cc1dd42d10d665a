//! `[[joint]]`: what joins rigid bodies.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::{Form, TableKind, flag, name, position};

pub(super) const TABLE: TableKind = TableKind {
    name: "joint",
    form: Form::List,
    doc: "Joins a body of `rigid` to another, to a collider, or, with neither of the keys `to_body` and `to_collider`, to the world, in their relative pose at the start.",
    fields: &[
        name("Name, unique among joints."),
        Field::required(
            "kind",
            Kind::Choice(JOINT_KINDS),
            "",
            "Degrees of freedom: none, all rotations about the anchor, rotation about the axis, or translation along it.",
        ),
        Field::required("body", Kind::Text, "", "Name of the rigid body."),
        Field::optional("to_body", Kind::Text, "", "Name of the other rigid body."),
        Field::optional(
            "to_collider",
            Kind::Text,
            "",
            "Name of the collider that it moves with.",
        ),
        position("The anchor, in world coordinates."),
        Field::new(
            "axis",
            Kind::Vector(3, Range::ANY),
            "",
            Preset::Vector(&[0.0, 0.0, 1.0]),
            "Axis of a `hinge` or `slider`, in world axes, of any length but zero.",
        ),
        Field::optional(
            "limits",
            Kind::Vector(2, Range::ANY),
            "degrees or m",
            "Least and greatest angle of a `hinge` in degrees, or displacement of a `slider` in metres, from the start.",
        ),
        Field::optional(
            "motor",
            Kind::Table(MOTOR),
            "",
            "Motor of a `hinge` or a `slider`: a spring and a damper.",
        ),
        flag(
            "collide",
            false,
            "Whether the joined bodies may have contacts with each other.",
        ),
    ],
    variants: None,
};

/// Names of the kinds of joints.
pub(crate) const JOINT_KINDS: &[&str] = &["fixed", "ball", "hinge", "slider"];

const MOTOR: &[Field] = &[
    Field::number(
        "position",
        Range::ANY,
        "degrees or m",
        0.0,
        "Target of the spring: angle or displacement from the start.",
    ),
    Field::number(
        "velocity",
        Range::ANY,
        "degrees/s or m/s",
        0.0,
        "Target of the damper: angular velocity or velocity.",
    ),
    Field::number(
        "stiffness",
        Range::NOT_NEGATIVE,
        "N m/rad or N/m",
        0.0,
        "Stiffness of its spring.",
    ),
    Field::number(
        "damping",
        Range::NOT_NEGATIVE,
        "N m s/rad or N s/m",
        0.0,
        "Strength of its damper.",
    ),
    Field::optional(
        "max_force",
        Kind::Number(Range::POSITIVE),
        "N m or N",
        "Greatest torque or force of the motor. If missing, unbounded.",
    ),
];
