//! Keys that had another name are refused with the name they have now.

use pliant_scene::Place;

use crate::support::*;

/// A body of rubber, a hinge with a motor, and the settings of springs.
const EVERY_TABLE: &str = r#"
scene.duration = 0.1
[solver.springs]
tolerance = 1e-3
[material.rubber]
law = "neo-hookean"
density = 1000.0
youngs_modulus = 1e5
yield_stress = 1e3
[material.oak]
law = "rigid"
density = 500.0
[[body]]
name = "bar"
material = "rubber"
shape = { box = { size = [1, 0.5, 0.5] } }
spacing = 0.1
[[body]]
name = "door"
material = "oak"
shape = { box = { size = [0.8, 2.0, 0.05] } }
position = [0.0, 3.0, 0.0]
[[joint]]
name = "hinge"
kind = "hinge"
body = "door"
[joint.motor]
damping = 1.0
"#;

/// The line that the key is written below, its path, how it was written, and its name now.
const RENAMED: &[(&str, &str, &str, &str)] = &[
    (
        "yield_stress = 1e3",
        "material.rubber.creep",
        "creep = 0.1",
        "flow_rate",
    ),
    (
        "yield_stress = 1e3",
        "material.rubber.greatest_plastic_strain",
        "greatest_plastic_strain = 0.4",
        "max_plastic_strain",
    ),
    (
        "spacing = 0.1",
        "body.bar.continuum",
        "continuum = false",
        "share_neighbors",
    ),
    (
        "spacing = 0.1",
        "body.bar.support",
        "support = 2.0",
        "support_radius",
    ),
    (
        "damping = 1.0",
        "joint.hinge.motor.greatest",
        "greatest = 3.0",
        "max_force",
    ),
    (
        "tolerance = 1e-3",
        "solver.springs.jacobian_scale_bd",
        "jacobian_scale_bd = 0.99",
        "jacobian_damping",
    ),
];

#[test]
fn a_renamed_key_is_refused_with_its_place_and_its_new_name() {
    built(EVERY_TABLE);
    for (above, path, written, new) in RENAMED {
        assert!(EVERY_TABLE.contains(above), "{above}");
        let text = EVERY_TABLE.replace(above, &format!("{above}\n{written}"));
        let errors = errors(&text);
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].key, *path);
        let Place::File { line, excerpt, .. } = &errors[0].place else {
            panic!("{} has no place in a file", errors[0]);
        };
        assert_eq!(excerpt, written);
        assert_eq!(text.lines().nth(line - 1), Some(*written));
        let shown = errors[0].to_string();
        assert!(shown.contains(&format!("it is `{new}` now")), "{shown}");
    }
}

#[test]
fn the_value_of_a_renamed_key_is_translated_where_its_meaning_changed() {
    let told = [("creep = 0.1", "1/s"), ("jacobian_scale_bd = 0.99", "1 - ")];
    for (written, translation) in told {
        let above = RENAMED
            .iter()
            .find(|row| row.2 == written)
            .expect("a row")
            .0;
        let refused = refusal(&EVERY_TABLE.replace(above, &format!("{above}\n{written}")));
        assert!(refused.contains(translation), "{refused}");
    }
}
