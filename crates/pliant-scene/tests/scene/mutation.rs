//! Whatever stands in a scene, reading and building it ends with a world or with errors.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use pliant_scene::{BuildWith, Overrides, Scene};

use crate::support::*;

/// Reads, builds and prints: little memory keeps what is accepted small.
fn run(text: &str, set: &[String]) {
    let overrides = Overrides {
        set: set.to_vec(),
        ..Overrides::default()
    };
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    match Scene::parse(text, "test.toml", folder, &overrides) {
        Ok(scene) => {
            let built = scene.build(BuildWith {
                meshes: &NoMeshes,
                memory: 2 << 20,
            });
            if let Err(errors) = built {
                assert!(!errors.to_string().is_empty());
                assert!(!errors.errors().is_empty());
            }
            let printed = scene.to_toml(folder);
            let again = Scene::parse(
                printed.as_str(),
                "again.toml",
                folder,
                &Overrides::default(),
            );
            let again = again.unwrap_or_else(|e| panic!("{e}\n{printed}"));
            assert_eq!(again, scene, "{printed}");
        }
        Err(errors) => {
            assert!(!errors.to_string().is_empty());
            assert!(!errors.errors().is_empty());
        }
    }
}

/// Values of every type, and numbers at the ends of every range.
const VALUES: &[&str] = &[
    "0",
    "-1",
    "1",
    "2",
    "1e-300",
    "1e300",
    "-1e300",
    "5e-324",
    "1e400",
    "9223372036854775807",
    "99999999999999999999",
    "-0.0",
    "nan",
    "inf",
    "-inf",
    "true",
    "\"\"",
    "\"sand\"",
    "\"column\"",
    "\"#12345é\"",
    "\"\\u0000\"",
    "[]",
    "[0, 0, 0]",
    "[1e300, 1e300, 1e300]",
    "[1, \"a\", {}]",
    "{}",
    "{ a = 1 }",
    "[{}]",
    "[{ name = \"column\" }]",
    "1979-05-27T07:32:00Z",
    "0x7f",
    "{ sphere = { radius = 1e-3 } }",
    "{ sphere = { radius = 1e300 } }",
    "{ box = {} }",
    "{ plane = { normal = [0, 0, 0] } }",
    "{ plane = {}, box = {} }",
    "{ mesh = { file = \"..\" } }",
    "{ cylinder = { radius = 1e-200, height = 1e200 } }",
];

fn lines() -> Vec<String> {
    SAND_COLUMN.lines().map(String::from).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn changed_bytes(changes in prop::collection::vec((any::<Index>(), any::<u8>()), 1..6)) {
        let mut bytes = SAND_COLUMN.as_bytes().to_vec();
        for (index, byte) in changes {
            let i = index.index(bytes.len());
            bytes[i] = byte;
        }
        run(&String::from_utf8_lossy(&bytes), &[]);
    }

    #[test]
    fn any_text(text in "\\PC{0,200}") {
        run(&text, &[]);
    }

    #[test]
    fn changed_values(changes in prop::collection::vec((any::<Index>(), select(VALUES)), 1..4)) {
        let mut lines = lines();
        for (index, value) in changes {
            let i = index.index(lines.len());
            if let Some((key, _)) = lines[i].split_once('=') {
                lines[i] = format!("{key}= {value}");
            }
        }
        run(&lines.join("\n"), &[]);
    }

    #[test]
    fn changed_lines(
        changes in prop::collection::vec((any::<Index>(), any::<Index>(), 0..3u8), 1..5),
    ) {
        let mut lines = lines();
        for (from, to, what) in changes {
            let (i, j) = (from.index(lines.len()), to.index(lines.len()));
            match what {
                0 => lines.swap(i, j),
                1 => lines[i].clear(),
                _ => lines.insert(j, lines[i].clone()),
            }
        }
        run(&lines.join("\n"), &[]);
    }

    #[test]
    fn any_argument(
        key in "(body|solver|scene|material|sand|column|collider|detail|include|[a-z.\\[\\]\"0-9]){0,5}",
        value in select(VALUES),
    ) {
        run(SAND_COLUMN, &[format!("{key}={value}")]);
    }

    #[test]
    fn values_set_by_address(
        key in select(&[
            "body.column.spacing", "body.column.scale", "body.column.position", "body.column.spin",
            "body.column.shape", "body.column.mass", "body.column.jitter", "body.column.support_radius",
            "scene.duration", "scene.frame_rate", "scene.gravity", "scene.bounds", "solver.time_step",
            "solver.xpbi", "material.sand.density", "material.sand.youngs_modulus", "body", "collider",
            "collider.floor.shape", "collider.floor.motion", "probe", "expect", "emitter", "camera",
        ][..]),
        value in select(VALUES),
    ) {
        run(SAND_COLUMN, &[format!("{key}={value}")]);
    }

    #[test]
    fn any_number(
        key in select(&[
            "body.column.spacing", "body.column.scale", "solver.time_step", "scene.duration",
            "body.column.shape.cylinder.radius", "body.column.shape.cylinder.height",
            "material.sand.youngs_modulus", "body.column.mass", "body.column.support_radius",
        ][..]),
        value in proptest::num::f64::POSITIVE,
    ) {
        run(SAND_COLUMN, &[format!("{key}={value:?}")]);
    }
}

#[test]
fn deep_nesting_is_an_error() {
    let dots = vec!["a"; 100_000].join(".");
    let deep =
        |open: &str, close: &str| format!("x = {}1{}", open.repeat(50_000), close.repeat(50_000));
    let keys = vec!["a"; 70].join(".");
    let mixed = format!(
        "{keys} = {}1{}",
        format!("{{ {keys} = ").repeat(45),
        " }".repeat(45)
    );
    let wide = format!("{}\n", format!("[[{keys}]]\n").repeat(50));
    for text in [
        format!("[{dots}]\n"),
        format!("{dots} = 1\n"),
        deep("[", "]"),
        deep("{ a = ", " }"),
        mixed,
        wide,
    ] {
        assert!(parse_with(&text, &[]).is_err());
    }
    let shape = format!(
        "body.column.shape={}{{ sphere = {{ radius = 1 }} }}{}",
        "{ sdf = { union = [".repeat(2000),
        "] } }".repeat(2000)
    );
    assert!(parse_with(SAND_COLUMN, &[&shape]).is_err());
}
