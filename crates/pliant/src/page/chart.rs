//! A chart as inline SVG: lines over time or another quantity, or areas stacked on each other.

use std::fmt::Write;

use super::axis::{Axis, Scaling};
use super::html::{escaped, unit};

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 34.0;

/// Most lines that have a colour of their own.
pub const MOST_SERIES: usize = 9;

/// A chart: lines over some quantity, or areas stacked on each other.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// Unit of the values, empty for none.
    pub unit: String,
    /// What the values are drawn over.
    pub across: Across,
    /// How the quantity across and the values are laid out.
    pub scaling: [Scaling; 2],
    /// The lines or areas, at most [`MOST_SERIES`].
    pub series: Vec<Series>,
    /// Ranges of values that were expected, with the place of the series they are about.
    pub expected: Vec<(usize, [f64; 2])>,
    /// True to stack areas on each other; all series then have the same places across.
    pub is_stacked: bool,
    /// True to mark every point, as befits few.
    pub has_points: bool,
}

/// The quantity that values are drawn over.
#[derive(Clone, Debug)]
pub struct Across {
    /// What it is.
    pub name: String,
    /// Its unit, empty for none.
    pub unit: String,
}

/// A named line or area of a chart.
#[derive(Clone, Debug, Default)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Place across and value; values that are not finite leave a gap.
    pub points: Vec<[f64; 2]>,
    /// True for what is compared with: theory, a bound.
    pub is_dashed: bool,
}

impl Default for Across {
    fn default() -> Self {
        Self {
            name: "time".into(),
            unit: "s".into(),
        }
    }
}

impl Series {
    /// Values at their places across.
    pub fn new(name: impl Into<String>, across: &[f64], values: &[f64]) -> Self {
        let points = across.iter().zip(values).map(|(&x, &y)| [x, y]);
        Self {
            name: name.into(),
            points: points.collect(),
            is_dashed: false,
        }
    }

    /// The values alone.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        self.points.iter().map(|point| point[1])
    }
}

/// The chart with its axes.
struct Frame<'a> {
    chart: &'a Chart,
    x: Axis,
    y: Axis,
}

