//! Packages of USD (`.usdz`): files one after the other, as they are, in the form of an archive of ZIP.

use super::{MeshProblem, malformed};

/// The files of a package.
#[derive(Debug)]
pub(super) struct Package {
    entries: Vec<(String, Vec<u8>)>,
}

const LOCAL_HEADER: &[u8] = b"PK\x03\x04";

/// Whether bytes begin as a package does.
pub(super) fn is_package(bytes: &[u8]) -> bool {
    bytes.starts_with(LOCAL_HEADER)
}

impl Package {
    /// The files that follow each other from the start of the package.
    ///
    /// # Errors
    /// If one is compressed, which USD forbids, or cut off.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, MeshProblem> {
        let mut entries = Vec::new();
        let mut rest = bytes;
        while is_package(rest) {
            let (entry, after) = entry(rest)?;
            entries.push(entry);
            rest = after;
        }
        Ok(Self { entries })
    }

    /// The first file, which is the one to open.
    pub(super) fn first(&self) -> Result<(&str, &[u8]), MeshProblem> {
        let first = self.entries.first();
        let first = first.ok_or_else(|| malformed("the package is empty"))?;
        Ok((&first.0, &first.1))
    }

    /// The bytes of a file.
    pub(super) fn entry(&self, path: &str) -> Result<&[u8], MeshProblem> {
        let entry = self.entries.iter().find(|(name, _)| name == path);
        let missing = || malformed(format!("`{path}` is not in the package"));
        Ok(&entry.ok_or_else(missing)?.1)
    }
}

/// A name and what it stands for.
type Entry = (String, Vec<u8>);

/// The first file, and what follows it. A header holds, from byte 6: flags (2), method (2), time and date (4),
/// checksum (4), sizes (4, 4), lengths of name (2) and of what else is there (2).
fn entry(bytes: &[u8]) -> Result<(Entry, &[u8]), MeshProblem> {
    const HEADER: usize = 30;
    /// The sizes follow what they are of.
    const SIZES_FOLLOW: usize = 8;
    let cut_off = || malformed("the package is cut off");
    let number = |at: usize, size: usize| -> Result<usize, MeshProblem> {
        let bytes = bytes.get(at..at + size).ok_or_else(cut_off)?;
        let digits = bytes.iter().rev();
        Ok(digits.fold(0, |number, &byte| number << 8 | usize::from(byte)))
    };
    let (flags, method, size) = (number(6, 2)?, number(8, 2)?, number(18, 4)?);
    if method != 0 || flags & SIZES_FOLLOW != 0 {
        return Err(malformed(
            "files of the package are compressed, which USD forbids; pack it by usdzip",
        ));
    }
    let start = HEADER + number(26, 2)?;
    let name = bytes.get(HEADER..start).ok_or_else(cut_off)?;
    let start = start + number(28, 2)?;
    let content = bytes.get(start..start + size).ok_or_else(cut_off)?;
    let name = String::from_utf8_lossy(name).into_owned();
    Ok(((name, content.to_vec()), &bytes[start + size..]))
}
