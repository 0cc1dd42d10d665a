//! Claims: what is measured, and what it must be.

use std::fmt;

use pliant_core::step::StepError;

use crate::Curve;

/// Something that Pliant is said to do, with the numbers that show it.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// A sentence.
    pub sentence: &'static str,
    /// Measures the numbers.
    pub measure: fn() -> Result<Vec<Figure>, StepError>,
}

/// A measured number beside what it must be.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What was measured, with its unit.
    pub what: String,
    /// The number.
    pub measured: f64,
    /// What it must be.
    pub must_be: Bound,
    /// The curves it was read off, and what they are compared with.
    pub curves: Vec<Curve>,
}

/// What a number must be.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// At most this.
    AtMost(f64),
    /// At least this.
    AtLeast(f64),
    /// Within a distance, the second, of the first.
    Near(f64, f64),
    /// Anything: printed for information.
    Finite,
}

impl Bound {
    /// Within a share of a number: 0.08 for 8 %.
    pub fn within(value: f64, share: f64) -> Self {
        Bound::Near(value, share * value.abs())
    }

    /// True if a number is what it must be; never for one that is not a number.
    pub fn holds(&self, measured: f64) -> bool {
        match *self {
            Bound::AtMost(most) => measured <= most,
            Bound::AtLeast(least) => measured >= least,
            Bound::Near(value, distance) => (measured - value).abs() <= distance,
            Bound::Finite => measured.is_finite(),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Bound::AtMost(most) => write!(f, "<= {}", Short(most)),
            Bound::AtLeast(least) => write!(f, ">= {}", Short(least)),
            Bound::Near(value, distance) => write!(f, "{} +- {}", Short(value), Short(distance)),
            Bound::Finite => write!(f, "any"),
        }
    }
}

/// A number in four digits.
#[derive(Clone, Copy, Debug)]
pub struct Short(pub f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 {
            write!(f, "0")
        } else if (1e-3..1e6).contains(&size) {
            let digits = (3 - size.log10().floor() as i32).max(0) as usize;
            write!(f, "{:.digits$}", self.0)
        } else {
            write!(f, "{:.2e}", self.0)
        }
    }
}

impl Figure {
    /// A figure.
    pub fn new(what: impl Into<String>, measured: f64, must_be: Bound) -> Self {
        Self {
            what: what.into(),
            measured,
            must_be,
            curves: Vec::new(),
        }
    }

    /// The figure with a curve that it was read off or is compared with.
    pub fn with(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }

    /// True if the number is what it must be.
    pub fn holds(&self) -> bool {
        self.must_be.holds(self.measured)
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, must_be, .. } = self;
        write!(f, "{what}: {} must be {must_be}", Short(self.measured))
    }
}

impl Claim {
    /// Measures, prints, and panics if a number falls short: what a test does with a claim.
    ///
    /// # Panics
    /// If a number falls short, or the simulation fails.
    pub fn assert(&self) {
        let figures = match (self.measure)() {
            Ok(figures) => figures,
            Err(error) => panic!("{}: {error}", self.sentence),
        };
        assert!(!figures.is_empty(), "{}: nothing measured", self.sentence);
        for figure in &figures {
            println!("{figure}");
        }
        let short: Vec<_> = figures.iter().filter(|f| !f.holds()).collect();
        assert!(short.is_empty(), "{}: {short:?}", self.sentence);
    }
}
