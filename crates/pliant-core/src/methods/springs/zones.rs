//! A coarse system beside the diagonal: zones of neighbouring particles that move as one.
//!
//! Conjugate gradients carry a pull one particle further each step. Zones carry it across the network at
//! once: the preconditioner is the inverse diagonal plus P (P^T A P)^-1 P^T, where P gives every free
//! particle of a zone the same velocity (Nicolaides 1987, deflation by subdomains, added as in a two-level
//! Schwarz method). It is symmetric and positive, so what is solved stays the same; a stiff network takes
//! far fewer steps.

use pliant_math::simd::{Instructions, Job, LANES, Pack};
use pliant_math::{DVec3, Real};

use super::cholesky::{Factor, Solve};
use super::passes::lane;
use super::tasks::Task;
use crate::parallel::{self, CHUNK};

/// Most zones of all bodies: beyond that, factors of their matrix take longer than they save.
const MOST_ZONES: usize = 64;
/// Least particles of a zone.
const LEAST_PARTICLES: usize = 48;
/// Mean stiffness of a spring over the mass of a particle from which on zones save more than they take.
const STIFF: f64 = 10.0;

/// No zone.
const NONE: u32 = u32::MAX;

/// The zones of all bodies and their matrix; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Zones {
    count: usize,
    /// Springs and edges of membranes of each task that leave the zone of a free particle.
    crossings: Vec<Vec<Crossing>>,
    of_task: Vec<OfTask>,
    /// Mass of what is free in each zone [kg].
    mass: Vec<f64>,
    /// Mean mass of a free particle of each [kg].
    particle_mass: Vec<f64>,
    /// Upper triangle, row by row: the matrix, then its Cholesky factor.
    matrix: Vec<f64>,
    /// Right side, then solution.
    values: Vec<f64>,
}

/// What joins a free particle of a zone to something outside of it.
#[derive(Clone, Copy, Debug)]
struct Crossing {
    /// Place of the block among those of the task.
    block: u32,
    lane: u8,
    is_membrane: bool,
    own: u32,
    /// The other zone; `NONE` for what is held.
    other: u32,
}

/// What a task has to do with zones.
#[derive(Debug, Default)]
struct OfTask {
    /// Those that its particles are in.
    zones: Vec<u32>,
    /// Where in this list that of each particle is, group by group; behind it for what has none or is held.
    places: Vec<[u8; LANES]>,
    /// Residuals and moves of the zones, and of none.
    sums: Vec<[f64; 3]>,
    moves: Vec<[Real; 3]>,
}

/// Particles of a body that are left: their places, and where they are at rest [m].
pub struct Domain {
    pub places: Vec<u32>,
    pub position: Vec<DVec3>,
}

impl Zones {
    /// Of the bodies, whose particles the tasks hold.
    pub fn new(domains: &[Domain], tasks: &[Task]) -> Self {
        let total: usize = domains.iter().map(|domain| domain.places.len()).sum();
        let mut zone_of = vec![NONE; total];
        let mut count = 0;
        for domain in domains {
            let size = domain.places.len();
            let most = (size / LEAST_PARTICLES).min(MOST_ZONES * size / total.max(1));
            // A single zone knows no more than a particle.
            if most >= 2 {
                let parts = 1 << most.ilog2();
                let mut members: Vec<usize> = (0..size).collect();
                divide(domain, &mut members, parts, &mut count, &mut zone_of);
            }
        }
        let mut zones = Self {
            count,
            ..Self::default()
        };
        if count > 0 {
            zones.weigh(tasks, &zone_of);
            let of_task = |(number, task)| OfTask::new(&zone_of[number * CHUNK..], task);
            zones.of_task = tasks.iter().enumerate().map(of_task).collect();
            let crossings = tasks.iter().map(|task| crossings(task, tasks, &zone_of));
            zones.crossings = crossings.collect();
            zones.matrix = vec![0.0; 9 * count * count];
            zones.values = vec![0.0; 3 * count];
        }
        zones
    }

    fn weigh(&mut self, tasks: &[Task], zone_of: &[u32]) {
        self.mass = vec![0.0; self.count];
        let mut free = vec![0.0; self.count];
        for (place, &zone) in zone_of.iter().enumerate() {
            let (task, group, at) = seat(place);
            let group = &tasks[task].groups[group];
            if zone != NONE && group.is_free.0[at] > 0.0 {
                self.mass[zone as usize] += f64::from(group.mass.0[at]);
                free[zone as usize] += 1.0;
            }
        }
        let means = self.mass.iter().zip(free);
        self.particle_mass = means
            .map(|(mass, count): (_, f64)| mass / count.max(1.0))
            .collect();
    }

