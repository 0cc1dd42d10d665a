//! The surface of a triangle mesh, which need not enclose anything.

use pliant_math::DVec3;
use pliant_parameters::Problem;

use crate::nearest_triangle::NearestTriangle;
use crate::topology::{self, MeshFault};
use crate::{Aabb, Shape, TexturedMesh, TriangleMesh};

/// The triangles of a mesh without thickness: its distance is that to the nearest triangle and
/// nowhere negative, and its normal points away from it on either side.
#[derive(Debug)]
pub struct Shell {
    mesh: TriangleMesh,
    nearest: NearestTriangle,
    pub(super) textured: Option<TexturedMesh>,
    /// What its texture coordinates are warned of.
    pub(super) warning: Option<Problem>,
    /// A point nearer than this [m] is on the surface: rounding hides on which side.
    least: f64,
}

/// What rounding may make of a distance of zero, as a part of the size of the mesh.
const ROUNDING: f64 = 1e-12;

impl Shell {
    /// The triangles of a mesh with coordinates times `scale`.
    ///
    /// # Errors
    /// [`MeshFault`] for a mesh without triangles, or with coordinates or indices that are none.
    pub fn new(mesh: &TriangleMesh, scale: f64) -> Result<Self, MeshFault> {
        let mut mesh = topology::surface(mesh)?;
        for vertex in &mut mesh.vertices {
            *vertex *= scale;
        }
        Ok(Self {
            nearest: NearestTriangle::new(&mesh),
            textured: None,
            warning: None,
            least: ROUNDING * mesh.bounds().extent().length(),
            mesh,
        })
    }
}

impl Shape for Shell {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.nearest.of(point).offset.length()
    }

    /// On a triangle its own normal.
    fn normal(&self, point: DVec3) -> DVec3 {
        let nearest = self.nearest.of(point);
        let distance = nearest.offset.length();
        if distance > self.least {
            nearest.offset / distance
        } else {
            nearest.normal.normalize_or(DVec3::Y)
        }
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(self.mesh.bounds())
    }

    fn volume(&self) -> Option<f64> {
        Some(0.0)
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        self.mesh.clone()
    }

    fn fabric(&self) -> Option<TriangleMesh> {
        Some(self.mesh.clone())
    }

    fn textured(&self) -> Option<TexturedMesh> {
        self.textured.clone()
    }

    fn is_thin(&self) -> bool {
        true
    }

    fn warnings(&self) -> Vec<Problem> {
        self.warning.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_parameters::{Problem, Value, Values};

    use super::*;
    use crate::shapes::{Sphere, build};
    use crate::{MeshSource, ShapeUse};

    const SOLID: ShapeUse = ShapeUse {
        is_filled: false,
        is_shell: false,
        is_cloth: false,
        spacing: 0.1,
    };
    const SHELL: ShapeUse = ShapeUse {
        is_shell: true,
        ..SOLID
    };

    /// The upper half of a sphere of radius 1, or all of it.
    struct Dome {
        is_whole: bool,
    }

    impl MeshSource for Dome {
        fn mesh(&self, _: &str) -> Result<Arc<TriangleMesh>, Problem> {
            let mut mesh = Sphere { radius: 1.0 }.surface(1.0);
            let is_low = |i: &u32| mesh.vertices[*i as usize].y < -1e-9;
            let is_kept = |t: &[u32; 3]| self.is_whole || !t.iter().any(is_low);
            mesh.triangles.retain(is_kept);
            Ok(Arc::new(mesh))
        }
    }

    fn table() -> Values {
        let mut file = Values::default();
        file.insert("file", Value::Text("dome.obj".into()));
        file.insert("scale", Value::Number(2.0));
        let mut table = Values::default();
        table.insert("mesh", Value::Table(file));
        table
    }

    #[test]
    fn an_open_mesh_is_a_shell_whose_distance_is_positive_on_either_side() {
        let dome = build(&table(), &Dome { is_whole: false }, SHELL).unwrap();
        let up = DVec3::new(0.3, 0.8, -0.2).normalize();
        for (radius, side) in [(2.5, 1.0), (1.5, -1.0)] {
            let point = up * radius;
            assert!((dome.signed_distance(point) - 0.5).abs() < 0.01);
            assert!(dome.normal(point).distance(up * side) < 0.05);
        }
        // Where the lower half is missing the rim is nearest.
        let below = DVec3::new(0.0, -1.5, 0.0);
        assert!(dome.signed_distance(below) > 2.4);
    }

    #[test]
    fn the_normal_on_a_triangle_is_its_own() {
        let mesh = TriangleMesh {
            vertices: vec![DVec3::ZERO, DVec3::Y, DVec3::Z],
            triangles: vec![[0, 1, 2]],
        };
        let shell = Shell::new(&mesh, 1.0).unwrap();
        assert_eq!(shell.normal(DVec3::new(0.0, 0.2, 0.2)), DVec3::X);
    }

    #[test]
    fn a_closed_mesh_keeps_its_inside() {
        let ball = build(&table(), &Dome { is_whole: true }, SHELL).unwrap();
        assert!(!ball.is_thin() && ball.signed_distance(DVec3::ZERO) < 0.0);
    }

    #[test]
    fn an_open_mesh_as_a_solid_is_refused_with_what_makes_a_shell_of_it() {
        let source = Dome { is_whole: false };
        let problem = build(&table(), &source, SOLID).unwrap_err();
        assert!(problem.message.contains("not watertight"));
        assert!(problem.remedy.unwrap().contains("two_sided = true"));
        // Nor is it a part of a tree: what would be inside?
        let mut operands = Values::default();
        operands.insert("union", Value::List(vec![Value::Table(table())]));
        let mut tree = Values::default();
        tree.insert("sdf", Value::Table(operands));
        assert!(build(&tree, &source, SHELL).is_err());
    }
}
