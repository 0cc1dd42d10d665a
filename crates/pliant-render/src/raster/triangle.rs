//! Triangles: exact hits of rays, also for triangles that reach behind the camera.

use glam::{DVec3, Vec3};

use super::bins::{PixelBox, pixel_box};
use super::{Facet, SAMPLE_OFFSETS, SAMPLES, Tile};
use crate::view::View;

/// A triangle prepared for rays from the origin.
///
/// The ray along d passes inside when d·(b × c), d·(c × a) and d·(a × b) have one sign; triangles
/// that share an edge compute it from the same numbers, so no ray slips between them or counts twice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RayTest {
    edges: [Vec3; 3],
    normal: Vec3,
    offset: f32,
    near: f32,
    /// The pixels it may cover.
    pub pixels: PixelBox,
}

impl RayTest {
    /// `None` for a triangle seen edge-on or outside the picture.
    pub fn new(facet: &Facet, view: &View) -> Option<Self> {
        let pixels = screen_bounds(&facet.corners, view)?;
        let [a, b, c] = facet.corners.map(|p| p.as_dvec3());
        let volume = a.dot(b.cross(c));
        let size = a.length() * b.length() * c.length();
        if volume.abs() <= 1e-14 * size {
            return None;
        }
        let sign = volume.signum();
        let normal: DVec3 = (b - a).cross(c - a);
        Some(Self {
            edges: [b.cross(c), c.cross(a), a.cross(b)].map(|e| (e * sign).as_vec3()),
            normal: normal.as_vec3(),
            offset: a.dot(normal) as f32,
            near: view.near,
            pixels,
        })
    }

    /// Distance z at each sample of the pixel whose corner looks along `corner`, infinite for a miss.
    #[inline]
    pub fn sample_depths(&self, corner: Vec3, focal: f32) -> [f32; SAMPLES] {
        let step = 1.0 / focal;
        let mut depth = [f32::INFINITY; SAMPLES];
        for k in 0..SAMPLES {
            let x = corner.x + SAMPLE_OFFSETS[k][0] * step;
            let y = corner.y - SAMPLE_OFFSETS[k][1] * step;
            let is_inside = self.edges.iter().all(|e| is_on_inner_side(*e, x, y));
            let z = self.offset / (x * self.normal.x + y * self.normal.y + self.normal.z);
            depth[k] = if is_inside && z > self.near {
                z
            } else {
                f32::INFINITY
            };
        }
        depth
    }

    /// Distance z of the triangle's plane along a ray (x, y, 1).
    #[inline]
    pub fn plane_depth(&self, ray: Vec3) -> f32 {
        self.offset / ray.dot(self.normal)
    }

    /// Weights of the corners where a ray passes, but for a common factor.
    #[inline]
    pub fn weights(&self, ray: Vec3) -> [f32; 3] {
        self.edges.map(|e| e.dot(ray).max(0.0))
    }

    /// The unit normal where a ray passes, between those of the corners.
    #[inline]
    pub fn smooth_normal(&self, normals: &[Vec3; 3], ray: Vec3) -> Vec3 {
        let weight = self.weights(ray);
        (normals[0] * weight[0] + normals[1] * weight[1] + normals[2] * weight[2])
            .normalize_or(normals[0])
    }

    /// True if no ray of the tile passes inside: its four corners are beyond one edge.
    pub fn misses(&self, tile: &Tile, view: &View) -> bool {
        let [left, top] = tile.corner.map(|p| p as f32);
        let [right, bottom] = [left + tile.size[0] as f32, top + tile.size[1] as f32];
        let corners = [[left, top], [right, top], [left, bottom], [right, bottom]];
        let rays = corners.map(|[x, y]| view.ray(x, y));
        self.edges
            .iter()
            .any(|e| rays.iter().all(|ray| e.dot(*ray) < 0.0))
    }
}

/// A ray exactly on an edge belongs to one of the two triangles that share it.
#[inline(always)]
fn is_on_inner_side(edge: Vec3, x: f32, y: f32) -> bool {
    let side = edge.x * x + edge.y * y + edge.z;
    side > 0.0 || (side == 0.0 && (edge.x > 0.0 || (edge.x == 0.0 && edge.y > 0.0)))
}

/// The pixels around the part of a triangle before the near plane.
fn screen_bounds(corners: &[Vec3; 3], view: &View) -> Option<PixelBox> {
    let mut low = [f32::INFINITY; 2];
    let mut high = [f32::NEG_INFINITY; 2];
    for i in 0..3 {
        let (p, q) = (corners[i], corners[(i + 1) % 3]);
        let is_before = p.z > view.near;
        let crossing = (is_before != (q.z > view.near))
            .then(|| p.lerp(q, (view.near - p.z) / (q.z - p.z)).with_z(view.near));
        for point in is_before.then_some(p).into_iter().chain(crossing) {
            let (x, y) = view.pixel_of(point);
            low = [low[0].min(x), low[1].min(y)];
            high = [high[0].max(x), high[1].max(y)];
        }
    }
    let is_visible = low[0] <= high[0];
    if !is_visible {
        return None;
    }
    pixel_box(low, high, view.width, view.height)
}
