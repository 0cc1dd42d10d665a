//! Checkpoints: the bytes of a run's state with a frame around them that shows damage.
//!
//! Layout, little endian: magic `PLIANTCP` · format version `u32` · frame `u32` · scene hash `u64` ·
//! time `f64` · length of the state `u64` · the state · XXH3 of everything before `u64`.
//!
//! The state is not compressed: the mantissas of positions and strains are noise to a byte
//! compressor, and at most three checkpoints exist at a time.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::{FileError, NumberedFiles, content_hash, create_folder, read_bytes, write_file};

/// Checkpoints that [`write()`] leaves in the folder.
pub const KEPT_COUNT: usize = 3;

const MAGIC: [u8; 8] = *b"PLIANTCP";
const VERSION: u32 = 6;
const HEADER_LENGTH: usize = 40;
const CHECKSUM_LENGTH: usize = 8;

/// What a checkpoint says about itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckpointHeader {
    /// Hash of the scene, to refuse going on with another one.
    pub scene_hash: u64,
    /// Frame at whose end it was written.
    pub frame: u32,
    /// Simulated time (s).
    pub time: f64,
}

/// A whole checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// What it says about itself.
    pub header: CheckpointHeader,
    /// The state, as core's snapshot made it.
    pub state: Vec<u8>,
}

/// What a folder of checkpoints holds.
#[derive(Debug)]
pub struct Newest {
    /// The newest whole checkpoint, if there is one.
    pub checkpoint: Option<Checkpoint>,
    /// Newer ones that cannot be used, newest first.
    pub skipped: Vec<SkippedCheckpoint>,
}

/// A checkpoint that cannot be used.
#[derive(Debug, Error)]
#[error("`{}` is skipped: {damage}", path.display())]
pub struct SkippedCheckpoint {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub damage: CheckpointDamage,
}

/// What is wrong with a checkpoint.
#[derive(Debug, Error)]
pub enum CheckpointDamage {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] FileError),
    /// It does not start like a checkpoint.
    #[error("it is not a checkpoint")]
    NotACheckpoint,
    /// Another version of the program wrote it.
    #[error("its format version is {found}, this program reads {VERSION}")]
    OtherVersion {
        /// Version in the file.
        found: u32,
    },
    /// Its length is not what it says.
    #[error("it has {found} bytes where it says {expected}")]
    WrongLength {
        /// Length it should have.
        expected: u64,
        /// Length it has.
        found: u64,
    },
    /// Its content is not what was written.
    #[error("its checksum does not match its content")]
    WrongChecksum,
}

/// Writes `checkpoint.NNNN.pliant` of the header's frame into a folder, created if necessary, then
/// removes all but the newest three up to this frame. Later ones belong to a future that is being
/// computed anew and are removed too.
///
/// # Errors
/// If the file cannot be written or an old one not removed; a failure to write leaves the old ones.
pub fn write(folder: &Path, header: &CheckpointHeader, state: &[u8]) -> Result<PathBuf, FileError> {
    create_folder(folder)?;
    let files = files(folder);
    let path = files.path(header.frame);
    let head = frame_head(header, state.len());
    let checksum = checksum_of(&head, state);
    write_file(&path, |out| {
        out.write_all(&head)?;
        out.write_all(state)?;
        out.write_all(&checksum.to_le_bytes())
    })?;
    files.remove_after(header.frame)?;
    let whole = files.list()?;
    for (_, old) in whole.iter().rev().skip(KEPT_COUNT) {
        crate::remove_file(old)?;
    }
    Ok(path)
}

/// The newest whole checkpoint of a folder, and what had to be skipped to find it.
///
/// # Errors
/// If the folder cannot be listed; one that does not exist holds no checkpoint.
pub fn newest_whole(folder: &Path) -> Result<Newest, FileError> {
    let mut skipped = Vec::new();
    for (_, path) in files(folder).list()?.into_iter().rev() {
        match read(&path) {
            Ok(checkpoint) => {
                return Ok(Newest {
                    checkpoint: Some(checkpoint),
                    skipped,
                });
            }
            Err(damage) => skipped.push(SkippedCheckpoint { path, damage }),
        }
    }
    Ok(Newest {
        checkpoint: None,
        skipped,
    })
}

/// Reads one checkpoint.
///
/// # Errors
/// If the file cannot be read or is damaged.
pub fn read(path: &Path) -> Result<Checkpoint, CheckpointDamage> {
    parse(read_bytes(path)?)
}

/// The files of a folder of checkpoints, to list or cut them.
pub fn files(folder: &Path) -> NumberedFiles {
    NumberedFiles::new(folder, "checkpoint", "pliant")
}

fn frame_head(header: &CheckpointHeader, length: usize) -> [u8; HEADER_LENGTH] {
    let mut head = [0; HEADER_LENGTH];
    head[..8].copy_from_slice(&MAGIC);
    head[8..12].copy_from_slice(&VERSION.to_le_bytes());
    head[12..16].copy_from_slice(&header.frame.to_le_bytes());
    head[16..24].copy_from_slice(&header.scene_hash.to_le_bytes());
    head[24..32].copy_from_slice(&header.time.to_le_bytes());
    head[32..].copy_from_slice(&(length as u64).to_le_bytes());
    head
}

/// Hash of the header with the state's hash behind it, so that the two need not be joined first.
fn checksum_of(head: &[u8; HEADER_LENGTH], state: &[u8]) -> u64 {
    let mut both = head.to_vec();
    both.extend_from_slice(&content_hash(state).to_le_bytes());
    content_hash(&both)
}

