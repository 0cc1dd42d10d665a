//! Axes: a range with round ticks.

/// An axis from `low` to `high`, with ticks at round values inside.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Value at the start.
    pub low: f64,
    /// Value at the end, greater than `low`.
    pub high: f64,
    /// Distance of two ticks: 1, 2 or 5 times a power of ten.
    pub step: f64,
}

/// A power of ten taken out of the labels, so that they stay short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale(pub i32);

impl Axis {
    /// An axis that ends at the data.
    pub fn tight(low: f64, high: f64, ticks: u32) -> Self {
        let (low, high) = proper(low, high);
        let step = round_step((high - low) / f64::from(ticks));
        Self { low, high, step }
    }

    /// An axis that ends at ticks around the data.
    pub fn round(low: f64, high: f64, ticks: u32) -> Self {
        let Self { low, high, step } = Self::tight(low, high, ticks);
        Self {
            low: (low / step + 1e-9).floor() * step,
            high: (high / step - 1e-9).ceil() * step,
            step,
        }
    }

    /// Values of the ticks.
    pub fn ticks(&self) -> Vec<f64> {
        let first = (self.low / self.step - 1e-6).ceil() as i64;
        let last = (self.high / self.step + 1e-6).floor() as i64;
        (first..=last).map(|k| k as f64 * self.step).collect()
    }

    /// Where a value lies, 0 at the start and 1 at the end.
    pub fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// The power of ten to take out of the labels: a multiple of three, 0 where labels are short.
    pub fn scale(&self) -> Scale {
        let size = self.low.abs().max(self.high.abs());
        let power = size.log10().floor() as i32;
        match power {
            -2..=4 => Scale(0),
            _ => Scale(power.div_euclid(3) * 3),
        }
    }

    /// The label of a tick with the scale taken out.
    pub fn label(&self, tick: f64, scale: Scale) -> String {
        let unit = 10f64.powi(scale.0);
        let decimals = (-(self.step / unit).log10().floor()).max(0.0) as usize;
        let text = format!("{:.decimals$}", tick / unit);
        let is_zero = text.trim_start_matches(['-', '0', '.']).is_empty();
        if is_zero {
            "0".into()
        } else {
            text.replace('-', "\u{2212}")
        }
    }
}

impl Scale {
    /// `×10⁻³`, empty for 1.
    pub fn text(self) -> String {
        let superscript = |c: char| match c {
            '-' => '⁻',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            c => char::from_u32(0x2070 + u32::from(c) - u32::from('0')).unwrap_or(c),
        };
        match self.0 {
            0 => String::new(),
            power => format!(
                "×10{}",
                power
                    .to_string()
                    .chars()
                    .map(superscript)
                    .collect::<String>()
            ),
        }
    }
}

/// A range that is not empty.
fn proper(low: f64, high: f64) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if high - low > 1e-9 * size && (high - low).is_normal() {
        return (low, high);
    }
    let margin = if size > 0.0 { 0.05 * size } else { 1.0 };
    (low - margin, low + margin)
}

/// The least of 1, 2, 5, 10, ... times a power of ten that is not less than `step`.
fn round_step(step: f64) -> f64 {
    let unit = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0]
        .into_iter()
        .find(|f| f * unit >= step * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        for (low, high) in [
            (0.0, 1.0),
            (-3.7, 12.9),
            (1e-7, 9e-7),
            (5e5, 5.1e5),
            (2.0, 2.0),
            (0.0, 0.0),
        ] {
            let axis = Axis::round(low, high, 5);
            let ticks = axis.ticks();
            assert!(axis.low <= low && high <= axis.high, "{axis:?}");
            assert!((2..=12).contains(&ticks.len()), "{axis:?}");
            let first = 10f64.powf(axis.step.log10().floor());
            let digit = (axis.step / first).round() as i32;
            assert!([1, 2, 5, 10].contains(&digit), "{axis:?}");
        }
    }

    #[test]
    fn labels_have_the_digits_that_tell_them_apart() {
        let axis = Axis::round(0.0, 0.1, 5);
        let labels: Vec<String> = axis
            .ticks()
            .iter()
            .map(|t| axis.label(*t, axis.scale()))
            .collect();
        assert_eq!(labels, ["0", "0.02", "0.04", "0.06", "0.08", "0.10"]);
        let axis = Axis::round(-2e6, 2e6, 4);
        assert_eq!(axis.scale().text(), "×10⁶");
        assert_eq!(axis.label(-2e6, axis.scale()), "\u{2212}2");
    }
}
