//! Who may meet whom within a substep: boxes around the trajectories of particles, triangles and edges.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use pliant_math::simd::{Instructions, Job, LANES, Pack, Places};
use pliant_math::{Real, Vec3};

use super::certificates::{Certificates, Motion, Separation};
use super::passages::LEAST_SHARE;
use super::patches::Patches;
use super::reference::ReferenceShape;
use super::strays::Strays;
use super::surface::Surface;
use super::swept::{Margin, Record, Swept, around, around_all};
use super::task::Task;
use crate::contacts::broad::{Bounds, BoxRow, splat, union};
use crate::contacts::narrow::RADII_SHARE;
use crate::parallel::{self, gather_eight};
use crate::particles::Particles;

/// Room [radii] around trajectories for what neighbours push.
const PUSHED: f64 = 0.3;

/// Distance by which displacements may change until boxes are fitted anew, over the root of the mean area
/// of the triangles.
const ROOM: f64 = 0.1;

/// Part of the room in which the candidates of the last check are listed once.
const CHECKED: f64 = 0.25;

/// Patches that one task works on.
pub const PATCHES_A_TASK: usize = 16;

/// Rows of edges whose boxes one task fits.
const ROWS_A_TASK: usize = 64;

/// The search; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Candidates {
    /// What is found, by task: of patches, then of particles in no patch. What task it stands in depends
    /// on when the patches were made, and some that meet nobody may be left out, so nothing else may
    /// depend on it.
    pub tasks: Vec<Task>,
    /// The particles as they move now.
    pub swept: Swept,
    /// Places of those that may meet something.
    pub met: Vec<Range<usize>>,
    /// Velocities that the boxes are for [m/s]...
    pub(super) velocity: Vec<Vec3>,
    /// ...and the particles as they move with these.
    pub(super) fitted: Vec<Record>,
    /// By how much boxes are larger than trajectories.
    margin: Margin,
    /// Distance by which displacements may differ from those that the boxes are for [m].
    pub(super) room: f64,
    built_for: Surface,
    /// Triangles in patches, and these in space.
    pub patches: Patches,
    pub(super) certificates: Certificates,
    pub(super) strays: Strays,
    /// Boxes of the triangles of each patch.
    pub triangle_boxes: Vec<BoxRow>,
    /// Boxes of each row of edges.
    edge_boxes: Vec<BoxRow>,
    /// A box around each row of edges.
    edge_row_bounds: Vec<Bounds>,
}

impl Candidates {
    /// Finds what may touch on the trajectories that velocities lead in a substep of `dt` [s].
    ///
    /// * `acceleration` — greatest change of velocity to come, over dt [m/s2]
    pub fn find(&mut self, surface: &Surface, particles: &Particles, acceleration: f64, dt: f64) {
        self.lay_out(surface, particles);
        surface.list_met(particles.len(), &mut self.met);
        self.swept
            .update(particles, surface.vertices.clone(), &self.met, dt);
        let margin = contact_margin(acceleration, dt);
        self.fit(surface, particles, margin);
        let radius = particles.radius[surface.vertices.clone()].iter();
        let radius = f64::from(radius.fold(0.0, |a: Real, &b| a.max(b)));
        let still = 2.0 * RADII_SHARE * radius + f64::from(margin.added);
        self.collect(surface, particles, still);
    }

    /// Difference of displacements [m] up to which the last check looks at the same candidates.
    pub fn room_of_checks(&self) -> f64 {
        CHECKED * self.room
    }

    /// Boxes around all trajectories, larger than them by a margin and the room.
    pub(super) fn fit(&mut self, surface: &Surface, particles: &Particles, margin: Margin) {
        self.velocity.resize(particles.len(), Vec3::ZERO);
        self.fitted.resize(particles.len(), [0.0; 8]);
        for met in self.met.iter().cloned() {
            self.velocity[met.clone()].copy_from_slice(&particles.velocity[met.clone()]);
            self.fitted[met.clone()].copy_from_slice(&self.swept.records[met]);
        }
        self.margin = Margin {
            added: margin.added + self.room as Real,
            ..margin
        };
        self.fit_boxes(surface);
    }

