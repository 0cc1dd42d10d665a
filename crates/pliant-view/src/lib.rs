//! What is seen of a scene: shared by the command's pictures, the window and the page in the browser. No windows,
//! files or threads here.
//!
//! | what | where |
//! | --- | --- |
//! | a moment as a graphics card takes it: spheres, triangles, colliders, legend | [`Snapshot`] |
//! | the same in bytes, for a page | [`PageColumns`] |
//! | the shaders that draw it | [`shader`] |
//! | what two moments differ in, as colours | [`Snapshot::difference`] |
//! | what is known of a scene: cameras, bounds, colours, values, columns | [`SceneFacts`] |
//! | the camera of a scene at each time | [`CameraPath`] |
//! | how pictures look: size, colours and their expected range | [`settings_of`], [`coloring_named`] |
//! | what a value of a scene may be, in words | [`accepted()`] |
//! | statistics and probes, a row a frame, or chosen columns | [`Measurements`] |
//! | the columns that are in view before some are chosen | [`GAUGES`] |

mod accepted;
mod camera_path;
mod columns;
mod difference;
mod facts;
mod gauges;
mod measurements;
mod picture_settings;
mod scene_bounds;
mod shaders;
mod snapshot;
mod told;

pub use accepted::accepted;
pub use camera_path::{CameraPath, scene_camera};
pub use columns::PageColumns;
pub use facts::SceneFacts;
pub use gauges::GAUGES;
pub use measurements::{Layout, MeasurementError, Measurements, OutputRows, UnknownColumn};
pub use picture_settings::{camera_of, camera_path_of, color_map_of, coloring_named, settings_of};
pub use shaders::{SHADERS, shader};
pub use snapshot::{OPAQUE, Painted, Snapshot};
