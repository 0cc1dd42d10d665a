//! What a parameter is: name, kind, unit, range, default and meaning.

/// One parameter of an item: a row of its reference table.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The key in the scene file, in snake case.
    pub name: &'static str,
    /// What may stand there.
    pub kind: Kind,
    /// Unit as written in documentation ("m", "Pa", "degrees"), empty for none.
    pub unit: &'static str,
    /// What holds when the key is missing.
    pub default: Preset,
    /// Meaning, one or two sentences.
    pub doc: &'static str,
}

/// What a parameter accepts.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number; integers are accepted and widened.
    Number(Range),
    /// A whole number.
    Integer(Range),
    /// `true` or `false`.
    Flag,
    /// Any text.
    Text,
    /// A colour, `"#rrggbb"`.
    Color,
    /// A file path, relative to the scene file.
    File,
    /// The same of a file that is not looked for before it is used.
    LateFile,
    /// The paths of numbered files, with `#` for each digit of the number, relative to the scene file.
    FileSequence,
    /// One of the listed words.
    Choice(&'static [&'static str]),
    /// A number in the range, or one of the listed words.
    NumberOrChoice(Range, &'static [&'static str]),
    /// A list of words, each from the given ones.
    Choices(&'static [&'static str]),
    /// So many numbers, each in the range.
    Vector(usize, Range),
    /// A list of at least `least` vectors of `dimension` numbers.
    Points {
        /// Numbers a point.
        dimension: usize,
        /// Fewest points accepted.
        least: usize,
    },
    /// A table with these fields.
    Table(&'static [Field]),
    /// A list of tables with these fields.
    Tables(&'static [Field]),
    /// A table with one key, the name of a shape: `{ sphere = { radius = 1.0 } }`.
    Shape,
    /// A list of shapes.
    Shapes,
    /// A list of at least so many shapes, each in its place: a table with one key that names a
    /// shape, as in [`Kind::Shape`], and beside it, both optional, `position` (three numbers, m)
    /// and `rotation` (three numbers, degrees, intrinsic x y z). The checked [`crate::Value`] is a
    /// list of tables with the same keys, `position` and `rotation` only where they were written.
    PlacedShapes(usize),
}

/// What holds when a key is missing.
#[derive(Clone, Copy, Debug)]
pub enum Preset {
    /// The key must be there.
    Required,
    /// The value is absent: the item decides what that means, and `doc` says it.
    Absent,
    /// This number.
    Number(f64),
    /// This whole number.
    Integer(i64),
    /// This flag.
    Flag(bool),
    /// This text, choice or colour.
    Text(&'static str),
    /// These numbers.
    Vector(&'static [f64]),
    /// These words.
    Texts(&'static [&'static str]),
}

/// The accepted interval of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// True if `low` itself is accepted.
    pub with_low: bool,
    /// True if `high` itself is accepted.
    pub with_high: bool,
}

impl Range {
    /// Any finite number.
    pub const ANY: Self = Self::open(f64::NEG_INFINITY, f64::INFINITY);
    /// Greater than zero.
    pub const POSITIVE: Self = Self::open(0.0, f64::INFINITY);
    /// Zero or greater.
    pub const NOT_NEGATIVE: Self = Self {
        with_low: true,
        ..Self::POSITIVE
    };
    /// From zero to one, both accepted.
    pub const UNIT: Self = Self::closed(0.0, 1.0);

    /// Between the ends, neither accepted.
    pub const fn open(low: f64, high: f64) -> Self {
        Self {
            low,
            high,
            with_low: false,
            with_high: false,
        }
    }

    /// Between the ends, both accepted.
    pub const fn closed(low: f64, high: f64) -> Self {
        Self {
            low,
            high,
            with_low: true,
            with_high: true,
        }
    }

    /// From `low`, accepted, up to but without `high`.
    pub const fn from_to(low: f64, high: f64) -> Self {
        Self {
            with_low: true,
            ..Self::open(low, high)
        }
    }

    /// True if the finite number lies in the interval.
    pub fn contains(&self, value: f64) -> bool {
        let above = value > self.low || (self.with_low && value == self.low);
        let below = value < self.high || (self.with_high && value == self.high);
        value.is_finite() && above && below
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let at_least = if self.with_low {
            "at least"
        } else {
            "greater than"
        };
        let at_most = if self.with_high {
            "at most"
        } else {
            "less than"
        };
        match (self.low.is_finite(), self.high.is_finite()) {
            (false, false) => write!(f, "any finite number"),
            (true, false) => write!(f, "{at_least} {}", self.low),
            (false, true) => write!(f, "{at_most} {}", self.high),
            (true, true) => write!(f, "{at_least} {} and {at_most} {}", self.low, self.high),
        }
    }
}

impl Field {
    /// A required length [m], greater than zero.
    pub const fn length(name: &'static str, doc: &'static str) -> Self {
        Self::required(name, Kind::Number(Range::POSITIVE), "m", doc)
    }

    /// A field that must be given.
    pub const fn required(
        name: &'static str,
        kind: Kind,
        unit: &'static str,
        doc: &'static str,
    ) -> Self {
        Self::new(name, kind, unit, Preset::Required, doc)
    }

    /// A field that may be missing.
    pub const fn optional(
        name: &'static str,
        kind: Kind,
        unit: &'static str,
        doc: &'static str,
    ) -> Self {
        Self::new(name, kind, unit, Preset::Absent, doc)
    }

    /// A number with a default.
    pub const fn number(
        name: &'static str,
        range: Range,
        unit: &'static str,
        default: f64,
        doc: &'static str,
    ) -> Self {
        Self::new(
            name,
            Kind::Number(range),
            unit,
            Preset::Number(default),
            doc,
        )
    }

    /// A field with everything said.
    pub const fn new(
        name: &'static str,
        kind: Kind,
        unit: &'static str,
        default: Preset,
        doc: &'static str,
    ) -> Self {
        Self {
            name,
            kind,
            unit,
            default,
            doc,
        }
    }
}