    /// Boxes around the trajectories that they are for.
    pub(super) fn fit_boxes(&mut self, surface: &Surface) {
        let margin = self.margin;
        let records = &self.fitted[surface.vertices.clone()];
        let patches = &mut self.patches;
        self.triangle_boxes.resize(patches.count(), BoxRow::NOWHERE);
        let corners = &patches.triangle_rows;
        parallel::for_chunks_of(&mut self.triangle_boxes, PATCHES_A_TASK, |first, boxes| {
            let end = first + boxes.len();
            Instructions::best().run(Fit {
                records,
                corners: &corners[first..end],
                margin,
                boxes,
            });
        });
        self.edge_boxes
            .resize(patches.edge_rows.len(), BoxRow::NOWHERE);
        let ends = &patches.edge_rows;
        parallel::for_chunks_of(&mut self.edge_boxes, ROWS_A_TASK, |first, boxes| {
            let end = first + boxes.len();
            Instructions::best().run(Fit {
                records,
                corners: &ends[first..end],
                margin,
                boxes,
            });
        });
        let (rows, bounds) = (&self.edge_boxes, &mut self.edge_row_bounds);
        bounds.resize(rows.len(), Bounds::default());
        parallel::for_chunks_of(bounds, ROWS_A_TASK, |first, bounds| {
            for (bounds, row) in bounds.iter_mut().zip(&rows[first..]) {
                *bounds = row.around();
            }
        });
        let boxes = &self.triangle_boxes;
        patches.tree.fit(|patch| boxes[patch].around());
    }

    /// All in overlapping boxes that are not known to stay apart.
    ///
    /// * `still` — distance beyond which what does not move is no contact [m]
    pub(super) fn collect(&mut self, surface: &Surface, particles: &Particles, still: f64) {
        let vertices = surface.vertices.clone();
        let motion = Motion {
            position: &particles.position[vertices.clone()],
            records: &self.swept.records[vertices],
        };
        let apart = Separation {
            still,
            share: LEAST_SHARE,
            room: self.room,
        };
        self.certificates.validate(&self.patches, motion, apart);
        self.search(surface, particles, |_| true);
    }

    /// Finds anew what some of the tasks find.
    pub(super) fn search(
        &mut self,
        surface: &Surface,
        particles: &Particles,
        is_due: impl Fn(usize) -> bool + Sync,
    ) {
        let mut tasks = std::mem::take(&mut self.tasks);
        let of_patches = self.patches.count().div_ceil(PATCHES_A_TASK);
        let met = particles.len().min(surface.met);
        tasks.resize_with(of_patches + parallel::chunk_count(met), Task::default);
        parallel::for_items(&mut tasks, |number, task| {
            if !is_due(number) {
                return;
            }
            task.triangles.clear();
            task.edges.clear();
            task.is_listed = false;
            let search = Search {
                surface,
                candidates: self,
            };
            if let Some(chunk) = number.checked_sub(of_patches) {
                let first = chunk * parallel::CHUNK;
                let particles = first..(first + parallel::CHUNK).min(met);
                Instructions::best().run(Others {
                    search,
                    particles,
                    task: &mut *task,
                });
            } else {
                let first = number * PATCHES_A_TASK;
                let patches = first..(first + PATCHES_A_TASK).min(self.patches.count());
                Instructions::best().run(OfPatches {
                    search,
                    patches,
                    task: &mut *task,
                });
            }
            task.leave_out(surface);
        });
        self.tasks = tasks;
    }

    /// Patches for another surface; regions for one that has come a second time, as one that tears is
    /// another one in every substep.
    fn lay_out(&mut self, surface: &Surface, particles: &Particles) {
        let position = &particles.position[..];
        if !surface.has_topology_of(&self.built_for) {
            self.patches = Patches::new(surface, position);
            self.patches.note_passing(surface, &particles.body);
            self.certificates = Certificates::default();
            self.triangle_boxes.clear();
            self.edge_boxes.clear();
            self.room = ROOM * surface.mean_size(position);
            self.built_for = surface.clone();
        } else if self.certificates.is_empty() {
            let first = surface.vertices.start as u32;
            let corners = surface.triangles.iter().map(|t| t.map(|i| i - first));
            let corners: Vec<[u32; 3]> = corners.collect();
            let position = position[surface.vertices.clone()].to_vec();
            let mut shape = ReferenceShape::new(corners, position);
            let close = surface.close_at_rest.iter();
            let close = close.map(|(place, close)| (place - first, Arc::clone(close)));
            shape.close_at_rest.extend(close);
            self.certificates = Certificates::new(shape, &self.patches);
        }
    }
}

