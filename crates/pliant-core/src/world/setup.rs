//! What never changes during a run.

use std::sync::Arc;

use pliant_geometry::Shape;
use pliant_materials::{Law, ReturnMapping, dispatch_hencky_law};
use pliant_math::{DVec3, Pose, Real};

use crate::attachments::Attachment;
use crate::boundaries::{Blade, Collider};
use crate::constraints::Ordering;
use crate::forces::Force;
use crate::methods::MethodKind;
use crate::methods::cloth::{ClothSetup, Sheet};
use crate::methods::fluid::{FluidBody, FluidSettings, FluidSetup};
use crate::methods::granules::GranuleBody;
use crate::methods::rigid::{RigidBody, RigidEngineSource, RigidSetup, RigidShape};
use crate::methods::springs::{Network, SpringBody, SpringsSettings, SpringsSetup};
use crate::methods::strain_energy::{SolidBody, StrainEnergySettings, StrainEnergySetup};
use crate::methods::xpbi::{XpbiBody, XpbiSettings, XpbiSetup};
use crate::rest::{Fabric, RestShape};
use crate::world::RenderMesh;

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

    /// What the method `xpbi` needs to know.
    pub fn xpbi(&self) -> XpbiSetup {
        let hencky = |material: &Material| material.law.hencky().copied();
        let laws = self.materials.iter().filter_map(hencky).collect();
        XpbiSetup {
            settings: self.solver.xpbi,
            ordering: self.solver.ordering,
            laws,
            bodies: self.bodies.iter().map(|b| self.xpbi_body(b)).collect(),
        }
    }

    /// What the method `fluid` needs to know.
    pub fn fluid(&self) -> FluidSetup {
        let volume = |body: &Body| match body.method {
            MethodKind::Rigid => 0.0,
            _ => (body.particles.particle_volume / body.particles.particle_mass) as Real,
        };
        FluidSetup {
            settings: self.solver.fluid,
            bodies: self.bodies.iter().map(|b| self.fluid_body(b)).collect(),
            volume_of_mass: self.bodies.iter().map(volume).collect(),
        }
    }

    /// A body as `fluid` sees it, `None` if it is of another method.
    fn fluid_body(&self, body: &Body) -> Option<FluidBody> {
        let Law::Newtonian(law) = self.materials[body.material as usize].law else {
            return None;
        };
        (body.method == MethodKind::Fluid).then_some(FluidBody {
            viscosity: law.viscosity,
            particle_mass: body.particles.particle_mass as Real,
            spacing: body.spacing,
            support_radius: body.support_radius,
            shares_neighbors: body.shares_neighbors,
        })
    }

    /// A body as `xpbi` sees it, `None` if it is of another method.
    fn xpbi_body(&self, body: &Body) -> Option<XpbiBody> {
        let before = &self.materials[..body.material as usize];
        let law = before.iter().filter(|m| m.law.hencky().is_some()).count();
        (body.method == MethodKind::Xpbi).then_some(XpbiBody {
            law: law as u32,
            rest_volume: body.particles.particle_volume as Real,
            particle_mass: body.particles.particle_mass as Real,
            spacing: body.spacing,
            support_radius: body.support_radius,
            shares_neighbors: body.shares_neighbors,
        })
    }

    /// The bodies of the method `granules`, `None` for others.
    pub fn granules(&self) -> Vec<Option<GranuleBody>> {
        let body = |body: &Body| match self.materials[body.material as usize].law {
            Law::ContactFriction(law) if body.method == MethodKind::Granules => Some(GranuleBody {
                friction: law.friction.into(),
                spacing: body.spacing,
                shares_neighbors: body.shares_neighbors,
            }),
            _ => None,
        };
        self.bodies.iter().map(body).collect()
    }

    /// What the method `strain-energy` needs to know.
    pub fn strain_energy(&self) -> StrainEnergySetup {
        let solid = |material: &Material| material.law.solid().copied();
        let (mut first_id, mut first_bond) = (0, 0);
        let mut bodies = Vec::new();
        for (number, body) in (0..).zip(&self.bodies) {
            let start = &body.particles;
            if let Some(shape) = &start.rest_shape {
                let before = &self.materials[..body.material as usize];
                let share = |k: usize| start.share.get(k).copied().unwrap_or(1.0);
                let volume = (0..start.position.len()).map(|k| start.particle_volume * share(k));
                let material = &self.materials[body.material as usize];
                let law = material.law.solid();
                bodies.push(SolidBody {
                    body: number,
                    first_id,
                    shape: Arc::clone(shape),
                    first_bond,
                    volume: volume.collect(),
                    law: before.iter().filter_map(solid).count() as u32,
                    youngs_modulus: material.youngs_modulus,
                    spacing: body.spacing,
                    inner_friction: body.meets_itself.then_some(body.friction),
                    tear_strain: law.and_then(|law| law.tear_strain).map(f64::from),
                });
                first_bond += shape.edge_count();
            }
            first_id += start.position.len() as u32;
        }
        StrainEnergySetup {
            settings: self.solver.strain_energy,
            ordering: self.solver.ordering,
            laws: self.materials.iter().filter_map(solid).collect(),
            bodies,
            blades: self.blades.clone(),
        }
    }

    /// What the method `cloth` needs to know.
    pub fn cloth(&self) -> ClothSetup {
        let mut first_id = 0;
        let mut sheets = Vec::new();
        for (number, body) in (0..).zip(&self.bodies) {
            let law = self.materials[body.material as usize].law.cloth();
            if let (Some(law), Some(fabric)) = (law, &body.particles.fabric) {
                sheets.push(Sheet {
                    body: number,
                    first_id,
                    fabric: Arc::clone(fabric),
                    law: *law,
                });
            }
            first_id += body.particles.position.len() as u32;
        }
        ClothSetup { sheets }
    }

    /// What the method `springs` needs to know.
    pub fn springs(&self) -> SpringsSetup {
        let mut first_id = 0;
        let mut bodies = Vec::new();
        for (number, body) in (0..).zip(&self.bodies) {
            let law = self.materials[body.material as usize].law.springs();
            if let (Some(law), Some(network)) = (law, &body.particles.network) {
                bodies.push(SpringBody {
                    body: number,
                    first_id,
                    network: Arc::clone(network),
                    law: *law,
                });
            }
            first_id += body.particles.position.len() as u32;
        }
        SpringsSetup {
            settings: self.solver.springs,
            bodies,
        }
    }

    /// What the method `rigid` needs to know.
    pub fn rigid(&self) -> RigidSetup {
        let mut first_id = 0;
        let mut bodies = Vec::new();
        for (number, body) in (0..).zip(&self.bodies) {
            if let Some(shape) = &body.particles.rigid {
                bodies.push(RigidBody {
                    body: number,
                    id: first_id,
                    shape: Arc::clone(shape),
                });
            }
            first_id += body.particles.position.len() as u32;
        }
        RigidSetup {
            bodies,
            engine: self.rigid_engine.clone(),
        }
    }

    /// Index of the first collider that is a rigid body.
    pub fn first_rigid(&self) -> usize {
        let is_rigid = |body: &&Body| body.method == MethodKind::Rigid;
        self.colliders.len() - self.bodies.iter().filter(is_rigid).count()
    }

    /// Contact radius [m] of the particles of a body: half its spacing, of cloth and sheets of springs
    /// half of the distance that their surfaces keep.
    pub fn contact_radius(&self, body: &Body) -> f64 {
        let is_surface = |network: &Arc<Network>| !network.triangles.is_empty();
        let distance = match &self.materials[body.material as usize].law {
            Law::Cloth(law) => law.contact_distance(body.spacing),
            Law::Springs(law) if body.particles.network.as_ref().is_some_and(is_surface) => {
                law.contact_distance(body.spacing)
            }
            _ => body.spacing,
        };
        0.5 * distance
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

/// A body: the particles it starts with and what they have in common.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name, unique among bodies.
    pub name: String,
    /// Index into the materials; their law is one that the method takes.
    pub material: u32,
    /// How it is simulated.
    pub method: MethodKind,
    /// Cube root of a particle's mean volume [m], > 0.
    pub spacing: f64,
    /// Distance at which the kernel reaches zero [m]; twice the kernel radius r.
    pub support_radius: f64,
    /// Coefficient of Coulomb friction against particles of other continua, >= 0.
    pub friction: f64,
    /// True if parts of a solid that touch are contacts.
    pub meets_itself: bool,
    /// True if it joins the continuum of the other bodies with its support radius.
    pub shares_neighbors: bool,
    /// Colour in pictures, sRGB in [0, 1].
    pub color: [f32; 3],
    /// The particles at the start; empty for a body that only an emitter feeds.
    pub particles: InitialParticles,
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
    /// Mass and volume of each particle over their means, > 0; empty if all have the same.
    pub share: Vec<f64>,
    /// The particles as vertices of a sheet, for the method `cloth`.
    pub fabric: Option<Arc<Fabric>>,
    /// The particles at rest, for the method `strain-energy`.
    pub rest_shape: Option<Arc<RestShape>>,
    /// What joins the particles, for the method `springs`.
    pub network: Option<Arc<Network>>,
    /// What the only particle is the centre of mass of, for the method `rigid`.
    pub rigid: Option<Arc<RigidShape>>,
    /// A surface that they carry, for the method `strain-energy`.
    pub render_mesh: Option<Arc<RenderMesh>>,
}

