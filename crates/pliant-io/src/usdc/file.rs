//! A layer as a file.

use std::io::{self, Write};

use super::tables::{SpecType, Tables};
use super::{Array, Attribute, Element, Held, Layer, Prim, Value};

/// What every file begins with, and the version of its form.
const MAGIC: &[u8; 8] = b"PXR-USDC";
const VERSION: [u8; 8] = [0, 8, 0, 0, 0, 0, 0, 0];

/// Bytes of the head: magic, version, place of the table of contents, reserved.
const HEAD: usize = 8 + 8 + 8 + 64;

/// Bytes of the name of a section.
const SECTION_NAME: usize = 16;

/// Bits of a value: it is an array, or stands in the value itself; else the low bits are its place.
const IS_ARRAY: u64 = 1 << 63;
const IS_INLINED: u64 = 1 << 62;

/// The place of the type in a value.
const TYPE_SHIFT: u32 = 48;

/// Numbers of types.
#[derive(Clone, Copy)]
enum Type {
    Int = 3,
    Int64 = 5,
    Float = 8,
    Double = 9,
    Token = 11,
    Quatf = 17,
    Vec3d = 23,
    Vec2f = 20,
    Vec3f = 24,
    TokenVector = 41,
    Specifier = 42,
    Variability = 44,
    TimeSamples = 46,
    DoubleVector = 48,
}

/// Specifiers of prims: one that is defined, one that adds to it.
const DEF: u64 = 0;
const OVER: u64 = 1;

/// The variability of attributes that cannot change.
const UNIFORM: u64 = 1;

/// Writes a layer.
///
/// # Errors
/// What `out` says.
pub(crate) fn write(layer: &Layer, out: &mut dyn Write) -> io::Result<()> {
    let mut file = File::default();
    file.add_layer(layer);
    let sections = file.tables.sections();
    let mut contents = (sections.len() as u64).to_le_bytes().to_vec();
    let mut start = file.end as u64;
    for (name, bytes) in &sections {
        let mut padded = [0; SECTION_NAME];
        padded[..name.len()].copy_from_slice(name.as_bytes());
        contents.extend(padded);
        contents.extend(start.to_le_bytes());
        contents.extend((bytes.len() as u64).to_le_bytes());
        start += bytes.len() as u64;
    }
    out.write_all(MAGIC)?;
    out.write_all(&VERSION)?;
    out.write_all(&start.to_le_bytes())?;
    out.write_all(&[0; 64])?;
    for part in &file.values {
        match part {
            Part::Bytes(bytes) => out.write_all(bytes)?,
            Part::Array(array) => (array.write)(out)?,
        }
    }
    let mut sections = sections.iter();
    sections.try_for_each(|(_, bytes)| out.write_all(bytes))?;
    out.write_all(&contents)
}

/// What is known of a file before it is written.
struct File<'l> {
    tables: Tables,
    values: Vec<Part<'l>>,
    /// Where the values end.
    end: usize,
}

/// A piece of the values.
enum Part<'l> {
    Bytes(Vec<u8>),
    Array(&'l Array<'l>),
}

impl Default for File<'_> {
    fn default() -> Self {
        Self {
            tables: Tables::new(),
            values: Vec::new(),
            end: HEAD,
        }
    }
}

impl<'l> File<'l> {
    fn add_layer(&mut self, layer: &'l Layer) {
        let default_prim = self.token_value(layer.default_prim);
        let children = self.names(layer.prims.iter().map(|prim| prim.name.as_str()));
        let mut fields = vec![("defaultPrim", default_prim), ("primChildren", children)];
        if let Some(rate) = layer.time_codes_per_second {
            let place = self.put(rate.to_le_bytes().to_vec());
            fields.push(("timeCodesPerSecond", at(Type::Double, place)));
        }
        let root = self.tables.add_spec("/", SpecType::Root, &fields);
        self.add_prims(&layer.prims);
        self.tables.close(root, true);
    }

    fn add_prims(&mut self, prims: &'l [Prim]) {
        for (number, prim) in prims.iter().enumerate() {
            self.add_prim(prim, number + 1 == prims.len());
        }
    }

    fn add_prim(&mut self, prim: &'l Prim, is_last: bool) {
        let specifier = if prim.type_name.is_some() { DEF } else { OVER };
        let mut fields = vec![("specifier", inlined(Type::Specifier, specifier))];
        if let Some(type_name) = prim.type_name {
            fields.push(("typeName", self.token_value(type_name)));
        }
        if !prim.attributes.is_empty() {
            let names = prim.attributes.iter().map(|a| a.name.as_str());
            fields.push(("properties", self.names(names)));
        }
        if !prim.children.is_empty() {
            let names = prim.children.iter().map(|child| child.name.as_str());
            fields.push(("primChildren", self.names(names)));
        }
        let path = self.tables.add_spec(&prim.name, SpecType::Prim, &fields);
        for (number, attribute) in prim.attributes.iter().enumerate() {
            let is_last = prim.children.is_empty() && number + 1 == prim.attributes.len();
            self.add_attribute(attribute, is_last);
        }
        self.add_prims(&prim.children);
        self.tables.close(path, is_last);
    }

