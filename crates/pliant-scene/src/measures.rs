//! What probes can measure.

use pliant_parameters::{Field, Kind, Preset, Range};

use crate::tables::Item;

const BODY: Field = Field::optional(
    "body",
    Kind::Text,
    "",
    "Name of the body that is measured. If missing, all particles.",
);

const AXIS: Field = Field::optional(
    "axis",
    Kind::Choice(&["x", "y", "z"]),
    "",
    "The vertical axis. If missing, `scene.up`.",
);

const CENTER: Field = Field::new(
    "center",
    Kind::Vector(3, Range::ANY),
    "m",
    Preset::Vector(&[0.0, 0.0, 0.0]),
    "A point of the axis that radii are measured from.",
);

/// The measures, with their parameters.
pub(crate) fn items() -> Vec<Item> {
    MEASURES.to_vec()
}

const MEASURES: &[Item] = &[
    Item {
        name: "bounding-box",
        doc: "Least and greatest coordinates.",
        fields: &[BODY],
    },
    Item {
        name: "center-of-mass",
        doc: "Centre of mass and its velocity.",
        fields: &[BODY],
    },
    Item {
        name: "nearest-particle",
        doc: "The particle that is nearest to a point at the start, followed through the run.",
        fields: &[
            BODY,
            Field::required("point", Kind::Vector(3, Range::ANY), "m", "The point."),
        ],
    },
    Item {
        name: "volume",
        doc: "Sum of the particles' volumes.",
        fields: &[BODY],
    },
    Item {
        name: "collider-force",
        doc: "Force and torque of the particles on a collider.",
        fields: &[Field::required(
            "collider",
            Kind::Text,
            "",
            "Name of the collider.",
        )],
    },
    Item {
        name: "repose-angle",
        doc: "Slope of a heap's flank.",
        fields: &[BODY, AXIS, CENTER],
    },
    Item {
        name: "run-out",
        doc: "How far a heap has spread and how high it is.",
        fields: &[BODY, AXIS, CENTER],
    },
    Item {
        name: "energy",
        doc: "Kinetic, elastic and gravitational energy.",
        fields: &[BODY],
    },
    Item {
        name: "mass-in-region",
        doc: "Mass of the particles inside a region.",
        fields: &[
            BODY,
            Field::required("shape", Kind::Shape, "", "The region."),
            Field::new(
                "position",
                Kind::Vector(3, Range::ANY),
                "m",
                Preset::Vector(&[0.0, 0.0, 0.0]),
                "Where the region's origin is.",
            ),
            Field::new(
                "rotation",
                Kind::Vector(3, Range::ANY),
                "degrees",
                Preset::Vector(&[0.0, 0.0, 0.0]),
                "Rotations about its own x, then y, then z axis.",
            ),
        ],
    },
    Item {
        name: "quantile",
        doc: "The value that a fraction of the particles stays below.",
        fields: &[
            BODY,
            Field::required(
                "of",
                Kind::Choice(&["x", "y", "z", "radius"]),
                "",
                "A coordinate, or the distance from the vertical axis.",
            ),
            Field::required("fraction", Kind::Number(Range::UNIT), "", "The fraction."),
            AXIS,
            CENTER,
        ],
    },
];
