//! Which particles are inside of solids that are met by their boundary, and where they come out.
//!
//! A particle is inside where the boundary winds around it: along a ray, more of it faces the way out than
//! the way in. It is pushed to the nearest point of the boundary, however deep it is, and neither contacts
//! with the inner side of the boundary nor the last check hold it back. Particles of the own body are where
//! they belong. Solids that cross each other without a vertex of one inside the other have no contact there:
//! the last check lets none come so far.

use std::ops::Range;

use pliant_geometry::Aabb;
use pliant_math::simd::{Instructions, Job, Pack};
use pliant_math::{DVec3, Real};

use super::candidates::Candidates;
use super::contact::{Candidate, SurfaceSearch, add_exit, nearest_now};
use super::nearest::Nearest;
use super::surface::Surface;
use super::swept::{Margin, Record, around};
use crate::contacts::solve::ContactList;
use crate::parallel::{self, CHUNK};
use crate::particles::Particles;

/// A vertex of no solid.
const NONE: u32 = u32::MAX;

/// The nearest point of a boundary is searched for first within this share of the size of the solid.
const FIRST_SHARE: f64 = 1.0 / 64.0;

/// Who is inside in a substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Interior {
    solids: Vec<Solid>,
    /// Number of the solid of each vertex of the surface.
    solid_of_vertex: Vec<u32>,
    first_vertex: usize,
    tasks: Vec<Task>,
    /// Particles inside, each with the number of the solid, in order.
    inside: Vec<[u32; 2]>,
}

/// A solid in a substep.
#[derive(Clone, Debug)]
struct Solid {
    triangles: Range<usize>,
    is_inverted: bool,
    body: u32,
    /// Around its vertices [m].
    bounds: Aabb,
}

/// What is found among consecutive particles.
#[derive(Debug, Default)]
struct Task {
    inside: Vec<[u32; 2]>,
    contacts: ContactList,
    /// Patches near a particle.
    near: Vec<u32>,
}

impl Interior {
    /// Finds who is inside, now that boxes are fitted to all trajectories, and the contacts that lead out.
    pub fn find(
        &mut self,
        surface: &Surface,
        candidates: &Candidates,
        particles: &Particles,
        search: &SurfaceSearch<'_>,
    ) {
        self.list_solids(surface, particles);
        let solids = &self.solids[..];
        let met = match solids.is_empty() {
            true => 0,
            false => particles.len().min(surface.met),
        };
        self.tasks
            .resize_with(parallel::chunk_count(met), Task::default);
        parallel::for_items(&mut self.tasks, |number, task| {
            task.inside.clear();
            task.contacts.clear();
            Instructions::best().run(Finder {
                solids,
                surface,
                candidates,
                particles,
                search,
                range: number * CHUNK..((number + 1) * CHUNK).min(met),
                task,
            });
        });
        self.inside.clear();
        let inside = self.tasks.iter().flat_map(|task| &task.inside);
        self.inside.extend(inside);
    }

    /// The contacts that lead out, until they are handed over.
    pub fn contacts(&mut self) -> impl Iterator<Item = &mut ContactList> {
        self.tasks.iter_mut().map(|task| &mut task.contacts)
    }

    fn list_solids(&mut self, surface: &Surface, particles: &Particles) {
        self.first_vertex = surface.vertices.start;
        self.solids.clear();
        self.solid_of_vertex.clear();
        if !surface.boundaries.is_empty() {
            self.solid_of_vertex.resize(surface.vertices.len(), NONE);
        }
        for (number, boundary) in (0..).zip(&surface.boundaries) {
            let triangles = &surface.triangles[boundary.triangles.clone()];
            let vertices = || triangles.iter().flatten().map(|&vertex| vertex as usize);
            for vertex in vertices() {
                self.solid_of_vertex[vertex - self.first_vertex] = number;
            }
            self.solids.push(Solid {
                triangles: boundary.triangles.clone(),
                is_inverted: boundary.is_inverted,
                body: vertices().next().map_or(NONE, |i| particles.body[i]),
                bounds: Aabb::around(vertices().map(|i| particles.position[i])),
            });
        }
    }

    /// The solid that a vertex is part of.
    fn solid_of(&self, vertex: u32) -> Option<u32> {
        let place = (vertex as usize).checked_sub(self.first_vertex)?;
        let number = *self.solid_of_vertex.get(place)?;
        (number != NONE).then_some(number)
    }

    /// For a triangle that bounds a solid, by one of its corners: whether it is clockwise seen from outside.
    pub fn is_inverted(&self, corner: u32) -> Option<bool> {
        let number = self.solid_of(corner)?;
        Some(self.solids[number as usize].is_inverted)
    }

    /// True if anything is inside of a solid.
    #[cfg(test)]
    pub fn has_any(&self) -> bool {
        !self.inside.is_empty()
    }

    /// True if a particle of one of the two simplices of a candidate is inside the solid of the other one.
    pub fn is_inside(&self, candidate: &Candidate) -> bool {
        if self.inside.is_empty() {
            return false;
        }
        let points = &candidate.points;
        let (one, other) = points.split_at(if candidate.is_triangle { 1 } else { 2 });
        self.is_any_inside(one, other[0]) || self.is_any_inside(other, one[0])
    }

    /// True if one of some particles is inside the solid of a vertex.
    fn is_any_inside(&self, particles: &[u32], vertex: u32) -> bool {
        self.solid_of(vertex).is_some_and(|solid| {
            let is_in = |&particle: &u32| self.inside.binary_search(&[particle, solid]).is_ok();
            particles.iter().any(is_in)
        })
    }
}

