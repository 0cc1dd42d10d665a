//! Who may meet whom within a substep: boxes around the ways of particles, triangles and edges.

use std::ops::Range;

use pliant_geometry::Aabb;
use pliant_math::{DVec3, Real, to_double};

use super::tree::{Tree, overlap, union};
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

/// Leaves of the tree of edges that one task works on.
const LEAVES_A_TASK: usize = 128;

/// The search; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Candidates {
    /// Those that may meet: of each particle together, then those of edges. Their order depends on when
    /// the trees were built, so nothing else may depend on it.
    pub all: Vec<Candidate>,
    /// Box around the way of each particle.
    boxes: Vec<Aabb>,
    /// Velocity that the boxes are for [m/s].
    velocity: Vec<DVec3>,
    /// Distance [m] by which ways may differ from those of the boxes.
    room: Vec<f64>,
    built_for: Surface,
    triangles: Tree,
    edges: Tree,
    item_boxes: Vec<Aabb>,
    chunks: Vec<Vec<Candidate>>,
}

impl Candidates {
    /// Finds what may meet on the ways that the velocities lead in a substep of `dt` [s].
    ///
    /// * `acceleration` — greatest change of velocity to come, over dt [m/s2]
    pub fn find(&mut self, surface: &Surface, particles: &Particles, acceleration: f64, dt: f64) {
        self.fit_boxes(surface.vertices.clone(), particles, acceleration, dt);
        self.build_trees(surface, &particles.position);
        self.all.clear();
        self.fit_triangles(surface);
        self.find_triangles(surface, particles);
        self.fit_edges(surface);
        self.find_edges(surface);
    }

    /// True if no particle has left the room around its way.
    pub fn hold(&self, particles: &Particles, dt: f64) -> bool {
        let moved = self.velocity.iter().zip(&particles.velocity);
        let mut ways = moved.zip(&self.room);
        ways.all(|((old, &new), &room)| (to_double(new) - *old).length() * dt <= room)
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

    fn build_trees(&mut self, surface: &Surface, position: &[DVec3]) {
        let shape = |s: &Surface| (s.triangles.len(), s.edges.len());
        let is_same = shape(surface) == shape(&self.built_for)
            && same_up_to_shift(&surface.triangles, surface, &self.built_for);
        if is_same {
            return;
        }
        let at = |i: u32| position[i as usize];
        let middles = surface.triangles.iter().map(|t| t.map(at));
        let middles: Vec<DVec3> = middles.map(|[a, b, c]| (a + b + c) / 3.0).collect();
        self.triangles = Tree::new(&middles);
        let middles = surface.edges.iter().map(|e| e.map(at));
        let middles: Vec<DVec3> = middles.map(|[a, b]| (a + b) / 2.0).collect();
        self.edges = Tree::new(&middles);
        self.built_for = surface.clone();
    }

    fn fit_triangles(&mut self, surface: &Surface) {
        let boxes = &self.boxes;
        let around = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| boxes[i as usize]);
            union(union(a, b), c)
        };
        self.item_boxes.clear();
        self.item_boxes.extend(surface.triangles.iter().map(around));
        self.triangles.fit(&self.item_boxes);
    }

    fn find_triangles(&mut self, surface: &Surface, particles: &Particles) {
        let Self {
            boxes,
            triangles,
            item_boxes,
            chunks,
            all,
            ..
        } = self;
        let chunk_count = parallel::chunk_count(particles.len());
        chunks.resize_with(chunk_count, Vec::new);
        parallel::for_items(&mut chunks[..chunk_count], |number, chunk| {
            chunk.clear();
            let first = number * parallel::CHUNK;
            for i in first..(first + parallel::CHUNK).min(boxes.len()).min(surface.met) {
                triangles.overlapping(&boxes[i], |triangle| {
                    let [a, b, c] = surface.triangles[triangle as usize];
                    let is_corner = [a, b, c].contains(&(i as u32));
                    if !is_corner && overlap(&boxes[i], &item_boxes[triangle as usize]) {
                        chunk.push(Candidate {
                            points: [i as u32, a, b, c],
                            is_triangle: true,
                        });
                    }
                });
            }
        });
        all.extend(chunks[..chunk_count].iter().flatten());
    }

    fn fit_edges(&mut self, surface: &Surface) {
        let boxes = &self.boxes;
        let around = |e: &[u32; 2]| {
            let [a, b] = e.map(|i| boxes[i as usize]);
            union(a, b)
        };
        self.item_boxes.clear();
        self.item_boxes.extend(surface.edges.iter().map(around));
        self.edges.fit(&self.item_boxes);
    }

    fn find_edges(&mut self, surface: &Surface) {
        let Self {
            edges,
            item_boxes,
            chunks,
            all,
            ..
        } = self;
        let leaves: Vec<u32> = edges.leaves().collect();
        let chunk_count = leaves.len().div_ceil(LEAVES_A_TASK);
        chunks.resize_with(chunk_count.max(chunks.len()), Vec::new);
        parallel::for_items(&mut chunks[..chunk_count], |number, chunk| {
            chunk.clear();
            let first = number * LEAVES_A_TASK;
            for &leaf in &leaves[first..(first + LEAVES_A_TASK).min(leaves.len())] {
                edges.meeting_leaf(leaf, item_boxes, |one, other| {
                    let (one, other) = (one.min(other) as usize, one.max(other) as usize);
                    let ([a, b], [c, d]) = (surface.edges[one], surface.edges[other]);
                    let is_joined = a == c || a == d || b == c || b == d;
                    if !is_joined && overlap(&item_boxes[one], &item_boxes[other]) {
                        chunk.push(Candidate {
                            points: [a, b, c, d],
                            is_triangle: false,
                        });
                    }
                });
            }
        });
        all.extend(chunks[..chunk_count].iter().flatten());
    }
}

/// True if the triangles are those that trees were built for, also if all places have moved on
/// together.
fn same_up_to_shift(triangles: &[[u32; 3]], now: &Surface, then: &Surface) -> bool {
    let shift = now.vertices.start.wrapping_sub(then.vertices.start) as u32;
    let mut pairs = triangles.iter().zip(&then.triangles);
    pairs.all(|(now, then)| *now == then.map(|corner| corner.wrapping_add(shift)))
}
