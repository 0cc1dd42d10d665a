//! `[[cut]]`: blades.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::collider::{MOVES, OPACITY};
use super::{Form, ROTATION, TableKind, name, position};

pub(super) const TABLE: TableKind = TableKind {
    name: "cut",
    form: Form::List,
    doc: "A blade that cuts bodies of `strain-energy`. It cuts what it crosses when it appears, and from then on what its rim meets on its way outwards; what passes beside its faces, or is left by its back, stays whole. It pushes nothing: for that, add a collider.",
    fields: &[
        name("Name, unique among blades."),
        Field::required(
            "shape",
            Kind::Shape,
            "",
            "Its surface: a `sheet`, or a `mesh`, which is open if the blade moves.",
        ),
        position("Where the shape's origin is at time zero."),
        ROTATION,
        MOVES,
        Field::optional(
            "body",
            Kind::Text,
            "",
            "Name of the only body it cuts. If missing, it cuts all.",
        ),
        Field::number(
            "start",
            Range::NOT_NEGATIVE,
            "s",
            0.0,
            "The moment it appears.",
        ),
        Field::optional(
            "stop",
            Kind::Number(Range::NOT_NEGATIVE),
            "s",
            "The last moment it is there; the same as `start` for a single cut at once. If missing, it stays.",
        ),
        Field::new(
            "color",
            Kind::Color,
            "",
            Preset::Text("#c8ccd2"),
            "Colour in pictures.",
        ),
        OPACITY,
    ],
    variants: None,
};
