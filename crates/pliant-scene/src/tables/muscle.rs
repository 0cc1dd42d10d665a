//! `[[muscle]]`: fibres in flesh that are activated together.

use pliant_parameters::{Field, Kind, Preset, Range};

use super::{EASE, Form, ROTATION, TableKind, flag, name, position, vector};

pub(super) const TABLE: TableKind = TableKind {
    name: "muscle",
    form: Form::List,
    doc: "Fibres in a body of `muscle` that are activated together. They run along `direction`, along the curve through `spline`, as a `helix` around an axis, from one of two `ends` to the other, or as a `field` in a file says. How they are activated is one of `activation`, `keyframes`, `wave`, `expression` and `driven`; without any they are passive, as tendons are.",
    fields: &[
        name("Name, unique among muscles."),
        Field::required("body", Kind::Text, "", "Name of the body it is in."),
        Field::optional(
            "shape",
            Kind::Shape,
            "",
            "The region of the particles that belong to it at the start. If missing, the whole body. Where muscles overlap, the last one counts.",
        ),
        position("Position of the region's origin."),
        ROTATION,
        Field::optional(
            "direction",
            Kind::Vector(3, Range::ANY),
            "",
            "Direction of the fibres at the start in world axes, of any length.",
        ),
        Field::optional(
            "spline",
            Kind::Points {
                dimension: 3,
                least: 2,
            },
            "m",
            "Points of a smooth curve, in world axes at the start: the fibres run as it does where it is nearest.",
        ),
        Field::optional(
            "ends",
            Kind::PlacedShapes(2),
            "",
            "Two regions, in world axes at the start: the fibres run from the first to the second, around what is in their way, along the gradient of a potential without sources.",
        ),
        Field::optional(
            "helix",
            Kind::Table(&[
                vector(
                    "point",
                    "m",
                    "A point of the axis, in world axes at the start.",
                ),
                Field::required(
                    "axis",
                    Kind::Vector(3, Range::ANY),
                    "",
                    "Direction of the axis, of any length.",
                ),
                Field::number(
                    "pitch",
                    Range::closed(-90.0, 90.0),
                    "degrees",
                    0.0,
                    "Angle from the circles around the axis towards it: 0 for rings.",
                ),
            ]),
            "",
            "An axis that fibres wind around, as in the wall of a heart or a gut. A wave travels along the axis.",
        ),
        Field::optional(
            "field",
            Kind::Table(&[
                Field::required(
                    "file",
                    Kind::File,
                    "",
                    "The file, relative to the scene: points with vectors (VTP, NPZ, PLY), or a grid with vectors at its points or in its cells (VTU).",
                ),
                Field::new(
                    "array",
                    Kind::Text,
                    "",
                    Preset::Text("fibers"),
                    "Name of the array of vectors, whose lengths and signs do not matter; `normal` for the normals of a PLY file.",
                ),
                Field::number("scale", Range::POSITIVE, "", 1.0, "Factor on the points."),
            ]),
            "",
            "A field of directions: fibres run as the nearest of its points says. Points and vectors are in the coordinates of the body's shape, and are moved and turned with it.",
        ),
        Field::number(
            "stiffness",
            Range::NOT_NEGATIVE,
            "Pa",
            0.0,
            "Stiffness of the fibres along themselves: small strains along them add this to Young's modulus.",
        ),
        Field::number(
            "shortening",
            Range::from_to(0.0, 0.7),
            "",
            0.3,
            "Part of their length by which fibres shorten at full activation where nothing resists. Held at their length, they pull with this times `stiffness`.",
        ),
        Field::number(
            "peak_stress",
            Range::NOT_NEGATIVE,
            "Pa",
            0.0,
            "Stress with which fibres pull at full activation and their length at rest beside that; it falls to zero at lengths 40 % shorter and longer.",
        ),
        Field::optional(
            "activation",
            Kind::Number(Range::UNIT),
            "",
            "Constant activation.",
        ),
        Field::optional(
            "keyframes",
            Kind::Tables(&[
                Field::required(
                    "t",
                    Kind::Number(Range::ANY),
                    "s",
                    "Time, increasing from one keyframe to the next.",
                ),
                Field::required("activation", Kind::Number(Range::UNIT), "", "Activation."),
            ]),
            "",
            "Activation over time; constant before the first and after the last.",
        ),
        EASE,
        Field::optional(
            "wave",
            Kind::Table(&[
                Field::number("mean", Range::ANY, "", 0.0, "Mean of the activation."),
                Field::number("amplitude", Range::ANY, "", 1.0, "Amplitude."),
                Field::required("frequency", Kind::Number(Range::ANY), "Hz", "Frequency."),
                Field::number(
                    "phase",
                    Range::ANY,
                    "degrees",
                    0.0,
                    "Phase at the start of the muscle and of the run.",
                ),
                Field::number(
                    "waves",
                    Range::ANY,
                    "",
                    1.0,
                    "Wavelengths along the muscle; negative for a wave that travels from its end to its start.",
                ),
            ]),
            "",
            "Activation by a travelling wave, mean + amplitude sin(2 pi (frequency t - waves s) + phase), s going from 0 to 1 along the muscle; what is below 0 or above 1 is cut off.",
        ),
        Field::optional(
            "expression",
            Kind::Text,
            "",
            "Activation as a formula of the time `t` [s]: numbers, + - * / ^, parentheses, PI, and the functions sin, cos, tan, exp, ln, sqrt, abs, sign, floor and step, which is 1 from 0 on. A sign belongs to what it stands before: `-t ^ 2` is `(-t) ^ 2`. What is below 0 or above 1 is cut off.",
        ),
        flag(
            "driven",
            false,
            "Whether the activation is changed from outside while the run goes on, by a program that uses the library. It starts at `activation`, or at 0.",
        ),
    ],
    variants: None,
};
