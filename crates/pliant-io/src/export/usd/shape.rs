//! The mesh below a collider: what of it is the same in all frames, and its points where the collider deforms.

use pliant_geometry::Shape;
use pliant_math::DVec3;

use super::super::{Moment, SceneCollider};
use super::stage::{
    EXTENT, FACE_CORNERS, FACE_COUNTS, POINTS, SHAPE, VELOCITIES, varying_of_shape,
};
use crate::usdc::{Attribute, AttributeKind, Prim, Value};

/// What never changes: all of it, or, of one that deforms, the triangles. Its points are declared only, as a value here
/// would hide those of the frames.
pub(super) fn unvarying(collider: &SceneCollider) -> Prim<'static> {
    let bounds = collider.shape.bounds();
    let size = bounds.map_or(1.0, |bounds| bounds.extent().max_element());
    let mesh = collider.shape.surface(size);
    let counts = Value::ints(vec![3; mesh.triangles.len()]);
    let corners = Value::ints(mesh.triangles.as_flattened().to_vec());
    let always = Attribute::always;
    let mut attributes = vec![
        always(FACE_COUNTS, AttributeKind::varying("int[]"), counts),
        always(FACE_CORNERS, AttributeKind::varying("int[]"), corners),
        always(
            "subdivisionScheme",
            AttributeKind::uniform("token"),
            Value::Token("none"),
        ),
    ];
    if collider.deforms() {
        let varying = varying_of_shape(collider).into_iter();
        attributes.extend(varying.map(|varying| varying.declared()));
    } else {
        let points = singles(mesh.vertices.iter().copied());
        let extent = Value::float3s(extent(&points).to_vec());
        let points = Value::float3s(points);
        attributes.extend([
            always(EXTENT, AttributeKind::varying("float3[]"), extent),
            always(POINTS, AttributeKind::varying("point3f[]"), points),
        ]);
    }
    shape(Some("Mesh"), attributes)
}

/// What frames have values of: the mesh of a collider that deforms.
pub(super) fn declared(collider: &SceneCollider) -> Vec<Prim<'static>> {
    if !collider.deforms() {
        return Vec::new();
    }
    let varying = varying_of_shape(collider).into_iter();
    vec![shape(None, varying.map(|v| v.declared()).collect())]
}

/// The mesh of a collider that deforms as it is in a frame.
///
/// * `index` — of the collider in the scene
pub(super) fn of_frame(moment: &Moment, index: usize) -> Vec<Prim<'static>> {
    let (collider, number) = (&moment.scene.colliders[index], moment.frame.number);
    let moving = collider.shape_in(moment.frame).and_then(Shape::moving);
    let Some(moving) = moving else {
        return Vec::new();
    };
    // The size is that of shapes without an end, which it is not.
    let points = singles(moving.surface(1.0).vertices.into_iter());
    let velocities = || singles(moving.velocities());
    let varying = varying_of_shape(collider).into_iter().map(|varying| {
        let values = match varying.name.as_str() {
            EXTENT => extent(&points).to_vec(),
            VELOCITIES => velocities(),
            _ => points.clone(),
        };
        varying.at(number, Value::float3s(values))
    });
    vec![shape(None, varying.collect())]
}

fn shape<'a>(type_name: Option<&'static str>, attributes: Vec<Attribute<'a>>) -> Prim<'a> {
    Prim {
        name: SHAPE.to_owned(),
        type_name,
        attributes,
        children: Vec::new(),
    }
}

fn singles(vectors: impl Iterator<Item = DVec3>) -> Vec<[f32; 3]> {
    vectors.map(|v| v.as_vec3().to_array()).collect()
}

/// The corners of a box around points, of none a point at zero.
fn extent(points: &[[f32; 3]]) -> [[f32; 3]; 2] {
    let corner = |of: fn(f32, f32) -> f32| {
        let corner = points.iter().copied();
        corner.reduce(|a, b| [0, 1, 2].map(|axis| of(a[axis], b[axis])))
    };
    [corner(f32::min), corner(f32::max)].map(Option::unwrap_or_default)
}
