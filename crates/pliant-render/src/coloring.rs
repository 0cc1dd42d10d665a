//! What colour each particle has, and what a legend must say about it.

use std::borrow::Cow;

use glam::Vec3;
use pliant_core::measure::Frame;
use pliant_math::RandomStream;

use crate::color_map::ColorMap;
use crate::renderer::RenderError;
use crate::tone::{srgb_bytes, to_linear};

/// What the colour of a particle shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Coloring {
    /// The colour of its body.
    #[default]
    Body,
    /// Its material, from a palette of distinct colours.
    Material,
    /// The piece of matter it belongs to, each in a colour of its own.
    Fragment,
    /// A quantity, with a legend.
    Quantity {
        /// "speed" or the name of one of `Frame.quantities`.
        name: String,
        /// The values at the ends of the colour map; from the data (2nd and 98th percentile) if absent.
        /// A film needs a fixed range, otherwise the colours' meaning changes from frame to frame.
        range: Option<[f32; 2]>,
        /// The colours.
        color_map: ColorMap,
    },
}

/// What a legend shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Legend {
    /// The quantity.
    pub title: String,
    /// Its unit, empty for none.
    pub unit: String,
    /// The values at the ends of the colour map.
    pub range: [f32; 2],
    /// The colours.
    pub color_map: ColorMap,
}

/// Distinct colours for materials (sRGB), readable beside each other also for colour-blind people.
/// Source: Okabe and Ito 2008, "Color Universal Design", without black.
const PALETTE: [[u8; 3]; 7] = [
    [230, 159, 0],
    [86, 180, 233],
    [0, 158, 115],
    [204, 121, 167],
    [213, 94, 0],
    [0, 114, 178],
    [240, 228, 66],
];
/// Colour of a particle whose body does not exist (sRGB).
const UNKNOWN: [f32; 3] = [0.6, 0.6, 0.6];
/// How much lighter or darker a grain is than its body, so that grains read as grains.
const BODY_VARIATION: f32 = 0.22;
/// The same for quantities, small enough to leave the legend true.
const QUANTITY_VARIATION: f32 = 0.05;

/// The sRGB colour of each particle, in the order of the frame, and the legend if there is one.
///
/// # Errors
/// [`RenderError::UnknownQuantity`] if the frame has no quantity of the name asked for.
pub fn colors_of(
    frame: &Frame,
    coloring: &Coloring,
) -> Result<(Vec<[u8; 3]>, Option<Legend>), RenderError> {
    let (linear, legend) = particle_colors(frame, coloring)?;
    Ok((linear.into_iter().map(srgb_bytes).collect(), legend))
}

/// The linear-light colour of each particle, length `particle_count`, and the legend if there is one.
///
/// # Errors
/// [`RenderError::UnknownQuantity`] if the frame has no quantity of the name asked for.
pub(crate) fn particle_colors(
    frame: &Frame,
    coloring: &Coloring,
) -> Result<(Vec<Vec3>, Option<Legend>), RenderError> {
    match coloring {
        Coloring::Body => Ok((body_colors(frame), None)),
        Coloring::Material => Ok((material_colors(frame), None)),
        Coloring::Fragment => Ok((fragment_colors(frame)?, None)),
        Coloring::Quantity {
            name,
            range,
            color_map,
        } => {
            let (values, unit) = quantity(frame, name)?;
            let range = range.unwrap_or_else(|| percentile_range(&values));
            let legend = Legend {
                title: name.replace('_', " "),
                unit: unit.to_owned(),
                range,
                color_map: *color_map,
            };
            Ok((
                quantity_colors(frame, &values, range, *color_map),
                Some(legend),
            ))
        }
    }
}

/// A range that shows most of the values: 2nd to 98th percentile, never empty.
pub(crate) fn percentile_range(values: &[f32]) -> [f32; 2] {
    let mut finite: Vec<f32> = values.iter().copied().filter(|v| v.is_finite()).collect();
    if finite.is_empty() {
        return [0.0, 1.0];
    }
    let last = finite.len() - 1;
    let mut at = |share: f64| {
        let index = (share * last as f64).round() as usize;
        *finite.select_nth_unstable_by(index, f32::total_cmp).1
    };
    let (low, high) = (at(0.02), at(0.98));
    let least = 1e-6 * low.abs().max(high.abs()).max(1e-30);
    if high - low > least {
        [low, high]
    } else {
        let margin = 0.5 * low.abs().max(1e-3);
        [low - margin, low + margin]
    }
}

fn quantity<'a>(
    frame: &'a Frame,
    name: &str,
) -> Result<(Cow<'a, [f32]>, &'static str), RenderError> {
    if name == "speed" {
        return Ok((Cow::Owned(speeds(frame)), "m/s"));
    }
    match frame.quantity(name) {
        Some(quantity) => Ok((Cow::Borrowed(&quantity.values), quantity.unit)),
        None => Err(RenderError::UnknownQuantity {
            name: name.to_owned(),
            known: known_quantities(frame),
        }),
    }
}

fn speeds(frame: &Frame) -> Vec<f32> {
    let speed = |v: &[f32; 3]| Vec3::from_array(*v).length();
    frame.velocity.iter().map(speed).collect()
}

