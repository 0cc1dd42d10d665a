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
