//! Bodies whose parts meet each other, or pass through each other.

use crate::Simulation;

/// Two squares of cloth of 0.2 m, 0.1 m apart, in one mesh.
const SQUARES: &str = "v -0.1 0 -0.1\nv 0.1 0 -0.1\nv 0.1 0 0.1\nv -0.1 0 0.1\n\
    v -0.1 0.1 -0.1\nv 0.1 0.1 -0.1\nv 0.1 0.1 0.1\nv -0.1 0.1 0.1\n\
    f 1 3 2\nf 1 4 3\nf 5 7 6\nf 5 8 7\n";

/// Two blocks 0.1 m apart, the lower one held.
const BLOCKS: &str = r#"
scene.duration = 0.3
[material.rubber]
preset = "rubber"
[[body]]
name = "pair"
material = "rubber"
method = "shape-groups"
shape = { sdf = { union = [{ box = { size = [0.2, 0.1, 0.2] }, position = [0.0, -0.05, 0.0] }, { box = { size = [0.1, 0.1, 0.1] }, position = [0.0, 0.15, 0.0] }] } }
spacing = 0.05
[[attach]]
name = "hold"
body = "pair"
shape = { box = { size = [1.0, 0.2, 1.0] } }
position = [0.0, -0.1, 0.0]
"#;

const CLOTH: &str = r#"
scene.duration = 0.3
[material.cotton]
preset = "cotton"
[[body]]
name = "pair"
material = "cotton"
shape = { mesh = { file = "squares.obj" } }
spacing = 0.02
[[attach]]
name = "hold"
body = "pair"
shape = { box = { size = [1.0, 0.1, 1.0] } }
"#;

/// The lowest particle after 0.3 s [m]: what falls freely falls by 0.44 m.
fn lowest(scene: &str, keys: &str) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene.replace("[[attach]]", &format!("{keys}\n[[attach]]"));
    std::fs::write(folder.path().join("squares.obj"), SQUARES).unwrap();
    std::fs::write(folder.path().join("scene.toml"), scene).unwrap();
    let mut simulation = Simulation::open(folder.path().join("scene.toml")).unwrap();
    while simulation.time() < 0.3 {
        simulation.step().unwrap();
    }
    let position = &simulation.particles().position;
    position.iter().map(|x| x.y).fold(f64::INFINITY, f64::min)
}

#[test]
fn parts_rest_on_each_other_unless_the_body_does_not_meet_itself() {
    for (scene, floor) in [(BLOCKS, -0.1), (CLOTH, 0.0)] {
        let rests = lowest(scene, "");
        assert!(rests > floor - 0.02, "{rests}");
        let falls = lowest(scene, "self_contact = false");
        assert!(falls < floor - 0.1, "{falls}");
    }
}
