//! The particles in tasks of a chunk each, in rows of sixteen, with the springs to their neighbours.

use std::ops::Range;

use pliant_materials::springs::SpringCurve;
use pliant_math::Real;
use pliant_math::simd::{LANES, Places, Row};

use crate::parallel::CHUNK;
use crate::solvers::{Neighbor, NeighborRun, VectorRow, by_particle, neighbor_rows};

/// What joins two particles, by their places among those of the method.
#[derive(Clone, Copy, Debug)]
pub struct SpringEdge {
    /// The two.
    pub ends: [u32; 2],
    /// Rest length [m], > 0.
    pub rest_length: f64,
    /// Tension over strain.
    pub curve: SpringCurve,
    /// Damping along it [N s/m].
    pub damping: f64,
}

/// One spring of each of sixteen particles at rest; none where the neighbour is the particle itself.
#[derive(Clone, Debug, Default)]
pub struct SpringSlot {
    /// The other ends.
    pub neighbors: Places,
    /// Rest lengths [m].
    pub rest_length: Row,
    /// Their curves [N/m].
    pub curve: [Row; 3],
    /// Damping [N s/m].
    pub damping: Row,
}

/// The same in a substep: what its stiffness and damping do to a difference of velocities.
#[derive(Clone, Debug, Default)]
pub struct SpringBlock {
    /// Unit, towards the other end.
    pub normal: VectorRow,
    /// dt^2 times the stiffness across [kg].
    pub across: Row,
    /// What dt^2 times the stiffness along it and dt times its damping have more [kg].
    pub excess: Row,
}

/// One edge of a membrane of each of sixteen particles.
#[derive(Clone, Debug)]
pub struct MembraneSlot {
    /// The other ends.
    pub neighbors: Places,
    /// Which pairs of particles, each with whether the particle is its second end; `None`: no edge.
    pub pairs: [Option<(u32, bool)>; LANES],
}

/// The same in a substep.
#[derive(Clone, Debug, Default)]
pub struct MembraneBlock {
    /// dt^2 times the derivative of the force by the neighbour's position [kg], row by row.
    pub matrix: [Row; 9],
}

/// Sixteen particles.
#[derive(Clone, Debug)]
pub struct SpringGroup {
    /// Their places; the last one again where there are no sixteen.
    pub own: Places,
    /// Their springs among those of the task.
    pub springs: Range<usize>,
    /// Their edges of membranes among those of the task.
    pub membranes: Range<usize>,
}

/// A chunk of particles, what joins them to others, and what was done to them in a substep.
#[derive(Clone, Debug, Default)]
pub struct SpringTask {
    pub groups: Vec<SpringGroup>,
    pub slots: Vec<SpringSlot>,
    pub blocks: Vec<SpringBlock>,
    /// How the neighbours of each slot lie.
    pub runs: Vec<NeighborRun>,
    pub membrane_slots: Vec<MembraneSlot>,
    pub membrane_blocks: Vec<MembraneBlock>,
    pub membrane_runs: Vec<NeighborRun>,
    /// Impulses of others in this substep [kg m/s].
    pub impulse: Vec<VectorRow>,
    /// Impulses of springs and membranes at the velocities of the start, and once the substep has ended at
    /// those of its end [kg m/s].
    pub inner_impulse: Vec<VectorRow>,
    /// Velocity without them [m/s].
    pub predicted: Vec<VectorRow>,
    /// Velocity as it was last reported [m/s].
    pub reported: Vec<VectorRow>,
    /// Sum of the squares of the impulses that others gave last.
    pub given: f64,
}

/// Tasks for so many particles.
///
/// * `spring_edges` — springs
/// * `pairs` — pairs of particles that are corners of one triangle of a membrane, each once
pub fn tasks(count: usize, spring_edges: &[SpringEdge], pairs: &[[u32; 2]]) -> Vec<SpringTask> {
    let springs = by_particle(spring_edges.iter().map(|edge| edge.ends), count);
    let edges = by_particle(pairs.iter().copied(), count);
    let starts = (0..count).step_by(CHUNK);
    let task = |start: usize| {
        let mut task = SpringTask::default();
        for first in (start..(start + CHUNK).min(count)).step_by(LANES) {
            let own = own_places(first, count);
            let springs = add_springs(&mut task, &own, first..count, &springs, spring_edges);
            let membranes = add_edges(&mut task, &own, first..count, &edges);
            task.groups.push(SpringGroup {
                own,
                springs,
                membranes,
            });
        }
        task.size();
        task
    };
    starts.map(task).collect()
}

impl SpringTask {
    /// How the neighbours of all slots lie.
    pub fn all_runs(&self) -> impl Iterator<Item = NeighborRun> + Clone {
        self.runs.iter().chain(&self.membrane_runs).copied()
    }

    /// Makes room for what is computed.
    fn size(&mut self) {
        let groups = self.groups.len();
        self.blocks = vec![SpringBlock::default(); self.slots.len()];
        self.membrane_blocks = vec![MembraneBlock::default(); self.membrane_slots.len()];
        let columns = [
            &mut self.impulse,
            &mut self.inner_impulse,
            &mut self.predicted,
            &mut self.reported,
        ];
        for column in columns {
            *column = vec![[Row::ZERO; 3]; groups];
        }
    }
}

fn own_places(first: usize, count: usize) -> Places {
    Places::from_fn(|lane| (first + lane).min(count - 1) as u32)
}

fn add_springs(
    task: &mut SpringTask,
    own: &Places,
    places: Range<usize>,
    lists: &[Vec<Neighbor>],
    spring_edges: &[SpringEdge],
) -> Range<usize> {
    let start = task.slots.len();
    for (row, run) in neighbor_rows(&lists[places.clone()], places.start) {
        let mut slot = SpringSlot {
            neighbors: *own,
            rest_length: Row([1.0; LANES]),
            ..SpringSlot::default()
        };
        for (lane, neighbor) in row.into_iter().enumerate() {
            let Some(neighbor) = neighbor else {
                continue;
            };
            let edge = &spring_edges[neighbor.link as usize];
            slot.neighbors.set(lane, neighbor.place);
            slot.rest_length.0[lane] = edge.rest_length as Real;
            let SpringCurve {
                stiffness,
                half_slope,
                third_curvature,
            } = edge.curve;
            let curve = [stiffness, half_slope, third_curvature];
            for (row, value) in slot.curve.iter_mut().zip(curve) {
                row.0[lane] = value as Real;
            }
            slot.damping.0[lane] = edge.damping as Real;
        }
        task.slots.push(slot);
        task.runs.push(run);
    }
    start..task.slots.len()
}

fn add_edges(
    task: &mut SpringTask,
    own: &Places,
    places: Range<usize>,
    lists: &[Vec<Neighbor>],
) -> Range<usize> {
    let start = task.membrane_slots.len();
    for (row, run) in neighbor_rows(&lists[places.clone()], places.start) {
        let mut slot = MembraneSlot {
            neighbors: *own,
            pairs: [None; LANES],
        };
        for (lane, neighbor) in row.into_iter().enumerate() {
            if let Some(neighbor) = neighbor {
                slot.neighbors.set(lane, neighbor.place);
                slot.pairs[lane] = Some((neighbor.link, neighbor.is_second));
            }
        }
        task.membrane_slots.push(slot);
        task.membrane_runs.push(run);
    }
    start..task.membrane_slots.len()
}
