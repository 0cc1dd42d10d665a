//! Networks of springs.

mod bits;
mod contacts;
mod crushed;
mod hanging;
mod loads;
mod momentum;
pub mod networks;
mod solving;
