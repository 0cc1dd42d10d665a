//! The shapes a scene can name, a file each, and the registry that scenes, schema and reference read.
//!
//! All are centred on their local origin and, where they have an axis, stand along y. To add one:
//! a file here, and a line in [`KINDS`].

mod r#box;
mod capsule;
mod cone;
mod cylinder;
mod ellipsoid;
mod mesh;
mod plane;
mod revolution;
mod sdf;
mod sphere;
mod torus;

pub use r#box::Box;
pub use capsule::Capsule;
pub use cone::Cone;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use mesh::MeshShape;
pub use plane::Plane;
pub use revolution::Revolution;
pub use sdf::{Operator, Tree};
pub use sphere::Sphere;
pub use torus::Torus;

use std::sync::Arc;

use pliant_parameters::{Problem, Values};

use crate::{MeshSource, Shape, ShapeKind, ShapeUse};

/// The registry, a row a shape.
pub const KINDS: &[ShapeKind] = &[
    Box::KIND,
    Sphere::KIND,
    Ellipsoid::KIND,
    Cylinder::KIND,
    Capsule::KIND,
    Cone::KIND,
    Torus::KIND,
    Plane::KIND,
    MeshShape::KIND,
    Revolution::KIND,
    Tree::KIND,
];

/// The row of a shape's name, `None` if there is no such shape.
pub fn kind(name: &str) -> Option<&'static ShapeKind> {
    KINDS.iter().find(|kind| kind.name == name)
}

/// Builds a shape from its checked table, which has one entry: the shape's name and its values.
///
/// # Errors
/// What the shape's own builder finds wrong, and a name that is not in [`KINDS`].
pub fn build(
    table: &Values,
    meshes: &dyn MeshSource,
    use_as: ShapeUse,
) -> Result<Arc<dyn Shape>, Problem> {
    let (name, values) = table.named_item();
    let Some(kind) = kind(name) else {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        return Err(Problem::at(
            name,
            format!("there is no shape '{name}'"),
            format!("the shapes are {}", names.join(", ")),
        ));
    };
    (kind.build)(values, meshes, use_as)
}

#[cfg(test)]
mod tests;
