//! A depth map: how far parallel light gets before it meets something.

use std::ops::RangeInclusive;

use glam::Vec3;

use crate::raster::{Facet, Geometry, Sphere};

/// Everything that casts a shadow.
pub(super) struct Casters<'a> {
    corners: &'a [Vec3; 8],
    spheres: Vec<&'a Sphere>,
    opaque: Vec<[Vec3; 3]>,
    glass: Vec<[Vec3; 3]>,
}

impl<'a> Casters<'a> {
    /// What is drawn, without things that have no end; spheres from the top down, because those
    /// hidden from lights above are then skipped early.
    pub fn new(geometry: &'a Geometry, corners: &'a [Vec3; 8], up: Vec3) -> Self {
        let mut spheres: Vec<&Sphere> = geometry.spheres.iter().collect();
        spheres.sort_by(|a, b| b.center.dot(up).total_cmp(&a.center.dot(up)));
        let with_end = |facets: &[Facet]| {
            let facets = facets.iter().filter(|f| !f.is_endless);
            facets.map(|f| f.corners).collect()
        };
        Self {
            corners,
            spheres,
            opaque: with_end(&geometry.opaque),
            glass: with_end(&geometry.glass),
        }
    }
}

/// Depth of the first thing along parallel light, for each texel.
#[derive(Debug)]
pub(super) struct LightMap {
    /// Direction to the light.
    pub toward: Vec3,
    across: Vec3,
    along: Vec3,
    /// Least coordinates (across, along, against the light) of the map [m].
    origin: Vec3,
    pub texels_per_metre: f32,
    pub columns: usize,
    pub rows: usize,
    /// Greatest depth of what casts shadows [m].
    pub reach: f32,
    /// Depth of each texel [m], infinite where nothing casts a shadow.
    pub depth: Vec<f32>,
}

/// The depth of a texel where nothing casts a shadow.
const OPEN: f32 = f32::INFINITY;
/// How far points are lifted off their surface before they are looked up, so that no surface
/// shadows itself [texels].
const LIFT: f32 = 1.6;

impl LightMap {
    /// The map of light from a direction, with `texels` along its longer side. `spare` is a buffer
    /// that is not needed any more, of any content.
    pub fn new(
        casters: &Casters,
        toward: Vec3,
        up: Vec3,
        texels: f32,
        has_glass: bool,
        spare: Vec<f32>,
    ) -> Self {
        let mut map = Self::empty(casters.corners, toward, up, texels, spare);
        for sphere in &casters.spheres {
            map.add_sphere(sphere);
        }
        for facet in &casters.opaque {
            map.add_facet(facet);
        }
        if has_glass {
            for facet in &casters.glass {
                map.add_facet(facet);
            }
        }
        map
    }

    fn empty(corners: &[Vec3; 8], toward: Vec3, up: Vec3, texels: f32, spare: Vec<f32>) -> Self {
        let across = toward
            .cross(up)
            .normalize_or(toward.any_orthonormal_vector());
        let along = toward.cross(across);
        let local = corners.map(|p| Vec3::new(p.dot(across), p.dot(along), -p.dot(toward)));
        let low = local.into_iter().fold(Vec3::INFINITY, Vec3::min);
        let high = local.into_iter().fold(Vec3::NEG_INFINITY, Vec3::max);
        let extent = (high - low).max(Vec3::splat(1e-12));
        let texels_per_metre = texels / extent.x.max(extent.y);
        let count = |length: f32| (length * texels_per_metre).ceil() as usize + 2;
        let (columns, rows) = (count(extent.x), count(extent.y));
        let border = Vec3::new(1.0, 1.0, 0.0) / texels_per_metre;
        let mut depth = spare;
        depth.clear();
        depth.resize(columns * rows, OPEN);
        Self {
            toward,
            across,
            along,
            origin: low - border,
            texels_per_metre,
            columns,
            rows,
            reach: extent.z,
            depth,
        }
    }

    /// Column, row and depth [m] of a point.
    #[inline]
    pub fn place(&self, p: Vec3) -> Vec3 {
        Vec3::new(
            (p.dot(self.across) - self.origin.x) * self.texels_per_metre,
            (p.dot(self.along) - self.origin.y) * self.texels_per_metre,
            -p.dot(self.toward) - self.origin.z,
        )
    }

    /// The share of light that reaches a point of a surface, between the four nearest texels.
    #[inline]
    pub fn lit_share(&self, point: Vec3, normal: Vec3) -> f32 {
        let lift = LIFT / self.texels_per_metre;
        let place = self.place(point + (normal + self.toward) * lift);
        let (x, y) = (place.x - 0.5, place.y - 0.5);
        let inside =
            x >= 0.0 && y >= 0.0 && x < (self.columns - 1) as f32 && y < (self.rows - 1) as f32;
        if !inside {
            return 1.0;
        }
        let (column, row) = (x as u32 as usize, y as u32 as usize);
        let (right, down) = (x - column as f32, y - row as f32);
        let at = row * self.columns + column;
        let (upper, lower) = (
            &self.depth[at..at + 2],
            &self.depth[at + self.columns..][..2],
        );
        let open = |texel: f32| if texel >= place.z { 1.0 } else { 0.0 };
        let top = open(upper[0]) * (1.0 - right) + open(upper[1]) * right;
        let bottom = open(lower[0]) * (1.0 - right) + open(lower[1]) * right;
        top * (1.0 - down) + bottom * down
    }

