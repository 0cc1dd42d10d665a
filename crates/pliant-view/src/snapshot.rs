//! What a picture of a moment needs, in numbers that a graphics card takes.

use pliant_core::measure::{Frame, FrameBody, FrameBuffers, FrameCollider, Wanted};
use pliant_core::method::DrawnAs;
use pliant_core::world::{Look, ShownAs, World};
use pliant_math::DVec3;
use pliant_render::{Coloring, Legend, RenderError, colors_of};

/// Opacity from which on a surface is opaque; through what has less one sees what is behind.
pub const OPAQUE: f32 = 0.995;

/// What is painted.
#[derive(Clone, Debug, PartialEq)]
pub struct Painted {
    /// What the colour of a particle shows.
    pub coloring: Coloring,
    /// Whether bodies that carry a surface are shown by it, and those that are shown as the surface around their
    /// particles by that.
    pub surfaces: bool,
}

/// A moment as it is drawn: spheres, triangles, colliders.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Number of the frame; 1 is the initial state.
    pub frame: u32,
    /// Simulated time [s].
    pub time: f64,
    /// Particles in the world, drawn or not.
    pub particles: usize,
    /// Loose particles: x, y, z, radius [m].
    pub spheres: Vec<[f32; 4]>,
    /// Their sRGB colours. The fourth number is 255 of those that are shown as balls; of bodies that are shown as the
    /// surface around their particles it has opacity in its upper and gloss in its lower four bits, at most 254.
    pub sphere_colors: Vec<[u8; 4]>,
    /// Their stable ids.
    pub sphere_ids: Vec<u32>,
    /// Corners of triangles: positions [m].
    pub vertices: Vec<[f32; 3]>,
    /// Unit normals there, and how much the surface shines: 0 matt, 1 as if wet.
    pub normals: Vec<[f32; 4]>,
    /// Their sRGB colours and opacity.
    pub vertex_colors: Vec<[u8; 4]>,
    /// Places of corners in these columns; glass comes last.
    pub triangles: Vec<[u32; 3]>,
    /// The colliders, blades and rigid bodies where they are.
    pub colliders: Vec<FrameCollider>,
    /// What the colours mean, if they show a quantity.
    pub legend: Option<Legend>,
}

impl Snapshot {
    /// The moment that a world is in.
    ///
    /// * `buffers` — kept from one to the next
    ///
    /// # Errors
    /// If the world has no quantity of the name that colours are to show.
    pub fn of(
        world: &World,
        buffers: &mut FrameBuffers,
        painted: &Painted,
    ) -> Result<Self, RenderError> {
        let name = match &painted.coloring {
            Coloring::Quantity { name, .. } => name.as_str(),
            Coloring::Fragment => "fragment",
            Coloring::Body | Coloring::Material => "",
        };
        buffers.update_wanted(
            world,
            Wanted {
                quantities: Some(&[name]),
                surfaces: painted.surfaces,
            },
        );
        Self::of_frame(&buffers.frame(), buffers.surface().as_ref(), painted)
    }

    /// A moment that was read.
    ///
    /// * `surface` — the surfaces that bodies carry, of the same moment
    ///
    /// # Errors
    /// As for [`Self::of`].
    pub fn of_frame(
        frame: &Frame<'_>,
        surface: Option<&Frame<'_>>,
        painted: &Painted,
    ) -> Result<Self, RenderError> {
        let coloring = &painted.coloring;
        let (colors, legend) = colors_of(frame, coloring)?;
        let mut shown = Self {
            frame: frame.number,
            time: frame.time,
            particles: frame.particle_count(),
            colliders: frame.colliders.to_vec(),
            legend,
            ..Self::default()
        };
        let mut has_surface = vec![false; frame.bodies.len()];
        for &body in surface.map_or(&[][..], |surface| surface.body) {
            has_surface[body as usize] = true;
        }
        shown.add_spheres(frame, (&colors, painted.surfaces), &has_surface);
        shown.add_triangles(frame, &colors, &has_surface);
        if let Some(surface) = surface {
            let (colors, _) = colors_of(surface, coloring)?;
            shown.add_triangles(surface, &colors, &vec![false; surface.bodies.len()]);
        }
        let Self {
            triangles,
            vertex_colors,
            ..
        } = &mut shown;
        triangles.sort_by_key(|t| is_glass(vertex_colors[t[0] as usize]));
        Ok(shown)
    }

    /// Number of opaque triangles; all others, which are to be drawn after them, are glass.
    pub fn opaque_count(&self) -> usize {
        let of = |t: &[u32; 3]| self.vertex_colors.get(t[0] as usize).copied();
        self.triangles
            .partition_point(|t| !of(t).is_some_and(is_glass))
    }

