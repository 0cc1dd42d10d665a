//! What no run could do, refused before anybody waits for it.

use std::cell::RefCell;
use std::sync::Arc;

use pliant_geometry::{MeshSource, TriangleMesh};
use pliant_parameters::Problem;
use pliant_scene::BuildWith;

use crate::support::*;

#[test]
fn positions_that_lose_the_spacing_are_refused() {
    let far = |position: &str| {
        with(
            "position = [0.0, 0.05, 0.0]",
            &format!("position = {position}"),
        )
    };
    for position in ["[1e15, 0.06, 0.0]", "[0, -1e300, 0]", "[0, 0, 1.1e7]"] {
        let refusal = refusal(&far(position));
        for part in [
            &format!("body.column.position = {position}"),
            "test.toml:24:12",
            "particles 0.01 m apart",
            "within 1.0e7 m of the origin",
        ] {
            assert!(refusal.contains(part), "{part}: {refusal}");
        }
    }
    let near = built(&far("[0.9e7, 0.06, 0.0]").replace("bounds", "# bounds"));
    let mut places = near.setup.bodies[0].particles.position.clone();
    places.sort_by(|a, b| a.x.total_cmp(&b.x));
    assert!(places[0].x < places[places.len() / 2].x);
    // Rigid bodies and emitters are refused likewise.
    let rigid = "scene.duration = 0.1\nmaterial.wood = { law = \"rigid\", density = 500.0 }\n[[body]]\nname = \"box\"\nmaterial = \"wood\"\nshape = { box = { size = [1, 1, 1] } }\nposition = [0, 1e12, 0]\n";
    assert!(
        refusal(rigid).contains("body.box.position"),
        "{}",
        refusal(rigid)
    );
    let emitter = format!(
        "{CUBE}[[emitter]]\nname = \"tap\"\nbody = \"cube\"\nshape = {{ sphere = {{ radius = 1 }} }}\nposition = [0, 1e12, 0]\n"
    );
    assert!(
        refusal(&emitter).contains("emitter.tap.position"),
        "{}",
        refusal(&emitter)
    );
}

#[test]
fn normals_and_axes_of_any_length_have_a_direction() {
    let plane = |normal: &str| with("normal = [0, 1, 0]", &format!("normal = {normal}"));
    for normal in ["[1e300, 1e300, 0]", "[1e-300, 1e-300, 0]"] {
        let floor = &built(&plane(normal)).setup.colliders[0];
        let up = pliant_math::DVec3::new(1.0, 1.0, 0.0).normalize();
        let distance = floor.signed_distance(3.0 * up, 0.0);
        assert!((distance - 3.0).abs() < 1e-12, "{normal}: {distance}");
    }
    let refusal = refusal(&plane("[0, 0, 0]"));
    assert!(refusal.contains("has no direction"), "{refusal}");
}

/// Records the reported progress.
#[derive(Default)]
struct Listener(RefCell<Vec<String>>);

impl MeshSource for Listener {
    fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
        NoMeshes.mesh(file)
    }

    fn report_progress(&self, doing: &str) {
        self.0.borrow_mut().push(doing.into());
    }
}

/// The progress reported while a scene was built, and the errors.
fn heard(text: &str) -> (String, String) {
    let listener = Listener::default();
    let built = scene(text).build(BuildWith {
        meshes: &listener,
        memory: MEMORY,
    });
    let errors = built
        .err()
        .map_or(String::new(), |errors| errors.to_string());
    (listener.0.take().join("\n"), errors)
}

#[test]
fn impossible_steps_are_refused_before_a_body_is_filled() {
    let (told, errors) = heard(SAND_COLUMN);
    assert_eq!(errors, "");
    let doing = "filling body.column with about 3142 particles";
    assert!(told.contains(doing), "{told}");
    for (from, to, part) in [
        (
            "time_step = 2e-4",
            "time_step = 0.04",
            "solver.time_step = 0.04",
        ),
        (
            "time_step = 2e-4",
            "time_step = 1e-12",
            "solver.time_step = 1e-12",
        ),
        (
            "frame_rate = 24\ngravity = [0.0, -9.81, 0.0]",
            "gravity = [0, -1e300, 0]",
            "scene.gravity",
        ),
    ] {
        let changed = match part {
            "scene.gravity" => with(from, to).replace("time_step = 2e-4", ""),
            _ => with(from, to),
        };
        let (told, errors) = heard(&changed);
        assert!(errors.contains(part), "{part}: {errors}");
        assert!(!told.contains("filling"), "{part}: {told}");
        assert!(!errors.contains("inf "), "{errors}");
    }
}

#[test]
fn the_cause_of_too_many_substeps_is_named() {
    let fast = with("spacing = 0.01", "spacing = 0.01\nvelocity = [0, 1e9, 0]");
    let refused = refusal(&fast.replace("time_step = 2e-4", ""));
    assert!(
        refused.contains("body.column.velocity = [0, 1e9, 0]"),
        "{refused}"
    );
    let collider = with("friction = 0.6", "motion = { velocity = [0, 1e9, 0] }");
    let refused = refusal(&collider.replace("time_step = 2e-4", ""));
    assert!(refused.contains("collider.floor.motion"), "{refused}");
}