impl InitialParticles {
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

/// How the equations are solved.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverSettings {
    /// The largest substep [s]; `None`: chosen from the materials and speeds.
    pub time_step: Option<f64>,
    /// Sweeps a substep, >= 1.
    pub iterations: u32,
    /// Order of the projections in a sweep.
    pub ordering: Ordering,
    /// XSPH viscosity [1/s], >= 0; 0 switches it off.
    pub xsph_rate: f64,
    /// Damping of all velocities towards zero [1/s], >= 0.
    pub damping: f64,
    /// Greatest speed [m/s] at which overlaps are pushed apart; `None`: 0.15 sqrt(|g| spacing).
    pub push_out_speed: Option<f64>,
    /// The run ends when no particle is faster [m/s]; 0 never.
    pub stop_when_still: f64,
    /// Accepts a step that the sweeps cannot resolve.
    pub allow_unresolved: bool,
    /// Settings of the method `xpbi`.
    pub xpbi: XpbiSettings,
    /// Settings of the method `fluid`.
    pub fluid: FluidSettings,
    /// Settings of the method `strain-energy`.
    pub strain_energy: StrainEnergySettings,
    /// Settings of the method `springs`.
    pub springs: SpringsSettings,
}

impl Default for SolverSettings {
    /// The defaults of a scene.
    fn default() -> Self {
        Self {
            time_step: None,
            iterations: 4,
            ordering: Ordering::GaussSeidel,
            xsph_rate: 10.0,
            damping: 0.0,
            push_out_speed: None,
            stop_when_still: 0.0,
            allow_unresolved: false,
            xpbi: XpbiSettings::default(),
            fluid: FluidSettings::default(),
            strain_energy: StrainEnergySettings::default(),
            springs: SpringsSettings::default(),
        }
    }
}
