//! A mesh cut along a sheet: closed again where it was closed, with vertices that its parts share.
//!
//! The mesh is divided along the curves in which the sheet meets it, and apart there; inside of it the sheet has two
//! faces. Points of the sheet have a copy for each side that they have, and are one where it ends.

use std::collections::BTreeMap;

use pliant_geometry::{Arrangement, NotGeneric, TriangleMesh};
use pliant_math::DVec3;
use pliant_parallel as parallel;

use super::bound_mesh::BoundMesh;
use super::crack_lattice::CrackLattice;
use super::crack_sides::{Bound, CrackSides};
use super::division::{Corner, Division};
use super::sheet::Sheet;
use super::vertex_neighbors::VertexNeighbors;
use super::welded::Welded;

/// What a mesh is cut along.
pub(super) struct Cut<'a> {
    pub sides: &'a CrackSides<'a>,
    pub lattice: &'a CrackLattice,
    /// Whether each edge of the mesh has two triangles.
    pub is_closed: bool,
    /// How far both faces of a cut are from where they meet [m].
    pub gap: f64,
}

impl Cut<'_> {
    /// A mesh that is cut.
    ///
    /// * `is_inside` — whether a point [m] lies inside of it
    ///
    /// # Errors
    /// [`NotGeneric`] if a vertex of mesh or sheet lies in a face of the other.
    pub fn cut(
        &self,
        welded: &Welded<'_>,
        sheet: &Sheet,
        is_inside: impl Fn(DVec3) -> bool,
    ) -> Result<BoundMesh, NotGeneric> {
        let mesh = &welded.mesh;
        let arrangement = Arrangement::new(mesh, &sheet.mesh)?;
        let inside = if self.is_closed {
            arrangement.inside_first(mesh, is_inside)
        } else {
            let parts = arrangement.parts[1].iter();
            parts
                .map(|part| is_inside(arrangement.middle(part)))
                .collect()
        };
        let mut division = Division::new(mesh, sheet, &arrangement, &inside);
        division.split_chords();
        let mut triangles = division.skin();
        let faces = division.parts[1].iter();
        triangles.extend(faces.flat_map(|part| division.faces(part)));
        let mut bound = self.bound(&division, &triangles);
        for (corners, part) in bound.mesh.triangles.iter_mut().zip(&division.parts[0]) {
            let of_mesh = |corner: &&mut u32| (**corner as usize) < mesh.vertices.len();
            for corner in corners.iter_mut().filter(of_mesh) {
                *corner = welded.original(part.triangle, *corner);
            }
        }
        bound.unweld(welded);
        Ok(bound)
    }

    /// The mesh of some triangles.
    fn bound(&self, division: &Division<'_>, triangles: &[[Corner; 3]]) -> BoundMesh {
        let mut vertices = division.mesh.vertices.clone();
        let mut bound: Vec<Option<Bound>> = vec![None; vertices.len()];
        let mut numbers = BTreeMap::new();
        let mut number = |corner: Corner| match corner {
            Corner::Vertex(vertex) => vertex,
            Corner::Copy(point, node) => *numbers.entry(corner).or_insert_with(|| {
                let place = division.place(point);
                let on = division.on(point);
                let side = division.sheet.side_of(on, node);
                bound.push(Some(self.sides.carriers(place, &self.around(&side))));
                vertices.push(place);
                vertices.len() as u32 - 1
            }),
        };
        let triangles = triangles.iter().map(|corners| corners.map(&mut number));
        let triangles = triangles.collect();
        let mesh = TriangleMesh {
            vertices,
            triangles,
        };
        let mut bound = BoundMesh {
            bound: self.spread(&mesh, bound),
            mesh,
            skin: division.mesh.vertices.len(),
            faces: division.parts[0].len(),
        };
        bound.separate_fans(bound.skin as u32);
        bound.draw_apart(self.gap);
        bound
    }

    /// The particles around some nodes.
    fn around(&self, nodes: &[u32]) -> Bound {
        let of = nodes
            .iter()
            .map(|&node| &self.lattice.side[node as usize].bound);
        union(of)
    }

    /// Tells what carries vertices near cracks by those beside them, from the cracks on, and others by where they
    /// are.
    fn spread(&self, mesh: &TriangleMesh, mut bound: Vec<Option<Bound>>) -> Vec<Bound> {
        let vertices = mesh.vertices.len();
        let beside = VertexNeighbors::of(mesh);
        let beside = |vertex: u32| beside.of_vertex(vertex);
        let mut last: Vec<u32> = (0..vertices as u32)
            .filter(|&v| bound[v as usize].is_some())
            .collect();
        while !last.is_empty() {
            let mut next: Vec<u32> = last.iter().flat_map(|&v| beside(v)).collect();
            next.sort_unstable();
            next.dedup();
            next.retain(|&v| {
                bound[v as usize].is_none() && self.sides.is_near_crack(mesh.vertices[v as usize])
            });
            let mut found = vec![Bound::new(); next.len()];
            parallel::for_chunks(&mut found, |first, found| {
                for (found, &vertex) in found.iter_mut().zip(&next[first..]) {
                    let known = beside(vertex).filter_map(|v| bound[v as usize].as_ref());
                    *found = self
                        .sides
                        .carriers(mesh.vertices[vertex as usize], &union(known));
                }
            });
            for (&vertex, found) in next.iter().zip(found) {
                bound[vertex as usize] = Some(found);
            }
            last = next;
        }
        let known = bound;
        let mut bound = vec![Bound::new(); vertices];
        parallel::for_chunks(&mut bound, |first, bound| {
            for (k, bound) in bound.iter_mut().enumerate() {
                let place = mesh.vertices[first + k];
                *bound = match &known[first + k] {
                    Some(known) => known.clone(),
                    None => self.sides.at(place).bound,
                };
            }
        });
        bound
    }
}

/// All particles that carry something, with one of their weights.
fn union<'a>(all: impl Iterator<Item = &'a Bound>) -> Bound {
    let mut around: Bound = all.flatten().copied().collect();
    around.sort_by_key(|(particle, _)| *particle);
    around.dedup_by_key(|(particle, _)| *particle);
    around
}
