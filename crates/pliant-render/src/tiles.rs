//! A tile of the picture: what its samples see, and its colours.

use glam::{Vec3, Vec4};

use crate::lights::Care;
use crate::raster::{Bins, Geometry, RayTest, SAMPLE_OFFSETS, SAMPLES, Seen, Tile, screen_bounds};
use crate::shading::{GlassLayer, Scenery};
use crate::tone;
use crate::view::View;

/// What is drawn, prepared for rays and sorted into tiles.
pub(crate) struct Prepared {
    /// Spheres from near to far, triangles in the order of their colliders.
    pub geometry: Geometry,
    sphere_boxes: Vec<Option<[u32; 4]>>,
    sphere_bins: Bins,
    opaque: Triangles,
    glass: Triangles,
}

struct Triangles {
    tests: Vec<Option<RayTest>>,
    bins: Bins,
}

impl Prepared {
    /// Sorts spheres from near to far, so that hidden ones are skipped early, and bins everything.
    pub fn new(mut geometry: Geometry, view: &View) -> Self {
        geometry.spheres.sort_by(|a, b| {
            let order = a.center.z.total_cmp(&b.center.z);
            order.then(a.particle.cmp(&b.particle))
        });
        let sphere_boxes: Vec<Option<[u32; 4]>> = geometry
            .spheres
            .iter()
            .map(|s| screen_bounds(s, view))
            .collect();
        let prepare = |facets: &[crate::raster::Facet]| {
            let tests: Vec<Option<RayTest>> =
                facets.iter().map(|f| RayTest::new(f, view)).collect();
            let boxes: Vec<Option<[u32; 4]>> = tests.iter().map(|t| t.map(|t| t.pixels)).collect();
            Triangles {
                bins: Bins::new(view.width, view.height, &boxes),
                tests,
            }
        };
        Self {
            sphere_bins: Bins::new(view.width, view.height, &sphere_boxes),
            sphere_boxes,
            opaque: prepare(&geometry.opaque),
            glass: prepare(&geometry.glass),
            geometry,
        }
    }

    /// What the samples of a tile see.
    pub fn see(&self, column: u32, row: u32, view: &View) -> Tile {
        let mut tile = Tile::new(column, row, view.width, view.height);
        for index in self.sphere_bins.of_tile(column, row) {
            let sphere = &self.geometry.spheres[*index as usize];
            if let Some(pixels) = self.sphere_boxes[*index as usize] {
                tile.draw_sphere(*index, sphere, pixels, view);
            }
        }
        for index in self.opaque.bins.of_tile(column, row) {
            let Some(test) = &self.opaque.tests[*index as usize] else {
                continue;
            };
            draw_facet(&mut tile, *index, test, view);
        }
        tile
    }
}

fn draw_facet(tile: &mut Tile, index: u32, test: &RayTest, view: &View) {
    if test.misses(tile, view) {
        return;
    }
    for (pixel, x, y) in tile.pixels_in(test.pixels) {
        let depth = test.sample_depths(view.ray(x as f32, y as f32), view.focal);
        tile.keep_nearer(pixel, &depth, Seen::facet(index));
    }
}

/// Edges of blocks of pixels that may share the light of the sky.
const LARGEST_BLOCK: u32 = 8;
const SMALLEST_BLOCK: u32 = 4;
/// The greatest difference of sky light in such a block.
const EVEN: f32 = 0.04;

/// Light through the layers of glass before a pixel: share that passes, and light added.
#[derive(Clone, Copy, Debug)]
struct Glazing {
    passed: f32,
    glow: Vec3,
}

const CLEAR: Glazing = Glazing {
    passed: 1.0,
    glow: Vec3::ZERO,
};

/// Colours tiles.
pub(crate) struct Painter<'a> {
    /// Where the camera is.
    pub view: &'a View,
    /// What there is to see.
    pub prepared: &'a Prepared,
    /// Light and colours.
    pub scenery: Scenery<'a>,
}

