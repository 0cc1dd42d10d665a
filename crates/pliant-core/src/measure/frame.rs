//! A read-only view of one moment: the only thing that writers and pictures see.

use std::sync::Arc;

use pliant_geometry::{Shape, TriangleUv};
use pliant_math::{DVec3, Pose};

use crate::method::DrawnAs;
use crate::world::Look;

/// One moment of a run. Columns have equal lengths and are in order of the stable particle id.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame<'a> {
    /// Number of the frame; 1 is the initial state.
    pub number: u32,
    /// Simulated time [s].
    pub time: f64,
    /// Positions [m].
    pub position: &'a [DVec3],
    /// Velocities [m/s].
    pub velocity: &'a [[f32; 3]],
    /// Stable ids, increasing.
    pub id: &'a [u32],
    /// Body of each particle, an index into `bodies`.
    pub body: &'a [u32],
    /// Material of each particle, an index into `material_names`.
    pub material: &'a [u32],
    /// Radius of each particle [m], half its body's spacing.
    pub radius: &'a [f32],
    /// Further quantities: density, det_F, stress_von_mises, and each method's own.
    pub quantities: &'a [Quantity],
    /// Triangles of cloth that hold: places of their corners in these columns.
    pub triangles: &'a [[u32; 3]],
    /// Texture coordinates of the triangles, those of bodies without any zero; empty if no body has any.
    pub uv: &'a [TriangleUv],
    /// Whether each triangle is a face of a cut or a tear, inside of what was whole; empty for particles.
    pub inside: &'a [bool],
    /// The bodies.
    pub bodies: &'a [FrameBody],
    /// Names of the materials.
    pub material_names: &'a [String],
    /// The colliders and blades where they are now.
    pub colliders: &'a [FrameCollider],
}

/// A named scalar of every particle.
#[derive(Clone, Debug, Default)]
pub struct Quantity {
    /// Name as written to files: "density", "det_F", "stress_von_mises", ...
    pub name: &'static str,
    /// Unit, empty for none.
    pub unit: &'static str,
    /// One value a particle.
    pub values: Vec<f32>,
}

/// A body as pictures and files need it.
#[derive(Clone, Debug)]
pub struct FrameBody {
    /// Name.
    pub name: String,
    /// Colour, sRGB in [0, 1].
    pub color: [f32; 3],
    /// What shows it.
    pub drawn_as: DrawnAs,
    /// How it looks otherwise.
    pub look: Look,
}

/// A collider or a blade as pictures need it.
#[derive(Clone, Debug)]
pub struct FrameCollider {
    /// Name.
    pub name: String,
    /// Its shape, in local coordinates.
    pub shape: Arc<dyn Shape>,
    /// Where it is.
    pub pose: Pose,
    /// Colour, sRGB in [0, 1].
    pub color: [f32; 3],
    /// 1 opaque, 0 not drawn, between as glass.
    pub opacity: f32,
    /// How much it shines: 0 matt, 1 as if wet.
    pub gloss: f32,
    /// What it is.
    pub kind: SceneryKind,
}

/// What is shown as a solid shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneryKind {
    /// A collider.
    Collider,
    /// A rigid body.
    RigidBody,
    /// A blade: pictures need not show all of it.
    Blade,
}

/// Columns of equal lengths that a [`Frame`] can show.
#[derive(Clone, Debug, Default)]
pub struct FrameColumns {
    /// Positions [m].
    pub position: Vec<DVec3>,
    /// Velocities [m/s].
    pub velocity: Vec<[f32; 3]>,
    /// Ids, increasing.
    pub id: Vec<u32>,
    /// Bodies.
    pub body: Vec<u32>,
    /// Materials.
    pub material: Vec<u32>,
    /// Radii [m].
    pub radius: Vec<f32>,
    /// Further quantities.
    pub quantities: Vec<Quantity>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Texture coordinates of the triangles, or none.
    pub uv: Vec<TriangleUv>,
    /// Which triangles are faces of cuts, or nothing.
    pub inside: Vec<bool>,
}

impl FrameColumns {
    /// What pictures show of a moment: the surfaces that bodies carry, and of all other bodies what shows them.
    ///
    /// * `surface` — of the same moment, with the same quantities
    pub fn in_pictures(particles: &Frame<'_>, surface: Option<&Frame<'_>>) -> Self {
        let mut all = Self {
            quantities: particles.quantities.to_vec(),
            ..Self::default()
        };
        for quantity in &mut all.quantities {
            quantity.values.clear();
        }
        let bodies = particles.bodies.iter();
        let mut drawn_as: Vec<DrawnAs> = bodies.map(|body| body.drawn_as).collect();
        for &body in surface.map_or(&[][..], |surface| surface.body) {
            drawn_as[body as usize] = DrawnAs::Collider;
        }
        let mut is_corner = vec![false; particles.particle_count()];
        for &corner in particles.triangles.iter().flatten() {
            is_corner[corner as usize] = true;
        }
        all.add(particles, |i| match drawn_as[particles.body[i] as usize] {
            DrawnAs::Particles => true,
            DrawnAs::Triangles => is_corner[i],
            DrawnAs::Collider => false,
        });
        if let Some(surface) = surface {
            all.add(surface, |_| true);
        }
        all
    }

    /// A frame like another, with these columns.
    pub fn shown_in<'a>(&'a self, frame: &Frame<'a>) -> Frame<'a> {
        Frame {
            position: &self.position,
            velocity: &self.velocity,
            id: &self.id,
            body: &self.body,
            material: &self.material,
            radius: &self.radius,
            quantities: &self.quantities,
            triangles: &self.triangles,
            uv: &self.uv,
            inside: &self.inside,
            ..*frame
        }
    }

    /// Adds some particles; ids become places.
    fn add(&mut self, frame: &Frame<'_>, is_shown: impl Fn(usize) -> bool) {
        let mut number = vec![None; frame.particle_count()];
        for i in (0..frame.particle_count()).filter(|&i| is_shown(i)) {
            let place = self.position.len() as u32;
            number[i] = Some(place);
            self.position.push(frame.position[i]);
            self.velocity.push(frame.velocity[i]);
            self.id.push(place);
            self.body.push(frame.body[i]);
            self.material.push(frame.material[i]);
            self.radius.push(frame.radius[i]);
        }
        for own in &mut self.quantities {
            let other = frame.quantity(own.name);
            let value = |i: usize| other.map_or(0.0, |other| other.values[i]);
            let shown = (0..number.len()).filter(|&i| number[i].is_some());
            own.values.extend(shown.map(value));
        }
        let corners = |&[a, b, c]: &[u32; 3]| {
            let number = |corner: u32| number[corner as usize];
            Some([number(a)?, number(b)?, number(c)?])
        };
        self.triangles
            .extend(frame.triangles.iter().filter_map(corners));
    }
}

impl Frame<'_> {
    /// The quantity of a name.
    pub fn quantity(&self, name: &str) -> Option<&Quantity> {
        self.quantities.iter().find(|q| q.name == name)
    }

    /// Number of particles.
    pub fn particle_count(&self) -> usize {
        self.position.len()
    }
}
