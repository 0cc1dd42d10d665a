//! Which particles are inside of solids that are met by their boundary, and where they come out.
//!
//! A particle is inside where the boundary winds around it: along a ray, more of it faces the way out than
//! the way in. It is pushed to the nearest point of the boundary, however deep it is, and neither contacts
//! with the inner side of the boundary nor the last check hold it back. Particles of the own body are where
//! they belong.
//!
//! Of two solids that overlap, vertices near an edge would go another way than all others, past the side of
//! the other solid, and jam. So all vertices of one in the other take the mean way, weighted by depth, as far
//! as they have one (compare the consistent directions of Heidelberger et al. 2004). Those whose sides are
//! flush besides stay, as friction there holds them. Solids that cross each other without a vertex of one
//! inside the other have no contact there: the last check lets none come so far.

use std::ops::Range;

use pliant_geometry::Aabb;
use pliant_math::simd::{Instructions, Job, Pack};
use pliant_math::{DVec3, Real};
use rustc_hash::FxHashMap;

use super::candidates::Candidates;
use super::patches::Patches;
use super::rays::{Side, crossing, hit};
use super::surface::Surface;
use super::swept::{Margin, around};
use crate::contacts::broad::{Bounds, Tree, bounds_of, splat};
use crate::contacts::narrow::{Candidate, Nearest, SurfaceSearch, add_exit, nearest_now};
use crate::contacts::solve::ContactList;
use crate::parallel::{self, CHUNK};
use crate::particles::Particles;

/// A vertex of no solid.
const NONE: u32 = u32::MAX;

/// The nearest point of a boundary is searched for first within this share of the size of the solid.
const FIRST_SHARE: f64 = 1.0 / 64.0;

/// Two solids have a common way out if the sum of all ways is no shorter than this share of the sum of their
/// lengths. Cubes that overlap at a corner have 0.58.
const LEAST_COHERENCE: f64 = 0.5;

/// Who is inside in a substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Interior {
    solids: Vec<Solid>,
    /// Solids by their boxes.
    tree: Tree,
    /// Number of the solid of each vertex of the surface.
    solid_of_vertex: Vec<u32>,
    first_vertex: usize,
    tasks: Vec<Task>,
    /// Particles inside, each with the number of the solid, in order.
    inside: Vec<[u32; 2]>,
    /// Ways out of pairs of solids.
    ways: FxHashMap<[u32; 2], Way>,
}

/// The ways out of vertices of two solids that overlap, as the later one goes.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    /// Their sum [m].
    sum: DVec3,
    /// Sum of their lengths [m].
    length: f64,
}

/// A particle inside of a solid, and where it comes out.
#[derive(Clone, Copy, Debug)]
struct Exit {
    solid: u32,
    candidate: Candidate,
    nearest: Nearest,
}

/// A solid in a substep.
#[derive(Clone, Debug)]
struct Solid {
    triangles: Range<usize>,
    /// All of its patches, and maybe others.
    patches: Range<u32>,
    is_inverted: bool,
    body: u32,
    /// Around its vertices [m].
    bounds: Aabb,
}

/// What is found among consecutive particles.
#[derive(Debug, Default)]
struct Task {
    exits: Vec<Exit>,
    contacts: ContactList,
    /// Solids whose boxes hold a particle.
    around: Vec<u32>,
    near: Near,
}

