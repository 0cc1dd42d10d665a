//! A solid given as tetrahedra.

use std::sync::Arc;

use pliant_math::DVec3;
use pliant_parameters::Problem;

use super::{FILE, MeshShape, SCALE, Shell};
use crate::{Aabb, Shape, ShapeKind, TetrahedralMesh, TriangleMesh, topology};

/// What tetrahedra fill; their outer faces are its surface.
#[derive(Debug)]
pub struct Tetrahedra {
    mesh: TetrahedralMesh,
    inside: Arc<dyn Shape>,
}

impl Tetrahedra {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "tetrahedra",
        doc: "A solid as tetrahedra from a file (VTK, an unstructured grid, `.vtu` or legacy `.vtk`; Gmsh \
              `.msh` of version 4.1; TetGen `.ele` with its `.node` beside it). A body of springs is made \
              of its points and edges; anything else takes it as the closed mesh of its outer faces.",
        fields: &[FILE, SCALE],
        build: |values, files, use_as| {
            let (file, scale) = (values.text("file"), values.number("scale"));
            let mesh = TetrahedralMesh::clone(&*files.tetrahedra(file)?);
            let surface = mesh.surface();
            let fault = |fault: topology::MeshFault| fault.problem("file", file);
            let inside: Arc<dyn Shape> = if use_as.is_cloth {
                Arc::new(Shell::new(&surface, scale).map_err(fault)?)
            } else {
                let closed = topology::closed(&surface).map_err(fault)?;
                let work = files.work();
                Arc::new(MeshShape::new(closed, scale, use_as.spacing, work)?)
            };
            Ok(Arc::new(Self {
                mesh: mesh.scaled(scale),
                inside,
            }))
        },
    };
}

impl Shape for Tetrahedra {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.inside.signed_distance(point)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.inside.normal(point)
    }

    fn bounds(&self) -> Option<Aabb> {
        self.inside.bounds()
    }

    fn volume(&self) -> Option<f64> {
        Some(self.mesh.vertex_volumes().iter().sum())
    }

    fn surface(&self, size: f64) -> TriangleMesh {
        self.inside.surface(size)
    }

    fn fabric(&self) -> Option<TriangleMesh> {
        self.inside.fabric()
    }

    fn tetrahedra(&self) -> Option<TetrahedralMesh> {
        Some(self.mesh.clone())
    }

    fn is_thin(&self) -> bool {
        self.inside.is_thin()
    }

    fn warnings(&self) -> Vec<Problem> {
        let (turned, count) = (self.mesh.turned(), self.mesh.tetrahedra().len());
        match turned.first {
            // A program that counts corners the other way round turns all of them.
            Some(first) if turned.count < count => {
                let message = format!(
                    "{} of its {count} tetrahedra are inside out, the first is tetrahedron {}; they are \
                     turned, but the mesh may be tangled there",
                    turned.count,
                    first + 1
                );
                let remedy = "untangle or optimise the mesh in the program that made it";
                vec![Problem::at("file", message, remedy)]
            }
            _ => self.inside.warnings(),
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_parameters::{Value, Values};

    use super::*;
    use crate::{MeshSource, ShapeUse};

    /// Two tetrahedra that share a face, each as it is or inside out.
    #[derive(Clone, Copy)]
    struct Two([bool; 2]);

    impl MeshSource for Two {
        fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
            Err(Problem::at("file", format!("no file {file}"), "none"))
        }

        fn tetrahedra(&self, _file: &str) -> Result<Arc<TetrahedralMesh>, Problem> {
            let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::ONE];
            let mut both = vec![[0, 1, 2, 3], [1, 2, 3, 4]];
            for (corners, is_inverted) in both.iter_mut().zip(self.0) {
                if is_inverted {
                    corners.swap(0, 1);
                }
            }
            Ok(Arc::new(
                TetrahedralMesh::new(&points, both).expect("a solid"),
            ))
        }
    }

    fn warnings(inverted: [bool; 2]) -> Vec<Problem> {
        let mut values = Values::default();
        values.insert("file", Value::Text("two.vtk".into()));
        values.insert("scale", Value::Number(1.0));
        let use_as = ShapeUse {
            is_filled: true,
            is_shell: false,
            is_cloth: false,
            spacing: 0.1,
        };
        let shape = (Tetrahedra::KIND.build)(&values, &Two(inverted), use_as).expect("a shape");
        assert!((shape.volume().expect("finite") - 0.5).abs() < 1e-12);
        shape.warnings()
    }

    #[test]
    fn a_part_of_the_tetrahedra_inside_out_is_warned_of_and_all_or_none_are_not() {
        assert!(warnings([false, false]).is_empty());
        assert!(warnings([true, true]).is_empty());
        let told = &warnings([false, true])[0].message;
        assert!(
            told.contains("1 of its 2") && told.contains("tetrahedron 2"),
            "{told}"
        );
    }
}
