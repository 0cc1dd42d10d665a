//! What is seen of a scene: shared by the command's pictures, the window and the page in the browser. No windows,
//! files or threads here.
//!
//! | what | where |
//! | --- | --- |
//! | a moment as a graphics card takes it: spheres, triangles, colliders, legend | [`Snapshot`] |
//! | what two moments differ in, as colours | [`Snapshot::difference`] |
//! | what is known of a scene: cameras, bounds, colours, values, columns | [`SceneFacts`] |
//! | the camera of a scene at each time | [`CameraPath`] |
//! | how pictures look: size, colours and their expected range | [`settings_of`], [`coloring_named`] |
//! | statistics and probes, a row a frame | [`Measurements`] |

mod camera_path;
mod difference;
mod facts;
mod measurements;
mod picture_settings;
mod scene_bounds;
mod snapshot;

pub use camera_path::{CameraPath, scene_camera};
pub use facts::SceneFacts;
pub use measurements::{Layout, MeasurementError, Measurements, OutputRows};
pub use picture_settings::{camera_of, camera_path_of, color_map_of, coloring_named, settings_of};
pub use snapshot::{Painted, Snapshot};
