//! What keys of one table say about each other, and defaults that depend on other keys.

use pliant_parameters::{Value, Values};

use super::references::text;
use super::{Checker, Tables, attachments, item_path, looks, muscles};
use crate::document::address_text;
use crate::methods;
use crate::tables::PRESET;

/// Most frames of a run; their files are numbered.
const MOST_FRAMES: f64 = 1e6;

pub(super) fn check(checker: &mut Checker<'_>, tables: &Tables) {
    if tables["body"].is_empty() {
        let remedy = "add a [[body]] with a name, a material, a shape and a spacing".into();
        checker.fail_at("body", None, "the scene has no body".into(), remedy);
    }
    for scene in &tables["scene"] {
        check_bounds(checker, scene);
        check_frames(checker, scene);
    }
    for solver in &tables["solver"] {
        check_backend(checker, solver);
    }
    for output in &tables["output"] {
        check_size(checker, output);
    }
    for (i, body) in tables["body"].iter().enumerate() {
        check_body(checker, tables, body, &item_path("body", body, i));
    }
    for (i, collider) in tables["collider"].iter().enumerate() {
        let path = item_path("collider", collider, i);
        check_motion(checker, collider, &path);
        check_driven(checker, collider, &path);
    }
    for (i, cut) in tables["cut"].iter().enumerate() {
        let path = item_path("cut", cut, i);
        check_motion(checker, cut, &path);
        check_cut(checker, cut, &path);
    }
    for (i, emitter) in tables["emitter"].iter().enumerate() {
        check_emission(checker, emitter, &item_path("emitter", emitter, i));
    }
    for (i, force) in tables["force"].iter().enumerate() {
        attachments::check_force(checker, force, &item_path("force", force, i));
    }
    for (i, joint) in tables["joint"].iter().enumerate() {
        attachments::check_joint(checker, joint, &item_path("joint", joint, i));
    }
    for (i, attach) in tables["attach"].iter().enumerate() {
        attachments::check_attachment(checker, attach, &item_path("attach", attach, i));
    }
    for (i, muscle) in tables["muscle"].iter().enumerate() {
        muscles::check_muscle(checker, muscle, &item_path("muscle", muscle, i));
    }
    for (i, expect) in tables["expect"].iter().enumerate() {
        check_expectation(checker, expect, &item_path("expect", expect, i));
    }
    for (i, camera) in tables["camera"].iter().enumerate() {
        let example = "{ t = 0.0, position = [x, y, z] }";
        check_keyframes(checker, camera, &format!("camera[{i}]"), example);
        if camera.has("position") && camera.get("position") == camera.get("target") {
            let path = format!("camera[{i}].target");
            let message = "the camera looks at itself".into();
            checker.fail_at(&path, None, message, "move `position` or `target`".into());
        }
    }
    check_surfaces(checker, tables);
}

fn check_surfaces(checker: &mut Checker<'_>, tables: &Tables) {
    for (i, surface) in tables["surface"].iter().enumerate() {
        if surface.has("body") && surface.has("material") {
            let path = format!("surface[{i}].material");
            let message = "a surface is around the particles of a body or of a material".into();
            checker.fail_at(&path, None, message, "leave one of the two out".into());
        }
    }
    let formats = tables["output"].first().and_then(|of| of.get("surface"));
    let has_formats = !matches!(formats, Some(Value::List(list)) if list.is_empty());
    if !tables["surface"].is_empty() && !has_formats {
        let message = "there are surfaces, and no format to write them in".into();
        let remedy = "name one: surface = [\"ply\"]".into();
        checker.fail_at("output.surface", None, message, remedy);
    }
}

/// Fills in defaults that depend on other keys.
pub(super) fn resolve(tables: &mut Tables) {
    let of_materials = |key: &str| -> Vec<(String, String)> {
        let of_material = |m: &Values| Some((text(m, "name")?.into(), text(m, key)?.into()));
        tables["material"].iter().filter_map(of_material).collect()
    };
    let (laws, presets) = (of_materials("law"), of_materials(PRESET));
    for scene in tables.get_mut("scene").into_iter().flatten() {
        resolve_gravity(scene);
    }
    for solver in tables.get_mut("solver").into_iter().flatten() {
        solver.insert("backend", Value::Text("cpu".into()));
    }
    for (i, body) in tables.get_mut("body").into_iter().flatten().enumerate() {
        let (law, preset) = (word_of(&laws, body), word_of(&presets, body));
        if let Some(method) = law.and_then(methods::method_of)
            && !body.has("method")
        {
            body.insert("method", Value::Text(method.into()));
        }
        if !body.has("support_radius") {
            let support = methods::usual_support(text(body, "method"), law);
            body.insert("support_radius", Value::Number(support));
        }
        if !body.has("sampling") {
            let sampling = methods::usual_sampling(text(body, "method"), law);
            body.insert("sampling", Value::Text(sampling.into()));
        }
        looks::resolve(body, i, law, preset);
    }
}

