//! Sets of clips of which a prim that takes them from elsewhere tells more: other times, above all.

use std::rc::Rc;

use super::super::MeshProblem;
use super::super::layer::Prim;
use super::set::ClipSet;
use super::told::ToldSet;

/// Lets sets of a prim be as another one tells that takes it from elsewhere. What is used of what that tells is taken away.
///
/// * `told` — what it tells of sets of which it does not name the files; times are those of the prim, as for OpenUSD
///
/// # Errors
/// If a set cannot be so.
pub(in super::super) fn retime(
    prim: &mut Prim,
    told: &mut Vec<(String, ToldSet)>,
) -> Result<(), MeshProblem> {
    let mut unused = Vec::new();
    for (name, set) in told.drain(..) {
        let mut retiming = Retiming {
            name: &name,
            told: set.clone(),
            sets: Vec::new(),
        };
        retiming.walk(prim, "")?;
        if retiming.sets.is_empty() {
            unused.push((name, set));
        }
    }
    *told = unused;
    Ok(())
}

struct Retiming<'t> {
    name: &'t str,
    told: ToldSet,
    /// Sets, and what they become.
    sets: Vec<[Rc<ClipSet>; 2]>,
}

impl Retiming<'_> {
    /// * `path` — from the prim that has the sets
    fn walk(&mut self, prim: &mut Prim, path: &str) -> Result<(), MeshProblem> {
        let attributes = prim.attributes.iter_mut();
        for clips in attributes.filter_map(|(_, attribute)| attribute.clips.as_mut()) {
            if clips.set.is_at(self.name, path, &clips.wanted.prim) {
                clips.set = self.changed(&clips.set)?;
            }
        }
        for child in &mut prim.children {
            let path = format!("{path}/{}", child.name);
            self.walk(child, &path)?;
        }
        Ok(())
    }

    fn changed(&mut self, set: &Rc<ClipSet>) -> Result<Rc<ClipSet>, MeshProblem> {
        let mut known = self.sets.iter();
        if let Some([_, changed]) = known.find(|[own, _]| Rc::ptr_eq(own, set)) {
            return Ok(changed.clone());
        }
        let changed = Rc::new(set.changed(self.told.clone())?);
        self.sets.push([set.clone(), changed.clone()]);
        Ok(changed)
    }
}
