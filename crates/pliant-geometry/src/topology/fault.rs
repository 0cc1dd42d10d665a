//! What can be wrong with a mesh that should enclose a volume.

use pliant_math::DVec3;
use pliant_parameters::Problem;

/// Why a mesh does not enclose a volume. Places are in the coordinates of the mesh as given.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshFault {
    /// There are no triangles.
    #[error("the mesh has no triangles")]
    Empty,
    /// A coordinate is not a finite number.
    #[error("vertex {} of the mesh has a coordinate that is not a finite number", .vertex + 1)]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {} names a vertex that the mesh, with its {count} vertices, does not have", .triangle + 1)]
    UnknownVertex {
        /// Index of the triangle.
        triangle: usize,
        /// Number of vertices.
        count: usize,
    },
    /// Edges with a triangle on one side only.
    #[error(
        "the mesh is not watertight: {edges} open {} in {loops} boundary {}; one runs from {} to {}",
        plural(*.edges, "edge"), plural(*.loops, "loop"), text(.at[0]), text(.at[1])
    )]
    Open {
        /// Number of open edges.
        edges: usize,
        /// Number of connected boundaries.
        loops: usize,
        /// Ends of one open edge.
        at: [DVec3; 2],
    },
    /// Edges where more than two triangles meet and do not pair up.
    #[error(
        "the mesh is not manifold: {edges} {} shared by more than two triangles that do not pair \
         up; at one, from {} to {}, {triangles} meet",
        if *.edges == 1 { "edge is" } else { "edges are" }, text(.at[0]), text(.at[1])
    )]
    NotManifold {
        /// Number of such edges.
        edges: usize,
        /// Triangles at the reported one.
        triangles: usize,
        /// Ends of one such edge.
        at: [DVec3; 2],
    },
    /// Neighbouring triangles with opposite orientations.
    #[error(
        "the mesh is oriented inconsistently: across {edges} {} one triangle is turned inside out \
         against the other; one runs from {} to {}",
        plural(*.edges, "edge"), text(.at[0]), text(.at[1])
    )]
    Inconsistent {
        /// Number of such edges.
        edges: usize,
        /// Ends of one such edge.
        at: [DVec3; 2],
    },
    /// The surface is closed but encloses nothing.
    #[error("the mesh encloses no volume")]
    NoVolume,
}

impl MeshFault {
    /// What the user can do about it.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::Empty | Self::NotFinite { .. } | Self::UnknownVertex { .. } => {
                "export the mesh again"
            }
            Self::Open { .. } => {
                "bodies and colliders need a closed mesh: fill the hole at that place, for example \
                 in Blender with Select > All by Trait > Non Manifold and then Face > Fill, or \
                 write repair = \"fill-holes\"; a collider that is to be a thin shell may stay open with two_sided = true"
            }
            Self::NotManifold { .. } => {
                "remove the inner or doubled faces at that place, or unite the parts with a \
                 boolean union, or write repair = \"winding\""
            }
            Self::Inconsistent { .. } => {
                "recalculate the normals, for example in Blender with Mesh > Normals > \
                 Recalculate Outside, or write repair = \"fill-holes\""
            }
            Self::NoVolume => {
                "bodies and colliders need a mesh that encloses a volume; a collider that is to be a \
                 thin shell need not with two_sided = true"
            }
        }
    }

    /// What the user can do about it if it is left after a repair.
    pub(crate) fn remedy_after_repair(&self) -> &'static str {
        match self {
            Self::Empty | Self::NotFinite { .. } | Self::UnknownVertex { .. } => self.remedy(),
            Self::NoVolume => {
                "where triangles face both ways take repair = \"voxels\"; where holes are wider than what they \
                 lead into, give it a `gap`, or fill them in the program that made the mesh"
            }
            Self::Open { .. } | Self::NotManifold { .. } | Self::Inconsistent { .. } => {
                "take repair = \"winding\" or \"voxels\", which make a new surface"
            }
        }
    }

    /// The fault as a problem of the key that named the mesh.
    pub fn problem(&self, key: &str, file: &str) -> Problem {
        Problem::at(key, format!("{file}: {self}"), self.remedy())
    }
}

fn plural(count: usize, noun: &str) -> String {
    format!("{noun}{}", if count == 1 { "" } else { "s" })
}

fn text(p: DVec3) -> String {
    let rounded = |x: f64| {
        let digits = format!("{x:.5e}");
        digits.parse().unwrap_or(x)
    };
    format!("[{}, {}, {}]", rounded(p.x), rounded(p.y), rounded(p.z))
}
