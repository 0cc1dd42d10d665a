//! Meshes that follow a node, or the joints of a skin.

use gltf::accessor::Dimensions;
use gltf::{Primitive, Semantic, Skin};
use pliant_math::DVec3;

use super::accessors::{read_numbers, read_whole};
use super::malformed;
use super::pose::of_columns;
use crate::mesh::MeshProblem;
use crate::mesh::skinning::Blend;
use crate::mesh::transform::Transform;

/// What a mesh follows.
pub(super) enum Placement {
    /// Its node.
    Rigid(Transform),
    /// Joints: what each does to a point of the mesh.
    Skinned(Vec<Transform>),
}

impl Placement {
    /// * `worlds` — where each node is
    pub(super) fn of_skin(
        skin: &Skin,
        buffers: &[Vec<u8>],
        worlds: &[Option<Transform>],
    ) -> Result<Self, MeshProblem> {
        let matrices = skin.inverse_bind_matrices();
        let numbers = matrices.map(|accessor| {
            if accessor.dimensions() != Dimensions::Mat4 {
                return Err(malformed("matrices of a skin have four rows and columns"));
            }
            read_numbers(&accessor, buffers)
        });
        let numbers = numbers.transpose()?;
        let joint = |(number, node): (usize, gltf::Node)| {
            let world = worlds[node.index()].unwrap_or(Transform::IDENTITY);
            let Some(numbers) = &numbers else {
                return Ok(world);
            };
            let own = numbers.as_chunks::<16>().0.get(number);
            let own = own.ok_or_else(|| malformed("a skin has more joints than matrices"))?;
            let column = |k: usize| std::array::from_fn(|row| own[4 * k + row] as f32);
            Ok(world.after(of_columns([0, 1, 2, 3].map(column))))
        };
        let joints: Result<Vec<_>, MeshProblem> = skin.joints().enumerate().map(joint).collect();
        Ok(Self::Skinned(joints?))
    }

    /// Takes the points of a primitive to the world.
    pub(super) fn place(
        &self,
        primitive: &Primitive,
        buffers: &[Vec<u8>],
        points: &mut [DVec3],
    ) -> Result<(), MeshProblem> {
        match self {
            Self::Rigid(transform) => {
                for point in points {
                    *point = transform.place(*point);
                }
                Ok(())
            }
            Self::Skinned(joints) => follow(joints, primitive, buffers, points),
        }
    }

    /// True if it turns triangles inside out.
    pub(super) fn is_mirrored(&self) -> bool {
        match self {
            Self::Rigid(transform) => transform.is_mirrored(),
            Self::Skinned(_) => false,
        }
    }
}

/// Linear blend skinning: each point goes to the mean of where its joints take it.
fn follow(
    joints: &[Transform],
    primitive: &Primitive,
    buffers: &[Vec<u8>],
    points: &mut [DVec3],
) -> Result<(), MeshProblem> {
    let mut blends = vec![Blend::default(); points.len()];
    for set in 0.. {
        let of_set = (
            primitive.get(&Semantic::Joints(set)),
            primitive.get(&Semantic::Weights(set)),
        );
        let (Some(numbers), Some(weights)) = of_set else {
            break;
        };
        if weights.dimensions() != Dimensions::Vec4 {
            return Err(malformed("weights of joints are four a vertex"));
        }
        let numbers = read_whole(&numbers, buffers, Dimensions::Vec4)?;
        let weights = read_numbers(&weights, buffers)?;
        let of_points = numbers.chunks_exact(4).zip(weights.chunks_exact(4));
        for ((blend, point), (numbers, weights)) in blends.iter_mut().zip(&*points).zip(of_points) {
            for (&number, &weight) in numbers.iter().zip(weights).filter(|(_, w)| **w > 0.0) {
                let joint = joints.get(number as usize);
                let joint =
                    joint.ok_or_else(|| malformed("a vertex follows a joint that is not there"))?;
                blend.add(joint, *point, weight);
            }
        }
    }
    for (point, blend) in points.iter_mut().zip(blends) {
        *point = blend.mean().unwrap_or(*point);
    }
    Ok(())
}
