//! The engine for WebAssembly: a scene opened from text, stepped, and seen through the module's memory.
//!
//! | what | where |
//! | --- | --- |
//! | a scene that is stepped, touched and seen | [`Player`] |
//! | what a page tells about it | [`facts()`] |
//! | the particles of the moment as a file | [`particle_file()`] |
//! | the files that a scene may name, in memory | [`MemoryFiles`] |
//! | what pictures are made of, one column after the other | [`View`], [`Walls`] |
//! | the functions that a page calls | `exports`, on WebAssembly only |

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod exports;
mod facts;
mod memory_files;
mod particle_file;
mod player;
mod view;
mod walls;

pub use facts::facts;
pub use memory_files::MemoryFiles;
pub use particle_file::particle_file;
pub use player::{Player, PlayerError};
pub use view::View;
pub use walls::Walls;
