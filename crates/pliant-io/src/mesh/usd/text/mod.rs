//! Layers in the text form (`.usda`).
//!
//! | what | where |
//! | --- | --- |
//! | prims, their attributes and what they take from elsewhere | this page |
//! | values | `values` |
//! | words | `words` |

mod values;
mod words;

use super::clips::ToldSet;
use super::layer::{Arc, Attribute, Head, Held, Layer, Prim, Specifier, Value, VariantSet};
use super::relationships::Relationships;
use super::{MeshProblem, malformed};
use crate::formats::without_mark;
use values::{arcs, dictionary, selections, value};
use words::Words;

/// First bytes of a file.
const MAGIC: &[u8] = b"#usda";

/// Depth of the tree beyond which a file is taken to be damaged.
const DEEPEST: usize = 100;

/// Reads a layer.
///
/// # Errors
/// If the text does not follow the form.
pub(super) fn read(bytes: &[u8]) -> Result<Layer, MeshProblem> {
    let bytes = without_mark(bytes);
    if !bytes.starts_with(MAGIC) {
        return Err(malformed(
            "it begins neither as text (#usda) nor as the binary form (PXR-USDC) nor as a package of USD",
        ));
    }
    let mut words = Words::new(bytes);
    let mut layer = Layer::default();
    if words.accepts(b'(') {
        read_head(&mut words, &mut layer)?;
    }
    while words.peek().is_some() {
        match words.name()? {
            "reorder" => skip_order(&mut words)?,
            kind => {
                let prim = prim(&mut words, kind, 0)?;
                layer.prims.push(prim);
            }
        }
    }
    Ok(layer)
}

/// What the layer says of itself, up to the closing bracket.
fn read_head(words: &mut Words, layer: &mut Layer) -> Result<(), MeshProblem> {
    while let Some((key, _)) = next_key(words)? {
        match key {
            "subLayers" => {
                let files = arcs(words)?.into_iter();
                layer.sublayers = files.filter_map(|arc| arc.file).collect();
            }
            _ if Head::has(key) => layer.head.tell(key, &value(words)?),
            _ => {
                value(words)?;
            }
        }
    }
    Ok(())
}

/// How a list is changed.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    Set,
    Add,
    Append,
    Remove,
    Order,
}

impl Change {
    /// Whether it puts something into the list.
    fn adds(self) -> bool {
        !matches!(self, Self::Remove | Self::Order)
    }
}

/// The next key between round brackets, its value after it; `None` at their end. Texts without a key are comments.
fn next_key<'t>(words: &mut Words<'t>) -> Result<Option<(&'t str, Change)>, MeshProblem> {
    loop {
        if words.accepts(b')') {
            return Ok(None);
        }
        if matches!(words.peek(), Some(b'"' | b'\'')) {
            words.quoted()?;
            continue;
        }
        let first = words.name()?;
        let change = change(first);
        let key = match change {
            Some(_) => words.name()?,
            None => first,
        };
        words.expect(b'=')?;
        return Ok(Some((key, change.unwrap_or(Change::Set))));
    }
}

fn change(word: &str) -> Option<Change> {
    match word {
        "add" | "prepend" => Some(Change::Add),
        "append" => Some(Change::Append),
        "delete" => Some(Change::Remove),
        "reorder" => Some(Change::Order),
        _ => None,
    }
}

/// A prim after the word that begins it.
fn prim(words: &mut Words, kind: &str, depth: usize) -> Result<Prim, MeshProblem> {
    let specifier = match kind {
        "def" => Specifier::Def,
        "over" => Specifier::Over,
        "class" => Specifier::Class,
        other => return Err(words.wrong(&format!("`{other}` begins no prim"))),
    };
    let type_name = match words.peek() {
        Some(b'"' | b'\'') => None,
        _ => Some(words.name()?.to_owned()),
    };
    let mut prim = Prim {
        name: words.quoted()?,
        specifier,
        type_name,
        ..Prim::default()
    };
    read_prim(words, &mut prim, depth)?;
    Ok(prim)
}

/// What a prim or a variant says, from the brackets after its name on.
fn read_prim(words: &mut Words, prim: &mut Prim, depth: usize) -> Result<(), MeshProblem> {
    if depth > DEEPEST {
        return Err(words.wrong("prims are nested too deep"));
    }
    if words.accepts(b'(') {
        while let Some((key, change)) = next_key(words)? {
            read_key(words, prim, key, change)?;
        }
    }
    words.expect(b'{')?;
    while !words.accepts(b'}') {
        match words.next_name() {
            Some(kind @ ("def" | "over" | "class")) => {
                words.name()?;
                let child = self::prim(words, kind, depth + 1)?;
                prim.children.push(child);
            }
            Some("variantSet") => {
                words.name()?;
                let set = variant_set(words, depth)?;
                prim.variant_sets.push(set);
            }
            Some("reorder") => {
                words.name()?;
                skip_order(words)?;
            }
            _ => read_property(words, prim)?,
        }
    }
    Ok(())
}

