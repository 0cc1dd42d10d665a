//! A scene drawn at random: bodies of all methods above each other in a tank, with default settings.

use pliant_math::RandomStream;

/// Streams of random numbers from here on are scenes, one each.
const FIRST_STREAM: u64 = 1 << 40;
/// Edge of the tank over that of the largest body.
const TANK: f64 = 1.6;
/// Gap between bodies over the edge of the largest.
const GAP: f64 = 0.08;
/// Height of the tank over that of all bodies at the start.
const HEADROOM: f64 = 1.3;

/// Stiffness over the weight on the foot of a body below which it is not softened.
const STANDING: f64 = 30.0;
/// [m/s2]
const GRAVITY: f64 = 9.81;

/// A scene of a seed and a number, always the same for the same two.
#[derive(Clone, Debug)]
pub struct RandomScene {
    /// The scene file.
    pub text: String,
    /// Half the edge of the tank [m]; its floor is at y = 0.
    pub half_width: f64,
    /// Height of its lid [m].
    pub height: f64,
    /// Greatest spacing of a body [m].
    pub spacing: f64,
}

/// What a body is made of: the lines of its material, and of the body beside place and size.
struct BodyKind {
    material: String,
    body: String,
    /// True of what is a sheet.
    is_flat: bool,
    /// True of what has to stand upright on its own, as liquids do.
    is_liquid: bool,
}

/// Draws numbers one after the other.
struct Draw {
    stream: RandomStream,
    next: u64,
}

impl Draw {
    fn unit(&mut self) -> f64 {
        self.next += 1;
        self.stream.unit(self.next)
    }

    fn between(&mut self, least: f64, greatest: f64) -> f64 {
        least + (greatest - least) * self.unit()
    }

    /// Even in its logarithm.
    fn magnitude(&mut self, least: f64, greatest: f64) -> f64 {
        self.between(least.ln(), greatest.ln()).exp()
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[(self.unit() * items.len() as f64) as usize]
    }
}

impl RandomScene {
    /// * `softer` — decades by which stiffness is less than drawn
    pub fn new(seed: u64, number: u64, softer: u32) -> Self {
        let stream = RandomStream::new(seed, FIRST_STREAM + number);
        let mut draw = Draw { stream, next: 0 };
        let size = draw.magnitude(0.01, 10.0);
        let count = 2 + (4.0 * draw.unit()) as usize;
        let half_width = 0.5 * TANK * size;
        let mut text = format!(
            "# Drawn at random: seed {seed}, number {number}.\n\
             [scene]\nduration = 2.0\nframe_rate = 24\n"
        );
        let (mut height, mut spacing) = (0.0, 0.0_f64);
        for body in 0..count {
            let edge = size * draw.between(0.4, 1.0);
            let kind = kind(&mut draw, edge, 10_f64.powi(-(softer as i32)));
            let own = edge / draw.between(4.0, 7.0);
            spacing = spacing.max(own);
            let extent = if kind.is_liquid { edge } else { 1.75 * edge };
            let extent = if kind.is_flat { 2.0 * own } else { extent };
            let middle = height + GAP * size + 0.5 * extent;
            height = middle + 0.5 * extent;
            let place = [
                draw.between(-0.1, 0.1) * size,
                middle,
                draw.between(-0.1, 0.1) * size,
            ];
            text += &body_text(body, &kind, (edge, own), place, &mut draw);
        }
        let height = HEADROOM * (height + size);
        text += &tank_text(half_width, height);
        Self {
            text,
            half_width,
            height,
            spacing,
        }
    }
}

fn kind(draw: &mut Draw, edge: f64, softening: f64) -> BodyKind {
    let density = draw.magnitude(1.0, 20_000.0);
    let drawn = draw.magnitude(1e3, 1e9);
    // What is made softer to be affordable is not crushed by its own weight for that.
    let stands = STANDING * density * GRAVITY * edge;
    let stiffness = (drawn * softening).max(drawn.min(stands));
    let poisson = draw.one_of(&[0.0, 0.2, 0.3, 0.4, 0.45, 0.48]);
    let friction = draw.between(0.0, 1.0);
    let elastic = format!(
        "density = {density:e}\nyoungs_modulus = {stiffness:e}\npoissons_ratio = {poisson}\n"
    );
    let solid = |law: &str, more: String, body: &str| BodyKind {
        material: format!("law = \"{law}\"\n{elastic}{more}"),
        body: format!("friction = {friction}\n{body}"),
        is_flat: false,
        is_liquid: false,
    };
    let law = draw.one_of(&[
        "drucker-prager",
        "elastic",
        "von-mises",
        "neo-hookean",
        "stable-neo-hookean",
        "rigid",
        "rigid",
        "newtonian",
        "cloth",
        "spring-cubic",
    ]);
    match law {
        "drucker-prager" => solid(law, "friction_angle = 30.0\n".into(), ""),
        "von-mises" => solid(law, format!("yield_stress = {:e}\n", 0.02 * stiffness), ""),
        "rigid" => BodyKind {
            material: format!("law = \"rigid\"\ndensity = {density:e}\n"),
            ..solid(law, String::new(), "")
        },
        "newtonian" => BodyKind {
            material: format!("law = \"newtonian\"\ndensity = {density:e}\nviscosity = 0.001\n"),
            is_liquid: true,
            ..solid(law, String::new(), "")
        },
        "cloth" => BodyKind {
            material: cloth(density, edge, 1e-3 * stiffness * edge),
            is_flat: true,
            ..solid(law, String::new(), "")
        },
        "spring-cubic" => BodyKind {
            material: format!(
                "law = \"spring-cubic\"\ndensity = {density:e}\nstiffness = {:e}\n",
                0.1 * stiffness * edge
            ),
            ..solid(law, String::new(), "")
        },
        _ => solid(law, String::new(), ""),
    }
}

