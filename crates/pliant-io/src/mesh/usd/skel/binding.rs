//! What binds meshes to skeletons.

use super::super::MeshProblem;
use super::super::layer::{Attribute, Prim};
use super::super::malformed;
use super::values::absolute;

pub(super) const INDICES: &str = "primvars:skel:jointIndices";
pub(super) const WEIGHTS: &str = "primvars:skel:jointWeights";
pub(super) const GEOM_BIND: &str = "primvars:skel:geomBindTransform";
pub(super) const METHOD: &str = "primvars:skel:skinningMethod";
pub(super) const ORDER: &str = "skel:joints";
const SKELETON: &str = "skel:skeleton";
const ANIMATION: &str = "skel:animationSource";

/// What prims below a SkelRoot say of skinning, each of it handed down to those below (OpenUSD, `UsdSkelBindingAPI`).
/// It counts without that schema applied too, as for OpenUSD before it became one.
#[derive(Clone, Default)]
pub(in super::super) struct Binding<'s> {
    is_below_root: bool,
    /// Path of the skeleton.
    pub(super) skeleton: Option<String>,
    pub(super) indices: Option<&'s Attribute>,
    pub(super) weights: Option<&'s Attribute>,
    pub(super) geom_bind: Option<&'s Attribute>,
    pub(super) method: Option<&'s Attribute>,
    /// The joints that indices count.
    pub(super) order: Option<&'s Attribute>,
}

impl<'s> Binding<'s> {
    /// What holds for a prim, from what holds for the one above.
    ///
    /// # Errors
    /// If it is bound to several skeletons.
    pub(in super::super) fn below(&self, prim: &'s Prim, path: &str) -> Result<Self, MeshProblem> {
        let is_root = prim.type_name.as_deref() == Some("SkelRoot");
        if !is_root && !self.is_below_root {
            return check_outside(prim, path).map(|()| Self::default());
        }
        let told = |name| told(prim, name);
        let skeleton = match target(prim, path, SKELETON)? {
            Some(target) => target,
            None => self.skeleton.clone(),
        };
        Ok(Self {
            is_below_root: true,
            skeleton,
            indices: told(INDICES).or(self.indices),
            weights: told(WEIGHTS).or(self.weights),
            geom_bind: told(GEOM_BIND).or(self.geom_bind),
            method: told(METHOD).or(self.method),
            order: told(ORDER).or(self.order),
        })
    }
}

/// An attribute, if something is said of its value.
fn told<'p>(prim: &'p Prim, name: &str) -> Option<&'p Attribute> {
    prim.attribute(name).filter(|own| !own.is_open())
}

/// Meshes that are bound lie below a SkelRoot: nothing else is skinned.
fn check_outside(prim: &Prim, path: &str) -> Result<(), MeshProblem> {
    let is_bound = prim.type_name.as_deref() == Some("Mesh") && told(prim, INDICES).is_some();
    match is_bound {
        true => Err(malformed(format!(
            "the Mesh {path} has {INDICES}, but lies below no SkelRoot, so that OpenUSD does not skin it; make the prim \
             above it and its skeleton a SkelRoot, or export it without its skeleton"
        ))),
        false => Ok(()),
    }
}

/// Path of the animation of a skeleton, if it has one: what the skeleton says, or else the nearest prim above it.
///
/// # Errors
/// If it has several.
pub(super) fn animation_of(prims: &[Prim], skeleton: &str) -> Result<Option<String>, MeshProblem> {
    let (mut here, mut nearest) = (String::new(), None);
    for prim in Prim::along(prims, skeleton).unwrap_or_default() {
        here = format!("{here}/{}", prim.name);
        if let Some(told) = target(prim, &here, ANIMATION)? {
            nearest = told;
        }
    }
    Ok(nearest)
}

/// The path that a relationship leads to, if it leads to one; `None` if nothing is said of it.
fn target(prim: &Prim, path: &str, name: &str) -> Result<Option<Option<String>>, MeshProblem> {
    match prim.relationships.targets(name) {
        None => Ok(None),
        Some([]) => Ok(Some(None)),
        Some([target]) => Ok(Some(Some(absolute(target, path)))),
        Some(targets) => Err(malformed(format!(
            "`{name}` of {path} leads to {} prims, where one would be right: {}",
            targets.len(),
            targets.join(", ")
        ))),
    }
}
