//! What never changes during a run.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use pliant_geometry::{Shape, UvMap};
use pliant_materials::{Law, ReturnMapping, dispatch_hencky_law};
use pliant_math::{DVec3, Pose, Real};

use super::{Look, MethodKind, RenderMesh, SolverSettings};
use crate::attachments::Attachment;
use crate::boundaries::{Blade, Collider};
use crate::contacts::RigidEngineSource;
use crate::forces::Force;

/// Everything about a world that stays the same while it runs.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Acceleration of free fall [m/s2].
    pub gravity: DVec3,
    /// Frames per second of the output, > 0.
    pub frame_rate: f64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Most particles that there is memory for, >= 1; an emitter that exceeds them ends the run.
    pub particle_limit: usize,
    /// The region the world is confined to.
    pub bounds: Option<Bounds>,
    /// How the equations are solved.
    pub solver: SolverSettings,
    /// The materials, at least one.
    pub materials: Vec<Material>,
    /// The bodies, at least one.
    pub bodies: Vec<Body>,
    /// The colliders, after them one for each rigid body.
    pub colliders: Vec<Collider>,
    /// What cuts solids.
    pub blades: Vec<Blade>,
    /// What adds particles during the run.
    pub emitters: Vec<Emitter>,
    /// What accelerates particles beside gravity, applied in this order.
    pub forces: Vec<Force>,
    /// What holds or loads particles of the start.
    pub attachments: Vec<Attachment>,
    /// What moves rigid bodies; there is one if there are any.
    pub rigid_engine: Option<Arc<dyn RigidEngineSource>>,
}

impl Setup {
    /// Bodies on Earth, with nothing else around them.
    pub fn new(materials: Vec<Material>, bodies: Vec<Body>) -> Self {
        Self {
            gravity: DVec3::Y * -9.81,
            frame_rate: 24.0,
            seed: 1,
            particle_limit: usize::MAX,
            bounds: None,
            solver: SolverSettings::default(),
            materials,
            bodies,
            colliders: Vec::new(),
            blades: Vec::new(),
            emitters: Vec::new(),
            forces: Vec::new(),
            attachments: Vec::new(),
            rigid_engine: None,
        }
    }

    /// Index of the first collider that is a rigid body.
    pub fn first_rigid(&self) -> usize {
        let rigid = self.bodies.iter().filter(|body| body.method.is_rigid());
        self.colliders.len() - rigid.count()
    }

    /// Greatest speed [m/s] at which overlaps of bodies of this world are pushed apart: by default
    /// 0.15 sqrt(|g| spacing), the speed of a fall by a hundredth of a particle.
    pub fn push_out_speed(&self) -> f64 {
        let spacings = self.bodies.iter().map(|b| b.spacing);
        let finest = spacings.fold(f64::INFINITY, f64::min);
        self.solver.push_out_speed.unwrap_or_else(|| {
            let gravity = self.gravity.length();
            let gravity = if gravity > 0.0 {
                gravity
            } else {
                STANDARD_GRAVITY
            };
            0.15 * (gravity * finest).sqrt()
        })
    }
}

/// Acceleration of free fall on Earth [m/s2], where a scene without gravity needs a scale.
const STANDARD_GRAVITY: f64 = 9.81;

/// The region of the world and what happens to a particle that leaves it.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Least corner [m].
    pub min: DVec3,
    /// Greatest corner [m].
    pub max: DVec3,
    /// What happens to a particle outside.
    pub on_exit: OnExit,
}

impl Bounds {
    /// True if a point is inside or on the edge.
    pub fn contains(&self, x: DVec3) -> bool {
        x.cmpge(self.min).all() && x.cmple(self.max).all()
    }
}

/// What happens to a particle that leaves the bounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OnExit {
    /// It is taken out of the world.
    Remove,
    /// The run stops with an error.
    Stop,
}

/// What a body is made of.
#[derive(Clone, Debug)]
pub struct Material {
    /// Name, unique among materials.
    pub name: String,
    /// Rest density [kg/m3], > 0.
    pub density: f64,
    /// Young's modulus [Pa], for the choice of the step; 0 if no stress has to be resolved.
    pub youngs_modulus: f64,
    /// Constitutive law.
    pub law: Law,
}

/// Modulus of compression waves over Young's modulus, (1 - nu)/((1 + nu)(1 - 2 nu)), at the Poisson's
/// ratio of 0.3 that the sweeps of XPBI were measured with.
const MEASURED_WAVE_RATIO: f64 = 0.7 / (1.3 * 0.4);
/// Part of a modulus that single precision may be off by.
const ROUNDING: f64 = 1e-6;

impl Material {
    /// Modulus [Pa] of the stress that sweeps of XPBI have to follow through a body: Young's modulus, or
    /// where the material resists compression more than one with a Poisson's ratio of 0.3 does, as much
    /// more of it. At 0.475 it is 5.3 times Young's modulus, at 0.499 124 times.
    pub fn wave_modulus(&self) -> f64 {
        let Some(law) = self.law.hencky() else {
            return self.youngs_modulus;
        };
        let elasticity = dispatch_hencky_law!(law, |law| law.elasticity());
        let compression =
            f64::from(elasticity.lame_lambda) + 2.0 * f64::from(elasticity.shear_modulus);
        let scaled = compression / MEASURED_WAVE_RATIO;
        // Moduli in single precision are not to move the step of what has just this ratio.
        match scaled > (1.0 + ROUNDING) * self.youngs_modulus {
            true => scaled,
            false => self.youngs_modulus,
        }
    }

