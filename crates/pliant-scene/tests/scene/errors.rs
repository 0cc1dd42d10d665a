//! Every kind of error names file, line, key, value and what would be right.

use pliant_scene::{BuildWith, Place, SceneError};

use crate::support::*;

/// The one error of a scene, checked for its place: `line_text` must be part of the line it names.
fn only_error(text: &str, key: &str, line_text: &str) -> SceneError {
    let errors = errors(text);
    let shown: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(errors.len(), 1, "{}", shown.join("\n"));
    let error = errors[0].clone();
    assert_eq!(error.key, key, "{error}");
    let Place::File {
        file,
        line,
        column,
        excerpt,
        ..
    } = &error.place
    else {
        panic!("{error} has no place in a file");
    };
    assert_eq!(file, "test.toml");
    let written = text.lines().nth(line - 1).expect("the line exists");
    assert_eq!(written, excerpt);
    assert!(written.contains(line_text), "line {line}: {written}");
    let shown = error.to_string();
    assert!(
        shown.contains(&format!("test.toml:{line}:{column}")),
        "{shown}"
    );
    assert!(shown.contains(key), "{shown}");
    assert!(error.remedy.is_some(), "{shown}");
    error
}

/// Asserts that all parts are in the printed error.
fn assert_says(error: &SceneError, parts: &[&str]) {
    let shown = error.to_string();
    for part in parts {
        assert!(shown.contains(part), "'{part}' is not in\n{shown}");
    }
}

#[test]
fn misspelt_key_names_the_right_one() {
    let text = with("spacing = 0.01", "spaceing = 0.01");
    let found = errors(&text);
    assert_eq!(found.len(), 2, "the unknown key and the missing one");
    let unknown = found.iter().find(|e| e.key == "body.column.spaceing");
    let unknown = unknown.expect("the misspelt key is named");
    assert_says(
        unknown,
        &["test.toml:", "= 0.01", "no such key", "\"spacing\""],
    );
    assert!(found.iter().any(|e| e.key == "body.column.spacing"));
}

#[test]
fn unknown_key_lists_those_there_are() {
    let text = with("friction = 0.6", "friction = 0.6\nzzz = 1");
    let error = only_error(&text, "collider.floor.zzz", "zzz = 1");
    assert_says(&error, &["= 1", "friction, restitution"]);
}

#[test]
fn unknown_table_is_an_error() {
    let text = format!("{SAND_COLUMN}\n[[blade]]\nname = \"knife\"\n");
    only_error(&text, "blade", "[[blade]]");
}

#[test]
fn misspelt_word_names_the_right_one() {
    let text = with("\"drucker-prager\"", "\"drucker-pragr\"");
    let error = only_error(&text, "material.sand.law", "law = ");
    assert_says(
        &error,
        &["\"drucker-pragr\"", "did you mean \"drucker-prager\""],
    );
}

#[test]
fn key_of_another_law_says_whose_it_is() {
    let text = with("\"drucker-prager\"", "\"elastic\"");
    let error = only_error(&text, "material.sand.friction_angle", "friction_angle");
    assert_says(
        &error,
        &[
            "= 30.0",
            "\"elastic\" does not take it",
            "\"drucker-prager\" would",
        ],
    );
}

#[test]
fn wrong_type_says_what_it_is_and_must_be() {
    let text = with("density = 1600.0", "density = \"heavy\"");
    let error = only_error(&text, "material.sand.density", "density = \"heavy\"");
    assert_says(
        &error,
        &["\"heavy\"", "a text", "a number greater than 0, in kg/m3"],
    );
}

#[test]
fn value_out_of_range_names_the_range() {
    let text = with("poissons_ratio = 0.3", "poissons_ratio = 0.5");
    let error = only_error(
        &text,
        "material.sand.poissons_ratio",
        "poissons_ratio = 0.5",
    );
    assert_says(
        &error,
        &["= 0.5", "out of range", "greater than -1 and less than 0.5"],
    );
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    for value in ["inf", "nan", "-inf"] {
        let text = with("density = 1600.0", &format!("density = {value}"));
        only_error(&text, "material.sand.density", "density");
    }
}

#[test]
fn vector_of_wrong_length_and_with_a_word_is_refused() {
    let text = with("[0.0, 0.05, 0.0]", "[0.0, 0.05]");
    let error = only_error(&text, "body.column.position", "position");
    assert_says(&error, &["2 numbers", "a list of 3 numbers"]);
    let text = with("[0.0, 0.05, 0.0]", "[0.0, \"up\", 0.0]");
    only_error(&text, "body.column.position[1]", "position");
}

#[test]
fn missing_key_says_what_to_write() {
    let text = with("duration = 1.5\n", "");
    let error = only_error(&text, "scene.duration", "[scene]");
    assert_says(
        &error,
        &["missing", "write duration = a number greater than 0, in s"],
    );
}

#[test]
fn missing_file_is_named_with_its_full_path() {
    let text = with(
        "{ cylinder = { radius = 0.1, height = 0.1 } }",
        "{ mesh = { file = \"no/such.obj\" } }",
    );
    let error = only_error(&text, "body.column.shape.mesh.file", "no/such.obj");
    assert_says(
        &error,
        &["there is no file /", "no/such.obj", "relative to"],
    );
}

