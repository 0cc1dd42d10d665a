//! Which attributes have their values from clips.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::super::MeshProblem;
use super::super::layer::{Attribute, Layer, Prim, TimeShift, VariantSet};
use super::super::source::Source;
use super::FromClips;
use super::library::Library;
use super::set::{ClipSet, Wanted};
use super::told::{SetOrder, ToldSet};
use crate::beside::Beside;

/// A step from a prim to one below it, or to a variant of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Child(String),
    Variant(String, String),
}

/// What the layers tell at a place, each by its number.
#[derive(Default)]
struct Told {
    sets: Vec<(usize, String, ToldSet)>,
    order: Option<SetOrder>,
}

/// Places at which clips are told.
type Places = BTreeMap<Vec<Step>, Told>;

/// Gives attributes of layers, the strongest first, what clips say of them: in the layer that names the files, where
/// that says nothing of their values itself. What layers tell of a set they tell together.
///
/// # Errors
/// If a set that names files is not complete, or a file of it cannot be read.
pub(in super::super) fn spread(
    stack: &mut [Layer],
    source: &Source,
    files: &Beside<'_>,
) -> Result<(), MeshProblem> {
    let library = Rc::new(Library::new(source));
    // Held, so that sets with the same one find it.
    let mut manifests = Vec::new();
    let mut places = Places::new();
    for (number, layer) in stack.iter_mut().enumerate() {
        for prim in &mut layer.prims {
            let mut steps = vec![Step::Child(prim.name.clone())];
            gather(prim, number, &mut steps, &mut places);
        }
    }
    for (steps, told) in places {
        let names: BTreeSet<String> = told.sets.iter().map(|(_, name, _)| name.clone()).collect();
        let names: Vec<String> = names.into_iter().collect();
        let names = match &told.order {
            Some(order) => order.of(&names),
            None => names,
        };
        for name in names {
            let own = told.sets.iter().filter(|(_, own, _)| *own == name);
            let own = own.map(|(number, _, set)| (*number, set));
            manifests.extend(add(stack, &steps, &name, own, (&library, files))?);
        }
    }
    Ok(())
}

/// Takes what a prim of a layer and those below it tell of clips.
fn gather(prim: &mut Prim, layer: usize, steps: &mut Vec<Step>, places: &mut Places) {
    let sets = std::mem::take(&mut prim.clips);
    let order = prim.clip_order.take();
    if !sets.is_empty() || order.is_some() {
        let told = places.entry(steps.clone()).or_default();
        let sets = sets.into_iter().map(|(name, set)| (layer, name, set));
        told.sets.extend(sets);
        told.order = told.order.take().or(order);
    }
    for child in &mut prim.children {
        steps.push(Step::Child(child.name.clone()));
        gather(child, layer, steps, places);
        steps.pop();
    }
    for set in &mut prim.variant_sets {
        for variant in &mut set.variants {
            steps.push(Step::Variant(set.name.clone(), variant.name.clone()));
            gather(variant, layer, steps, places);
            steps.pop();
        }
    }
}