    /// The plastic state of undeformed material; 0 for laws without one.
    pub fn initial_state(&self) -> Real {
        let Some(law) = self.law.hencky() else {
            return 0.0;
        };
        dispatch_hencky_law!(law, |law| law.initial_state())
    }
}

/// An axis of a body along which its friction is another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyGrain {
    /// Unit vector at the start, in world axes.
    pub axis: DVec3,
    /// Factor on the coefficient of friction along it, > 0.
    pub factor: f64,
}

/// A body: the particles it starts with and what they have in common.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name, unique among bodies.
    pub name: String,
    /// Index into the materials; their law is one that the method takes.
    pub material: u32,
    /// How it is simulated.
    pub method: &'static dyn MethodKind,
    /// Cube root of a particle's mean volume [m], > 0.
    pub spacing: f64,
    /// Distance at which the kernel reaches zero [m]; twice the kernel radius r.
    pub support_radius: f64,
    /// Coefficient of Coulomb friction against particles of other continua, >= 0.
    pub friction: f64,
    /// Where its friction is another along an axis, as that of scales.
    pub grain: Option<BodyGrain>,
    /// True if parts of it that touch are contacts.
    pub meets_itself: bool,
    /// True if it joins the continuum of the other bodies with its support radius.
    pub shares_neighbors: bool,
    /// Colour in pictures, sRGB in [0, 1].
    pub color: [f32; 3],
    /// How it looks in pictures otherwise.
    pub look: Look,
    /// The particles at the start; empty for a body that only an emitter feeds.
    pub particles: InitialParticles,
}

impl Body {
    /// Free particles at rest, each as much matter as a cube of the spacing.
    ///
    /// * `material` — index into the materials
    /// * `density` — of the material [kg/m3], > 0
    /// * `spacing` — distance of neighbouring particles [m], > 0
    /// * `position` — of each particle [m]
    pub fn new(
        method: &'static dyn MethodKind,
        material: u32,
        density: f64,
        spacing: f64,
        position: Vec<DVec3>,
    ) -> Self {
        let (count, volume) = (position.len(), spacing * spacing * spacing);
        Self {
            name: "body".into(),
            material,
            method,
            spacing,
            support_radius: 2.0 * spacing,
            friction: 0.3,
            grain: None,
            meets_itself: true,
            shares_neighbors: true,
            color: [0.8; 3],
            look: Look::default(),
            particles: InitialParticles {
                position,
                velocity: vec![DVec3::ZERO; count],
                is_pinned: vec![false; count],
                particle_mass: density * volume,
                particle_volume: volume,
                ..InitialParticles::default()
            },
        }
    }
}

/// The particles of a body at the start. Columns have equal lengths.
#[derive(Clone, Debug, Default)]
pub struct InitialParticles {
    /// Positions [m].
    pub position: Vec<DVec3>,
    /// Velocities [m/s].
    pub velocity: Vec<DVec3>,
    /// True for particles held where they are.
    pub is_pinned: Vec<bool>,
    /// Mean mass of a particle [kg], > 0.
    pub particle_mass: f64,
    /// Mean rest volume of a particle [m3], > 0.
    pub particle_volume: f64,
    /// Stable id of the first of them, the others follow, for bodies that were added to a world that had started;
    /// ids of others follow those of the body before.
    pub first_id: Option<u32>,
    /// Mass and volume of each particle over their means, > 0; empty if all have the same.
    pub share: Vec<f64>,
    /// What joins them, as their method wants it: a sheet, a network, the shape at rest, ...
    pub structure: Option<Arc<dyn Structure>>,
    /// A surface that they carry, of methods that keep the neighbours of their particles.
    pub render_mesh: Option<Arc<RenderMesh>>,
    /// What tells the texture coordinates of triangles between them, by their positions here, if these have some.
    pub uv_map: Option<Arc<UvMap>>,
}

/// What joins the particles of a body, in a type of its method.
pub trait Structure: Any + Debug + Send + Sync {}

impl<T: Any + Debug + Send + Sync> Structure for T {}

impl InitialParticles {
    /// What joins them, if it is of a type.
    pub fn structure_of<T: Structure>(&self) -> Option<Arc<T>> {
        let structure: Arc<dyn Any + Send + Sync> = self.structure.clone()?;
        structure.downcast().ok()
    }

    /// Mass of a particle [kg].
    pub fn mass(&self, particle: usize) -> f64 {
        self.particle_mass * self.share.get(particle).copied().unwrap_or(1.0)
    }
}

/// What adds particles to a body during the run.
#[derive(Clone, Debug)]
pub struct Emitter {
    /// Name, unique among emitters.
    pub name: String,
    /// Index of the body it feeds.
    pub body: u32,
    /// Particles appear inside this shape.
    pub shape: Arc<dyn Shape>,
    /// Where the shape is.
    pub pose: Pose,
    /// Candidate positions inside the shape, in world coordinates [m], a body's sampling: each
    /// layer of new particles takes those that are free.
    pub seeds: Vec<DVec3>,
    /// Velocity of new particles [m/s].
    pub velocity: DVec3,
    /// Particles a second; `None`: as many as find room.
    pub rate: Option<f64>,
    /// First moment of emission [s].
    pub start: f64,
    /// Last moment of emission [s], may be infinite.
    pub stop: f64,
}