#[test]
fn broken_mesh_is_reported_with_its_place_in_the_scene_and_the_mesh() {
    let text = with(
        "{ cylinder = { radius = 0.1, height = 0.1 } }",
        "{ mesh = { file = \"Cargo.toml\" } }",
    );
    let error = only_error(&text, "body.column.shape.mesh.file", "Cargo.toml");
    assert_says(&error, &["leaks near (0.1, 0.2, 0.3)", "close the hole"]);
}

#[test]
fn misspelt_shape_names_the_right_one() {
    let text = with("{ cylinder =", "{ cilinder =");
    let error = only_error(&text, "body.column.shape.cilinder", "cilinder");
    assert_says(&error, &["no such shape", "\"cylinder\""]);
}

#[test]
fn method_that_does_not_exist_lists_those_there_are() {
    let text = with(
        "material = \"sand\"",
        "material = \"sand\"\nmethod = \"mpm\"",
    );
    let error = only_error(&text, "body.column.method", "method = \"mpm\"");
    assert_says(&error, &["\"mpm\"", "\"xpbi\""]);
}

#[test]
fn material_that_does_not_exist_names_the_nearest() {
    let text = with("material = \"sand\"", "material = \"sant\"");
    let error = only_error(&text, "body.column.material", "material = \"sant\"");
    assert_says(&error, &["\"sant\"", "did you mean \"sand\""]);
}

#[test]
fn body_without_shape_and_emitter_has_no_particles() {
    let text = with(
        "shape = { cylinder = { radius = 0.1, height = 0.1 } }\n",
        "",
    );
    let error = only_error(&text, "body.column.shape", "[[body]]");
    assert_says(&error, &["no particles", "emitter"]);
}

#[test]
fn body_smaller_than_its_spacing_has_no_particles() {
    let text = with("spacing = 0.01", "spacing = 5.0");
    let error = only_error(&text, "body.column.spacing", "spacing = 5.0");
    assert_says(
        &error,
        &["no particle of spacing 5.0 m", "a spacing of at most"],
    );
}

#[test]
fn body_filled_with_a_plane_is_refused() {
    let text = with(
        "{ cylinder = { radius = 0.1, height = 0.1 } }",
        "{ plane = {} }",
    );
    let error = only_error(&text, "body.column.shape.plane", "plane = {}");
    assert_says(&error, &["no end"]);
}

#[test]
fn spacing_that_needs_too_much_memory_names_one_that_fits() {
    let text = with("spacing = 0.01", "spacing = 0.0001").replace("time_step = 2e-4", "");
    let error = only_error(&text, "body.column.spacing", "spacing = 0.0001");
    assert_says(
        &error,
        &["0.0001 m", "3.14e9 particles", "3.2 TB", "1.1 GB", "m fits"],
    );
}

#[test]
fn the_spacing_that_is_said_to_fit_fits() {
    let memory = 4 << 20;
    let meshes = &NoMeshes;
    let with_spacing =
        |text: &str| scene(&with("spacing = 0.01", text).replace("time_step = 2e-4", ""));
    let fine = with_spacing("spacing = 0.001");
    let errors = fine
        .build(BuildWith { meshes, memory })
        .expect_err("too fine");
    let remedy = errors.errors()[0].remedy.clone().unwrap_or_default();
    let number = remedy.split(' ').find_map(|word| word.parse::<f64>().ok());
    let fitting = format!("spacing = {}", number.expect("a spacing is advised"));
    let fitting = with_spacing(&fitting);
    assert!(fitting.build(BuildWith { meshes, memory }).is_ok());
}

#[test]
fn memory_counts_all_bodies_together() {
    let second = "\n[[body]]\nname = \"other\"\nmaterial = \"sand\"\nposition = [1.0, 0.5, 0.0]\nshape = { box = { size = [0.1, 0.1, 0.1] } }\nspacing = 0.01\n";
    let scene = scene(&format!("{SAND_COLUMN}{second}"));
    let build = |memory| {
        scene.build(BuildWith {
            meshes: &NoMeshes,
            memory,
        })
    };
    assert!(build(1024 * 5000).is_ok());
    let errors = build(1024 * 3500).expect_err("only the first fits");
    assert_eq!(errors.errors()[0].key, "body.other.spacing");
}

#[test]
fn all_errors_are_reported_at_once_in_order_of_lines() {
    let text = with("density = 1600.0", "density = -1.0")
        .replace("friction = 0.6", "friction = true")
        .replace("frame_rate = 24", "frame_rat = 24");
    let found = errors(&text);
    let keys: Vec<&str> = found.iter().map(|e| e.key.as_str()).collect();
    let expected = [
        "scene.frame_rat",
        "material.sand.density",
        "collider.floor.friction",
    ];
    assert_eq!(keys, expected);
}

