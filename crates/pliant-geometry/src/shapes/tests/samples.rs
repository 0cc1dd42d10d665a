//! Shapes as scenes write them.

use std::sync::Arc;

use pliant_math::DVec3;
use pliant_parameters::{Problem, Value, Values};

use crate::shapes::Sphere;
use crate::{Aabb, MeshSource, Shape, ShapeUse, TetrahedralMesh, TriangleMesh};

pub const BODY: ShapeUse = ShapeUse {
    is_filled: true,
    is_shell: false,
    is_cloth: false,
    spacing: 0.02,
};
pub const COLLIDER: ShapeUse = ShapeUse {
    is_filled: false,
    ..BODY
};

/// Knows two files: a sphere of radius 0.5 made of triangles, and a cube made of six tetrahedra.
pub struct BallFile;

impl MeshSource for BallFile {
    fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
        if file != "ball.obj" {
            return Err(Problem::at("file", format!("no file {file}"), "ball.obj"));
        }
        Ok(Arc::new(Sphere { radius: 0.5 }.surface(1.0)))
    }

    fn tetrahedra(&self, _: &str) -> Result<Arc<TetrahedralMesh>, Problem> {
        let unit = Aabb {
            min: DVec3::splat(-0.5),
            max: DVec3::splat(0.5),
        };
        // From corner 0 to corner 7 along the edges in any order.
        let ways = [[1, 3], [1, 5], [2, 3], [2, 6], [4, 5], [4, 6]];
        let tetrahedra = ways.map(|[a, b]| [0, a, b, 7]).to_vec();
        let mesh = TetrahedralMesh::new(&unit.corners(), tetrahedra);
        Ok(Arc::new(mesh.expect("a solid")))
    }
}

pub fn list(numbers: &[f64]) -> Value {
    Value::List(numbers.iter().copied().map(Value::Number).collect())
}

pub fn table<const N: usize>(entries: [(&str, Value); N]) -> Values {
    let mut values = Values::default();
    for (key, value) in entries {
        values.insert(key, value);
    }
    values
}

pub fn named<const N: usize>(name: &str, entries: [(&str, Value); N]) -> Values {
    table([(name, Value::Table(table(entries)))])
}

pub fn placed(mut shape: Values, position: [f64; 3], rotation: [f64; 3]) -> Value {
    shape.insert("position", list(&position));
    shape.insert("rotation", list(&rotation));
    Value::Table(shape)
}

pub fn outline(points: &[[f64; 2]]) -> Values {
    let points = points.iter().map(|p| list(p)).collect();
    named("revolution", [("profile", Value::List(points))])
}

pub fn cube(size: f64) -> Values {
    named("box", [("size", list(&[size; 3]))])
}

pub fn ball(radius: f64) -> Values {
    named("sphere", [("radius", Value::Number(radius))])
}

pub fn tree(operator: &str, operands: Vec<Value>) -> Values {
    named("sdf", [(operator, Value::List(operands))])
}

pub fn cup() -> Values {
    outline(&[
        [0.0, 0.0],
        [0.4, 0.0],
        [0.5, 0.6],
        [0.42, 0.6],
        [0.33, 0.1],
        [0.0, 0.1],
    ])
}
