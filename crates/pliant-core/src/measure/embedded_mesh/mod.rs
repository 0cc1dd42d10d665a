//! Surfaces that bodies carry: the mesh that somebody gave, deformed with the particles around it and
//! split where they are cut.
//!
//! | subject | file |
//! | --- | --- |
//! | particles near a point at rest | `near` |
//! | to which piece a point belongs | `piece_weights` |
//! | the part of a mesh that belongs to a piece | `clip` |
//! | the grid that cuts are sampled on | `grid` |
//! | inner faces of cuts | `caps` |
//! | on which side of a cut that does not go through a point is | `crack_sides` |
//! | a mesh split along such cuts | `split` |
//! | their inner faces | `sheet` |
//! | vertices on several sides | `duplicated_vertices` |
//! | meshes and what carries them | `bound` |
//! | from moment to moment | `meshes` |

mod bound;
mod caps;
mod clip;
mod crack_sides;
#[cfg(test)]
mod crack_tests;
mod duplicated_vertices;
mod grid;
mod meshes;
mod near;
mod piece_weights;
mod sheet;
mod split;
#[cfg(test)]
mod tests;

pub(crate) use meshes::EmbeddedMeshes;

use pliant_geometry::{TriangleMesh, refined_where};
use pliant_math::{DMat3, DVec3};

use self::bound::{BoundMesh, carried};
use self::caps::CutGrid;
use self::clip::clipped;
use self::crack_sides::{Bound, CrackSides, Cracks};
use self::near::Near;
use self::piece_weights::{Border, GONE, Parts, PieceWeights};
use self::sheet::sheet;
use self::split::split;
use crate::parallel;
use crate::rest::{CutPoint, SurfaceCarrier};
use crate::world::RenderMesh;

/// Nodes of the grid that cuts are sampled on are this part of a spacing apart.
const GRID: f64 = 0.5;

/// Edges of a surface near cuts that do not go through are no longer than this part of a spacing.
const FINE: f64 = 0.75;

/// A way that was parted counts as so many that hold, for the surface and for inner faces: these are to
/// end deeper than the gap in the surface, so that its end is not open to the inside.
const REPULSION: [f64; 2] = [1.0, 2.0];

/// Inner faces reach this part of a spacing beyond the surface, so that no gap is left.
const OVERLAP: f64 = 0.02;

/// A surface bound to the particles of a body.
#[derive(Debug, Default)]
pub(crate) struct EmbeddedMesh {
    /// Where its vertices are at rest [m].
    rest: Vec<DVec3>,
    /// Where the particles that carry each vertex begin, and the end.
    starts: Vec<u32>,
    /// Particles, by their numbers in the body, and weights.
    bound: Vec<(u32, f64)>,
    /// Its triangles.
    pub triangles: Vec<[u32; 3]>,
}

/// A particle as its surface sees it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carrier {
    /// Where it is [m].
    pub position: DVec3,
    /// Velocity [m/s].
    pub velocity: DVec3,
    /// F.
    pub deformation_gradient: DMat3,
}

/// A vertex as it is now.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried {
    /// Where it is [m].
    pub position: DVec3,
    /// Velocity [m/s].
    pub velocity: DVec3,
    /// The particle that counts most, by its number in the body.
    pub nearest: u32,
}

