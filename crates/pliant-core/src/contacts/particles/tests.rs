//! Who meets whom, against trying all pairs.

use pliant_math::simd::Instructions;
use pliant_math::{DVec3, RandomStream, Real, to_double, to_real};

use super::active_set::SearchMargin;
use super::solid_pairs::SolidPairs;
use super::{
    MethodSolids, PairSearch, ParticleContacts, RestBody, SampledSurface, SampledSurfaces, Solids,
    Surfels,
};
use crate::contacts::solve::LinearContacts;
use crate::parallel::Pool;
use crate::particles::{NewParticle, Particles};

const DT: f64 = 1e-3;
const ACCELERATION: f64 = 9.81;

fn search() -> PairSearch<'static> {
    PairSearch {
        continuum_of_body: &|body| body,
        friction_of_body: &|_| 0.5,
        inner_friction_of_body: &|body| (body == 2).then_some(0.3),
        grain: None,
        solids: Solids::default(),
        sampled_surfaces: SampledSurfaces::default(),
        tied: None,
        kept: None,
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
        let is_oversized = id % 20 == 3;
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
            radius: if is_oversized { 0.04 } else { 0.01 },
            body: id % 3,
            id,
        });
    }
    particles
}

/// The contacts that a search finds.
fn find(
    contacts: &mut ParticleContacts,
    particles: &Particles,
    search: &PairSearch<'_>,
) -> LinearContacts {
    let mut found = LinearContacts::default();
    contacts.find(particles, search, &mut found);
    found.share_out(&particles.position);
    found
}

/// The pairs of particles of contacts, in the order in which they are projected.
fn pairs(contacts: &LinearContacts) -> Vec<(u32, u32)> {
    let terms = contacts.lists().flat_map(|list| list.terms());
    let pairs = terms.map(|terms| match terms {
        [i, j] => (i.place.min(j.place), i.place.max(j.place)),
        _ => panic!("{terms:?} is no pair"),
    });
    pairs.collect()
}

/// The pairs in order of their numbers.
fn sorted(contacts: &LinearContacts) -> Vec<(u32, u32)> {
    let mut pairs = pairs(contacts);
    pairs.sort_unstable();
    pairs
}

/// The pairs that contacts are found for.
fn found(particles: &Particles) -> Vec<(u32, u32)> {
    sorted(&find(
        &mut ParticleContacts::default(),
        particles,
        &search(),
    ))
}

/// Those that may touch within the substep.
fn expected(p: &Particles) -> Vec<(u32, u32)> {
    near(p, |i, j| {
        let do_meet = p.body[i] != p.body[j] || p.body[i] == 2;
        do_meet.then(|| f64::from(p.radius[i] + p.radius[j]))
    })
}

/// Those of the pairs that touch at some distance [m] which may touch within the substep.
fn near(p: &Particles, distance: impl Fn(usize, usize) -> Option<f64>) -> Vec<(u32, u32)> {
    let may_touch = |i: usize, j: usize| {
        let speed = to_double(p.velocity[i] - p.velocity[j]).length();
        let reach = |touching| 1.1 * touching + DT * (speed + 2.0 * ACCELERATION * DT);
        let is_free = p.inverse_mass[i] + p.inverse_mass[j] > 0.0;
        let apart = p.position[i].distance(p.position[j]);
        is_free && distance(i, j).is_some_and(|touching| apart <= reach(touching))
    };
    let mut pairs = Vec::new();
    for i in 0..p.len() {
        let later = (i + 1..p.len()).filter(|&j| may_touch(i, j));
        pairs.extend(later.map(|j| (i as u32, j as u32)));
    }
    pairs
}

/// Two crumpled solids, of which the first meets itself, behind loose particles.
struct Crumpled {
    particles: Particles,
    rest_position: Vec<DVec3>,
    is_outer: Vec<bool>,
    is_cut: Vec<bool>,
    cut_pairs: Vec<[u32; 2]>,
}

