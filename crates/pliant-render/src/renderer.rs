//! A frame to a picture.

use glam::Vec3;
use pliant_core::measure::Frame;
use pliant_geometry::Aabb;
use rayon::prelude::*;

use crate::camera::{Camera, collider_bounds, particle_bounds};
use crate::coloring::{Coloring, particle_colors};
use crate::legend::{draw_caption, draw_legend};
use crate::lens::{Before, Lens};
use crate::lights::{Lights, SphereSky};
use crate::picture::Picture;
use crate::raster::{Geometry, TILE};
use crate::shading::{Finish, Scenery};
use crate::surfaces::SurfaceCache;
use crate::surroundings::{EnvironmentLight, Surroundings};
use crate::tiles::{Painter, Prepared};
use crate::tone::to_linear;
use crate::view::View;

/// What pictures look like.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Columns, 1 to 16384.
    pub width: u32,
    /// Rows, 1 to 16384.
    pub height: u32,
    /// What the colour of a particle shows.
    pub coloring: Coloring,
    /// Text at the upper left.
    pub title: Option<String>,
    /// True to write the simulated time at the lower left.
    pub shows_time: bool,
    /// True to draw the legend of a quantity.
    pub shows_legend: bool,
    /// Motion blur and depth of field.
    pub lens: Lens,
    /// What lights the scene in place of the usual lights.
    pub environment: Option<EnvironmentLight>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 720,
            coloring: Coloring::Body,
            title: None,
            shows_time: false,
            shows_legend: true,
            lens: Lens::default(),
            environment: None,
        }
    }
}

