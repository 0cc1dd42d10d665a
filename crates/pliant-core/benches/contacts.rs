//! Times of the contacts of 100 000 particles of two continua: in layers that alternate, one on top of
//! the other, and far apart.
//!
//! `cargo bench -p pliant-core --bench contacts` runs them, for one thread and for two.

#[path = "../tests/engine/blocks.rs"]
mod blocks;

use pliant_core::contacts::{
    LinearContacts, PairSearch, ParticleContacts, SampledSurfaces, Solids,
};
use pliant_core::parallel::Pool;
use pliant_core::particles::{Particles, ReorderScratch};
use pliant_core::world::World;
use pliant_math::{DVec3, RandomStream};

use blocks::{block, body, setup};

fn main() {
    divan::main();
}

/// Particles along an edge of the cube that both continua fill together.
const SIDE: usize = 46;
const SPACING: f64 = 0.05;
const DT: f64 = 1e-3;

/// How the two continua lie.
#[derive(Clone, Copy, Debug)]
enum Arrangement {
    /// Every second layer is of the other one.
    Layers,
    /// The upper half is of the other one.
    Halves,
    /// The upper half is of the other one and far above.
    Apart,
}

const ARRANGEMENTS: [Arrangement; 3] =
    [Arrangement::Layers, Arrangement::Halves, Arrangement::Apart];

/// Particles with their contacts.
struct Case {
    particles: Particles,
    search: ParticleContacts,
    contacts: LinearContacts,
}

impl Case {
    fn new(arrangement: Arrangement) -> Self {
        let lattice = block(2, [SIDE; 3], SPACING, DVec3::ZERO, DVec3::ZERO);
        let random = RandomStream::new(1, 1);
        let mut halves = [Vec::new(), Vec::new()];
        for (k, &x) in lattice.particles.position.iter().enumerate() {
            let noise = |axis| random.unit(3 * k as u64 + axis) - 0.5;
            let moved = x + DVec3::new(noise(0), noise(1), noise(2)) * (0.2 * SPACING);
            let layer = k / SIDE % SIDE;
            let (half, up) = match arrangement {
                Arrangement::Layers => (layer % 2, 0.0),
                Arrangement::Halves => (2 * layer / SIDE, 0.0),
                Arrangement::Apart => (2 * layer / SIDE, 10.0),
            };
            halves[half].push(moved + DVec3::Y * (up * half as f64));
        }
        let bodies = halves.map(|position| body(2, SPACING, position, DVec3::ZERO));
        let mut particles = World::new(setup(bodies.to_vec())).state.particles;
        sort(&mut particles);
        let mut case = Self {
            particles,
            search: ParticleContacts::default(),
            contacts: LinearContacts::default(),
        };
        case.find();
        case
    }

    fn find(&mut self) {
        let search = PairSearch {
            continuum_of_body: &|body| body,
            friction_of_body: &|_| 0.5,
            inner_friction_of_body: &|_| None,
            grain: None,
            solids: Solids::default(),
            sampled_surfaces: SampledSurfaces::default(),
            tied: None,
            kept: None,
            acceleration: 9.81,
            push_out_speed: 0.1,
            dt: DT,
        };
        self.contacts.start();
        self.search
            .find(&self.particles, &search, &mut self.contacts);
        self.contacts.share_out(&self.particles.position);
    }

    fn project(&mut self) {
        let Particles {
            velocity,
            inverse_mass,
            ..
        } = &mut self.particles;
        for v in velocity.iter_mut() {
            v.y -= 1e-3;
        }
        self.contacts.project(velocity, inverse_mass);
    }
}

/// Puts particles that are close together in space close together in memory, as the methods do.
fn sort(particles: &mut Particles) {
    let key = |&i: &u32| {
        let [x, y, z] = (particles.position[i as usize] / (4.0 * SPACING)).to_array();
        let block = [z, y, x].map(|c| c.floor() as i64);
        (particles.body[i as usize], block)
    };
    let mut order: Vec<u32> = (0..particles.len() as u32).collect();
    order.sort_by_key(key);
    particles.reorder(&order, &mut ReorderScratch::default());
}

/// Times some work on a case.
fn time(bencher: divan::Bencher, threads: usize, arrangement: Arrangement, work: fn(&mut Case)) {
    let pool = Pool::new(threads).expect("threads");
    let mut case = pool.run(|| Case::new(arrangement));
    let count = divan::counter::ItemsCount::new(case.particles.len());
    bencher
        .counter(count)
        .bench_local(|| pool.run(|| work(&mut case)));
}

#[divan::bench(args = ARRANGEMENTS, consts = [1, 2], sample_count = 10, sample_size = 1)]
fn find<const THREADS: usize>(bencher: divan::Bencher, arrangement: Arrangement) {
    time(bencher, THREADS, arrangement, Case::find);
}

#[divan::bench(args = ARRANGEMENTS, consts = [1, 2], sample_count = 10, sample_size = 1)]
fn project<const THREADS: usize>(bencher: divan::Bencher, arrangement: Arrangement) {
    time(bencher, THREADS, arrangement, Case::project);
}
