//! USD: a file a frame (`particles.0001.usdc`), and beside them what makes one scene of them
//! (`scene.usda`, with `manifest.usdc`, `colliders.usdc` and `placements.usdc`), by value clips.
//!
//! A frame's file has, for each prim that `scene.usda` declares, the values at one time code, which is
//! the number of the frame; `scene.usda` is written anew with each, and its length does not grow. Where
//! colliders and rigid bodies are is no part of it: that is in `placements.usdc`, with keyframes of all
//! frames, as values of clips are held until the next one, which leaves nothing to blur. It has 72 bytes
//! for each frame and thing that moves in it.
//!
//! | what | where |
//! | --- | --- |
//! | which prims there are, their names and attributes | `stage` |
//! | which particles belong to a prim | `rows` |
//! | the values of a frame | `clip` |
//! | the mesh of a collider | `shape` |
//! | where colliders and rigid bodies are | `placements`, `track` |
//! | `scene.usda`: prims, materials, clips | `top` |
//! | the files beside the series | `beside` |

mod beside;
mod clip;
mod placements;
mod shape;
mod stage;
mod top;
mod track;

use std::io::{self, Write};

use super::{Exporter, Moment};
use crate::usdc;

pub(super) const EXPORTER: Exporter = Exporter {
    name: "usd",
    extension: "usdc",
    doc: "USD for Houdini, Blender, Omniverse, usdview: points, meshes and materials; with scene.usda",
    index: Some(beside::INDEX),
    holds_surfaces: true,
    holds_triangles: true,
    write,
    read: None,
};

fn write(moment: &Moment, out: &mut dyn Write) -> io::Result<()> {
    let stage = stage::Stage::of(moment);
    usdc::write(&clip::layer(moment, &stage), out)
}

#[cfg(test)]
mod tests;
