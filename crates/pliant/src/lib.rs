//! Pliant: an engine for things that bend, flow, tear and stay bent.
//!
//! This crate is the command `pliant`, and the same for programs: a scene is read from a file or made in code,
//! stepped in a loop of one's own, pushed, read, changed, saved, and recorded to a folder as the command leaves it.
//! The same scene gives the same bits on any number of threads, here as there.
//!
//! # A scene, stepped and read
//!
//! A [`Simulation`] is opened from a file ([`Simulation::open`]), from a text ([`Simulation::from_text`]), or from
//! a [`Scene`] that was made in code, with the keys, units and checks of scene files:
//!
//! ```
//! use pliant::{Scene, SceneTable, Simulation};
//!
//! let ball = SceneTable::new()
//!     .with("name", "ball")
//!     .with("material", "rubber")
//!     .with("shape.sphere.radius", 0.05)
//!     .with("position", [0.0, 0.2, 0.0])
//!     .with("spacing", 0.025);
//! let height = SceneTable::new()
//!     .with("name", "ball")
//!     .with("measure", "center-of-mass");
//! let scene = Scene::builder()
//!     .with("scene.duration", 1.0)
//!     .with("material.rubber.preset", "rubber")
//!     .add("body", ball)
//!     .add("probe", height)
//!     .build()?;
//! let mut simulation = Simulation::of(scene)?;
//! while simulation.time() < 0.1 {
//!     simulation.step()?;
//! }
//! // By a probe of the scene, and by the columns of the particles, which are not copied.
//! let height = simulation.measure("ball.y")?;
//! let positions = &simulation.particles().position;
//! let mean = positions.iter().map(|x| x.y).sum::<f64>() / positions.len() as f64;
//! assert!((height - mean).abs() < 1e-6);
//! # Ok::<(), pliant::SimulationError>(())
//! ```
//!
//! What is wrong with a scene is told with the address of its key and what would be right:
//!
//! ```
//! use pliant::Simulation;
//!
//! let wrong = Simulation::from_text("scene.duration = -1").map(|_| ());
//! let said = wrong.expect_err("no time runs backwards").to_string();
//! assert!(said.contains("scene.duration = -1"), "{said}");
//! ```
//!
//! # Acting on it
//!
//! Between steps a program may throw and push bodies ([`Simulation::set_velocity`], [`Simulation::push`]), move
//! colliders that are `driven` ([`Simulation::drive_to`]), activate muscles ([`Simulation::activate`]), change
//! constants ([`Simulation::change`]), attach and release particles ([`Simulation::attach`]), add and remove bodies
//! ([`Simulation::add`]). Here a hand takes a block from the floor:
//!
//! ```
//! use pliant::math::DVec3;
//! use pliant::{AttachTo, Simulation};
//!
//! let mut simulation = Simulation::from_text(
//!     r#"
//!     scene.duration = 1.0
//!     [material.rubber]
//!     preset = "rubber"
//!     [[body]]
//!     name = "block"
//!     material = "rubber"
//!     shape = { box = { size = [0.1, 0.1, 0.1] } }
//!     position = [0.0, 0.05, 0.0]
//!     spacing = 0.05
//!     [[collider]]
//!     name = "floor"
//!     shape = { plane = {} }
//!     [[collider]]
//!     name = "hand"
//!     driven = true
//!     "#,
//! )?;
//! simulation.attach("grip", "block", AttachTo::Collider("hand"), |x| x.y > 0.05)?;
//! simulation.drive("hand", DVec3::Y, DVec3::ZERO)?;
//! while simulation.time() < 0.2 {
//!     simulation.step()?;
//! }
//! simulation.release("grip")?;
//! assert!(simulation.particles().position.iter().all(|x| x.y > 0.15));
//! # Ok::<(), pliant::SimulationError>(())
//! ```
//!
//! Particles may be given other positions and velocities, whole columns at once ([`Simulation::edit`]); what cannot be
//! is refused before anything changes:
//!
//! ```
//! use pliant::Simulation;
//! use pliant::math::Vec3;
//!
//! let mut simulation = Simulation::from_text(
//!     r#"
//!     scene.duration = 1.0
//!     scene.gravity = [0, 0, 0]
//!     [material.water]
//!     preset = "water"
//!     [[body]]
//!     name = "drop"
//!     material = "water"
//!     shape = { sphere = { radius = 0.1 } }
//!     spacing = 0.05
//!     "#,
//! )?;
//! // It turns about the axis z, and stands one metre higher.
//! simulation.edit(|particles| {
//!     for (x, v) in particles.position.iter_mut().zip(particles.velocity.iter_mut()) {
//!         *v = Vec3::new(-x.y as _, x.x as _, 0.0);
//!         x.y += 1.0;
//!     }
//! })?;
//! simulation.step()?;
//! let refused = simulation.edit(|particles| particles.velocity[0] = Vec3::NAN);
//! assert!(refused.is_err());
//! # Ok::<(), pliant::SimulationError>(())
//! ```
//!
//! # Saving and recording
//!
//! [`Simulation::save`] gives the whole state as bytes, with what was added and attached; from them it goes on with
//! the same bits, in another process too. [`Simulation::record`] writes the folder that `pliant run` writes, and
//! [`Simulation::resume`] goes on with it after the program was killed; see [`Recording`].
//!
//! Six programs are in the folder `examples` of this crate: `throw` saves and restores, `hold` controls a muscle,
//! `squeeze` drives a collider and reads the force on it, `slope` sweeps a parameter of a scene made in code,
//! `record` records and resumes, `show` shows a simulation in a window or a browser while it goes on.
//!
//! # What else is here
//!
//! | what | where |
//! |---|---|
//! | a simulation in a program of one's own | [`Simulation`] |
//! | a scene that is watched and touched while it runs | [`live`] |
//! | a scene file read and its world built | [`prepare`] |
//! | a run and what it leaves | [`run`] |
//! | the frames of a run read back | [`recorded`] |
//! | what a program added to a scene while it recorded it | [`additions`] |
//! | pictures of a run made again | [`redraw`] |
//! | its frames written in other formats | [`export`] |
//! | surfaces made of their particles | [`mesh`] |
//! | whether a run shows what its scene expects | [`expectation`] |
//! | where and how much two runs differ | [`compare`] |
//! | whether a scene still leads to the same bits | [`fingerprint`] |
//! | a run for each combination of values | [`sweep`] |
//! | several runs at a time | [`jobs`] |
//! | `report.html` | [`report`] |
//! | what all pages share: charts, tables | [`page`] |
//! | what a substep costs on this machine | [`bench`] |
//! | claims about the physics, measured | [`validate`] |
//! | the scenes that come with the program | [`bundled`] |
//! | folders that cannot be created | [`new_folder`] |

pub mod additions;
mod backend;
pub mod bench;
pub mod bundled;
pub mod compare;
mod environment;
pub mod expectation;
pub mod export;
pub mod fingerprint;
pub mod gallery;
mod interaction;
pub mod jobs;
pub mod live;
pub mod machine;
pub mod mesh;
pub mod new_folder;
pub mod page;
mod particle_surface;
pub mod prepare;
pub mod recorded;
pub mod redraw;
pub mod report;
pub mod run;
mod run_source;
pub mod serve;
mod shown;
mod simulation;
pub mod sweep;
pub mod text;
pub mod validate;

pub use pliant_core as core;
pub use pliant_geometry as geometry;
pub use pliant_io as io;
pub use pliant_materials as materials;
pub use pliant_math as math;
pub use pliant_parameters as parameters;
pub use pliant_render as render;
pub use pliant_scene as scene;
pub use pliant_surface as surface;
pub use pliant_validation as validation;

pub use pliant_scene::{Scene, SceneBuilder, SceneTable, SceneValue};
pub use simulation::{
    AttachTo, EditedParticles, PictureLook, Recording, Simulation, SimulationError,
};
