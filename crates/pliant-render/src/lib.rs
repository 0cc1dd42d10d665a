//! Pictures and films of a [`Frame`](pliant_core::measure::Frame), made on the processor.
//!
//! | step | module |
//! |---|---|
//! | where the camera stands, what its pixels see | [`camera`], `view` |
//! | what colour each particle has, and the legend that says so | `coloring`, `color_map`, `legend` |
//! | collider shapes as triangles with normals, kept between frames | `surfaces` |
//! | which particles and triangles each sample of a pixel sees | `raster` |
//! | what lights a picture: the usual lights, or an environment map | `environment_map`, `surroundings` |
//! | how much of the lamp and the sky reaches a point | `lights` |
//! | the lamp and the sky, for others who draw | [`illumination`] |
//! | light to sRGB bytes, text, PNG | `shading`, `tone`, `text`, [`picture`] |
//! | pictures to a film | [`film`] |
//!
//! Invariant: the same frame, camera and settings give the same bytes for any number of threads.
//! Not here: files. Everything is returned as bytes or written to a caller's `Write`.

pub mod camera;
mod color_map;
mod coloring;
mod environment_map;
pub mod film;
pub mod illumination;
mod legend;
mod lens;
mod lights;
pub mod picture;
mod raster;
mod renderer;
mod shading;
mod surfaces;
mod surroundings;
mod text;
mod tiles;
mod tone;
mod view;

pub use camera::{Camera, action_bounds};
pub use color_map::ColorMap;
pub use coloring::{Coloring, Legend, colors_of};
pub use environment_map::{EnvironmentMap, EnvironmentMapError};
pub use lens::Lens;
pub use picture::Picture;
pub use renderer::{RenderError, Renderer, Settings};
pub use surfaces::{Surface, SurfaceCache};
pub use surroundings::EnvironmentLight;

#[cfg(test)]
mod scene_tests;
#[cfg(test)]
mod test_scene;
