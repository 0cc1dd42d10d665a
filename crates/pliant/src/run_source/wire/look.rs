//! How a frame is to be seen, as a query: `color=stress_von_mises&low=0&high=1e5&surfaces=0&known=KEY`. Without a range
//! colours span the values of the frame.

use pliant_render::{ColorMap, Coloring};
use pliant_view::{Painted, color_map_of};

/// The query of a look.
///
/// * `known` — the key of the colliders' surfaces that the window has
pub(crate) fn encode(painted: &Painted, known: Option<u64>) -> String {
    let name = match &painted.coloring {
        Coloring::Body => "body",
        Coloring::Material => "material",
        Coloring::Fragment => "fragment",
        Coloring::Quantity { name, .. } => name,
    };
    let mut query = format!("color={name}&surfaces={}", u8::from(painted.surfaces));
    if let Coloring::Quantity {
        range, color_map, ..
    } = &painted.coloring
    {
        query += &format!("&map={}", name_of(*color_map));
        if let Some([low, high]) = range {
            query += &format!("&low={low}&high={high}");
        }
    }
    if let Some(known) = known {
        query += &format!("&known={known}");
    }
    query
}

/// The look of a query, and the key of the surfaces that are known.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn decode(query: &str) -> Result<(Painted, Option<u64>), &'static str> {
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let value = |name: &str| {
        let mut found = pairs.clone().filter(|(own, _)| *own == name);
        found.next().map(|(_, value)| value)
    };
    let number = |name: &str| value(name).and_then(|text| text.parse::<f32>().ok());
    let finite = |name: &str| number(name).filter(|number| number.is_finite());
    let coloring = match value("color").ok_or("a look names what colours show: `color=body`")? {
        "body" => Coloring::Body,
        "material" => Coloring::Material,
        "fragment" => Coloring::Fragment,
        name => Coloring::Quantity {
            name: name.to_owned(),
            range: finite("low").zip(finite("high")).map(<[f32; 2]>::from),
            color_map: match value("map") {
                Some(map) => *MAPS
                    .iter()
                    .find(|known| name_of(**known) == map)
                    .ok_or("there is no such colour map")?,
                None => color_map_of(name),
            },
        },
    };
    let surfaces = value("surfaces") != Some("0");
    let known = value("known").and_then(|key| key.parse().ok());
    Ok((Painted { coloring, surfaces }, known))
}

const MAPS: [ColorMap; 3] = [ColorMap::Dusk, ColorMap::Ember, ColorMap::Balance];

fn name_of(map: ColorMap) -> &'static str {
    match map {
        ColorMap::Dusk => "dusk",
        ColorMap::Ember => "ember",
        ColorMap::Balance => "balance",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_is_read_as_it_was_written() {
        let quantity = |range, color_map| Coloring::Quantity {
            name: "det_F".to_owned(),
            range,
            color_map,
        };
        for coloring in [
            Coloring::Body,
            Coloring::Material,
            Coloring::Fragment,
            quantity(None, ColorMap::Ember),
            quantity(Some([-0.1, 1e30]), ColorMap::Balance),
        ] {
            for (surfaces, known) in [(true, None), (false, Some(u64::MAX))] {
                let coloring = coloring.clone();
                let painted = Painted { coloring, surfaces };
                let read = decode(&encode(&painted, known));
                assert_eq!(read, Ok((painted, known)));
            }
        }
    }

    #[test]
    fn a_look_without_a_colour_or_of_an_unknown_map_is_refused() {
        for query in ["", "surfaces=1", "color=det_F&map=rainbow"] {
            assert!(decode(query).is_err(), "{query}");
        }
        let endless = decode("color=speed&low=inf&high=NaN").map(|(painted, _)| painted.coloring);
        assert!(matches!(
            endless,
            Ok(Coloring::Quantity { range: None, .. })
        ));
    }
}
