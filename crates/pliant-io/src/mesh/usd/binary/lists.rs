//! Lists and dictionaries of a file: what prims take from elsewhere, variants, clips.

use super::super::MeshProblem;
use super::super::clips::{Entry, SetOrder};
use super::super::layer::{Arc, TimeShift};
use super::tables::Tables;
use super::values::{Word, types, value};
use super::{Cursor, cut_off};

/// Which parts a list has, by bits of its first byte.
const IS_EXPLICIT: u8 = 1;
const EXPLICIT: u8 = 2;
const ADDED: u8 = 4;
const DELETED: u8 = 8;
const PREPENDED: u8 = 32;
const APPENDED: u8 = 64;

/// Which variants are taken, by their sets.
pub(super) fn selections(file: &Tables, word: u64) -> Result<Vec<(String, String)>, MeshProblem> {
    let word = Word::of(word);
    if word.kind != types::SELECTIONS || word.is_inlined {
        return Ok(Vec::new());
    }
    let mut cursor = word.cursor(file)?;
    let mut selections = Vec::new();
    for _ in 0..cursor.count()? {
        let [set, variant] = [cursor.u32()?, cursor.u32()?];
        selections.push((file.text(set)?.to_owned(), file.text(variant)?.to_owned()));
    }
    Ok(selections)
}

/// What references, payloads and inherited paths lead to.
pub(super) fn arcs(file: &Tables, word: u64) -> Result<Vec<Arc>, MeshProblem> {
    let word = Word::of(word);
    let mut cursor = word.cursor(file)?;
    let read: fn(&Tables, &mut Cursor) -> Result<Arc, MeshProblem> = match word.kind {
        types::PAYLOAD => return Ok(vec![payload(file, &mut cursor)?]),
        types::LIST_OF_PAYLOADS => payload,
        types::LIST_OF_REFERENCES => reference,
        types::LIST_OF_PATHS => |file, cursor| {
            Ok(Arc {
                prim: Some(file.whole_path(cursor.u32()?)?),
                ..Arc::default()
            })
        },
        _ => return Ok(Vec::new()),
    };
    list(file, &mut cursor, read)
}

/// Paths of prims that a list leads to; `None` if it only takes some away.
pub(super) fn targets(file: &Tables, word: u64) -> Result<Option<Vec<String>>, MeshProblem> {
    let paths: Vec<String> = arcs(file, word)?
        .into_iter()
        .filter_map(|arc| arc.prim)
        .collect();
    let word = Word::of(word);
    let is_told = match word.kind {
        types::LIST_OF_PATHS => {
            let [told] = word.cursor(file)?.array()?;
            told & IS_EXPLICIT != 0 || !paths.is_empty()
        }
        _ => false,
    };
    Ok(is_told.then_some(paths))
}

/// Whole numbers that a list adds.
pub(super) fn listed_numbers(file: &Tables, word: u64) -> Result<Vec<f64>, MeshProblem> {
    let word = Word::of(word);
    match word.kind {
        types::LIST_OF_LONG_INTEGERS => list(file, &mut word.cursor(file)?, |_, cursor| {
            Ok(cursor.u64()? as i64 as f64)
        }),
        _ => Ok(Vec::new()),
    }
}

/// What a list of names tells of the order of sets of clips.
pub(super) fn set_order(file: &Tables, word: u64) -> Result<Option<SetOrder>, MeshProblem> {
    let word = Word::of(word);
    if word.kind != types::LIST_OF_TEXTS {
        return Ok(None);
    }
    let mut cursor = word.cursor(file)?;
    let [told] = cursor.array()?;
    let mut names = |kind: u8| -> Result<Vec<String>, MeshProblem> {
        let mut names = Vec::new();
        if told & kind != 0 {
            for _ in 0..cursor.count()? {
                names.push(file.text(cursor.u32()?)?.to_owned());
            }
        }
        Ok(names)
    };
    let only = names(EXPLICIT)?;
    // All are there already.
    names(ADDED)?;
    Ok(Some(SetOrder {
        only: (told & IS_EXPLICIT != 0).then_some(only),
        first: names(PREPENDED)?,
        last: names(APPENDED)?,
        removed: names(DELETED)?,
    }))
}

/// Names with values, of which some are such again: so deep, and no deeper, as clips are told.
pub(super) fn dictionary(file: &Tables, word: u64) -> Result<Vec<(String, Entry)>, MeshProblem> {
    dictionary_at(file, Word::of(word), 0)
}

fn dictionary_at(
    file: &Tables,
    word: Word,
    depth: usize,
) -> Result<Vec<(String, Entry)>, MeshProblem> {
    /// Entries beyond which a file is taken to be damaged.
    const MOST: usize = 10_000;
    if word.kind != types::DICTIONARY || word.is_inlined {
        return Ok(Vec::new());
    }
    let mut cursor = word.cursor(file)?;
    let mut entries = Vec::new();
    let count = cursor.count()?;
    if count > MOST {
        return Err(cut_off());
    }
    for _ in 0..count {
        let key = file.text(cursor.u32()?)?.to_owned();
        cursor.jump()?;
        let word = cursor.u64()?;
        let entry = match Word::of(word) {
            inner if inner.kind == types::DICTIONARY && depth == 0 => {
                Entry::Dictionary(dictionary_at(file, inner, depth + 1)?)
            }
            _ => Entry::Value(value(file, word)?),
        };
        entries.push((key, entry));
    }
    Ok(entries)
}

/// What a list adds. Its first byte says which lists follow: explicit ones, added, prepended, appended, deleted,
/// ordered.
fn list<T>(
    file: &Tables,
    cursor: &mut Cursor,
    read: fn(&Tables, &mut Cursor) -> Result<T, MeshProblem>,
) -> Result<Vec<T>, MeshProblem> {
    let [told] = cursor.array()?;
    let mut added = Vec::new();
    for kind in [EXPLICIT, ADDED, PREPENDED, APPENDED] {
        if told & kind == 0 {
            continue;
        }
        for _ in 0..cursor.count()? {
            added.push(read(file, cursor)?);
        }
    }
    Ok(added)
}

fn reference(file: &Tables, cursor: &mut Cursor) -> Result<Arc, MeshProblem> {
    let arc = arc(file, cursor, true)?;
    // What else is told of it: names and values, which lie elsewhere.
    for _ in 0..cursor.count()? {
        cursor.u32()?;
        cursor.jump()?;
        cursor.u64()?;
    }
    Ok(arc)
}

fn payload(file: &Tables, cursor: &mut Cursor) -> Result<Arc, MeshProblem> {
    arc(file, cursor, file.version >= 8)
}

fn arc(file: &Tables, cursor: &mut Cursor, has_time: bool) -> Result<Arc, MeshProblem> {
    let path = file.text(cursor.u32()?)?.to_owned();
    let prim = file.whole_path(cursor.u32()?)?;
    let time = match has_time {
        true => TimeShift {
            offset: cursor.f64()?,
            scale: cursor.f64()?,
        },
        false => TimeShift::default(),
    };
    Ok(Arc {
        file: Some(path).filter(|path| !path.is_empty()),
        prim: Some(prim).filter(|prim| prim.len() > 1),
        time,
    })
}
