//! The tree of prims, from the specs of a file.

use std::collections::HashMap;
use std::rc::Rc;

use super::super::MeshProblem;
use super::super::clips::ToldSet;
use super::super::layer::{Attribute, Head, Held, Layer, Prim, Specifier, Value, VariantSet};
use super::super::relationships::Relationships;
use super::tables::{Spec, Tables};
use super::{Stored, cut_off, lists, values};

/// What there is at a path (OpenUSD, `SdfSpecType`).
mod kinds {
    pub(super) const ATTRIBUTE: i32 = 1;
    pub(super) const PRIM: i32 = 6;
    pub(super) const ROOT: i32 = 7;
    pub(super) const RELATIONSHIP: i32 = 8;
    pub(super) const VARIANT: i32 = 10;
}

/// Of an attribute that never changes with time (OpenUSD, `SdfVariability`).
const UNIFORM: u32 = 1;

/// Depth of the tree beyond which it is taken to be damaged.
const DEEPEST: usize = 100;

/// Reads the layer of a file.
pub(super) fn layer(file: &Rc<Tables>) -> Result<Layer, MeshProblem> {
    let mut below = vec![Vec::new(); file.paths.len()];
    let mut root = None;
    for spec in &file.specs {
        match file.path(spec.path)?.above {
            Some(above) => below
                .get_mut(above as usize)
                .ok_or_else(cut_off)?
                .push(*spec),
            None if spec.kind == kinds::ROOT => root = Some(*spec),
            None => {}
        }
    }
    let tree = Tree { file, below };
    let root = root.ok_or_else(cut_off)?;
    let mut layer = Layer::default();
    let mut order = Vec::new();
    for field in file.fields_of(&root) {
        let (name, word) = field?;
        match name {
            "subLayers" => layer.sublayers = texts(values::value(file, word)?),
            "primChildren" => order = texts(values::value(file, word)?),
            _ if Head::has(name) => layer.head.tell(name, &values::value(file, word)?),
            _ => {}
        }
    }
    let mut prim = Prim::default();
    tree.add_below(&mut prim, &root, order, 0)?;
    layer.prims = prim.children;
    Ok(layer)
}

struct Tree<'f> {
    file: &'f Rc<Tables>,
    /// For each path the specs right below it.
    below: Vec<Vec<Spec>>,
}

impl Tree<'_> {
    /// Adds what is below a spec to its prim, prims in their order.
    fn add_below(
        &self,
        prim: &mut Prim,
        spec: &Spec,
        order: Vec<String>,
        depth: usize,
    ) -> Result<(), MeshProblem> {
        if depth > DEEPEST {
            return Err(cut_off());
        }
        for below in &self.below[spec.path as usize] {
            let name = &self.file.path(below.path)?.name;
            match below.kind {
                kinds::ATTRIBUTE => {
                    let attribute = self.attribute(below)?;
                    prim.attributes.push((name.clone(), attribute));
                }
                kinds::RELATIONSHIP if Relationships::has(name) => {
                    if let Some(paths) = self.targets(below)? {
                        prim.relationships.add(name, paths);
                    }
                }
                kinds::PRIM => prim.children.push(self.prim(below, name, depth)?),
                kinds::VARIANT => {
                    let inner = name.strip_prefix('{').and_then(|n| n.strip_suffix('}'));
                    let parts = inner.and_then(|inner| inner.split_once('='));
                    let (set, variant) = parts.ok_or_else(cut_off)?;
                    let variant = self.prim(below, variant, depth)?;
                    match prim.variant_sets.iter_mut().find(|own| own.name == set) {
                        Some(own) => own.variants.push(variant),
                        None => prim.variant_sets.push(VariantSet {
                            name: set.to_owned(),
                            variants: vec![variant],
                        }),
                    }
                }
                _ => {}
            }
        }
        let order = order.into_iter().zip(0..);
        let places: HashMap<String, usize> = order.collect();
        let place = |child: &Prim| places.get(&child.name).copied().unwrap_or(usize::MAX);
        prim.children.sort_by_cached_key(place);
        Ok(())
    }

    fn prim(&self, spec: &Spec, name: &str, depth: usize) -> Result<Prim, MeshProblem> {
        let file = self.file;
        let mut prim = Prim {
            name: name.to_owned(),
            ..Prim::default()
        };
        let mut order = Vec::new();
        for field in file.fields_of(spec) {
            let (name, word) = field?;
            match name {
                "specifier" => {
                    prim.specifier = match word as u32 {
                        0 => Specifier::Def,
                        1 => Specifier::Over,
                        _ => Specifier::Class,
                    }
                }
                "typeName" => prim.type_name = texts(values::value(file, word)?).pop(),
                "active" => {
                    prim.is_active = Some(values::value(file, word)? != Value::Numbers(vec![0.0]))
                }
                "instanceable" => {
                    let value = values::value(file, word)?;
                    prim.is_instanceable = Some(value != Value::Numbers(vec![0.0]));
                }
                "inactiveIds" => prim.inactive_ids = lists::listed_numbers(file, word)?,
                "primChildren" => order = texts(values::value(file, word)?),
                "clips" => prim.clips = ToldSet::all(lists::dictionary(file, word)?)?,
                "clipSets" => prim.clip_order = lists::set_order(file, word)?,
                "references" => prim.references = lists::arcs(file, word)?,
                "payload" => prim.payloads = lists::arcs(file, word)?,
                "inheritPaths" => prim.inherits = lists::arcs(file, word)?,
                "specializes" => prim.specializes = lists::arcs(file, word)?,
                "variantSelection" => prim.selections = lists::selections(file, word)?,
                _ => {}
            }
        }
        self.add_below(&mut prim, spec, order, depth + 1)?;
        Ok(prim)
    }

    /// Paths of the prims that a relationship leads to; `None` if nothing is said of it.
    fn targets(&self, spec: &Spec) -> Result<Option<Vec<String>>, MeshProblem> {
        for field in self.file.fields_of(spec) {
            if let ("targetPaths", word) = field? {
                return lists::targets(self.file, word);
            }
        }
        Ok(None)
    }

    fn attribute(&self, spec: &Spec) -> Result<Attribute, MeshProblem> {
        let held = |word| {
            let file = self.file.clone();
            Held::Stored(Stored { file, word })
        };
        let mut attribute = Attribute::default();
        for field in self.file.fields_of(spec) {
            match field? {
                ("variability", word) => attribute.is_uniform = word as u32 == UNIFORM,
                ("default", word) => attribute.default = Some(held(word)),
                ("interpolation", word) => {
                    attribute.interpolation = texts(values::value(self.file, word)?).pop();
                }
                ("elementSize", word) => attribute.element_size = number(self.file, word)?,
                ("weight", word) => attribute.weight = number(self.file, word)?,
                ("timeSamples", word) => {
                    let samples = values::samples(self.file, word)?.into_iter();
                    attribute.samples = samples.map(|(time, word)| (time, held(word))).collect();
                }
                _ => {}
            }
        }
        Ok(attribute)
    }
}

fn number(file: &Tables, word: u64) -> Result<Option<f64>, MeshProblem> {
    Ok(match values::value(file, word)? {
        Value::Numbers(numbers) => numbers.first().copied(),
        _ => None,
    })
}

fn texts(value: Value) -> Vec<String> {
    match value {
        Value::Texts(texts) => texts,
        _ => Vec::new(),
    }
}