/// By how much boxes are larger than trajectories, for contacts to be found in them.
///
/// * `acceleration` — greatest change of velocity to come, over dt [m/s2]
pub fn contact_margin(acceleration: f64, dt: f64) -> Margin {
    Margin {
        radii: (1.0 + PUSHED) as Real,
        added: (2.0 * acceleration * dt * dt) as Real,
    }
}

/// Puts boxes around the trajectories of the corners of triangles, or of the ends of edges.
struct Fit<'a, const CORNERS: usize> {
    records: &'a [Record],
    corners: &'a [[Places; CORNERS]],
    margin: Margin,
    boxes: &'a mut [BoxRow],
}

impl<const CORNERS: usize> Job for Fit<'_, CORNERS> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        for (row, corners) in self.boxes.iter_mut().zip(self.corners) {
            let first = gather_eight::<P>(self.records, &corners[0]);
            let mut bounds = around_all(first, self.margin);
            for corner in &corners[1..] {
                let corner = gather_eight::<P>(self.records, corner);
                bounds = union(&bounds, &around_all(corner, self.margin));
            }
            row.store(&bounds);
        }
    }
}

/// What tasks read.
#[derive(Clone, Copy)]
struct Search<'a> {
    surface: &'a Surface,
    candidates: &'a Candidates,
}

/// Particles and triangles, and edges, of patches that may meet.
struct OfPatches<'a> {
    search: Search<'a>,
    patches: Range<usize>,
    task: &'a mut Task,
}

/// Particles of no patch with triangles.
struct Others<'a> {
    search: Search<'a>,
    particles: Range<usize>,
    task: &'a mut Task,
}

impl Job for OfPatches<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Candidates {
            patches,
            certificates,
            ..
        } = self.search.candidates;
        let task = self.task;
        for patch in self.patches {
            let patch = patch as u32;
            task.near.clear();
            patches
                .tree
                .add_near::<P>(patch, certificates, &mut task.near);
            patches.retain_met(patch, &mut task.near);
            if !task.near.is_empty() {
                task.box_near(|patch| patches.tree.bounds(patch));
                self.search.add_triangles::<P>(patch, task);
                self.search.add_edges::<P>(patch, task);
            }
        }
    }
}

impl Job for Others<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Search {
            surface,
            candidates,
        } = self.search;
        let (patches, task) = (&candidates.patches, self.task);
        for i in self.particles {
            if surface.encloses(i) {
                continue;
            }
            let vertex = i.wrapping_sub(surface.vertices.start);
            if surface.vertices.contains(&i) && patches.has(vertex as u32) {
                continue;
            }
            let bounds = around(&candidates.fitted[i], candidates.margin);
            task.near.clear();
            patches
                .tree
                .add_overlapping::<P>(&bounds, 0..0, &mut task.near);
            let bounds = splat::<P>(&bounds);
            for near in 0..task.near.len() {
                let patch = task.near[near];
                let boxes = &candidates.triangle_boxes[patch as usize];
                let bits = boxes.overlapping(&bounds) & patches.triangle_lanes(patch);
                self.search
                    .add_of_row(i as u32, patch, bits, &mut task.triangles);
            }
        }
    }
}

