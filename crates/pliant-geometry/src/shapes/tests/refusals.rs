//! What is no shape, or none for its use, is refused with key and remedy.

use pliant_parameters::{Problem, Value, Values};

use super::samples::{BODY, BallFile, COLLIDER, ball, list, named, outline, tree};
use crate::ShapeUse;
use crate::shapes::build;

fn refusal(values: &Values, use_as: ShapeUse) -> Problem {
    build(values, &BallFile, use_as).unwrap_err()
}

#[test]
fn wrong_shapes_are_refused_with_key_and_remedy() {
    let n = Value::Number;
    let plane = |y| named("plane", [("normal", list(&[0.0, y, 0.0]))]);
    let half_space = tree("union", vec![Value::Table(plane(1.0))]);
    let two = [
        ("union", Value::List(vec![])),
        ("difference", Value::List(vec![])),
    ];
    let cases = [
        (plane(0.0), COLLIDER, Some("normal"), "no direction"),
        (plane(1.0), BODY, None, "no end"),
        (half_space, BODY, Some("union"), "no end"),
        (
            named("torus", [("radius", n(0.1)), ("tube_radius", n(0.2))]),
            BODY,
            Some("tube_radius"),
            "0.2",
        ),
        (named("sdf", two), BODY, None, "2 are given"),
        (
            tree("smooth-union", vec![Value::Table(ball(1.0))]),
            BODY,
            Some("radius"),
            "no radius",
        ),
        (
            outline(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]),
            BODY,
            Some("profile"),
            "[0, 0] to [1, 1]",
        ),
        (
            outline(&[[0.0, 0.0], [-0.5, 1.0], [1.0, 0.0]]),
            BODY,
            Some("profile"),
            "corner 2",
        ),
        (
            outline(&[[0.5, 0.0], [0.5, 0.0], [0.5, 0.0]]),
            BODY,
            Some("profile"),
            "no area",
        ),
        (named("blob", []), BODY, Some("blob"), "no shape 'blob'"),
    ];
    for (values, use_as, key, text) in cases {
        let problem = refusal(&values, use_as);
        assert_eq!(problem.key.as_deref(), key, "{problem}");
        assert!(problem.message.contains(text), "{problem}");
        assert!(problem.remedy.is_some());
    }
}

#[test]
fn a_mesh_too_large_for_the_spacing_is_refused_with_its_size() {
    let values = named(
        "mesh",
        [
            ("file", Value::Text("ball.obj".into())),
            ("scale", Value::Number(1000.0)),
        ],
    );
    let problem = refusal(&values, BODY);
    assert!(problem.message.contains("1000"), "{problem}");
    assert_eq!(problem.key.as_deref(), Some("scale"));
}
