//! `[[camera]]`: where pictures are taken from.

use pliant_parameters::{Field, Kind, Range};

use super::{EASE, Form, TableKind};

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
        Field::optional(
            "keyframes",
            Kind::Tables(&[
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
                    "Position of the camera. If missing, as before.",
                ),
                Field::optional(
                    "target",
                    Kind::Vector(3, Range::ANY),
                    "m",
                    "The point in the middle of the picture. If missing, as before.",
                ),
                Field::optional(
                    "field_of_view",
                    Kind::Number(Range::closed(1.0, 150.0)),
                    "degrees",
                    "Angle between the lower and the upper edge. If missing, as before.",
                ),
            ]),
            "",
            "Where the camera goes; it stays before the first and after the last.",
        ),
        EASE,
        Field::number(
            "turn",
            Range::ANY,
            "degrees/s",
            0.0,
            "How fast it turns around the vertical through `target`, as a turntable does.",
        ),
    ],
    variants: None,
};
