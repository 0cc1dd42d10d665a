//! Values of a file: a word says of which type one is, and where, or holds it.

use half::f16;

use super::super::MeshProblem;
use super::super::layer::Value;
use super::packed::{integers, long_integers};
use super::tables::Tables;
use super::{Cursor, cut_off};

const IS_ARRAY: u64 = 1 << 63;
const IS_INLINED: u64 = 1 << 62;
const IS_PACKED: u64 = 1 << 61;

/// Arrays that are shorter are not packed.
const LEAST_PACKED: usize = 16;

/// Types by their numbers (OpenUSD, `crateDataTypes.h`).
pub(super) mod types {
    pub(in super::super) const TEXT: u8 = 10;
    pub(in super::super) const TOKEN: u8 = 11;
    pub(in super::super) const ASSET: u8 = 12;
    pub(in super::super) const DICTIONARY: u8 = 31;
    pub(in super::super) const LIST_OF_TEXTS: u8 = 33;
    pub(in super::super) const TOKENS: u8 = 41;
    pub(in super::super) const SELECTIONS: u8 = 45;
    pub(in super::super) const TIME_SAMPLES: u8 = 46;
    pub(in super::super) const PAYLOAD: u8 = 47;
    pub(in super::super) const NUMBERS: u8 = 48;
    pub(in super::super) const TEXTS: u8 = 50;
    pub(in super::super) const BLOCKED: u8 = 51;
    pub(in super::super) const TIME_CODE: u8 = 56;
    pub(in super::super) const LIST_OF_PATHS: u8 = 34;
    pub(in super::super) const LIST_OF_REFERENCES: u8 = 35;
    pub(in super::super) const LIST_OF_LONG_INTEGERS: u8 = 37;
    pub(in super::super) const LIST_OF_PAYLOADS: u8 = 55;
}

/// A type of number.
#[derive(Clone, Copy, PartialEq)]
enum Scalar {
    Byte,
    Int,
    Uint,
    Int64,
    Uint64,
    Half,
    Float,
    Double,
}

/// A type made of numbers.
#[derive(Clone, Copy)]
struct Numeric {
    scalar: Scalar,
    count: usize,
    shape: NumericShape,
}

#[derive(Clone, Copy, PartialEq)]
enum NumericShape {
    Vector,
    /// Square, so many rows.
    Matrix(usize),
    /// Its real part is stored last.
    Quaternion,
}

/// Where a value is, taken apart.
#[derive(Clone, Copy)]
pub(super) struct Word {
    pub(super) kind: u8,
    is_array: bool,
    pub(super) is_inlined: bool,
    is_packed: bool,
    payload: u64,
}

impl Word {
    pub(super) fn of(word: u64) -> Self {
        Self {
            kind: (word >> 48) as u8,
            is_array: word & IS_ARRAY != 0,
            is_inlined: word & IS_INLINED != 0,
            is_packed: word & IS_PACKED != 0,
            payload: word & ((1 << 48) - 1),
        }
    }

    pub(super) fn cursor<'b>(&self, file: &'b Tables) -> Result<Cursor<'b>, MeshProblem> {
        Cursor::new(&file.bytes, self.payload)
    }
}

/// Reads a value.
pub(super) fn value(file: &Tables, word: u64) -> Result<Value, MeshProblem> {
    let word = Word::of(word);
    if let Some(numeric) = numeric(word.kind) {
        let numbers = match (word.is_array, word.is_inlined) {
            (true, _) => array(file, word, numeric)?,
            (false, true) => inlined(word.payload, numeric),
            (false, false) => read_numbers(&mut word.cursor(file)?, numeric, 1)?,
        };
        return Ok(Value::Numbers(numbers));
    }
    match word.kind {
        types::TEXT | types::TOKEN | types::ASSET => texts(file, word).map(Value::Texts),
        types::TOKENS => listed_texts(file, word, types::TOKEN),
        types::TEXTS => listed_texts(file, word, types::TEXT),
        types::NUMBERS => {
            let mut cursor = word.cursor(file)?;
            let count = cursor.count()?;
            let double = Numeric::vector(Scalar::Double, 1);
            read_numbers(&mut cursor, double, count).map(Value::Numbers)
        }
        types::BLOCKED => Ok(Value::Blocked),
        _ => Ok(Value::Other),
    }
}