impl Settings {
    /// Refuses a size that no picture has.
    ///
    /// # Errors
    /// [`RenderError::Size`].
    pub fn check_size(&self) -> Result<(), RenderError> {
        let Self { width, height, .. } = *self;
        let is_possible = |side| (1..=LARGEST_SIDE).contains(&side);
        match is_possible(width) && is_possible(height) {
            true => Ok(()),
            false => Err(RenderError::Size { width, height }),
        }
    }
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RenderError {
    /// The frame does not have the quantity to be shown.
    #[error("no quantity is called '{name}'; this run has: {known}")]
    UnknownQuantity {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The picture would have no pixels or too many.
    #[error("a picture of {width} x {height} pixels cannot be made; both must be 1 to 16384")]
    Size {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
}

/// Makes pictures; keeps the colliders' triangles and the memory of the lights between frames.
#[derive(Debug, Default)]
pub struct Renderer {
    /// What pictures look like; may change between frames.
    pub settings: Settings,
    surfaces: SurfaceCache,
    light_buffers: Vec<Vec<f32>>,
    /// The last picture's, if what moves is blurred.
    pub(crate) before: Option<Before>,
}

const LARGEST_SIDE: u32 = 16_384;

impl Renderer {
    /// A renderer with these settings.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            surfaces: SurfaceCache::default(),
            light_buffers: Vec::new(),
            before: None,
        }
    }

    /// The picture of a frame.
    ///
    /// Particles whose position is not finite are left out. Colliders are blurred by the way that they have come since
    /// the last picture, particles by their velocities.
    ///
    /// # Errors
    /// [`RenderError`] for a quantity that the frame lacks or a size that no picture has.
    pub fn render(&mut self, frame: &Frame, camera: &Camera) -> Result<Picture, RenderError> {
        let lens = self.settings.lens;
        if lens.is_pinhole() {
            return self.render_sharp(frame, &self.view(camera)?);
        }
        let picture = self.render_through(frame, camera)?;
        self.before = (lens.shutter > 0.0).then(|| Before::of(frame));
        Ok(picture)
    }

    /// What a camera sees in pictures of the size that is set.
    pub(crate) fn view(&self, camera: &Camera) -> Result<View, RenderError> {
        self.settings.check_size()?;
        let Settings { width, height, .. } = self.settings;
        Ok(View::new(camera, width, height))
    }

    /// The picture of a frame at its time through a pinhole.
    pub(crate) fn render_sharp(
        &mut self,
        frame: &Frame,
        view: &View,
    ) -> Result<Picture, RenderError> {
        let (colors, legend) = particle_colors(frame, &self.settings.coloring)?;
        let bounds = shadow_bounds(frame);
        let extent = bounds.extent().max_element();
        let surfaces = self
            .surfaces
            .surfaces(frame.colliders, extent, bounds.center());
        let spare = std::mem::take(&mut self.light_buffers);
        let geometry = Geometry::new(frame, &surfaces, view);
        let corners = bounds.corners().map(|p| view.to_view(p));
        let surroundings = Surroundings::new(view, self.settings.environment.as_ref());
        let lights = Lights::new(&geometry, &corners, surroundings, spare);
        let mut picture = paint(frame, geometry, &lights, &colors, &bounds, view);
        self.light_buffers = lights.into_buffers();
        if let (Some(legend), true) = (legend, self.settings.shows_legend) {
            draw_legend(&mut picture, &legend);
        }
        let time = self.settings.shows_time.then_some(frame.time);
        draw_caption(&mut picture, self.settings.title.as_deref(), time);
        Ok(picture)
    }
}

/// The box of everything that casts shadows: nearly all particles and what colliders with an end
/// have near them.
fn shadow_bounds(frame: &Frame) -> Aabb {
    let largest = frame.radius.iter().copied().fold(0.0, f32::max);
    let particles = particle_bounds(frame.position);
    let is_empty = particles.min.x > particles.max.x;
    let margin = 2.0 * f64::from(largest);
    let near = particles.grown(margin + 1.5 * particles.extent().max_element());
    let bounds = frame
        .colliders
        .iter()
        .filter(|c| c.opacity > 0.0)
        .filter_map(collider_bounds)
        .map(|b| if is_empty { b } else { common_part(b, near) })
        .filter(|b| b.min.cmple(b.max).all())
        .fold(particles, Aabb::union);
    let is_usable = bounds.extent().is_finite() && bounds.min.cmple(bounds.max).all();
    if is_usable {
        bounds.grown(margin.max(1e-3 * bounds.extent().max_element()).max(1e-9))
    } else {
        Aabb::around([pliant_math::DVec3::ZERO]).grown(1.0)
    }
}

fn common_part(a: Aabb, b: Aabb) -> Aabb {
    Aabb {
        min: a.min.max(b.min),
        max: a.max.min(b.max),
    }
}

fn paint(
    frame: &Frame,
    geometry: Geometry,
    lights: &Lights,
    colors: &[Vec3],
    bounds: &Aabb,
    view: &View,
) -> Picture {
    let prepared = Prepared::new(geometry, view);
    let sky_on_spheres: Vec<SphereSky> = prepared
        .geometry
        .spheres
        .par_iter()
        .map(|sphere| lights.sky_on_sphere(sphere))
        .collect();
    let finishes = finishes(frame);
    let painter = Painter {
        view,
        prepared: &prepared,
        scenery: Scenery {
            lights,
            particle_colors: colors,
            sky_on_spheres: &sky_on_spheres,
            finishes: &finishes,
            center: view.to_view(bounds.center()),
            has_endless_ground: prepared.geometry.opaque.iter().any(|f| f.is_endless),
            extent: bounds.extent().max_element() as f32,
        },
    };
    assemble(&painter, view)
}

/// The finishes of colliders, then of bodies.
fn finishes(frame: &Frame) -> Vec<Finish> {
    let colliders = frame.colliders.iter();
    let colliders = colliders.map(|c| Finish::of_collider(to_linear(c.color), c.opacity, c.gloss));
    let bodies = frame.bodies.iter();
    let bodies = bodies.map(|body| Finish::of_body(to_linear(body.color), body.look));
    colliders.chain(bodies).collect()
}

/// Paints all tiles, rows of tiles in parallel, and puts them together.
fn assemble(painter: &Painter, view: &View) -> Picture {
    let (width, height) = (view.width, view.height);
    let mut picture = Picture::filled(width, height, [0; 3]);
    let columns = width.div_ceil(TILE);
    let tiles: Vec<Vec<u8>> = (0..columns * height.div_ceil(TILE))
        .into_par_iter()
        .map(|n| painter.paint(n % columns, n / columns))
        .collect();
    for (n, tile) in tiles.iter().enumerate() {
        let left = (n as u32 % columns) * TILE;
        let top = (n as u32 / columns) * TILE;
        let tile_width = TILE.min(width - left) as usize;
        for (row, bytes) in tile.chunks_exact(3 * tile_width).enumerate() {
            let at = 3 * ((top as usize + row) * width as usize + left as usize);
            picture.rgb[at..at + bytes.len()].copy_from_slice(bytes);
        }
    }
    picture
}
