//! USD: text (`.usda`), binary (`.usdc`), either (`.usd`) and packages (`.usdz`).
//!
//! Read are the meshes of a stage, placed by the transforms of the prims above them, at rest or in an animation: what
//! sublayers, references, payloads, variants, inherited and specialized prims say, in units and with the axis upwards that the
//! layer tells, prototypes at all places of point instancers, values that lie in clips, and points that follow skeletons and
//! blend shapes. Left out are what is invisible,
//! proxies and guides, subdivision (the mesh is taken as it is) and shapes that are no meshes.
//!
//! | what | where |
//! | --- | --- |
//! | what a layer says | `layer` |
//! | which prims a prim leads to | `relationships` |
//! | layers from text, binary form, packages | `text`, `binary`, `package` |
//! | what several layers say together | `stage` |
//! | where layers are read | `source` |
//! | values that lie in clips | `clips` |
//! | values at a time | `moment` |
//! | where prims are | `place` |
//! | meshes that follow skeletons | `skel` |
//! | what point instancers show, and where | `instancer` |
//! | triangles of the meshes | `surface` |
//! | their texture coordinates | `texture` |
//! | keyframes, for whoever wrote the layer | `keyframes` |
//!
//! The crate `openusd` would read all this too; from version 0.7 on it asks for a newer compiler than this workspace,
//! and it is more than 80 000 lines to compile.

mod binary;
mod clips;
mod instancer;
mod keyframes;
mod layer;
mod moment;
mod package;
mod place;
mod relationships;
mod skel;
mod source;
mod stage;
mod surface;
mod text;
mod texture;

use pliant_geometry::TriangleMesh;

use super::texture::Written;
use super::transform::Transform;
use super::{MeshFormat, MeshProblem, Sampling};
use crate::beside::Beside;
pub(crate) use keyframes::{Keyframes, Told, keyframes};
use layer::Prim;
use moment::Moment;
use stage::Stage;

pub(super) const FORMAT: MeshFormat = MeshFormat {
    name: "USD",
    extensions: &["usd", "usda", "usdc", "usdz"],
    is_y_up: true,
    read,
    read_animation: Some(read_animation),
};

/// Frames of an animation beyond which its times are taken to be damaged.
const MOST_FRAMES: u32 = 100_000;

fn read(bytes: &[u8], beside: &Beside<'_>) -> Result<Written, MeshProblem> {
    let mut stage = Stage::open(bytes, beside)?;
    stage.look_at(Moment::Rest, beside)?;
    surface::triangles(&stage, Moment::Rest)
}

fn read_animation(
    bytes: &[u8],
    beside: &Beside<'_>,
    wanted: &Sampling<'_>,
) -> Result<(Vec<TriangleMesh>, f64), MeshProblem> {
    if let Some(name) = wanted.animation {
        return Err(malformed(format!(
            "USD files have one animation without a name, and none is called `{name}`; leave out the name"
        )));
    }
    let mut stage = Stage::open(bytes, beside)?;
    let Some((start, end)) = animated(&stage, beside)? else {
        // It may be a mesh that is bound to nothing.
        stage.look_at(Moment::Rest, beside)?;
        surface::triangles(&stage, Moment::Rest)?;
        return Err(malformed("nothing in it moves"));
    };
    let duration = (end - start) / stage.head.time_codes_per_second();
    let ways = (duration * wanted.rate).round().max(1.0);
    if ways > f64::from(MOST_FRAMES) {
        return Err(malformed(format!("its animation would be {ways} frames")));
    }
    let mut frame = |number: u32| {
        let code = start + (end - start) * f64::from(number) / ways;
        stage.look_at(Moment::Code(code), beside)?;
        let posed = surface::triangles(&stage, Moment::Code(code));
        posed.map(|posed| posed.textured.mesh)
    };
    let frames: Result<Vec<_>, _> = (0..=ways as u32).map(&mut frame).collect();
    Ok((frames?, ways / duration))
}

/// The time codes from which to which a stage moves; `None` if it does not. A stage may tell them; else they are
/// those of the first and the last keyframe.
fn animated(stage: &Stage, beside: &Beside<'_>) -> Result<Option<(f64, f64)>, MeshProblem> {
    let mut keyframes = None;
    for prim in &stage.prims {
        join_keyframes(prim, beside, &mut keyframes)?;
    }
    for path in skel::animations(&stage.prims) {
        if let Some(animation) = Prim::below(&stage.prims, &path) {
            let is_read = |name: &str| skel::ATTRIBUTES.contains(&name);
            join_own_keyframes(animation, is_read, beside, &mut keyframes)?;
        }
    }
    let Some((first, last)) = keyframes.filter(|(first, last)| first < last) else {
        return Ok(None);
    };
    let told = stage.head.start.zip(stage.head.end);
    let told = told.filter(|(start, end)| start < end && end.is_finite() && start.is_finite());
    Ok(Some(told.unwrap_or((first, last))))
}

/// Widens times to those of the keyframes of a prim and those below it.
fn join_keyframes(
    prim: &Prim,
    beside: &Beside<'_>,
    times: &mut Option<(f64, f64)>,
) -> Result<(), MeshProblem> {
    let is_read = |name: &str| {
        matches!(name, "points" | "visibility")
            || name.starts_with(place::OPERATION)
            || name.starts_with(skel::PRIMVAR)
            || instancer::ATTRIBUTES.contains(&name)
    };
    join_own_keyframes(prim, is_read, beside, times)?;
    let mut children = prim.children.iter();
    children.try_for_each(|child| join_keyframes(child, beside, times))
}

/// Widens times to those of the keyframes of attributes of a prim.
fn join_own_keyframes(
    prim: &Prim,
    is_read: impl Fn(&str) -> bool,
    beside: &Beside<'_>,
    times: &mut Option<(f64, f64)>,
) -> Result<(), MeshProblem> {
    for (_, attribute) in prim.attributes.iter().filter(|(name, _)| is_read(name)) {
        let in_clips = match &attribute.clips {
            Some(clips) => clips.ends(beside)?,
            None => Vec::new(),
        };
        let keyframes = attribute.samples.iter().map(|(time, _)| *time);
        for time in keyframes.chain(in_clips).filter(|time| time.is_finite()) {
            let (first, last) = times.unwrap_or((time, time));
            *times = Some((first.min(time), last.max(time)));
        }
    }
    Ok(())
}

fn malformed(reason: impl Into<String>) -> MeshProblem {
    MeshProblem::Malformed(reason.into())
}

#[cfg(test)]
mod tests;