/// Adds a set at a place.
///
/// * `told` — what layers tell of it, the strongest first
/// * `from` — where its files are
///
/// Returns the manifest if there is one.
fn add<'t>(
    stack: &mut [Layer],
    steps: &[Step],
    name: &str,
    told: impl Iterator<Item = (usize, &'t ToldSet)> + Clone,
    from: (&Rc<Library>, &Beside<'_>),
) -> Result<Option<Rc<Layer>>, MeshProblem> {
    let anchor = told.clone().find(|(_, set)| set.has_files());
    let strongest = told.clone().next().map_or(0, |(layer, _)| layer);
    let mut whole = told.fold(ToldSet::default(), |whole, (_, set)| whole.or(set.clone()));
    let Some((layer, anchor)) = anchor else {
        // The files may be told where the prim is taken from.
        let prim = prim_at(&mut stack[strongest].prims, steps);
        prim.clips.push((name.to_owned(), whole));
        return Ok(None);
    };
    whole.files.clone_from(&anchor.files);
    let manifest = whole.manifest.clone();
    let (library, files) = from;
    let set = Rc::new(ClipSet::new(name, &path(steps), whole, library)?);
    let manifest = manifest.map(|file| set.read(&file, files)).transpose()?;
    let generated = match &manifest {
        Some(_) => Vec::new(),
        None => declared(&set, files)?,
    };
    let prims = manifest.as_ref().map_or(&generated, |layer| &layer.prims);
    if let Some(declared) = Prim::below(prims, set.root()) {
        let prim = prim_at(&mut stack[layer].prims, steps);
        hang(prim, declared, set.root(), &set);
    }
    Ok(manifest)
}

/// What clips have samples of, where no manifest says it: all of them are read, one after the other.
fn declared(set: &ClipSet, files: &Beside<'_>) -> Result<Vec<Prim>, MeshProblem> {
    let mut declared = Vec::new();
    for file in set.files() {
        let mut prims = set.read(file, files)?.prims.clone();
        prims.iter_mut().for_each(declare);
        super::super::layer::join(&mut declared, prims);
    }
    Ok(declared)
}

/// Leaves of a prim that it has attributes with samples.
fn declare(prim: &mut Prim) {
    prim.attributes
        .retain(|(_, attribute)| !attribute.samples.is_empty());
    for (_, attribute) in &mut prim.attributes {
        let is_uniform = attribute.is_uniform;
        *attribute = Attribute {
            is_uniform,
            ..Attribute::default()
        };
    }
    prim.children.iter_mut().for_each(declare);
}

/// Lets attributes of a prim, and of those below it, have their values from a set, as far as a manifest has them.
///
/// * `path` — of the prim in the manifest
fn hang(prim: &mut Prim, manifest: &Prim, path: &str, set: &Rc<ClipSet>) {
    let varying = manifest.attributes.iter();
    for (name, declared) in varying.filter(|(_, attribute)| !attribute.is_uniform) {
        let own = prim.attribute_mut(name);
        if own.is_open() {
            own.clips = Some(FromClips {
                set: set.clone(),
                wanted: Wanted {
                    prim: path.to_owned(),
                    name: name.clone(),
                    default: declared.default.clone(),
                },
                shift: TimeShift::default(),
            });
        }
    }
    for child in &manifest.children {
        let path = format!("{}/{}", path.trim_end_matches('/'), child.name);
        hang(named(&mut prim.children, &child.name), child, &path, set);
    }
}

/// The prim at a place, which is made if it is not there.
fn prim_at<'p>(prims: &'p mut Vec<Prim>, steps: &[Step]) -> &'p mut Prim {
    let root = match steps.first() {
        Some(Step::Child(name)) => name.as_str(),
        _ => "",
    };
    let mut prim = named(prims, root);
    for step in steps.iter().skip(1) {
        prim = match step {
            Step::Child(name) => named(&mut prim.children, name),
            Step::Variant(set, variant) => {
                let sets = &mut prim.variant_sets;
                let known = sets.iter().position(|own| own.name == *set);
                let place = known.unwrap_or_else(|| {
                    sets.push(VariantSet {
                        name: set.clone(),
                        variants: Vec::new(),
                    });
                    sets.len() - 1
                });
                named(&mut sets[place].variants, variant)
            }
        };
    }
    prim
}

/// The prim of a name, which is made if it is not there.
fn named<'p>(prims: &'p mut Vec<Prim>, name: &str) -> &'p mut Prim {
    let known = prims.iter().position(|prim| prim.name == name);
    let place = known.unwrap_or_else(|| {
        prims.push(Prim {
            name: name.to_owned(),
            ..Prim::default()
        });
        prims.len() - 1
    });
    &mut prims[place]
}

/// A place as it is written, with the variants on the way: `/World{size=small}/ball`.
fn path(steps: &[Step]) -> String {
    let step = |step: &Step| match step {
        Step::Child(name) => format!("/{name}"),
        Step::Variant(set, variant) => format!("{{{set}={variant}}}"),
    };
    steps.iter().map(step).collect()
}
