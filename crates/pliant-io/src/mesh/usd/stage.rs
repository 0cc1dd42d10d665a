//! The tree of prims that layers make together: what each leaves open the next one says.

use std::collections::HashMap;
use std::rc::Rc;

use super::layer::{Arc, Head, Layer, Prim, Specifier, join};
use super::package::Package;
use super::{MeshProblem, binary, malformed, package, text};
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
}

/// Where a layer was read.
#[derive(Clone)]
struct Source {
    /// The package it lies in.
    package: Option<Rc<Package>>,
    /// Its path, from the file that was opened or within the package.
    path: String,
}

impl Source {
    /// A layer from the bytes of the file at a path, which tell what it is.
    fn of_bytes(bytes: &[u8], path: &str) -> Result<(Self, Layer), MeshProblem> {
        if !package::is_package(bytes) {
            let source = Self {
                package: None,
                path: path.to_owned(),
            };
            return Ok((source, parsed(bytes)?));
        }
        let package = Rc::new(Package::read(bytes)?);
        let (path, bytes) = package.first()?;
        let source = Self {
            package: Some(package.clone()),
            path: path.to_owned(),
        };
        Ok((source, parsed(bytes)?))
    }
}

fn parsed(bytes: &[u8]) -> Result<Layer, MeshProblem> {
    match binary::is_binary(bytes) {
        true => binary::read(bytes),
        false => text::read(bytes),
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

    /// A layer with what its sublayers say.
    fn joined(
        &mut self,
        mut layer: Layer,
        source: &Source,
        depth: usize,
    ) -> Result<Joined, MeshProblem> {
        for file in std::mem::take(&mut layer.sublayers) {
            self.count_arc(depth)?;
            let weaker = self.layer(&file, source, depth + 1)?;
            let mut prims = weaker.layer.prims.clone();
            // Paths within it count from it.
            let folder = folder(&file);
            prims.iter_mut().for_each(|prim| prefix_files(prim, folder));
            join(&mut layer.prims, prims);
            layer.head = layer.head.or(weaker.layer.head.clone());
        }
        Ok(Joined {
            layer,
            source: source.clone(),
        })
    }

    /// The layer of a file that another one names.
    fn layer(
        &mut self,
        file: &str,
        from: &Source,
        depth: usize,
    ) -> Result<Rc<Joined>, MeshProblem> {
        let path = beside(&from.path, file);
        let (source, layer) = match &from.package {
            Some(package) => {
                let bytes = package.entry(&path)?;
                let source = Source {
                    package: Some(package.clone()),
                    path,
                };
                (source, parsed(bytes)?)
            }
            None => {
                if let Some(known) = self.layers.get(&path) {
                    return Ok(known.clone());
                }
                Source::of_bytes(&self.beside.read(&path)?, &path)?
            }
        };
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

/// The folder of a path, with its last slash.
fn folder(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..=slash])
}

/// The path of a file that the file at `from` names.
fn beside(from: &str, file: &str) -> String {
    let file = file.strip_prefix("./").unwrap_or(file);
    let is_absolute = file.starts_with('/');
    let whole = match is_absolute {
        true => file.to_owned(),
        false => format!("{}{file}", folder(from)),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "." => {}
            ".." if parts
                .last()
                .is_some_and(|last| !last.is_empty() && *last != "..") =>
            {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
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
    let variants = prim.variant_sets.iter_mut();
    let variants = variants.flat_map(|set| &mut set.variants);
    for below in variants.chain(&mut prim.children) {
        prefix_files(below, folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_count_from_the_file_that_names_them() {
        assert_eq!(beside("", "./geo.usdc"), "geo.usdc");
        assert_eq!(beside("a/b.usda", "c.usda"), "a/c.usda");
        assert_eq!(beside("a/b.usda", "../c.usda"), "c.usda");
        assert_eq!(beside("b.usda", "../c.usda"), "../c.usda");
        assert_eq!(beside("a/b.usda", "/c.usda"), "/c.usda");
    }
}
