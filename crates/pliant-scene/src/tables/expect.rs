//! `[[expect]]`: what a case must show.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::{Form, TableKind, flag};

pub(super) const TABLE: TableKind = TableKind {
    name: "expect",
    form: Form::NamelessList,
    doc: "What the case must show; `pliant test` checks it.",
    fields: &[
        Field::required(
            "column",
            Kind::Text,
            "",
            "A column of `probes.csv` (`<probe>.<quantity>`) or of `stats.csv`.",
        ),
        Field::new(
            "at",
            Kind::NumberOrChoice(Range::NOT_NEGATIVE, AT),
            "s",
            Preset::Text("end"),
            "A time, or a statistic of the column: its last, least, greatest or mean value, the slope of a fitted line per second, or that line's coefficient of determination.",
        ),
        Field::optional(
            "from",
            Kind::Number(Range::NOT_NEGATIVE),
            "s",
            "Rows before this time are ignored.",
        ),
        Field::optional(
            "to",
            Kind::Number(Range::NOT_NEGATIVE),
            "s",
            "Rows after this time are ignored.",
        ),
        Field::optional(
            "value",
            Kind::Number(Range::ANY),
            "",
            "The value, with `tolerance`; or give `range`.",
        ),
        Field::optional(
            "tolerance",
            Kind::Number(Range::NOT_NEGATIVE),
            "",
            "Greatest accepted distance from `value`.",
        ),
        Field::optional(
            "range",
            Kind::Vector(2, Range::ANY),
            "",
            "Least and greatest accepted value.",
        ),
        Field::optional("source", Kind::Text, "", "Source of the value."),
        flag(
            "converges",
            false,
            "Whether `pliant validate` halves the spacing twice and requires decreasing changes.",
        ),
    ],
    variants: None,
};

const AT: &[&str] = &["end", "min", "max", "mean", "slope", "r2"];
