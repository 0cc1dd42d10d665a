//! The scene, from a file or made in code: reading, checking, printing, building a world.

mod addition;
mod build;
mod check;
mod code;
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

pub use addition::{RecordedAddition, SceneAddition, additions_text};
pub use build::{BodyEstimate, BuildWith, Built, Estimate, NamedProbe};
pub use code::{SceneBuilder, SceneTable, SceneValue};
pub use document::{Overrides, Setting};
pub use entries::SceneEntry;
pub use problems::{Place, SceneError, SceneErrors, Warning};
pub use reference::reference;
pub use scene::{
    Camera, CameraKeyframe, Environment, Expectation, Moment, Output, Probe, Scene, SceneMaterial,
    Surface,
};
pub use schema::schema;
