//! `[output]`: what a run leaves.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::{Form, TableKind, choice, flag};

pub(super) const TABLE: TableKind = TableKind {
    name: "output",
    form: Form::One,
    doc: "What a run leaves beside its tables and its report.",
    fields: &[
        Field::new(
            "particles",
            Kind::Choices(&["vtk", "ply", "npz", "bgeo", "bgeo-classic", "usd"]),
            "",
            Preset::Texts(&["vtk"]),
            "Formats of the particle files.",
        ),
        Field::new(
            "surface",
            Kind::Choices(&["vtk", "ply", "npz", "bgeo", "usd"]),
            "",
            Preset::Texts(&["ply"]),
            "Formats of the files of `[[surface]]`; without such a table there are none.",
        ),
        flag("preview", true, "Whether pictures and a film are made."),
        Field::optional(
            "size",
            Kind::Vector(2, Range::closed(16.0, 16_384.0)),
            "pixels",
            "Columns and rows of the pictures, whole numbers; most players of films need even ones. If missing, 1280 and 720.",
        ),
        Field::number(
            "shutter",
            Range::closed(0.0, 1.0),
            "",
            0.0,
            "Motion blur: the share of the time between two frames for which the shutter is open; 0.5 as in most films.",
        ),
        Field::number(
            "aperture",
            Range::closed(0.0, 1e3),
            "m",
            0.0,
            "Depth of field: the diameter of the lens. What is as far away as the camera's `target` is sharp.",
        ),
        Field::new(
            "samples",
            Kind::Integer(Range::closed(1.0, 1024.0)),
            "",
            Preset::Integer(16),
            "Sharp pictures of which one with `shutter` or `aperture` is made.",
        ),
        Field::optional(
            "environment",
            Kind::LateFile,
            "",
            "An environment map (HDRI, equirectangular) that lights the pictures, in place of a lamp and an even sky: a Radiance file (`.hdr`). Its brightest spot throws shadows. It is made as bright as level ground is without it.",
        ),
        Field::number(
            "environment_strength",
            Range::closed(0.0, 100.0),
            "",
            1.0,
            "Factor on the brightness of the environment.",
        ),
        Field::number(
            "environment_turn",
            Range::closed(-360.0, 360.0),
            "degrees",
            0.0,
            "How far the environment is turned about the vertical, to the left. At 0 its middle is towards -z, or y where z points up.",
        ),
        flag(
            "shows_environment",
            true,
            "Whether the environment is seen behind the scene; if not, it only lights it and is mirrored.",
        ),
        Field::new(
            "checkpoint_every",
            Kind::Integer(Range::closed(1.0, 1e6)),
            "frames",
            Preset::Integer(24),
            "Frames between two checkpoints.",
        ),
        choice(
            "film",
            &["automatic", "mp4", "apng", "gif", "none"],
            "automatic",
            "What the pictures are put together to: an mp4, for which the program `ffmpeg` is needed, an animated PNG, a GIF, or an mp4 if that program is there and otherwise an animated PNG.",
        ),
        choice(
            "color_by",
            &[
                "body",
                "material",
                "speed",
                "density",
                "det_F",
                "stress_von_mises",
                "activation",
                "fiber_stretch",
                "fragment",
            ],
            "body",
            "What colours the particles in pictures.",
        ),
    ],
    variants: None,
};
