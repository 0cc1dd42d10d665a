//! Surfaces that bodies carry: the mesh that somebody gave, deformed with the particles around it and
//! cut where they are.
//!
//! | subject | file |
//! | --- | --- |
//! | what a surface knows of the body that carries it | `rest_body` |
//! | a surface and what it encloses | `render_mesh` |
//! | particles near a point at rest | `near` |
//! | on which side of the cuts a point is | `crack_sides` |
//! | to which of the groups around it a point belongs | `group_weights` |
//! | the nodes of a lattice around cuts | `grid` |
//! | which of them cuts part | `crack_lattice` |
//! | cuts as a sheet between them | `marching` |
//! | on which sides of the sheet its points are | `sheet` |
//! | which nodes are on one side | `lattice_simplex` |
//! | a mesh without vertices that stand at one place | `welded` |
//! | mesh and sheet in parts, and which corners of these are one | `division` |
//! | a mesh cut along the sheet | `cut_mesh` |
//! | meshes and what carries them | `bound_mesh` |
//! | parts of a surface that hang together | `shells` |
//! | which vertices of a mesh are beside each other | `vertex_neighbors` |
//! | parts that overlap, moved apart | `separation` |

mod bound_mesh;
mod crack_lattice;
mod crack_sides;
#[cfg(test)]
mod crack_tests;
mod cut_mesh;
mod division;
mod grid;
mod group_weights;
mod lattice_simplex;
mod marching;
mod near;
mod render_mesh;
mod rest_body;
mod separation;
#[cfg(test)]
mod separation_tests;
mod sheet;
mod shells;
#[cfg(test)]
mod test_body;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod texture_tests;
mod vertex_neighbors;
mod welded;

pub use render_mesh::RenderMesh;
pub use rest_body::{CutBond, RestBody};

use pliant_geometry::topology::{first_at_place, is_closed};
use pliant_geometry::{TriangleMesh, TriangleUv, UvMap, refined_where, self_intersections_among};
use pliant_math::{DMat3, DVec3};
use pliant_parallel as parallel;

use self::bound_mesh::BoundMesh;
use self::crack_lattice::CrackLattice;
use self::crack_sides::{Bound, CrackSides, Cracks};
use self::cut_mesh::Cut;
use self::marching::sheet;
use self::separation::RestSurface;
use self::shells::present;
use self::welded::Welded;

/// The piece of particles that are not there.
pub const GONE: u32 = u32::MAX;

/// Edges of a surface near cuts are no longer than this part of a spacing.
const FINE: f64 = 0.75;

/// Both faces of a cut are this part of a spacing from where they meet, so that they do not touch.
const GAP: f64 = 0.02;

/// So many sheets are tried whose vertices differ by a little, until one is in general position.
const VARIANTS: u64 = 8;

/// If the first is not, vertices of the mesh are moved too, by this part of a spacing: triangles without area are
/// in general position by it.
const NOISE: f64 = 1e-6;

/// A surface bound to the particles of a body.
#[derive(Debug, Default)]
pub struct EmbeddedMesh {
    /// Where its vertices are at rest [m].
    rest: Vec<DVec3>,
    /// Where the particles that carry each vertex begin, and the end.
    starts: Vec<u32>,
    /// Particles, by their numbers in the body, and weights.
    bound: Vec<(u32, f64)>,
    /// Its triangles, as numbers of vertices.
    pub triangles: Vec<[u32; 3]>,
    /// Their texture coordinates, zero on faces of cuts; none if the mesh has none.
    pub uv: Vec<TriangleUv>,
    /// Which of them are faces of cuts.
    pub inside: Vec<bool>,
    /// For each vertex the first that the mesh had at its place.
    first: Vec<u32>,
    /// Distance of neighbouring particles [m].
    spacing: f64,
}

/// A particle as its surface sees it.
#[derive(Clone, Copy, Debug)]
pub struct Carrier {
    /// Where it is [m].
    pub position: DVec3,
    /// Velocity [m/s].
    pub velocity: DVec3,
    /// F.
    pub deformation_gradient: DMat3,
}

