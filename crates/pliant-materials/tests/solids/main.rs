//! What every solid given by its energy promises, checked for each row of the registry.

mod elastic;
mod fibers;
mod inversion;
mod plasticity;
mod samples;
