//! Skeletons: joints in a tree, where they are at rest, and where they were when meshes were bound to them.

use std::collections::HashMap;

use super::super::place::undone;
use super::super::{MeshProblem, Transform};
use super::animation::Animation;
use super::values::Subject;

/// A skeleton (OpenUSD, `UsdSkelSkeleton`).
pub(super) struct Skeleton {
    /// Their paths, each after those above it.
    pub(super) joints: Vec<String>,
    /// For each the joint above it.
    parents: Vec<Option<usize>>,
    /// From where each was when meshes were bound to the joint itself.
    inverse_binds: Vec<Transform>,
    /// Seen from the joints above.
    rest: Option<Vec<Transform>>,
}

impl Skeleton {
    /// # Errors
    /// If joints come before those above them or twice, or there are transforms for another number of joints.
    pub(super) fn read(subject: &Subject<'_>) -> Result<Self, MeshProblem> {
        let joints = subject.names("joints")?.unwrap_or_default();
        let parents = parents(subject, &joints)?;
        let count = (joints.len(), "one for each of its joints");
        let binds = subject.matrices("bindTransforms", count)?;
        let binds = match binds {
            None if !joints.is_empty() => {
                return Err(subject.wrong_count("bindTransforms", 0, count));
            }
            binds => binds.unwrap_or_default(),
        };
        let inverse = |(bind, joint): (Transform, &String)| {
            let inverse = undone(bind);
            let is_known = inverse.linear.is_finite() && bind.linear.determinant() != 0.0;
            is_known.then_some(inverse).ok_or_else(|| {
                let what =
                    format!("makes the joint `{joint}` flat, so that nothing can be bound to it");
                subject.wrong("bindTransforms", &what)
            })
        };
        let inverse_binds = binds.into_iter().zip(&joints).map(inverse);
        Ok(Self {
            inverse_binds: inverse_binds.collect::<Result<_, _>>()?,
            rest: subject.matrices("restTransforms", count)?,
            parents,
            joints,
        })
    }

    /// What each joint does to a point of a mesh, seen from the skeleton: from where it was bound to where it is. Joints
    /// that the animation leaves alone are at rest.
    ///
    /// # Errors
    /// If one is, and nothing says where that is.
    pub(super) fn posed(
        &self,
        subject: &Subject<'_>,
        animation: Option<&Animation>,
    ) -> Result<Vec<Transform>, MeshProblem> {
        let mut whole: Vec<Transform> = Vec::with_capacity(self.joints.len());
        for (number, joint) in self.joints.iter().enumerate() {
            let moved = animation.and_then(|animation| animation.joints.get(joint).copied());
            let at_rest = self.rest.as_ref().map(|rest| rest[number]);
            let local = moved.or(at_rest).ok_or_else(|| {
                let what = format!(
                    "is missing, and no animation moves the joint `{joint}`; export the skeleton with its rest pose"
                );
                subject.wrong("restTransforms", &what)
            })?;
            let above = self.parents[number].map_or(Transform::IDENTITY, |parent| whole[parent]);
            whole.push(above.after(local));
        }
        let both = whole.into_iter().zip(&self.inverse_binds);
        Ok(both.map(|(own, bind)| own.after(*bind)).collect())
    }
}

/// For each joint the nearest one above it, by their paths; not all that are above must be joints.
fn parents(subject: &Subject<'_>, joints: &[String]) -> Result<Vec<Option<usize>>, MeshProblem> {
    let mut places = HashMap::new();
    for (place, joint) in joints.iter().enumerate() {
        if places.insert(joint.as_str(), place).is_some() {
            let what = format!("has `{joint}` twice; give each joint a path of its own");
            return Err(subject.wrong("joints", &what));
        }
    }
    let parent = |(place, joint): (usize, &String)| {
        let above = joint.rmatch_indices('/').map(|(end, _)| &joint[..end]);
        let parent = above.filter_map(|path| places.get(path)).copied().next();
        match parent {
            Some(parent) if parent > place => {
                let what = format!(
                    "has `{joint}` before `{}`, which is above it; list joints after those above them",
                    joints[parent]
                );
                Err(subject.wrong("joints", &what))
            }
            parent => Ok(parent),
        }
    };
    joints.iter().enumerate().map(parent).collect()
}