/// A vertex as it is now.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// Where it is [m].
    pub position: DVec3,
    /// Velocity [m/s].
    pub velocity: DVec3,
    /// F.
    pub deformation_gradient: DMat3,
    /// The particle that counts most, by its number in the body.
    pub nearest: u32,
}

impl EmbeddedMesh {
    /// A surface as particles that have come apart carry it.
    ///
    /// * `piece` — the piece of each particle of the body, [`GONE`] for those that have left
    /// * `cut_bonds` — those of its bonds that hold no longer
    pub fn new(
        render: &RenderMesh,
        body: &dyn RestBody,
        piece: &[u32],
        cut_bonds: &[CutBond],
    ) -> Self {
        let cracks = Cracks::new(body, cut_bonds);
        let sides = CrackSides::new(body, piece, &cracks);
        let found = cut(render, body, &sides);
        let is_there = |(particle, _): &(u32, f64)| piece[*particle as usize] != GONE;
        let present = present(&found, piece);
        let inside: Vec<bool> = present.iter().map(|&t| t >= found.faces).collect();
        let mut embedded_mesh = Self {
            starts: vec![0],
            triangles: present.iter().map(|&t| found.mesh.triangles[t]).collect(),
            uv: (render.uv_map.as_ref()).map_or_else(Vec::new, |map| uv(map, &found, &present)),
            inside,
            first: first(&found),
            spacing: body.spacing(),
            ..Self::default()
        };
        let BoundMesh { mesh, bound, .. } = found;
        for (&x, of) in mesh.vertices.iter().zip(bound) {
            embedded_mesh.bound.extend(of.into_iter().filter(is_there));
            if embedded_mesh.bound.len() as u32 == embedded_mesh.starts[embedded_mesh.rest.len()] {
                let nearest = sides.nearest_present(x);
                embedded_mesh
                    .bound
                    .extend(nearest.map(|particle| (particle, 1.0)));
            }
            embedded_mesh.rest.push(x);
            embedded_mesh.starts.push(embedded_mesh.bound.len() as u32);
        }
        embedded_mesh
    }

    /// The vertices as they are now: x = sum_j w_j (x_j + F_j (X - X_j)), exact where F is the same all
    /// around. Where parts of the surface overlap they are moved apart.
    ///
    /// * `rest` — where the particles of the body are at rest [m]
    /// * `carrier` — each as it is now
    pub fn carried(&self, rest: &[DVec3], carrier: &[Option<Carrier>]) -> Vec<Carried> {
        let mut carried = self.placed(rest, carrier);
        self.separate(&mut carried);
        carried
    }

    /// The vertices where particles carry them.
    fn placed(&self, rest: &[DVec3], carrier: &[Option<Carrier>]) -> Vec<Carried> {
        let mut carried = vec![None; self.rest.len()];
        parallel::for_chunks(&mut carried, |first, carried| {
            for (k, carried) in carried.iter_mut().enumerate() {
                *carried = Some(self.vertex(first + k, rest, carrier));
            }
        });
        carried.into_iter().flatten().collect()
    }

    /// Moves parts of a surface that was cut apart where they overlap.
    fn separate(&self, carried: &mut [Carried]) {
        if !self.inside.contains(&true) {
            return;
        }
        let places: Vec<DVec3> = carried.iter().map(|vertex| vertex.position).collect();
        let first = |corners: &[u32; 3]| corners.map(|vertex| self.first[vertex as usize]);
        let gradients = carried.iter().map(|vertex| vertex.deformation_gradient);
        let gradients: Vec<DMat3> = gradients.collect();
        let surface = RestSurface {
            vertices: &self.rest,
            gradients: &gradients,
            triangles: self.triangles.iter().map(first).collect(),
            spacing: self.spacing,
        };
        let Some(separated) = surface.separated(places.clone()) else {
            return;
        };
        for (vertex, &first) in carried.iter_mut().zip(&self.first) {
            let [from, to] = [&places, &separated].map(|of| of[first as usize]);
            if from != to {
                // The first exactly, and the others as far from it as they were.
                vertex.position = to + (vertex.position - from);
            }
        }
    }

