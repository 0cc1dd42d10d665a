//! `[[camera]]`: where pictures are taken from.

use pliant_parameters::{Field, Kind, Range};

use super::{Form, TableKind};

pub(super) const TABLE: TableKind = TableKind {
    name: "camera",
    form: Form::NamelessList,
    doc: "Where pictures are taken from. A sensible one is computed when there is none.",
    fields: &[
        Field::required(
            "position",
            Kind::Vector(3, Range::ANY),
            "m",
            "Position of the camera.",
        ),
        Field::required(
            "target",
            Kind::Vector(3, Range::ANY),
            "m",
            "The point in the middle of the picture.",
        ),
        Field::number(
            "field_of_view",
            Range::closed(1.0, 150.0),
            "degrees",
            35.0,
            "Angle between the lower and the upper edge of the picture.",
        ),
    ],
    variants: None,
};
