//! How bodies look that do not say it: as their materials do.

use pliant_parameters::{Value, Values};

/// Colours of bodies that name none and whose material has none of its own, in order.
const PALETTE: &[&str] = &[
    "#d8b27a", "#5b8fb9", "#c8553d", "#7a9e5f", "#8e6c8a", "#e0a030", "#4a7c7e", "#b0707a",
];

/// How matter looks.
#[derive(Clone, Copy, Debug)]
struct MatterLook {
    color: Option<&'static str>,
    shown_as: &'static str,
    opacity: f64,
    gloss: f64,
}

/// Loose matter without a look of its own.
const PLAIN: MatterLook = MatterLook {
    color: None,
    shown_as: "particles",
    opacity: 1.0,
    gloss: 0.1,
};

/// One piece, dull.
const SOLID: MatterLook = MatterLook {
    shown_as: "surface",
    gloss: 0.2,
    ..PLAIN
};

/// One piece, as if wet.
const WET: MatterLook = MatterLook {
    gloss: 0.7,
    ..SOLID
};

/// Fills in what a body does not say.
///
/// * `number` — of the body
/// * `law`, `preset` — of its material
pub(super) fn resolve(body: &mut Values, number: usize, law: Option<&str>, preset: Option<&str>) {
    let look = preset.and_then(look_of_preset);
    let look = look.unwrap_or_else(|| law.map_or(PLAIN, look_of_law));
    let color = look.color.unwrap_or(PALETTE[number % PALETTE.len()]);
    let mut insert = |key: &str, value: Value| {
        if !body.has(key) {
            body.insert(key, value);
        }
    };
    insert("color", Value::Text(color.into()));
    insert("shown_as", Value::Text(look.shown_as.into()));
    insert("opacity", Value::Number(look.opacity));
    insert("gloss", Value::Number(look.gloss));
}

fn look_of_preset(name: &str) -> Option<MatterLook> {
    let of_color = |color, look| {
        Some(MatterLook {
            color: Some(color),
            ..look
        })
    };
    let clear = |color, opacity| {
        let liquid = MatterLook {
            opacity,
            gloss: 1.0,
            ..SOLID
        };
        of_color(color, liquid)
    };
    match name {
        "water" => clear("#3d8fc4", 0.45),
        "oil" => clear("#c98a1e", 0.75),
        "glycerin" => clear("#e3ddc8", 0.5),
        "dry-sand" => of_color("#dcb67c", PLAIN),
        "wet-sand" => of_color("#a98455", PLAIN),
        "fresh-snow" | "packed-snow" => of_color("#eef2f6", PLAIN),
        "clay" => of_color(
            "#a5623f",
            MatterLook {
                gloss: 0.15,
                ..SOLID
            },
        ),
        "aluminium" => of_color(
            "#b9bec4",
            MatterLook {
                gloss: 0.9,
                ..SOLID
            },
        ),
        "rubber" => of_color(
            "#b3332f",
            MatterLook {
                gloss: 0.5,
                ..SOLID
            },
        ),
        "silicone" => of_color("#d9c6d6", WET),
        "dough" => of_color("#e9d3a6", SOLID),
        "paint" => of_color(
            "#c8361f",
            MatterLook {
                gloss: 0.9,
                ..SOLID
            },
        ),
        "mud" => of_color("#6b4f35", WET),
        "whipped-cream" => of_color(
            "#f6efe0",
            MatterLook {
                gloss: 0.25,
                ..SOLID
            },
        ),
        _ => None,
    }
}

fn look_of_law(name: &str) -> MatterLook {
    match name {
        "newtonian" => MatterLook {
            color: Some("#3d8fc4"),
            opacity: 0.45,
            gloss: 1.0,
            ..SOLID
        },
        "herschel-bulkley" => WET,
        "drucker-prager" | "snow" | "contact-friction" | "cam-clay" => PLAIN,
        _ => SOLID,
    }
}
