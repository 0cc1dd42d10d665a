//! Surfaces that bodies carry: the mesh that somebody gave, deformed with the particles around it and
//! split where they are cut apart.
//!
//! | subject | file |
//! | --- | --- |
//! | particles near a point at rest | `near` |
//! | to which piece a point belongs | `shares` |
//! | the part of a mesh that belongs to a piece | `clip` |
//! | inner faces of cuts | `caps` |
//! | from moment to moment | `skins` |

mod caps;
mod clip;
mod near;
mod shares;
mod skins;
#[cfg(test)]
mod tests;

pub(crate) use skins::Skins;

use pliant_geometry::TriangleMesh;
use pliant_math::{DMat3, DVec3};

use self::caps::CutGrid;
use self::clip::clipped;
use self::near::Near;
use self::shares::{Border, GONE, Parts, Shares};
use crate::methods::strain_energy::{Seam, SolidBody};
use crate::parallel;
use crate::world::RenderMesh;

/// Nodes of the grid that cuts are sampled on are this part of a spacing apart.
const GRID: f64 = 0.5;

/// Inner faces reach this part of a spacing beyond the surface, so that no gap is left.
const OVERLAP: f64 = 0.02;

/// A surface bound to the particles of a body.
#[derive(Debug, Default)]
pub(crate) struct Skin {
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

impl Skin {
    /// A surface as particles that have come apart carry it.
    ///
    /// * `piece` — the piece of each particle of the body, `u32::MAX` for those that have left
    /// * `seams` — where its ways were parted
    pub fn new(render: &RenderMesh, body: &SolidBody, piece: &[u32], seams: &[Seam]) -> Self {
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
        let mut skin = Self {
            starts: vec![0],
            ..Self::default()
        };
        if let [piece] = pieces[..] {
            skin.add(&parts, piece, &render.mesh);
            return skin;
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
            skin.add(&parts, piece, &clipped(&own, &lead.collect::<Vec<f64>>()));
            let cap = grid.cap(piece);
            let depth = |x: &DVec3| OVERLAP * body.spacing - render.distance(*x);
            let depth: Vec<f64> = cap.vertices.iter().map(depth).collect();
            skin.add(&parts, piece, &clipped(&cap, &depth));
        }
        skin
    }

    /// Adds a mesh that a piece carries.
    fn add(&mut self, parts: &Parts<'_>, piece: u32, mesh: &TriangleMesh) {
        let mut bound = vec![Vec::new(); mesh.vertices.len()];
        parallel::for_chunks(&mut bound, |first, bound| {
            for (bound, &x) in bound.iter_mut().zip(&mesh.vertices[first..]) {
                *bound = carriers(parts, piece, x);
            }
        });
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

/// Where ways between pieces were parted, at rest.
fn borders(body: &SolidBody, piece: &[u32], seams: &[Seam]) -> Vec<Border> {
    let border = |seam: &Seam| {
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
fn carriers(parts: &Parts<'_>, piece: u32, x: DVec3) -> Vec<(u32, f64)> {
    let mut bound = Vec::new();
    parts.near.for_each(x, |particle, weight| {
        if parts.piece[particle as usize] == piece {
            bound.push((particle, weight));
        }
    });
    if bound.is_empty() {
        let own = (0..).zip(parts.piece).filter(|(_, of)| **of == piece);
        let nearest = own.map(|(k, _): (u32, _)| (parts.near.distance(k, x), k));
        let nearest = nearest.min_by(|a, b| a.0.total_cmp(&b.0));
        bound.extend(nearest.map(|(_, particle)| (particle, 1.0)));
    }
    bound
}

fn shares_of(parts: &Parts<'_>, mesh: &TriangleMesh) -> Vec<Shares> {
    let mut shares = vec![Shares::default(); mesh.vertices.len()];
    parallel::for_chunks(&mut shares, |first, shares| {
        for (shares, &x) in shares.iter_mut().zip(&mesh.vertices[first..]) {
            *shares = parts.shares(x);
        }
    });
    shares
}

/// The triangles that each piece may have a part of.
fn around(mesh: &TriangleMesh, shares: &[Shares]) -> Vec<(u32, Vec<u32>)> {
    let mut all: Vec<(u32, u32)> = Vec::new();
    for (number, triangle) in (0..).zip(&mesh.triangles) {
        let corners = triangle.iter().map(|&corner| &shares[corner as usize]);
        all.extend(
            corners
                .flat_map(Shares::pieces)
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
