//! Expectations of a scene, checked against a run.

use pliant_scene::{Expectation, Moment};

/// An expectation, and what the run showed.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// What was expected.
    pub expectation: Expectation,
    /// The value the run gave, or why it gave none.
    pub found: Result<f64, NoValue>,
}

/// Why a run gives no value to compare.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NoValue {
    /// No table has the column.
    #[error("there is no column '{0}'")]
    NoColumn(String),
    /// No row lies in the time that counts.
    #[error("no row lies between `from` and `to`")]
    NoRows,
    /// The run was over before the time asked for.
    #[error("the run ends at {end:.4} s, before {at:.4} s")]
    TooShort {
        /// Last time [s].
        end: f64,
        /// Time asked for [s].
        at: f64,
    },
}

/// Columns of numbers by name, with the time of each row: `stats.csv` and `probes.csv`.
pub trait Columns {
    /// The times [s] of a column's rows and its values; `None` if there is no such column.
    fn column(&self, name: &str) -> Option<(Vec<f64>, Vec<f64>)>;
}

impl Verdict {
    /// Compares an expectation with the columns of a run.
    pub fn of(expectation: Expectation, columns: &dyn Columns) -> Self {
        let found = found(&expectation, columns);
        Self { expectation, found }
    }

    /// True if the run shows what was expected. A value that is not a number does not.
    pub fn passes(&self) -> bool {
        let accepted = self.expectation.low..=self.expectation.high;
        self.found
            .as_ref()
            .is_ok_and(|value| accepted.contains(value))
    }

    /// What was taken of the column: `at end`, `slope from 0.5 s`.
    pub fn moment_text(&self) -> String {
        let Expectation { at, from, to, .. } = &self.expectation;
        let mut text = match at {
            Moment::Time(time) => format!("at {time} s"),
            Moment::Whole(word) => word.clone(),
        };
        for (word, time) in [("from", from), ("to", to)] {
            if let Some(time) = time {
                text.push_str(&format!(" {word} {time} s"));
            }
        }
        text
    }
}

fn found(expectation: &Expectation, columns: &dyn Columns) -> Result<f64, NoValue> {
    let name = &expectation.column;
    let (time, values) = columns
        .column(name)
        .ok_or_else(|| NoValue::NoColumn(name.clone()))?;
    let from = expectation.from.unwrap_or(f64::NEG_INFINITY);
    let to = expectation.to.unwrap_or(f64::INFINITY);
    let rows = time.iter().copied().zip(values);
    let rows: Vec<(f64, f64)> = rows.filter(|(t, _)| (from..=to).contains(t)).collect();
    let Some(&(end, last)) = rows.last() else {
        return Err(NoValue::NoRows);
    };
    match &expectation.at {
        Moment::Time(at) => value_at(&rows, *at).ok_or(NoValue::TooShort { end, at: *at }),
        Moment::Whole(word) => Ok(match word.as_str() {
            "min" => strict_fold(&rows, f64::min),
            "max" => strict_fold(&rows, f64::max),
            "mean" => mean(rows.iter().map(|r| r.1)),
            "slope" => Line::through(&rows).slope,
            "r2" => Line::through(&rows).determination,
            _ => last,
        }),
    }
}

/// The value at a time, between two rows by a straight line; a thousandth of a row's time beyond
/// the last is still the last.
fn value_at(rows: &[(f64, f64)], at: f64) -> Option<f64> {
    let next = rows.partition_point(|r| r.0 < at);
    match (next.checked_sub(1).map(|k| rows[k]), rows.get(next)) {
        (Some(a), Some(b)) => Some(a.1 + (b.1 - a.1) * (at - a.0) / (b.0 - a.0)),
        (None, Some(first)) => Some(first.1),
        (Some(last), None) => (at - last.0 <= 1e-3 * last.0.abs()).then_some(last.1),
        (None, None) => None,
    }
}

/// Folds the values; one that is not a number makes the result none.
fn strict_fold(rows: &[(f64, f64)], choose: fn(f64, f64) -> f64) -> f64 {
    let combine = |a: f64, b: f64| {
        if a.is_nan() || b.is_nan() {
            f64::NAN
        } else {
            choose(a, b)
        }
    };
    rows.iter().map(|r| r.1).reduce(combine).unwrap_or(f64::NAN)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), v| (sum + v, count + 1.0));
    sum / count
}

