//! Where nodes are, seen from their parents, and how much of each morph target their meshes have.

use gltf::Document;
use pliant_math::{DMat3, DQuat, DVec3};

use crate::mesh::transform::Transform;

/// The parts of a transform that an animation changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    pub(super) translation: DVec3,
    pub(super) rotation: DQuat,
    pub(super) scale: DVec3,
}

/// All nodes of a file, by their indices.
#[derive(Clone, Debug)]
pub(super) struct Pose {
    pub(super) nodes: Vec<Local>,
}

/// A node.
#[derive(Clone, Debug)]
pub(super) struct Local {
    pub(super) place: Place,
    /// Of the morph targets of its mesh.
    pub(super) weights: Vec<f64>,
}

/// How the place of a node is given.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    Whole(Transform),
    Parts(Parts),
}

impl Pose {
    /// The pose that the nodes of a file have without an animation.
    pub(super) fn at_rest(file: &Document) -> Self {
        let local = |node: gltf::Node| {
            let place = match node.transform() {
                gltf::scene::Transform::Matrix { matrix } => Place::Whole(of_columns(matrix)),
                gltf::scene::Transform::Decomposed {
                    translation,
                    rotation,
                    scale,
                } => Place::Parts(Parts {
                    translation: vector(translation),
                    rotation: DQuat::from_array(rotation.map(f64::from)).normalize(),
                    scale: vector(scale),
                }),
            };
            let of_mesh = || node.mesh().and_then(|mesh| mesh.weights());
            let weights = node.weights().or_else(of_mesh).unwrap_or_default();
            Local {
                place,
                weights: weights.iter().copied().map(f64::from).collect(),
            }
        };
        Self {
            nodes: file.nodes().map(local).collect(),
        }
    }

    /// Where a node is, seen from its parent.
    pub(super) fn transform(&self, node: usize) -> Transform {
        match self.nodes[node].place {
            Place::Whole(transform) => transform,
            Place::Parts(parts) => Transform {
                linear: DMat3::from_quat(parts.rotation) * DMat3::from_diagonal(parts.scale),
                offset: parts.translation,
            },
        }
    }

    /// The shares of the morph targets of a node's mesh.
    pub(super) fn weights(&self, node: usize) -> &[f64] {
        &self.nodes[node].weights
    }
}

/// A transform by the columns of its matrix.
pub(super) fn of_columns(columns: [[f32; 4]; 4]) -> Transform {
    let [x, y, z, offset] = columns.map(|c| vector([c[0], c[1], c[2]]));
    Transform {
        linear: DMat3::from_cols(x, y, z),
        offset,
    }
}

fn vector(numbers: [f32; 3]) -> DVec3 {
    DVec3::from_array(numbers.map(f64::from))
}
