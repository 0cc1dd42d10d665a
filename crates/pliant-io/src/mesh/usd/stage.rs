//! The tree of prims that layers make together: what each leaves open the next one says.

use std::collections::HashMap;
use std::rc::Rc;

use super::clips;
use super::layer::{Arc, Head, Layer, Prim, Specifier, join};
use super::moment::Moment;
use super::source::{Source, beside, folder};
use super::{MeshProblem, malformed};
use crate::beside::Beside;

/// How often a file may take something from elsewhere; beyond it, it is taken to be circular.
const MOST_ARCS: usize = 10_000;

/// Depth of the tree, and of what is taken from what is taken, beyond which a file is taken to be circular.
const DEEPEST: usize = 150;

/// Prims beyond which a file is taken to be damaged.
const MOST_PRIMS: usize = 4_000_000;

/// What files say together.
pub(super) struct Stage {
    pub(super) head: Head,
    pub(super) prims: Vec<Prim>,
}

impl Stage {
    /// Reads a file and those that it takes from.
    ///
    /// # Errors
    /// If one of them cannot be read, or takes from what is not there.
    pub(super) fn open(bytes: &[u8], beside: &Beside<'_>) -> Result<Self, MeshProblem> {
        let mut reader = Reader {
            beside,
            layers: HashMap::new(),
            sublayers: HashMap::new(),
            arcs: 0,
            prims: 0,
        };
        let (source, layer) = Source::of_bytes(bytes, "")?;
        let root = Rc::new(reader.joined(layer, &source, 0)?);
        let prims = root.layer.prims.iter();
        let prims: Result<Vec<_>, _> = prims
            .map(|prim| {
                let path = format!("/{}", prim.name);
                reader.composed((prim.clone(), &path), &root, &[], 0)
            })
            .collect();
        Ok(Self {
            head: root.layer.head.clone(),
            prims: prims?,
        })
    }

    /// Takes from clips what they say around a time.
    ///
    /// # Errors
    /// If a clip cannot be read.
    pub(super) fn look_at(
        &mut self,
        moment: Moment,
        files: &Beside<'_>,
    ) -> Result<(), MeshProblem> {
        let mut prims = self.prims.iter_mut();
        prims.try_for_each(|prim| clips::look_at(prim, moment, files))
    }
}

/// A layer with its sublayers.
struct Joined {
    layer: Layer,
    source: Source,
}

struct Reader<'a> {
    beside: &'a Beside<'a>,
    /// Layers that were read, by their paths.
    layers: HashMap<String, Rc<Joined>>,
    /// The same of sublayers, each by itself.
    sublayers: HashMap<String, (Source, Layer)>,
    arcs: usize,
    prims: usize,
}

