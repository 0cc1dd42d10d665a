//! What a shape is: a signed distance with bounds, a volume and a surface to draw.

use std::fmt::Debug;
use std::sync::Arc;

use pliant_math::DVec3;
use pliant_parameters::{Field, Problem, Values};

use crate::{
    Aabb, Loop, MeshSeries, MovingMesh, Samples, TetrahedralMesh, TexturedMesh, TriangleMesh,
    VectorSamples, in_order,
};

/// A region of space, the same thing in a body, a collider, an emitter and a region.
pub trait Shape: Send + Sync + Debug {
    /// Signed distance from a local `point` to the surface [m], negative inside. Exact near the
    /// surface; farther away at least a bound that never exceeds the true distance.
    fn signed_distance(&self, point: DVec3) -> f64;

    /// Unit gradient of the signed distance at a local `point`, any unit vector where it is undefined.
    fn normal(&self, point: DVec3) -> DVec3 {
        crate::difference_normal(self, point)
    }

    /// The smallest axis-aligned box around it, in local coordinates; `None` if it has no end.
    fn bounds(&self) -> Option<Aabb>;

    /// Enclosed volume [m3]; `None` if it has no end.
    fn volume(&self) -> Option<f64>;

    /// The surface as triangles for pictures, `size` [m] being the scene's extent (for a shape
    /// without end) and the accuracy asked for about a hundredth of the shape's own extent.
    fn surface(&self, size: f64) -> TriangleMesh;

    /// Particles that it brings with it, in local coordinates; `None` if it has to be filled.
    fn samples(&self) -> Option<Samples> {
        None
    }

    /// The triangles, in local coordinates, that a body of cloth of this shape is made of; `None` if it
    /// is no surface.
    fn fabric(&self) -> Option<TriangleMesh> {
        None
    }

    /// The mesh with texture coordinates that its surface lies on, in local coordinates, if there is one.
    fn textured(&self) -> Option<TexturedMesh> {
        None
    }

    /// The tetrahedra, in local coordinates, that it was given as; `None` if it was not.
    fn tetrahedra(&self) -> Option<TetrahedralMesh> {
        None
    }

    /// What it is if solid bodies have a name for it.
    fn form(&self) -> Form {
        Form::Other
    }

    /// True if it encloses nothing: its distance is nowhere negative.
    fn is_thin(&self) -> bool {
        false
    }

    /// True if parts of its surface lie inside it, as where shells of a mesh overlap: the surface alone
    /// does not tell its volume then.
    fn hides_surface(&self) -> bool {
        false
    }

    /// The mesh that it is if it deforms.
    fn moving(&self) -> Option<&MovingMesh> {
        None
    }

    /// The same, to be moved on.
    fn moving_mut(&mut self) -> Option<&mut MovingMesh> {
        None
    }

    /// What is allowed in its values but probably not meant, by their keys.
    fn warnings(&self) -> Vec<Problem> {
        Vec::new()
    }
}

/// Shapes whose contacts with each other are known without a mesh; centred on the origin, along y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// A ball of a radius [m].
    Sphere(f64),
    /// A box by half its edge lengths [m].
    Box(DVec3),
    /// Half spheres of a radius around a line of a height [m].
    Capsule(f64, f64),
    /// A cylinder of a radius and a height [m].
    Cylinder(f64, f64),
    /// A cone of a radius and a height [m], its tip up.
    Cone(f64, f64),
    /// All below a plane through the origin, by its normal out of the solid.
    HalfSpace(DVec3),
    /// Something else: its surface tells.
    Other,
}

impl Form {
    /// The same enlarged about the origin.
    pub fn scaled(self, factor: f64) -> Self {
        match self {
            Self::Sphere(radius) => Self::Sphere(radius * factor),
            Self::Box(half_size) => Self::Box(half_size * factor),
            Self::Capsule(radius, height) => Self::Capsule(radius * factor, height * factor),
            Self::Cylinder(radius, height) => Self::Cylinder(radius * factor, height * factor),
            Self::Cone(radius, height) => Self::Cone(radius * factor, height * factor),
            Self::HalfSpace(_) | Self::Other => self,
        }
    }
}

