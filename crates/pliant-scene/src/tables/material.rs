//! `[material.NAME]`: what bodies are made of.

use pliant_materials::Law;
use pliant_materials::presets::{PRESET_NAMES, PRESETS};
use pliant_parameters::{Field, Kind, Range};

use super::{Form, Item, PRESET, TableKind, Variants};

pub(super) const TABLE: TableKind = TableKind {
    name: "material",
    form: Form::Named,
    doc: "What bodies are made of: a density, a law, and the law's parameters; or a preset, which gives them all, and what differs from it.",
    fields: &[
        Field::optional(
            PRESET,
            Kind::Choice(PRESET_NAMES),
            "",
            "A preset of the list below, with law, density and parameters as defaults.",
        ),
        Field::required(
            "density",
            Kind::Number(Range::POSITIVE),
            "kg/m3",
            "Density at rest.",
        ),
    ],
    variants: Some(Variants {
        key: "law",
        items: || Law::all().map(Item::of_law).collect(),
        presets: PRESETS,
    }),
};
