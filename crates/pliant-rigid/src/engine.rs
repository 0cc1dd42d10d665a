//! Rapier as the engine of the method `rigid`.
//!
//! Its world is made anew in every substep, from where the bodies are: nothing that it would remember can
//! change a bit of a run that is resumed. What it is told are poses, what it is asked is where shapes meet
//! (a step of no length). Bodies are moved, under their joints, by `motion`.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use pliant_core::boundaries::{Collider, ColliderStep, RigidStep};
use pliant_core::contacts::{RigidEngine, RigidEngineSource, RigidMeeting, Side};
use pliant_core::methods::rigid::{RigidBody, RigidSetup};
use pliant_core::world::Setup;
use pliant_math::{DVec3, Pose};
use rapier3d_f64::math::Pose as Frame;
use rapier3d_f64::prelude::{
    BroadPhaseBvh, CCDSolver, ColliderBuilder, ColliderSet, ContactPair, ImpulseJointSet,
    IntegrationParameters, InteractionGroups, IslandManager, MultibodyJointSet, NarrowPhase,
    PhysicsPipeline, RigidBodyBuilder, RigidBodySet, SharedShape, SoftBodySet,
};

use crate::joint::{End, Joint};
use crate::motion::{Bodies, JointSolver};
use crate::shape::solid;

/// Points nearer than this share of the smallest body's size are contacts, also if nothing moves.
const CONTACT_DISTANCE: f64 = 0.02;

/// What makes engines for a world.
#[derive(Clone)]
pub struct Engine {
    world: Arc<FixedData>,
}

/// What never changes.
struct FixedData {
    /// All colliders, rigid bodies last; `None` for those that touch no rigid body.
    solids: Vec<Option<RigidCollider>>,
    bodies: Bodies,
    /// Pairs of colliders that joints keep from touching.
    excluded_pairs: Vec<[usize; 2]>,
    /// True if joints may do work.
    has_drives: bool,
    /// Size of the smallest body [m].
    size: f64,
}

/// A collider as it touches others.
struct RigidCollider {
    shape: SharedShape,
    friction: f64,
    restitution: f64,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (solids, joints) = (self.world.solids.len(), self.world.bodies.joints.len());
        write!(f, "Engine of {solids} colliders and {joints} joints")
    }
}

impl Engine {
    /// For a setup with rigid bodies, whose colliders are the last.
    pub fn new(setup: &Setup, joints: Vec<Joint>) -> Self {
        let bodies = RigidSetup::of(setup).bodies;
        let first = setup.colliders.len() - bodies.len();
        let solid = |(index, collider): (usize, &Collider)| {
            let moves = index >= first;
            let shape = solid(collider.shape.as_ref(), moves, collider.two_sided);
            shape.map(|shape| RigidCollider {
                shape,
                friction: collider.friction,
                restitution: collider.restitution,
            })
        };
        let size = |body: &RigidBody| body.shape.extent;
        let is_end = |number: usize, joint: &Joint| joint.ends.contains(&End::Body(number as u32));
        let is_joined = |number| joints.iter().any(|joint| is_end(number, joint));
        let index = |end: End| match end {
            End::Body(number) => first + number as usize,
            End::Collider(index) => index as usize,
            End::World => usize::MAX,
        };
        let excluded_pairs = joints.iter().filter(|joint| !joint.collides);
        let moves = |end: &End| match end {
            End::Collider(index) => !setup.colliders[*index as usize].is_at_rest(),
            End::Body(_) | End::World => false,
        };
        let drives = |joint: &Joint| joint.motor.is_some() || joint.ends.iter().any(moves);
        Self {
            world: Arc::new(FixedData {
                solids: setup.colliders.iter().enumerate().map(solid).collect(),
                has_drives: joints.iter().any(drives),
                size: bodies.iter().map(size).fold(f64::INFINITY, f64::min),
                excluded_pairs: excluded_pairs.map(|joint| joint.ends.map(index)).collect(),
                bodies: Bodies {
                    inertias: bodies.iter().map(|body| body.shape.inertia).collect(),
                    centers: bodies.iter().map(|body| body.shape.center).collect(),
                    starts: setup.colliders.iter().map(|c| c.motion.pose(0.0)).collect(),
                    is_joined: (0..bodies.len()).map(is_joined).collect(),
                    joints,
                },
            }),
        }
    }
}

/// The engine of a setup that has further rigid bodies, which no joint holds, behind those of another one.
///
/// * `before` — that of the other one, if it had rigid bodies
pub fn grown(before: Option<&dyn RigidEngineSource>, setup: &Setup) -> Arc<dyn RigidEngineSource> {
    let before = before.and_then(|source| (source as &dyn Any).downcast_ref::<Engine>());
    let joints = before.map(|engine| engine.world.bodies.joints.clone());
    Arc::new(Engine::new(setup, joints.unwrap_or_default()))
}

impl RigidEngineSource for Engine {
    fn engine(&self) -> Box<dyn RigidEngine> {
        Box::new(Solver {
            fixed: Arc::clone(&self.world),
            pipeline: PhysicsPipeline::new(),
            parameters: IntegrationParameters {
                dt: 0.0,
                max_ccd_substeps: 0,
                ..IntegrationParameters::default()
            },
            joint_solver: JointSolver::default(),
        })
    }
}

struct Solver {
    fixed: Arc<FixedData>,
    pipeline: PhysicsPipeline,
    parameters: IntegrationParameters,
    joint_solver: JointSolver,
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Solver of {} rigid bodies",
            self.fixed.bodies.inertias.len()
        )
    }
}

/// The world of a substep.
#[derive(Default)]
struct RapierWorld {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    ccd: CCDSolver,
}