/// * `tension` — stiffness of warp and weft [N/m]
fn cloth(density: f64, edge: f64, tension: f64) -> String {
    let (thickness, shear) = (1e-3 * edge, 0.3 * tension);
    let bending = tension * (0.01 * edge).powi(2);
    format!(
        "law = \"cloth\"\ndensity = {density:e}\nthickness = {thickness:e}\n\
         warp_stiffness = {tension:e}\nweft_stiffness = {tension:e}\n\
         shear_stiffness = {shear:e}\nbending_stiffness = {bending:e}\n"
    )
}

fn body_text(
    number: usize,
    kind: &BodyKind,
    (edge, spacing): (f64, f64),
    [x, y, z]: [f64; 3],
    draw: &mut Draw,
) -> String {
    let shape = match (kind.is_flat, kind.is_liquid, draw.unit()) {
        (true, ..) => format!("{{ sheet = {{ size = [{edge:e}, {edge:e}] }} }}"),
        (_, true, _) => format!("{{ box = {{ size = [{edge:e}, {edge:e}, {edge:e}] }} }}"),
        (.., unit) if unit < 0.4 => {
            format!(
                "{{ box = {{ size = [{edge:e}, {:e}, {:e}] }} }}",
                0.8 * edge,
                0.9 * edge
            )
        }
        (.., unit) if unit < 0.7 => format!("{{ sphere = {{ radius = {:e} }} }}", 0.5 * edge),
        _ => format!(
            "{{ cylinder = {{ radius = {:e}, height = {:e} }} }}",
            0.4 * edge,
            0.8 * edge
        ),
    };
    let turned = match kind.is_flat || kind.is_liquid {
        true => [0.0, draw.between(0.0, 360.0), 0.0],
        false => [(); 3].map(|()| draw.between(0.0, 360.0)),
    };
    let [a, b, c] = if kind.is_liquid { [0.0; 3] } else { turned };
    let lines = format!(
        "\n[material.m{number}]\n{}\n[[body]]\nname = \"b{number}\"\nmaterial = \"m{number}\"\nshape = {shape}\n\
         position = [{x:e}, {y:e}, {z:e}]\nrotation = [{a:.1}, {b:.1}, {c:.1}]\n{}",
        kind.material, kind.body
    );
    match kind.material.contains("\"rigid\"") {
        true => lines,
        false => format!("{lines}spacing = {spacing:e}\n"),
    }
}

/// Four walls, a floor, and a lid over what is squeezed out upwards.
fn tank_text(half_width: f64, height: f64) -> String {
    let thick = half_width;
    let wide = 2.0 * (half_width + thick);
    let mut text =
        "\n[[collider]]\nname = \"floor\"\nshape = { plane = {} }\nfriction = 0.5\n".to_owned();
    let outside = half_width + 0.5 * thick;
    let middle = 0.5 * height;
    let walls = [
        ("left", [thick, wide], [-outside, 0.0]),
        ("right", [thick, wide], [outside, 0.0]),
        ("back", [wide, thick], [0.0, -outside]),
        ("front", [wide, thick], [0.0, outside]),
    ];
    for (name, [x, z], [px, pz]) in walls {
        text += &format!(
            "\n[[collider]]\nname = \"{name}\"\nfriction = 0.5\n\
             shape = {{ box = {{ size = [{x:e}, {:e}, {z:e}] }} }}\n\
             position = [{px:e}, {middle:e}, {pz:e}]\n",
            1.1 * height
        );
    }
    text += &format!(
        "\n[[collider]]\nname = \"lid\"\nfriction = 0.5\n\
         shape = {{ box = {{ size = [{wide:e}, {thick:e}, {wide:e}] }} }}\n\
         position = [0.0, {:e}, 0.0]\n",
        height + 0.5 * thick
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_and_a_number_make_one_scene() {
        let draw = |seed, number| RandomScene::new(seed, number, 0).text;
        assert_eq!(draw(1, 7), draw(1, 7));
        assert_ne!(draw(1, 7), draw(1, 8));
        assert_ne!(draw(1, 7), draw(2, 7));
    }
}
