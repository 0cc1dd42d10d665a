//! Worlds with rigid bodies.

use std::sync::Arc;

use pliant_core::boundaries::{Collider, Grip, Motion};
use pliant_core::measure::Energies;
use pliant_core::methods::rigid::{RIGID, RigidColumns, RigidSetup};
use pliant_core::step::{CpuStepper, StepReport, Stepper, frame_substeps};
use pliant_core::world::{Body, BodyGrain, InitialParticles, Material, Setup, World};
use pliant_geometry::Shape;
use pliant_materials::Law;
use pliant_materials::laws::Rigid;
use pliant_math::{DVec3, Pose};
use pliant_rigid::{Engine, Joint, rigid_shape};

/// A world to be: rigid bodies and colliders in the order in which they are added.
pub struct Scene {
    pub setup: Setup,
    rigid: Vec<Collider>,
}

/// A rigid body to be.
pub struct Solid<'a> {
    pub shape: &'a Arc<dyn Shape>,
    pub mass: f64,
    pub pose: Pose,
    pub velocity: DVec3,
    pub spin: DVec3,
    pub friction: f64,
    pub restitution: f64,
    pub grain: Option<BodyGrain>,
}

impl<'a> Solid<'a> {
    /// At rest, with some friction.
    pub fn new(shape: &'a Arc<dyn Shape>, mass: f64, position: DVec3) -> Self {
        Self {
            shape,
            mass,
            pose: Pose::from_euler(position, DVec3::ZERO),
            velocity: DVec3::ZERO,
            spin: DVec3::ZERO,
            friction: 0.5,
            restitution: 0.0,
            grain: None,
        }
    }
}

impl Scene {
    /// Nothing, under gravity.
    pub fn new() -> Self {
        let material = Material {
            name: "stone".into(),
            density: 1000.0,
            youngs_modulus: 0.0,
            law: Law::Rigid(Rigid),
        };
        Self {
            setup: Setup::new(vec![material], vec![]),
            rigid: vec![],
        }
    }

    /// Adds a rigid body.
    pub fn with(mut self, solid: &Solid<'_>) -> Self {
        let mass = |_| solid.mass;
        let shape = rigid_shape(solid.shape.as_ref(), mass, solid.pose.rotation, solid.spin);
        let (volume, shape) = shape.expect("it encloses a volume");
        let spacing = volume.cbrt();
        self.setup.bodies.push(Body {
            name: format!("solid{}", self.rigid.len()),
            material: 0,
            method: RIGID,
            spacing,
            support_radius: 2.0 * spacing,
            friction: solid.friction,
            meets_itself: false,
            shares_neighbors: false,
            color: [0.5; 3],
            look: Default::default(),
            grain: solid.grain,
            particles: InitialParticles {
                position: vec![solid.pose.to_world(shape.center)],
                velocity: vec![solid.velocity],
                is_pinned: vec![false],
                particle_mass: solid.mass,
                particle_volume: volume,
                structure: Some(Arc::new(shape)),
                ..InitialParticles::default()
            },
        });
        let motion = Motion::Free { start: solid.pose };
        self.rigid.push(Collider {
            friction: solid.friction,
            restitution: solid.restitution,
            ..collider(Arc::clone(solid.shape), motion)
        });
        self
    }

    /// Adds a collider that rests.
    pub fn on(mut self, shape: Arc<dyn Shape>, pose: Pose, friction: f64) -> Self {
        let motion = Motion::Rest(pose);
        self.setup.colliders.push(Collider {
            friction,
            ..collider(shape, motion)
        });
        self
    }

    /// Takes gravity away.
    pub fn weightless(mut self) -> Self {
        self.setup.gravity = DVec3::ZERO;
        self
    }

    /// The world, with joints.
    pub fn world(mut self, joints: Vec<Joint>) -> World {
        self.setup.colliders.extend(self.rigid);
        self.setup.rigid_engine = Some(Arc::new(Engine::new(&self.setup, joints)));
        World::new(self.setup)
    }
}

fn collider(shape: Arc<dyn Shape>, motion: Motion) -> Collider {
    Collider {
        name: "collider".into(),
        shape,
        motion,
        two_sided: false,
        grip: Grip::Separate,
        friction: 0.5,
        restitution: 0.0,
        color: [0.8; 3],
        opacity: 1.0,
        gloss: 0.1,
    }
}

/// Takes a world further for a time [s] in equal steps, and returns the report of the last.
pub fn run(world: &mut World, seconds: f64, dt: f64, mut look: impl FnMut(&World)) -> StepReport {
    let mut stepper = CpuStepper::new(1).expect("a thread");
    let mut report = StepReport::default();
    for _ in 0..(seconds / dt).round() as u32 {
        report = stepper.substep(world, dt).expect("a step");
        look(world);
    }
    report
}

/// Takes a world further for a time [s] in the steps that it chooses itself: `look` gets it after each, what
/// was reported, and the length of the step [s].
pub fn run_frames(world: &mut World, seconds: f64, mut look: impl FnMut(&World, &StepReport, f64)) {
    let mut stepper = CpuStepper::new(1).expect("a thread");
    for _ in 0..(seconds * world.setup.frame_rate).round() as u32 {
        let count = frame_substeps(&world.setup, &world.state);
        let dt = 1.0 / (world.setup.frame_rate * count);
        for _ in 0..count as u32 {
            let report = stepper.substep(world, dt).expect("a step");
            look(world, &report, dt);
        }
    }
}

/// Pose of the collider of a rigid body.
pub fn pose(world: &World, number: usize) -> Pose {
    let index = world.setup.first_rigid() + number;
    world.collider_pose(index).expect("it is there")
}

/// Place of the particle of a rigid body.
pub fn place(world: &World, number: usize) -> usize {
    let id = RigidSetup::of(&world.setup).bodies[number].id;
    let mut ids = world.state.particles.id.iter();
    ids.position(|&other| other == id).expect("it is there")
}

/// Angular momentum of a rigid body about its centre of mass [kg m2/s].
pub fn angular_momentum(world: &World, number: usize) -> DVec3 {
    let shape = &RigidSetup::of(&world.setup).bodies[number].shape;
    let turn = pose(world, number).rotation_matrix();
    turn * shape.inertia * turn.transpose() * world.state.methods.of::<RigidColumns>().spin[number]
}

/// All energy [J].
pub fn energy(world: &World) -> f64 {
    Energies::of(world, |_| true).total()
}
