//! Claims: statements with measured and expected numbers.

use std::fmt;

use pliant_core::step::StepError;

use crate::Curve;

/// Something that Pliant is said to do, with the numbers that show it.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// The statement.
    pub statement: &'static str,
    /// Measures the numbers.
    pub measure: fn() -> Result<Vec<Figure>, StepError>,
}

/// A measured number beside what is expected.
#[derive(Clone, Debug)]
pub struct Figure {
    /// What was measured, with its unit.
    pub what: String,
    /// The number.
    pub measured: f64,
    /// What is expected.
    pub expected: Expected,
    /// The curves it was read off, and what they are compared with.
    pub curves: Vec<Curve>,
}

/// What is expected of a number.
#[derive(Clone, Copy, Debug)]
pub enum Expected {
    /// At most this.
    AtMost(f64),
    /// At least this.
    AtLeast(f64),
    /// Within a distance, the second, of the first.
    Near(f64, f64),
    /// Anything: printed for information.
    Finite,
}

impl Expected {
    /// Within a share of a number: 0.08 for 8 %.
    pub fn within(value: f64, share: f64) -> Self {
        Expected::Near(value, share * value.abs())
    }

    /// True if a number is as expected; never for NaN.
    pub fn holds(&self, measured: f64) -> bool {
        match *self {
            Expected::AtMost(most) => measured <= most,
            Expected::AtLeast(least) => measured >= least,
            Expected::Near(value, distance) => (measured - value).abs() <= distance,
            Expected::Finite => measured.is_finite(),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Expected::AtMost(most) => write!(f, "<= {}", Short(most)),
            Expected::AtLeast(least) => write!(f, ">= {}", Short(least)),
            Expected::Near(value, distance) => write!(f, "{} +- {}", Short(value), Short(distance)),
            Expected::Finite => write!(f, "any"),
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
    pub fn new(what: impl Into<String>, measured: f64, expected: Expected) -> Self {
        Self {
            what: what.into(),
            measured,
            expected,
            curves: Vec::new(),
        }
    }

    /// The figure with a curve that it was read off or is compared with.
    pub fn with(mut self, curve: Curve) -> Self {
        self.curves.push(curve);
        self
    }

    /// True if the number is as expected.
    pub fn holds(&self) -> bool {
        self.expected.holds(self.measured)
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, expected, .. } = self;
        write!(f, "{what}: {} expected {expected}", Short(self.measured))
    }
}

impl Claim {
    /// Measures, prints, and panics if a number is not as expected: what a test does with a claim.
    ///
    /// # Panics
    /// If a number is not as expected, or the simulation fails.
    pub fn assert(&self) {
        let figures = match (self.measure)() {
            Ok(figures) => figures,
            Err(error) => panic!("{}: {error}", self.statement),
        };
        assert!(!figures.is_empty(), "{}: nothing measured", self.statement);
        for figure in &figures {
            println!("{figure}");
        }
        let short: Vec<_> = figures.iter().filter(|f| !f.holds()).collect();
        assert!(short.is_empty(), "{}: {short:?}", self.statement);
    }
}