impl Crumpled {
    /// Lattices of 24 x 12 x 4 with a spacing of 20 mm, folded at the middle so that each half lies in the
    /// other one, the second upon the first.
    ///
    /// * `noise` — 1 shakes particles by up to 0.3 spacings, and their velocities
    /// * `squeeze` — stretch along y
    fn new(seed: u64, noise: f64, squeeze: f64) -> Self {
        let random = RandomStream::new(seed, 2);
        let mut all = Self {
            particles: cloud(240, seed),
            rest_position: Vec::new(),
            is_outer: Vec::new(),
            is_cut: vec![false; 2304],
            cut_pairs: Vec::new(),
        };
        all.particles.body.fill(2);
        for id in 240..2544 {
            let number = id - 240;
            let (body, cell) = (number / 1152, number % 1152);
            let place = [cell % 24, cell / 24 % 12, cell / 288].map(f64::from);
            let rest = 0.02 * DVec3::from_array(place);
            let random = |key: u64| noise * (random.unit(10 * u64::from(id) + key) - 0.5);
            let shaken =
                |key, size: f64| size * DVec3::new(random(key), random(key + 1), random(key + 2));
            let folded = DVec3::new((rest.x - 0.23).abs(), squeeze * rest.y, rest.z);
            let is_inside = place[1] > 4.5 && place[1] < 6.5 && place[2] > 0.5 && place[2] < 2.5;
            all.rest_position.push(rest);
            all.is_outer.push(!is_inside);
            all.particles.push(NewParticle {
                position: folded
                    + DVec3::new(0.0, 0.05, 0.013) * f64::from(body)
                    + shaken(0, 0.012),
                velocity: to_real(shaken(3, 6.0) - DVec3::Y * 50.0),
                mass: 1.0,
                is_pinned: id % 7 == 0,
                radius: if id % 11 == 0 { 0.012 } else { 0.01 },
                body,
                id,
            });
        }
        all
    }

    /// Parts what lies on either side of the plane x = 90 mm of the first solid.
    fn cut(&mut self) {
        let is_left = |k: usize| self.rest_position[k].x < 0.09;
        for i in 0..1152 {
            for j in i + 1..1152 {
                let apart = self.rest_position[i].distance(self.rest_position[j]);
                if apart < 0.036 && is_left(i) != is_left(j) {
                    self.cut_pairs.push([i as u32, j as u32]);
                    self.is_cut[i] = true;
                    self.is_cut[j] = true;
                }
            }
        }
    }

    /// The surfaces of both solids.
    fn surfels(&self) -> Surfels {
        let mut surfels = Surfels::default();
        surfels.clear(2304);
        for first in [0, 1152] {
            let rest = &self.rest_position[first..first + 1152];
            let near = |i: usize, list: &mut Vec<u32>| {
                let is_near = |&j: &usize| j != i && rest[i].distance(rest[j]) < 0.036;
                list.extend((0..1152).filter(is_near).map(|j| j as u32));
            };
            let places: Vec<u32> = (first as u32..first as u32 + 1152).collect();
            surfels.add(&RestBody {
                position: rest,
                spacing: 0.02,
                support_radius: 0.036,
                neighbors: &near,
                places: &places,
            });
        }
        surfels
    }