/// What a shape's builder may ask for: what is in files, threads to work on it, and somebody to tell.
pub trait MeshSource {
    /// The mesh in a file, or why there is none. `file` is as the scene writes it.
    fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem>;

    /// The mesh in a file with its texture coordinates, if it has some; so wherever no source of them is at hand.
    fn textured(&self, _file: &str) -> Option<Arc<TexturedMesh>> {
        None
    }

    /// Why parts of the mesh in a file are without the texture coordinates that the file has for them: what is wrong
    /// with those, and where; `None` if nothing is, or no source of them is at hand.
    fn texture_damage(&self, _file: &str) -> Option<String> {
        None
    }

    /// Whether the file of a mesh says itself which axis is up, so that y is up in the mesh; of others nothing is known.
    fn is_y_up(&self, _file: &str) -> bool {
        false
    }

    /// A mesh whose vertices move, from a file for each frame, or why there is none; so wherever no source of it
    /// is at hand. `files`, at least one, are as the scene writes them.
    fn series(&self, files: &[String]) -> Result<MeshSeries, Problem> {
        let message = format!("{}: a mesh that moves cannot be read here", files[0]);
        Err(Problem::at("file", message, "take another shape"))
    }

    /// The mesh of a file that moves as an animation in it says, about `rate` frames a second [1/s], with the rate
    /// that it has, or why there is none; so wherever no source of it is at hand.
    fn animation(
        &self,
        file: &str,
        _name: Option<&str>,
        _rate: f64,
    ) -> Result<(MeshSeries, f64), Problem> {
        let message = format!("{file}: a mesh that moves cannot be read here");
        Err(Problem::at("file", message, "take another shape"))
    }

    /// The particles in a file, at least one, or why there are none; so wherever no source of
    /// particles is at hand.
    fn particles(&self, file: &str) -> Result<Arc<Samples>, Problem> {
        let message = format!("{file}: particles cannot be read here");
        Err(Problem::at("file", message, "take another shape"))
    }

    /// An array of vectors in a file of particles, or why there is none; so wherever no source of them is at hand.
    fn vectors(&self, file: &str, array: &str) -> Result<VectorSamples, Problem> {
        let message = format!("{file}: vectors {array} cannot be read here");
        Err(Problem::at("file", message, "take another field"))
    }

    /// The tetrahedra in a file, or why there are none; so wherever no source of them is at hand.
    fn tetrahedra(&self, file: &str) -> Result<Arc<TetrahedralMesh>, Problem> {
        let message = format!("{file}: tetrahedra cannot be read here");
        Err(Problem::at("file", message, "take another shape"))
    }

    /// Takes note of what is being done, for somebody who waits: "filling the body ...".
    fn report_progress(&self, _doing: &str) {}

    /// The loop that long work runs in; the calling thread alone if nothing else is said.
    fn work(&self) -> Loop {
        in_order
    }
}

/// A row of the shape registry.
#[derive(Clone, Copy)]
pub struct ShapeKind {
    /// Name in scene files, kebab case.
    pub name: &'static str,
    /// What it is, a sentence.
    pub doc: &'static str,
    /// Its parameters.
    pub fields: &'static [Field],
    /// Builds it.
    pub build: BuildShape,
}

/// Builds a shape from its checked values; the use tells whether it must enclose a volume and how
/// fine it must be resolved.
pub type BuildShape = fn(&Values, &dyn MeshSource, ShapeUse) -> Result<Arc<dyn Shape>, Problem>;

/// What a shape is built for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeUse {
    /// A body or emitter is filled with particles and needs a closed surface.
    pub is_filled: bool,
    /// A collider with two sides: of a mesh its surface alone is asked, which may be open.
    pub is_shell: bool,
    /// A body of cloth: its surface alone is asked, which may be open, and the triangles that it is
    /// made of.
    pub is_cloth: bool,
    /// Spacing of the particles that will fill or touch it [m]: distances baked on a grid resolve it.
    pub spacing: f64,
}
