//! What pictures of the moment are made of.

use pliant_core::measure::{DrawnAs, Frame};

use crate::Walls;

/// Columns of the particles in the order of their ids, in numbers that a graphics card takes.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Positions and radii [m]: x, y, z, r of each particle.
    pub spheres: Vec<[f32; 4]>,
    /// Velocities [m/s].
    pub velocities: Vec<[f32; 3]>,
    /// The body of each particle, counted from 0.
    pub bodies: Vec<u32>,
    /// The colour of each particle, that of its body: red, green, blue in sRGB, and 255, or 0 if the body is not
    /// shown by spheres.
    pub colors: Vec<[u8; 4]>,
    /// Triangles of cloth, by the places of their corners.
    pub triangles: Vec<[u32; 3]>,
    /// The colliders and rigid bodies.
    pub walls: Walls,
}

impl View {
    /// Fills the columns anew.
    pub fn update(&mut self, frame: &Frame<'_>) {
        self.spheres.clear();
        let places = frame.position.iter().zip(frame.radius);
        let sphere = |(x, &radius): (&pliant_math::DVec3, &f32)| {
            [x.x as f32, x.y as f32, x.z as f32, radius]
        };
        self.spheres.extend(places.map(sphere));
        self.velocities.clear();
        self.velocities.extend_from_slice(frame.velocity);
        self.bodies.clear();
        self.bodies.extend_from_slice(frame.body);
        self.colors.clear();
        let color = |&body: &u32| {
            let body = &frame.bodies[body as usize];
            let is_shown = matches!(body.drawn_as, DrawnAs::Particles);
            color_bytes(body.color, f32::from(u8::from(is_shown)))
        };
        self.colors.extend(frame.body.iter().map(color));
        self.triangles.clear();
        self.triangles.extend_from_slice(frame.triangles);
        self.walls.update(frame.colliders, GROUND);
    }
}

/// What shapes without end are drawn as large as [m].
const GROUND: f64 = 4.0;

/// Bytes of a colour and an opacity in [0, 1].
pub(crate) fn color_bytes([red, green, blue]: [f32; 3], opacity: f32) -> [u8; 4] {
    [red, green, blue, opacity].map(|part| (255.0 * part).round() as u8)
}
