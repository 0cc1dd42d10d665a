//! The engine on small worlds built by hand: determinism, lanes, meetings, births, failures.

mod audit;
mod blocks;
mod cloth;
mod corners;
mod crowds;
mod determinism;
mod emission;
mod failures;
mod fluids;
mod granules;
mod holds;
mod lanes;
mod loads;
mod meetings;
mod neighborhoods;
mod probes;
mod reactions;
mod slides;
mod solids;
mod splashes;
mod springs;
mod walls;
mod worlds;