    /// Assembles the matrix of the zones from what the tasks have assembled and factors it. False if
    /// zones would not save anything, or a Jacobian that is not clamped pushes them.
    pub fn factor(&mut self, tasks: &[Task], instructions: Instructions) -> bool {
        if self.count == 0 || !self.is_stiff(tasks) {
            return false;
        }
        let size = 3 * self.count;
        self.matrix.fill(0.0);
        for (zone, &mass) in self.mass.iter().enumerate() {
            for axis in 3 * zone..3 * zone + 3 {
                // Nothing moves where all is held.
                self.matrix[axis * size + axis] = if mass > 0.0 { mass } else { 1.0 };
            }
        }
        for (task, crossings) in tasks.iter().zip(&self.crossings) {
            for crossing in crossings {
                let block = crossing.block(task);
                let own = 3 * crossing.own as usize;
                add(&mut self.matrix, size, [own, own], &block, 1.0);
                if crossing.other != NONE && crossing.other > crossing.own {
                    let place = [own, 3 * crossing.other as usize];
                    add(&mut self.matrix, size, place, &block, -1.0);
                }
            }
        }
        let matrix = &mut self.matrix;
        instructions.run(Factor { matrix, size })
    }

    /// True if springs outweigh particles: only then do pulls travel far in a substep.
    fn is_stiff(&self, tasks: &[Task]) -> bool {
        let (mut sum, mut count) = (0.0, 0);
        for (task, crossings) in tasks.iter().zip(&self.crossings) {
            for crossing in crossings {
                let block = crossing.block(task);
                let stiffness = (block[0] + block[4] + block[8]) / 3.0;
                sum += stiffness / self.particle_mass[crossing.own as usize];
            }
            count += crossings.len();
        }
        sum > STIFF * count as f64
    }

    /// Solves for the moves of the zones that the residuals of the tasks ask for; returns residual times
    /// moves.
    pub fn correct(&mut self, tasks: &mut [Task], instructions: Instructions) -> f64 {
        parallel::for_items(&mut self.of_task, |number, of_task| {
            let task = &tasks[number];
            instructions.run(Restrict { of_task, task });
        });
        self.values.fill(0.0);
        for of_task in &self.of_task {
            for (&zone, sum) in of_task.zones.iter().zip(&of_task.sums) {
                for (value, part) in self.values[3 * zone as usize..].iter_mut().zip(sum) {
                    *value += part;
                }
            }
        }
        let squared = instructions.run(Solve {
            factor: &self.matrix,
            values: &mut self.values,
        });
        let values = &self.values;
        for of_task in &mut self.of_task {
            for (&zone, moved) in of_task.zones.iter().zip(&mut of_task.moves) {
                let value = &values[3 * zone as usize..];
                *moved = [value[0], value[1], value[2]].map(|v| v as Real);
            }
        }
        let all = &self.of_task;
        parallel::for_items(tasks, |number, task| {
            let of_task = &all[number];
            instructions.run(Spread { of_task, task });
        });
        squared
    }
}

/// Task, group and lane of a particle.
fn seat(place: usize) -> (usize, usize, usize) {
    (place / CHUNK, place % CHUNK / LANES, place % LANES)
}

/// Halves a set of particles across its longest side until there are as many parts as are asked for, a
/// power of two, and gives each the next number.
fn divide(
    domain: &Domain,
    members: &mut [usize],
    parts: usize,
    next: &mut usize,
    zone_of: &mut [u32],
) {
    if parts == 1 {
        for &member in members.iter() {
            zone_of[domain.places[member] as usize] = *next as u32;
        }
        *next += 1;
        return;
    }
    let at = |member: usize| domain.position[member];
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for &member in members.iter() {
        (low, high) = (low.min(at(member)), high.max(at(member)));
    }
    let axis = (high - low).max_position();
    members.sort_unstable_by(|&a, &b| at(a)[axis].total_cmp(&at(b)[axis]).then(a.cmp(&b)));
    let (one, two) = members.split_at_mut(members.len() / 2);
    divide(domain, one, parts / 2, next, zone_of);
    divide(domain, two, parts / 2, next, zone_of);
}

impl OfTask {
    /// * `zone_of` — from the first particle of the task on
    fn new(zone_of: &[u32], task: &Task) -> Self {
        let of_task = &zone_of[..zone_of.len().min(CHUNK)];
        let mut zones: Vec<u32> = of_task.iter().copied().filter(|&z| z != NONE).collect();
        zones.sort_unstable();
        zones.dedup();
        let none = zones.len() as u8;
        let mut places = vec![[none; LANES]; task.groups.len()];
        for (k, zone) in of_task.iter().enumerate() {
            let is_free = task.groups[k / LANES].is_free.0[k % LANES] > 0.0;
            if let (Ok(place), true) = (zones.binary_search(zone), is_free) {
                places[k / LANES][k % LANES] = place as u8;
            }
        }
        Self {
            sums: vec![[0.0; 3]; zones.len() + 1],
            moves: vec![[0.0; 3]; zones.len() + 1],
            zones,
            places,
        }
    }
}