    /// Loose particles: those that no triangle has for a corner, of bodies that nothing else shows.
    ///
    /// * `colors` — of particles, and whether some may be shown as a surface
    fn add_spheres(
        &mut self,
        frame: &Frame<'_>,
        (colors, surfaces): (&[[u8; 3]], bool),
        has_surface: &[bool],
    ) {
        let mut is_shown: Vec<bool> = frame
            .body
            .iter()
            .map(|&body| {
                let of_body = &frame.bodies[body as usize];
                of_body.drawn_as == DrawnAs::Particles && !has_surface[body as usize]
            })
            .collect();
        let is_surface = |body: &FrameBody| surfaces && body.look.shown_as == ShownAs::Surface;
        let mut is_surface: Vec<bool> = frame.bodies.iter().map(is_surface).collect();
        for &corner in frame.triangles.iter().flatten() {
            is_shown[corner as usize] = false;
            // What has triangles has a surface of its own.
            is_surface[frame.body[corner as usize] as usize] = false;
        }
        for place in (0..is_shown.len()).filter(|&place| is_shown[place]) {
            let [x, y, z] = single(frame.position[place]);
            self.spheres.push([x, y, z, frame.radius[place]]);
            let [r, g, b] = colors[place];
            let body = frame.body[place] as usize;
            let kind = match is_surface[body] {
                true => packed(frame.bodies[body].look),
                false => BALL,
            };
            self.sphere_colors.push([r, g, b, kind]);
            self.sphere_ids.push(frame.id[place]);
        }
    }

    /// The triangles of a frame with their corners, but those of bodies that are shown by another surface.
    fn add_triangles(&mut self, frame: &Frame<'_>, colors: &[[u8; 3]], is_hidden: &[bool]) {
        let body = |corner: u32| frame.body[corner as usize] as usize;
        let shown = frame.triangles.iter().filter(|t| !is_hidden[body(t[0])]);
        let mut place = vec![u32::MAX; frame.particle_count()];
        let first = self.vertices.len();
        for corners in shown {
            let triangle = corners.map(|corner| {
                let known = &mut place[corner as usize];
                if *known == u32::MAX {
                    *known = self.vertices.len() as u32;
                    self.vertices.push(single(frame.position[corner as usize]));
                    let [r, g, b] = colors[corner as usize];
                    let look = frame.bodies[body(corner)].look;
                    self.vertex_colors.push([r, g, b, opacity(look)]);
                    self.normals.push([0.0, 0.0, 0.0, look.gloss]);
                }
                *known
            });
            self.triangles.push(triangle);
        }
        self.smooth_normals(first);
    }

    /// Normals of the corners from a place on: means of the triangles around, weighted by area.
    fn smooth_normals(&mut self, first: usize) {
        let corner = |i: u32| glam(self.vertices[i as usize]);
        let is_own = |t: &&[u32; 3]| t[0] as usize >= first;
        for triangle in self.triangles.iter().rev().take_while(is_own) {
            let [a, b, c] = triangle.map(corner);
            let doubled = (b - a).cross(c - a);
            for &i in triangle {
                let [x, y, z, gloss] = self.normals[i as usize];
                let [x, y, z] = single(glam([x, y, z]) + doubled);
                self.normals[i as usize] = [x, y, z, gloss];
            }
        }
        for normal in &mut self.normals[first..] {
            let [x, y, z, gloss] = *normal;
            let [x, y, z] = single(glam([x, y, z]).normalize_or(DVec3::Y));
            *normal = [x, y, z, gloss];
        }
    }
}

fn is_glass([_, _, _, opacity]: [u8; 4]) -> bool {
    f32::from(opacity) < 255.0 * OPAQUE
}

/// The fourth number of the colour of a ball.
const BALL: u8 = 255;

/// Opacity and gloss in four bits each.
fn packed(look: Look) -> u8 {
    let part = |value: f32, most: f32| (most * value.clamp(0.0, 1.0)).round() as u8;
    (part(look.opacity, 15.0) << 4) | part(look.gloss, 14.0)
}

fn opacity(look: Look) -> u8 {
    (255.0 * look.opacity.clamp(0.0, 1.0)).round() as u8
}

fn single(x: DVec3) -> [f32; 3] {
    x.as_vec3().to_array()
}

fn glam([x, y, z]: [f32; 3]) -> DVec3 {
    DVec3::new(x.into(), y.into(), z.into())
}
