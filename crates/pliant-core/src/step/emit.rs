//! Births and removals of particles.

use pliant_math::{DVec3, RandomStream};
use rustc_hash::FxHashMap;

use crate::particles::ReorderScratch;
use crate::world::{Emitter, OnExit, Setup, World};

/// A seed is free if no particle is nearer than this share of the spacing.
const FREE_DISTANCE: f64 = 0.85;

/// Streams of random numbers from here on belong to emitters, one each.
const EMISSION_STREAM: u64 = 1 << 32;

/// Removes particles outside of bounds that remove.
pub fn remove_outside(world: &mut World, scratch: &mut ReorderScratch) {
    let Some(bounds) = world.setup.bounds.filter(|b| b.on_exit == OnExit::Remove) else {
        return;
    };
    let state = &mut world.state;
    let inside = |x: &DVec3| x.cmpge(bounds.min).all() && x.cmple(bounds.max).all();
    if state.particles.position.iter().all(inside) {
        return;
    }
    let position = &state.particles.position;
    let kept: Vec<u32> = (0..position.len() as u32)
        .filter(|&i| inside(&position[i as usize]))
        .collect();
    state.removed += (position.len() - kept.len()) as u64;
    state.particles.reorder(&kept, scratch);
    state.xpbi.reorder(&kept, scratch);
}

/// The emitters' seeds, ready to be asked which are free; scratch of the stepper.
#[derive(Debug)]
pub struct Emission {
    seeds: Vec<SeedGrid>,
}

/// The seeds of one emitter by cell.
#[derive(Debug)]
struct SeedGrid {
    spacing: f64,
    cells: FxHashMap<[i64; 3], Vec<u32>>,
    is_free: Vec<bool>,
}

impl Emission {
    /// For the emitters of a setup.
    pub fn new(setup: &Setup) -> Self {
        let grid = |e: &Emitter| SeedGrid::new(&e.seeds, setup.bodies[e.body as usize].spacing);
        Self {
            seeds: setup.emitters.iter().map(grid).collect(),
        }
    }

    /// Adds particles at free seeds, as many as the rates of the emitters allow in `dt` [s].
    pub fn emit(&mut self, world: &mut World, dt: f64) {
        for number in 0..self.seeds.len() {
            let emitter = &world.setup.emitters[number];
            let time = world.state.time;
            if time < emitter.start || time >= emitter.stop {
                continue;
            }
            let allowed = match emitter.rate {
                None => usize::MAX,
                Some(rate) => {
                    // A whole burst may not be saved up while there is no room.
                    let owed = (world.state.owed[number] + rate * dt).min(1.0 + rate * dt);
                    world.state.owed[number] = owed - owed.floor();
                    owed as usize
                }
            };
            if allowed == 0 {
                continue;
            }
            self.seeds[number].mark_free(&emitter.seeds, &world.state.particles.position);
            self.fill(world, number, allowed);
        }
    }

    /// Gives birth at free seeds. A rated emitter takes them in an order drawn anew for each birth,
    /// so that it feeds its whole shape; what is drawn depends on the state alone.
    fn fill(&self, world: &mut World, number: usize, allowed: usize) {
        let World { setup, state } = world;
        let emitter = &setup.emitters[number];
        let mut free: Vec<DVec3> = self.seeds[number].free(&emitter.seeds).collect();
        let random = RandomStream::new(setup.seed, EMISSION_STREAM + number as u64);
        for taken in 0..allowed.min(free.len()) {
            if emitter.rate.is_some() {
                let left = (free.len() - taken) as f64;
                let pick = taken + (random.unit(u64::from(state.next_id)) * left) as usize;
                free.swap(taken, pick);
            }
            state.add(setup, emitter.body, free[taken], emitter.velocity, false);
        }
    }
}

impl SeedGrid {
    fn new(seeds: &[DVec3], spacing: f64) -> Self {
        let mut cells: FxHashMap<[i64; 3], Vec<u32>> = FxHashMap::default();
        for (k, &seed) in seeds.iter().enumerate() {
            cells.entry(cell(seed, spacing)).or_default().push(k as u32);
        }
        Self {
            spacing,
            cells,
            is_free: vec![true; seeds.len()],
        }
    }

    fn free<'a>(&'a self, seeds: &'a [DVec3]) -> impl Iterator<Item = DVec3> + 'a {
        let seeds = seeds.iter().zip(&self.is_free);
        seeds
            .filter(|&(_, &is_free)| is_free)
            .map(|(&seed, _)| seed)
    }

    fn mark_free(&mut self, seeds: &[DVec3], positions: &[DVec3]) {
        self.is_free.fill(true);
        let nearest = FREE_DISTANCE * self.spacing;
        for &x in positions {
            let [a, b, c] = cell(x, self.spacing);
            for k in 0..27 {
                let near = [a + k % 3 - 1, b + k / 3 % 3 - 1, c + k / 9 - 1];
                for &seed in self.cells.get(&near).map_or(&[][..], Vec::as_slice) {
                    let seed = seed as usize;
                    self.is_free[seed] &= seeds[seed].distance_squared(x) >= nearest * nearest;
                }
            }
        }
    }
}

fn cell(x: DVec3, size: f64) -> [i64; 3] {
    (x / size).floor().to_array().map(|c| c as i64)
}