    fn add_attribute(&mut self, attribute: &'l Attribute, is_last: bool) {
        let mut fields = vec![("typeName", self.token_value(attribute.kind.name))];
        if attribute.kind.is_uniform {
            fields.push(("variability", inlined(Type::Variability, UNIFORM)));
        }
        match &attribute.value {
            Held::Never => {}
            Held::Always(value) => fields.push(("default", self.value(value))),
            Held::At(time, value) => {
                let value = self.value(value);
                fields.push(("timeSamples", self.samples(&[(*time, value)])));
            }
            Held::Keyframes(keyframes) => {
                let keyframes = keyframes.iter();
                let words: Vec<(f64, u64)> = keyframes
                    .map(|(time, value)| (*time, self.value(value)))
                    .collect();
                fields.push(("timeSamples", self.samples(&words)));
            }
        }
        let kind = SpecType::Attribute;
        let path = self.tables.add_spec(&attribute.name, kind, &fields);
        self.tables.close(path, is_last);
    }

    fn value(&mut self, value: &'l Value) -> u64 {
        match value {
            Value::Token(text) => self.token_value(text),
            Value::Tokens(texts) => {
                let tokens: Vec<u32> = texts.iter().map(|text| self.tables.token(text)).collect();
                let bytes = tokens.iter().flat_map(|token| token.to_le_bytes());
                let place = self.put(counted(tokens.len(), bytes));
                IS_ARRAY | at(Type::Token, place)
            }
            Value::Double3(v) => {
                let place = self.put(v.iter().flat_map(|c| c.to_le_bytes()).collect());
                at(Type::Vec3d, place)
            }
            Value::Quaternion(q) => {
                let place = self.put(q.iter().flat_map(|c| c.to_le_bytes()).collect());
                at(Type::Quatf, place)
            }
            Value::Array(array) => IS_ARRAY | at(array_type(array.element), self.put_array(array)),
        }
    }

    /// The value of an attribute that has some at times.
    fn samples(&mut self, samples: &[(f64, u64)]) -> u64 {
        let times = samples.iter().flat_map(|(time, _)| time.to_le_bytes());
        let times = self.put(counted(samples.len(), times));
        // Two parts, each with the distance to what it tells, which follows.
        let follows = 8_u64;
        let head = [follows, at(Type::DoubleVector, times), follows];
        let count = samples.len() as u64;
        let words = samples.iter().map(|(_, word)| *word);
        let numbers = head.into_iter().chain([count]).chain(words);
        let place = self.put(numbers.flat_map(u64::to_le_bytes).collect());
        at(Type::TimeSamples, place)
    }

    fn names<'n>(&mut self, names: impl Iterator<Item = &'n str>) -> u64 {
        let tokens: Vec<u32> = names.map(|name| self.tables.token(name)).collect();
        let bytes = tokens.iter().flat_map(|token| token.to_le_bytes());
        let place = self.put(counted(tokens.len(), bytes));
        at(Type::TokenVector, place)
    }

    fn token_value(&mut self, text: &str) -> u64 {
        inlined(Type::Token, u64::from(self.tables.token(text)))
    }

    /// Places bytes at the next multiple of eight.
    fn put(&mut self, mut bytes: Vec<u8>) -> usize {
        let place = self.end;
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        self.end += bytes.len();
        self.values.push(Part::Bytes(bytes));
        place
    }

    /// Places an array after its length; one of nothing has no place.
    fn put_array(&mut self, array: &'l Array) -> usize {
        if array.count == 0 {
            return 0;
        }
        let place = self.put((array.count as u64).to_le_bytes().to_vec());
        let size = array.count * array.element.size();
        self.values.push(Part::Array(array));
        self.values
            .push(Part::Bytes(vec![0; size.next_multiple_of(8) - size]));
        self.end += size.next_multiple_of(8);
        place
    }
}

fn array_type(element: Element) -> Type {
    match element {
        Element::Int => Type::Int,
        Element::Int64 => Type::Int64,
        Element::Float => Type::Float,
        Element::Float2 => Type::Vec2f,
        Element::Float3 => Type::Vec3f,
    }
}

fn inlined(kind: Type, value: u64) -> u64 {
    IS_INLINED | at(kind, value as usize)
}

fn at(kind: Type, place: usize) -> u64 {
    (kind as u64) << TYPE_SHIFT | place as u64
}

/// Bytes after a number.
fn counted(count: usize, bytes: impl Iterator<Item = u8>) -> Vec<u8> {
    (count as u64)
        .to_le_bytes()
        .into_iter()
        .chain(bytes)
        .collect()
}
