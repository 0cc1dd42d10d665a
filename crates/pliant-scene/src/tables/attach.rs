//! `[[attach]]`: what holds or loads particles.

use pliant_parameters::{Field, Kind, Range};

use super::{EASE, Form, ROTATION, STRENGTHS, TableKind, name, position};

pub(super) const TABLE: TableKind = TableKind {
    name: "attach",
    form: Form::List,
    doc: "Attaches the particles of a body that lie inside a region at the start, or the nearest to a point: to the world, or, by one of the keys `to_collider`, `to_body`, `force` and `traction`, to a collider, to another body, or to a load.",
    fields: &[
        name("Name, unique among attachments."),
        Field::required(
            "body",
            Kind::Text,
            "",
            "Name of the body whose particles are held.",
        ),
        Field::optional(
            "shape",
            Kind::Shape,
            "",
            "The region. If missing, the particle nearest to `position` is attached.",
        ),
        position("Position of the region's origin, or the point."),
        ROTATION,
        Field::optional(
            "to_collider",
            Kind::Text,
            "",
            "Name of the collider they move with.",
        ),
        Field::optional(
            "compliance",
            Kind::Number(Range::POSITIVE),
            "m/N",
            "Displacement that a force of 1 N costs: the particles are not held but pulled to their places, in the world or on the collider, by springs that share the stiffness in proportion to the masses. A body of `rigid` is pulled at the point that is at `position`. If missing, they are held.",
        ),
        Field::optional(
            "to_body",
            Kind::Text,
            "",
            "Name of another body: each particle is joined by rods of constant length to the nearest particles of that body, at most 8, within two spacings of the coarser body. To a body of `rigid` they are tied in place. Where bodies are tied they are no contacts of each other: they may touch there from the start.",
        ),
        Field::optional(
            "force",
            Kind::Vector(3, Range::ANY),
            "N",
            "Total force in world axes, independent of rotations of body and region, distributed in proportion to the masses. The particles are not held.",
        ),
        Field::optional(
            "traction",
            Kind::Vector(3, Range::ANY),
            "Pa",
            "Force per area in world axes, in place of `force`: the total is this times `area`, which does not change with the deformation.",
        ),
        Field::optional(
            "area",
            Kind::Number(Range::POSITIVE),
            "m2",
            "The area that `traction` acts on.",
        ),
        STRENGTHS,
        EASE,
    ],
    variants: None,
};
