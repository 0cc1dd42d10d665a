//! `[[joint]]`: what joins rigid bodies.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::{Form, TableKind, flag, name, position};

pub(super) const TABLE: TableKind = TableKind {
    name: "joint",
    form: Form::List,
    doc: "Joins a body of `rigid` to another, to a collider, or, with neither of the keys `to_body` and `to_collider`, to the world. It holds what it joins as it is at the start.",
    fields: &[
        name("Name, unique among joints."),
        Field::required(
            "kind",
            Kind::Choice(JOINT_KINDS),
            "",
            "What it leaves free: nothing, every rotation about the anchor, rotation about the axis, or translation along it.",
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
            "What a `hinge` turns about and a `slider` goes along, in world axes and of any length but zero.",
        ),
        Field::optional(
            "limits",
            Kind::Vector(2, Range::ANY),
            "degrees or m",
            "Least and greatest angle of a `hinge` in degrees, or way of a `slider` in metres, of the body from where it is at the start.",
        ),
        Field::optional(
            "motor",
            Kind::Table(MOTOR),
            "",
            "What drives a `hinge` or a `slider`: a spring and a damper.",
        ),
        flag(
            "collide",
            false,
            "Whether what it joins may touch each other.",
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
        "Angle or way from the start that its spring pulls the body to.",
    ),
    Field::number(
        "velocity",
        Range::ANY,
        "degrees/s or m/s",
        0.0,
        "Rate or velocity that its damper pulls the body to.",
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
        "Greatest torque or force. If missing, there is no bound.",
    ),
];
