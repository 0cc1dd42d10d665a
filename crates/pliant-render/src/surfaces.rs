//! Colliders as triangles with a normal at every corner, kept between frames.

use std::sync::Arc;

use pliant_core::measure::FrameCollider;
use pliant_geometry::{Shape, TriangleMesh};
use pliant_math::DVec3;

/// Edges sharper than this are drawn as edges [cosine of the angle between normals]: 35 degrees.
pub(crate) const CREASE: f64 = 0.82;

/// A collider's triangles in local coordinates.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Corner positions of each triangle [m].
    pub corners: Vec<[DVec3; 3]>,
    /// Unit normals at the corners.
    pub normals: Vec<[DVec3; 3]>,
}

/// The surfaces of a run's colliders, made once.
#[derive(Debug, Default)]
pub struct SurfaceCache {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    shape: Arc<dyn Shape>,
    size: f64,
    surface: Arc<Surface>,
}

impl SurfaceCache {
    /// The surfaces of the colliders, in their order; `None` for one that is not drawn.
    ///
    /// * `extent` — largest edge of the scene's bounds [m].
    /// * `center` — middle of the scene's bounds [m].
    ///
    /// A surface is made again when the shape is another one, or when a shape without end must
    /// reach twice as far as before.
    pub fn surfaces(
        &mut self,
        colliders: &[FrameCollider],
        extent: f64,
        center: DVec3,
    ) -> Vec<Option<Arc<Surface>>> {
        let mut old = std::mem::take(&mut self.entries).into_iter();
        colliders
            .iter()
            .map(|collider| {
                let entry = kept_or_made(old.next(), collider, extent, center);
                let surface = Arc::clone(&entry.surface);
                self.entries.push(entry);
                (collider.opacity > 0.0).then_some(surface)
            })
            .collect()
    }
}

/// How many times the scene's extent a shape without end is drawn.
const ENDLESS: f64 = 60.0;

fn kept_or_made(old: Option<Entry>, collider: &FrameCollider, extent: f64, center: DVec3) -> Entry {
    let is_endless = collider.shape.bounds().is_none();
    let needed = if is_endless {
        ENDLESS * extent + collider.pose.translation.distance(center)
    } else {
        extent
    };
    if let Some(entry) = old {
        let is_same = Arc::ptr_eq(&entry.shape, &collider.shape);
        let is_far_enough = !is_endless || needed <= 2.0 * entry.size;
        if is_same && is_far_enough {
            return entry;
        }
    }
    let surface = match collider.opacity > 0.0 {
        true => Surface::new(&collider.shape.surface(needed)),
        false => Surface::default(),
    };
    Entry {
        shape: Arc::clone(&collider.shape),
        size: needed,
        surface: Arc::new(surface),
    }
}

impl Surface {
    /// Triangles of a mesh with normals that are smooth except across creases.
    ///
    /// Triangles without area and such that name corners that do not exist are left out.
    pub fn new(mesh: &TriangleMesh) -> Self {
        let faces = faces(mesh);
        let welded = welded_vertices(&mesh.vertices);
        let around = faces_around(&faces, &welded);
        let corner_normal = |face: &Face, corner: usize| {
            let vertex = welded[face.vertices[corner] as usize] as usize;
            smooth_normal(face, around[vertex].iter().map(|f| &faces[*f as usize]))
        };
        Self {
            corners: faces.iter().map(|f| f.corners).collect(),
            normals: faces
                .iter()
                .map(|f| std::array::from_fn(|corner| corner_normal(f, corner)))
                .collect(),
        }
    }
}

struct Face {
    vertices: [u32; 3],
    corners: [DVec3; 3],
    normal: DVec3,
    area: f64,
}

fn faces(mesh: &TriangleMesh) -> Vec<Face> {
    let corner = |i: u32| mesh.vertices.get(i as usize).copied();
    mesh.triangles
        .iter()
        .filter_map(|vertices| {
            let corners = [
                corner(vertices[0])?,
                corner(vertices[1])?,
                corner(vertices[2])?,
            ];
            let doubled = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            Some(Face {
                vertices: *vertices,
                corners,
                normal: doubled.try_normalize()?,
                area: 0.5 * doubled.length(),
            })
        })
        .collect()
}

/// For each vertex the first one at exactly the same place, so that seams of a mesh do not show.
fn welded_vertices(vertices: &[DVec3]) -> Vec<u32> {
    let key = |i: u32| vertices[i as usize].to_array().map(|c| (c + 0.0).to_bits());
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.sort_by_key(|i| (key(*i), *i));
    let mut welded = vec![0; vertices.len()];
    let mut first = 0;
    for (n, i) in order.iter().enumerate() {
        if n == 0 || key(*i) != key(first) {
            first = *i;
        }
        welded[*i as usize] = first;
    }
    welded
}

fn faces_around(faces: &[Face], welded: &[u32]) -> Vec<Vec<u32>> {
    let mut around = vec![Vec::new(); welded.len()];
    for (f, face) in faces.iter().enumerate() {
        for vertex in face.vertices {
            around[welded[vertex as usize] as usize].push(f as u32);
        }
    }
    around
}

/// Mean normal of the neighbouring faces that are not across a crease, weighted by area.
fn smooth_normal<'a>(face: &Face, neighbours: impl Iterator<Item = &'a Face>) -> DVec3 {
    neighbours
        .filter(|other| other.normal.dot(face.normal) > CREASE)
        .map(|other| other.normal * other.area)
        .sum::<DVec3>()
        .normalize_or(face.normal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_scene;

    #[test]
    fn box_keeps_flat_faces_and_ball_gets_smooth_ones() {
        let flat = Surface::new(&test_scene::Block(DVec3::ONE).surface(1.0));
        for normals in &flat.normals {
            assert!(normals.iter().all(|n| n.abs().max_element() > 0.999_999));
        }
        let smooth = Surface::new(&test_scene::Ball(2.0).surface(1.0));
        for (corners, normals) in smooth.corners.iter().zip(&smooth.normals) {
            for (p, n) in corners.iter().zip(normals) {
                assert!(n.dot(p.normalize()) > 0.99);
            }
        }
    }

    #[test]
    fn surface_is_made_once_while_only_the_pose_changes() {
        let mut cache = SurfaceCache::default();
        let mut colliders = vec![test_scene::floor(0.0)];
        let first = cache.surfaces(&colliders, 1.0, DVec3::ZERO);
        colliders[0].pose.translation = DVec3::new(0.1, 0.0, 0.0);
        let second = cache.surfaces(&colliders, 1.0, DVec3::ZERO);
        let (Some(a), Some(b)) = (&first[0], &second[0]) else {
            panic!("a drawn collider has a surface");
        };
        assert!(Arc::ptr_eq(a, b));
        colliders[0].opacity = 0.0;
        assert!(cache.surfaces(&colliders, 1.0, DVec3::ZERO)[0].is_none());
    }

    #[test]
    fn degenerate_triangles_are_left_out() {
        let mesh = TriangleMesh {
            vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y],
            triangles: vec![[0, 1, 2], [0, 0, 1], [0, 1, 9]],
        };
        assert_eq!(Surface::new(&mesh).corners.len(), 1);
    }
}
