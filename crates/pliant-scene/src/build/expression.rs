//! Formulas of the time.

use exmex::{BinOp, Express, FlatEx, MakeOperators, Operator};
use pliant_core::schedule::TimeFunction;

/// The operators of formulas. What is transcendental comes from `libm`: the same bits everywhere.
#[derive(Clone, Debug)]
struct Operators;

impl MakeOperators<f64> for Operators {
    fn make<'a>() -> Vec<Operator<'a, f64>> {
        let binary = |apply, prio| BinOp {
            apply,
            prio,
            is_commutative: false,
        };
        let mut all = vec![
            Operator::make_bin("^", binary(libm::pow, 4)),
            Operator::make_bin("*", binary(|a, b| a * b, 2)),
            Operator::make_bin("/", binary(|a, b| a / b, 3)),
            Operator::make_bin_unary("+", binary(|a, b| a + b, 0), |a| a),
            Operator::make_bin_unary("-", binary(|a, b| a - b, 1), |a: f64| -a),
            Operator::make_constant("PI", std::f64::consts::PI),
        ];
        let functions: [(&'static str, Function); 10] = [
            ("sin", libm::sin),
            ("cos", libm::cos),
            ("tan", libm::tan),
            ("exp", libm::exp),
            ("ln", libm::log),
            ("sqrt", f64::sqrt),
            ("abs", f64::abs),
            ("sign", |x| if x == 0.0 { 0.0 } else { x.signum() }),
            ("floor", f64::floor),
            ("step", |x| if x >= 0.0 { 1.0 } else { 0.0 }),
        ];
        all.extend(functions.map(|(name, apply)| Operator::make_unary(name, apply)));
        all
    }
}

/// A function of one number.
type Function = fn(f64) -> f64;

/// A formula of the time.
#[derive(Clone, Debug)]
pub(super) struct Formula(FlatEx<f64, Operators>);

impl Formula {
    /// From its text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let formula = FlatEx::parse(text).map_err(|error| error.to_string())?;
        let others = formula.var_names().iter().find(|name| *name != "t");
        match others {
            Some(name) => Err(format!("`{name}` is neither the time `t` nor a function")),
            None => Ok(Self(formula)),
        }
    }
}

impl TimeFunction for Formula {
    /// What is no number counts as 0.
    fn at(&self, time: f64) -> f64 {
        let value = match self.0.var_names().len() {
            0 => self.0.eval(&[]),
            _ => self.0.eval(&[time]),
        };
        value.ok().filter(|value| value.is_finite()).unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_computed_as_they_are_written() {
        for (text, expected) in [
            ("0.5", 0.5),
            ("2 * t + 0.1", 3.1),
            ("-t ^ 2 + 3", 3.0 + 1.5 * 1.5),
            (
                "0.5 + 0.5 * sin(2 * PI * t)",
                0.5 + 0.5 * libm::sin(3.0 * std::f64::consts::PI),
            ),
            ("step(t - 1) * (8 / 4 / 2)", 1.0),
            ("step(t - 2) + sqrt(t - 5)", 0.0),
        ] {
            let formula = Formula::parse(text).expect(text);
            assert!(
                (formula.at(1.5) - expected).abs() < 1e-12,
                "{text}: {}",
                formula.at(1.5)
            );
        }
    }

    #[test]
    fn formulas_of_anything_else_are_refused() {
        for text in ["x + t", "sin(", "2 +* t", "", "foo(t)"] {
            assert!(Formula::parse(text).is_err(), "{text}");
        }
    }
}
