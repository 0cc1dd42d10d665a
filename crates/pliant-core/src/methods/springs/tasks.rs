//! The particles in tasks of a chunk each, in rows of sixteen, with the springs to their neighbours.
//!
//! Every particle lists all of its neighbours, so a spring is stored at both of its ends: sums over
//! neighbours then write to one particle only, and their order does not depend on threads.

use std::ops::Range;

use pliant_materials::springs::SpringCurve;
use pliant_math::Real;
use pliant_math::simd::{LANES, Places, Row};

use crate::parallel::CHUNK;

/// A vector of three for each of sixteen particles.
pub type VectorRow = [Row; 3];

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

/// How the neighbours in a slot lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeighborRun {
    /// One after the other from a place on, which may be before the first: who has no neighbour has any.
    From(i32),
    /// Anywhere.
    Scattered,
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
    /// Masses [kg].
    pub mass: Row,
    /// Inverse masses [1/kg], 0 for those that are held.
    pub inverse_mass: Row,
    /// 1, and 0 for those that are held.
    pub is_free: Row,
}

/// A chunk of particles and all that is computed for them.
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
    /// Inverses of the diagonal blocks [1/kg].
    pub inverse: Vec<[Row; 6]>,
    /// The unknown, a change of velocity [m/s].
    pub solution: Vec<VectorRow>,
    /// What is left of the right side [kg m/s].
    pub residual: Vec<VectorRow>,
    /// The residual times the inverse diagonal [m/s].
    pub scaled: Vec<VectorRow>,
    /// Direction of search [m/s].
    pub direction: Vec<VectorRow>,
    /// The matrix times a direction [kg m/s].
    pub product: Vec<VectorRow>,
    /// Impulses of others in this substep [kg m/s].
    pub impulse: Vec<VectorRow>,
    /// Impulses of springs and membranes at the velocities of the start, and once the substep has ended at
    /// those of its end [kg m/s].
    pub inner_impulse: Vec<VectorRow>,
    /// Velocity without them [m/s].
    pub predicted: Vec<VectorRow>,
    /// Velocity as it was last reported [m/s].
    pub reported: Vec<VectorRow>,
    /// Sums over the task of the last pass.
    pub sums: [f64; 2],
}