fn known_quantities(frame: &Frame) -> String {
    let mut names = vec!["speed"];
    names.extend(frame.quantities.iter().map(|q| q.name));
    names.join(", ")
}

fn body_colors(frame: &Frame) -> Vec<Vec3> {
    let bodies: Vec<Vec3> = frame.bodies.iter().map(|b| to_linear(b.color)).collect();
    let unknown = to_linear(UNKNOWN);
    colors(frame, BODY_VARIATION, |i| {
        let body = frame.body.get(i).map(|b| *b as usize);
        *body.and_then(|b| bodies.get(b)).unwrap_or(&unknown)
    })
}

fn material_colors(frame: &Frame) -> Vec<Vec3> {
    let palette = PALETTE.map(|c| to_linear(c.map(|v| f32::from(v) / 255.0)));
    colors(frame, BODY_VARIATION, |i| {
        let material = frame.material.get(i).copied().unwrap_or(0) as usize;
        palette[material % palette.len()]
    })
}

/// A colour for each piece, drawn by its name: the same in every frame.
fn fragment_colors(frame: &Frame) -> Result<Vec<Vec3>, RenderError> {
    let (names, _) = quantity(frame, "fragment")?;
    let stream = RandomStream::new(0, 1);
    Ok(colors(frame, BODY_VARIATION, |i| {
        let name = names.get(i).copied().unwrap_or(0.0) as u64;
        let random = |k: u64| stream.unit(3 * name + k) as f32;
        vivid(random(0), random(1), random(2))
    }))
}

/// A colour of a hue, saturated and bright enough to be told from the floor; all in [0, 1].
fn vivid(hue: f32, saturation: f32, brightness: f32) -> Vec3 {
    let (saturation, brightness) = (0.45 + 0.4 * saturation, 0.6 + 0.35 * brightness);
    let channel = |shift: f32| {
        let angle = (hue + shift).fract() * 6.0;
        let pure = ((angle - 3.0).abs() - 1.0).clamp(0.0, 1.0);
        brightness * (1.0 - saturation + saturation * pure)
    };
    to_linear([channel(0.0), channel(2.0 / 3.0), channel(1.0 / 3.0)])
}

fn quantity_colors(frame: &Frame, values: &[f32], range: [f32; 2], map: ColorMap) -> Vec<Vec3> {
    let span = range[1] - range[0];
    colors(frame, QUANTITY_VARIATION, |i| {
        let value = values.get(i).copied().unwrap_or(f32::NAN);
        map.linear((value - range[0]) / span)
    })
}

/// The colour of each particle, lighter or darker by a random share that belongs to its id; plain where it is the
/// corner of a surface.
fn colors(frame: &Frame, variation: f32, color: impl Fn(usize) -> Vec3) -> Vec<Vec3> {
    let stream = RandomStream::new(0, 0);
    let factor = |id: u32| 1.0 + variation * (2.0 * stream.unit(u64::from(id)) as f32 - 1.0);
    let mut is_grain = vec![true; frame.particle_count()];
    for &corner in frame.triangles.iter().flatten() {
        is_grain[corner as usize] = false;
    }
    let shade = |(i, is_grain): (usize, bool)| match is_grain {
        true => color(i) * factor(frame.id.get(i).copied().unwrap_or(0)),
        false => color(i),
    };
    is_grain.into_iter().enumerate().map(shade).collect()
}

#[cfg(test)]
mod tests {
    use pliant_core::measure::Quantity;
    use pliant_math::DVec3;

    use super::*;

    #[test]
    fn percentile_range_leaves_out_strays_and_is_never_empty() {
        let mut values: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        values[500] = 1e9;
        values[501] = f32::NAN;
        let [low, high] = percentile_range(&values);
        assert!((low - 20.0).abs() < 2.0 && (high - 980.0).abs() < 3.0);
        for same in [vec![], vec![3.0; 5], vec![0.0; 5], vec![f32::NAN; 2]] {
            let [low, high] = percentile_range(&same);
            assert!(low < high, "{same:?}");
        }
    }

    #[test]
    fn fragments_have_colors_of_their_own_that_stay() {
        let mut scene =
            crate::test_scene::Scene::of_spheres([0.0, 1.0, 2.0].map(|x| (DVec3::splat(x), 0.1)));
        scene.quantities.push(Quantity {
            name: "fragment",
            unit: "",
            values: vec![0.0, 0.0, 2.0],
        });
        let (colors, legend) = particle_colors(&scene.frame(), &Coloring::Fragment).unwrap();
        let hue = |i: usize| colors[i] / colors[i].element_sum();
        assert!(legend.is_none() && hue(0).distance(hue(1)) < 1e-6);
        assert!(hue(0).distance(hue(2)) > 0.05, "{:?}", colors);
    }

    #[test]
    fn unknown_quantity_is_an_error_that_lists_the_known_ones() {
        let scene = crate::test_scene::Scene::of_spheres([]);
        let coloring = Coloring::Quantity {
            name: "sped".to_owned(),
            range: None,
            color_map: ColorMap::Dusk,
        };
        let error = particle_colors(&scene.frame(), &coloring).unwrap_err();
        assert!(error.to_string().contains("speed"));
    }
}