/// What is near a particle.
#[derive(Debug, Default)]
struct Near {
    patches: Vec<u32>,
    /// Corners of triangles of one solid.
    triangles: Vec<[u32; 3]>,
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
        self.list_solids(surface, &candidates.patches, particles);
        let met = match self.solids.is_empty() {
            true => 0,
            false => particles.len().min(surface.met),
        };
        let mut tasks = std::mem::take(&mut self.tasks);
        tasks.resize_with(parallel::chunk_count(met), Task::default);
        let look = Look {
            surface,
            candidates,
            particles,
        };
        parallel::for_items(&mut tasks, |number, task| {
            task.exits.clear();
            Instructions::best().run(Find {
                solids: &self.solids,
                tree: &self.tree,
                look,
                range: number * CHUNK..((number + 1) * CHUNK).min(met),
                task,
            });
        });
        self.join(&tasks);
        parallel::for_items(&mut tasks, |_, task| {
            task.contacts.clear();
            if !task.exits.is_empty() {
                Instructions::best().run(Leave {
                    interior: self,
                    look,
                    search,
                    task,
                });
            }
        });
        self.tasks = tasks;
    }

    /// Lists who is inside, and the ways out of pairs of solids.
    fn join(&mut self, tasks: &[Task]) {
        self.inside.clear();
        self.ways.clear();
        for exit in tasks.iter().flat_map(|task| &task.exits) {
            let particle = exit.candidate.points[0];
            self.inside.push([particle, exit.solid]);
            if let Some((pair, sign)) = self.pair_of(exit) {
                let way = self.ways.entry(pair).or_default();
                way.sum -= exit.nearest.between * sign;
                way.length += exit.nearest.between.length();
            }
        }
    }

    /// For a vertex of a solid: the two solids, and 1 if its own is the later one, else -1.
    fn pair_of(&self, exit: &Exit) -> Option<([u32; 2], f64)> {
        let (own, other) = (self.solid_of(exit.candidate.points[0])?, exit.solid);
        let sign = if own > other { 1.0 } else { -1.0 };
        Some(([own.min(other), own.max(other)], sign))
    }

    /// The way out that a vertex has in common with all of its solid, unit.
    fn common_way(&self, exit: &Exit) -> Option<DVec3> {
        let (pair, sign) = self.pair_of(exit)?;
        let way = self.ways.get(&pair)?;
        let is_coherent = way.sum.length() >= LEAST_COHERENCE * way.length;
        let direction = way.sum.try_normalize()?;
        is_coherent.then_some(direction * sign)
    }

    /// The contacts that lead out, until they are handed over.
    pub fn contacts(&mut self) -> impl Iterator<Item = &mut ContactList> {
        self.tasks.iter_mut().map(|task| &mut task.contacts)
    }

    /// Takes over the boundaries, which change with the triangles only, and where they are.
    fn list_solids(&mut self, surface: &Surface, patches: &Patches, particles: &Particles) {
        self.first_vertex = surface.vertices.start;
        self.solids.clear();
        self.solid_of_vertex.clear();
        if surface.boundaries.is_empty() {
            return;
        }
        self.solid_of_vertex.resize(surface.vertices.len(), NONE);
        let boundaries = surface.boundaries.iter().zip(&patches.boundaries);
        for (number, (boundary, patches)) in (0..).zip(boundaries) {
            let vertices = surface.triangles[boundary.triangles.clone()].iter();
            for &vertex in vertices.clone().flatten() {
                self.solid_of_vertex[vertex as usize - self.first_vertex] = number;
            }
            let body = vertices.flatten().next();
            self.solids.push(Solid {
                triangles: boundary.triangles.clone(),
                patches: patches.clone(),
                is_inverted: boundary.is_inverted,
                body: body.map_or(NONE, |&i| particles.body[i as usize]),
                bounds: Aabb::EMPTY,
            });
        }
        let position = &particles.position[surface.vertices.clone()];
        for (&number, &x) in self.solid_of_vertex.iter().zip(position) {
            if let Some(solid) = self.solids.get_mut(number as usize) {
                solid.bounds = solid.bounds.including(x);
            }
        }
        if self.tree.leaf_count() != self.solids.len() {
            self.tree = Tree::of_leaves(self.solids.len());
        }
        let solids = &self.solids;
        self.tree.fit(|number| bounds_of(&solids[number].bounds));
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

    /// True if a particle is inside of a solid.
    #[cfg(test)]
    pub fn has(&self, particle: u32, solid: u32) -> bool {
        self.inside.binary_search(&[particle, solid]).is_ok()
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

/// What is looked at.
#[derive(Clone, Copy)]
struct Look<'a> {
    surface: &'a Surface,
    candidates: &'a Candidates,
    particles: &'a Particles,
}

/// Finds those of consecutive particles that are inside of solids.
struct Find<'a> {
    solids: &'a [Solid],
    tree: &'a Tree,
    look: Look<'a>,
    range: Range<usize>,
    task: &'a mut Task,
}

impl Job for Find<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self { look, task, .. } = self;
        let Particles { position, body, .. } = look.particles;
        let tied = &look.surface.tied;
        for i in self.range.filter(|&i| !look.surface.encloses(i)) {
            task.around.clear();
            let here = bounds_of(&Aabb::around([position[i]]));
            self.tree
                .add_overlapping::<P>(&here, 0..0, &mut task.around);
            for &number in &task.around {
                let solid = &self.solids[number as usize];
                let is_other = solid.body != body[i] && !tied.is_tied_to(i, solid.body);
                let is_near = is_other && solid.bounds.contains(position[i]);
                if !is_near || look.winding::<P>(i, solid, &mut task.near) <= 0 {
                    continue;
                }
                if let Some((candidate, nearest)) = look.nearest::<P>(i, solid, &mut task.near) {
                    task.exits.push(Exit {
                        solid: number,
                        candidate,
                        nearest,
                    });
                }
            }
        }
    }
}

/// Adds the contacts that lead out.
struct Leave<'a> {
    interior: &'a Interior,
    look: Look<'a>,
    search: &'a SurfaceSearch<'a>,
    task: &'a mut Task,
}

impl Job for Leave<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Task {
            exits,
            contacts,
            near,
            ..
        } = self.task;
        for exit in exits {
            let solid = &self.interior.solids[exit.solid as usize];
            let i = exit.candidate.points[0] as usize;
            let way = self.interior.common_way(exit);
            let along = way.and_then(|way| self.look.along::<P>(i, solid, way, near));
            let (candidate, nearest) = along.unwrap_or((exit.candidate, exit.nearest));
            let exit = (candidate, solid.is_inverted);
            add_exit(exit, &nearest, self.look.particles, self.search, contacts);
        }
    }
}