impl EmbeddedMesh {
    /// A surface as particles that have come apart carry it.
    ///
    /// * `piece` — the piece of each particle of the body, `u32::MAX` for those that have left
    /// * `seams` — where its ways were parted
    pub fn new(
        render: &RenderMesh,
        body: &SurfaceCarrier,
        piece: &[u32],
        seams: &[CutPoint],
    ) -> Self {
        let shape = &body.shape;
        let borders = borders(body, piece, seams);
        let points: Vec<DVec3> = borders.iter().map(|border| border.point).collect();
        let parts = Parts {
            near: Near::new(&shape.position, shape.support_radius),
            piece,
            near_borders: Near::new(&points, shape.support_radius),
            borders: &borders,
        };
        let mut pieces: Vec<u32> = piece.iter().copied().filter(|&p| p != GONE).collect();
        pieces.sort_unstable();
        pieces.dedup();
        let cracks = Cracks::by_piece(body, piece, seams);
        let part = |piece: u32| Part {
            parts: &parts,
            piece,
            render,
            spacing: body.spacing,
            sides: cracks.get(&piece).map(|cracks| {
                REPULSION.map(|repulsion| CrackSides::new(&parts, piece, shape, cracks, repulsion))
            }),
        };
        let mut embedded_mesh = Self {
            starts: vec![0],
            ..Self::default()
        };
        if let [piece] = pieces[..] {
            let part = part(piece);
            embedded_mesh.add(part.bound(&render.mesh));
            embedded_mesh.add(part.faces(|_| 1.0));
            return embedded_mesh;
        }
        let cut = points.iter().copied();
        let grid = CutGrid::new(&parts, cut, GRID * body.spacing, body.spacing);
        let shares = shares_of(&parts, &render.mesh);
        let around = around(&render.mesh, &shares);
        for piece in pieces {
            let found = around.binary_search_by_key(&piece, |(of, _)| *of);
            let triangles = found.map_or(&[][..], |k| &around[k].1);
            let (own, vertices) = part_of(&render.mesh, triangles);
            let lead = vertices.iter().map(|&v| shares[v as usize].lead(piece));
            let part = part(piece);
            embedded_mesh.add(part.bound(&clipped(&own, &lead.collect::<Vec<f64>>())));
            let cap = grid.cap(piece);
            embedded_mesh.add(part.bound(&clipped(&cap, &part.depths(&cap))));
            embedded_mesh.add(part.faces(|x| parts.shares(x).lead(piece)));
        }
        embedded_mesh
    }

    /// Adds a mesh.
    fn add(&mut self, BoundMesh { mesh, bound }: BoundMesh) {
        let first = self.rest.len() as u32;
        self.rest.extend_from_slice(&mesh.vertices);
        for bound in bound {
            self.bound.extend(bound);
            self.starts.push(self.bound.len() as u32);
        }
        let triangles = mesh.triangles.iter();
        self.triangles
            .extend(triangles.map(|t| t.map(|corner| first + corner)));
    }

    /// The vertices as they are now: x = sum_j w_j (x_j + F_j (X - X_j)), exact where F is the same all
    /// around.
    ///
    /// * `rest` — where the particles of the body are at rest [m]
    /// * `carrier` — each as it is now
    pub fn carried(&self, rest: &[DVec3], carrier: &[Option<Carrier>]) -> Vec<Carried> {
        let mut carried = vec![None; self.rest.len()];
        parallel::for_chunks(&mut carried, |first, carried| {
            for (k, carried) in carried.iter_mut().enumerate() {
                *carried = Some(self.vertex(first + k, rest, carrier));
            }
        });
        carried.into_iter().flatten().collect()
    }

    fn vertex(&self, vertex: usize, rest: &[DVec3], carrier: &[Option<Carrier>]) -> Carried {
        let x = self.rest[vertex];
        let bound = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        let (mut position, mut velocity, mut total) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        let (mut nearest, mut most) = (0, 0.0);
        for &(particle, weight) in &self.bound[bound] {
            let Some(carrier) = carrier[particle as usize] else {
                continue;
            };
            let offset = x - rest[particle as usize];
            position += (carrier.position + carrier.deformation_gradient * offset) * weight;
            velocity += carrier.velocity * weight;
            total += weight;
            if weight > most {
                (nearest, most) = (particle, weight);
            }
        }
        Carried {
            position: position / total,
            velocity: velocity / total,
            nearest,
        }
    }
}

/// A piece of a body with a surface.
struct Part<'a> {
    parts: &'a Parts<'a>,
    piece: u32,
    render: &'a RenderMesh,
    spacing: f64,
    /// What tells the sides of its cracks, if it has any, for the surface and for inner faces.
    sides: Option<[CrackSides<'a>; 2]>,
}