#[test]
fn text_that_is_not_toml_names_the_line() {
    let found = errors("[scene]\nduration = = 1\n");
    assert!(
        matches!(found[0].place, Place::File { line: 2, .. }),
        "{}",
        found[0]
    );
    assert_says(&found[0], &["test.toml:2:", "not TOML"]);
}

#[test]
fn names_are_unique_in_their_kind() {
    let text =
        format!("{SAND_COLUMN}\n[[collider]]\nname = \"floor\"\nshape = {{ plane = {{}} }}\n");
    let found = errors(&text);
    assert!(found[0].key.starts_with("collider[1].name"), "{}", found[0]);
    assert_says(&found[0], &["\"floor\"", "same name"]);
}

#[test]
fn gpu_backend_is_refused_as_long_as_there_is_none() {
    let text = with("time_step = 2e-4", "backend = \"gpu\"");
    let error = only_error(&text, "solver.backend", "backend = \"gpu\"");
    assert_says(&error, &["graphics cards", "\"cpu\""]);
}

#[test]
fn surface_formats_that_hold_no_triangles_are_refused() {
    let text = with("particles = [\"vtk\"]", "surface = [\"bgeo-classic\"]");
    let error = only_error(&text, "output.surface[0]", "surface = [\"bgeo-classic\"]");
    assert_says(&error, &["bgeo-classic", "\"ply\""]);
}

#[test]
fn expectation_of_an_unknown_probe_is_refused() {
    let text = with("column = \"column.r99\"", "column = \"colum.r99\"");
    let error = only_error(&text, "expect[0].column", "colum.r99");
    assert_says(&error, &["no probe", "did you mean \"column\""]);
}

#[test]
fn expectation_of_an_unknown_column_names_the_nearest() {
    let text = with("column = \"column.r99\"", "column = \"column.r98\"");
    let error = only_error(&text, "expect[0].column", "column.r98");
    assert_says(&error, &["\"column.r98\"", "did you mean \"column.r9"]);
}

#[test]
fn expectation_needs_value_and_tolerance_or_a_range() {
    for to in [
        "value = 0.168\n",
        "value = 1.0\ntolerance = 0.1\nrange = [0.0, 1.0]\n",
        "",
    ] {
        let text = with("value = 0.168\ntolerance = 0.006\n", to);
        only_error(&text, "expect[0]", "[[expect]]");
    }
}

#[test]
fn keyframes_must_increase_in_time() {
    let motion = "friction = 0.6\nmotion = { keyframes = [{ t = 1.0 }, { t = 0.5 }] }";
    let text = with("friction = 0.6", motion);
    let error = only_error(&text, "collider.floor.motion.keyframes[1].t", "t = 0.5");
    assert_says(&error, &["= 0.5", "not after 1.0"]);
}

#[test]
fn bounds_without_room_are_refused() {
    let text = with("max = [2, 3, 2]", "max = [2, -3, 2]");
    only_error(&text, "scene.bounds.max", "max = [2, -3, 2]");
}

#[test]
fn step_that_the_sweeps_cannot_resolve_is_refused_and_can_be_allowed() {
    let coarse = with("time_step = 2e-4", "time_step = 1.4e-3");
    let error = only_error(&coarse, "solver.time_step", "time_step = 1.4e-3");
    assert_says(
        &error,
        &["kernel radii a substep", "4 sweeps", "allow_unresolved"],
    );
    let allowed = coarse.replace("[solver]", "[solver]\nallow_unresolved = true");
    assert_eq!(built(&allowed).warnings.len(), 1);
    let sweeps = coarse.replace("[solver]", "[solver]\niterations = 20");
    assert_eq!(built(&sweeps).warnings.len(), 1);
    let warned = with("time_step = 2e-4", "time_step = 1e-3");
    assert_eq!(built(&warned).warnings.len(), 1);
    assert!(built(SAND_COLUMN).warnings.is_empty());
}

#[test]
fn step_that_would_never_end_is_refused() {
    let text = with("time_step = 2e-4", "time_step = 1e-300");
    only_error(&text, "solver.time_step", "1e-300");
}

#[test]
fn errors_of_set_name_the_argument() {
    for (set, key) in [
        ("body.column.spacing=-1", "body.column.spacing"),
        ("body.column.spacing=fine", "body.column.spacing"),
        ("body.colum.spacing=0.1", "body.colum.spacing"),
        ("body[7].spacing=0.1", "body[7].spacing"),
        ("solver.itterations=3", "solver.itterations"),
        ("nonsense", "nonsense"),
        ("=1", ""),
    ] {
        let errors = parse_with(SAND_COLUMN, &[set]).expect_err(set);
        let error = &errors.errors()[0];
        assert_eq!(
            error.place,
            Place::Argument(format!("--set {set}")),
            "{error}"
        );
        assert_eq!(error.key, key);
        assert_says(error, &[set]);
    }
}

#[test]
fn a_scene_file_that_is_not_there_is_named() {
    let path = std::path::Path::new("no/such/scene.toml");
    let errors = pliant_scene::Scene::read(path, &Default::default()).expect_err("no file");
    assert_says(&errors.errors()[0], &["no/such/scene.toml"]);
}