/// The word of a body's material, of words by material.
fn word_of<'a>(words: &'a [(String, String)], body: &Values) -> Option<&'a str> {
    let material = text(body, "material");
    let word = words.iter().find(|(name, _)| material == Some(name));
    word.map(|(_, word)| word.as_str())
}

fn resolve_gravity(scene: &mut Values) {
    if scene.has("gravity") {
        return;
    }
    let gravity = match text(scene, "up") {
        Some("z") => [0.0, 0.0, -9.81],
        _ => [0.0, -9.81, 0.0],
    };
    scene.insert("gravity", Value::List(gravity.map(Value::Number).to_vec()));
}

/// Numbers of a table that may have failed.
pub(super) fn numbers(values: &Values, key: &str) -> Option<Vec<f64>> {
    match values.get(key)? {
        Value::Number(x) => Some(vec![*x]),
        Value::List(list) => list
            .iter()
            .map(|v| match v {
                Value::Number(x) => Some(*x),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

fn check_bounds(checker: &mut Checker<'_>, scene: &Values) {
    let Some(Value::Table(bounds)) = scene.get("bounds") else {
        return;
    };
    let (Some(min), Some(max)) = (numbers(bounds, "min"), numbers(bounds, "max")) else {
        return;
    };
    if min.iter().zip(&max).any(|(low, high)| low >= high) {
        let message = format!("`min` {min:?} is not below `max` {max:?}");
        let remedy = "each number of `max` must be greater than that of `min`".into();
        checker.fail_at("scene.bounds.max", None, message, remedy);
    }
}

fn check_frames(checker: &mut Checker<'_>, scene: &Values) {
    let number = |key| numbers(scene, key).and_then(|n| n.first().copied());
    let (Some(duration), Some(rate)) = (number("duration"), number("frame_rate")) else {
        return;
    };
    if duration * rate > MOST_FRAMES {
        let message = format!("that makes {:.1e} frames", duration * rate);
        let remedy = format!("duration times frame_rate must be at most {MOST_FRAMES}");
        checker.fail_at(
            "scene.duration",
            Some(format!("{duration:?}")),
            message,
            remedy,
        );
    }
}

fn check_size(checker: &mut Checker<'_>, output: &Values) {
    let Some(size) = numbers(output, "size") else {
        return;
    };
    if let Some(odd) = size.iter().find(|side| side.fract() != 0.0) {
        let message = "a picture has whole columns and rows".into();
        let remedy = format!("write {}", odd.round());
        checker.fail_at("output.size", Some(odd.to_string()), message, remedy);
    }
}

fn check_backend(checker: &mut Checker<'_>, solver: &Values) {
    if text(solver, "backend") == Some("gpu") {
        let message = "there is no backend for graphics cards yet".into();
        let remedy = "write \"auto\" or \"cpu\"".into();
        checker.fail_at("solver.backend", Some("\"gpu\"".into()), message, remedy);
    }
}

fn check_body(checker: &mut Checker<'_>, tables: &Tables, body: &Values, path: &str) {
    let shape_path = address_text(path, "shape");
    let is_written = checker.origins.contains_key(&shape_path);
    let name = text(body, "name");
    let feeds = |e: &Values| text(e, "body") == name;
    if !is_written && !tables["emitter"].iter().any(feeds) {
        let message = "this body has no particles: it has no shape, and no emitter feeds it".into();
        let remedy = "give it a shape, or add an [[emitter]] with its name as `body`".into();
        checker.fail_at(&shape_path, None, message, remedy);
    }
    let material = text(body, "material");
    let is_of_it = |m: &&Values| material.is_some() && text(m, "name") == material;
    let law = tables["material"].iter().find(is_of_it);
    let is_rigid = law.and_then(|m| text(m, "law")) == Some("rigid");
    let spacing_path = address_text(path, "spacing");
    if !checker.origins.contains_key(&spacing_path) && !is_rigid {
        let message = "this key is missing".into();
        let remedy = "add spacing = 0.01, the distance of neighbouring particles in m".into();
        checker.fail_at(&spacing_path, None, message, remedy);
    }
    if !is_written && body.has("mass") {
        let message = "a body without a shape has no mass at the start".into();
        let remedy = "remove `mass`; the material's density holds".into();
        checker.fail_at(&address_text(path, "mass"), None, message, remedy);
    }
}

fn check_motion(checker: &mut Checker<'_>, collider: &Values, path: &str) {
    let Some(Value::Table(motion)) = collider.get("motion") else {
        return;
    };
    if !motion.has("keyframes") {
        return;
    }
    let path = address_text(path, "motion");
    check_keyframes(checker, motion, &path, "{ t = 0.0, position = [x, y, z] }");
    let path = address_text(&path, "keyframes");
    let moves = |key| numbers(motion, key).is_some_and(|v| v.iter().any(|x| *x != 0.0));
    if moves("velocity") || moves("spin") {
        let message = "there are keyframes and a constant motion".into();
        let remedy = "remove `keyframes`, or `velocity` and `spin`".into();
        checker.fail_at(&path, None, message, remedy);
    }
}

fn check_driven(checker: &mut Checker<'_>, collider: &Values, path: &str) {
    let is_driven = matches!(collider.get("driven"), Some(Value::Flag(true)));
    if is_driven && matches!(collider.get("motion"), Some(Value::Table(_))) {
        let path = address_text(path, "driven");
        let message = "it is driven by a program and has a motion of its own".into();
        let remedy = "remove `driven` or `motion`".into();
        checker.fail_at(&path, None, message, remedy);
    }
}

/// Keyframes of a table, if it has the key, must be there and in order; `example` is one of them.
pub(super) fn check_keyframes(
    checker: &mut Checker<'_>,
    values: &Values,
    path: &str,
    example: &str,
) {
    let Some(Value::List(keyframes)) = values.get("keyframes") else {
        return;
    };
    let path = address_text(path, "keyframes");
    if keyframes.is_empty() {
        let remedy = format!("write at least one {example}");
        checker.fail_at(&path, None, "there are no keyframes".into(), remedy);
    }
    let times: Vec<f64> = keyframes
        .iter()
        .filter_map(|k| match k {
            Value::Table(k) => Some(*numbers(k, "t")?.first()?),
            _ => None,
        })
        .collect();
    if let Some(i) = times.windows(2).position(|t| t[0] >= t[1]) {
        let path = format!("{path}[{}].t", i + 1);
        let message = format!("this time is not after {:?}", times[i]);
        let value = Some(format!("{:?}", times[i + 1]));
        checker.fail_at(&path, value, message, "times must increase".into());
    }
}

fn check_emission(checker: &mut Checker<'_>, emitter: &Values, path: &str) {
    if let (Some(start), Some(stop)) = (numbers(emitter, "start"), numbers(emitter, "stop"))
        && stop <= start
    {
        let message = format!("it stops before it starts, at {:?} s", start[0]);
        let path = address_text(path, "stop");
        let value = Some(format!("{:?}", stop[0]));
        checker.fail_at(&path, value, message, "`stop` must be after `start`".into());
    }
}

fn check_cut(checker: &mut Checker<'_>, cut: &Values, path: &str) {
    if let (Some(start), Some(stop)) = (numbers(cut, "start"), numbers(cut, "stop"))
        && stop < start
    {
        let message = format!("the blade is gone before it appears, at {:?} s", start[0]);
        let path = address_text(path, "stop");
        let value = Some(format!("{:?}", stop[0]));
        let remedy = "`stop` must not be before `start`".into();
        checker.fail_at(&path, value, message, remedy);
    }
}

fn check_expectation(checker: &mut Checker<'_>, expect: &Values, path: &str) {
    let has = |key: &str| checker.origins.contains_key(&address_text(path, key));
    let (value, tolerance, range) = (has("value"), has("tolerance"), has("range"));
    if (value && tolerance) == range || value != tolerance {
        let message = "it is not clear what is expected".into();
        let remedy = "write either `value` and `tolerance`, or `range = [low, high]`".into();
        checker.fail_at(path, None, message, remedy);
    }
    if let Some(range) = numbers(expect, "range")
        && range.windows(2).any(|r| r[0] > r[1])
    {
        let message = "the least accepted value is above the greatest".into();
        let value = Some(format!("{range:?}"));
        let remedy = "write range = [low, high]".into();
        checker.fail_at(&address_text(path, "range"), value, message, remedy);
    }
    if let (Some(from), Some(to)) = (numbers(expect, "from"), numbers(expect, "to"))
        && to <= from
    {
        let value = Some(format!("{:?}", to[0]));
        let message = format!("`to` is not after `from`, {:?} s", from[0]);
        let remedy = "`to` must be greater than `from`".into();
        checker.fail_at(&address_text(path, "to"), value, message, remedy);
    }
}
