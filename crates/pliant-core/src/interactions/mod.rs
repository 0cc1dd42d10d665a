//! Neighbours with kernel gradients, as sweeps over them read them.
//!
//! Sixteen blocks of one colour lie side by side, one in each lane of vector instructions (`rows`);
//! each row of sixteen particles has records of its neighbours (`records`), found and summed over
//! once a substep (`lists`, `build`). Velocities travel in packed form (`packed`). What any method
//! does with them alike stands here too: sums over neighbours (`passes`), close pairs (`pairs`), density
//! correction (`density`), XSPH (`smoothing`), and their impulses on held particles (`held`).

pub mod build;
pub mod density;
pub mod held;
pub mod lanes;
pub mod lists;
pub mod motion;
pub mod packed;
pub mod pairs;
pub mod passes;
pub mod records;
pub mod rows;
pub mod smoothing;

pub use lists::{Interaction, Interactions, NeighborSums, RowData, RowState, SearchInput};
pub use rows::ParticleRows;
