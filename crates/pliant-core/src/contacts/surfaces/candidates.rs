//! Who may meet whom within a substep: boxes around the ways of particles, triangles and edges.

use std::ops::Range;

use pliant_geometry::Aabb;
use pliant_math::{DVec3, Real, to_double};

use super::contact::RADII_SHARE;
use super::layout::Ground;
use super::passages::LEAST_SHARE;
use super::patches::Patches;
use super::regions::{Apart, Motion, Regions};
use super::tree::{overlap, union};
use crate::parallel;
use crate::particles::Particles;

/// Triangles and edges of all cloth, by places in the columns of the particles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surface {
    /// Corners of the triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Ends of the edges.
    pub edges: Vec<[u32; 2]>,
    /// Places of the particles of cloth.
    pub vertices: Range<usize>,
    /// Particles from this place on meet no surface: those of rigid bodies.
    pub met: usize,
}

/// Four particles that may meet: a particle and the corners of a triangle, or the ends of two edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Places.
    pub points: [u32; 4],
    /// True for a particle and a triangle.
    pub is_triangle: bool,
}

/// Room [radii] around ways for what neighbours push.
const PUSHED: f64 = 0.3;

/// Patches that one task works on.
const PATCHES_A_TASK: usize = 32;

/// The search; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Candidates {
    /// Those that may meet: of each particle together, then those of edges. Their order depends on when
    /// the patches were made, and some that meet nobody may be left out, so nothing else may depend on it.
    pub all: Vec<Candidate>,
    /// Box around the way of each particle.
    boxes: Vec<Aabb>,
    /// Velocity that the boxes are for [m/s].
    velocity: Vec<DVec3>,
    /// Distance [m] by which ways may differ from those of the boxes.
    room: Vec<f64>,
    built_for: Surface,
    patches: Patches,
    regions: Regions,
    patch_boxes: Vec<Aabb>,
    tasks: Vec<Task>,
    chunks: Vec<Vec<Candidate>>,
}

/// What a task finds, and its scratch.
#[derive(Debug, Default)]
struct Task {
    of_triangles: Vec<Candidate>,
    of_edges: Vec<Candidate>,
    /// Patches that the one at hand may meet.
    near: Vec<u32>,
    /// What of them does, with boxes.
    items: Vec<(Aabb, u32)>,
}

impl Candidates {
    /// Finds what may touch on the ways that the velocities lead in a substep of `dt` [s].
    ///
    /// * `acceleration` — greatest change of velocity to come, over dt [m/s2]
    pub fn find(&mut self, surface: &Surface, particles: &Particles, acceleration: f64, dt: f64) {
        self.lay_out(surface, &particles.position);
        self.fit(surface, particles, acceleration, dt);
        let radius = particles.radius[surface.vertices.clone()].iter();
        let radius = f64::from(radius.fold(0.0, |a: Real, &b| a.max(b)));
        let still = 2.0 * RADII_SHARE * radius + 2.0 * acceleration * dt * dt;
        self.collect(surface, particles, dt, Apart::ForContacts(still));
    }

    /// Finds what may meet on the ways that the velocities lead now, if what was found does not hold it.
    pub fn follow(&mut self, surface: &Surface, particles: &Particles, dt: f64) {
        let apart = Apart::ForWays(LEAST_SHARE);
        let has_room = self.has_room(particles, dt);
        if !has_room {
            self.fit(surface, particles, 0.0, dt);
        }
        let regions = &mut self.regions;
        let still_hold = with_motion(surface, particles, dt, |m| regions.still_hold(m, apart));
        if !(has_room && still_hold) {
            self.collect(surface, particles, dt, apart);
        }
    }

    /// True if no particle has left the room around its way.
    fn has_room(&self, particles: &Particles, dt: f64) -> bool {
        let moved = self.velocity.iter().zip(&particles.velocity);
        let mut ways = moved.zip(&self.room);
        ways.all(|((old, &new), &room)| (to_double(new) - *old).length() * dt <= room)
    }

    /// Boxes of particles and of patches.
    fn fit(&mut self, surface: &Surface, particles: &Particles, acceleration: f64, dt: f64) {
        self.fit_boxes(surface.vertices.clone(), particles, acceleration, dt);
        self.fit_patches(surface);
    }

    /// All in overlapping boxes that are not known to stay apart.
    fn collect(&mut self, surface: &Surface, particles: &Particles, dt: f64, apart: Apart) {
        let (regions, patches) = (&mut self.regions, &self.patches);
        with_motion(surface, particles, dt, |m| regions.hold(patches, m, apart));
        self.all.clear();
        self.find_in_patches(surface);
        self.find_others(surface);
        self.all
            .extend(self.tasks.iter().flat_map(|task| &task.of_edges));
    }

