//! `[[cut]]`: blades.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::collider::{MOVES, OPACITY};
use super::{Form, ROTATION, TableKind, name, position};

pub(super) const TABLE: TableKind = TableKind {
    name: "cut",
    form: Form::List,
    doc: "A blade that cuts bodies of `strain-energy`. It cuts the bonds that it crosses when it appears, and from then on those that its advancing rim sweeps; its faces and its back cut nothing. It exerts no force: for that, add a collider.",
    fields: &[
        name("Name, unique among blades."),
        Field::required(
            "shape",
            Kind::Shape,
            "",
            "The surface of the blade: a `sheet`, or a `mesh`, which is open if the blade moves.",
        ),
        position("Position of the shape's origin at time zero."),
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
            "Time at which it appears.",
        ),
        Field::optional(
            "stop",
            Kind::Number(Range::NOT_NEGATIVE),
            "s",
            "Time at which it disappears; equal to `start` for a single cut. If missing, it stays.",
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
