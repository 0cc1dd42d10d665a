//! `[[force]]`: what accelerates particles beside gravity.

use pliant_core::forces::KINDS;
use pliant_parameters::{Field, Kind, Range};

use super::{EASE, Form, Item, ROTATION, STRENGTHS, TableKind, Variants, name, position};

pub(super) const TABLE: TableKind = TableKind {
    name: "force",
    form: Form::List,
    doc: "What accelerates particles beside gravity. Forces act one after the other, in the order of the file.",
    fields: &[
        name("Name, unique among forces."),
        Field::optional(
            "body",
            Kind::Text,
            "",
            "Name of the body it acts on. If missing, all.",
        ),
        Field::optional(
            "shape",
            Kind::Shape,
            "",
            "The region in which it acts. If missing, everywhere.",
        ),
        position("Position of the region's origin."),
        ROTATION,
        Field::optional(
            "strength",
            Kind::Number(Range::ANY),
            "",
            "Factor on the force. If missing, 1.",
        ),
        STRENGTHS,
        EASE,
    ],
    variants: Some(Variants {
        key: "kind",
        items: || Item::all(KINDS, |k| (k.name, k.doc, k.fields)),
        presets: &[],
    }),
};
