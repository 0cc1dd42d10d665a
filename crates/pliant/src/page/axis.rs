//! Axes: a range with round ticks.

/// How values are laid out along an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scaling {
    /// Equal distances are equal differences.
    #[default]
    Linear,
    /// Equal distances are equal ratios; only values above zero are shown.
    Logarithmic,
}

/// An axis from `low` to `high`, with ticks at round values inside.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Value at the start; its decimal logarithm on a logarithmic axis.
    pub low: f64,
    /// Value at the end, greater than `low`; its logarithm likewise.
    pub high: f64,
    /// Distance of two ticks: 1, 2 or 5 times a power of ten; a whole number of decades.
    pub step: f64,
    scaling: Scaling,
}

/// A power of ten taken out of the labels, so that they stay short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale(pub i32);

impl Axis {
    /// An axis that ends at the data.
    pub fn tight(low: f64, high: f64, ticks: u32) -> Self {
        let (low, high) = proper(low, high);
        let step = round_step((high - low) / f64::from(ticks));
        Self {
            low,
            high,
            step,
            scaling: Scaling::Linear,
        }
    }

    /// An axis that ends at ticks around the data.
    pub fn round(low: f64, high: f64, ticks: u32) -> Self {
        let tight = Self::tight(low, high, ticks);
        Self {
            low: (tight.low / tight.step + 1e-9).floor() * tight.step,
            high: (tight.high / tight.step - 1e-9).ceil() * tight.step,
            ..tight
        }
    }

    /// A logarithmic axis with ticks at powers of ten: it ends at the data if there are two ticks
    /// between, otherwise at ticks around. The values are above zero.
    pub fn decades(low: f64, high: f64, ticks: u32) -> Self {
        let (start, end) = (low.log10(), high.log10());
        let (first, last) = (
            (start + 1e-9).floor(),
            (end - 1e-9).ceil().max(start.floor()),
        );
        let last = last.max(first + 1.0);
        let is_wide = end.floor() - start.ceil() >= 1.0;
        let (low, high) = if is_wide { (start, end) } else { (first, last) };
        Self {
            low,
            high,
            step: ((last - first) / f64::from(ticks)).ceil().max(1.0),
            scaling: Scaling::Logarithmic,
        }
    }

    /// True for values that the axis can show.
    pub fn shows(&self, value: f64) -> bool {
        self.scaling.shows(value)
    }

    /// Values of the ticks.
    pub fn ticks(&self) -> Vec<f64> {
        let first = (self.low / self.step - 1e-6).ceil() as i64;
        let last = (self.high / self.step + 1e-6).floor() as i64;
        let places = (first..=last).map(|k| k as f64 * self.step);
        match self.scaling {
            Scaling::Linear => places.collect(),
            Scaling::Logarithmic => places.map(|power| 10f64.powf(power)).collect(),
        }
    }

    /// Where a value lies, 0 at the start and 1 at the end.
    pub fn share(&self, value: f64) -> f64 {
        let place = match self.scaling {
            Scaling::Linear => value,
            Scaling::Logarithmic => value.log10(),
        };
        (place - self.low) / (self.high - self.low)
    }

    /// The value nearest to this one that is on the axis.
    pub fn clamped(&self, value: f64) -> f64 {
        match self.scaling {
            Scaling::Linear => value.clamp(self.low, self.high),
            Scaling::Logarithmic => value.clamp(10f64.powf(self.low), 10f64.powf(self.high)),
        }
    }

    /// The power of ten to take out of the labels: a multiple of three, 0 where labels are short.
    pub fn scale(&self) -> Scale {
        if self.scaling == Scaling::Logarithmic {
            return Scale(0);
        }
        let size = self.low.abs().max(self.high.abs());
        let power = size.log10().floor() as i32;
        match power {
            -2..=4 => Scale(0),
            _ => Scale(power.div_euclid(3) * 3),
        }
    }

    /// The label of a tick with the scale taken out.
    pub fn label(&self, tick: f64, scale: Scale) -> String {
        if self.scaling == Scaling::Logarithmic {
            return power_label(tick.log10().round() as i32);
        }
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
        match self.0 {
            0 => String::new(),
            power => format!("×10{}", superscript(power)),
        }
    }
}

impl Scaling {
    /// True for values that can be shown: numbers whose distances are numbers.
    pub fn shows(self, value: f64) -> bool {
        match self {
            Scaling::Linear => value.abs() < 1e300,
            Scaling::Logarithmic => (1e-300..1e300).contains(&value),
        }
    }
}

/// A power of ten as it is read: `0.01`, `1`, `1000`, `10⁶`.
fn power_label(power: i32) -> String {
    match power {
        -2..=0 => format!("{:.*}", power.unsigned_abs() as usize, 10f64.powi(power)),
        1..=3 => format!("{:.0}", 10f64.powi(power)),
        _ => format!("10{}", superscript(power)),
    }
}

fn superscript(power: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => char::from_u32(0x2070 + u32::from(c) - u32::from('0')).unwrap_or(c),
    };
    power.to_string().chars().map(raised).collect()
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
    fn decades_have_ticks_at_powers_of_ten() {
        let labels = |low, high| {
            let axis = Axis::decades(low, high, 6);
            let ticks = axis.ticks();
            assert!(axis.share(low) >= -1e-9 && axis.share(high) <= 1.0 + 1e-9);
            assert!((axis.share(ticks[1]) - axis.share(ticks[0])).abs() > 0.1);
            ticks
                .iter()
                .map(|t| axis.label(*t, axis.scale()))
                .collect::<Vec<_>>()
        };
        assert_eq!(labels(1e4, 2e6), ["10⁴", "10⁵", "10⁶"]);
        assert_eq!(labels(0.3, 0.4), ["0.1", "1"]);
        assert_eq!(labels(0.02, 20.0), ["0.1", "1", "10"]);
        assert!(labels(1e-12, 1.0).len() <= 7);
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
