//! The engine for WebAssembly: a scene opened from text, stepped, touched, and seen in the bytes of its pictures.
//!
//! | what | where |
//! | --- | --- |
//! | a scene that is stepped, touched and seen | [`Player`] |
//! | what it is opened from | [`Opening`] |
//! | what a page tells about it | [`facts()`] |
//! | the particles of the moment as a file | [`particle_file()`] |
//! | the files that a scene may name, in memory | [`MemoryFiles`] |
//! | the functions that a page calls | `exports`, on WebAssembly only |

#[cfg(target_family = "wasm")]
mod exports;
mod facts;
mod memory_files;
mod opened;
mod particle_file;
mod player;
mod show;

pub use facts::facts;
pub use memory_files::MemoryFiles;
pub use opened::{Opening, RefusedChange};
pub use particle_file::particle_file;
pub use player::{Player, PlayerError};
