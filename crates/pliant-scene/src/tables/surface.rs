//! `[[surface]]`: surfaces around loose particles.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::{Form, TableKind};

pub(super) const TABLE: TableKind = TableKind {
    name: "surface",
    form: Form::NamelessList,
    doc: "The surface around the particles of bodies that have none of their own, written with each frame to `mesh/` in the formats of `output.surface`. A particle belongs to the first that names it.",
    fields: &[
        Field::optional(
            "body",
            Kind::Text,
            "",
            "The body whose particles it is around. Without `body` and `material`, of all bodies that are shown as particles.",
        ),
        Field::optional(
            "material",
            Kind::Text,
            "",
            "The material of the particles that it is around, in place of `body`.",
        ),
        Field::number(
            "cube_size",
            Range::closed(0.05, 2.0),
            "spacings",
            0.5,
            "Edge of the cubes of marching cubes; half of it makes four times as many triangles.",
        ),
        Field::new(
            "smoothing",
            Kind::Integer(Range::closed(0.0, 1000.0)),
            "passes",
            Preset::Integer(10),
            "Passes of smoothing, which keeps the volume; 0 leaves the surface as it comes from the cubes.",
        ),
    ],
    variants: None,
};