impl Look<'_> {
    /// The triangles of a solid whose boxes overlap a box, and maybe more.
    #[inline(always)]
    fn triangles<'a, P: Pack>(
        &self,
        bounds: &Bounds,
        solid: &Solid,
        near: &'a mut Near,
    ) -> &'a [[u32; 3]] {
        let Candidates {
            patches,
            triangle_boxes,
            ..
        } = self.candidates;
        near.patches.clear();
        near.triangles.clear();
        patches
            .tree
            .add_overlapping_of::<P>(bounds, solid.patches.clone(), &mut near.patches);
        let bounds = splat::<P>(bounds);
        for &patch in &near.patches {
            let items = patches.tree.items(patch);
            // What hangs together is of one solid.
            if !solid.triangles.contains(&(items[0] as usize)) {
                continue;
            }
            let mut bits = triangle_boxes[patch as usize].overlapping(&bounds);
            bits &= patches.triangle_lanes(patch);
            while bits != 0 {
                let triangle = items[bits.trailing_zeros() as usize];
                bits &= bits - 1;
                near.triangles
                    .push(self.surface.triangles[triangle as usize]);
            }
        }
        &near.triangles
    }

    /// How often the boundary of a solid winds around a particle: the triangles along x beyond it that face
    /// the way out, less those that face the way in. As there are as many of both along a line, those on the other
    /// side tell the same; the nearer end is chosen.
    #[inline(always)]
    fn winding<P: Pack>(&self, i: usize, solid: &Solid, near: &mut Near) -> i32 {
        let position = &self.particles.position;
        let beyond = solid.bounds.max.x - position[i].x;
        let behind = position[i].x - solid.bounds.min.x;
        let mut ray = self.around(i, 0.0);
        let (side, sign) = match beyond < behind {
            true => (Side::Beyond, 1),
            false => (Side::Behind, -1),
        };
        match side {
            Side::Beyond => ray[3] += beyond as Real,
            Side::Behind => ray[0] -= behind as Real,
        }
        let crossings = self
            .triangles::<P>(&ray, solid, near)
            .iter()
            .map(|&corners| crossing(position[i], side, corners, position));
        let winding: i32 = sign * crossings.sum::<i32>();
        if solid.is_inverted { -winding } else { winding }
    }

    /// The nearest point of a solid's boundary.
    #[inline(always)]
    fn nearest<P: Pack>(
        &self,
        i: usize,
        solid: &Solid,
        near: &mut Near,
    ) -> Option<(Candidate, Nearest)> {
        let size = solid.bounds.extent().length();
        let mut within = FIRST_SHARE * size;
        loop {
            let triangles = self.triangles::<P>(&self.around(i, within), solid, near);
            let pairs = triangles.iter().map(|&corners| {
                let candidate = with_triangle(i, corners);
                (candidate, nearest_now(&candidate, self.particles))
            });
            let nearest = least(pairs);
            let is_certain = nearest.is_some_and(|(_, n)| n.between.length() <= within);
            if is_certain || within > size {
                return nearest;
            }
            within *= 2.0;
        }
    }

    /// Where a way, unit, leads out of a solid first.
    #[inline(always)]
    fn along<P: Pack>(
        &self,
        i: usize,
        solid: &Solid,
        way: DVec3,
        near: &mut Near,
    ) -> Option<(Candidate, Nearest)> {
        let mut bounds = self.around(i, 0.0);
        let farthest = way * solid.bounds.extent().length();
        for (k, x) in farthest.to_array().into_iter().enumerate() {
            let side = if x < 0.0 { k } else { k + 3 };
            bounds[side] += x as Real;
        }
        let outward = if solid.is_inverted { -way } else { way };
        let position = &self.particles.position;
        let triangles = self.triangles::<P>(&bounds, solid, near).iter();
        let hits = triangles.filter_map(|&t| {
            let corners = t.map(|corner| position[corner as usize] - position[i]);
            Some((with_triangle(i, t), hit(corners, way, outward)?))
        });
        least(hits)
    }

    /// The box around a particle's trajectory and so much more [m].
    #[inline(always)]
    fn around(&self, i: usize, more: f64) -> Bounds {
        let margin = Margin {
            radii: 0.0,
            added: more as Real,
        };
        around(&self.candidates.swept.records[i], margin)
    }
}

fn with_triangle(i: usize, [a, b, c]: [u32; 3]) -> Candidate {
    Candidate {
        points: [i as u32, a, b, c],
        is_triangle: true,
    }
}

/// The candidate with the least distance, of equal ones the first by its places.
fn least(all: impl Iterator<Item = (Candidate, Nearest)>) -> Option<(Candidate, Nearest)> {
    all.min_by(|(a, one), (b, other)| {
        let distances = [one, other].map(|nearest| nearest.between.length_squared());
        let by_distance = distances[0].total_cmp(&distances[1]);
        by_distance.then_with(|| a.points.cmp(&b.points))
    })
}