/// Tasks for so many particles.
///
/// * `spring_edges` — springs
/// * `pairs` — pairs of particles that are corners of one triangle of a membrane, each once
pub fn tasks(
    mass: &[Real],
    inverse_mass: &[Real],
    spring_edges: &[SpringEdge],
    pairs: &[[u32; 2]],
) -> Vec<SpringTask> {
    let count = mass.len();
    let springs = by_particle(spring_edges.iter().map(|edge| edge.ends), count);
    let edges = by_particle(pairs.iter().copied(), count);
    let starts = (0..count).step_by(CHUNK);
    let task = |start: usize| {
        let mut task = SpringTask::default();
        for first in (start..(start + CHUNK).min(count)).step_by(LANES) {
            let own = own_places(first, count);
            let springs = add_springs(&mut task, &own, first..count, &springs, spring_edges);
            let membranes = add_edges(&mut task, &own, first..count, &edges);
            let (mut mass_row, mut inverse, mut is_free) =
                (Row([1.0; LANES]), Row::ZERO, Row::ZERO);
            for lane in 0..LANES.min(count - first) {
                mass_row.0[lane] = mass[first + lane];
                inverse.0[lane] = inverse_mass[first + lane];
                is_free.0[lane] = if inverse_mass[first + lane] > 0.0 {
                    1.0
                } else {
                    0.0
                };
            }
            task.groups.push(SpringGroup {
                own,
                springs,
                membranes,
                mass: mass_row,
                inverse_mass: inverse,
                is_free,
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
        self.inverse = vec![[Row::ZERO; 6]; groups];
        let columns = [
            &mut self.solution,
            &mut self.residual,
            &mut self.scaled,
            &mut self.direction,
            &mut self.product,
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

/// A neighbour: its place, and the number of the spring or edge, and whether the particle is its second end.
type SpringNeighbor = (u32, u32, bool);

/// The neighbours of each particle, in order of their places.
fn by_particle(ends: impl Iterator<Item = [u32; 2]>, count: usize) -> Vec<Vec<SpringNeighbor>> {
    let mut lists = vec![Vec::new(); count];
    for (number, [a, b]) in (0..).zip(ends) {
        lists[a as usize].push((b, number, false));
        lists[b as usize].push((a, number, true));
    }
    lists
        .iter_mut()
        .for_each(|list: &mut Vec<SpringNeighbor>| list.sort_unstable());
    lists
}

fn own_places(first: usize, count: usize) -> Places {
    Places::from_fn(|lane| (first + lane).min(count - 1) as u32)
}

/// A neighbour for some of sixteen particles, and how they lie.
type NeighborRow<'a> = ([Option<&'a SpringNeighbor>; LANES], NeighborRun);

/// The neighbours of sixteen particles put into rows. Those that lie as far from their particles as those
/// of half of the others follow each other in memory.
///
/// * `lists` — of these particles and maybe more
fn neighbor_rows(lists: &[Vec<SpringNeighbor>], first: usize) -> Vec<NeighborRow<'_>> {
    let lists = &lists[..lists.len().min(LANES)];
    let shift =
        |lane: usize, neighbor: &SpringNeighbor| i64::from(neighbor.0) - (first + lane) as i64;
    let mut shifts: Vec<i64> = Vec::new();
    for (lane, list) in lists.iter().enumerate() {
        shifts.extend(list.iter().map(|neighbor| shift(lane, neighbor)));
    }
    shifts.sort_unstable();
    let mut rows: Vec<NeighborRow<'_>> = Vec::new();
    let mut left: Vec<Vec<&SpringNeighbor>> =
        lists.iter().map(|list| list.iter().collect()).collect();
    for same in shifts.chunk_by(|a, b| a == b) {
        if 2 * same.len() < lists.len() {
            continue;
        }
        let mut row = [None; LANES];
        for (lane, list) in left.iter_mut().enumerate() {
            let at = list.iter().position(|n| shift(lane, n) == same[0]);
            row[lane] = at.map(|at| list.remove(at));
        }
        rows.push((row, NeighborRun::From((first as i64 + same[0]) as i32)));
    }
    let depth = left.iter().map(Vec::len).max().unwrap_or(0);
    for k in 0..depth {
        let mut row = [None; LANES];
        for (lane, list) in left.iter().enumerate() {
            row[lane] = list.get(k).copied();
        }
        rows.push((row, NeighborRun::Scattered));
    }
    rows
}

fn add_springs(
    task: &mut SpringTask,
    own: &Places,
    places: Range<usize>,
    lists: &[Vec<SpringNeighbor>],
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
            let Some(&(neighbor, number, _)) = neighbor else {
                continue;
            };
            let edge = &spring_edges[number as usize];
            slot.neighbors.set(lane, neighbor);
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
    lists: &[Vec<SpringNeighbor>],
) -> Range<usize> {
    let start = task.membrane_slots.len();
    for (row, run) in neighbor_rows(&lists[places.clone()], places.start) {
        let mut slot = MembraneSlot {
            neighbors: *own,
            pairs: [None; LANES],
        };
        for (lane, neighbor) in row.into_iter().enumerate() {
            if let Some(&(neighbor, number, is_second)) = neighbor {
                slot.neighbors.set(lane, neighbor);
                slot.pairs[lane] = Some((number, is_second));
            }
        }
        task.membrane_slots.push(slot);
        task.membrane_runs.push(run);
    }
    start..task.membrane_slots.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_neighbour_is_in_one_row_and_grid_neighbours_are_contiguous() {
        // Two rows of ten, and a particle far away that is joined to the first one.
        let mut ends: Vec<[u32; 2]> = (0..9).map(|k| [k, k + 1]).collect();
        ends.extend((10..19).map(|k| [k, k + 1]));
        ends.extend((0..10).map(|k| [k, k + 10]));
        ends.push([0, 20]);
        let lists = by_particle(ends.iter().copied(), 21);
        let rows = neighbor_rows(&lists[..], 0);
        let runs: Vec<NeighborRun> = rows.iter().map(|(_, run)| *run).collect();
        let expected = [-1, 1, 10].map(NeighborRun::From);
        assert_eq!(runs[..3], expected);
        // Fewer than half of the first sixteen have a neighbour ten places before them.
        assert!(runs[3..].iter().all(|run| *run == NeighborRun::Scattered));
        for lane in 0..LANES {
            let mut found: Vec<u32> = rows
                .iter()
                .filter_map(|(row, _)| Some(row[lane]?.0))
                .collect();
            found.sort_unstable();
            let expected: Vec<u32> = lists[lane].iter().map(|neighbor| neighbor.0).collect();
            assert_eq!(found, expected);
        }
    }
}