/// Sums residuals over each zone.
struct Restrict<'a> {
    of_task: &'a mut OfTask,
    task: &'a Task,
}

impl Job for Restrict<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let OfTask { places, sums, .. } = self.of_task;
        sums.fill([0.0; 3]);
        for (places, [x, y, z]) in places.iter().zip(&self.task.residual) {
            for (at, &place) in places.iter().enumerate() {
                let sum = &mut sums[place as usize];
                sum[0] += f64::from(x.0[at]);
                sum[1] += f64::from(y.0[at]);
                sum[2] += f64::from(z.0[at]);
            }
        }
    }
}

/// Adds the moves of the zones to the scaled residuals.
struct Spread<'a> {
    of_task: &'a OfTask,
    task: &'a mut Task,
}

impl Job for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let OfTask { places, moves, .. } = self.of_task;
        for (places, [x, y, z]) in places.iter().zip(&mut self.task.scaled) {
            for (at, &place) in places.iter().enumerate() {
                let moved = &moves[place as usize];
                x.0[at] += moved[0];
                y.0[at] += moved[1];
                z.0[at] += moved[2];
            }
        }
    }
}

/// What leaves the zones of the particles of a task.
fn crossings(task: &Task, tasks: &[Task], zone_of: &[u32]) -> Vec<Crossing> {
    let mut all = Vec::new();
    let is_free = |place: u32| {
        let (task, group, at) = seat(place as usize);
        tasks[task].groups[group].is_free.0[at] > 0.0
    };
    let mut visit = |own: u32, other: u32, block: usize, lane: usize, is_membrane: bool| {
        let zone = zone_of[own as usize];
        if zone == NONE || own == other || !is_free(own) {
            return;
        }
        let there = if is_free(other) {
            zone_of[other as usize]
        } else {
            NONE
        };
        if there != zone {
            all.push(Crossing {
                block: block as u32,
                lane: lane as u8,
                is_membrane,
                own: zone,
                other: there,
            });
        }
    };
    for group in &task.groups {
        // Where there are no sixteen, the last one stands again.
        for at in (0..LANES).filter(|&at| at == 0 || group.own.get(at) != group.own.get(at - 1)) {
            let own = group.own.get(at) as u32;
            for number in group.springs.clone() {
                let other = task.slots[number].neighbors.get(at) as u32;
                visit(own, other, number, at, false);
            }
            for number in group.membranes.clone() {
                let other = task.membrane_slots[number].neighbors.get(at) as u32;
                visit(own, other, number, at, true);
            }
        }
    }
    all
}

impl Crossing {
    /// What it does to a difference of velocities, row by row [kg].
    fn block(&self, task: &Task) -> [f64; 9] {
        let (number, at) = (self.block as usize, self.lane as usize);
        if self.is_membrane {
            let matrix = &task.membrane_blocks[number].matrix;
            return std::array::from_fn(|k| f64::from(matrix[k].0[at]));
        }
        let block = &task.blocks[number];
        let normal = lane(&block.normal, at).map(f64::from);
        let (across, excess) = (f64::from(block.across.0[at]), f64::from(block.excess.0[at]));
        std::array::from_fn(|k| {
            let (row, column) = (k / 3, k % 3);
            let diagonal = if row == column { across } else { 0.0 };
            diagonal + excess * normal[row] * normal[column]
        })
    }
}

/// Adds a multiple of a block to a matrix at a row and a column.
fn add(matrix: &mut [f64], size: usize, [row, column]: [usize; 2], block: &[f64; 9], factor: f64) {
    for (k, part) in block.iter().enumerate() {
        matrix[(row + k / 3) * size + column + k % 3] += factor * part;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_divided_into_equal_parts_of_neighbours() {
        let position: Vec<DVec3> = (0..400)
            .map(|k| DVec3::new((k % 20) as f64, 0.0, (k / 20) as f64))
            .collect();
        let domain = Domain {
            places: (0..400).collect(),
            position: position.clone(),
        };
        let (mut members, mut count): (Vec<usize>, usize) = ((0..400).collect(), 0);
        let mut zone_of = vec![NONE; 400];
        divide(&domain, &mut members, 16, &mut count, &mut zone_of);
        assert_eq!(count, 16);
        for zone in 0..16 {
            let of_zone: Vec<DVec3> = (0..400)
                .filter(|&k| zone_of[k] == zone)
                .map(|k| position[k])
                .collect();
            assert_eq!(of_zone.len(), 25);
            let reach = of_zone
                .iter()
                .map(|x| x.distance(of_zone[0]))
                .fold(0.0, f64::max);
            assert!(reach < 6.0, "{reach}");
        }
    }
}
