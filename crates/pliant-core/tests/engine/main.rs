//! The engine on small worlds built by hand: determinism, lanes, meetings, births, failures.

mod determinism;
mod emission;
mod failures;
mod lanes;
mod meetings;
mod neighborhoods;
mod worlds;
