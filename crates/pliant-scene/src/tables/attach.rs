//! `[[attach]]`: what holds or loads particles.

use pliant_parameters::{Field, Kind, Range};

use super::{EASE, Form, ROTATION, STRENGTHS, TableKind, name, position};

pub(super) const TABLE: TableKind = TableKind {
    name: "attach",
    form: Form::List,
    doc: "Holds the particles of a body that lie inside a region at the start: where they are, or, with one of the keys `to_collider`, `to_body`, `force` and `traction`, by what that key says.",
    fields: &[
        name("Name, unique among attachments."),
        Field::required(
            "body",
            Kind::Text,
            "",
            "Name of the body whose particles are held.",
        ),
        Field::required("shape", Kind::Shape, "", "The region."),
        position("Where the region's origin is."),
        ROTATION,
        Field::optional(
            "to_collider",
            Kind::Text,
            "",
            "Name of the collider they move with.",
        ),
        Field::optional(
            "to_body",
            Kind::Text,
            "",
            "Name of another body they are joined to: each by rods of constant length to the nearest particles of that body, at most 8, within two spacings of the coarser body. To a body of `rigid` they are tied where they are.",
        ),
        Field::optional(
            "force",
            Kind::Vector(3, Range::ANY),
            "N",
            "Total force on them along the axes of the world, however the body turns or the region is turned, shared in proportion to their masses. They are not held.",
        ),
        Field::optional(
            "traction",
            Kind::Vector(3, Range::ANY),
            "Pa",
            "Force per area on them along the axes of the world, in place of `force`: the total is this times `area`, which does not change as the body is deformed.",
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
