//! The prims of a scene: which there are, what they are called, which attributes they have.
//!
//! | of | prim |
//! | --- | --- |
//! | a body of particles | `Points` |
//! | a body of triangles | `Mesh` |
//! | a surface that a body carries | `Mesh` of the body's name with `_surface`; its points are guides |
//! | a rigid body, a collider with an end | `Xform` with a `Mesh`, whose points move where the collider deforms |

use std::collections::BTreeSet;
use std::ops::Range;

use pliant_core::measure::FrameBody;
use pliant_core::method::DrawnAs;

use super::super::{Moment, PlacedBy, SceneCollider, SceneFacts};
use crate::usdc::{Attribute, AttributeKind, Held, Value};

/// The prim that everything is below.
pub(super) const WORLD: &str = "World";

/// The prim that materials are below.
pub(super) const LOOKS: &str = "Looks";

/// The mesh below a collider.
pub(super) const SHAPE: &str = "shape";

/// What is in a scene.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stage {
    pub things: Vec<Thing>,
}

/// A prim of the scene.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thing {
    /// Its name, an identifier.
    pub name: String,
    pub kind: Kind,
    /// Colour, sRGB in [0, 1].
    pub color: [f32; 3],
    /// 1 opaque, 0 not drawn.
    pub opacity: f32,
    /// How much it shines: 0 matt, 1 as if wet.
    pub gloss: f32,
}

/// What a prim shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// The particles of a body, which a surface may show instead.
    Points { body: u32, has_surface: bool },
    /// The triangles of a body.
    Triangles { body: u32 },
    /// The surface that a body carries.
    Surface { body: u32 },
    /// The collider of an index in the scene.
    Collider { index: usize },
}

/// An attribute that changes with the frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Varying {
    pub name: String,
    pub kind: AttributeKind,
    /// How many values there are for what, if that must be said.
    pub interpolation: Option<&'static str>,
}

/// Attributes that more than one file names.
pub(super) const POINTS: &str = "points";
pub(super) const VELOCITIES: &str = "velocities";
pub(super) const WIDTHS: &str = "widths";
pub(super) const IDS: &str = "ids";
pub(super) const EXTENT: &str = "extent";
pub(super) const FACE_COUNTS: &str = "faceVertexCounts";
pub(super) const FACE_CORNERS: &str = "faceVertexIndices";
pub(super) const TRANSLATE: &str = "xformOp:translate";
pub(super) const ORIENT: &str = "xformOp:orient";
pub(super) const CENTER: &str = "xformOp:translate:center";
pub(super) const ORDER: &str = "xformOpOrder";
pub(super) const VISIBILITY: &str = "visibility";
/// The ids of vertices: meshes have no attribute of their own for them. Blender takes no longer integers
/// here.
pub(super) const MESH_IDS: &str = "primvars:ids";

/// Texture coordinates, by the name that materials of USD look for.
pub(super) const UV: &str = "primvars:st";
/// 1 for faces of cuts, 0 for those of the mesh.
pub(super) const INSIDE: &str = "primvars:inside";

/// What each vertex, or particle, has a value of.
const OF_VERTEX: Option<&str> = Some("vertex");
/// What each corner of a face has.
const OF_CORNER: Option<&str> = Some("faceVarying");
/// What each face has.
const OF_FACE: Option<&str> = Some("uniform");

impl Stage {
    /// The prims of a scene of which this is a moment. Prims of bodies that are added later come behind those that
    /// there are, so that these keep their names.
    pub fn of(moment: &Moment) -> Self {
        let (bodies, scene) = (moment.frame.bodies, moment.scene);
        let at_start = scene.bodies_at_start.min(bodies.len());
        let mut names = Names::default();
        let mut things = Vec::new();
        for (body, of_body) in (0..).zip(&bodies[..at_start]) {
            things.extend(of_particles(body, of_body, scene, &mut names));
        }
        things.extend(colliders(scene, 0..at_start, true, &mut names));
        for (body, of_body) in (0..).zip(bodies).skip(at_start) {
            let number = body as usize;
            things.extend(of_particles(body, of_body, scene, &mut names));
            things.extend(colliders(scene, number..number + 1, false, &mut names));
        }
        Self { things }
    }
}

/// The particles or triangles of a body, and the surface that it carries; nothing of rigid bodies.
fn of_particles(
    body: u32,
    of_body: &FrameBody,
    scene: &SceneFacts,
    names: &mut Names,
) -> Vec<Thing> {
    let is_mesh = scene.with_triangles.contains(&body);
    let has_surface = scene.with_surface.contains(&body);
    let kind = match of_body.drawn_as {
        DrawnAs::Collider => return Vec::new(),
        DrawnAs::Particles | DrawnAs::Triangles if is_mesh => Kind::Triangles { body },
        DrawnAs::Particles | DrawnAs::Triangles => Kind::Points { body, has_surface },
    };
    let particles = Thing {
        name: names.identifier(&of_body.name),
        kind,
        color: of_body.color,
        opacity: 1.0,
        gloss: of_body.look.gloss,
    };
    let surface = has_surface.then(|| Thing {
        opacity: of_body.look.opacity,
        name: names.identifier(&format!("{}_surface", of_body.name)),
        kind: Kind::Surface { body },
        ..particles.clone()
    });
    [particles].into_iter().chain(surface).collect()
}

