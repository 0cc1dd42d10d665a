//! Blend shapes: offsets of points, of which an animation tells how much there is.

use std::collections::HashMap;

use pliant_math::DVec3;

use super::super::MeshProblem;
use super::super::layer::Prim;
use super::super::moment::Between;
use super::values::{Subject, absolute};

const NAMES: &str = "skel:blendShapes";
const TARGETS: &str = "skel:blendShapeTargets";
const OFFSETS: &str = "offsets";

/// How the names of in-betweens begin, and how those of their normals end, which are none.
const IN_BETWEEN: &str = "inbetweens:";
const OF_NORMALS: &str = ":normalOffsets";

/// Weights that are nearer to each other are one (OpenUSD, `UsdSkelBlendShapeQuery`).
const SAME_WEIGHT: f64 = 1e-6;

/// Moves the points of a mesh by its blend shapes.
///
/// * `weights` — of blend shapes by their names; there is nothing of others
///
/// # Errors
/// If a shape is not there, or has offsets for other points.
pub(super) fn apply(
    mesh: &Subject<'_>,
    prims: &[Prim],
    weights: &HashMap<String, f64>,
    points: &mut [DVec3],
) -> Result<(), MeshProblem> {
    let names = mesh.names(NAMES)?.unwrap_or_default();
    let targets = mesh.prim.relationships.targets(TARGETS).unwrap_or_default();
    if names.len() != targets.len() {
        let wanted = (targets.len(), "one for each of its skel:blendShapeTargets");
        return Err(mesh.wrong_count(NAMES, names.len(), wanted));
    }
    for (name, target) in names.iter().zip(targets) {
        let path = absolute(target, mesh.path);
        let from = format!("`{TARGETS}` of the Mesh {}", mesh.path);
        let shape = Subject::of_type(prims, &path, ("BlendShape", &from), mesh.moment)?;
        let weight = weights.get(name).copied().unwrap_or(0.0);
        if weight != 0.0 {
            add(&shape, weight, points)?;
        }
    }
    Ok(())
}

/// Adds the offsets of a shape that there are at a weight: on the way from one sub-shape to the next, or on from them.
fn add(shape: &Subject<'_>, weight: f64, points: &mut [DVec3]) -> Result<(), MeshProblem> {
    let sub_shapes = sub_shapes(shape)?;
    let after = sub_shapes.partition_point(|own| own.weight <= weight);
    let after = after.clamp(1, sub_shapes.len() - 1);
    let [from, to] = [&sub_shapes[after - 1], &sub_shapes[after]];
    let share = (weight - from.weight) / (to.weight - from.weight);
    let places = places(shape, points.len())?;
    for (sub_shape, share) in [(from, 1.0 - share), (to, share)] {
        let Some(name) = sub_shape.offsets.filter(|_| share != 0.0) else {
            continue;
        };
        let count = match &places {
            Some(places) => (places.len(), "one for each of its pointIndices"),
            None => (points.len(), "one for each point of its mesh"),
        };
        let offsets = shape.vectors::<3>(name, Between::Held, count)?;
        for (place, offset) in offsets.unwrap_or_default().into_iter().enumerate() {
            let point = places.as_ref().map_or(place, |places| places[place]);
            points[point] += DVec3::from_array(offset) * share;
        }
    }
    Ok(())
}

/// The points that offsets are of, if they are not of all.
fn places(shape: &Subject<'_>, point_count: usize) -> Result<Option<Vec<usize>>, MeshProblem> {
    let Some(numbers) = shape.numbers("pointIndices", Between::Held)? else {
        return Ok(None);
    };
    let place = |(place, &index): (usize, &f64)| {
        let is_known = index >= 0.0 && index.fract() == 0.0 && index < point_count as f64;
        is_known.then_some(index as usize).ok_or_else(|| {
            let what = format!(
                "has {index} as number {place}, but its mesh has {point_count} points, both counted from 0"
            );
            shape.wrong("pointIndices", &what)
        })
    };
    let places: Result<Vec<usize>, MeshProblem> = numbers.iter().enumerate().map(place).collect();
    // None at all stands for all points.
    Ok(Some(places?).filter(|places| !places.is_empty()))
}

/// What a shape is at a weight.
struct SubShape<'s> {
    weight: f64,
    /// The attribute with its offsets; none where nothing moves.
    offsets: Option<&'s str>,
}

/// All of them by their weights: nothing at 0, the shape at 1, in-betweens where they tell.
fn sub_shapes<'s>(shape: &Subject<'s>) -> Result<Vec<SubShape<'s>>, MeshProblem> {
    let sub_shape = |weight, offsets| SubShape { weight, offsets };
    let mut sub_shapes = vec![sub_shape(0.0, None), sub_shape(1.0, Some(OFFSETS))];
    for (name, attribute) in &shape.prim.attributes {
        if !name.starts_with(IN_BETWEEN) || name.ends_with(OF_NORMALS) {
            continue;
        }
        let weight = attribute.weight.filter(|weight| weight.is_finite());
        let weight = weight.ok_or_else(|| {
            let what = "has no weight; write the weight of the shape at which it holds, as metadata `weight`";
            shape.wrong(name, what)
        })?;
        let mut known = sub_shapes.iter();
        if known.any(|own| (own.weight - weight).abs() < SAME_WEIGHT) {
            let what = format!(
                "has the weight {weight}, at which the shape is known already; give it one that is neither 0 nor 1 nor that \
                 of another in-between"
            );
            return Err(shape.wrong(name, &what));
        }
        sub_shapes.push(sub_shape(weight, Some(name)));
    }
    sub_shapes.sort_by(|a, b| a.weight.total_cmp(&b.weight));
    Ok(sub_shapes)
}
