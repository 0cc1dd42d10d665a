//! A moment as the page draws it, in bytes.
//!
//! Little-endian: 32-bit numbers of the frame, of places, of triangles and of corners of walls; the time [s] in 64
//! bits; 32-bit numbers of the first corner of rigid bodies among those of walls, and of how many there are; then the
//! columns. Places are `x, y, z, radius` in 32-bit floating-point numbers,
//! colours red, green, blue and opacity in bytes. The opacity of a place is zero if it is no sphere but a corner of
//! triangles.

use std::ops::Range;

use pliant_core::measure::SceneryKind;
use pliant_math::DVec3;
use pliant_render::SurfaceCache;

use crate::live::Snapshot;

/// The largest edge of what is shown, and its middle [m]: floors reach as far.
pub(super) type Reach = (f64, DVec3);

/// The bytes of a moment.
pub(super) fn of(shown: &Snapshot, walls: &mut SurfaceCache, reach: Reach) -> Vec<u8> {
    let Walls {
        corners,
        colors: corner_colors,
        rigid,
    } = walls_of(shown, walls, reach);
    let count = shown.spheres.len() + shown.vertices.len();
    let mut bytes =
        Vec::with_capacity(32 + 20 * count + 12 * shown.triangles.len() + 16 * corners.len());
    let counts = [count, shown.triangles.len(), corners.len()].map(|n| n as u32);
    for number in [shown.frame].into_iter().chain(counts) {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(shown.time.to_le_bytes());
    for number in [rigid.start, rigid.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
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

/// Triangles of colliders and rigid bodies.
#[derive(Default)]
struct Walls {
    /// Their corners, where they are.
    corners: Vec<[f32; 3]>,
    /// Of each corner.
    colors: Vec<[u8; 4]>,
    /// The corners of rigid bodies, which come after those of colliders.
    rigid: Range<usize>,
}

fn walls_of(shown: &Snapshot, walls: &mut SurfaceCache, (extent, center): Reach) -> Walls {
    let mut found = Walls::default();
    let surfaces = walls.surfaces(&shown.colliders, extent, center);
    for (collider, surface) in shown.colliders.iter().zip(surfaces) {
        let Some(surface) = surface else { continue };
        let local = surface.corners.iter().flatten();
        let placed = local.map(|&corner| collider.pose.to_world(corner));
        let first = found.corners.len();
        found.corners.extend(placed.map(|x| x.as_vec3().to_array()));
        if collider.kind == SceneryKind::RigidBody {
            if found.rigid.is_empty() {
                found.rigid.start = first;
            }
            found.rigid.end = found.corners.len();
        }
        let [r, g, b] = collider.color;
        let color = [r, g, b, collider.opacity].map(|part| (255.0 * part).round() as u8);
        found.colors.resize(found.corners.len(), color);
    }
    found
}