impl Painter<'_> {
    /// The sRGB bytes of a tile, row by row.
    pub fn paint(&self, column: u32, row: u32) -> Vec<u8> {
        let tile = self.prepared.see(column, row, self.view);
        let glazing = self.glazing(column, row, &tile);
        let sky = self.even_sky(&tile);
        let mut bytes = Vec::with_capacity(3 * tile.depth.len());
        for pixel in 0..tile.depth.len() {
            let x = tile.corner[0] + pixel as u32 % tile.size[0];
            let y = tile.corner[1] + pixel as u32 / tile.size[0];
            let mut light = self.opaque_light(&tile.seen[pixel], x, y, sky[pixel]);
            if let Some(glazing) = glazing.get(pixel) {
                light = light * glazing.passed + glazing.glow;
            }
            bytes.extend(tone::to_bytes(light, x, y));
        }
        bytes
    }

    /// Mean light of a pixel's samples; samples that see the same thing are shaded once.
    fn opaque_light(&self, seen: &[Seen; SAMPLES], x: u32, y: u32, sky: Option<Vec4>) -> Vec3 {
        if seen.iter().all(|other| *other == seen[0]) {
            // The samples' mean place is the pixel's middle.
            let ray = self.view.ray(x as f32 + 0.5, y as f32 + 0.5);
            return tone::compress_highlights(self.light_of(seen[0], ray, sky, Care::Full));
        }
        let mut is_done = [false; SAMPLES];
        let mut sum = Vec3::ZERO;
        for k in 0..SAMPLES {
            if is_done[k] {
                continue;
            }
            let mut middle = [0.0; 2];
            let mut count = 0.0;
            for other in k..SAMPLES {
                if seen[other] == seen[k] {
                    is_done[other] = true;
                    middle[0] += SAMPLE_OFFSETS[other][0];
                    middle[1] += SAMPLE_OFFSETS[other][1];
                    count += 1.0;
                }
            }
            let ray = self
                .view
                .ray(x as f32 + middle[0] / count, y as f32 + middle[1] / count);
            let care = if 2.0 * count > SAMPLES as f32 {
                Care::Full
            } else {
                Care::Half
            };
            let light = self.light_of(seen[k], ray, sky, care);
            sum += count * tone::compress_highlights(light);
        }
        sum / SAMPLES as f32
    }

    fn light_of(&self, seen: Seen, ray: Vec3, sky: Option<Vec4>, care: Care) -> Vec3 {
        let geometry = &self.prepared.geometry;
        if let Some(index) = seen.as_sphere() {
            let sphere = &geometry.spheres[index];
            return self.scenery.sphere(index, sphere, ray, care);
        }
        let facet = seen.as_facet();
        match facet.and_then(|index| Some((index, self.prepared.opaque.tests[index].as_ref()?))) {
            Some((index, test)) => {
                let facet = &geometry.opaque[index];
                self.scenery.facet(facet, test, ray, sky, care)
            }
            None => self.scenery.background(ray),
        }
    }

    /// Light of the sky at each pixel in blocks that see one collider and in which it changes little:
    /// taken between the block's corners, because asking the sky is the dearest step of shading.
    fn even_sky(&self, tile: &Tile) -> Vec<Option<Vec4>> {
        let mut sky = vec![None; tile.depth.len()];
        for top in (0..tile.size[1]).step_by(LARGEST_BLOCK as usize) {
            for left in (0..tile.size[0]).step_by(LARGEST_BLOCK as usize) {
                self.even_sky_in(&mut sky, tile, [left, top], LARGEST_BLOCK);
            }
        }
        sky
    }

    /// Fills in a square block, or its quarters if it is not even enough.
    fn even_sky_in(&self, sky: &mut [Option<Vec4>], tile: &Tile, [left, top]: [u32; 2], edge: u32) {
        if let Some(corners) = self.even_corners(tile, [left, top], edge) {
            for (x, y) in (0..edge * edge).map(|n| (n % edge, n / edge)) {
                let pixel = ((top + y) * tile.size[0] + left + x) as usize;
                sky[pixel] = Some(between(&corners, x, y, edge));
            }
            return;
        }
        if edge > SMALLEST_BLOCK {
            let half = edge / 2;
            for (x, y) in [(0, 0), (half, 0), (0, half), (half, half)] {
                self.even_sky_in(sky, tile, [left + x, top + y], half);
            }
        }
    }

    /// Sky light at the corner pixels of a block, if the block sees one collider and they differ little.
    fn even_corners(&self, tile: &Tile, [left, top]: [u32; 2], edge: u32) -> Option<[Vec4; 4]> {
        if left + edge > tile.size[0] || top + edge > tile.size[1] {
            return None;
        }
        let at = |x: u32, y: u32| ((top + y) * tile.size[0] + left + x) as usize;
        let facets = &self.prepared.geometry.opaque;
        let collider_of = |seen: Seen| seen.as_facet().map(|index| facets[index].collider);
        let collider = collider_of(tile.seen[at(0, 0)][0])?;
        let is_one = (0..edge * edge).all(|n| {
            let seen = &tile.seen[at(n % edge, n / edge)];
            seen.iter().all(|s| collider_of(*s) == Some(collider))
        });
        if !is_one {
            return None;
        }
        let last = edge - 1;
        let mut corners = [Vec4::ZERO; 4];
        for (value, (x, y)) in corners
            .iter_mut()
            .zip([(0, 0), (last, 0), (0, last), (last, last)])
        {
            let index = tile.seen[at(x, y)][0].as_facet()?;
            let test = self.prepared.opaque.tests[index].as_ref()?;
            let [column, row] = [tile.corner[0] + left + x, tile.corner[1] + top + y];
            let ray = self.view.ray(column as f32 + 0.5, row as f32 + 0.5);
            *value = self.scenery.sky_on_facet(&facets[index], test, ray);
        }
        let most = corners.iter().fold(Vec4::ZERO, |m, c| m.max(*c));
        let least = corners.iter().fold(Vec4::INFINITY, |m, c| m.min(*c));
        ((most - least).max_element() < EVEN).then_some(corners)
    }

    /// The glass before each pixel, empty if there is none.
    fn glazing(&self, column: u32, row: u32, tile: &Tile) -> Vec<Glazing> {
        let glass = &self.prepared.glass;
        let indices = glass.bins.of_tile(column, row);
        if indices.is_empty() {
            return Vec::new();
        }
        let mut glazing = vec![CLEAR; tile.depth.len()];
        for index in indices {
            let facet = &self.prepared.geometry.glass[*index as usize];
            let Some(test) = &glass.tests[*index as usize] else {
                continue;
            };
            for (pixel, x, y) in tile.pixels_in(test.pixels) {
                let corner = self.view.ray(x as f32, y as f32);
                let depth = test.sample_depths(corner, self.view.focal);
                let visible = (0..SAMPLES).filter(|k| depth[*k] < tile.depth[pixel][*k]);
                let share = visible.count() as f32 / SAMPLES as f32;
                if share > 0.0 {
                    let ray = self.view.ray(x as f32 + 0.5, y as f32 + 0.5);
                    let layer = self.scenery.glass(facet, test, ray);
                    add_layer(&mut glazing[pixel], layer, share);
                }
            }
        }
        glazing
    }
}

/// The value at a pixel of a block between those at its corners.
fn between(corners: &[Vec4; 4], x: u32, y: u32, edge: u32) -> Vec4 {
    let last = (edge - 1) as f32;
    let (right, down) = (x as f32 / last, y as f32 / last);
    let top = corners[0] + right * (corners[1] - corners[0]);
    let bottom = corners[2] + right * (corners[3] - corners[2]);
    top + down * (bottom - top)
}

/// Adds a layer that covers a share of the pixel. Layers come in no order of depth: each one's glow
/// is dimmed by half of what the others absorb, which is right for pairs of equal layers.
fn add_layer(glazing: &mut Glazing, layer: GlassLayer, share: f32) {
    let passed = 1.0 - share * (1.0 - layer.passed);
    glazing.glow =
        glazing.glow * (0.5 + 0.5 * passed) + layer.glow * share * (0.5 + 0.5 * glazing.passed);
    glazing.passed *= passed;
}
