//! Rules about the keys of `[[force]]`, `[[attach]]` and `[[joint]]`.

use pliant_parameters::Values;

use super::Checker;
use super::references::text;
use super::rules::check_keyframes;
use crate::document::address_text;

/// Keys of an attachment of which at most one may be given.
const EXCLUSIVE_KEYS: &[&str] = &["to_collider", "to_body", "force", "traction"];

const STRENGTH: &str = "{ t = 0.0, strength = 1.0 }";

pub(super) fn check_force(checker: &mut Checker<'_>, force: &Values, path: &str) {
    check_keyframes(checker, force, path, STRENGTH);
    if force.has("keyframes") && force.has("strength") {
        let message = "there are keyframes and a constant strength".into();
        let remedy = "remove `strength` or `keyframes`".into();
        checker.fail_at(&address_text(path, "strength"), None, message, remedy);
    }
}

pub(super) fn check_attachment(checker: &mut Checker<'_>, attach: &Values, path: &str) {
    check_keyframes(checker, attach, path, STRENGTH);
    let given: Vec<&&str> = EXCLUSIVE_KEYS
        .iter()
        .filter(|key| attach.has(key))
        .collect();
    if let [first, second, ..] = given[..] {
        let message = format!("there are `{first}` and `{second}`");
        let remedy = "give one; for the other, add another [[attach]]".into();
        checker.fail_at(&address_text(path, second), None, message, remedy);
    }
    if attach.has("traction") != attach.has("area") {
        let message = "`traction` and `area` belong together".into();
        let remedy = "give both, or the total force as `force` in N".into();
        checker.fail_at(path, None, message, remedy);
    }
    let is_load = attach.has("force") || attach.has("traction");
    if attach.has("compliance") && (is_load || attach.has("to_body")) {
        let message = "a compliance is one of attachments to the world or to a collider".into();
        let remedy = "remove it, or name a collider with `to_collider`".into();
        checker.fail_at(&address_text(path, "compliance"), None, message, remedy);
    }
    if attach.has("keyframes") && !is_load && !attach.has("compliance") {
        let message =
            "keyframes change a `force`, a `traction` or the stiffness of a `compliance`, and there is none"
                .into();
        let remedy = "remove them; particles move with a collider through its own `motion`".into();
        checker.fail_at(&address_text(path, "keyframes"), None, message, remedy);
    }
    let body = text(attach, "body");
    if body.is_some() && text(attach, "to_body") == body {
        let message = "a body cannot be joined to itself".into();
        let remedy = "name another body".into();
        checker.fail_at(&address_text(path, "to_body"), None, message, remedy);
    }
}

pub(super) fn check_joint(checker: &mut Checker<'_>, joint: &Values, path: &str) {
    if joint.has("to_body") && joint.has("to_collider") {
        let message = "there are `to_body` and `to_collider`".into();
        let remedy = "give one; for the other, add another [[joint]]".into();
        checker.fail_at(&address_text(path, "to_collider"), None, message, remedy);
    }
    let body = text(joint, "body");
    if body.is_some() && text(joint, "to_body") == body {
        let message = "a body cannot be joined to itself".into();
        let remedy = "name another body".into();
        checker.fail_at(&address_text(path, "to_body"), None, message, remedy);
    }
    let is_free_along_axis = matches!(text(joint, "kind"), Some("hinge" | "slider") | None);
    for key in ["limits", "motor"] {
        if joint.has(key) && !is_free_along_axis {
            let message = format!("`{key}` belongs to a hinge or a slider");
            let remedy = "remove it, or take kind = \"hinge\" or \"slider\"".into();
            checker.fail_at(&address_text(path, key), None, message, remedy);
        }
    }
}
