//! Contracts of the scene file, seen from outside.

mod attachments;
mod building;
mod cells;
mod cloth;
mod cuts;
mod documents;
mod errors;
mod in_code;
mod limits;
mod looks;
mod muscles;
mod mutation;
mod pages;
mod presets;
mod renamed;
mod rigid;
mod round_trip;
mod shape_groups;
mod solids;
mod springs;
mod stretch;
mod support;
