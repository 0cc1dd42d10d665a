//! The scene file: reading, checking, printing, building a world.

mod build;
mod check;
mod document;
mod entries;
mod methods;
mod paths;
mod print;
mod problems;
mod reference;
mod scene;
mod schema;
mod tables;
mod units;

pub use build::{BodyEstimate, BuildWith, Built, Estimate, NamedProbe};
pub use document::{Overrides, Setting};
pub use entries::SceneEntry;
pub use problems::{Place, SceneError, SceneErrors, Warning};
pub use reference::reference;
pub use scene::{Camera, Expectation, Moment, Output, Probe, Scene, SceneMaterial};
pub use schema::schema;
