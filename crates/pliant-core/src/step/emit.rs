//! Births and removals of particles.

use pliant_geometry::Aabb;
use pliant_math::{DVec3, RandomStream};
use rustc_hash::FxHashMap;

use super::work::MechanicalEnergy;
use super::{StepError, Trouble};
use crate::boundaries::{Collider, DeformedColliders};
use crate::particles::{Particles, ReorderScratch};
use crate::world::{Emitter, OnExit, Setup, State, World};

/// A seed is free if no particle is nearer than this share of the sum of both radii.
const FREE_DISTANCE: f64 = 0.85;

/// Streams of random numbers from here on belong to emitters, one each.
const EMISSION_STREAM: u64 = 1 << 32;

/// Removes particles outside of bounds that remove. Returns the energy that they had.
pub fn remove_outside(world: &mut World, scratch: &mut ReorderScratch) -> MechanicalEnergy {
    let Some(bounds) = world.setup.bounds.filter(|b| b.on_exit == OnExit::Remove) else {
        return MechanicalEnergy::default();
    };
    let position = &world.state.particles.position;
    let is_inside = |i: &usize| bounds.contains(position[*i]);
    if (0..position.len()).all(|i| is_inside(&i)) {
        return MechanicalEnergy::default();
    }
    let outside = (0..position.len()).filter(|i| !is_inside(i));
    let energy = MechanicalEnergy::of(world, outside);
    let inside = (0..position.len()).filter(is_inside);
    let kept: Vec<u32> = inside.map(|i| i as u32).collect();
    let state = &mut world.state;
    let position = &state.particles.position;
    state.removed += (position.len() - kept.len()) as u64;
    state.reorder(&kept, scratch);
    energy
}

/// The emitters' seeds, ready to be asked which are free; scratch of the stepper.
#[derive(Debug)]
pub struct Emission {
    seeds: Vec<SeedGrid>,
}

/// The seeds of one emitter by cell.
#[derive(Debug)]
struct SeedGrid {
    position: Vec<DVec3>,
    /// Contact radius of the particles to come [m].
    radius: f64,
    /// Edge of a cell [m]: a particle bars no seed further away.
    cell_size: f64,
    /// The box around all that bars a seed.
    reach: Aabb,
    cells: FxHashMap<[i64; 3], Vec<u32>>,
    is_free: Vec<bool>,
}

impl Emission {
    /// For the emitters of a setup. Seeds inside colliders that rest bear nothing.
    pub fn new(setup: &Setup) -> Self {
        let widest = setup.bodies.iter().map(|b| b.spacing).fold(0.0, f64::max);
        let grid = |emitter: &Emitter| {
            let is_open = |x: &DVec3| !setup.colliders.iter().any(|c| bars_always(c, *x));
            let open = emitter.seeds.iter().copied().filter(is_open).collect();
            SeedGrid::new(open, setup.bodies[emitter.body as usize].spacing, widest)
        };
        Self {
            seeds: setup.emitters.iter().map(grid).collect(),
        }
    }

    /// Adds particles at free seeds, as many as the rates of the emitters allow in `dt` [s].
    ///
    /// * `colliders` — of the world, in the form that they have now
    ///
    /// # Errors
    /// If there is no memory for another one.
    pub fn emit(
        &mut self,
        world: &mut World,
        colliders: &[Collider],
        dt: f64,
    ) -> Result<(), StepError> {
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
            self.seeds[number].mark_free(&world.state.particles);
            self.fill(world, colliders, (number, allowed))?;
        }
        Ok(())
    }

    /// Gives birth at free seeds. A rated emitter takes them in an order drawn anew for each birth,
    /// so that it feeds its whole shape; what is drawn depends on the state alone.
    fn fill(
        &self,
        world: &mut World,
        colliders: &[Collider],
        (number, allowed): (usize, usize),
    ) -> Result<(), StepError> {
        let mut free = self.seeds[number].free();
        drop_inside_moving(&mut free, colliders, world);
        let World { setup, state } = world;
        let emitter = &setup.emitters[number];
        let random = RandomStream::new(setup.seed, EMISSION_STREAM + number as u64);
        let births = allowed.min(free.len());
        for taken in 0..births {
            if emitter.rate.is_some() {
                let left = (free.len() - taken) as f64;
                let pick = taken + (random.unit(u64::from(state.next_id)) * left) as usize;
                free.swap(taken, pick);
            }
            if !has_room(setup, state) {
                let limit = setup.particle_limit;
                return Err(StepError::of(
                    Trouble::TooManyParticles { limit },
                    None,
                    world,
                ));
            }
            state.add(setup, emitter.body, free[taken], emitter.velocity, false);
        }
        Ok(())
    }
}

