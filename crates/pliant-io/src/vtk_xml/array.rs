//! An array of numbers.

use std::fmt::Display;
use std::io::Read;
use std::str::FromStr;

use flate2::read::ZlibDecoder;
use roxmltree::Node;

use super::bytes::{Bytes, Encoding};

/// Numbers, of whatever size they have in the file.
pub(crate) enum Values {
    Reals(Vec<f64>),
    /// A number that no integer of 64 bits can be is the greatest.
    Integers(Vec<i64>),
}

/// How binary arrays of a file are stored.
#[derive(Clone, Copy)]
pub(super) struct Storage<'b> {
    pub appended: &'b [u8],
    pub appended_encoding: Encoding,
    pub compressor: Option<Compressor>,
    pub is_big_endian: bool,
    /// Bytes of each number of the header before an array.
    pub header_size: usize,
}

/// What makes blocks of arrays shorter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Compressor {
    ZLib,
    Lz4,
}

/// What is announced is not there.
const CUT_OFF: &str = "it is cut off";

impl Storage<'_> {
    pub(super) fn values(self, array: Node) -> Result<Values, String> {
        let kind = array.attribute("type").unwrap_or_default();
        let kind = NumberType::named(kind)
            .ok_or_else(|| format!("it is of type `{kind}`, which is none of numbers"))?;
        let text = array.text().unwrap_or_default();
        let bytes = match array.attribute("format") {
            Some("appended") => {
                let offset = array.attribute("offset").and_then(|o| o.parse().ok());
                let spelled = offset.and_then(|offset: usize| self.appended.get(offset..));
                Bytes::new(spelled.ok_or(CUT_OFF)?, self.appended_encoding)
            }
            Some("binary") => Bytes::new(text.as_bytes(), Encoding::Base64),
            _ => return kind.parse(text),
        };
        self.read(kind, &self.block(bytes)?)
    }

    /// The bytes of an array, which a header of their lengths comes before.
    fn block(self, mut bytes: Bytes) -> Result<Vec<u8>, String> {
        let length = |bytes: &mut Bytes| {
            let taken = bytes.take(self.header_size)?;
            usize::try_from(self.unsigned(&taken)).ok()
        };
        let first = length(&mut bytes).ok_or(CUT_OFF)?;
        let Some(compressor) = self.compressor else {
            return bytes.take(first).ok_or_else(|| CUT_OFF.to_owned());
        };
        // Of what is empty nothing follows.
        if first == 0 {
            return Ok(Vec::new());
        }
        // Number of blocks, size of each, size of the last where it is another, then the sizes compressed.
        let size = length(&mut bytes).ok_or(CUT_OFF)?;
        let last = length(&mut bytes).ok_or(CUT_OFF)?;
        let mut compressed = Vec::new();
        for _ in 0..first {
            compressed.push(length(&mut bytes).ok_or(CUT_OFF)?);
        }
        let mut all = Vec::new();
        for (number, &length) in compressed.iter().enumerate() {
            let block = bytes.take(length).ok_or(CUT_OFF)?;
            let is_last = number + 1 == first && last != 0;
            compressor.add(&block, if is_last { last } else { size }, &mut all)?;
        }
        Ok(all)
    }

    /// A number without sign of 1, 2, 4 or 8 bytes.
    fn unsigned(self, bytes: &[u8]) -> u64 {
        let shifted = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if self.is_big_endian {
            bytes.iter().fold(0, shifted)
        } else {
            bytes.iter().rev().fold(0, shifted)
        }
    }

    fn read(self, kind: NumberType, bytes: &[u8]) -> Result<Values, String> {
        let size = kind.size;
        if !bytes.len().is_multiple_of(size) {
            return Err(CUT_OFF.to_owned());
        }
        let bits = bytes.chunks_exact(size).map(|bytes| self.unsigned(bytes));
        Ok(match (kind.class, size) {
            (Class::Real, 4) => {
                let real = |bits| f64::from(f32::from_bits(bits as u32));
                Values::Reals(bits.map(real).collect())
            }
            (Class::Real, _) => Values::Reals(bits.map(f64::from_bits).collect()),
            (Class::Unsigned, _) => {
                let integer = |bits| i64::try_from(bits).unwrap_or(i64::MAX);
                Values::Integers(bits.map(integer).collect())
            }
            (Class::Signed, _) => {
                // The sign comes from the highest bit that the number has.
                let unused = 64 - 8 * size;
                Values::Integers(bits.map(|b| (b << unused) as i64 >> unused).collect())
            }
        })
    }
}

/// A type as `Float32` or `UInt8`.
#[derive(Clone, Copy)]
struct NumberType {
    class: Class,
    /// Bytes.
    size: usize,
}

#[derive(Clone, Copy)]
enum Class {
    Real,
    Signed,
    Unsigned,
}

impl NumberType {
    fn named(name: &str) -> Option<Self> {
        let (class, size) = match name {
            "Float32" => (Class::Real, 4),
            "Float64" => (Class::Real, 8),
            "Int8" => (Class::Signed, 1),
            "Int16" => (Class::Signed, 2),
            "Int32" => (Class::Signed, 4),
            "Int64" => (Class::Signed, 8),
            "UInt8" => (Class::Unsigned, 1),
            "UInt16" => (Class::Unsigned, 2),
            "UInt32" => (Class::Unsigned, 4),
            "UInt64" => (Class::Unsigned, 8),
            _ => return None,
        };
        Some(Self { class, size })
    }

    /// Numbers that are written as text.
    fn parse(self, text: &str) -> Result<Values, String> {
        fn all<T: FromStr>(text: &str) -> Result<Vec<T>, String> {
            let told = |word| format!("`{word}` is no number of its type");
            let words = text.split_whitespace();
            words.map(|w| w.parse().map_err(|_| told(w))).collect()
        }
        match self.class {
            Class::Real => all(text).map(Values::Reals),
            Class::Signed | Class::Unsigned => all(text).map(Values::Integers),
        }
    }
}

impl Compressor {
    /// By its name in a file.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "vtkZLibDataCompressor" => Some(Self::ZLib),
            "vtkLZ4DataCompressor" => Some(Self::Lz4),
            _ => None,
        }
    }

    /// Adds a block of so many bytes.
    fn add(self, block: &[u8], size: usize, all: &mut Vec<u8>) -> Result<(), String> {
        let damaged = |error: &dyn Display| format!("it cannot be decompressed: {error}");
        let before = all.len();
        match self {
            Self::ZLib => {
                let mut decoder = ZlibDecoder::new(block).take(size as u64);
                decoder.read_to_end(all).map_err(|e| damaged(&e))?;
            }
            Self::Lz4 => {
                // Of a byte LZ4 makes at most 255.
                if size / 255 > block.len() {
                    return Err(CUT_OFF.to_owned());
                }
                let bytes = lz4_flex::block::decompress(block, size);
                all.extend(bytes.map_err(|e| damaged(&e))?);
            }
        }
        if all.len() - before != size {
            return Err("a part of it is shorter than announced".to_owned());
        }
        Ok(())
    }
}