impl Chart {
    /// The chart as a figure; empty if no line has two points, or one that is marked.
    pub fn figure(&self) -> String {
        let least = if self.has_points { 1 } else { 2 };
        if !self.series.iter().any(|s| s.points.len() >= least) {
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

    /// Tops of the areas, the sums of the values so far, after the floor that the first stands on.
    fn tops(&self) -> Vec<Vec<[f64; 2]>> {
        let first = self.series.first().map_or(&[][..], |s| &s.points);
        let mut below: Vec<[f64; 2]> = first.iter().map(|point| [point[0], 0.0]).collect();
        let mut tops = vec![below.clone()];
        for series in &self.series {
            for (sum, value) in below.iter_mut().zip(series.values()) {
                sum[1] += value;
            }
            tops.push(below.clone());
        }
        tops
    }
}

impl<'a> Frame<'a> {
    fn of(chart: &'a Chart) -> Self {
        let points: Vec<[f64; 2]> = match chart.is_stacked {
            true => chart.tops().concat(),
            false => chart.series.iter().flat_map(|s| s.points.clone()).collect(),
        };
        let range_of = |place: usize| range(points.iter().map(|p| p[place]), chart.scaling[place]);
        let [low, high] = widened(range_of(1), &chart.expected);
        let [start, end] = range_of(0);
        Self {
            chart,
            x: match chart.scaling[0] {
                Scaling::Linear => Axis::tight(start, end, 6),
                Scaling::Logarithmic => Axis::decades(start, end, 6),
            },
            y: match chart.scaling[1] {
                Scaling::Linear => Axis::round(low, high, 5),
                Scaling::Logarithmic => Axis::decades(low, high, 5),
            },
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
        let unit = match unit(&self.chart.across.unit) {
            none if none.is_empty() => none,
            unit => format!("[{unit}]"),
        };
        let name = [
            &escaped(&self.chart.across.name),
            &scale.text(),
            &escaped(&unit),
        ]
        .map(|part| part.trim().to_owned())
        .join(" ")
        .replace("  ", " ");
        let middle = 0.5 * (left + right);
        let _ = writeln!(
            svg,
            "<text class=\"x\" x=\"{middle:.1}\" y=\"{:.1}\">{}</text>",
            HEIGHT - 4.0,
            name.trim()
        );
    }

    fn expected(&self, svg: &mut String) {
        for (i, range) in &self.chart.expected {
            let inside = range.map(|value| self.y.clamped(value));
            let (top, height) = (
                self.height(inside[1]),
                self.height(inside[0]) - self.height(inside[1]),
            );
            let is_outside = range[0] > inside[1] || range[1] < inside[0];
            if inside[0] == inside[1] && is_outside {
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
            for &[across, value] in &series.points {
                if !self.shows([across, value]) {
                    pen = 'M';
                    continue;
                }
                let (x, y) = (self.across(across), self.height(value));
                let _ = write!(path, "{pen}{x:.1} {y:.1}");
                pen = 'L';
                if self.chart.has_points && !series.is_dashed {
                    let _ = writeln!(
                        svg,
                        "<circle class=\"point c{i}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\"/>"
                    );
                }
            }
            let dashed = if series.is_dashed { " dashed" } else { "" };
            let _ = writeln!(svg, "<path class=\"line c{i}{dashed}\" d=\"{path}\"/>");
        }
    }

    fn areas(&self, svg: &mut String) {
        let tops = self.chart.tops();
        for (i, pair) in tops.windows(2).enumerate() {
            let outline = pair[1].iter().chain(pair[0].iter().rev());
            let points: Vec<String> = outline
                .map(|&[x, y]| format!("{:.1} {:.1}", self.across(x), self.height(y)))
                .collect();
            let _ = writeln!(
                svg,
                "<path class=\"area c{i}\" d=\"M{}Z\"/>",
                points.join("L")
            );
        }
    }

    fn shows(&self, [across, value]: [f64; 2]) -> bool {
        self.x.shows(across) && self.y.shows(value)
    }

    fn across(&self, place: f64) -> f64 {
        LEFT + self.x.share(place) * (WIDTH - RIGHT - LEFT)
    }

    fn height(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.share(value) * (HEIGHT - BOTTOM - TOP)
    }
}

/// Least and greatest of the values that can be shown; 0 to 1, or 1 to 10, if there are none.
fn range(values: impl Iterator<Item = f64>, scaling: Scaling) -> [f64; 2] {
    let drawable = values.filter(|v| scaling.shows(*v));
    let [low, high] = drawable.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], v| {
        [a.min(v), b.max(v)]
    });
    match scaling {
        _ if low <= high => [low, high],
        Scaling::Linear => [0.0, 1.0],
        Scaling::Logarithmic => [1.0, 10.0],
    }
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

    fn series(name: &str, values: &[f64]) -> Series {
        let places: Vec<f64> = (0..values.len()).map(|i| i as f64).collect();
        Series::new(name, &places, values)
    }

    fn chart(values: &[f64]) -> Chart {
        Chart {
            title: "a < b".into(),
            unit: "m".into(),
            series: vec![series("a", values)],
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
    fn logarithmic_charts_leave_out_what_has_no_logarithm() {
        let mut chart = chart(&[1e-9, 0.0, -1.0, 1.0, 1e3]);
        chart.scaling = [Scaling::Linear, Scaling::Logarithmic];
        chart.has_points = true;
        let figure = chart.figure();
        assert_eq!(figure.matches("<circle").count(), 3);
        assert!(
            figure.contains("10⁻⁹") && !figure.contains("NaN"),
            "{figure}"
        );
    }

    #[test]
    fn stacked_areas_end_at_their_sum() {
        let mut chart = chart(&[1.0, 2.0]);
        chart.series.push(series("b", &[3.0, 4.0]));
        chart.is_stacked = true;
        assert_eq!(chart.tops()[2], [[0.0, 4.0], [1.0, 6.0]]);
        assert_eq!(chart.figure().matches("class=\"area").count(), 2);
    }
}
