//! `[material.NAME]`: what bodies are made of.

use pliant_materials::HenckyLaw;
use pliant_parameters::{Field, Kind, Range};

use super::{Form, Item, TableKind, Variants};

pub(super) const TABLE: TableKind = TableKind {
    name: "material",
    form: Form::Named,
    doc: "What bodies are made of: a density, a law, and the law's parameters.",
    fields: &[Field::required(
        "density",
        Kind::Number(Range::POSITIVE),
        "kg/m3",
        "Density at rest.",
    )],
    variants: Some(Variants {
        key: "law",
        items: || Item::all(HenckyLaw::KINDS, |k| (k.name, k.doc, k.fields)),
    }),
};
