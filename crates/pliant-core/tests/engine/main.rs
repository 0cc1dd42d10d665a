//! The engine on small worlds built by hand: determinism, meetings, births, failures.

mod determinism;
mod emission;
mod failures;
mod meetings;
mod neighborhoods;
mod worlds;
