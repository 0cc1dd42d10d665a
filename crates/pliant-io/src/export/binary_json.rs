//! Houdini's binary JSON: tokens of one byte, lengths of variable size, arrays of equal numbers.

use std::io::{self, Write};

/// The bytes that begin a file: the token of the magic number, and the number, which tells the order
/// of bytes, here little endian.
const MAGIC: [u8; 5] = [0x7f, b'N', b'S', b'J', b'b'];

const ARRAY: [u8; 2] = [0x5b, 0x5d];
const MAP: [u8; 2] = [0x7b, 0x7d];
const FALSE: u8 = 0x30;
const TRUE: u8 = 0x31;
const INT64: u8 = 0x14;
const TEXT: u8 = 0x27;
const UNIFORM_ARRAY: u8 = 0x40;

/// A type of number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    Int32,
    Real32,
    Real64,
}

/// Writes JSON.
pub(super) struct Json<'o> {
    out: &'o mut dyn Write,
}

impl Number {
    fn token(self) -> u8 {
        match self {
            Self::Int32 => 0x13,
            Self::Real32 => 0x19,
            Self::Real64 => 0x1a,
        }
    }

    /// Its name in attributes.
    pub fn storage(self) -> &'static str {
        match self {
            Self::Int32 => "int32",
            Self::Real32 => "fpreal32",
            Self::Real64 => "fpreal64",
        }
    }
}

impl<'o> Json<'o> {
    /// Begins a file.
    pub fn start(out: &'o mut dyn Write) -> io::Result<Self> {
        out.write_all(&MAGIC)?;
        Ok(Self { out })
    }

    /// An array of what `content` writes.
    pub fn array(&mut self, content: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        self.between(ARRAY, content)
    }

    /// A map of what `content` writes.
    pub fn map(&mut self, content: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        self.between(MAP, content)
    }

    /// A key and its value.
    pub fn entry(
        &mut self,
        key: &str,
        value: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.text(key)?;
        value(self)
    }

