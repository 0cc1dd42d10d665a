//! Layers in the binary form (`.usdc`, "crate files"), from version 0.4 of 2017 on.
//!
//! A file is a head, values, and tables that tell what they belong to (see `crate::usdc`, which writes them). Values are
//! read when they are asked for: of a file most is not.
//!
//! | what | where |
//! | --- | --- |
//! | the tables | `tables` |
//! | the tree of prims from them | `tree` |
//! | values | `values` |
//! | lists and dictionaries | `lists` |
//! | integers and bytes that are packed | `packed` |

mod lists;
mod packed;
mod tables;
mod tree;
mod values;

use std::rc::Rc;

use super::layer::{Layer, Value};
use super::{MeshProblem, malformed};
use tables::Tables;

/// First bytes of a file.
const MAGIC: &[u8] = b"PXR-USDC";

/// Whether bytes begin as a file of this form does.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a layer.
///
/// # Errors
/// If the bytes are damaged, or of a version before 0.4.
pub(super) fn read(bytes: &[u8]) -> Result<Layer, MeshProblem> {
    let file = Rc::new(Tables::read(bytes)?);
    tree::layer(&file)
}

/// A value that is still in its file.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    file: Rc<Tables>,
    word: u64,
}

impl Stored {
    /// Reads the value.
    ///
    /// # Errors
    /// If the file is damaged there.
    pub(super) fn value(&self) -> Result<Value, MeshProblem> {
        values::value(&self.file, self.word)
    }
}

/// A place in the bytes of a file.
#[derive(Clone)]
struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    fn new(bytes: &'b [u8], at: u64) -> Result<Self, MeshProblem> {
        let at = usize::try_from(at).ok().filter(|&at| at <= bytes.len());
        let at = at.ok_or_else(cut_off)?;
        Ok(Self { bytes, at })
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], MeshProblem> {
        let end = self.at.checked_add(count).ok_or_else(cut_off)?;
        let taken = self.bytes.get(self.at..end).ok_or_else(cut_off)?;
        self.at = end;
        Ok(taken)
    }

    /// `count` things of `size` bytes each.
    fn take_many(&mut self, count: usize, size: usize) -> Result<&'b [u8], MeshProblem> {
        self.take(count.checked_mul(size).ok_or_else(cut_off)?)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], MeshProblem> {
        let taken = self.take(N)?;
        taken.first_chunk().copied().ok_or_else(cut_off)
    }

    fn u32(&mut self) -> Result<u32, MeshProblem> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, MeshProblem> {
        self.array().map(u64::from_le_bytes)
    }

    fn f64(&mut self) -> Result<f64, MeshProblem> {
        self.array().map(f64::from_le_bytes)
    }

    /// How many follow.
    fn count(&mut self) -> Result<usize, MeshProblem> {
        usize::try_from(self.u64()?).map_err(|_| cut_off())
    }

    /// Goes on where a distance from here leads.
    fn jump(&mut self) -> Result<(), MeshProblem> {
        let start = self.at as u64;
        let distance = self.u64()?;
        *self = Self::new(self.bytes, start.wrapping_add(distance))?;
        Ok(())
    }
}

fn cut_off() -> MeshProblem {
    malformed("it is cut off or damaged")
}
