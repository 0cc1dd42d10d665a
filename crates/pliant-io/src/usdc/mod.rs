//! Layers of USD in their binary form (`.usdc`, "crate files"), written in one go.
//!
//! A file is a head, values, and tables that tell what they belong to: texts (tokens), paths, fields
//! (a name and a value), sets of fields, and specs (a path, what is there, its set of fields). The form
//! is that of version 0.8, which every OpenUSD since 2018 reads. What it calls compressed is written as
//! LZ4 blocks of literals only: tables are small, and arrays need not be compressed. Arrays go from the
//! columns of a frame to the file without a copy in between. The crate `openusd` would write layers too;
//! it asks for a newer compiler than this workspace, and takes arrays as values that it owns.
//!
//! | what | where |
//! | --- | --- |
//! | what a layer is | here |
//! | tables of it | `tables` |
//! | their bytes | `encoding` |
//! | the file | `file` |
//!
//! Not here: what a scene of Pliant looks like in USD (`export/usd`).

mod encoding;
mod file;
mod tables;

use std::io::{self, Write};

pub(crate) use file::write;

/// A layer: prims below the root.
#[derive(Debug, Default)]
pub(crate) struct Layer<'a> {
    /// Name of the prim that stands for the layer.
    pub default_prim: &'static str,
    /// Time codes in a second: a layer that does not tell it has 24, and its times are scaled where another takes it in.
    pub time_codes_per_second: Option<f64>,
    /// The prims.
    pub prims: Vec<Prim<'a>>,
}

/// A prim.
#[derive(Debug)]
pub(crate) struct Prim<'a> {
    /// Its name, an identifier.
    pub name: String,
    /// Its type; `None` adds to a prim of another layer.
    pub type_name: Option<&'static str>,
    /// Its attributes.
    pub attributes: Vec<Attribute<'a>>,
    /// The prims below it.
    pub children: Vec<Prim<'a>>,
}

/// An attribute of a prim.
#[derive(Debug)]
pub(crate) struct Attribute<'a> {
    /// Its name, with colons between its parts.
    pub name: String,
    /// Its type.
    pub kind: AttributeKind,
    /// Its value.
    pub value: Held<'a>,
}

/// A type of attribute: how USD calls it, and whether it cannot change with time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct AttributeKind {
    pub name: &'static str,
    pub is_uniform: bool,
}

/// When an attribute has a value.
#[derive(Debug)]
pub(crate) enum Held<'a> {
    /// It is declared only.
    Never,
    /// At all times.
    Always(Value<'a>),
    /// At a time code.
    At(f64, Value<'a>),
    /// At time codes, which rise.
    Keyframes(Vec<(f64, Value<'a>)>),
}

/// A value.
#[derive(Debug)]
pub(crate) enum Value<'a> {
    /// A name.
    Token(&'static str),
    /// Names.
    Tokens(Vec<&'static str>),
    /// Three numbers.
    Double3([f64; 3]),
    /// A quaternion x, y, z, w.
    Quaternion([f32; 4]),
    /// Many numbers.
    Array(Array<'a>),
}

/// An array, whose bytes are asked for when they are written.
pub(crate) struct Array<'a> {
    /// What it consists of.
    pub element: Element,
    /// How many of these.
    pub count: usize,
    /// Writes them, little endian.
    pub write: WriteArray<'a>,
}

/// Writes the elements of an array.
pub(crate) type WriteArray<'a> = Box<dyn Fn(&mut dyn Write) -> io::Result<()> + 'a>;

/// What an array consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Element {
    Int,
    Int64,
    Float,
    Float2,
    Float3,
}

impl<'a> Attribute<'a> {
    /// One that has the same value at all times.
    pub fn always(name: &str, kind: AttributeKind, value: Value<'a>) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            value: Held::Always(value),
        }
    }
}

impl AttributeKind {
    pub const fn varying(name: &'static str) -> Self {
        Self {
            name,
            is_uniform: false,
        }
    }

    pub const fn uniform(name: &'static str) -> Self {
        Self {
            name,
            is_uniform: true,
        }
    }
}

impl Value<'static> {
    /// An array of triples.
    pub fn float3s(values: Vec<[f32; 3]>) -> Self {
        Self::Array(Array {
            element: Element::Float3,
            count: values.len(),
            write: Box::new(move |out| {
                let mut numbers = values.as_flattened().iter();
                numbers.try_for_each(|number| out.write_all(&number.to_le_bytes()))
            }),
        })
    }

    /// An array of integers, none more than fits a signed one.
    pub fn ints(values: Vec<u32>) -> Self {
        Self::Array(Array {
            element: Element::Int,
            count: values.len(),
            write: Box::new(move |out| {
                let mut numbers = values.iter();
                numbers.try_for_each(|number| out.write_all(&number.to_le_bytes()))
            }),
        })
    }
}

impl Element {
    /// Bytes of one.
    pub fn size(self) -> usize {
        match self {
            Self::Int | Self::Float => 4,
            Self::Int64 | Self::Float2 => 8,
            Self::Float3 => 12,
        }
    }
}

impl std::fmt::Debug for Array<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} x {:?}", self.count, self.element)
    }
}

#[cfg(test)]
mod tests;
