//! The hand: an invisible driven collider, with springs from it to the particles that it holds; and its blade.
//!
//! It is in every world that is watched, whether it holds something or not, so that holding and letting go change
//! no counts, and moving it changes the state only.

use std::sync::Arc;

use pliant_core::boundaries::{Blade, Collider, Grip, Motion};
use pliant_core::world::{ChangeError, DriveError, Setup, World};
use pliant_geometry::{Nowhere, TriangleMesh};
use pliant_math::{DVec3, Pose};

use crate::Input;
use crate::held::Held;
use crate::{grip, pour};

/// Name of the collider and of what it holds.
const HAND: &str = "hand of the viewer";

/// Name of the blade that cuts for a moment.
const BLADE: &str = "blade of the viewer";

/// A hand in a world, between whose frames it acts.
#[derive(Clone, Debug, Default)]
pub struct Hand {
    held: Option<Held>,
    /// The last cut; it acts only at its time.
    blade: Option<Blade>,
}

/// Why something cannot be done to a world. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum HandError {
    /// Numbers that say nothing.
    #[error("`grab` wants a place for each particle and a stiffness above 0")]
    Grab,
    /// It is no rigid body, or numbers say nothing.
    #[error("`grab_body` wants the name of a rigid body, a point of it and a stiffness above 0; {}", rigid_text(.rigid))]
    GrabBody {
        /// Names of the rigid bodies.
        rigid: Vec<String>,
    },
    /// Nothing can be cut.
    #[error("there is nothing to cut: no body of the scene is of `strain-energy`")]
    NothingToCut,
    /// Nothing of it can be poured.
    #[error("nothing of a body \"{body}\" can be poured: {}", pourable_text(.pourable))]
    NotPourable {
        /// The name.
        body: String,
        /// Names of the bodies that can.
        pourable: Vec<String>,
    },
    /// A place that is none.
    #[error(
        "`pour` wants three numbers, in metres, at most 1e9 spacings of the body from the origin"
    )]
    Pour,
    /// It is not done by a hand.
    #[error("values of a scene are not changed by its hand")]
    NotByHand,
    /// The world refuses it.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// The hand cannot go there.
    #[error(transparent)]
    Drive(#[from] DriveError),
}

impl Hand {
    /// The collider that a world is to be built with to have a hand in it.
    pub fn collider() -> Collider {
        Collider {
            name: HAND.to_owned(),
            shape: Arc::new(Nowhere),
            motion: Motion::Driven {
                start: Pose::IDENTITY,
            },
            two_sided: false,
            grip: Grip::default(),
            friction: 0.0,
            restitution: 0.0,
            color: [0.5; 3],
            opacity: 0.0,
            gloss: 0.0,
        }
    }

    /// Whether it holds something.
    pub fn is_holding(&self) -> bool {
        self.held.is_some()
    }

    /// The input that takes hold of what is near a point [m]; `None` where nothing is that can be held.
    pub fn grab_at(world: &World, point: DVec3) -> Option<Input> {
        grip::grab_at(world, point)
    }

    /// Names of the bodies that can be poured: liquids, grains, and other continua whose particles nothing joins.
    pub fn pourable(setup: &Setup) -> Vec<String> {
        pour::pourable(setup)
    }

    /// Does what a hand does before the next frame: grabs, moves, lets go, cuts, pours.
    ///
    /// # Errors
    /// If it cannot be done; nothing has changed then.
    pub fn apply(&mut self, input: &Input, world: &mut World) -> Result<(), HandError> {
        match input {
            Input::Grab {
                particles,
                local,
                at,
                stiffness,
            } => {
                let held = Held::Particles {
                    particles: particles.clone(),
                    local: local.iter().map(|&x| DVec3::from_array(x)).collect(),
                    stiffness: *stiffness,
                };
                self.take_hold(held, *at, world)
            }
            Input::GrabBody {
                body,
                point,
                at,
                stiffness,
            } => {
                let held = Held::Body {
                    body: body.clone(),
                    point: DVec3::from_array(*point),
                    stiffness: *stiffness,
                };
                self.take_hold(held, *at, world)
            }
            Input::Move { to } => {
                let frame = 1.0 / world.setup.frame_rate;
                Ok(world.drive_to(number_in(world), at_rest(*to), frame)?)
            }
            Input::Release {} => self.let_go(world),
            Input::Cut { corners } => self.cut(corners.map(DVec3::from_array), world),
            Input::Pour { body, at } => pour::pour(world, body, DVec3::from_array(*at)),
            Input::Set { .. } | Input::Scene { .. } => Err(HandError::NotByHand),
        }
    }

