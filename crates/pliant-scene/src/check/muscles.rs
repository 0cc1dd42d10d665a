//! Rules about the keys of `[[muscle]]`.

use pliant_parameters::{Value, Values};

use super::Checker;
use super::rules::check_keyframes;
use crate::document::address_text;

/// How fibres run: one of these.
const COURSES: &[&str] = &["direction", "spline", "helix", "ends", "field"];

/// How they are activated: at most one of these.
const ACTIVATIONS: &[&str] = &["activation", "keyframes", "wave", "expression"];

const KEYFRAME: &str = "{ t = 0.0, activation = 1.0 }";

pub(super) fn check_muscle(checker: &mut Checker<'_>, muscle: &Values, path: &str) {
    check_keyframes(checker, muscle, path, KEYFRAME);
    let given = |keys: &[&'static str]| -> Vec<&'static str> {
        keys.iter().copied().filter(|key| muscle.has(key)).collect()
    };
    match given(COURSES)[..] {
        [] => {
            let message = "it is not said how its fibres run".into();
            let remedy = "give `direction`, `spline`, `helix`, `ends` or `field`".into();
            checker.fail_at(path, None, message, remedy);
        }
        [_] => {}
        [first, second, ..] => refuse_both(checker, path, first, second),
    }
    if let [first, second, ..] = given(ACTIVATIONS)[..] {
        refuse_both(checker, path, first, second);
    }
    let is_driven = matches!(muscle.get("driven"), Some(Value::Flag(true)));
    let own = ["keyframes", "wave", "expression"];
    if let Some(key) = own.into_iter().find(|key| is_driven && muscle.has(key)) {
        refuse_both(checker, path, "driven", key);
    }
    check_direction(
        checker,
        muscle.get("direction"),
        &address_text(path, "direction"),
    );
    if let Some(Value::Table(helix)) = muscle.get("helix") {
        let axis = address_text(&address_text(path, "helix"), "axis");
        check_direction(checker, helix.get("axis"), &axis);
    }
}

fn check_direction(checker: &mut Checker<'_>, value: Option<&Value>, path: &str) {
    let is_zero = |v: &[Value]| v.iter().all(|c| *c == Value::Number(0.0));
    if matches!(value, Some(Value::List(v)) if is_zero(v)) {
        let message = "no fibres run along a vector of length zero".into();
        let remedy = "name the direction the fibres run along, such as [1.0, 0.0, 0.0]".into();
        checker.fail_at(path, None, message, remedy);
    }
}

fn refuse_both(checker: &mut Checker<'_>, path: &str, first: &str, second: &str) {
    let message = format!("there are `{first}` and `{second}`");
    let remedy = "give one of them".into();
    checker.fail_at(&address_text(path, second), None, message, remedy);
}
