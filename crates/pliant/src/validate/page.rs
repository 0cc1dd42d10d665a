//! `validate.html`: the curves first, then every number beside what is expected.

use pliant_validation::{Curve, Figure, Plot, Short};

use super::{Held, Measured};
use crate::machine::Machine;
use crate::page::{
    self, Across, Chart, MOST_SERIES, Scaling, Series, escaped, grid, heading, verdict,
};
use crate::text::duration;

/// Curves with no more points than this have them marked.
const FEW_POINTS: usize = 12;

/// The page.
///
/// * `held` — what default settings hold, if that was asked
pub fn page(measured: &[Measured], held: Option<&Held>) -> String {
    let machine = Machine::this();
    let seconds: f64 = measured.iter().map(|claim| claim.seconds).sum();
    let short: usize = measured.iter().map(Measured::shortfalls).sum();
    let below = format!(
        "Pliant {}: {} claims in {}, {}; {}, {} cores",
        env!("CARGO_PKG_VERSION"),
        measured.len(),
        duration(seconds),
        match short {
            0 => "every number is as expected".to_owned(),
            count => format!("{count} fail"),
        },
        machine.processor,
        machine.cores
    );
    let figures: String = charts(measured).iter().map(Chart::figure).collect();
    let claims: String = measured.iter().map(section).collect();
    let body = [
        heading("Validation", &below),
        held.map(Held::html).unwrap_or_default(),
        grid("Curves", &figures),
        format!("<section>\n<h2>Claims</h2>\n{claims}</section>\n"),
    ];
    page::page("Validation", &body.concat())
}

/// A chart for each plot, in the order in which they come up.
fn charts(measured: &[Measured]) -> Vec<Chart> {
    let figures = measured
        .iter()
        .filter_map(|m| m.outcome.as_ref().ok())
        .flatten();
    let mut charts: Vec<(Plot, Chart)> = Vec::new();
    for curve in figures.flat_map(|figure| &figure.curves) {
        let place = charts.iter().position(|(plot, _)| *plot == curve.plot);
        let place = place.unwrap_or_else(|| {
            charts.push((curve.plot, empty_chart(&curve.plot)));
            charts.len() - 1
        });
        add(&mut charts[place].1, curve);
    }
    charts
        .into_iter()
        .map(|(_, chart)| finished(chart))
        .collect()
}

fn empty_chart(plot: &Plot) -> Chart {
    let scaling = |is_logarithmic| match is_logarithmic {
        true => Scaling::Logarithmic,
        false => Scaling::Linear,
    };
    Chart {
        title: plot.title.to_owned(),
        unit: plot.unit.to_owned(),
        across: Across {
            name: plot.across.to_owned(),
            unit: plot.across_unit.to_owned(),
        },
        scaling: plot.is_logarithmic.map(scaling),
        ..Chart::default()
    }
}

/// Adds a curve to its chart; one of the same name goes on, except for what is drawn already.
fn add(chart: &mut Chart, curve: &Curve) {
    let known = chart.series.iter().position(|s| s.name == curve.name);
    if let Some(place) = known {
        let points = &mut chart.series[place].points;
        let new = curve.points.iter().filter(|p| !points.contains(p));
        let new: Vec<[f64; 2]> = new.copied().collect();
        points.extend(new);
    } else if chart.series.len() < MOST_SERIES {
        chart.series.push(Series {
            name: curve.name.clone(),
            points: curve.points.clone(),
            is_dashed: curve.is_reference,
        });
    }
}

/// The chart with its points in order across, marked where they are few.
fn finished(mut chart: Chart) -> Chart {
    for series in &mut chart.series {
        series.points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    }
    let measured = chart.series.iter().filter(|s| !s.is_dashed);
    chart.has_points = measured.into_iter().all(|s| s.points.len() <= FEW_POINTS);
    chart
}

fn section(claim: &Measured) -> String {
    let title = format!("{} ({})", claim.statement, duration(claim.seconds));
    let numbers = match &claim.outcome {
        Ok(figures) => {
            let header = ["", "number", "measured", "expected"]
                .map(String::from)
                .to_vec();
            let rows = figures.iter().map(row);
            let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
            page::table(&rows, &[2])
        }
        Err(why) => format!("<p>{} {}</p>\n", verdict(false), escaped(why)),
    };
    format!("<h3>{}</h3>\n{numbers}", escaped(&title))
}

fn row(figure: &Figure) -> Vec<String> {
    vec![
        verdict(figure.holds()),
        escaped(&figure.what),
        Short(figure.measured).to_string(),
        escaped(&figure.expected.to_string()),
    ]
}

#[cfg(test)]
mod tests {
    use pliant_validation::Expected;

    use super::*;

    const PLOT: Plot = Plot {
        title: "A plot",
        unit: "m",
        across: "rows",
        across_unit: "",
        is_logarithmic: [false, false],
    };

    fn measured(at: f64, value: f64) -> Measured {
        let figure = Figure::new("a number", value, Expected::AtMost(1.0))
            .with(Curve::measured(PLOT, "mine", vec![[at, value]]))
            .with(Curve::reference(
                PLOT,
                "theory",
                vec![[0.0, 1.0], [9.0, 1.0]],
            ));
        Measured {
            statement: "a < b".into(),
            outcome: Ok(vec![figure]),
            seconds: 1.0,
        }
    }

    #[test]
    fn points_of_several_claims_make_one_curve_in_order() {
        let charts = charts(&[measured(8.0, 0.5), measured(6.0, 0.7)]);
        assert_eq!(charts.len(), 1);
        let series = &charts[0].series;
        assert_eq!(series[0].points, [[6.0, 0.7], [8.0, 0.5]]);
        assert_eq!(series[1].points.len(), 2);
        assert!(charts[0].has_points && series[1].is_dashed);
    }

    #[test]
    fn failed_and_unmeasured_claims_are_on_the_page() {
        let mut claims = vec![measured(1.0, 0.5), measured(2.0, 1.5)];
        let text = page(&claims, None);
        assert!(text.contains("1 fail") && text.contains("a &lt; b"));
        claims[0].outcome = Err("it blew up".into());
        assert!(page(&claims, None).contains("2 fail"));
        assert!(super::super::csv(&claims).contains("not measured: it blew up"));
    }
}
