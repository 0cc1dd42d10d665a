//! Nothing but the features that its manifest asks of others' crates.
