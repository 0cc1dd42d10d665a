//! Values of a text.

use super::super::MeshProblem;
use super::super::clips::Entry;
use super::super::layer::{Arc, TimeShift, Value};
use super::words::Words;

/// A value, its arrays and vectors laid out one number after the other.
pub(super) fn value(words: &mut Words) -> Result<Value, MeshProblem> {
    match words.peek() {
        Some(b'[' | b'(') => collection(words),
        Some(b'{') => {
            words.skip_brackets()?;
            Ok(Value::Other)
        }
        _ => match part(words)? {
            Part::Number(number) => Ok(Value::Numbers(vec![number])),
            Part::Text(text) => Ok(Value::Texts(vec![text])),
            Part::Nothing => Ok(Value::Blocked),
            Part::Other => Ok(Value::Other),
        },
    }
}

/// A value without brackets.
enum Part {
    Number(f64),
    Text(String),
    Nothing,
    Other,
}

fn part(words: &mut Words) -> Result<Part, MeshProblem> {
    if let Some(number) = words.number() {
        return Ok(Part::Number(number));
    }
    match words.peek() {
        Some(b'"' | b'\'') => words.quoted().map(Part::Text),
        Some(b'@' | b'<') => {
            arc(words)?;
            Ok(Part::Other)
        }
        _ => Ok(match words.name()? {
            "None" => Part::Nothing,
            "true" | "True" => Part::Number(1.0),
            "false" | "False" => Part::Number(0.0),
            "inf" => Part::Number(f64::INFINITY),
            "nan" => Part::Number(f64::NAN),
            word => Part::Text(word.to_owned()),
        }),
    }
}

/// What is between brackets, which may have brackets of their own.
fn collection(words: &mut Words) -> Result<Value, MeshProblem> {
    let (mut numbers, mut texts) = (Vec::new(), Vec::new());
    let mut depth = 0_usize;
    loop {
        match words.peek() {
            Some(b'[' | b'(') => {
                depth += 1;
                let bracket = words.peek().unwrap_or_default();
                words.expect(bracket)?;
            }
            Some(closing @ (b']' | b')')) => {
                words.expect(closing)?;
                depth -= 1;
            }
            Some(b',') => words.expect(b',')?,
            Some(b'{') => words.skip_brackets()?,
            None => return Err(words.wrong("a bracket is not closed")),
            Some(_) => match part(words)? {
                Part::Number(number) => numbers.push(number),
                Part::Text(text) => texts.push(text),
                Part::Nothing | Part::Other => {}
            },
        }
        if depth == 0 {
            break;
        }
    }
    Ok(match texts.is_empty() {
        true => Value::Numbers(numbers),
        false => Value::Texts(texts),
    })
}

/// One place to take something from, or several between brackets; `None` is none.
pub(super) fn arcs(words: &mut Words) -> Result<Vec<Arc>, MeshProblem> {
    if !words.accepts(b'[') {
        if words.next_name() == Some("None") {
            words.name()?;
            return Ok(Vec::new());
        }
        return Ok(vec![arc(words)?]);
    }
    let mut arcs = Vec::new();
    while !words.accepts(b']') {
        arcs.push(arc(words)?);
        words.accepts(b',');
    }
    Ok(arcs)
}

/// `@file@</path> (offset = 1; scale = 2)`, of which file or path may be left out.
fn arc(words: &mut Words) -> Result<Arc, MeshProblem> {
    let mut arc = Arc::default();
    let has_file = words.peek() == Some(b'@');
    if has_file {
        arc.file = Some(words.file()?).filter(|file| !file.is_empty());
    }
    if words.peek() == Some(b'<') {
        let path = words.between("<", ">")?;
        arc.prim = Some(path).filter(|path| path.len() > 1);
    } else if !has_file {
        return Err(words.wrong("a file or a path is missing"));
    }
    if words.accepts(b'(') {
        arc.time = time_shift(words)?;
    }
    Ok(arc)
}

fn time_shift(words: &mut Words) -> Result<TimeShift, MeshProblem> {
    let mut shift = TimeShift::default();
    while let Some((key, _)) = super::next_key(words)? {
        match (key, value(words)?) {
            ("offset", Value::Numbers(numbers)) if !numbers.is_empty() => shift.offset = numbers[0],
            ("scale", Value::Numbers(numbers)) if !numbers.is_empty() => shift.scale = numbers[0],
            _ => {}
        }
    }
    Ok(shift)
}

/// `{ string set = "variant" }`
pub(super) fn selections(words: &mut Words) -> Result<Vec<(String, String)>, MeshProblem> {
    let mut selections = Vec::new();
    words.expect(b'{')?;
    while !words.accepts(b'}') {
        words.name()?;
        let set = match words.peek() {
            Some(b'"' | b'\'') => words.quoted()?,
            _ => words.name()?.to_owned(),
        };
        words.expect(b'=')?;
        selections.push((set, words.quoted()?));
        words.accepts(b',');
    }
    Ok(selections)
}

/// `{ type name = value ... }`, in which values may be such again.
pub(super) fn dictionary(words: &mut Words) -> Result<Vec<(String, Entry)>, MeshProblem> {
    dictionary_at(words, 0)
}

fn dictionary_at(words: &mut Words, depth: usize) -> Result<Vec<(String, Entry)>, MeshProblem> {
    if depth > super::DEEPEST {
        return Err(words.wrong("dictionaries are nested too deep"));
    }
    let mut entries = Vec::new();
    words.expect(b'{')?;
    while !words.accepts(b'}') {
        let kind = words.name()?;
        if words.accepts(b'[') {
            words.expect(b']')?;
        }
        let key = match words.peek() {
            Some(b'"' | b'\'') => words.quoted()?,
            _ => words.name()?.to_owned(),
        };
        words.expect(b'=')?;
        let entry = match kind {
            "dictionary" => Entry::Dictionary(dictionary_at(words, depth + 1)?),
            "asset" => Entry::Value(Value::Texts(files(words)?)),
            _ => Entry::Value(value(words)?),
        };
        entries.push((key, entry));
        words.accepts(b',');
    }
    Ok(entries)
}

/// The path of a file, or several between brackets.
fn files(words: &mut Words) -> Result<Vec<String>, MeshProblem> {
    if !words.accepts(b'[') {
        return Ok(vec![words.file()?]);
    }
    let mut files = Vec::new();
    while !words.accepts(b']') {
        files.push(words.file()?);
        words.accepts(b',');
    }
    Ok(files)
}
