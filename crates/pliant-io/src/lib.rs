//! Files: meshes, particles and tetrahedra read, particles and tables written, checkpoints framed.
//!
//! | what | where |
//! | --- | --- |
//! | a file that appears only when complete | [`write_file`], [`write_bytes`], [`PendingFile`] |
//! | folders, numbered files, what an interrupted run left | [`create_folder`], [`NumberedFiles`], [`remove_partial_files`] |
//! | `stats.csv`, `probes.csv` | [`Table`] |
//! | other tables, as text | [`csv_text`] |
//! | the files that a scene names, each read once | [`InputFiles`] |
//! | triangle meshes from OBJ, STL, PLY, glTF, USD | [`mesh`] |
//! | environment maps that light pictures, from Radiance files | [`environment_map`] |
//! | particles of a body from PLY, VTP, VTU, NPZ | [`particles`] |
//! | tetrahedra from VTK, legacy and XML, Gmsh, TetGen | [`tetrahedra`] |
//! | particles to VTK, PLY, NPZ and back; to BGEO and USD | [`export`] |
//! | layers of USD as binary files | `usdc` |
//! | arrays of VTK XML files, in every encoding | `vtk_xml` |
//! | the state of a run, to go on from | [`checkpoint`] |
//! | whether two states are the same | [`StateHash`] |
//!
//! Not here: the scene file (`pliant-scene`), the encoding of pictures (`pliant-render`), what a
//! checkpoint's bytes mean (`pliant-core`).

mod atomic;
mod beside;
mod content_hash;
mod csv_text;
mod file_error;
mod folder;
mod formats;
mod input_files;
mod noted_files;
mod overlapped;
mod percent;
mod state_hash;
mod table;
mod usdc;
mod vtk_xml;

pub mod checkpoint;
pub mod environment_map;
pub mod export;
pub mod mesh;
pub mod particles;
pub mod tetrahedra;

pub use atomic::{PendingFile, remove_partial_files, write_bytes, write_file};
pub use content_hash::content_hash;
pub use csv_text::csv_text;
pub use file_error::FileError;
pub use folder::{NumberedFiles, create_folder, read_bytes, read_text, remove_file};
pub use input_files::InputFiles;
pub use state_hash::StateHash;
pub use table::{Table, TableError};
