//! What is known of a run, as JSON: what a page needs, and what a window needs beside it.

use pliant_core::schedule::Ease;
use pliant_geometry::Aabb;
use pliant_math::DVec3;
use pliant_render::{Camera, Coloring};
use pliant_view::{CameraPath, SceneFacts, color_map_of};
use serde_json::{Value, json};

use super::bytes::Malformed;
use super::json::{field, list, number, numbers, text};
use crate::run_source::Listing;

/// The version of this program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What a page and a window need to know of a run.
pub(crate) fn encode(facts: &SceneFacts, listing: &Listing) -> Value {
    let mut told = facts.told();
    told["frames"] = json!(listing.frames);
    told["isLive"] = json!(listing.is_live);
    told["version"] = json!(VERSION);
    told
}

/// What is known of a run, from what a server tells.
///
/// # Errors
/// If something is missing or makes no sense.
pub(crate) fn decode(told: &Value) -> Result<SceneFacts, Malformed> {
    let version = told.get("version").and_then(Value::as_str);
    let read = read(told);
    read.map_err(|Malformed(why)| match version {
        Some(VERSION) => Malformed(why),
        _ => Malformed(format!(
            "{why}; the server is Pliant {}, and this is {VERSION}",
            version.unwrap_or("of another version")
        )),
    })
}

fn read(told: &Value) -> Result<SceneFacts, Malformed> {
    let up = DVec3::from_array(numbers(field(told, "up")?, "up")?).try_normalize();
    let up = up.ok_or_else(|| Malformed("its `up` has no direction".to_owned()))?;
    let cameras = list(told, "cameras")?
        .iter()
        .map(|own| camera_path(own, up));
    let cameras: Vec<CameraPath> = cameras.collect::<Result<_, _>>()?;
    if cameras.is_empty() {
        return Err(Malformed("it has no camera".to_owned()));
    }
    let frame_rate = number(told, "frameRate")?;
    if frame_rate <= 0.0 {
        return Err(Malformed(format!("its `frameRate` is {frame_rate}")));
    }
    let columns = list(told, "columns")?.iter().map(column);
    Ok(SceneFacts {
        title: text(told, "title")?.to_owned(),
        up,
        cameras,
        bounds: bounds(field(told, "bounds")?)?,
        coloring: coloring(field(told, "coloring")?)?,
        colorings: list(told, "colorings")?
            .iter()
            .map(coloring)
            .collect::<Result<_, _>>()?,
        // Nothing of a run that is looked at can be changed or poured.
        entries: Vec::new(),
        pourable: Vec::new(),
        columns: columns.collect::<Result<_, _>>()?,
        frame_rate,
    })
}

fn camera_path(told: &Value, up: DVec3) -> Result<CameraPath, Malformed> {
    let keyframe = |own| Ok((number(own, "time")?, camera(own, up)?));
    let keyframes = list(told, "keyframes")?.iter().map(keyframe);
    let ease = match text(told, "ease")? {
        "linear" => Ease::Linear,
        "smooth" => Ease::Smooth,
        other => return Err(Malformed(format!("a camera has the `ease` `{other}`"))),
    };
    let path = CameraPath::new(
        keyframes.collect::<Result<_, _>>()?,
        ease,
        number(told, "turn")?,
    );
    path.ok_or_else(|| Malformed("the times of a camera's `keyframes` do not increase".to_owned()))
}

fn camera(told: &Value, up: DVec3) -> Result<Camera, Malformed> {
    let point = |key| Ok(DVec3::from_array(numbers(field(told, key)?, key)?));
    let read = Camera {
        position: point("position")?,
        target: point("target")?,
        up: point("up")?,
        vertical_field_of_view: number(told, "fieldOfView")?,
    };
    let toward = read.target - read.position;
    let sees = (1e-3..3.1).contains(&read.vertical_field_of_view) && toward.length() > 0.0;
    match sees && read.up.length() > 0.0 {
        true => Ok(read),
        // Nothing would be seen, but everything else may be sound.
        false => Ok(Camera::framing(Aabb::around([read.target]).grown(0.5), up)),
    }
}

fn bounds(told: &Value) -> Result<Aabb, Malformed> {
    let wrong = || Malformed("its `bounds` are not two corners of a box".to_owned());
    let ends = told.as_array().filter(|ends| ends.len() == 2);
    let ends = ends.ok_or_else(wrong)?;
    let [min, max] = [0, 1].map(|end| numbers::<3>(&ends[end], "bounds"));
    let (min, max) = (DVec3::from_array(min?), DVec3::from_array(max?));
    match min.cmple(max).all() {
        true => Ok(Aabb { min, max }),
        false => Err(wrong()),
    }
}

fn coloring(told: &Value) -> Result<Coloring, Malformed> {
    Ok(match text(told, "name")? {
        "body" => Coloring::Body,
        "material" => Coloring::Material,
        "fragment" => Coloring::Fragment,
        name => Coloring::Quantity {
            name: name.to_owned(),
            range: match told.get("range") {
                None | Some(Value::Null) => None,
                Some(range) => Some(numbers(range, "range")?.map(|end| end as f32)),
            },
            color_map: color_map_of(name),
        },
    })
}

fn column(told: &Value) -> Result<(String, String), Malformed> {
    let pair = told.as_array().map(Vec::as_slice);
    match pair {
        Some([Value::String(name), Value::String(unit)]) => Ok((name.clone(), unit.clone())),
        _ => Err(Malformed(
            "its `columns` are not names with units".to_owned(),
        )),
    }
}
