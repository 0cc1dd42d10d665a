//! The panels around the picture.

mod controls;
mod legend;
mod particle;
mod plots;
mod values;

pub use controls::{
    Appearance, ChosenCamera, Controls, choose_speed, keys, show_appearance, show_controls,
};
pub use legend::show_legend;
pub use particle::{show_particle, show_path};
pub use plots::{PlotChoice, show_plots};
pub use values::{Values, show_values};
