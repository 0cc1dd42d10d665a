//! What bodies look like that do not say it.

use pliant_core::world::{Body, ShownAs};

use crate::support::*;

fn body_of(preset: &str, says: &str) -> Body {
    let text = format!(
        r#"
scene.duration = 0.1
[material.matter]
preset = "{preset}"
[[body]]
name = "block"
material = "matter"
shape = {{ box = {{ size = [0.1, 0.1, 0.1] }} }}
spacing = 0.02
{says}
"#
    );
    built(&text).setup.bodies.swap_remove(0)
}

#[test]
fn water_is_clear_and_blue_and_sand_is_made_of_grains() {
    let water = body_of("water", "");
    let [red, _, blue] = water.color;
    assert!(water.look.shown_as == ShownAs::Surface && water.look.opacity < 1.0);
    assert!(blue > red);
    let sand = body_of("dry-sand", "");
    let [red, _, blue] = sand.color;
    assert!(sand.look.shown_as == ShownAs::Particles && sand.look.opacity == 1.0);
    assert!(red > blue);
    let rubber = body_of("rubber", "");
    assert!(rubber.look.gloss > sand.look.gloss);
}

#[test]
fn a_body_may_say_otherwise() {
    let says = "shown_as = \"particles\"\nopacity = 0.9\ngloss = 0\ncolor = \"#ff0000\"";
    let water = body_of("water", says);
    assert!(water.look.shown_as == ShownAs::Particles && water.look.gloss == 0.0);
    assert!((water.look.opacity - 0.9).abs() < 1e-6 && water.color == [1.0, 0.0, 0.0]);
}

#[test]
fn pictures_have_whole_columns_and_rows() {
    let text = with("[output]", "[output]\nsize = [640.5, 360]");
    let message = refusal(&text);
    assert!(
        message.contains("output.size") && message.contains("640.5"),
        "{message}"
    );
    let whole = text.replace("640.5", "640");
    assert_eq!(scene(&whole).output().size, Some([640, 360]));
}