/// A line of least squares.
struct Line {
    /// Change a second.
    slope: f64,
    /// Coefficient of determination; 1 for values that are all the same.
    determination: f64,
}

impl Line {
    fn through(rows: &[(f64, f64)]) -> Self {
        let (t0, y0) = (
            mean(rows.iter().map(|r| r.0)),
            mean(rows.iter().map(|r| r.1)),
        );
        let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
            rows.iter().map(|r| f(r.0 - t0, r.1 - y0)).sum()
        };
        let (tt, ty, yy) = (sum(&|t, _| t * t), sum(&|t, y| t * y), sum(&|_, y| y * y));
        Self {
            slope: ty / tt,
            determination: if yy == 0.0 { 1.0 } else { ty * ty / (tt * yy) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct TestRows(Vec<(f64, f64)>);

    impl Columns for TestRows {
        fn column(&self, name: &str) -> Option<(Vec<f64>, Vec<f64>)> {
            (name == "a").then(|| self.0.iter().copied().unzip())
        }
    }

    fn expecting(at: Moment) -> Expectation {
        Expectation {
            column: "a".into(),
            at,
            from: None,
            to: None,
            low: 0.0,
            high: 10.0,
            source: None,
            converges: false,
        }
    }

    fn whole(word: &str, rows: &[(f64, f64)]) -> f64 {
        let expectation = expecting(Moment::Whole(word.into()));
        Verdict::of(expectation, &TestRows(rows.to_vec()))
            .found
            .unwrap()
    }

    #[test]
    fn each_moment_takes_its_value() {
        let rows = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0), (3.0, 7.0)];
        let expected = [
            ("end", 7.0),
            ("min", 1.0),
            ("max", 7.0),
            ("mean", 4.0),
            ("slope", 2.0),
            ("r2", 1.0),
        ];
        for (word, value) in expected {
            assert!((whole(word, &rows) - value).abs() < 1e-12, "{word}");
        }
    }

    #[test]
    fn determination_of_scattered_rows_is_that_of_the_formula() {
        // Means 1 and 2; sums of squares 2, 2, products 1: r2 = 1/4.
        let rows = [(0.0, 1.0), (1.0, 3.0), (2.0, 2.0)];
        assert!((whole("r2", &rows) - 0.25).abs() < 1e-12);
        assert!((whole("slope", &rows) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_time_between_two_rows_takes_the_value_between() {
        let rows = TestRows(vec![(0.0, 1.0), (1.0, 3.0)]);
        let at = |t| Verdict::of(expecting(Moment::Time(t)), &rows).found;
        assert_eq!(at(0.25), Ok(1.5));
        assert_eq!(at(1.0), Ok(3.0));
        assert_eq!(at(1.5), Err(NoValue::TooShort { end: 1.0, at: 1.5 }));
    }

    #[test]
    fn rows_outside_from_and_to_do_not_count() {
        let rows = TestRows(vec![(0.0, 100.0), (1.0, 3.0), (2.0, 100.0)]);
        let mut expectation = expecting(Moment::Whole("max".into()));
        (expectation.from, expectation.to) = (Some(0.5), Some(1.5));
        assert_eq!(Verdict::of(expectation.clone(), &rows).found, Ok(3.0));
        expectation.to = Some(0.7);
        assert_eq!(Verdict::of(expectation, &rows).found, Err(NoValue::NoRows));
    }

    #[test]
    fn bounds_are_inclusive_and_nan_is_refused() {
        let passes = |value| {
            let expectation = expecting(Moment::Whole("max".into()));
            Verdict::of(expectation, &TestRows(vec![(0.0, 1.0), (1.0, value)])).passes()
        };
        assert!(passes(10.0) && !passes(10.1) && !passes(f64::NAN));
        let mut missing = expecting(Moment::Whole("end".into()));
        missing.column = "b".into();
        assert!(!Verdict::of(missing, &TestRows(vec![(0.0, 1.0)])).passes());
    }
}