impl Numeric {
    const fn vector(scalar: Scalar, count: usize) -> Self {
        Self {
            scalar,
            count,
            shape: NumericShape::Vector,
        }
    }
}

fn numeric(kind: u8) -> Option<Numeric> {
    use Scalar::{Byte, Double, Float, Half, Int, Int64, Uint, Uint64};
    let vector = Numeric::vector;
    Some(match kind {
        1 | 2 => vector(Byte, 1),
        3 => vector(Int, 1),
        4 => vector(Uint, 1),
        5 => vector(Int64, 1),
        6 => vector(Uint64, 1),
        7 => vector(Half, 1),
        8 => vector(Float, 1),
        9 | types::TIME_CODE => vector(Double, 1),
        13..=15 => {
            let rows = usize::from(kind) - 11;
            Numeric {
                scalar: Double,
                count: rows * rows,
                shape: NumericShape::Matrix(rows),
            }
        }
        16..=18 => Numeric {
            scalar: [Double, Float, Half][usize::from(kind) - 16],
            count: 4,
            shape: NumericShape::Quaternion,
        },
        19..=30 => {
            let place = usize::from(kind) - 19;
            vector([Double, Float, Half, Int][place % 4], 2 + place / 4)
        }
        _ => return None,
    })
}

impl Scalar {
    fn size(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Half => 2,
            Self::Int | Self::Uint | Self::Float => 4,
            Self::Int64 | Self::Uint64 | Self::Double => 8,
        }
    }

    /// Of as many bytes as it has; integers of 64 bits lose what a number of double precision cannot hold.
    fn number(self, bytes: &[u8]) -> f64 {
        let digits = bytes.iter().rev();
        let word = digits.fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
        match self {
            Self::Byte | Self::Uint => word as f64,
            Self::Int => f64::from(word as u32 as i32),
            Self::Int64 => word as i64 as f64,
            Self::Uint64 => word as f64,
            Self::Half => f16::from_bits(word as u16).to_f64(),
            Self::Float => f64::from(f32::from_bits(word as u32)),
            Self::Double => f64::from_bits(word),
        }
    }
}

/// Numbers as they lie.
fn read_numbers(
    cursor: &mut Cursor,
    numeric: Numeric,
    count: usize,
) -> Result<Vec<f64>, MeshProblem> {
    let size = numeric.scalar.size();
    let bytes = cursor.take_many(count, size * numeric.count)?;
    let numbers = bytes.chunks_exact(size);
    let mut numbers: Vec<f64> = numbers
        .map(|number| numeric.scalar.number(number))
        .collect();
    if numeric.shape == NumericShape::Quaternion {
        for quaternion in numbers.chunks_exact_mut(4) {
            quaternion.rotate_right(1);
        }
    }
    Ok(numbers)
}

/// A value that its word holds: numbers of 32 bits as they are, of 64 bits as ones of 32, the parts of vectors and
/// the diagonals of matrices as whole numbers of 8 bits.
fn inlined(payload: u64, numeric: Numeric) -> Vec<f64> {
    let small = |place: usize| f64::from((payload >> (8 * place)) as u8 as i8);
    match (numeric.shape, numeric.count) {
        (NumericShape::Matrix(rows), _) => {
            let mut numbers = vec![0.0; numeric.count];
            for row in 0..rows {
                numbers[row * rows + row] = small(row);
            }
            numbers
        }
        (_, 1) => {
            let scalar = match numeric.scalar {
                Scalar::Double => Scalar::Float,
                Scalar::Int64 => Scalar::Int,
                Scalar::Uint64 => Scalar::Uint,
                other => other,
            };
            let bytes = payload.to_le_bytes();
            vec![scalar.number(&bytes[..scalar.size()])]
        }
        (_, count) => (0..count).map(small).collect(),
    }
}

/// How many an array has, from its start on.
fn array_count(file: &Tables, cursor: &mut Cursor) -> Result<usize, MeshProblem> {
    if file.version < 5 {
        // The number of dimensions, which is one.
        cursor.u32()?;
    }
    match file.version < 7 {
        true => Ok(cursor.u32()? as usize),
        false => cursor.count(),
    }
}