    fn search(&self) -> PairSearch<'_> {
        PairSearch {
            inner_friction_of_body: &|body| (body != 1).then_some(0.3),
            grain: None,
            solids: [MethodSolids {
                range: 240..2544,
                rest_share: 1.5,
                rest_position: &self.rest_position,
                is_outer: &self.is_outer,
                is_cut: &self.is_cut,
                cut_pairs: &self.cut_pairs,
            }]
            .into_iter()
            .collect(),
            ..search()
        }
    }

    fn contacts(&self, instructions: Instructions) -> LinearContacts {
        let mut contacts = ParticleContacts {
            instructions,
            ..ParticleContacts::default()
        };
        self.contacts_by(&mut contacts)
    }

    fn contacts_by(&self, contacts: &mut ParticleContacts) -> LinearContacts {
        find(contacts, &self.particles, &self.search())
    }

    /// Pairs that meet: no two of the second solid, none inside, and none of the first that were nearer
    /// at rest than 1.5 diameters, unless they have been cut apart.
    fn expected(&self) -> Vec<(u32, u32)> {
        let p = &self.particles;
        let rest = |i: usize| self.rest_position[i - 240];
        let is_inner = |i: usize| i >= 240 && !self.is_outer[i - 240];
        near(p, |i, j| {
            let radii = f64::from(p.radius[i] + p.radius[j]);
            let were_cut = || self.cut_pairs.contains(&[i as u32 - 240, j as u32 - 240]);
            let distance = match (p.body[i], p.body[j]) {
                (0, 0) if rest(i).distance(rest(j)) >= 1.5 * radii => Some(radii),
                (0, 0) => were_cut().then(|| radii.min(rest(i).distance(rest(j)))),
                (1, 1) => None,
                _ => Some(radii),
            };
            distance.filter(|_| !is_inner(i) && !is_inner(j))
        })
    }
}

#[test]
fn solids_meet_exactly_what_may_touch_and_was_not_near_at_rest_or_was_cut_off() {
    let cases = [(1.0, 1.0), (1.0, 0.8), (0.1, 1.0), (0.1, 0.85), (0.1, 0.6)];
    for (seed, (noise, squeeze)) in (0..).zip(cases) {
        let mut crumpled = Crumpled::new(seed, noise, squeeze);
        if seed == 1 {
            crumpled.particles.position[300] = DVec3::new(1e9, -1e12, 1e30);
            crumpled.particles.velocity[2000] = to_real(DVec3::X * 1e9);
        }
        let whole = crumpled.expected().len();
        if seed > 1 {
            crumpled.cut();
        }
        let contacts = crumpled.contacts(Instructions::best());
        let found = sorted(&contacts);
        let expected = crumpled.expected();
        assert!((expected.len() > whole) == (seed > 1));
        let of = |a: u32, b: u32| {
            let body = |place: u32| crumpled.particles.body[place as usize];
            let pairs = expected.iter();
            pairs
                .filter(|pair| (body(pair.0), body(pair.1)) == (a, b))
                .count()
        };
        assert!(of(0, 0) > 500 && of(0, 1) > 1000 && of(2, 0) > 10);
        assert!(found == expected, "{} {}", found.len(), expected.len());
    }
}

#[test]
fn every_instruction_set_finds_the_same_pairs_of_solids_in_the_same_order() {
    let crumpled = Crumpled::new(5, 1.0, 1.0);
    let found = Instructions::available()
        .into_iter()
        .map(|instructions| pairs(&crumpled.contacts(instructions)));
    let found: Vec<_> = found.collect();
    assert!(found.iter().all(|pairs| *pairs == found[0]));
}

#[test]
fn what_solids_looked_like_before_does_not_change_the_order_of_pairs() {
    let crumpled = Crumpled::new(6, 1.0, 1.0);
    let mut contacts = ParticleContacts::default();
    Crumpled::new(7, 1.0, 1.0).contacts_by(&mut contacts);
    let found = crumpled.contacts_by(&mut contacts);
    let fresh = crumpled.contacts(Instructions::best());
    assert!(pairs(&found) == pairs(&fresh));
}

/// Moves what is crumpled: slow, then fast, then all but one at rest, then slow again; all fall together,
/// and are taken far away once.
fn moved(crumpled: &mut Crumpled, step: u64) {
    let random = RandomStream::new(9, 3);
    let speed = [2.0, 20.0, 0.0, 0.5][step as usize / 10];
    let fall = DVec3::Y * if step == 25 { 1e8 } else { -0.05 };
    let particles = &mut crumpled.particles;
    for i in 0..particles.len() {
        let random = |axis| random.unit(10 * (step / 5 * 3000 + i as u64) + axis) - 0.5;
        let velocity = speed * DVec3::new(random(0), random(1), random(2));
        particles.velocity[i] = to_real(velocity - DVec3::Y * 50.0);
        particles.position[i] += DT * velocity + fall;
    }
    particles.position[700] += DVec3::Z * 0.002;
}

