//! The shapes a scene can name, a file each, and the registry that scenes, schema and reference read.
//!
//! All are centred on their local origin and, where they have an axis, stand along y. To add one:
//! a file here, and a line in [`KINDS`].

mod r#box;
mod capsule;
mod common_point;
mod cone;
mod coplanar;
mod cylinder;
mod ellipsoid;
mod mesh;
mod mesh_sequence;
mod nearest_operand;
mod particles;
mod plane;
mod revolution;
mod sdf;
mod sheet;
mod shell;
mod sphere;
mod tetrahedra;
mod torus;

pub use r#box::Box;
pub use capsule::Capsule;
pub use cone::Cone;
pub use cylinder::Cylinder;
pub use ellipsoid::Ellipsoid;
pub use mesh::MeshShape;
pub use particles::Particles;
pub use plane::Plane;
pub use revolution::Revolution;
pub use sdf::{Operator, Tree};
pub use sheet::Sheet;
pub use shell::Shell;
pub use sphere::Sphere;
pub use tetrahedra::Tetrahedra;
pub use torus::Torus;

use std::sync::Arc;

use pliant_parameters::{Field, Kind, Problem, Range, Values};

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
    mesh_sequence::KIND,
    Tetrahedra::KIND,
    Revolution::KIND,
    Tree::KIND,
    Particles::KIND,
    Sheet::KIND,
];

/// Where a shape is read from.
const FILE: Field = Field::required("file", Kind::File, "", "The file, relative to the scene.");

const SCALE: Field = Field::number(
    "scale",
    Range::POSITIVE,
    "",
    1.0,
    "Factor on the coordinates of the file: 0.001 for a file in millimetres.",
);

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

/// Builds a shape that is a region: what lies inside it is asked.
///
/// # Errors
/// Those of [`build`], and a shape that has no inside.
pub fn build_region(
    table: &Values,
    meshes: &dyn MeshSource,
    spacing: f64,
) -> Result<Arc<dyn Shape>, Problem> {
    let use_as = ShapeUse {
        is_filled: false,
        is_shell: false,
        is_cloth: false,
        spacing,
    };
    let shape = build(table, meshes, use_as)?;
    keeps_its_form(&*shape)?;
    if shape.is_thin() {
        return Err(without_inside(table.named_item().0));
    }
    Ok(shape)
}

/// Refuses a shape that deforms where one is needed that does not.
fn keeps_its_form(shape: &dyn Shape) -> Result<(), Problem> {
    match shape.moving() {
        Some(_) => Err(mesh_sequence::not_a_collider()),
        None => Ok(()),
    }
}

/// What is wrong with a shape that has no inside where one is needed.
fn without_inside(name: &str) -> Problem {
    Problem::whole(
        format!("a {name} has no inside"),
        "take a thin box: everything in a region is inside its shape",
    )
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tree_tests;