    fn vertex(&self, vertex: usize, rest: &[DVec3], carrier: &[Option<Carrier>]) -> Carried {
        let x = self.rest[vertex];
        let bound = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
        let (mut position, mut velocity, mut total) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        let mut gradient = DMat3::ZERO;
        let (mut nearest, mut most) = (0, 0.0);
        for &(particle, weight) in &self.bound[bound] {
            let Some(carrier) = carrier[particle as usize] else {
                continue;
            };
            let offset = x - rest[particle as usize];
            position += (carrier.position + carrier.deformation_gradient * offset) * weight;
            velocity += carrier.velocity * weight;
            gradient += carrier.deformation_gradient * weight;
            total += weight;
            if weight > most {
                (nearest, most) = (particle, weight);
            }
        }
        Carried {
            position: position / total,
            velocity: velocity / total,
            deformation_gradient: gradient * (1.0 / total),
            nearest,
        }
    }
}

/// Pairs of some triangles of a mesh that cross, found on all threads.
fn crossing(mesh: &TriangleMesh, triangles: impl IntoIterator<Item = u32>) -> Vec<[u32; 2]> {
    self_intersections_among(mesh, triangles, |count, piece| {
        parallel::for_indices(count, piece)
    })
}

/// For each vertex of a surface the first that the mesh had at its place.
fn first(surface: &BoundMesh) -> Vec<u32> {
    let of_mesh = TriangleMesh {
        vertices: surface.mesh.vertices[..surface.skin].to_vec(),
        triangles: Vec::new(),
    };
    let mut first = first_at_place(&of_mesh);
    first.extend(surface.skin as u32..surface.mesh.vertices.len() as u32);
    first
}

/// The surface of a body, cut where it is.
fn cut(render: &RenderMesh, body: &dyn RestBody, sides: &CrackSides<'_>) -> BoundMesh {
    let spacing = body.spacing();
    let is_near = |x: DVec3| sides.is_near_crack(x);
    let longest = |x: DVec3| {
        if is_near(x) {
            FINE * spacing
        } else {
            f64::INFINITY
        }
    };
    if sides.cracks().is_empty() {
        return whole(render.mesh.clone(), sides);
    }
    let mesh = refined_where(&render.mesh, longest);
    let lattice = CrackLattice::new(sides, &mesh, |x| render.distance(x), spacing);
    let mut welded = Welded::new(&mesh);
    let cut = Cut {
        sides,
        lattice: &lattice,
        is_closed: is_closed(&welded.mesh),
        gap: GAP * spacing,
    };
    let is_inside = |x: DVec3| render.distance(x) < 0.0;
    for variant in 0..VARIANTS {
        if let Ok(found) = cut.cut(&welded, &sheet(&lattice, variant), is_inside) {
            return found;
        }
        welded.shake(NOISE * spacing, variant);
    }
    whole(mesh, sides)
}

/// The texture coordinates of some triangles of a surface.
fn uv(map: &UvMap, surface: &BoundMesh, triangles: &[usize]) -> Vec<TriangleUv> {
    let mut uv = vec![TriangleUv::default(); triangles.len()];
    parallel::for_chunks(&mut uv, |first, uv| {
        for (uv, &triangle) in uv.iter_mut().zip(&triangles[first..]) {
            if triangle < surface.faces {
                *uv = map.of_triangle(surface.mesh.corners(triangle));
            }
        }
    });
    uv
}

/// A surface that is not cut.
fn whole(mesh: TriangleMesh, sides: &CrackSides<'_>) -> BoundMesh {
    let mut bound = vec![Bound::new(); mesh.vertices.len()];
    parallel::for_chunks(&mut bound, |first, bound| {
        for (bound, &x) in bound.iter_mut().zip(&mesh.vertices[first..]) {
            *bound = sides.at(x).bound;
        }
    });
    BoundMesh {
        skin: mesh.vertices.len(),
        faces: mesh.triangles.len(),
        mesh,
        bound,
    }
}
