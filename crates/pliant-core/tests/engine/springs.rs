//! Networks of springs.

mod bits;
mod contacts;
mod crushed;
mod hanging;
mod momentum;
mod networks;
mod solving;
