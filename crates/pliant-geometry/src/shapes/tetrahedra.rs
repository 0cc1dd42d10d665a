//! A solid given as tetrahedra.

use std::sync::Arc;

use pliant_math::DVec3;

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
        doc: "A solid as tetrahedra from a file (legacy VTK, an unstructured grid). A body of springs is \
              made of its points and edges; anything else takes it as the closed mesh of its outer \
              faces.",
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
}
