//! Pliant: an engine for things that bend, flow, tear and stay bent.
//!
//! This crate puts the others together: from a scene file to a folder with particles, tables,
//! pictures, a film and a report. The command `pliant` is a thin layer over it.
//!
//! | what | where |
//! |---|---|
//! | a simulation in a program of one's own | [`Simulation`] |
//! | a scene that is watched and touched while it runs | [`live`] |
//! | a scene file read and its world built | [`prepare`] |
//! | a run and what it leaves | [`run`] |
//! | the frames of a run read back | [`recorded`] |
//! | pictures of a run made again | [`redraw`] |
//! | its frames written in other formats | [`export`] |
//! | surfaces made of their particles | [`mesh`] |
//! | whether a run shows what its scene expects | [`expectation`] |
//! | where and how much two runs differ | [`compare`] |
//! | whether a scene still leads to the same bits | [`fingerprint`] |
//! | a run for each combination of values | [`sweep`] |
//! | `report.html` | [`report`] |
//! | what all pages share: charts, tables | [`page`] |
//! | what a substep costs on this machine | [`bench`] |
//! | claims about the physics, measured | [`validate`] |
//! | the scenes that come with the program | [`bundled`] |
//! | folders that cannot be created | [`new_folder`] |

mod backend;
pub mod bench;
pub mod bundled;
pub mod compare;
pub mod expectation;
pub mod export;
pub mod fingerprint;
pub mod gallery;
pub mod live;
pub mod machine;
pub mod mesh;
pub mod new_folder;
pub mod page;
mod particle_surface;
mod picture_settings;
pub mod prepare;
pub mod recorded;
pub mod redraw;
pub mod report;
pub mod run;
mod scene_bounds;
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

pub use simulation::{Simulation, SimulationError};
