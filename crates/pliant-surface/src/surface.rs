//! From particles to a surface.

use pliant_geometry::TriangleMesh;
use pliant_math::DVec3;

use crate::carrier::Carrier;
use crate::field::surface_of_field;
use crate::smoothing::{area_vectors, smooth};
use crate::{SurfaceError, SurfaceSettings};

/// A closed surface: every edge belongs to two triangles. Without particles it has no vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Vertices [m] and triangles, counter-clockwise seen from outside.
    pub mesh: TriangleMesh,
    /// Outward normals of the vertices, of length 1.
    pub normals: Vec<[f32; 3]>,
}

/// The surface around particles at positions [m].
///
/// On the threads of the pool that it is called in. Memory is that of the particles and the surface,
/// and a few megabytes a thread: space without particles takes none.
///
/// # Errors
/// If a position is not finite or too far out, or a setting is out of its range.
pub fn reconstruct(points: &[DVec3], settings: &SurfaceSettings) -> Result<Surface, SurfaceError> {
    settings.check()?;
    if let Some(particle) = points.iter().position(|p| !p.is_finite()) {
        return Err(SurfaceError::NotFinite { particle });
    }
    if points.is_empty() {
        return Ok(Surface::default());
    }
    let mut mesh = surface_of_field(points, settings)?;
    let crowding = Carrier::new(points, settings).crowding(&mesh.vertices, settings.spacing);
    smooth(&mut mesh, &crowding, settings.smoothing_passes);
    let areas = area_vectors(&mesh);
    let normals = areas.iter();
    let normals = normals.map(|area| area.normalize_or(DVec3::Y).as_vec3().to_array());
    Ok(Surface {
        normals: normals.collect(),
        mesh,
    })
}
