//! Bodies of `shape-groups`.

use crate::support::*;

const JELLY: &str = r#"
scene.duration = 0.1
[material.jelly]
law = "neo-hookean"
density = 1000.0
youngs_modulus = 1e5
poissons_ratio = 0.3
[[body]]
name = "ball"
material = "jelly"
method = "shape-groups"
groups = "tetrahedra"
shape = { sphere = { radius = 0.5 } }
spacing = 0.1
"#;

fn with(from: &str, to: &str) -> String {
    assert!(JELLY.contains(from));
    JELLY.replace(from, to)
}

#[test]
fn tetrahedra_fill_a_ball_up_to_its_surface() {
    let built = built(JELLY);
    assert!(built.warnings.is_empty());
    let positions = &built.setup.bodies[0].particles.position;
    let farthest = positions.iter().map(|x| x.length()).fold(0.0, f64::max);
    assert!((farthest - 0.5).abs() < 1e-6, "{farthest}");
    assert!(positions.len() > 500);
}

#[test]
fn tetrahedra_too_coarse_for_the_shape_are_refused_or_warned_of() {
    let told = refusal(&with("spacing = 0.1", "spacing = 5.0"));
    assert!(
        told.contains("body.ball.spacing") && told.contains("smaller spacing"),
        "{told}"
    );
    let built = built(&with("spacing = 0.1", "spacing = 0.6"));
    let told = built
        .warnings
        .iter()
        .any(|w| w.message.contains("its tetrahedra have"));
    assert!(told, "{:?}", built.warnings);
    let told = refusal(&with("spacing = 0.1", "spacing = 1e-5"));
    assert!(told.contains("memory"), "{told}");
}

#[test]
fn cut_cells_of_grids_too_fine_are_refused_and_one_coarse_cell_is_a_group() {
    let cut = with("\"tetrahedra\"", "\"cut-cells\"");
    let told = refusal(&cut.replace("spacing = 0.1", "spacing = 1e-5"));
    assert!(told.contains("memory"), "{told}");
    let coarse = built(&cut.replace("spacing = 0.1", "spacing = 5.0"));
    assert!(!coarse.setup.bodies[0].particles.position.is_empty());
}

#[test]
fn what_encloses_no_volume_is_refused() {
    let sheet = with(
        "sphere = { radius = 0.5 }",
        "plane = { normal = [0, 1, 0] }",
    );
    for groups in ["tetrahedra", "cut-cells", "hexahedra"] {
        let told = refusal(&sheet.replace("\"tetrahedra\"", &format!("{groups:?}")));
        assert!(told.contains("body.ball.shape"), "{told}");
    }
}

const SDF: &str = "shape = { sdf = { union = [{ sphere = { radius = 0.5 } }, \
                   { sphere = { radius = 0.3 }, position = [0.5, 0.0, 0.0] }] } }";

/// Particles of cut cells of two balls, and the volume of them [m3].
fn cut(spacing: &str) -> (usize, f64) {
    let text = with("\"tetrahedra\"", "\"cut-cells\"")
        .replace("shape = { sphere = { radius = 0.5 } }", SDF);
    let built = built(&text.replace("spacing = 0.1", spacing));
    let particles = &built.setup.bodies[0].particles;
    (
        particles.position.len(),
        particles.particle_volume * particles.share.iter().sum::<f64>(),
    )
}

#[test]
fn the_surface_that_cells_are_cut_from_has_triangles_of_about_the_spacing_that_is_asked_for() {
    let by_default = cut("spacing = 0.1");
    assert_eq!(by_default, cut("spacing = 0.1\nsurface_spacing = 0.025"));
    let (coarse, _) = cut("spacing = 0.1\nsurface_spacing = 0.05");
    let (fine, volume) = cut("spacing = 0.1\nsurface_spacing = 0.0125");
    let ratio = |a: usize, b: usize| a as f64 / b as f64;
    // Four times as many on the surface for half the sides, beside the corners of cells inside.
    let ratios = (ratio(by_default.0, coarse), ratio(fine, by_default.0));
    assert!(ratios.0 > 2.0 && ratios.1 > 2.5, "{ratios:?}");
    // Two balls and what they share, a lens between planes at 0.21/0.5 and in the smaller ball.
    let pi = std::f64::consts::PI;
    let cap = |radius: f64, height: f64| pi * height * height * (3.0 * radius - height) / 3.0;
    let plane = (0.5f64.powi(2) + 0.5f64.powi(2) - 0.3f64.powi(2)) / (2.0 * 0.5);
    let lens = cap(0.5, 0.5 - plane) + cap(0.3, plane - 0.2);
    let exact = 4.0 / 3.0 * pi * (0.5f64.powi(3) + 0.3f64.powi(3)) - lens;
    assert!((volume / exact - 1.0).abs() < 0.002, "{volume} of {exact}");
}

#[test]
fn a_surface_spacing_too_coarse_is_warned_of_and_one_that_does_nothing_or_takes_too_much_refused() {
    let cut = with("\"tetrahedra\"", "\"cut-cells\"");
    let sdf = cut.replace("shape = { sphere = { radius = 0.5 } }", SDF);
    let with_spacing = |text: &str, spacing: &str| {
        text.replace(
            "spacing = 0.1",
            &format!("spacing = 0.1\nsurface_spacing = {spacing}"),
        )
    };
    let coarse = built(&with_spacing(&sdf, "0.5"));
    let told = coarse
        .warnings
        .iter()
        .any(|w| w.message.contains("surface_spacing"));
    assert!(told, "{:?}", coarse.warnings);
    let told = refusal(&with_spacing(&sdf, "1e-4"));
    assert!(
        told.contains("surface_spacing") && told.contains("take a larger one"),
        "{told}"
    );
    let told = refusal(&with_spacing(JELLY, "0.02"));
    assert!(
        told.contains("surface_spacing") && told.contains("cut-cells"),
        "{told}"
    );
}
