//! The engine on small worlds built by hand.

mod attachments;
mod audit;
mod blocks;
mod cloth;
mod collisions;
mod corners;
mod density_correction;
mod determinism;
mod emission;
mod failures;
mod fluids;
mod friction;
mod granules;
mod heavy_loads;
mod neighborhoods;
mod probes;
mod reactions;
mod solids;
mod splashes;
mod springs;
mod vectorisation;
mod walls;
mod worlds;
