//! Elastic bodies that are pulled further than particles hold.

use crate::support::*;

/// What is told about a bar along y, held at its lower end and loaded with a traction [Pa] at its
/// upper one; E is 1 MPa.
fn told(length: f64, sampling: &str, traction: f64) -> Vec<String> {
    let load = format!("traction = [0, {traction}, 0]\narea = 0.36");
    told_of(length, sampling, &load, "[0, 0, 0]")
}

fn told_of(length: f64, sampling: &str, load: &str, gravity: &str) -> Vec<String> {
    let end = format!("position = [0, {length}, 0]");
    let text = format!(
        r#"
scene.duration = 0.1
scene.gravity = {gravity}
[material.rubber]
law = "elastic"
density = 1000.0
youngs_modulus = 1e6
[[body]]
name = "bar"
material = "rubber"
shape = {{ box = {{ size = [0.6, {length}, 0.6] }} }}
position = [0, {middle}, 0]
spacing = 0.1
{sampling}
[[attach]]
name = "clamp"
body = "bar"
shape = {{ box = {{ size = [2, 0.4, 2] }} }}
[[attach]]
name = "load"
body = "bar"
shape = {{ box = {{ size = [2, 0.4, 2] }} }}
{end}
{load}
"#,
        middle = 0.5 * length
    );
    let warnings = built(&text).warnings;
    assert!(warnings.iter().all(|w| w.key == "body.bar"), "{warnings:?}");
    warnings.iter().map(ToString::to_string).collect()
}

const GRID: &str = "sampling = \"grid\"";
const POISSON: &str = "sampling = \"poisson\"";

#[test]
fn a_lattice_carries_less_tension_the_longer_it_is() {
    assert_eq!(told(2.4, GRID, 2e3).len(), 0);
    let told = told(4.8, GRID, 2e3);
    assert_eq!(told.len(), 1);
    for part in ["about 0.20 %", "48 spacings", "beyond 0.09 %", "relaxed"] {
        assert!(told[0].contains(part), "{part}: {}", told[0]);
    }
}

#[test]
fn jittered_and_poisson_samples_carry_more_tension_than_a_lattice() {
    let jittered = "sampling = \"grid\"\njitter = 0.15";
    for sampling in [POISSON, jittered] {
        assert_eq!(told(4.8, sampling, 2e3).len(), 0, "{sampling}");
        let told = told(4.8, sampling, 2e4);
        assert!(told[0].contains("about 2.0"), "{told:?}");
    }
}

#[test]
fn a_compressed_bar_gives_no_warning() {
    for sampling in [GRID, POISSON] {
        assert_eq!(told(4.8, sampling, -2e4).len(), 0, "{sampling}");
    }
}

#[test]
fn a_load_that_starts_late_gives_a_warning() {
    let late = "traction = [0, -2e3, 0]\narea = 0.36\n\
                keyframes = [{ t = 0, strength = 0 }, { t = 1, strength = -1 }]";
    assert_eq!(told_of(4.8, GRID, late, "[0, 0, 0]").len(), 1);
}

#[test]
fn a_hanging_bar_is_pulled_by_its_weight_and_a_standing_or_clamped_one_is_not() {
    let idle = "force = [0, 0, 0]";
    // 1000 kg/m3 times 9.81 m/s2 times 4.8 m is 4.7 % of the modulus.
    assert_eq!(told_of(4.8, POISSON, idle, "[0, 9.81, 0]").len(), 1);
    assert_eq!(told_of(4.8, POISSON, idle, "[0, -9.81, 0]").len(), 0);
    assert_eq!(told_of(4.8, GRID, idle, "[-9.81, 0, 0]").len(), 0);
}