/// Rigid bodies of some numbers, and colliders, if these are asked for, that have an end: a mesh cannot show the
/// others.
fn colliders(
    scene: &SceneFacts,
    bodies: Range<usize>,
    with_colliders: bool,
    names: &mut Names,
) -> Vec<Thing> {
    let is_wanted = |collider: &SceneCollider| match collider.placed_by {
        PlacedBy::Collider(_) => with_colliders,
        PlacedBy::Body { body, .. } => bodies.contains(&(body as usize)),
    };
    let colliders = scene.colliders.iter().enumerate();
    let with_end = colliders.filter(|(_, collider)| {
        is_wanted(collider) && collider.opacity > 0.0 && collider.shape.bounds().is_some()
    });
    let thing = |(index, collider): (usize, &SceneCollider)| Thing {
        name: names.identifier(&collider.name),
        kind: Kind::Collider { index },
        color: collider.color,
        opacity: collider.opacity,
        gloss: collider.gloss,
    };
    with_end.map(thing).collect()
}

impl Thing {
    /// The attributes that the files of frames have values of: all that change, but for where things are.
    pub fn in_clips(&self, moment: &Moment) -> Vec<Varying> {
        match self.kind {
            Kind::Collider { .. } => Vec::new(),
            _ => self.varying(moment),
        }
    }

    /// The attributes that change with the frames.
    pub fn varying(&self, moment: &Moment) -> Vec<Varying> {
        let mut attributes = match self.kind {
            Kind::Points { .. } => vec![
                plain(IDS, "int64[]"),
                plain(POINTS, "point3f[]"),
                plain(VELOCITIES, "vector3f[]"),
                varying(WIDTHS, "float[]", OF_VERTEX),
            ],
            Kind::Triangles { .. } | Kind::Surface { .. } => vec![
                plain(FACE_COUNTS, "int[]"),
                plain(FACE_CORNERS, "int[]"),
                plain(POINTS, "point3f[]"),
                plain(VELOCITIES, "vector3f[]"),
                varying(MESH_IDS, "int[]", OF_VERTEX),
            ],
            Kind::Collider { index } => {
                let mut of_collider = vec![plain(TRANSLATE, "double3"), plain(ORIENT, "quatf")];
                if let PlacedBy::Body { .. } = moment.scene.colliders[index].placed_by {
                    of_collider.push(plain(VISIBILITY, "token"));
                }
                return of_collider;
            }
        };
        if let Kind::Triangles { body } | Kind::Surface { body } = self.kind
            && moment.scene.with_uv.contains(&body)
        {
            attributes.push(varying(UV, "texCoord2f[]", OF_CORNER));
        }
        if let Kind::Surface { .. } = self.kind {
            attributes.push(varying(INSIDE, "int[]", OF_FACE));
        }
        // Vertices of surfaces have the quantities of particles.
        let quantities = moment.frame.quantities.iter();
        attributes.extend(
            quantities.map(|quantity| varying(&primvar(quantity.name), "float[]", OF_VERTEX)),
        );
        // The last, as it is computed while the others are being written.
        attributes.push(plain(EXTENT, "float3[]"));
        attributes
    }
}

impl Varying {
    /// The attribute without a value.
    pub fn declared(self) -> Attribute<'static> {
        Attribute {
            name: self.name,
            kind: self.kind,
            value: Held::Never,
        }
    }

    /// The attribute with its value in a frame.
    pub fn at(self, frame: u32, value: Value<'_>) -> Attribute<'_> {
        Attribute {
            name: self.name,
            kind: self.kind,
            value: Held::At(f64::from(frame), value),
        }
    }
}

/// The attributes of a collider's mesh that change with the frames: none where it keeps its form.
pub(super) fn varying_of_shape(collider: &SceneCollider) -> Vec<Varying> {
    match collider.deforms() {
        false => Vec::new(),
        true => vec![
            plain(POINTS, "point3f[]"),
            plain(VELOCITIES, "vector3f[]"),
            plain(EXTENT, "float3[]"),
        ],
    }
}

fn varying(name: &str, kind: &'static str, interpolation: Option<&'static str>) -> Varying {
    Varying {
        name: name.to_owned(),
        kind: AttributeKind::varying(kind),
        interpolation,
    }
}

fn plain(name: &str, kind: &'static str) -> Varying {
    varying(name, kind, None)
}

/// The attribute of a quantity.
pub(super) fn primvar(quantity: &str) -> String {
    format!("primvars:{}", identifier(quantity))
}

/// Names that were given.
#[derive(Debug, Default)]
struct Names {
    given: BTreeSet<String>,
}

impl Names {
    /// An identifier for a name that no other name has.
    fn identifier(&mut self, name: &str) -> String {
        let plain = identifier(name);
        let numbered = (2..).map(|n| format!("{plain}_{n}"));
        let mut candidates = std::iter::once(plain.clone()).chain(numbered);
        let free = candidates.find(|name| name != LOOKS && !self.given.contains(name));
        let free = free.unwrap_or(plain);
        self.given.insert(free.clone());
        free
    }
}

/// A name as an identifier: letters, digits and underscores, no digit first.
fn identifier(name: &str) -> String {
    let plain = name.chars().map(|c| match c {
        c if c.is_ascii_alphanumeric() => c,
        _ => '_',
    });
    let plain: String = plain.collect();
    match plain.chars().next() {
        Some(first) if !first.is_ascii_digit() => plain,
        _ => format!("_{plain}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_identifiers_and_stay_apart() {
        let mut names = Names::default();
        let given = ["a-b", "a_b", "1st", "", "Looks", "größe"].map(|n| names.identifier(n));
        assert_eq!(given, ["a_b", "a_b_2", "_1st", "_", "Looks_2", "gr__e"]);
    }
}