impl Part<'_> {
    /// A mesh that the piece carries, split along its cracks.
    fn bound(&self, mesh: &TriangleMesh) -> BoundMesh {
        let Some([sides, _]) = &self.sides else {
            return BoundMesh {
                mesh: mesh.clone(),
                bound: carried(&mesh.vertices, |_, x| carriers(self.parts, self.piece, x)),
            };
        };
        let longest = |x: DVec3| {
            if sides.is_near_slit(x) {
                FINE * self.spacing
            } else {
                f64::INFINITY
            }
        };
        split(&refined_where(mesh, longest), sides)
    }

    /// The inner faces of its cracks.
    ///
    /// * `lead` — how far a point is inside of the piece, negative where others are
    fn faces(&self, lead: impl Fn(DVec3) -> f64) -> BoundMesh {
        let Some([_, sides]) = &self.sides else {
            return BoundMesh::default();
        };
        let faces = sheet(sides, GRID * self.spacing, self.spacing);
        let faces = faces.clipped(&self.depths(&faces.mesh), sides);
        let lead = faces.mesh.vertices.iter().map(|&x| lead(x));
        faces.clipped(&lead.collect::<Vec<f64>>(), sides)
    }

    /// How deep inside of the surface vertices are [m], and a little more.
    fn depths(&self, mesh: &TriangleMesh) -> Vec<f64> {
        let depth = |x: &DVec3| OVERLAP * self.spacing - self.render.distance(*x);
        mesh.vertices.iter().map(depth).collect()
    }
}

/// Where ways between pieces were parted, at rest.
fn borders(body: &SurfaceCarrier, piece: &[u32], seams: &[CutPoint]) -> Vec<Border> {
    let border = |seam: &CutPoint| {
        let ends = seam.ends.map(|id| (id - body.first_id) as usize);
        let pieces = ends.map(|end| piece[end]);
        let [from, to] = ends.map(|end| body.shape.position[end]);
        let divides = pieces[0] != pieces[1] && !pieces.contains(&GONE);
        divides.then(|| Border {
            point: from + (to - from) * f64::from(seam.at),
            way: (to - from).normalize_or_zero(),
            pieces,
        })
    };
    seams.iter().filter_map(border).collect()
}

/// The particles of a piece that carry a point at rest: those around it, or else the nearest.
fn carriers(parts: &Parts<'_>, piece: u32, x: DVec3) -> Bound {
    let mut bound = Vec::new();
    parts.near.for_each(x, |particle, weight| {
        if parts.piece[particle as usize] == piece {
            bound.push((particle, weight));
        }
    });
    if bound.is_empty() {
        let nearest = parts.near.nearest(x, |k| parts.piece[k as usize] == piece);
        bound.extend(nearest.map(|particle| (particle, 1.0)));
    }
    bound
}

fn shares_of(parts: &Parts<'_>, mesh: &TriangleMesh) -> Vec<PieceWeights> {
    let mut shares = vec![PieceWeights::default(); mesh.vertices.len()];
    parallel::for_chunks(&mut shares, |first, shares| {
        for (shares, &x) in shares.iter_mut().zip(&mesh.vertices[first..]) {
            *shares = parts.shares(x);
        }
    });
    shares
}

/// The triangles that each piece may have a part of.
fn around(mesh: &TriangleMesh, shares: &[PieceWeights]) -> Vec<(u32, Vec<u32>)> {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for (number, triangle) in (0..).zip(&mesh.triangles) {
        let corners = triangle.iter().map(|&corner| &shares[corner as usize]);
        all.extend(
            corners
                .flat_map(PieceWeights::pieces)
                .map(|piece| (piece, number)),
        );
    }
    all.sort_unstable();
    all.dedup();
    let of_piece = all.chunk_by(|a, b| a.0 == b.0);
    of_piece
        .map(|of| (of[0].0, of.iter().map(|(_, triangle)| *triangle).collect()))
        .collect()
}

/// Some triangles of a mesh, and which vertices of it they have.
fn part_of(mesh: &TriangleMesh, triangles: &[u32]) -> (TriangleMesh, Vec<u32>) {
    let corners = triangles.iter().map(|&t| mesh.triangles[t as usize]);
    let mut vertices: Vec<u32> = corners.clone().flatten().collect();
    vertices.sort_unstable();
    vertices.dedup();
    let number = |corner: u32| vertices.partition_point(|&v| v < corner) as u32;
    let part = TriangleMesh {
        triangles: corners.map(|t| t.map(number)).collect(),
        vertices: vertices
            .iter()
            .map(|&v| mesh.vertices[v as usize])
            .collect(),
    };
    (part, vertices)
}