/// Finds those of consecutive particles that are inside of solids.
struct Finder<'a> {
    solids: &'a [Solid],
    surface: &'a Surface,
    candidates: &'a Candidates,
    particles: &'a Particles,
    search: &'a SurfaceSearch<'a>,
    range: Range<usize>,
    task: &'a mut Task,
}

impl Job for Finder<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(mut self) {
        for i in self.range.clone() {
            for number in 0..self.solids.len() {
                let solid = &self.solids[number];
                let is_near = solid.bounds.contains(self.particles.position[i])
                    && solid.body != self.particles.body[i];
                if is_near && self.winding::<P>(i, solid) > 0 {
                    self.task.inside.push([i as u32, number as u32]);
                    self.add_exit::<P>(i, solid);
                }
            }
        }
    }
}

impl Finder<'_> {
    /// Lists the patches that a box overlaps.
    #[inline(always)]
    fn look<P: Pack>(&mut self, bounds: &[Real; 6]) {
        let (tree, near) = (&self.candidates.patches.tree, &mut self.task.near);
        near.clear();
        tree.add_overlapping::<P>(bounds, 0..0, near);
    }

    /// The triangles of a solid in the patches that were listed last.
    fn near_triangles(&self, solid: &Solid) -> impl Iterator<Item = [u32; 3]> {
        let tree = &self.candidates.patches.tree;
        let items = self.task.near.iter().flat_map(|&patch| tree.items(patch));
        let own = items.filter(|&&triangle| solid.triangles.contains(&(triangle as usize)));
        own.map(|&triangle| self.surface.triangles[triangle as usize])
    }

    /// How often the boundary of a solid winds around a particle: the triangles along x beyond it that face
    /// the way out, less those that face the way in.
    #[inline(always)]
    fn winding<P: Pack>(&mut self, i: usize, solid: &Solid) -> i32 {
        let mut ray = self.around(i, 0.0);
        ray[3] = Real::MAX;
        self.look::<P>(&ray);
        let position = &self.particles.position;
        let crossings = self
            .near_triangles(solid)
            .map(|corners| crossing(position[i], corners, position));
        let winding: i32 = crossings.sum();
        if solid.is_inverted { -winding } else { winding }
    }

    /// Adds the contact with the nearest point of a solid's boundary.
    #[inline(always)]
    fn add_exit<P: Pack>(&mut self, i: usize, solid: &Solid) {
        let size = solid.bounds.extent().length();
        let mut within = FIRST_SHARE * size;
        loop {
            let bounds = self.around(i, within);
            self.look::<P>(&bounds);
            let nearest = self.nearest(i, solid);
            let is_certain = |&(_, nearest): &(Candidate, Nearest)| {
                nearest.between.length() <= within || within > size
            };
            if let Some((candidate, nearest)) = nearest.filter(is_certain) {
                let (particles, contacts) = (self.particles, &mut self.task.contacts);
                let exit = (candidate, solid.is_inverted);
                return add_exit(exit, &nearest, particles, self.search, contacts);
            }
            if within > size {
                return;
            }
            within *= 2.0;
        }
    }

    /// The nearest of the triangles in the patches that were listed last.
    fn nearest(&self, i: usize, solid: &Solid) -> Option<(Candidate, Nearest)> {
        let pairs = self.near_triangles(solid).map(|[a, b, c]| {
            let candidate = Candidate {
                points: [i as u32, a, b, c],
                is_triangle: true,
            };
            (candidate, nearest_now(&candidate, self.particles))
        });
        pairs.min_by(|(a, one), (b, other)| {
            let distances = [one, other].map(|nearest| nearest.between.length_squared());
            let by_distance = distances[0].total_cmp(&distances[1]);
            by_distance.then_with(|| a.points.cmp(&b.points))
        })
    }

    /// The box around a particle's trajectory and so much more [m].
    #[inline(always)]
    fn around(&self, i: usize, more: f64) -> [Real; 6] {
        let record: &Record = &self.candidates.swept.records[i];
        let margin = Margin {
            radii: 0.0,
            added: more as Real,
        };
        around(record, margin)
    }
}

/// 1 if the ray from a point along x leaves through a triangle whose corners are counter-clockwise from
/// outside, -1 if it enters, 0 if it passes by. Rays through an edge meet one of the triangles there, so that
/// those through closed surfaces are counted right.
fn crossing(point: DVec3, corners: [u32; 3], position: &[DVec3]) -> i32 {
    let [a, b, c] = corners;
    let winding: i32 = [[a, b], [b, c], [c, a]]
        .map(|side| side_crossing(point, side, position))
        .iter()
        .sum();
    if winding == 0 {
        return 0;
    }
    let [a, b, c] = corners.map(|corner| position[corner as usize] - point);
    let normal = (b - a).cross(c - a);
    let is_beyond = normal.dot(a) * normal.x > 0.0;
    if is_beyond { winding } else { 0 }
}

/// What a side adds to how often a triangle, seen along x, winds around a point: 1 where it passes beyond it
/// along y on the way up z, -1 on the way down. The same side on its way back adds the opposite.
fn side_crossing(point: DVec3, [from, to]: [u32; 2], position: &[DVec3]) -> i32 {
    let (lesser, greater) = (from.min(to), from.max(to));
    let [a, b] = [lesser, greater].map(|corner| position[corner as usize] - point);
    let (a_above, b_above) = (a.z > 0.0, b.z > 0.0);
    if a_above == b_above {
        return 0;
    }
    let area = a.y * b.z - a.z * b.y;
    let is_beyond = (area > 0.0) == b_above;
    let up = if b_above { 1 } else { -1 };
    let along = if from == lesser { up } else { -up };
    if is_beyond { along } else { 0 }
}
