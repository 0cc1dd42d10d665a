//! `scene.usda`: the prims, their materials, and where the values of each frame are.

use std::fmt::{self, Write};

use super::super::color::linear;
use super::super::{Moment, UpAxis};
use super::stage::{CENTER, Kind, LOOKS, ORDER, ORIENT, Stage, TRANSLATE, Thing, WORLD};

/// The files beside the frames, and the frames.
#[derive(Clone, Debug)]
pub(super) struct Frames<'a> {
    /// The first and the last.
    pub first: u32,
    pub last: u32,
    /// How their files begin.
    pub stem: &'a str,
    /// The layer that says what varies.
    pub manifest: &'a str,
    /// The layers with the shapes of colliders, and with their placements.
    pub colliders: &'a str,
    pub placements: &'a str,
}

/// The text of the layer.
pub(super) fn text(moment: &Moment, stage: &Stage, frames: &Frames) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = write_layer(moment, stage, frames, &mut text);
    text
}

fn write_layer(moment: &Moment, stage: &Stage, frames: &Frames, out: &mut String) -> fmt::Result {
    let Frames { first, last, .. } = frames;
    let rate = moment.scene.frame_rate;
    let up = match moment.scene.up {
        UpAxis::Y => "Y",
        UpAxis::Z => "Z",
    };
    writeln!(
        out,
        "#usda 1.0\n\
         (\n    \
             defaultPrim = \"{WORLD}\"\n    \
             endTimeCode = {last}\n    \
             framesPerSecond = {rate}\n    \
             metersPerUnit = 1\n    \
             startTimeCode = {first}\n    \
             subLayers = [\n        @./{}@,\n        @./{}@\n    ]\n    \
             timeCodesPerSecond = {rate}\n    \
             upAxis = \"{up}\"\n\
         )\n",
        frames.placements, frames.colliders
    )?;
    writeln!(
        out,
        "def Xform \"{WORLD}\" (\n    \
             clips = {{\n        \
                 dictionary default = {{\n            \
                     asset manifestAssetPath = @./{}@\n            \
                     string primPath = \"/{WORLD}\"\n            \
                     string templateAssetPath = \"./{}.####.usdc\"\n            \
                     double templateEndTime = {last}\n            \
                     double templateStartTime = {first}\n            \
                     double templateStride = 1\n        \
                 }}\n    \
             }}\n\
         )\n{{",
        frames.manifest, frames.stem
    )?;
    for thing in &stage.things {
        write_thing(moment, thing, out)?;
    }
    writeln!(out, "    def Scope \"{LOOKS}\"\n    {{")?;
    for thing in &stage.things {
        write_material(thing, out)?;
    }
    writeln!(out, "    }}\n}}")
}

fn write_thing(moment: &Moment, thing: &Thing, out: &mut String) -> fmt::Result {
    let (type_name, purpose) = match thing.kind {
        Kind::Points { has_surface, .. } => ("Points", has_surface.then_some("guide")),
        Kind::Triangles { .. } | Kind::Surface { .. } => ("Mesh", None),
        Kind::Collider { .. } => ("Xform", None),
    };
    let name = &thing.name;
    writeln!(
        out,
        "    def {type_name} \"{name}\" (\n        \
                 prepend apiSchemas = [\"MaterialBindingAPI\"]\n    \
             )\n    {{"
    )?;
    writeln!(
        out,
        "        rel material:binding = </{WORLD}/{LOOKS}/{name}>"
    )?;
    if let Some(purpose) = purpose {
        writeln!(out, "        uniform token purpose = \"{purpose}\"")?;
    }
    write_color(thing, out)?;
    match thing.kind {
        Kind::Points { .. } => {}
        Kind::Collider { .. } => writeln!(
            out,
            "        uniform token[] {ORDER} = [\"{TRANSLATE}\", \"{ORIENT}\", \"{CENTER}\"]"
        )?,
        Kind::Triangles { .. } | Kind::Surface { .. } => {
            writeln!(out, "        uniform bool doubleSided = 1")?;
            writeln!(out, "        uniform token subdivisionScheme = \"none\"")?;
        }
    }
    for varying in thing.varying(moment) {
        write!(out, "        {} {}", varying.kind.name, varying.name)?;
        match varying.interpolation {
            None => writeln!(out)?,
            Some(interpolation) => writeln!(
                out,
                " (\n            interpolation = \"{interpolation}\"\n        )"
            )?,
        }
    }
    writeln!(out, "    }}\n")
}

/// The colour for programs that show no materials.
fn write_color(thing: &Thing, out: &mut String) -> fmt::Result {
    let [r, g, b] = linear(thing.color);
    writeln!(
        out,
        "        color3f[] primvars:displayColor = [({r}, {g}, {b})] (\n            \
                     interpolation = \"constant\"\n        )"
    )
}

fn write_material(thing: &Thing, out: &mut String) -> fmt::Result {
    let [r, g, b] = linear(thing.color);
    let Thing { name, opacity, .. } = thing;
    let roughness = 1.0 - 0.8 * thing.gloss;
    writeln!(
        out,
        "        def Material \"{name}\"\n        {{\n            \
                     token outputs:surface.connect = </{WORLD}/{LOOKS}/{name}/surface.outputs:surface>\n\n            \
                     def Shader \"surface\"\n            {{\n                \
                         uniform token info:id = \"UsdPreviewSurface\"\n                \
                         color3f inputs:diffuseColor = ({r}, {g}, {b})\n                \
                         float inputs:opacity = {opacity}\n                \
                         float inputs:roughness = {roughness}\n                \
                         token outputs:surface\n            \
                     }}\n        }}\n"
    )
}
