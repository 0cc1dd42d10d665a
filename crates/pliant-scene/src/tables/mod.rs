//! The tables of a scene that are not items of a registry, a file each, and how they are written.

mod attach;
mod body;
mod camera;
mod collider;
mod cut;
mod emitter;
mod expect;
mod force;
mod joint;
mod material;
mod muscle;
mod output;
mod probe;
mod scene;
mod solver;
mod surface;

use pliant_core::measure::probes::{ProbeColumn, ProbeKind};
use pliant_geometry::shapes;
use pliant_materials::{LawInfo, MaterialPreset};
use pliant_parameters::{Field, Kind, Preset, Range};

/// A table of a scene file.
#[derive(Clone, Copy)]
pub(crate) struct TableKind {
    /// Key of the top level.
    pub name: &'static str,
    /// How it is written.
    pub form: Form,
    /// What it is for.
    pub doc: &'static str,
    /// Its rows.
    pub fields: &'static [Field],
    /// Further rows that depend on the word under a key.
    pub variants: Option<Variants>,
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Form {
    /// `[name]`, once.
    One,
    /// `[name.NAME]`, any number.
    Named,
    /// `[[name]]` with a unique key `name`, any number.
    List,
    /// `[[name]]`, any number.
    NamelessList,
}

/// Rows that depend on the word under a key.
#[derive(Clone, Copy)]
pub(crate) struct Variants {
    /// The key.
    pub key: &'static str,
    /// The words and their rows.
    pub items: fn() -> Vec<Item>,
    /// Names that stand for a word and values, written under [`PRESET`]; may be empty.
    pub presets: &'static [MaterialPreset],
}

/// The key under which a preset is named.
pub(crate) const PRESET: &str = "preset";

/// An item a scene can name, as its registry describes it.
#[derive(Clone, Copy)]
pub(crate) struct Item {
    pub name: &'static str,
    pub doc: &'static str,
    pub fields: &'static [Field],
    /// What a probe writes.
    pub columns: &'static [ProbeColumn],
}

impl Item {
    /// A law by its name, sentence and parameters.
    fn of_law(law: LawInfo) -> Self {
        Self {
            name: law.name,
            doc: law.doc,
            fields: law.fields,
            columns: &[],
        }
    }

    /// A kind of probe.
    fn of_probe(kind: &ProbeKind) -> Self {
        Self {
            name: kind.name,
            doc: kind.doc,
            fields: kind.fields,
            columns: kind.columns,
        }
    }

    /// The rows of a registry by their names, sentences and parameters.
    fn all<K>(
        registry: &[K],
        row: impl Fn(&K) -> (&'static str, &'static str, &'static [Field]),
    ) -> Vec<Self> {
        let item = |kind| {
            let (name, doc, fields) = row(kind);
            Self {
                name,
                doc,
                fields,
                columns: &[],
            }
        };
        registry.iter().map(item).collect()
    }
}

/// Every table, in the order in which a scene is printed.
pub(crate) const TABLES: &[TableKind] = &[
    scene::TABLE,
    solver::TABLE,
    material::TABLE,
    body::TABLE,
    muscle::TABLE,
    collider::TABLE,
    emitter::TABLE,
    force::TABLE,
    attach::TABLE,
    joint::TABLE,
    cut::TABLE,
    probe::TABLE,
    expect::TABLE,
    camera::TABLE,
    surface::TABLE,
    output::TABLE,
];

/// The shapes, from their registry.
pub(crate) fn shape_items() -> Vec<Item> {
    Item::all(shapes::KINDS, |k| (k.name, k.doc, k.fields))
}

/// The key that names a table of a list.
const fn name(doc: &'static str) -> Field {
    Field::required("name", Kind::Text, "", doc)
}

const fn position(doc: &'static str) -> Field {
    vector("position", "m", doc)
}

const ROTATION: Field = vector(
    "rotation",
    "degrees",
    "Rotations about its own x, then y, then z axis.",
);

/// A strength that changes in time.
const STRENGTHS: Field = Field::optional(
    "keyframes",
    Kind::Tables(&[
        Field::required(
            "t",
            Kind::Number(Range::ANY),
            "s",
            "Time, increasing from one keyframe to the next.",
        ),
        Field::required(
            "strength",
            Kind::Number(Range::ANY),
            "",
            "Factor on the force, or on the stiffness; a stiffness of 0 lets go.",
        ),
    ]),
    "",
    "Strength over time; constant before the first and after the last.",
);

const EASE: Field = choice(
    "ease",
    &["linear", "smooth"],
    "linear",
    "Interpolation between keyframes: at constant speed, or smoothly accelerated and decelerated.",
);

/// Three numbers, zero if missing.
const fn vector(name: &'static str, unit: &'static str, doc: &'static str) -> Field {
    let kind = Kind::Vector(3, Range::ANY);
    Field::new(name, kind, unit, Preset::Vector(&[0.0, 0.0, 0.0]), doc)
}

pub(crate) const fn flag(name: &'static str, default: bool, doc: &'static str) -> Field {
    Field::new(name, Kind::Flag, "", Preset::Flag(default), doc)
}

pub(crate) const fn choice(
    name: &'static str,
    words: &'static [&'static str],
    default: &'static str,
    doc: &'static str,
) -> Field {
    Field::new(name, Kind::Choice(words), "", Preset::Text(default), doc)
}
