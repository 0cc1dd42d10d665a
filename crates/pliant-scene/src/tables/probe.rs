//! `[[probe]]`: what is measured in each frame.

use pliant_core::measure::probes::KINDS;

use super::{Form, Item, TableKind, Variants, name};

pub(super) const TABLE: TableKind = TableKind {
    name: "probe",
    form: Form::List,
    doc: "What is measured in each frame and written to `probes.csv`, in columns `<name>.<quantity>`.",
    fields: &[name(
        "Name, unique among probes; the first part of its columns.",
    )],
    variants: Some(Variants {
        key: "measure",
        items: || KINDS.iter().map(Item::of_probe).collect(),
        presets: &[],
    }),
};