    /// Lets go of what it holds.
    ///
    /// # Errors
    /// If it is in no world, which is a defect.
    pub fn let_go(&mut self, world: &mut World) -> Result<(), HandError> {
        self.hold(None, world)
    }

    /// Lets go and takes its blade away, before the world goes back to its start: the blade would cut again when its time
    /// comes.
    ///
    /// # Errors
    /// As for [`Self::let_go`].
    pub fn leave(&mut self, world: &mut World) -> Result<(), HandError> {
        world.change(|setup| {
            hold(setup, None);
            setup.blades.retain(|blade| blade.name != BLADE);
        })?;
        *self = Self::default();
        Ok(())
    }

    /// Puts what it holds and its blade into another reading of its scene.
    pub fn take_over(&self, setup: &mut Setup) {
        hold(setup, self.held.as_ref());
        if let Some(blade) = &self.blade {
            put_blade(setup, blade);
        }
    }

    fn take_hold(&mut self, held: Held, at: [f64; 3], world: &mut World) -> Result<(), HandError> {
        held.check(&world.setup)?;
        // At once: nothing hangs on it yet.
        world.put(number_in(world), at_rest(at))?;
        self.hold(Some(held), world)
    }

    fn hold(&mut self, held: Option<Held>, world: &mut World) -> Result<(), HandError> {
        world.change(|setup| hold(setup, held.as_ref()))?;
        self.held = held;
        Ok(())
    }

    fn cut(&mut self, corners: [DVec3; 4], world: &mut World) -> Result<(), HandError> {
        let mut bodies = world.setup.bodies.iter();
        let can_be_cut = bodies.any(|body| body.method.can_be_cut());
        if !(can_be_cut && corners.iter().all(|corner| corner.is_finite())) {
            return Err(HandError::NothingToCut);
        }
        let blade = blade(corners, world.state.time);
        world.change(|setup| put_blade(setup, &blade))?;
        self.blade = Some(blade);
        Ok(())
    }
}

fn pourable_text(pourable: &[String]) -> String {
    match pourable {
        [] => "no body of the scene can be poured".to_owned(),
        names => format!("there are {}", names.join(", ")),
    }
}

fn rigid_text(rigid: &[String]) -> String {
    match rigid {
        [] => "there is none in the scene".to_owned(),
        names => format!("there are {}", names.join(", ")),
    }
}

/// The number of the hand among the colliders.
fn place_in(setup: &Setup) -> Option<usize> {
    let mut colliders = setup.colliders.iter();
    colliders.position(|collider| collider.name == HAND)
}

/// The same; that of no collider, which the world refuses to drive, where there is no hand.
fn number_in(world: &World) -> usize {
    place_in(&world.setup).unwrap_or(usize::MAX)
}

/// Makes the hand hold particles, or nothing.
fn hold(setup: &mut Setup, held: Option<&Held>) {
    setup
        .attachments
        .retain(|attachment| attachment.name != HAND);
    let hand = place_in(setup).map(|place| place as u32);
    let attachment = held.and_then(|held| held.attachment(HAND, hand, setup));
    setup.attachments.extend(attachment);
}

/// A blade that is there at a time [s] alone: a flat piece of four corners, in turn [m].
fn blade(corners: [DVec3; 4], time: f64) -> Blade {
    Blade {
        name: BLADE.to_owned(),
        shape: Arc::new(Nowhere),
        surface: TriangleMesh {
            vertices: corners.to_vec(),
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        },
        motion: Motion::Rest(Pose::IDENTITY),
        start: time,
        stop: time,
        body: None,
        color: [0.5; 3],
        opacity: 0.0,
    }
}

/// Puts a blade into a setup, in place of an earlier one.
fn put_blade(setup: &mut Setup, blade: &Blade) {
    setup.blades.retain(|other| other.name != BLADE);
    setup.blades.push(blade.clone());
}

fn at_rest(translation: [f64; 3]) -> Pose {
    Pose {
        translation: DVec3::from_array(translation),
        ..Pose::IDENTITY
    }
}