/// Adds particles to a body between two substeps, at those of some places [m] that no particle and no collider
/// takes, with a velocity [m/s]; how many. What they bring is in no account: the next frame begins a new balance.
///
/// * `body` — one of a method whose bodies [can be fed](crate::world::MethodKind::can_be_fed); of others, and where there
///   is no memory for more, nothing is added
pub fn pour(world: &mut World, body: u32, places: Vec<DVec3>, velocity: DVec3) -> usize {
    let bodies = &world.setup.bodies;
    if !bodies[body as usize].method.can_be_fed() {
        return 0;
    }
    let widest = bodies.iter().map(|b| b.spacing).fold(0.0, f64::max);
    let mut seeds = SeedGrid::new(places, bodies[body as usize].spacing, widest);
    seeds.mark_free(&world.state.particles);
    let mut free = seeds.free();
    let mut deformed = DeformedColliders::default();
    let time = world.state.time;
    deformed.move_to(&world.setup.colliders, time, 0.0);
    let colliders = deformed.of(&world.setup.colliders);
    free.retain(|x| !colliders.iter().any(|c| bars_always(c, *x)));
    drop_inside_moving(&mut free, colliders, world);
    let World { setup, state } = world;
    let before = state.particles.len();
    for x in free {
        if !has_room(setup, state) {
            break;
        }
        state.add(setup, body, x, velocity, false);
    }
    let added = state.particles.len() - before;
    if added > 0 {
        state.account.energy = None;
    }
    added
}

/// Whether there is memory and an id for another particle.
fn has_room(setup: &Setup, state: &State) -> bool {
    state.particles.len() < setup.particle_limit && state.next_id < u32::MAX
}

/// True if a point is inside a collider that never moves.
fn bars_always(collider: &Collider, x: DVec3) -> bool {
    collider.is_at_rest() && collider.signed_distance(x, 0.0) < 0.0
}

fn drop_inside_moving(free: &mut Vec<DVec3>, colliders: &[Collider], world: &World) {
    for (index, collider) in colliders.iter().enumerate() {
        if collider.is_at_rest() {
            continue;
        }
        if let Some(pose) = world.collider_pose(index) {
            free.retain(|&x| collider.distance(pose.to_local(x)) >= 0.0);
        }
    }
}

impl SeedGrid {
    /// Seeds of a spacing [m] in a world whose coarsest body has the spacing `widest` [m].
    fn new(position: Vec<DVec3>, spacing: f64, widest: f64) -> Self {
        let cell_size = FREE_DISTANCE * 0.5 * (spacing + widest);
        let mut cells: FxHashMap<[i64; 3], Vec<u32>> = FxHashMap::default();
        for (k, &seed) in position.iter().enumerate() {
            cells
                .entry(cell(seed, cell_size))
                .or_default()
                .push(k as u32);
        }
        Self {
            radius: 0.5 * spacing,
            cell_size,
            reach: Aabb::around(position.iter().copied()).grown(cell_size),
            cells,
            is_free: vec![true; position.len()],
            position,
        }
    }

    fn free(&self) -> Vec<DVec3> {
        let seeds = self.position.iter().zip(&self.is_free);
        let free = seeds.filter(|(_, is_free)| **is_free);
        free.map(|(seed, _)| *seed).collect()
    }

    fn mark_free(&mut self, particles: &Particles) {
        self.is_free.fill(true);
        for (&x, &radius) in particles.position.iter().zip(&particles.radius) {
            if self.reach.contains(x) {
                self.bar_around(x, FREE_DISTANCE * (self.radius + f64::from(radius)));
            }
        }
    }

    fn bar_around(&mut self, x: DVec3, nearest: f64) {
        let [a, b, c] = cell(x, self.cell_size);
        for k in 0..27 {
            let near = [a + k % 3 - 1, b + k / 3 % 3 - 1, c + k / 9 - 1];
            for &seed in self.cells.get(&near).map_or(&[][..], Vec::as_slice) {
                let seed = seed as usize;
                self.is_free[seed] &= self.position[seed].distance_squared(x) >= nearest * nearest;
            }
        }
    }
}

fn cell(x: DVec3, size: f64) -> [i64; 3] {
    (x / size).floor().to_array().map(|c| c as i64)
}
