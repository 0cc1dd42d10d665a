//! Contacts between particles of different continua: spheres with centre-line normals.
//!
//! A candidate pair may touch within the substep; normals are frozen at its start. The pairs are
//! ordered by stable ids and projected one after the other: they are few, and the order is what
//! keeps the result independent of threads.

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};
use rustc_hash::FxHashMap;

use super::friction::{ContactMultiplier, target_speed};
use crate::particles::Particles;

#[derive(Clone, Copy, Debug)]
struct Pair {
    first: u32,
    second: u32,
    normal: Vec3,
    target: Real,
    friction: Real,
    multiplier: ContactMultiplier,
}

/// The contacts of a substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct ParticleContacts {
    pairs: Vec<Pair>,
    cells: FxHashMap<[i64; 3], Vec<u32>>,
}

/// What the search needs to know of bodies and step.
pub struct PairSearch<'a> {
    /// Continuum of each body; particles of one continuum are no contacts.
    pub continuum_of_body: &'a dyn Fn(u32) -> u32,
    /// Friction of each body.
    pub friction_of_body: &'a dyn Fn(u32) -> f64,
    /// Size of the acceleration of free fall [m/s2].
    pub gravity: f64,
    /// Greatest speed at which overlaps are undone [m/s].
    pub push_out_speed: f64,
    /// The substep [s].
    pub dt: f64,
}

impl ParticleContacts {
    /// Finds the pairs of different continua that may touch within the substep.
    pub fn find(&mut self, particles: &Particles, search: &PairSearch<'_>) {
        self.pairs.clear();
        let widest = particles.radius.iter().copied().fold(0.0, Real::max);
        let fastest = particles
            .velocity
            .iter()
            .map(|v| v.length())
            .fold(0.0, Real::max);
        let reach = reach(2.0 * f64::from(widest), 2.0 * f64::from(fastest), search);
        self.fill_cells(particles, reach);
        for i in 0..particles.len() {
            self.find_of(i, particles, reach, search);
        }
        let id = |i: u32| particles.id[i as usize];
        self.pairs
            .sort_unstable_by_key(|p| (id(p.first), id(p.second)));
    }

    /// Projects every pair once: non-penetration, then friction.
    pub fn project(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real]) {
        for pair in &mut self.pairs {
            let (i, j) = (pair.first as usize, pair.second as usize);
            let (w_i, w_j) = (inverse_mass[i], inverse_mass[j]);
            if w_i + w_j == 0.0 {
                continue;
            }
            let relative = velocity[i] - velocity[j];
            let change = pair
                .multiplier
                .project(relative, pair.normal, pair.target, pair.friction);
            let share = 1.0 / (w_i + w_j);
            velocity[i] += change * (w_i * share);
            velocity[j] -= change * (w_j * share);
        }
    }

    /// Number of pairs that press.
    pub fn pressed_count(&self) -> usize {
        self.pairs
            .iter()
            .filter(|p| p.multiplier.normal > 0.0)
            .count()
    }

    fn fill_cells(&mut self, particles: &Particles, size: f64) {
        self.cells.values_mut().for_each(Vec::clear);
        for (i, &x) in particles.position.iter().enumerate() {
            self.cells.entry(cell(x, size)).or_default().push(i as u32);
        }
        self.cells.retain(|_, particles| !particles.is_empty());
    }

    fn find_of(&mut self, i: usize, particles: &Particles, size: f64, search: &PairSearch<'_>) {
        let own = (search.continuum_of_body)(particles.body[i]);
        let [x, y, z] = cell(particles.position[i], size);
        for k in 0..27 {
            let near = [x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1];
            for &j in self.cells.get(&near).map_or(&[][..], Vec::as_slice) {
                let j = j as usize;
                let is_first = particles.id[i] < particles.id[j];
                if is_first && (search.continuum_of_body)(particles.body[j]) != own {
                    self.pairs.extend(pair_of(i, j, particles, search));
                }
            }
        }
    }
}

fn cell(x: DVec3, size: f64) -> [i64; 3] {
    (x / size).floor().to_array().map(|c| c as i64)
}

/// Distance of centres [m] within which two particles may touch in this substep.
fn reach(radii: f64, relative_speed: f64, search: &PairSearch<'_>) -> f64 {
    1.1 * radii + search.dt * (relative_speed + 2.0 * search.gravity * search.dt)
}

fn pair_of(i: usize, j: usize, particles: &Particles, search: &PairSearch<'_>) -> Option<Pair> {
    let between = particles.position[i] - particles.position[j];
    let distance = between.length();
    let radii = f64::from(particles.radius[i] + particles.radius[j]);
    let relative = to_double(particles.velocity[i] - particles.velocity[j]);
    if distance > reach(radii, relative.length(), search) {
        return None;
    }
    let friction = |k: usize| (search.friction_of_body)(particles.body[k]);
    Some(Pair {
        first: i as u32,
        second: j as u32,
        normal: to_real(between.normalize_or(DVec3::Y)),
        target: target_speed(distance - radii, search.dt, search.push_out_speed),
        friction: libm::sqrt(friction(i) * friction(j)) as Real,
        multiplier: ContactMultiplier::default(),
    })
}