    pub fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(&[TEXT])?;
        self.length(text.len())?;
        self.out.write_all(text.as_bytes())
    }

    pub fn flag(&mut self, flag: bool) -> io::Result<()> {
        self.out.write_all(&[if flag { TRUE } else { FALSE }])
    }

    pub fn count(&mut self, count: usize) -> io::Result<()> {
        self.out.write_all(&[INT64])?;
        self.out.write_all(&(count as u64).to_le_bytes())
    }

    /// An array of so many numbers, whose bytes, little endian, `bytes` writes.
    pub fn numbers(
        &mut self,
        number: Number,
        count: usize,
        bytes: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        self.out.write_all(&[UNIFORM_ARRAY, number.token()])?;
        self.length(count)?;
        bytes(self.out)
    }

    fn between(
        &mut self,
        [open, close]: [u8; 2],
        content: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.out.write_all(&[open])?;
        content(self)?;
        self.out.write_all(&[close])
    }

    /// One byte up to 240, else a byte that tells how many follow.
    fn length(&mut self, length: usize) -> io::Result<()> {
        let bytes = (length as u64).to_le_bytes();
        let (marker, size) = match length {
            0..=0xf0 => return self.out.write_all(&bytes[..1]),
            0xf1..=0xffff => (0xf2, 2),
            0x1_0000..=0xffff_ffff => (0xf4, 4),
            _ => (0xf8, 8),
        };
        self.out.write_all(&[marker])?;
        self.out.write_all(&bytes[..size])
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// JSON that was read.
    #[derive(Clone, Debug, PartialEq)]
    pub enum Value {
        Flag(bool),
        Int(i64),
        Text(String),
        List(Vec<Value>),
        Ints(Vec<i32>),
        Reals(Vec<f64>),
    }

    impl Value {
        pub fn list(&self) -> &[Value] {
            match self {
                Self::List(list) => list,
                other => panic!("{other:?} is no list"),
            }
        }

        /// The value of a key in a list or map of keys and values.
        pub fn get(&self, key: &str) -> &Value {
            let is_it = |pair: &&[Value]| pair[0] == Value::Text(key.to_owned());
            let found = self.list().chunks_exact(2).find(is_it);
            &found.unwrap_or_else(|| panic!("no {key}"))[1]
        }
    }

    /// What is in a file, read as the format is described.
    pub fn parsed(bytes: &[u8]) -> Value {
        let mut rest = bytes.strip_prefix(&MAGIC).unwrap();
        let value = value(&mut rest).unwrap();
        assert!(rest.is_empty());
        value
    }

    fn take<'b, const N: usize>(rest: &mut &'b [u8]) -> &'b [u8; N] {
        let (head, tail) = rest.split_first_chunk().unwrap();
        *rest = tail;
        head
    }

    fn taken_length(rest: &mut &[u8]) -> usize {
        match take::<1>(rest)[0] {
            0xf2 => usize::from(u16::from_le_bytes(*take(rest))),
            0xf4 => u32::from_le_bytes(*take(rest)) as usize,
            length => usize::from(length),
        }
    }

    /// The next value; `None` at the end of an array or map.
    fn value(rest: &mut &[u8]) -> Option<Value> {
        let token = take::<1>(rest)[0];
        Some(match token {
            0x5d | 0x7d => return None,
            0x5b | 0x7b => Value::List(std::iter::from_fn(|| value(rest)).collect()),
            FALSE | TRUE => Value::Flag(token == TRUE),
            INT64 => Value::Int(i64::from_le_bytes(*take(rest))),
            TEXT => {
                let length = taken_length(rest);
                let (text, tail) = rest.split_at(length);
                *rest = tail;
                Value::Text(String::from_utf8(text.to_vec()).unwrap())
            }
            UNIFORM_ARRAY => {
                let token = take::<1>(rest)[0];
                let count = 0..taken_length(rest);
                match token {
                    0x13 => Value::Ints(count.map(|_| i32::from_le_bytes(*take(rest))).collect()),
                    0x19 => {
                        let real = |_| f64::from(f32::from_le_bytes(*take(rest)));
                        Value::Reals(count.map(real).collect())
                    }
                    _ => Value::Reals(count.map(|_| f64::from_le_bytes(*take(rest))).collect()),
                }
            }
            other => panic!("unknown token {other:#x}"),
        })
    }

    fn written(content: impl FnOnce(&mut Json) -> io::Result<()>) -> Vec<u8> {
        let mut bytes = Vec::new();
        content(&mut Json::start(&mut bytes).unwrap()).unwrap();
        bytes[MAGIC.len()..].to_vec()
    }

    #[test]
    fn values_have_the_bytes_of_the_format() {
        let bytes = written(|json| {
            json.array(|json| {
                json.entry("a", |json| json.count(2))?;
                json.map(|json| json.entry("b", |json| json.flag(true)))?;
                json.numbers(Number::Real32, 1, |out| out.write_all(&1_f32.to_le_bytes()))
            })
        });
        let expected = [
            &[0x5b, 0x27, 1, b'a', 0x14, 2, 0, 0, 0, 0, 0, 0, 0][..],
            &[0x7b, 0x27, 1, b'b', 0x31, 0x7d],
            &[0x40, 0x19, 1, 0, 0, 0x80, 0x3f, 0x5d],
        ];
        assert_eq!(bytes, expected.concat());
    }

    #[test]
    fn lengths_grow_when_one_byte_is_too_small() {
        let prefix = |length: usize| {
            let bytes = written(|json| json.text(&"x".repeat(length)));
            bytes[1..bytes.len() - length].to_vec()
        };
        assert_eq!(prefix(240), [0xf0]);
        assert_eq!(prefix(241), [0xf2, 241, 0]);
        assert_eq!(prefix(65_536), [0xf4, 0, 0, 1, 0]);
    }
}
