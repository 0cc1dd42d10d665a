//! A moment as the page draws it, in bytes.
//!
//! Little-endian: 32-bit numbers of the frame, of places, of triangles and of corners of walls; the time [s] and zero
//! for the future, in 64 bits each; then the columns. Places are `x, y, z, radius` in 32-bit floating-point numbers,
//! colours red, green, blue and opacity in bytes. The opacity of a place is zero if it is no sphere but a corner of
//! triangles.

use pliant_math::DVec3;
use pliant_render::SurfaceCache;

use crate::live::Snapshot;

/// The largest edge of what is shown, and its middle [m]: floors reach as far.
pub(super) type Reach = (f64, DVec3);

/// The bytes of a moment.
pub(super) fn of(shown: &Snapshot, walls: &mut SurfaceCache, reach: Reach) -> Vec<u8> {
    let (corners, corner_colors) = walls_of(shown, walls, reach);
    let count = shown.spheres.len() + shown.vertices.len();
    let mut bytes =
        Vec::with_capacity(32 + 20 * count + 12 * shown.triangles.len() + 16 * corners.len());
    let counts = [count, shown.triangles.len(), corners.len()].map(|n| n as u32);
    for number in [shown.frame].into_iter().chain(counts) {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(shown.time.to_le_bytes());
    bytes.extend(0u64.to_le_bytes());
    let vertices = shown.vertices.iter().map(|&[x, y, z]| [x, y, z, 0.0]);
    let places = shown.spheres.iter().copied().chain(vertices);
    bytes.extend(places.flatten().flat_map(f32::to_le_bytes));
    let of_vertices = shown.vertex_colors.iter().map(|&[r, g, b, _]| [r, g, b, 0]);
    let colors = shown.sphere_colors.iter().copied().chain(of_vertices);
    bytes.extend(colors.flatten());
    let first = shown.spheres.len() as u32;
    let triangles = shown
        .triangles
        .iter()
        .flatten()
        .map(|&corner| corner + first);
    bytes.extend(triangles.flat_map(u32::to_le_bytes));
    bytes.extend(corners.into_iter().flatten().flat_map(f32::to_le_bytes));
    bytes.extend(corner_colors.into_iter().flatten());
    bytes
}

/// Corners of the triangles of colliders and rigid bodies where they are, and their colours.
fn walls_of(
    shown: &Snapshot,
    walls: &mut SurfaceCache,
    (extent, center): Reach,
) -> (Vec<[f32; 3]>, Vec<[u8; 4]>) {
    let (mut corners, mut colors) = (Vec::new(), Vec::new());
    let surfaces = walls.surfaces(&shown.colliders, extent, center);
    for (collider, surface) in shown.colliders.iter().zip(surfaces) {
        let Some(surface) = surface else { continue };
        let local = surface.corners.iter().flatten();
        let placed = local.map(|&corner| collider.pose.to_world(corner));
        corners.extend(placed.map(|x| x.as_vec3().to_array()));
        let [r, g, b] = collider.color;
        let color = [r, g, b, collider.opacity].map(|part| (255.0 * part).round() as u8);
        colors.resize(corners.len(), color);
    }
    (corners, colors)
}
