//! Marching cubes of the density field of particles.
//!
//! The field is phi(x) = sum_j V_j W(x - x_j), V_j = m / rho_j, with the cubic spline and the density
//! that each particle has by its neighbours, so that it is about 1 inside however dense they are.

use pliant_geometry::TriangleMesh;
use pliant_math::DVec3;
use splashsurf_lib::nalgebra::Vector3;
use splashsurf_lib::{
    GridDecompositionParameters, Parameters, SpatialDecomposition, reconstruct_surface,
};

use crate::order::in_fixed_order;
use crate::{SurfaceError, SurfaceSettings};

/// Cubes along an edge of a subdomain, of which each thread holds one: 2 MB.
const SUBDOMAIN: u32 = 64;

/// Farthest coordinate, in cubes: cells of the grid are counted in 64 bits, those of the search for
/// neighbours in 32.
const MOST_CUBES: f64 = 1e6;

/// The surface of the field, closed, in an order that depends on the positions only.
///
/// Coordinates are in cubes meanwhile. With cubes of length 1 all corners of the grid are whole
/// numbers, so that the subdomains on both sides of a vertex compute it to the same bits, whichever
/// of them is asked; and the grid stands still in space, so that what rests does not flicker.
pub(crate) fn surface_of_field(
    points: &[DVec3],
    settings: &SurfaceSettings,
) -> Result<TriangleMesh, SurfaceError> {
    let cube = settings.spacing * settings.cube_size;
    let in_cubes = points.iter().map(|p| (*p / cube).to_array().into());
    let in_cubes: Vec<Vector3<f64>> = in_cubes.collect();
    let is_far = |p: &Vector3<f64>| p.iter().any(|c| !(-MOST_CUBES..=MOST_CUBES).contains(c));
    if let Some(particle) = in_cubes.iter().position(is_far) {
        let most = MOST_CUBES;
        return Err(SurfaceError::TooFar { particle, most });
    }
    let radius = 0.5 / settings.cube_size;
    let support = settings.support_radius / settings.cube_size;
    let parameters = Parameters {
        // Only without it is there a field that the number of threads does not change.
        spatial_decomposition: SpatialDecomposition::UniformGrid(GridDecompositionParameters {
            subdomain_num_cubes_per_dim: SUBDOMAIN,
            auto_disable: false,
        }),
        iso_surface_threshold: settings.threshold,
        // Vector instructions round in another way.
        enable_simd: false,
        ..Parameters::new(radius, support, 1.0)
    };
    let found = reconstruct_surface::<i64, f64>(&in_cubes, &parameters);
    let mesh = found
        .map_err(|e| SurfaceError::MarchingCubes(e.to_string()))?
        .mesh;
    let vertices = mesh.vertices.iter();
    Ok(in_fixed_order(&TriangleMesh {
        vertices: vertices.map(|v| DVec3::new(v.x, v.y, v.z) * cube).collect(),
        triangles: mesh.triangles.iter().map(|t| t.map(|i| i as u32)).collect(),
    }))
}