impl Reader<'_> {
    /// Counts what is taken from elsewhere.
    fn count_arc(&mut self, depth: usize) -> Result<(), MeshProblem> {
        self.arcs += 1;
        match depth > DEEPEST || self.arcs > MOST_ARCS {
            true => Err(malformed(
                "what it refers to forms a circle or is nested too deep",
            )),
            false => Ok(()),
        }
    }

    /// A layer with what its sublayers say, and with what clips do.
    fn joined(
        &mut self,
        layer: Layer,
        source: &Source,
        depth: usize,
    ) -> Result<Joined, MeshProblem> {
        let mut stack = self.stack(layer, source, depth)?;
        clips::spread(&mut stack, source, self.beside)?;
        let mut stack = stack.into_iter();
        let mut layer = stack.next().unwrap_or_default();
        for weaker in stack {
            join(&mut layer.prims, weaker.prims);
            layer.head = layer.head.or(weaker.head);
        }
        Ok(Joined {
            layer,
            source: source.clone(),
        })
    }

    /// A layer and its sublayers, the strongest first, each as it was read.
    fn stack(
        &mut self,
        mut layer: Layer,
        source: &Source,
        depth: usize,
    ) -> Result<Vec<Layer>, MeshProblem> {
        let sublayers = std::mem::take(&mut layer.sublayers);
        let mut stack = vec![layer];
        for file in sublayers {
            self.count_arc(depth)?;
            let (source, layer) = self.sublayer(&file, source)?;
            let weaker = self.stack(layer, &source, depth + 1)?;
            stack.extend(weaker.into_iter().map(|mut layer| {
                // Paths within it count from it.
                let folder = folder(&file);
                let prims = layer.prims.iter_mut();
                prims.for_each(|prim| prefix_files(prim, folder));
                layer
            }));
        }
        Ok(stack)
    }

    /// The layer that another one names as below it, by itself.
    fn sublayer(&mut self, file: &str, from: &Source) -> Result<(Source, Layer), MeshProblem> {
        if from.package.is_some() {
            return from.open(file, self.beside);
        }
        let path = beside(&from.path, file);
        if let Some(known) = self.sublayers.get(&path) {
            return Ok(known.clone());
        }
        let read = from.open(file, self.beside)?;
        self.sublayers.insert(path, read.clone());
        Ok(read)
    }

    /// The layer of a file that another one names.
    fn layer(
        &mut self,
        file: &str,
        from: &Source,
        depth: usize,
    ) -> Result<Rc<Joined>, MeshProblem> {
        let path = beside(&from.path, file);
        let is_packed = from.package.is_some();
        if let (false, Some(known)) = (is_packed, self.layers.get(&path)) {
            return Ok(known.clone());
        }
        let (source, layer) = from.open(file, self.beside)?;
        let joined = Rc::new(self.joined(layer, &source, depth)?);
        if source.package.is_none() {
            self.layers.insert(source.path, joined.clone());
        }
        Ok(joined)
    }

    /// A prim with all that it takes from elsewhere, strongest first: what it inherits, its variants, references,
    /// payloads, what it specializes (OpenUSD, "LIVRPS strength ordering").
    ///
    /// * `at` — with its path
    fn composed(
        &mut self,
        at: (Prim, &str),
        layer: &Rc<Joined>,
        selections: &[(String, String)],
        depth: usize,
    ) -> Result<Prim, MeshProblem> {
        let (mut prim, path) = at;
        self.prims += 1;
        if self.prims > MOST_PRIMS {
            return Err(malformed("it has more prims than can be"));
        }
        if prim.is_instanceable == Some(true) && prim.has_arcs() {
            prim.children.clear();
        }
        let selections = [selections, &prim.selections[..]].concat();
        for arc in std::mem::take(&mut prim.inherits) {
            self.take((&mut prim, path), &arc, layer, &selections, depth)?;
        }
        select_variants(&mut prim, &selections);
        for arc in std::mem::take(&mut prim.references) {
            self.take((&mut prim, path), &arc, layer, &selections, depth)?;
        }
        for arc in std::mem::take(&mut prim.payloads) {
            self.take((&mut prim, path), &arc, layer, &selections, depth)?;
        }
        for arc in std::mem::take(&mut prim.specializes) {
            self.take((&mut prim, path), &arc, layer, &selections, depth)?;
        }
        if let Some((name, _)) = prim.clips.first() {
            return Err(malformed(format!(
                "the clip set `{name}` of {path} names no files; write assetPaths or templateAssetPath into it"
            )));
        }
        let children = std::mem::take(&mut prim.children).into_iter();
        let children = children.map(|child| {
            let path = format!("{path}/{}", child.name);
            self.composed((child, &path), layer, &[], depth + 1)
        });
        prim.children = children.collect::<Result<_, _>>()?;
        Ok(prim)
    }

    /// Takes what an arc of a layer leads to.
    ///
    /// * `into` — the prim that takes it, with its path
    fn take(
        &mut self,
        into: (&mut Prim, &str),
        arc: &Arc,
        layer: &Rc<Joined>,
        selections: &[(String, String)],
        depth: usize,
    ) -> Result<(), MeshProblem> {
        self.count_arc(depth)?;
        let (prim, own_path) = into;
        let other = match &arc.file {
            Some(file) => self.layer(file, &layer.source, depth + 1)?,
            None => layer.clone(),
        };
        let file = arc.file.as_deref().unwrap_or("the layer itself");
        let default = other.layer.head.default_prim.as_deref();
        let path = arc.prim.as_deref().or(default);
        let path =
            path.ok_or_else(|| malformed(format!("{file} has no default prim to refer to")))?;
        let target = Prim::below(&other.layer.prims, path).cloned();
        let target = target.ok_or_else(|| {
            malformed(format!(
                "/{} refers to {path} of {file}, which is not there",
                prim.name
            ))
        })?;
        let path = format!("/{}", path.trim_matches('/'));
        let mut target = self.composed((target, &path), &other, selections, depth + 1)?;
        clips::retime(&mut target, &mut prim.clips)?;
        target.shift_times(arc.time);
        target.redirect(&path, own_path);
        if target.specifier == Specifier::Class {
            target.specifier = Specifier::Over;
        }
        prim.take_from(target);
        Ok(())
    }
}

/// Takes what the selected variants say.
fn select_variants(prim: &mut Prim, selections: &[(String, String)]) {
    for set in std::mem::take(&mut prim.variant_sets) {
        let selected = selections.iter().find(|(name, _)| *name == set.name);
        let Some((_, selected)) = selected else {
            continue;
        };
        let mut variants = set.variants.into_iter();
        if let Some(variant) = variants.find(|variant| variant.name == *selected) {
            prim.take_from(variant);
            // A variant may have sets of variants of its own.
            select_variants(prim, selections);
        }
    }
}

/// Makes the files that a prim names count from another folder.
fn prefix_files(prim: &mut Prim, folder: &str) {
    if folder.is_empty() {
        return;
    }
    let arcs = [&mut prim.references, &mut prim.payloads];
    for file in arcs
        .into_iter()
        .flatten()
        .filter_map(|arc| arc.file.as_mut())
    {
        *file = beside(folder, file);
    }
    for (_, set) in &mut prim.clips {
        let files = set.named_files();
        files.for_each(|file| *file = beside(folder, file));
    }
    let variants = prim.variant_sets.iter_mut();
    let variants = variants.flat_map(|set| &mut set.variants);
    for below in variants.chain(&mut prim.children) {
        prefix_files(below, folder);
    }
}