fn array(file: &Tables, word: Word, numeric: Numeric) -> Result<Vec<f64>, MeshProblem> {
    if word.payload == 0 {
        return Ok(Vec::new());
    }
    let mut cursor = word.cursor(file)?;
    let count = array_count(file, &mut cursor)?;
    if !word.is_packed || count < LEAST_PACKED {
        return read_numbers(&mut cursor, numeric, count);
    }
    match numeric.scalar {
        Scalar::Int => {
            let numbers = integers(&mut cursor, count)?;
            Ok(numbers.into_iter().map(f64::from).collect())
        }
        Scalar::Uint => {
            let numbers = integers(&mut cursor, count)?;
            let numbers = numbers.into_iter().map(|n| f64::from(n as u32));
            Ok(numbers.collect())
        }
        Scalar::Int64 | Scalar::Uint64 => {
            let numbers = long_integers(&mut cursor, count)?;
            Ok(numbers.into_iter().map(|n| n as f64).collect())
        }
        _ => packed_reals(&mut cursor, numeric, count),
    }
}

/// Real numbers, of which all are whole, or that have few values: a table of these and their numbers in it.
fn packed_reals(
    cursor: &mut Cursor,
    numeric: Numeric,
    count: usize,
) -> Result<Vec<f64>, MeshProblem> {
    match cursor.array()? {
        [b'i'] => {
            let numbers = integers(cursor, count)?;
            Ok(numbers.into_iter().map(f64::from).collect())
        }
        [b't'] => {
            let size = cursor.u32()? as usize;
            let table = read_numbers(cursor, numeric, size)?;
            let number = |place: i32| table.get(place as usize).copied().ok_or_else(cut_off);
            integers(cursor, count)?.into_iter().map(number).collect()
        }
        _ => Err(cut_off()),
    }
}

fn texts(file: &Tables, word: Word) -> Result<Vec<String>, MeshProblem> {
    if word.is_array {
        if word.payload == 0 {
            return Ok(Vec::new());
        }
        let mut cursor = word.cursor(file)?;
        let count = array_count(file, &mut cursor)?;
        // One path of a file is a token, several are texts.
        let kind = match word.kind {
            types::ASSET => types::TEXT,
            kind => kind,
        };
        return texts_at(file, kind, &mut cursor, count);
    }
    let number = match word.is_inlined {
        true => word.payload as u32,
        false => word.cursor(file)?.u32()?,
    };
    Ok(vec![text(file, word.kind, number)?])
}

/// Texts after how many they are, which is told alike in all versions.
fn listed_texts(file: &Tables, word: Word, kind: u8) -> Result<Value, MeshProblem> {
    let mut cursor = word.cursor(file)?;
    let count = cursor.count()?;
    texts_at(file, kind, &mut cursor, count).map(Value::Texts)
}

fn texts_at(
    file: &Tables,
    kind: u8,
    cursor: &mut Cursor,
    count: usize,
) -> Result<Vec<String>, MeshProblem> {
    let numbers = cursor.take_many(count, 4)?;
    let numbers = numbers.as_chunks().0.iter();
    numbers
        .map(|&number| text(file, kind, u32::from_le_bytes(number)))
        .collect()
}

/// Texts go by the table of texts, all else is a token.
fn text(file: &Tables, kind: u8, number: u32) -> Result<String, MeshProblem> {
    match kind {
        types::TEXT => file.text(number),
        _ => file.token(number),
    }
    .map(str::to_owned)
}

/// Times with the words of what is there at each; nothing if the word is of something else.
pub(super) fn samples(file: &Tables, word: u64) -> Result<Vec<(f64, u64)>, MeshProblem> {
    let word = Word::of(word);
    if word.kind != types::TIME_SAMPLES {
        return Ok(Vec::new());
    }
    let mut cursor = word.cursor(file)?;
    cursor.jump()?;
    let Value::Numbers(times) = value(file, cursor.u64()?)? else {
        return Err(cut_off());
    };
    cursor.jump()?;
    if cursor.count()? != times.len() {
        return Err(cut_off());
    }
    let sample = |time| Ok((time, cursor.u64()?));
    times.into_iter().map(sample).collect()
}