    fn fit_boxes(
        &mut self,
        vertices: Range<usize>,
        particles: &Particles,
        acceleration: f64,
        dt: f64,
    ) {
        let count = particles.len();
        self.velocity.clear();
        let velocity = particles.velocity.iter().map(|&v| to_double(v));
        self.velocity.extend(velocity);
        // Seen from what moves with the cloth, ways are short.
        let of_cloth = &self.velocity[vertices];
        let drift = of_cloth.iter().sum::<DVec3>() / of_cloth.len().max(1) as f64;
        self.room.clear();
        let room = |radius: &Real| PUSHED * f64::from(*radius) + 2.0 * acceleration * dt * dt;
        self.room.extend(particles.radius.iter().map(room));
        self.boxes.resize(count, Aabb::EMPTY);
        let (velocity, room) = (&self.velocity, &self.room);
        parallel::for_chunks(&mut self.boxes, |first, boxes| {
            for (k, bounds) in boxes.iter_mut().enumerate() {
                let i = first + k;
                let start = particles.position[i];
                let end = start + (velocity[i] - drift) * dt;
                let around = f64::from(particles.radius[i]) + room[i];
                *bounds = Aabb {
                    min: start.min(end) - around,
                    max: start.max(end) + around,
                };
            }
        });
    }

    /// Patches for another surface; regions for one that has come a second time, as one that tears is
    /// another one in every substep.
    fn lay_out(&mut self, surface: &Surface, position: &[DVec3]) {
        let shape = |s: &Surface| (s.triangles.len(), s.edges.len(), s.vertices.len());
        let is_same = shape(surface) == shape(&self.built_for)
            && same_up_to_shift(&surface.triangles, surface, &self.built_for);
        if !is_same {
            let middles = surface.triangles.iter().map(|corners| {
                let [a, b, c] = corners.map(|i| position[i as usize]);
                (a + b + c) / 3.0
            });
            self.patches = Patches::new(surface, &middles.collect::<Vec<DVec3>>());
            self.regions = Regions::default();
            self.built_for = surface.clone();
        } else if self.regions.is_empty() {
            let first = surface.vertices.start as u32;
            let corners = surface.triangles.iter().map(|t| t.map(|i| i - first));
            let corners: Vec<[u32; 3]> = corners.collect();
            let position = position[surface.vertices.clone()].to_vec();
            self.regions = Regions::new(Ground::new(corners, position), &self.patches);
        }
    }

    fn fit_patches(&mut self, surface: &Surface) {
        let (boxes, patches) = (&self.boxes[surface.vertices.clone()], &mut self.patches);
        self.patch_boxes.resize(patches.count(), Aabb::EMPTY);
        parallel::for_chunks_of(&mut self.patch_boxes, PATCHES_A_TASK, |first, bounds| {
            for (patch, bounds) in (first as u32..).zip(bounds) {
                let corners = patches.corners.of(patch).iter();
                let around = corners.map(|&corner| boxes[corner as usize]);
                *bounds = around.fold(Aabb::EMPTY, union);
            }
        });
        patches.tree.fit(&self.patch_boxes);
    }

    /// Particles and triangles, and edges, of patches that may meet.
    fn find_in_patches(&mut self, surface: &Surface) {
        let count = self.patches.count().div_ceil(PATCHES_A_TASK);
        self.tasks.resize_with(count, Task::default);
        let mut tasks = std::mem::take(&mut self.tasks);
        parallel::for_items(&mut tasks, |number, task| {
            task.of_triangles.clear();
            task.of_edges.clear();
            let first = number * PATCHES_A_TASK;
            for patch in first..(first + PATCHES_A_TASK).min(self.patches.count()) {
                self.find_of_patch(patch as u32, surface, task);
            }
        });
        self.all
            .extend(tasks.iter().flat_map(|task| &task.of_triangles));
        self.tasks = tasks;
    }

    fn find_of_patch(&self, patch: u32, surface: &Surface, task: &mut Task) {
        let bounds = &self.patch_boxes[patch as usize];
        task.near.clear();
        let (tree, regions) = (&self.patches.tree, &self.regions);
        tree.overlapping(bounds, regions.apart(patch), |other| {
            if !regions.are_apart(patch, other) {
                task.near.push(other);
            }
        });
        if !task.near.is_empty() {
            self.find_triangles(patch, surface, task);
            self.find_edges(patch, surface, task);
        }
    }

    /// The particles of a patch with the triangles of those near it.
    fn find_triangles(&self, patch: u32, surface: &Surface, task: &mut Task) {
        let bounds = &self.patch_boxes[patch as usize];
        task.items.clear();
        for &triangle in task
            .near
            .iter()
            .flat_map(|&near| self.patches.tree.items(near))
        {
            let around = self.around_triangle(surface, triangle);
            if overlap(&around, bounds) {
                task.items.push((around, triangle));
            }
        }
        for &vertex in self.patches.vertices.of(patch) {
            let i = (surface.vertices.start as u32) + vertex;
            for (around, triangle) in &task.items {
                if overlap(&self.boxes[i as usize], around) {
                    task.of_triangles
                        .extend(with_triangle(i, *triangle, surface));
                }
            }
        }
    }

