//! Descriptions of scene parameters, and the checked values that were read by them.
//!
//! Every item a scene can name (a shape, a law, a probe, ...) lists its parameters as [`Field`]s in
//! the item's own file: name, kind, unit, range, default and meaning. The scene reader checks a file
//! against these lists and hands the item its [`Values`]; the JSON Schema and the reference page are
//! printed from the same lists, so none of them can drift from the code. The files that a scene names are read
//! through [`Files`].

mod field;
mod files;
mod values;

pub use field::{Field, Kind, Preset, Range};
pub use files::{Disk, Files, Found};
pub use values::{Problem, Value, Values};
