//! A chart as inline SVG: lines over time, or areas stacked on each other.

use std::fmt::Write;

use super::axis::Axis;
use super::html::{escaped, unit};

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 34.0;

/// A chart over time.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// Unit of the values, empty for none.
    pub unit: String,
    /// Times of the values [s].
    pub time: Vec<f64>,
    /// The lines or areas, at most nine.
    pub series: Vec<Series>,
    /// Ranges of values that were expected, with the place of the series they are about.
    pub expected: Vec<(usize, [f64; 2])>,
    /// True to stack areas on each other.
    pub is_stacked: bool,
}

/// A named line or area of a chart.
#[derive(Clone, Debug)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// One value a time; those that are not finite leave a gap.
    pub values: Vec<f64>,
}

/// The chart with its axes.
struct Frame<'a> {
    chart: &'a Chart,
    x: Axis,
    y: Axis,
}

impl Chart {
    /// The chart as a figure; empty if there are not two times.
    pub fn figure(&self) -> String {
        if self.time.len() < 2 || self.series.is_empty() {
            return String::new();
        }
        let frame = Frame::of(self);
        let scale = frame.y.scale().text();
        let unit = [scale, unit(&self.unit)].join(" ");
        let unit = match unit.trim() {
            "" => String::new(),
            unit => format!(" <span class=\"unit\">[{}]</span>", escaped(unit)),
        };
        format!(
            "<figure>\n<figcaption>{}{unit}{}</figcaption>\n{}</figure>\n",
            escaped(&self.title),
            self.legend(),
            frame.svg()
        )
    }

    fn legend(&self) -> String {
        if self.series.len() < 2 {
            return String::new();
        }
        let entry = |(i, series): (usize, &Series)| {
            format!("<span class=\"key c{i}\">{}</span>", escaped(&series.name))
        };
        let entries: Vec<String> = self.series.iter().enumerate().map(entry).collect();
        format!("<span class=\"legend\">{}</span>", entries.join(" "))
    }

    /// Tops of the areas: the sums of the values so far.
    fn tops(&self) -> Vec<Vec<f64>> {
        let mut below = vec![0.0; self.time.len()];
        let mut tops = Vec::new();
        for series in &self.series {
            for (sum, value) in below.iter_mut().zip(&series.values) {
                *sum += value;
            }
            tops.push(below.clone());
        }
        tops
    }
}

impl<'a> Frame<'a> {
    fn of(chart: &'a Chart) -> Self {
        let values: Vec<f64> = match chart.is_stacked {
            true => chart.tops().concat().into_iter().chain([0.0]).collect(),
            false => chart.series.iter().flat_map(|s| s.values.clone()).collect(),
        };
        let [low, high] = widened(range(&values), &chart.expected);
        let [start, end] = range(&chart.time);
        Self {
            chart,
            x: Axis::tight(start, end, 6),
            y: Axis::round(low, high, 5),
        }
    }