fn parse(mut bytes: Vec<u8>) -> Result<Checkpoint, CheckpointDamage> {
    let head = check_head(&bytes)?;
    let u64_at = |at: usize| u64::from_le_bytes(array_at(&bytes, at));
    let state_end = bytes.len() - CHECKSUM_LENGTH;
    if u64_at(state_end) != checksum_of(&head, &bytes[HEADER_LENGTH..state_end]) {
        return Err(CheckpointDamage::WrongChecksum);
    }
    let header = CheckpointHeader {
        scene_hash: u64_at(16),
        frame: u32::from_le_bytes(array_at(&bytes, 12)),
        time: f64::from_bits(u64_at(24)),
    };
    bytes.truncate(state_end);
    bytes.drain(..HEADER_LENGTH);
    Ok(Checkpoint {
        header,
        state: bytes,
    })
}

/// The header of a file with the right magic, version and length.
fn check_head(bytes: &[u8]) -> Result<[u8; HEADER_LENGTH], CheckpointDamage> {
    if !bytes.starts_with(&MAGIC) {
        return Err(CheckpointDamage::NotACheckpoint);
    }
    let found = bytes.len() as u64;
    let shortest = (HEADER_LENGTH + CHECKSUM_LENGTH) as u64;
    if found < shortest {
        return Err(CheckpointDamage::WrongLength {
            expected: shortest,
            found,
        });
    }
    let version = u32::from_le_bytes(array_at(bytes, 8));
    if version != VERSION {
        return Err(CheckpointDamage::OtherVersion { found: version });
    }
    let expected = u64::from_le_bytes(array_at(bytes, 32)).saturating_add(shortest);
    if expected != found {
        return Err(CheckpointDamage::WrongLength { expected, found });
    }
    Ok(array_at(bytes, 0))
}

/// The bytes from `at` on, zero where there are none.
fn array_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|i| bytes.get(at + i).copied().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::write_bytes;

    fn header(frame: u32) -> CheckpointHeader {
        CheckpointHeader {
            scene_hash: 0x1234_5678_9abc_def0,
            frame,
            time: f64::from(frame) / 24.0,
        }
    }

    fn framed(state: &[u8]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = write(folder.path(), &header(24), state).unwrap();
        read_bytes(&path).unwrap()
    }

    fn numbers(folder: &Path) -> Vec<u32> {
        let listed = files(folder).list().unwrap();
        listed.into_iter().map(|(number, _)| number).collect()
    }

    #[test]
    fn newest_three_are_kept() {
        let folder = tempfile::tempdir().unwrap();
        for frame in [24, 48, 72, 96] {
            write(folder.path(), &header(frame), &[frame as u8; 9]).unwrap();
        }
        assert_eq!(numbers(folder.path()), [48, 72, 96]);
        let newest = newest_whole(folder.path()).unwrap();
        let checkpoint = newest.checkpoint.unwrap();
        assert_eq!(checkpoint.header, header(96));
        assert_eq!(checkpoint.state, [96; 9]);
        assert!(newest.skipped.is_empty());
    }

    #[test]
    fn writing_an_earlier_checkpoint_removes_later_ones() {
        let folder = tempfile::tempdir().unwrap();
        for frame in [72, 96, 48] {
            write(folder.path(), &header(frame), b"state").unwrap();
        }
        assert_eq!(numbers(folder.path()), [48]);
    }

    #[test]
    fn damaged_checkpoints_are_skipped_and_reported() {
        let folder = tempfile::tempdir().unwrap();
        for frame in [24, 48, 72] {
            write(folder.path(), &header(frame), b"some state").unwrap();
        }
        let (cut, flipped) = (files(folder.path()).path(72), files(folder.path()).path(48));
        let whole = read_bytes(&cut).unwrap();
        write_bytes(&cut, &whole[..whole.len() - 3]).unwrap();
        let mut bytes = read_bytes(&flipped).unwrap();
        bytes[HEADER_LENGTH + 2] ^= 1;
        write_bytes(&flipped, &bytes).unwrap();

        let newest = newest_whole(folder.path()).unwrap();
        assert_eq!(newest.checkpoint.unwrap().header.frame, 24);
        let paths: Vec<_> = newest.skipped.iter().map(|s| s.path.clone()).collect();
        assert_eq!(paths, [cut, flipped]);
        assert!(matches!(
            newest.skipped[0].damage,
            CheckpointDamage::WrongLength { .. }
        ));
        assert!(matches!(
            newest.skipped[1].damage,
            CheckpointDamage::WrongChecksum
        ));
    }

    #[test]
    fn other_version_is_named() {
        let mut bytes = framed(b"state");
        bytes[8] = 9;
        let damage = parse(bytes).unwrap_err();
        assert!(damage.to_string().contains("version is 9"), "{damage}");
    }

    #[test]
    fn folder_without_checkpoints_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let newest = newest_whole(&folder.path().join("none")).unwrap();
        assert!(newest.checkpoint.is_none() && newest.skipped.is_empty());
    }

    #[test]
    fn every_truncation_is_noticed() {
        let bytes = framed(b"a state of some length");
        for end in 0..bytes.len() {
            assert!(parse(bytes[..end].to_vec()).is_err(), "cut to {end} bytes");
        }
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let bytes = framed(b"a state of some length");
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(parse(flipped).is_err(), "bit {bit}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(parse(bytes.clone()).is_err());
            let claimed = [&MAGIC[..], &VERSION.to_le_bytes(), &bytes].concat();
            prop_assert!(parse(claimed).is_err());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]
        #[test]
        fn state_comes_back_unchanged(state in prop::collection::vec(any::<u8>(), 0..2000)) {
            let checkpoint = parse(framed(&state)).unwrap();
            prop_assert_eq!(checkpoint.header, header(24));
            prop_assert_eq!(checkpoint.state, state);
        }
    }
}
