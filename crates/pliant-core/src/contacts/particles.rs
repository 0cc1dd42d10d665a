//! Contacts between particles of different continua: spheres with centre-line normals.
//!
//! A candidate pair may touch within the substep; normals are frozen at its start. The pairs are
//! ordered by stable ids and projected one after the other: they are few, and the order is what
//! keeps the result independent of threads.

use pliant_math::{DVec3, Real, Vec3, to_double, to_real};
use rustc_hash::FxHashMap;

use super::friction::{ContactMultiplier, ContactRule, target_speed};
use crate::particles::Particles;

#[derive(Clone, Copy, Debug)]
struct Pair {
    first: u32,
    second: u32,
    rule: ContactRule,
    multiplier: ContactMultiplier,
}

/// Spheres are candidates at this share of the sum of their radii, also if nothing moves.
const RADII_SHARE: f64 = 1.1;

/// The contacts of a substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct ParticleContacts {
    pairs: Vec<Pair>,
    /// Of each particle [m]; see [`half_reaches`].
    half_reach: Vec<f64>,
    sorted: Vec<f64>,
    cells: FxHashMap<[i64; 3], Vec<u32>>,
}

/// What the search needs to know of bodies and step.
pub struct PairSearch<'a> {
    /// Continuum of each body; particles of one continuum are no contacts.
    pub continuum_of_body: &'a dyn Fn(u32) -> u32,
    /// Friction of each body.
    pub friction_of_body: &'a dyn Fn(u32) -> f64,
    /// Greatest acceleration [m/s2] by gravity, forces and loads.
    pub acceleration: f64,
    /// Greatest speed at which overlaps are undone [m/s].
    pub push_out_speed: f64,
    /// The substep [s].
    pub dt: f64,
}

impl ParticleContacts {
    /// Finds the pairs of different continua that may touch within the substep.
    pub fn find(&mut self, particles: &Particles, search: &PairSearch<'_>) {
        self.pairs.clear();
        self.half_reach.clear();
        self.half_reach.extend(half_reaches(particles, search));
        let size = 2.0 * self.usual_half_reach();
        self.fill_cells(particles, size);
        for i in 0..particles.len() {
            self.find_of(i, particles, size, search);
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
            let change = pair.multiplier.project(relative, &pair.rule);
            let share = 1.0 / (w_i + w_j);
            velocity[i] += change * (w_i * share);
            velocity[j] -= change * (w_j * share);
        }
    }

    /// Adds the impulse [N s] of the pairs in this substep to their particles.
    pub fn add_impulses(&self, inverse_mass: &[Real], impulses: &mut [DVec3]) {
        for pair in &self.pairs {
            let (i, j) = (pair.first as usize, pair.second as usize);
            let inverse = inverse_mass[i] + inverse_mass[j];
            if inverse > 0.0 {
                let change = to_double(pair.multiplier.change(&pair.rule));
                let impulse = change / f64::from(inverse);
                impulses[i] += impulse;
                impulses[j] -= impulse;
            }
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

    /// Half of the reach [m] of all but the fastest few, which must not coarsen the cells of the rest.
    fn usual_half_reach(&mut self) -> f64 {
        let half_reach = &mut self.sorted;
        half_reach.clone_from(&self.half_reach);
        let count = half_reach.len();
        if count == 0 {
            return 1.0;
        }
        let fastest = half_reach.iter().copied().fold(0.0, f64::max);
        let (_, most, _) = half_reach.select_nth_unstable_by(count * 9 / 10, f64::total_cmp);
        fastest.min(2.0 * *most)
    }

    /// The pairs of a particle with those of lesser reach.
    fn find_of(&mut self, i: usize, particles: &Particles, size: f64, search: &PairSearch<'_>) {
        let Self {
            pairs,
            half_reach,
            cells,
            ..
        } = self;
        let own = (search.continuum_of_body)(particles.body[i]);
        let rank = |k: usize| (half_reach[k], particles.id[k]);
        let mut meet = |j: usize| {
            if rank(j) < rank(i) && (search.continuum_of_body)(particles.body[j]) != own {
                let is_first = particles.id[i] < particles.id[j];
                let (first, second) = if is_first { (i, j) } else { (j, i) };
                pairs.extend(pair_of(first, second, particles, search));
            }
        };
        let span = (2.0 * half_reach[i] / size).ceil();
        let cube = (2.0 * span + 1.0) * (2.0 * span + 1.0) * (2.0 * span + 1.0);
        if cube > 27.0 && cube > cells.len() as f64 {
            (0..particles.len()).for_each(meet);
            return;
        }
        for near in cells_around(cell(particles.position[i], size), span as i64) {
            let candidates = cells.get(&near).map_or(&[][..], Vec::as_slice);
            candidates.iter().for_each(|&j| meet(j as usize));
        }
    }
}

/// Half of the distance [m] within which each particle may touch one of the same: two particles touch
/// within the sum of theirs. Speeds count from the mean velocity, so that a common fall costs nothing.
fn half_reaches<'a>(
    particles: &'a Particles,
    search: &PairSearch<'_>,
) -> impl Iterator<Item = f64> + 'a {
    let count = particles.len().max(1) as f64;
    let sum: DVec3 = particles.velocity.iter().map(|&v| to_double(v)).sum();
    let mean = sum / count;
    let (dt, fall) = (search.dt, search.acceleration * search.dt);
    let of = move |(&v, &radius)| {
        RADII_SHARE * f64::from(radius) + dt * (to_double(v).distance(mean) + fall)
    };
    particles.velocity.iter().zip(&particles.radius).map(of)
}

/// The cells at most `span` cells away along each axis.
fn cells_around([x, y, z]: [i64; 3], span: i64) -> impl Iterator<Item = [i64; 3]> {
    let across = move || -span..=span;
    across()
        .flat_map(move |c| across().flat_map(move |b| across().map(move |a| [x + a, y + b, z + c])))
}

fn cell(x: DVec3, size: f64) -> [i64; 3] {
    (x / size).floor().to_array().map(|c| c as i64)
}

/// Distance of centres [m] within which two particles may touch in this substep.
fn reach(radii: f64, relative_speed: f64, search: &PairSearch<'_>) -> f64 {
    RADII_SHARE * radii + search.dt * (relative_speed + 2.0 * search.acceleration * search.dt)
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
        rule: ContactRule {
            normal: to_real(between.normalize_or(DVec3::Y)),
            target: target_speed(distance - radii, search.dt, search.push_out_speed),
            friction: libm::sqrt(friction(i) * friction(j)) as Real,
            is_held: false,
            sticks: false,
        },
        multiplier: ContactMultiplier::default(),
    })
}