    fn svg(&self) -> String {
        let mut svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\">\n",
            escaped(&self.chart.title)
        );
        self.expected(&mut svg);
        self.axes(&mut svg);
        match self.chart.is_stacked {
            true => self.areas(&mut svg),
            false => self.lines(&mut svg),
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Writing to a string cannot fail.
    fn axes(&self, svg: &mut String) {
        let scale = self.y.scale();
        let (left, right, foot) = (LEFT, WIDTH - RIGHT, HEIGHT - BOTTOM);
        for tick in self.y.ticks() {
            let y = self.height(tick);
            let class = if tick == 0.0 { "zero" } else { "grid" };
            let _ = writeln!(
                svg,
                "<path class=\"{class}\" d=\"M{left} {y:.1}H{right}\"/>"
            );
            let label = self.y.label(tick, scale);
            let _ = writeln!(
                svg,
                "<text class=\"y\" x=\"{:.1}\" y=\"{y:.1}\">{label}</text>",
                left - 6.0
            );
        }
        let scale = self.x.scale();
        for tick in self.x.ticks() {
            let (x, label) = (self.across(tick), self.x.label(tick, scale));
            let _ = writeln!(svg, "<path class=\"tick\" d=\"M{x:.1} {foot:.1}v4\"/>");
            let _ = writeln!(
                svg,
                "<text class=\"x\" x=\"{x:.1}\" y=\"{:.1}\">{label}</text>",
                foot + 16.0
            );
        }
        let _ = writeln!(
            svg,
            "<path class=\"axis\" d=\"M{left} {foot:.1}H{right}\"/>"
        );
        let unit = ["time", &scale.text(), "[s]"].join(" ").replace("  ", " ");
        let middle = 0.5 * (left + right);
        let _ = writeln!(
            svg,
            "<text class=\"x\" x=\"{middle:.1}\" y=\"{:.1}\">{unit}</text>",
            HEIGHT - 4.0
        );
    }

    fn expected(&self, svg: &mut String) {
        for (i, range) in &self.chart.expected {
            let inside = range.map(|value| value.clamp(self.y.low, self.y.high));
            let (top, height) = (
                self.height(inside[1]),
                self.height(inside[0]) - self.height(inside[1]),
            );
            if inside[0] == inside[1] && (range[0] > self.y.high || range[1] < self.y.low) {
                continue;
            }
            let (width, height) = (WIDTH - RIGHT - LEFT, height.max(1.5));
            let _ = writeln!(
                svg,
                "<rect class=\"expected c{i}\" x=\"{LEFT}\" y=\"{top:.1}\" width=\"{width}\" height=\"{height:.1}\"/>"
            );
        }
    }

    fn lines(&self, svg: &mut String) {
        for (i, series) in self.chart.series.iter().enumerate() {
            let mut path = String::new();
            let mut pen = 'M';
            for (&time, &value) in self.chart.time.iter().zip(&series.values) {
                if !is_drawable(value) {
                    pen = 'M';
                    continue;
                }
                let _ = write!(
                    path,
                    "{pen}{:.1} {:.1}",
                    self.across(time),
                    self.height(value)
                );
                pen = 'L';
            }
            let _ = writeln!(svg, "<path class=\"line c{i}\" d=\"{path}\"/>");
        }
    }

    fn areas(&self, svg: &mut String) {
        let floor = vec![0.0; self.chart.time.len()];
        let tops = self.chart.tops();
        for (i, top) in tops.iter().enumerate() {
            let below = i.checked_sub(1).map_or(&floor, |k| &tops[k]);
            let there = self.chart.time.iter().zip(top);
            let back = self.chart.time.iter().zip(below).rev();
            let point = |(time, value): (&f64, &f64)| {
                format!("{:.1} {:.1}", self.across(*time), self.height(*value))
            };
            let points: Vec<String> = there.chain(back).map(point).collect();
            let _ = writeln!(
                svg,
                "<path class=\"area c{i}\" d=\"M{}Z\"/>",
                points.join("L")
            );
        }
    }

    fn across(&self, time: f64) -> f64 {
        LEFT + self.x.share(time) * (WIDTH - RIGHT - LEFT)
    }

    fn height(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.share(value) * (HEIGHT - BOTTOM - TOP)
    }
}

/// True for numbers whose distances are numbers.
fn is_drawable(value: f64) -> bool {
    value.abs() < 1e300
}

/// Least and greatest of the values; 0 to 1 if there are none.
fn range(values: &[f64]) -> [f64; 2] {
    let drawable = values.iter().copied().filter(|v| is_drawable(*v));
    let [low, high] = drawable.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], v| {
        [a.min(v), b.max(v)]
    });
    if low <= high { [low, high] } else { [0.0, 1.0] }
}

/// The range with what was expected, as far as that leaves the values half of the height.
fn widened([low, high]: [f64; 2], expected: &[(usize, [f64; 2])]) -> [f64; 2] {
    let span = (high - low).max(1e-3 * low.abs().max(high.abs()));
    let bounds = expected.iter().flat_map(|(_, range)| *range);
    let near =
        bounds.filter(|b| b.is_finite() && (low - 0.5 * span..=high + 0.5 * span).contains(b));
    near.fold([low, high], |[a, b], bound| [a.min(bound), b.max(bound)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(values: &[f64]) -> Chart {
        Chart {
            title: "a < b".into(),
            unit: "m".into(),
            time: (0..values.len()).map(|i| i as f64).collect(),
            series: vec![Series {
                name: "a".into(),
                values: values.to_vec(),
            }],
            ..Chart::default()
        }
    }

    #[test]
    fn a_chart_has_a_point_for_every_finite_value() {
        let figure = chart(&[1.0, f64::NAN, 3.0, 4.0]).figure();
        let line = figure
            .lines()
            .find(|line| line.contains("class=\"line"))
            .unwrap();
        assert_eq!(line.matches('M').count(), 2);
        assert_eq!(line.matches('L').count(), 1);
        assert!(!figure.contains("NaN") && !figure.contains("a < b"));
    }

    #[test]
    fn values_without_range_or_number_still_give_a_chart() {
        for values in [[0.0; 3], [f64::NAN; 3], [1e-300; 3], [f64::MAX; 3]] {
            let figure = chart(&values).figure();
            assert!(
                figure.contains("</svg>") && !figure.contains("NaN"),
                "{values:?}\n{figure}"
            );
        }
        assert!(chart(&[1.0]).figure().is_empty());
    }

    #[test]
    fn stacked_areas_end_at_their_sum() {
        let mut chart = chart(&[1.0, 2.0]);
        chart.series.push(Series {
            name: "b".into(),
            values: vec![3.0, 4.0],
        });
        chart.is_stacked = true;
        assert_eq!(chart.tops(), [[1.0, 2.0], [4.0, 6.0]]);
        assert_eq!(chart.figure().matches("class=\"area").count(), 2);
    }
}
