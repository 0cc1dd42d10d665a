//! Who meets whom, against trying all pairs.

use pliant_math::simd::Instructions;
use pliant_math::{DVec3, RandomStream, Real, to_double, to_real};

use super::{PairSearch, ParticleContacts, Solids};
use crate::parallel::Pool;
use crate::particles::{NewParticle, Particles};

const DT: f64 = 1e-3;
const ACCELERATION: f64 = 9.81;

fn search() -> PairSearch<'static> {
    PairSearch {
        continuum_of_body: &|body| body,
        friction_of_body: &|_| 0.5,
        inner_friction_of_body: &|body| (body == 2).then_some(0.3),
        solids: Solids::default(),
        acceleration: ACCELERATION,
        push_out_speed: 0.1,
        dt: DT,
    }
}

/// Particles of three continua, the last one's contacts of each other, at random places of a cube of 1 m, in a common fall; one in twenty is
/// four times as wide as the others, and one in a hundred flies up to 20 or 200 of them in a substep.
fn cloud(count: u32, seed: u64) -> Particles {
    let random = RandomStream::new(seed, 1);
    let mut particles = Particles::default();
    for id in 0..count {
        let vector = |key: u64| {
            let along = |axis| random.unit(10 * u64::from(id) + key + axis) - 0.5;
            DVec3::new(along(0), along(1), along(2))
        };
        let is_wide = id % 20 == 3;
        let speed = match id % 200 {
            7 => 400.0,
            107 => 4000.0,
            _ => 4.0,
        };
        particles.push(NewParticle {
            position: vector(0),
            velocity: to_real(vector(3) * speed - DVec3::Y * 50.0),
            mass: 1.0,
            is_pinned: id % 9 == 0,
            radius: if is_wide { 0.04 } else { 0.01 },
            body: id % 3,
            id,
        });
    }
    particles
}

/// The pairs that contacts were found for.
fn found(particles: &Particles) -> Vec<(u32, u32)> {
    let mut contacts = ParticleContacts::default();
    contacts.find(particles, &search());
    let pairs = contacts.tasks.iter().flat_map(|task| &task.pairs);
    let mut found: Vec<_> = pairs.map(|pair| pair.particles()).collect();
    found.sort_unstable();
    found
}

/// Those that may touch within the substep.
fn expected(p: &Particles) -> Vec<(u32, u32)> {
    let may_touch = |i: usize, j: usize| {
        let speed = to_double(p.velocity[i] - p.velocity[j]).length();
        let radii = f64::from(p.radius[i] + p.radius[j]);
        let reach = 1.1 * radii + DT * (speed + 2.0 * ACCELERATION * DT);
        let is_free = p.inverse_mass[i] + p.inverse_mass[j] > 0.0;
        let do_meet = p.body[i] != p.body[j] || p.body[i] == 2;
        is_free && do_meet && p.position[i].distance(p.position[j]) <= reach
    };
    let mut pairs = Vec::new();
    for i in 0..p.len() {
        let later = (i + 1..p.len()).filter(|&j| may_touch(i, j));
        pairs.extend(later.map(|j| (i as u32, j as u32)));
    }
    pairs
}

#[test]
fn exactly_the_pairs_that_may_touch_are_found() {
    for seed in 0..3 {
        let particles = cloud(3000, seed);
        let expected = expected(&particles);
        assert!(expected.len() > 3000);
        assert!(found(&particles) == expected);
    }
}

#[test]
fn every_instruction_set_finds_the_same_pairs() {
    let particles = cloud(1000, 4);
    let found = Instructions::available().into_iter().map(|instructions| {
        let mut contacts = ParticleContacts {
            instructions,
            ..ParticleContacts::default()
        };
        contacts.find(&particles, &search());
        let pairs = contacts.tasks.iter().flat_map(|task| &task.pairs);
        pairs.map(|pair| pair.particles()).collect::<Vec<_>>()
    });
    let found: Vec<_> = found.collect();
    assert!(found.iter().all(|pairs| *pairs == found[0]));
}

#[test]
fn one_that_is_far_away_or_faster_than_light_does_not_hinder_the_search() {
    let mut particles = cloud(500, 5);
    particles.position[17] = DVec3::new(1e9, -1e12, 1e30);
    particles.velocity[18] = to_real(DVec3::X * 1e9);
    assert!(found(&particles) == expected(&particles));
}

#[test]
fn continua_that_are_apart_have_no_particle_that_takes_part() {
    let mut particles = cloud(300, 7);
    let Particles { position, body, .. } = &mut particles;
    for (x, body) in position.iter_mut().zip(body) {
        x.x += 1e3 * f64::from(*body);
    }
    let mut contacts = ParticleContacts::default();
    let search = PairSearch {
        inner_friction_of_body: &|_| None,
        solids: Solids::default(),
        ..search()
    };
    assert!(contacts.meeting.find(&particles, &search).is_empty());
    contacts.find(&particles, &search);
    assert_eq!(contacts.tasks.iter().count(), 0);
}

#[test]
fn projecting_in_parallel_gives_the_same_bits_and_keeps_momentum() {
    let start = cloud(3000, 11);
    let after = |threads: usize| {
        let mut particles = start.clone();
        let mut contacts = ParticleContacts::default();
        Pool::new(threads).expect("threads").run(|| {
            contacts.find(&particles, &search());
            for _ in 0..3 {
                contacts.project(&mut particles.velocity, &particles.inverse_mass);
            }
        });
        (particles, contacts)
    };
    let (one, contacts) = after(1);
    assert!(contacts.pressed_count() > 100);
    assert!((2..=4).all(|threads| after(threads).0.velocity == one.velocity));
    let mut impulses = vec![DVec3::ZERO; one.len()];
    contacts.add_impulses(&one.inverse_mass, &mut impulses);
    let size: f64 = impulses.iter().map(|j| j.length()).sum();
    let total: DVec3 = impulses.iter().sum();
    assert!(total.length() < 1e-12 * size);
    for i in (0..one.len()).filter(|&i| one.inverse_mass[i] > 0.0) {
        let change = to_double(one.velocity[i] - start.velocity[i]);
        // Velocities are thousands of metres a second.
        let rounding = 1e4 * f64::from(Real::EPSILON);
        assert!((change - impulses[i]).length() < rounding * (1.0 + size.sqrt()));
    }
}
