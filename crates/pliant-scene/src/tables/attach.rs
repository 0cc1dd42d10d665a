//! `[[attach]]`: what holds particles.

use pliant_parameters::{Field, Kind};

use super::{Form, ROTATION, TableKind, name, position};

pub(super) const TABLE: TableKind = TableKind {
    name: "attach",
    form: Form::List,
    doc: "Pins the particles of a body that lie inside a region at the start to the world.",
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
    ],
    variants: None,
};