/// A key of a prim.
fn read_key(
    words: &mut Words,
    prim: &mut Prim,
    key: &str,
    change: Change,
) -> Result<(), MeshProblem> {
    let list: Option<&mut Vec<Arc>> = match key {
        "references" => Some(&mut prim.references),
        "payload" => Some(&mut prim.payloads),
        "inherits" => Some(&mut prim.inherits),
        "specializes" => Some(&mut prim.specializes),
        _ => None,
    };
    match (list, key) {
        (Some(list), _) => {
            let arcs = arcs(words)?;
            match change {
                Change::Set => *list = arcs,
                Change::Add | Change::Append => list.extend(arcs),
                Change::Remove | Change::Order => {}
            }
        }
        (None, "variants") => prim.selections = selections(words)?,
        (None, "instanceable") => {
            prim.is_instanceable = Some(value(words)? != Value::Numbers(vec![0.0]));
        }
        (None, "inactiveIds") => {
            let value = value(words)?;
            if let (Value::Numbers(ids), true) = (value, change.adds()) {
                prim.inactive_ids.extend(ids);
            }
        }
        (None, "clips") => prim.clips = ToldSet::all(dictionary(words)?)?,
        (None, "clipSets") => {
            if let Value::Texts(names) = value(words)? {
                let order = prim.clip_order.get_or_insert_default();
                match change {
                    Change::Set => order.only = Some(names),
                    Change::Add => order.first = names,
                    Change::Append => order.last = names,
                    Change::Remove => order.removed = names,
                    Change::Order => {}
                }
            }
        }
        (None, "active") => prim.is_active = Some(value(words)? != Value::Numbers(vec![0.0])),
        _ => {
            value(words)?;
        }
    }
    Ok(())
}

/// `variantSet "name" = { "first" { ... } "second" { ... } }`, from the name on.
fn variant_set(words: &mut Words, depth: usize) -> Result<VariantSet, MeshProblem> {
    let mut set = VariantSet {
        name: words.quoted()?,
        ..VariantSet::default()
    };
    words.expect(b'=')?;
    words.expect(b'{')?;
    while !words.accepts(b'}') {
        let mut variant = Prim {
            name: words.quoted()?,
            ..Prim::default()
        };
        read_prim(words, &mut variant, depth + 1)?;
        set.variants.push(variant);
    }
    Ok(set)
}

/// `reorder nameChildren = [...]`, from the name on.
fn skip_order(words: &mut Words) -> Result<(), MeshProblem> {
    words.name()?;
    words.expect(b'=')?;
    words.skip_brackets()
}

/// An attribute or a relationship.
fn read_property(words: &mut Words, prim: &mut Prim) -> Result<(), MeshProblem> {
    let mut word = words.name()?;
    let (mut is_added, mut is_uniform) = (true, false);
    while change(word).is_some() || matches!(word, "custom" | "uniform" | "varying" | "config") {
        is_added &= change(word).is_none_or(Change::adds);
        is_uniform |= word == "uniform";
        word = words.name()?;
    }
    if words.accepts(b'[') {
        words.expect(b']')?;
    }
    let full = words.name()?;
    let (name, part) = full.split_once('.').unwrap_or((full, ""));
    if word != "rel" {
        // It may be declared alone.
        prim.attribute_mut(name).is_uniform |= is_uniform;
    }
    if words.accepts(b'=') {
        let is_wanted = word != "rel";
        match part {
            "timeSamples" if is_wanted => {
                let samples = samples(words)?;
                prim.attribute_mut(name).samples = samples;
            }
            "" if is_wanted => {
                let value = value(words)?;
                prim.attribute_mut(name).default = Some(Held::of(value));
            }
            "spline" => words.skip_brackets()?,
            "" if Relationships::has(name) => {
                let paths = arcs(words)?.into_iter().filter_map(|arc| arc.prim);
                if is_added {
                    prim.relationships.add(name, paths);
                }
            }
            _ => {
                value(words)?;
            }
        }
    }
    if words.accepts(b'(') {
        let mut of_relationship = Attribute::default();
        let attribute = match word {
            "rel" => &mut of_relationship,
            _ => prim.attribute_mut(name),
        };
        read_keys(words, attribute)?;
    }
    Ok(())
}

/// What is told of an attribute, up to the closing bracket.
fn read_keys(words: &mut Words, attribute: &mut Attribute) -> Result<(), MeshProblem> {
    while let Some((key, _)) = next_key(words)? {
        match (key, value(words)?) {
            ("interpolation", Value::Texts(texts)) => {
                attribute.interpolation = texts.into_iter().next();
            }
            ("elementSize", Value::Numbers(numbers)) => {
                attribute.element_size = numbers.first().copied();
            }
            ("weight", Value::Numbers(numbers)) => attribute.weight = numbers.first().copied(),
            _ => {}
        }
    }
    Ok(())
}

/// `{ 1: value, 2: value, }`, in rising order of times.
fn samples(words: &mut Words) -> Result<Vec<(f64, Held)>, MeshProblem> {
    words.expect(b'{')?;
    let mut samples = Vec::new();
    while !words.accepts(b'}') {
        let time = words.number();
        let time = time.ok_or_else(|| words.wrong("a time is missing"))?;
        words.expect(b':')?;
        samples.push((time, Held::of(value(words)?)));
        words.accepts(b',');
    }
    samples.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    Ok(samples)
}
