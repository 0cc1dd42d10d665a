//! Bars beside their names, for values that are shares of one sum.

use std::fmt::Write;

use super::html::escaped;

const WIDTH: f64 = 480.0;
const ROW: f64 = 24.0;
const LEFT: f64 = 96.0;
const RIGHT: f64 = 64.0;

/// A figure with a bar for each name, the greatest as long as there is room; values that are no
/// numbers, and those not above zero, have none.
pub fn bars(title: &str, unit: &str, values: &[(String, f64)]) -> String {
    let greatest = values.iter().map(|v| v.1).filter(|v| v.is_finite());
    let greatest = greatest.fold(0.0, f64::max);
    if greatest <= 0.0 {
        return String::new();
    }
    let height = ROW * values.len() as f64;
    let mut svg = String::new();
    for (place, (name, value)) in values.iter().enumerate() {
        let middle = ROW * (place as f64 + 0.5);
        let share = (value / greatest).max(0.0);
        let length = if share.is_finite() { share } else { 0.0 } * (WIDTH - LEFT - RIGHT);
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<text class=\"y\" x=\"{:.1}\" y=\"{middle:.1}\">{}</text>\n\
             <rect class=\"bar c0\" x=\"{LEFT}\" y=\"{:.1}\" width=\"{length:.1}\" height=\"{:.1}\"/>\n\
             <text class=\"after\" x=\"{:.1}\" y=\"{middle:.1}\">{}</text>",
            LEFT - 8.0,
            escaped(name),
            middle - 0.3 * ROW,
            0.6 * ROW,
            LEFT + length + 6.0,
            crate::text::number(*value)
        );
    }
    format!(
        "<figure>\n<figcaption>{title} <span class=\"unit\">[{unit}]</span></figcaption>\n\
         <svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{title}\">\n{svg}</svg>\n</figure>\n",
        title = escaped(title),
        unit = escaped(unit)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_values() {
        let value = |name: &str, value| (name.to_owned(), value);
        let figure = bars("t", "ns", &[value("a", 2.0), value("b", 1.0)]);
        let widths: Vec<f64> = figure
            .split(" width=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(widths, [320.0, 160.0]);
        assert!(bars("t", "ns", &[value("a", f64::NAN)]).is_empty());
    }
}
