//! Curves that numbers are read off, for a page of plots.

/// A plot that curves belong to, those of several claims among them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plot {
    /// What it shows.
    pub title: &'static str,
    /// Unit of the values, empty for none.
    pub unit: &'static str,
    /// What the values are drawn over.
    pub across: &'static str,
    /// Unit of that, empty for none.
    pub across_unit: &'static str,
    /// Whether the quantity across and the values are laid out by decades.
    pub is_logarithmic: [bool; 2],
}

/// A named curve of a plot. Curves of one name in one plot are one curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Where it is drawn.
    pub plot: Plot,
    /// Its name.
    pub name: String,
    /// Place across and value.
    pub points: Vec<[f64; 2]>,
    /// True for what measurements are compared with.
    pub is_reference: bool,
}

impl Curve {
    /// Something measured.
    pub fn measured(plot: Plot, name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self {
            plot,
            name: name.into(),
            points,
            is_reference: false,
        }
    }

    /// Theory, or an experiment.
    pub fn reference(plot: Plot, name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Self {
            is_reference: true,
            ..Self::measured(plot, name, points)
        }
    }
}
