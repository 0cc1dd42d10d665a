//! A surface that crosses itself, until it does no more.

use pliant_geometry::topology::DisjointSets;
use pliant_geometry::{TriangleMesh, TriangleTree};
use pliant_parallel as parallel;

use super::super::crossing;
use super::super::vertex_neighbors::VertexNeighbors;
use super::facing::Facing;
use super::flattening::flatten;
use super::mended::Mended;
use super::region::Region;
use super::spreading::{Contact, spread};
use super::{DEPTH, RestSurface};

/// How far parts that overlap are apart thereafter, as a part of a spacing; less where they are nearer at rest.
const DISTANCE: f64 = 2e-3;

/// Cuts are mended more so often, after which they may be mended as much as can be.
const MENDS: usize = 4;

/// And so often at most, while it helps.
const MOST_MENDS: usize = 10;

/// Contacts are found anew so often at most.
const ROUNDS: i32 = 4;

/// How far around what crosses the surface is deformed evenly where nothing else helps [spacings], in turn.
const EVEN: [f64; 4] = [0.1, 0.3, 0.6, 0.9];

/// A surface that crosses itself.
pub(super) struct Overlap<'a> {
    surface: &'a RestSurface<'a>,
    /// As it is now.
    pub mesh: TriangleMesh,
    /// Where it crosses, or did.
    region: Region,
    /// Pairs of triangles that do.
    pub crossing: Vec<[u32; 2]>,
}

impl<'a> Overlap<'a> {
    /// Of a surface whose triangles cross.
    pub fn new(surface: &'a RestSurface<'a>, mesh: TriangleMesh, crossing: Vec<[u32; 2]>) -> Self {
        Self {
            region: Region::new(surface.spacing),
            surface,
            crossing,
            mesh,
        }
    }

    /// The same, so that none do if that can be.
    pub fn separated(mut self) -> Self {
        self.mend();
        if !self.crossing.is_empty() {
            let neighbors = VertexNeighbors::of(&self.mesh);
            self.spread(&neighbors);
            self.flatten(&neighbors);
        }
        self
    }

    /// Lets what is beside each other at rest be carried by what is on both sides of cuts.
    fn mend(&mut self) {
        let mut mended = Mended::new(self.surface, &self.mesh.vertices);
        for step in 0..MOST_MENDS {
            let beside = |pair: &&[u32; 2]| self.surface.are_beside(pair);
            let beside: Vec<u32> = (self.crossing.iter().filter(beside))
                .flatten()
                .copied()
                .collect();
            if beside.is_empty() || !mended.mend(&beside, &mut self.mesh.vertices) {
                return;
            }
            let near = self.near();
            let before = self.crossing.len();
            self.crossing = crossing(&self.mesh, near);
            if step >= MENDS && self.crossing.len() >= before {
                return;
            }
        }
    }

    /// Moves what overlaps apart.
    fn spread(&mut self, neighbors: &VertexNeighbors) {
        for round in 1..=ROUNDS {
            if self.crossing.is_empty() {
                return;
            }
            let distance = DISTANCE * self.surface.spacing * f64::from(round);
            let contacts = self.contacts(distance);
            let before = self.mesh.vertices.clone();
            spread(self.surface, neighbors, &contacts, &mut self.mesh.vertices);
            let near = self.near();
            let crossing = crossing(&self.mesh, near);
            if crossing.len() >= self.crossing.len() {
                self.mesh.vertices = before;
                return;
            }
            self.crossing = crossing;
        }
    }

    /// Deforms the surface evenly where it crosses itself.
    fn flatten(&mut self, neighbors: &VertexNeighbors) {
        for beyond in EVEN {
            if self.crossing.is_empty() {
                return;
            }
            let before = self.mesh.vertices.clone();
            let beyond = beyond * self.surface.spacing;
            flatten(
                self.surface,
                neighbors,
                &self.crossing,
                beyond,
                &mut self.mesh.vertices,
            );
            let near = self.near();
            let crossing = crossing(&self.mesh, near);
            if crossing.len() > self.crossing.len() {
                self.mesh.vertices = before;
            } else {
                self.crossing = crossing;
            }
        }
    }

    /// Triangles near those that cross, or did.
    fn near(&mut self) -> Vec<u32> {
        for &triangle in self.crossing.as_flattened() {
            self.region.add(self.mesh.corners(triangle as usize));
        }
        let triangles = 0..self.mesh.triangles.len() as u32;
        triangles
            .filter(|&triangle| self.region.touches(self.mesh.corners(triangle as usize)))
            .collect()
    }

    /// Where triangles look against each other and are nearer than a distance [m], in parts that cross.
    fn contacts(&mut self, distance: f64) -> Vec<Contact> {
        let near = self.near();
        let (surface, mesh) = (self.surface, &self.mesh);
        let facing = Facing {
            surface,
            mesh,
            distance,
        };
        let may_touch = |pair: [u32; 2]| !surface.share_vertex(pair) && facing.may_touch(pair);
        let pairs = TriangleTree::new(mesh, near).pairs(
            DEPTH * surface.spacing,
            may_touch,
            |count, piece| {
                parallel::for_indices(count, piece);
            },
        );
        let mut contacts = vec![Vec::new(); pairs.len()];
        parallel::for_items(&mut contacts, |k, contacts| {
            *contacts = facing.contacts(pairs[k]);
        });
        self.that_cross(contacts.concat())
    }

    /// Those contacts that hang together, by what overlaps, with triangles that cross.
    fn that_cross(&self, mut contacts: Vec<Contact>) -> Vec<Contact> {
        let mut sets = DisjointSets::new(self.mesh.vertices.len());
        for contact in &contacts {
            for pair in contact.vertices.as_flattened().windows(2) {
                sets.join(pair[0], pair[1]);
            }
        }
        let mut is_crossing = vec![false; self.mesh.vertices.len()];
        for &triangle in self.crossing.as_flattened() {
            for vertex in self.surface.triangles[triangle as usize] {
                is_crossing[sets.root(vertex) as usize] = true;
            }
        }
        contacts.retain(|contact| is_crossing[sets.root(contact.vertices[0][0]) as usize]);
        contacts
    }
}
