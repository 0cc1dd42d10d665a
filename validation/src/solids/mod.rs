//! Solids with an energy against closed forms.

mod bar;

pub use bar::{Pull, Pulled, STEPS};