#[test]
fn solids_that_move_meet_in_every_substep_what_they_would_meet_if_seen_for_the_first_time() {
    let mut crumpled = Crumpled::new(9, 0.1, 0.85);
    crumpled.cut();
    let mut contacts = ParticleContacts::default();
    crumpled.contacts_by(&mut contacts);
    let mut counts = Vec::new();
    for step in 0..40 {
        moved(&mut crumpled, step);
        let found = crumpled.contacts_by(&mut contacts);
        let fresh = crumpled.contacts(Instructions::best());
        assert!(pairs(&found) == pairs(&fresh), "{step}");
        counts.push(pairs(&fresh).len());
        if step % 8 == 0 && step < 25 {
            assert!(sorted(&fresh) == crumpled.expected(), "{step}");
        }
    }
    counts.dedup();
    assert!(counts.len() > 20 && counts.iter().all(|&count| count > 1000));
}

#[test]
fn solids_that_move_are_near_the_same_surfaces_as_if_seen_for_the_first_time() {
    let mut crumpled = Crumpled::new(10, 0.1, 0.9);
    let surfels = crumpled.surfels();
    let sampled_surface = SampledSurface {
        first: 240,
        surfels: &surfels,
    };
    let mut pairs = SolidPairs::default();
    let mut counts = Vec::new();
    for step in 0..40 {
        moved(&mut crumpled, step);
        // Long and short substeps in turn: reaches grow and shrink.
        let search = PairSearch {
            sampled_surfaces: SampledSurfaces::from_iter([sampled_surface]),
            tied: None,
            kept: None,
            dt: if step % 3 == 0 { 0.1 * DT } else { DT },
            ..crumpled.search()
        };
        let reach = SearchMargin::new(&crumpled.particles, &search);
        let mut fresh = SolidPairs::default();
        pairs.find(Instructions::best(), reach);
        fresh.find(Instructions::best(), reach);
        assert!(pairs.near_surfaces().eq(fresh.near_surfaces()), "{step}");
        counts.push(fresh.near_surfaces().count());
    }
    counts.dedup();
    assert!(counts.len() > 20 && counts.iter().all(|&count| count > 1000));
}

#[test]
fn projecting_solids_in_parallel_gives_the_same_bits_and_keeps_momentum() {
    let mut crumpled = Crumpled::new(8, 1.0, 1.0);
    crumpled.particles.inverse_mass.fill(1.0);
    let after = |threads: usize| {
        let mut velocity = crumpled.particles.velocity.clone();
        let inverse_mass = &crumpled.particles.inverse_mass;
        Pool::new(threads).expect("threads").run(|| {
            let mut contacts = crumpled.contacts(Instructions::best());
            contacts.project(&mut velocity, inverse_mass);
            assert!(contacts.pressed_count() > 500);
        });
        velocity
    };
    let one = after(1);
    assert!((2..=4).all(|threads| after(threads) == one));
    let sum =
        |velocity: &[pliant_math::Vec3]| velocity.iter().map(|&v| to_double(v)).sum::<DVec3>();
    let (start, end) = (sum(&crumpled.particles.velocity), sum(&one));
    assert!((end - start).length() < 1e-6 * start.length());
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
        pairs(&find(&mut contacts, &particles, &search()))
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
        grain: None,
        solids: Solids::default(),
        ..search()
    };
    let reach = SearchMargin::new(&particles, &search);
    assert!(contacts.active_set.find(reach).is_empty());
    let found = find(&mut contacts, &particles, &search);
    assert_eq!(found.lists().count(), 0);
}

#[test]
fn projecting_in_parallel_gives_the_same_bits_and_keeps_momentum() {
    let start = cloud(3000, 11);
    let after = |threads: usize| {
        let mut particles = start.clone();
        let contacts = Pool::new(threads).expect("threads").run(|| {
            let mut contacts = find(&mut ParticleContacts::default(), &particles, &search());
            for _ in 0..3 {
                contacts.project(&mut particles.velocity, &particles.inverse_mass);
            }
            contacts
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