impl Search<'_> {
    /// The particles of a patch with the triangles of those near it.
    #[inline(always)]
    fn add_triangles<P: Pack>(&self, patch: u32, task: &mut Task) {
        let Candidates {
            patches,
            triangle_boxes,
            fitted,
            margin,
            ..
        } = self.candidates;
        for &vertex in patches.vertices.of(patch) {
            let i = self.surface.vertices.start + vertex as usize;
            let bounds = splat::<P>(&around(&fitted[i], *margin));
            for group in 0..task.near_boxes.len() {
                let mut near = task.near_boxes[group].overlapping(&bounds);
                while near != 0 {
                    let patch = task.near[LANES * group + near.trailing_zeros() as usize];
                    near &= near - 1;
                    let boxes = &triangle_boxes[patch as usize];
                    let bits = boxes.overlapping(&bounds) & patches.triangle_lanes(patch);
                    self.add_of_row(i as u32, patch, bits, &mut task.triangles);
                }
            }
        }
    }

    /// A particle with triangles of a patch that it is no corner of.
    #[inline(always)]
    fn add_of_row(&self, i: u32, patch: u32, mut bits: u32, found: &mut Vec<[u32; 4]>) {
        let first = self.surface.vertices.start as u32;
        let [a, b, c] = &self.candidates.patches.triangle_rows[patch as usize];
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let [a, b, c] = [
                first + a.get(lane) as u32,
                first + b.get(lane) as u32,
                first + c.get(lane) as u32,
            ];
            if a != i && b != i && c != i {
                found.push([i, a, b, c]);
            }
        }
    }

    /// The edges of a patch with each other and with those of later patches near it: of two patches, the first looks
    /// for them.
    #[inline(always)]
    fn add_edges<P: Pack>(&self, patch: u32, task: &mut Task) {
        let Candidates {
            patches,
            edge_row_bounds,
            ..
        } = self.candidates;
        let own_rows = patches.edge_rows_of(patch);
        task.near_rows.clear();
        let later = task.near.iter().filter(|&&other| other >= patch);
        let rows = later.flat_map(|&other| patches.edge_rows_of(other));
        task.near_rows.extend(rows);
        std::mem::swap(&mut task.near, &mut task.near_rows);
        task.box_near(|row| edge_row_bounds[row as usize]);
        for own in own_rows {
            let mut lanes = patches.edge_lanes(own);
            while lanes != 0 {
                let lane = lanes.trailing_zeros();
                lanes &= lanes - 1;
                self.add_edges_with::<P>([own, lane, lanes], task);
            }
        }
    }

    /// An edge, by its row and its lane, with those in later lanes of its row and in later rows of its own patch and of
    /// those near it.
    #[inline(always)]
    fn add_edges_with<P: Pack>(&self, [own, lane, later]: [u32; 3], task: &mut Task) {
        let Candidates {
            patches,
            edge_boxes,
            ..
        } = self.candidates;
        let (lane, row) = (lane as usize, &patches.edge_rows[own as usize]);
        let ends = [row[0].get(lane) as u32, row[1].get(lane) as u32];
        let bounds = splat::<P>(&edge_boxes[own as usize].get(lane));
        for (boxes, numbers) in task.near_boxes.iter().zip(task.near.chunks(LANES)) {
            let mut near = boxes.overlapping(&bounds);
            while near != 0 {
                let row = numbers[near.trailing_zeros() as usize];
                near &= near - 1;
                let mut bits = edge_boxes[row as usize].overlapping(&bounds);
                bits &= match row.cmp(&own) {
                    Ordering::Less => 0,
                    Ordering::Equal => later,
                    Ordering::Greater => patches.edge_lanes(row),
                };
                if bits != 0 {
                    self.add_of_edges(ends, row, bits, &mut task.edges);
                }
            }
        }
    }

    /// An edge, by its ends, with edges of a row that it has no end in common with.
    #[inline(always)]
    fn add_of_edges(&self, [a, b]: [u32; 2], row: u32, mut bits: u32, found: &mut Vec<[u32; 4]>) {
        let first = self.surface.vertices.start as u32;
        let other = &self.candidates.patches.edge_rows[row as usize];
        while bits != 0 {
            let lane = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let (c, d) = (other[0].get(lane) as u32, other[1].get(lane) as u32);
            let is_joined = (a == c) | (a == d) | (b == c) | (b == d);
            if !is_joined {
                let [p, q, r, s] = if (a, b) < (c, d) {
                    [a, b, c, d]
                } else {
                    [c, d, a, b]
                };
                found.push([first + p, first + q, first + r, first + s]);
            }
        }
    }
}