impl RigidEngine for Solver {
    fn find(
        &mut self,
        bodies: &[RigidStep],
        colliders: &[ColliderStep],
        shapes: &[Collider],
        reach: f64,
        meetings: &mut Vec<RigidMeeting>,
    ) {
        self.parameters.normalized_prediction_distance =
            reach.max(CONTACT_DISTANCE * self.fixed.size);
        let mut world = RapierWorld::default();
        world.add(&self.fixed, bodies, (colliders, shapes));
        world.step(&mut self.pipeline, &self.parameters);
        let first_rigid = colliders.len() - bodies.len();
        for pair in world.narrow_phase.contact_pairs() {
            self.fixed
                .meetings(pair, &world.colliders, first_rigid, meetings);
        }
        self.joint_solver
            .start(&self.fixed.bodies, bodies, colliders);
    }

    fn solve_joints(&mut self, bodies: &mut [RigidStep], dt: f64) {
        self.joint_solver.solve_joints(bodies, dt);
    }

    fn solve_joints_of_corrections(&mut self, bodies: &mut [RigidStep]) {
        self.joint_solver.solve_joints_of_corrections(bodies);
    }

    fn advance(&mut self, bodies: &mut [RigidStep], kicks: &[DVec3], dt: f64) {
        self.joint_solver.advance(bodies, kicks, dt);
    }

    fn is_joined(&self, body: usize) -> bool {
        self.fixed.bodies.is_joined[body]
    }

    fn has_drives(&self) -> bool {
        self.fixed.has_drives
    }
}

impl RapierWorld {
    /// Fills an empty world.
    fn add(
        &mut self,
        fixed: &FixedData,
        bodies: &[RigidStep],
        (colliders, shapes): (&[ColliderStep], &[Collider]),
    ) {
        let first_rigid = colliders.len() - bodies.len();
        for (index, step) in colliders.iter().enumerate() {
            let body = match index.checked_sub(first_rigid) {
                None => RigidBodyBuilder::kinematic_position_based(),
                Some(number) if bodies[number].inverse_mass > 0.0 => RigidBodyBuilder::dynamic(),
                Some(_) => RigidBodyBuilder::fixed(),
            };
            let body = body.pose(frame(&step.start)).enabled(step.is_present);
            let handle = self.bodies.insert(body.can_sleep(false));
            if let Some(known) = fixed.solids[index].as_ref().filter(|_| step.is_present) {
                let deformed = shapes[index].shape.moving().and_then(|moving| {
                    let shape = solid(moving, false, shapes[index].two_sided)?;
                    Some(RigidCollider { shape, ..*known })
                });
                let collider = deformed.as_ref().unwrap_or(known).collider(index);
                self.colliders
                    .insert_with_parent(collider, handle, &mut self.bodies);
            }
        }
    }

    fn step(&mut self, pipeline: &mut PhysicsPipeline, parameters: &IntegrationParameters) {
        pipeline.step(
            DVec3::ZERO,
            parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.joints,
            &mut self.multibody_joints,
            &mut self.soft_bodies,
            &mut self.ccd,
            &(),
            &(),
        );
    }
}

impl RigidCollider {
    fn collider(&self, index: usize) -> ColliderBuilder {
        // Contacts have been solved, with all that is not in this world, when bodies are moved.
        ColliderBuilder::new(self.shape.clone())
            .density(0.0)
            .solver_groups(InteractionGroups::none())
            .user_data(index as u128)
    }
}

impl FixedData {
    /// The points of a pair of shapes that are near each other.
    fn meetings(
        &self,
        pair: &ContactPair,
        colliders: &ColliderSet,
        first_rigid: usize,
        meetings: &mut Vec<RigidMeeting>,
    ) {
        let [one, other] = [pair.collider1, pair.collider2].map(|handle| &colliders[handle]);
        let (a, b) = (one.user_data as usize, other.user_data as usize);
        let side = |index: usize| match index.checked_sub(first_rigid) {
            Some(number) => Side::Body(number as u32),
            None => Side::Collider(index as u32),
        };
        // A body comes first, and of two the first.
        let (first, second) = if b >= first_rigid && (a < first_rigid || b < a) {
            (b, a)
        } else {
            (a, b)
        };
        if self.excluded_pairs.contains(&[first, second])
            || self.excluded_pairs.contains(&[second, first])
        {
            return;
        }
        let is_turned = first != a;
        let (of_first, of_second) = (&self.solids[first], &self.solids[second]);
        let (Some(of_first), Some(of_second)) = (of_first, of_second) else {
            return;
        };
        // As for particles: a collider's own coefficient, of two bodies the geometric mean.
        let friction = match side(second) {
            Side::Collider(_) => of_second.friction,
            Side::Body(_) => (of_first.friction * of_second.friction).sqrt(),
        };
        for manifold in pair.manifolds() {
            let [at_one, at_other] = [
                (one.position(), manifold.subshape_pos1()),
                (other.position(), manifold.subshape_pos2()),
            ]
            .map(|(pose, part)| part.map_or(*pose, |part| *pose * *part));
            let towards_other = at_one.transform_vector(manifold.local_n1);
            for point in manifold.contacts() {
                let middle: DVec3 = 0.5
                    * (at_one.transform_point(point.local_p1)
                        + at_other.transform_point(point.local_p2));
                meetings.push(RigidMeeting {
                    sides: [side(first), side(second)],
                    point: middle,
                    normal: if is_turned {
                        towards_other
                    } else {
                        -towards_other
                    },
                    gap: point.dist,
                    friction,
                    restitution: of_first.restitution.max(of_second.restitution),
                });
            }
        }
    }
}

fn frame(pose: &Pose) -> Frame {
    Frame::from_parts(pose.translation, pose.rotation)
}
