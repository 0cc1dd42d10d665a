//! Animations of skeletons: where joints are and how much there is of each blend shape.

use std::collections::HashMap;

use pliant_math::{DMat3, DVec3};

use super::super::moment::{Between, rotation};
use super::super::{MeshProblem, Transform};
use super::values::Subject;

/// The attributes of an animation that change with time.
pub(in super::super) const ATTRIBUTES: [&str; 4] =
    ["translations", "rotations", "scales", "blendShapeWeights"];

/// An animation at a moment (OpenUSD, `UsdSkelAnimation`).
pub(super) struct Animation {
    /// Where joints are, seen from those above them, by their paths.
    pub(super) joints: HashMap<String, Transform>,
    /// Weights of blend shapes, by their names.
    pub(super) weights: HashMap<String, f64>,
}

impl Animation {
    /// # Errors
    /// If it has values for another number of joints or blend shapes, or for none, or rotations that turn nothing.
    pub(super) fn read(subject: &Subject<'_>) -> Result<Self, MeshProblem> {
        let joints = subject.names("joints")?.unwrap_or_default();
        let transforms = transforms(subject, &joints)?;
        let shapes = subject.names("blendShapes")?.unwrap_or_default();
        let count = (shapes.len(), "one for each of its blendShapes");
        let weights = subject.vectors::<1>("blendShapeWeights", Between::Even, count)?;
        let weights = weights.unwrap_or_default().into_iter().flatten();
        Ok(Self {
            joints: joints.into_iter().zip(transforms).collect(),
            weights: shapes.into_iter().zip(weights).collect(),
        })
    }
}

/// Each joint is scaled, then turned, then moved. OpenUSD rounds scales between keyframes to half precision, and takes
/// rotations of another length than 1 as they are; neither is meant by who wrote them.
fn transforms(subject: &Subject<'_>, joints: &[String]) -> Result<Vec<Transform>, MeshProblem> {
    if joints.is_empty() {
        return Ok(Vec::new());
    }
    let count = (joints.len(), "one for each of its joints");
    let translations = subject.vectors::<3>("translations", Between::Even, count)?;
    let rotations = subject.vectors::<4>("rotations", Between::Turned, count)?;
    let scales = subject.vectors::<3>("scales", Between::Even, count)?;
    let missing = |name| {
        let what =
            "is missing, without which its joints stay; write translations, rotations and scales";
        subject.wrong(name, what)
    };
    let translations = translations.ok_or_else(|| missing("translations"))?;
    let rotations = rotations.ok_or_else(|| missing("rotations"))?;
    let scales = scales.ok_or_else(|| missing("scales"))?;
    let transform = |place: usize| {
        let turned = rotations[place];
        let rotation = rotation(&turned).ok_or_else(|| {
            let what = format!(
                "has {turned:?} for the joint `{}`, which turns nothing; give it length 1",
                joints[place]
            );
            subject.wrong("rotations", &what)
        })?;
        let scale = DMat3::from_diagonal(DVec3::from_array(scales[place]));
        Ok(Transform {
            linear: DMat3::from_quat(rotation) * scale,
            offset: DVec3::from_array(translations[place]),
        })
    };
    (0..joints.len()).map(transform).collect()
}
