//! A ladder of values: gone up until a value does not hold, or to its end.

/// What came of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It holds.
    Held,
    /// It does not, and why.
    Failed(String),
    /// It was not run to its end, and the work that it would take.
    TooExpensive(String),
}

/// A value of a ladder with what came of it.
#[derive(Clone, Debug)]
pub struct Rung<T> {
    /// The value.
    pub value: f64,
    /// What came of it.
    pub verdict: Verdict,
    /// What was measured.
    pub measured: T,
}

/// Tries the values in their order, up to the first that does not hold.
pub fn climb<T>(values: &[f64], mut attempt: impl FnMut(f64) -> (Verdict, T)) -> Vec<Rung<T>> {
    let mut rungs = Vec::new();
    for &value in values {
        let (verdict, measured) = attempt(value);
        let holds = verdict == Verdict::Held;
        rungs.push(Rung {
            value,
            verdict,
            measured,
        });
        if !holds {
            break;
        }
    }
    rungs
}

/// The last value that holds.
pub fn last_held<T>(rungs: &[Rung<T>]) -> Option<f64> {
    let mut held = rungs.iter().filter(|rung| rung.verdict == Verdict::Held);
    held.next_back().map(|rung| rung.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn up_to(most: f64, why: Verdict) -> Vec<Rung<f64>> {
        climb(&[1.0, 10.0, 100.0, 1000.0], |value| {
            let verdict = match value <= most {
                true => Verdict::Held,
                false => why.clone(),
            };
            (verdict, 2.0 * value)
        })
    }

    #[test]
    fn a_ladder_ends_at_the_first_value_that_does_not_hold() {
        let rungs = up_to(10.0, Verdict::Failed("energy".into()));
        let values: Vec<f64> = rungs.iter().map(|rung| rung.value).collect();
        assert_eq!(values, [1.0, 10.0, 100.0]);
        assert_eq!(rungs[2].verdict, Verdict::Failed("energy".into()));
        assert_eq!(rungs[2].measured, 200.0);
        assert_eq!(last_held(&rungs), Some(10.0));
    }

    #[test]
    fn a_value_that_costs_too_much_ends_a_ladder_and_does_not_count() {
        let rungs = up_to(1.0, Verdict::TooExpensive("hours".into()));
        assert_eq!((rungs.len(), last_held(&rungs)), (2, Some(1.0)));
    }

    #[test]
    fn a_ladder_may_hold_to_its_end_or_nowhere() {
        assert_eq!(last_held(&up_to(1e9, Verdict::Held)), Some(1000.0));
        let none = up_to(0.0, Verdict::Failed("blew up".into()));
        assert_eq!((none.len(), last_held(&none)), (1, None));
    }
}
