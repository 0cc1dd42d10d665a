//! `[[body]]`: bodies of particles.

use pliant_parameters::{Field, Kind, Range};

use super::{Form, ROTATION, TableKind, choice, flag, name, position, vector};
use crate::methods::METHOD_NAMES;

pub(super) const TABLE: TableKind = TableKind {
    name: "body",
    form: Form::List,
    doc: "Bodies of particles. Bodies of one method with the same support radius form one continuum.",
    fields: &[
        name("Name, unique among bodies."),
        Field::required("material", Kind::Text, "", "Name of its material."),
        Field::optional(
            "method",
            Kind::Choice(METHOD_NAMES),
            "",
            "Method of simulation. If missing, the method for the law of its material.",
        ),
        Field::optional(
            "shape",
            Kind::Shape,
            "",
            "Shape filled with particles. If missing, an emitter must add them.",
        ),
        position("Position of the shape's origin."),
        ROTATION,
        Field::number(
            "scale",
            Range::POSITIVE,
            "",
            1.0,
            "Factor on the shape's size, about its origin.",
        ),
        Field::optional(
            "spacing",
            // Single precision holds the fifth power of these.
            Kind::Number(Range::closed(1e-6, 1e6)),
            "m",
            "Distance of neighbouring particles: its cube is a particle's mean volume. Required but for `rigid`, whose bodies are not made of particles.",
        ),
        Field::optional(
            "sampling",
            Kind::Choice(&["poisson", "relaxed", "grid", "hexagonal", "spheres"]),
            "",
            "Arrangement of the particles: irregular, irregular in equilibrium, on a cubic lattice, in the densest packing, or as spheres that neither overlap nor leave the shape. If missing, `relaxed` for `strain-energy` and for the laws `elastic` and `newtonian`, `spheres` for `contact-friction`, whose granules would be pushed apart otherwise, `poisson` for all else.",
        ),
        choice(
            "groups",
            &["hexahedra", "cut-cells", "tetrahedra", "neighborhoods"],
            "hexahedra",
            "Groups of a body of `shape-groups`: hexahedra of about the spacing that fill the shape; the pieces of its surface in such cells, whose surface is that of the shape; tetrahedra of a lattice of cubes of the spacing, cut at the surface; or particles and their neighbours within `support_radius`. Shapes of `tetrahedra` are their own groups.",
        ),
        Field::optional(
            "surface_spacing",
            Kind::Number(Range::closed(1e-6, 1e6)),
            "m",
            "Sides of the triangles of the surface that `cut-cells` are cut from, and of a `render_mesh`, where a shape such as `sdf` is made of triangles: sharp edges are cut off by less than that, and what is thinner is lost. If missing, a quarter of the spacing for cut cells of `sdf` and `particles`, and what the shape takes for pictures for all else.",
        ),
        Field::number(
            "jitter",
            Range::closed(0.0, 0.5),
            "spacings",
            0.0,
            "Greatest random displacement of each particle along each axis, for `grid` and `hexagonal`.",
        ),
        vector("velocity", "m/s", "Velocity at the start."),
        vector(
            "spin",
            "degrees/s",
            "Angular velocity at the start, about the body's centre of mass.",
        ),
        Field::optional(
            "mass",
            Kind::Number(Range::POSITIVE),
            "kg",
            "Mass of the whole body, instead of its material's density.",
        ),
        Field::number(
            "friction",
            Range::NOT_NEGATIVE,
            "",
            0.5,
            "Coefficient of Coulomb friction: between two bodies the geometric mean, between a body and a collider the collider's.",
        ),
        Field::optional(
            "friction_axis",
            Kind::Vector(3, Range::ANY),
            "",
            "An axis of the body at the start, of any length, along which its friction is another, as of scales. It turns with rigid bodies, and turns and bends with those that keep their neighbours (`muscle`, `strain-energy`, `shape-groups`, `cloth`, `springs`); in others, which forget how they were, it stays. Where two bodies that meet have such an axis, that counts along which friction differs more.",
        ),
        Field::number(
            "friction_along",
            Range::POSITIVE,
            "",
            1.0,
            "Factor on the coefficient of friction along `friction_axis`.",
        ),
        Field::number(
            "restitution",
            Range::UNIT,
            "",
            0.0,
            "Coefficient of restitution of a body of `rigid`. The greater of both sides applies; bodies of particles have none.",
        ),
        flag(
            "share_neighbors",
            true,
            "Whether its particles and those of other bodies of its method and support radius are neighbours, so that they form one continuum. If not, they have contacts.",
        ),
        flag(
            "self_contact",
            true,
            "Whether parts of a body that touch are contacts: of `strain-energy` and `muscle`, of cloth, and of shape groups and springs that are met by triangles. If not, they pass through each other, which saves the search for them.",
        ),
        Field::optional(
            "support_radius",
            Kind::Number(Range::closed(1.2, 4.0)),
            "spacings",
            "Distance at which the kernel reaches zero. If missing, 2.0; 2.6 for the law `elastic`, which needs it under tension; 1.8 for `strain-energy`.",
        ),
        Field::optional(
            "render_mesh",
            Kind::Shape,
            "",
            "An embedded surface of a body of `strain-energy` or `shape-groups`, in the coordinates and the scale of its `shape`: rendered in place of the particles, and written beside them. A `mesh` may be open and keeps its vertices in their order; where the body is cut, the surface is cut too, and closed by inner faces.",
        ),
        Field::optional(
            "color",
            Kind::Color,
            "",
            "Colour in pictures. If missing, that of its preset, blue for other fluids, or one of a palette.",
        ),
        Field::optional(
            "shown_as",
            Kind::Choice(&["particles", "surface"]),
            "",
            "What pictures show of a body without triangles and without `render_mesh`: its particles as balls, or the surface around them, which is made of those of all bodies of its material if they flow together. If missing, `surface` for fluids, pastes and what is elastic or a metal, `particles` for sand, snow and clay.",
        ),
        Field::optional(
            "opacity",
            Kind::Number(Range::closed(0.02, 1.0)),
            "",
            "Share of light that a layer of it keeps back in pictures, where it is shown as a surface: 1 opaque, 0.1 like glass. If missing, 0.45 for fluids, otherwise that of its preset or 1. Rigid bodies are always opaque.",
        ),
        Field::optional(
            "gloss",
            Kind::Number(Range::UNIT),
            "",
            "How much it shines in pictures: 0 matt, 1 as if wet. If missing, that of its preset or its law.",
        ),
    ],
    variants: None,
};
