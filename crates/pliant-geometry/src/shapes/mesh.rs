//! The inside of a closed triangle mesh.

use std::sync::{Arc, OnceLock};

use pliant_math::DVec3;
use pliant_parameters::Problem;

use super::{FILE, SCALE, Shell};
use crate::bake::DistanceGrid;
use crate::{Aabb, Loop, Shape, ShapeKind, TriangleMesh, integration, topology};

/// Cells along the longest edge of a mesh, at least, however coarse the particles.
const LEAST_CELLS: f64 = 100.0;

/// The inside of a closed triangle mesh, through a distance baked on a grid.
///
/// Shells that overlap count as one solid, but the distance inside it still falls to zero at the
/// hidden parts of the surface.
#[derive(Debug)]
pub struct MeshShape {
    mesh: TriangleMesh,
    distance: DistanceGrid,
    volume: OnceLock<f64>,
}

impl MeshShape {
    pub(super) const KIND: ShapeKind = ShapeKind {
        name: "mesh",
        doc: "The inside of a closed triangle mesh from a file (OBJ, STL, PLY, glTF). For a collider with \
              `two_sided = true` and for a body of cloth the mesh may be open.",
        fields: &[FILE, SCALE],
        build: |values, meshes, use_as| {
            let (file, scale) = (values.text("file"), values.number("scale"));
            let mesh = meshes.mesh(file)?;
            if use_as.is_cloth {
                let shell = Shell::new(&mesh, scale);
                return Ok(Arc::new(
                    shell.map_err(|fault| fault.problem("file", file))?,
                ));
            }
            match topology::closed(&mesh) {
                Ok(closed) => {
                    let shape = Self::new(closed, scale, use_as.spacing, meshes.work())?;
                    Ok(Arc::new(shape))
                }
                Err(fault) if !use_as.is_shell => Err(fault.problem("file", file)),
                Err(_) => {
                    let shell = Shell::new(&mesh, scale);
                    Ok(Arc::new(
                        shell.map_err(|fault| fault.problem("file", file))?,
                    ))
                }
            }
        },
    };

    /// Bakes a mesh that [`topology::closed`] returned, for particles of `spacing` [m], in the pieces
    /// of a loop.
    ///
    /// # Errors
    /// If cells of half the spacing are too many for the size of the mesh.
    pub fn new(
        mut mesh: TriangleMesh,
        scale: f64,
        spacing: f64,
        run: Loop,
    ) -> Result<Self, Problem> {
        for vertex in &mut mesh.vertices {
            *vertex *= scale;
        }
        let size = mesh.bounds().extent().max_element();
        let coarsest = size / LEAST_CELLS;
        let cell = if spacing > 0.0 {
            coarsest.min(0.5 * spacing)
        } else {
            coarsest
        };
        let distance = DistanceGrid::bake(&mesh, cell, run).map_err(|fault| {
            Problem::at(
                "scale",
                format!(
                    "the mesh is {size:.3} m long, which at half the particle spacing makes {:.0} \
                     grid cells a side: its distance needs more than 2 GB",
                    fault.cells
                ),
                "check the scale of the file (0.001 if it is in millimetres), take a larger \
                 spacing or a smaller mesh",
            )
        })?;
        Ok(Self {
            mesh,
            distance,
            volume: OnceLock::new(),
        })
    }
}

impl Shape for MeshShape {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.distance.signed_distance(point)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.distance.normal(point)
    }

    fn bounds(&self) -> Option<Aabb> {
        Some(self.mesh.bounds())
    }

    fn volume(&self) -> Option<f64> {
        let compute = || {
            if self.distance.is_simple() {
                self.mesh.volume()
            } else {
                integration::volume(self, self.mesh.bounds())
            }
        };
        Some(*self.volume.get_or_init(compute))
    }

    fn surface(&self, _size: f64) -> TriangleMesh {
        self.mesh.clone()
    }

    fn hides_surface(&self) -> bool {
        !self.distance.is_simple()
    }
}
