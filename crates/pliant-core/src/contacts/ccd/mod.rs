//! Continuous collision detection: the last check of a substep, which lets nothing pass a surface.

mod impact_zones;
mod trajectories;
mod walls;

pub use impact_zones::ImpactZones;
pub use trajectories::{Impact, Trajectories};
pub use walls::{LEVEL, Paths, Stop};
