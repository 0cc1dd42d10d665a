//! A clamped beam of a solid under its own weight.