    /// The edges of a patch with each other and with those of later patches near it.
    fn find_edges(&self, patch: u32, surface: &Surface, task: &mut Task) {
        let bounds = &self.patch_boxes[patch as usize];
        let around = |edge: u32| {
            let [a, b] = surface.edges[edge as usize].map(|i| self.boxes[i as usize]);
            union(a, b)
        };
        task.items.clear();
        for &near in task.near.iter().filter(|&&near| near >= patch) {
            for &edge in self.patches.edges.of(near) {
                let around = around(edge);
                if overlap(&around, bounds) {
                    task.items.push((around, edge));
                }
            }
        }
        let is_alone = !task.near.contains(&patch);
        for (place, &edge) in self.patches.edges.of(patch).iter().enumerate() {
            // Its own edges come first, all of them.
            let later = if is_alone { 0 } else { place + 1 };
            let own = around(edge);
            for (around, other) in &task.items[later..] {
                if overlap(&own, around) {
                    task.of_edges.extend(of_edges(edge, *other, surface));
                }
            }
        }
    }

    /// Particles of no patch with triangles.
    fn find_others(&mut self, surface: &Surface) {
        let mut chunks = std::mem::take(&mut self.chunks);
        let count = parallel::chunk_count(self.boxes.len());
        chunks.resize_with(count, Vec::new);
        parallel::for_items(&mut chunks, |number, chunk| {
            chunk.clear();
            let first = number * parallel::CHUNK;
            for i in first
                ..(first + parallel::CHUNK)
                    .min(self.boxes.len())
                    .min(surface.met)
            {
                let is_vertex = surface.vertices.contains(&i);
                if !is_vertex || !self.patches.has((i - surface.vertices.start) as u32) {
                    self.find_other(i, surface, chunk);
                }
            }
        });
        self.all.extend(chunks.iter().flatten());
        self.chunks = chunks;
    }

    fn find_other(&self, i: usize, surface: &Surface, found: &mut Vec<Candidate>) {
        let bounds = &self.boxes[i];
        let tree = &self.patches.tree;
        tree.overlapping(bounds, 0..0, |patch| {
            for &triangle in tree.items(patch) {
                if overlap(bounds, &self.around_triangle(surface, triangle)) {
                    found.extend(with_triangle(i as u32, triangle, surface));
                }
            }
        });
    }

    fn around_triangle(&self, surface: &Surface, triangle: u32) -> Aabb {
        let [a, b, c] = surface.triangles[triangle as usize].map(|i| self.boxes[i as usize]);
        union(union(a, b), c)
    }
}

/// Calls `f` with the shape of a surface and what it does in a substep of `dt` [s].
fn with_motion<R>(
    surface: &Surface,
    particles: &Particles,
    dt: f64,
    f: impl FnOnce(Motion<'_>) -> R,
) -> R {
    let (position, velocity) = (&particles.position, &particles.velocity);
    let sides = |triangle: usize| {
        let [a, b, c] = surface.triangles[triangle].map(|i| i as usize);
        let change = |k: usize| to_double(velocity[k]) - to_double(velocity[a]);
        let (one, other) = (position[b] - position[a], position[c] - position[a]);
        [one, other, change(b), change(c)]
    };
    let first = surface.vertices.start;
    f(Motion {
        position: &|vertex| position[first + vertex as usize],
        sides: &sides,
        dt,
    })
}

/// A particle and a triangle that it is no corner of.
fn with_triangle(i: u32, triangle: u32, surface: &Surface) -> Option<Candidate> {
    let [a, b, c] = surface.triangles[triangle as usize];
    let is_corner = [a, b, c].contains(&i);
    (!is_corner).then_some(Candidate {
        points: [i, a, b, c],
        is_triangle: true,
    })
}

/// Two edges without a common end, the first of them first.
fn of_edges(one: u32, other: u32, surface: &Surface) -> Option<Candidate> {
    let (one, other) = (one.min(other) as usize, one.max(other) as usize);
    let ([a, b], [c, d]) = (surface.edges[one], surface.edges[other]);
    let is_joined = a == c || a == d || b == c || b == d;
    (!is_joined).then_some(Candidate {
        points: [a, b, c, d],
        is_triangle: false,
    })
}

/// True if the triangles are those that patches were made for, also if all places have moved on
/// together.
fn same_up_to_shift(triangles: &[[u32; 3]], now: &Surface, then: &Surface) -> bool {
    let shift = now.vertices.start.wrapping_sub(then.vertices.start) as u32;
    let mut pairs = triangles.iter().zip(&then.triangles);
    pairs.all(|(now, then)| *now == then.map(|corner| corner.wrapping_add(shift)))
}
