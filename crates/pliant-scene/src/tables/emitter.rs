//! `[[emitter]]`: what adds particles during the run.

use pliant_parameters::{Field, Kind, Range};

use super::{Form, ROTATION, TableKind, name, position, vector};

pub(super) const TABLE: TableKind = TableKind {
    name: "emitter",
    form: Form::List,
    doc: "What adds particles to a body during the run.",
    fields: &[
        name("Name, unique among emitters."),
        Field::required("body", Kind::Text, "", "Name of the body it feeds."),
        Field::required(
            "shape",
            Kind::Shape,
            "",
            "Region in which particles are emitted.",
        ),
        position("Position of the shape's origin."),
        ROTATION,
        vector("velocity", "m/s", "Velocity of new particles."),
        Field::optional(
            "rate",
            Kind::Number(Range::POSITIVE),
            "1/s",
            "Particles a second. If missing, as many as find room.",
        ),
        Field::number(
            "start",
            Range::NOT_NEGATIVE,
            "s",
            0.0,
            "Time at which emission starts.",
        ),
        Field::optional(
            "stop",
            Kind::Number(Range::NOT_NEGATIVE),
            "s",
            "Time at which emission ends. If missing, it never ends.",
        ),
    ],
    variants: None,
};