    /// True if the light reaches the middle of the lit side of a sphere.
    #[inline]
    pub fn is_sphere_lit(&self, sphere: &Sphere) -> bool {
        let place = self.place(sphere.center);
        let slack = 0.5 * sphere.radius + 1.0 / self.texels_per_metre;
        let (x, y) = (place.x, place.y);
        if x < 0.0 || y < 0.0 || x >= self.columns as f32 || y >= self.rows as f32 {
            return true;
        }
        let texel = self.depth[y as u32 as usize * self.columns + x as u32 as usize];
        texel >= place.z - sphere.radius - slack
    }

    fn add_sphere(&mut self, sphere: &Sphere) {
        let center = self.place(sphere.center);
        let metres_per_texel = 1.0 / self.texels_per_metre;
        let radius = (sphere.radius * self.texels_per_metre).max(0.5);
        let (Some(columns), Some(rows)) = (
            span(center.x, radius, self.columns),
            span(center.y, radius, self.rows),
        ) else {
            return;
        };
        let nearest = center.z - sphere.radius;
        if self.hides(center, [&columns, &rows], nearest) {
            return;
        }
        for row in rows {
            let dy = row as f32 + 0.5 - center.y;
            let rest = radius * radius - dy * dy;
            let line = &mut self.depth[row * self.columns..(row + 1) * self.columns];
            let first = *columns.start() as f32 + 0.5 - center.x;
            for (n, texel) in line[columns.clone()].iter_mut().enumerate() {
                let dx = first + n as f32;
                let inside = rest - dx * dx;
                let depth = center.z - inside.max(0.0).sqrt() * metres_per_texel;
                *texel = if inside > 0.0 {
                    depth.min(*texel)
                } else {
                    *texel
                };
            }
        }
    }

    /// True if the middle and the four ends of a sphere's texels are covered by something nearer.
    fn hides(
        &self,
        center: Vec3,
        [columns, rows]: [&RangeInclusive<usize>; 2],
        nearest: f32,
    ) -> bool {
        let column = (center.x as u32 as usize).clamp(*columns.start(), *columns.end());
        let row = (center.y as u32 as usize).clamp(*rows.start(), *rows.end());
        let is_covered = |x: usize, y: usize| self.depth[y * self.columns + x] < nearest;
        is_covered(column, row)
            && is_covered(*columns.start(), row)
            && is_covered(*columns.end(), row)
            && is_covered(column, *rows.start())
            && is_covered(column, *rows.end())
    }

    fn add_facet(&mut self, corners: &[Vec3; 3]) {
        let [a, b, c] = corners.map(|p| self.place(p));
        let area = (b - a).truncate().perp_dot((c - a).truncate());
        let low = a.min(b).min(c);
        let high = a.max(b).max(c);
        let middle = 0.5 * (low + high);
        let half = 0.5 * (high - low);
        let (Some(columns), Some(rows)) = (
            span(middle.x, half.x, self.columns),
            span(middle.y, half.y, self.rows),
        ) else {
            return;
        };
        if area.abs() < 1e-12 {
            return;
        }
        // Weights of the corners and the depth are linear: a value at the first texel, and a slope each way.
        let first = glam::Vec2::new(*columns.start() as f32 + 0.5, *rows.start() as f32 + 0.5);
        let per_area = 1.0 / area;
        let weight = |q: Vec3, r: Vec3| {
            let at_first = (q.truncate() - first).perp_dot(r.truncate() - first);
            Vec3::new(at_first, q.y - r.y, r.x - q.x) * per_area
        };
        let [wa, wb, wc] = [weight(b, c), weight(c, a), weight(a, b)];
        let depth = wa * a.z + wb * b.z + wc * c.z;
        for (down, row) in rows.enumerate() {
            let at_row = |w: Vec3| w.x + w.z * down as f32;
            let [a, b, c, depth_here] = [wa, wb, wc, depth].map(at_row);
            let line = &mut self.depth[row * self.columns..(row + 1) * self.columns];
            for (right, texel) in line[columns.clone()].iter_mut().enumerate() {
                let right = right as f32;
                let is_inside =
                    a + wa.y * right >= 0.0 && b + wb.y * right >= 0.0 && c + wc.y * right >= 0.0;
                if is_inside {
                    *texel = (depth_here + depth.y * right).min(*texel);
                }
            }
        }
    }
}

/// The texels whose middle may be within a radius of a coordinate.
fn span(center: f32, radius: f32, count: usize) -> Option<RangeInclusive<usize>> {
    let (low, high) = (center - radius, center + radius);
    if !(high >= 0.0 && low < count as f32) {
        return None;
    }
    Some(low.max(0.0) as u32 as usize..=(high as u32 as usize).min(count - 1))
}
