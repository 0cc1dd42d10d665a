//! What contacts with cloth promise.

mod solids;

use pliant_math::{DVec3, RandomStream, Real, Vec3, to_double, to_real};

use super::{Surface, SurfaceContacts};
use crate::contacts::solve::{LinearContacts, Term};
use crate::contacts::{SurfaceSearch, TiedParticles};
use crate::parallel::Pool;
use crate::particles::{NewParticle, Particles};

const DT: f64 = 1e-3;

const SEARCH: SurfaceSearch<'static> = SurfaceSearch {
    grain: None,
    friction_of_body: &|_| 0.5,
    acceleration: 0.0,
    push_out_speed: 0.1,
    dt: DT,
};

/// A grid of so many squares of 0.1 m along x and z in the plane y = 0, with a radius of 2 mm.
fn sheet(cells: u32) -> (Particles, Surface) {
    let mut particles = Particles::default();
    let count = cells + 1;
    for z in 0..count {
        for x in 0..count {
            let position = DVec3::new(0.1 * f64::from(x), 0.0, 0.1 * f64::from(z));
            add(&mut particles, position, Vec3::ZERO, 0.01);
        }
    }
    let at = |x: u32, z: u32| z * count + x;
    let mut triangles = Vec::new();
    let mut edges = Vec::new();
    for z in 0..cells {
        for x in 0..cells {
            let [a, b, c, d] = [at(x, z), at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)];
            triangles.extend([[a, c, d], [a, d, b]]);
        }
    }
    for &[a, b, c] in &triangles {
        edges.extend([[a, b], [b, c], [c, a]].map(|[p, q]: [u32; 2]| [p.min(q), p.max(q)]));
    }
    edges.sort_unstable();
    edges.dedup();
    let surface = Surface {
        boundaries: Vec::new(),
        enclosed: Vec::new(),
        inner: Vec::new(),
        passing: Vec::new(),
        tied: TiedParticles::default(),
        close_at_rest: Vec::new(),
        met: usize::MAX,
        triangles,
        edges,
        vertices: 0..particles.len(),
    };
    (particles, surface)
}

fn add(particles: &mut Particles, position: DVec3, velocity: Vec3, mass: Real) {
    particles.push(NewParticle {
        position,
        velocity,
        mass,
        is_pinned: false,
        radius: 2e-3,
        body: 0,
        id: particles.len() as u32,
    });
}

fn momentum(particles: &Particles) -> DVec3 {
    let each = particles.velocity.iter().zip(&particles.mass);
    each.map(|(&v, &m)| to_double(v) * f64::from(m)).sum()
}

fn advance(particles: &mut Particles) {
    for (x, &v) in particles.position.iter_mut().zip(&particles.velocity) {
        *x += to_double(v) * DT;
    }
}

/// The contacts that a search finds.
fn find(
    contacts: &mut SurfaceContacts,
    surface: &Surface,
    particles: &Particles,
    search: &SurfaceSearch<'_>,
) -> LinearContacts {
    let mut found = LinearContacts::default();
    contacts.find(surface, particles, search, &mut found);
    found.share_out(&particles.position);
    found
}

/// One substep of contacts alone.
fn step(contacts: &mut SurfaceContacts, surface: &Surface, particles: &mut Particles) {
    let mut found = find(contacts, surface, particles, &SEARCH);
    for _ in 0..10 {
        found.project(&mut particles.velocity, &particles.inverse_mass);
    }
    contacts.stop_passages(surface, particles, DT);
    advance(particles);
}

#[test]
fn a_particle_that_hits_a_sheet_hands_on_its_momentum_and_stays_above() {
    let (mut particles, surface) = sheet(3);
    let start = DVec3::new(0.12, 0.02, 0.17);
    add(&mut particles, start, Vec3::new(0.3, -5.0, 0.0), 0.02);
    let before = momentum(&particles);
    let mut contacts = SurfaceContacts::default();
    for _ in 0..20 {
        step(&mut contacts, &surface, &mut particles);
    }
    let tolerance = if size_of::<Real>() == 4 { 1e-6 } else { 1e-15 };
    assert!((momentum(&particles) - before).length() < tolerance);
    assert!(particles.velocity[16].y > -5.0 && particles.velocity[0..16].iter().any(|v| v.y < 0.0));
}

#[test]
fn a_particle_rests_at_the_sum_of_the_radii_and_stays_where_it_is_on_a_flat_sheet() {
    let (mut particles, surface) = sheet(3);
    particles.inverse_mass.fill(0.0);
    // Over an edge, a corner, and the middle of a triangle.
    for place in [(0.15, 0.1), (0.1, 0.1), (0.13, 0.12)] {
        let start = DVec3::new(place.0, 0.0041, place.1);
        add(&mut particles, start, Vec3::ZERO, 1e-3);
    }
    let mut contacts = SurfaceContacts::default();
    for _ in 0..200 {
        particles.velocity[16..]
            .iter_mut()
            .for_each(|v| *v -= Vec3::Y * 0.01);
        step(&mut contacts, &surface, &mut particles);
    }
    for (place, x) in [(0.15, 0.1), (0.1, 0.1), (0.13, 0.12)]
        .iter()
        .zip(&particles.position[16..])
    {
        let target = DVec3::new(place.0, 0.004, place.1);
        assert!(x.distance(target) < 1e-5, "{x}");
    }
}

#[test]
fn a_particle_that_slides_without_friction_does_not_stumble_over_edges() {
    let (mut particles, surface) = sheet(8);
    particles.inverse_mass.fill(0.0);
    let count = particles.len();
    let smooth = SurfaceSearch {
        friction_of_body: &|_| 0.0,
        ..SEARCH
    };
    add(&mut particles, DVec3::new(0.05, 0.004, 0.33), Vec3::X, 1e-3);
    let mut contacts = SurfaceContacts::default();
    for _ in 0..600 {
        particles.velocity[count] -= Vec3::Y * 0.01;
        let mut found = find(&mut contacts, &surface, &particles, &smooth);
        for _ in 0..5 {
            found.project(&mut particles.velocity, &particles.inverse_mass);
        }
        contacts.stop_passages(&surface, &mut particles, DT);
        advance(&mut particles);
    }
    assert!((particles.velocity[count] - Vec3::X).length() < 1e-4);
    assert!((particles.position[count].x - 0.65).abs() < 1e-4);
}

/// Which side of the plane of a triangle a particle above its middle is on, per triangle crossed.
fn crossings(before: &Particles, after: &Particles, surface: &Surface, i: usize) -> usize {
    let volume = |p: &Particles, [a, b, c]: [u32; 3]| {
        let [a, b, c] = [a, b, c].map(|k| p.position[k as usize]);
        (b - a).cross(c - a).dot(p.position[i] - a)
    };
    let inside = |p: &Particles, [a, b, c]: [u32; 3]| {
        let corners = [i, a as usize, b as usize, c as usize].map(|k| p.position[k]);
        crate::contacts::narrow::point_triangle(&corners)
            .weights
            .iter()
            .all(|&w| w != 0.0)
    };
    let crossed = |t: &&[u32; 3]| {
        volume(before, **t) * volume(after, **t) < 0.0 && inside(before, **t) && inside(after, **t)
    };
    surface.triangles.iter().filter(crossed).count()
}

/// A sheet of 6 x 6 squares, and particles that fly at it from both sides.
fn bombarded(speed: f64) -> (Particles, Surface) {
    let (mut particles, surface) = sheet(6);
    let random = RandomStream::new(9, 0);
    for k in 0..200 {
        let unit = |a: u64| random.unit(8 * k + a);
        let side = if k % 2 == 0 { 1.0 } else { -1.0 };
        let position = DVec3::new(
            0.6 * unit(0),
            side * (0.003 + 0.03 * unit(1)),
            0.6 * unit(2),
        );
        let wild = DVec3::new(unit(3) - 0.5, -side * (0.2 + unit(4)), unit(5) - 0.5);
        add(&mut particles, position, to_real(wild * speed), 1e-3);
    }
    (particles, surface)
}

/// Where momenta are equal to rounding, over the sum of m |v|.
const TOLERANCE: f64 = if size_of::<Real>() == 4 { 1e-5 } else { 1e-12 };

#[test]
fn nothing_passes_a_free_sheet_at_any_speed() {
    for speed in [1.0, 30.0, 1000.0] {
        let (mut particles, surface) = bombarded(speed);
        let before = momentum(&particles);
        let mut contacts = SurfaceContacts::default();
        for _ in 0..10 {
            let last = particles.clone();
            step(&mut contacts, &surface, &mut particles);
            for i in 49..particles.len() {
                assert_eq!(
                    crossings(&last, &particles, &surface, i),
                    0,
                    "{i} at {speed}"
                );
            }
        }
        let scale = speed * particles.mass.iter().map(|&m| f64::from(m)).sum::<f64>();
        assert!((momentum(&particles) - before).length() < TOLERANCE * scale);
    }
}

#[test]
fn what_is_held_feels_what_the_last_check_stops() {
    let (mut particles, surface) = bombarded(30.0);
    for i in (0..49).step_by(2) {
        particles.inverse_mass[i] = 0.0;
    }
    let mut contacts = SurfaceContacts::default();
    find(&mut contacts, &surface, &particles, &SEARCH);
    let before = momentum(&particles);
    assert!(contacts.stop_passages(&surface, &mut particles, DT));
    let mut on_particle = vec![DVec3::ZERO; particles.len()];
    contacts.add_impulses(&mut on_particle);
    let felt: DVec3 = on_particle.iter().sum();
    let scale = 30.0 * particles.mass.iter().map(|&m| f64::from(m)).sum::<f64>();
    let error = (momentum(&particles) - before + felt).length();
    assert!(felt.length() > 1e-3 * scale && error < TOLERANCE * scale);
    assert!((49..particles.len()).all(|i| on_particle[i] == DVec3::ZERO));
}

/// A sheet of 0.1 m squares rolled up around z so that layers are `gap` apart, moving by a smooth field.
fn rolled(cells: u32, gap: f64, rate: f64) -> (Particles, Surface) {
    let (mut particles, surface) = sheet(cells);
    for i in 0..particles.len() {
        let flat = particles.position[i];
        // An Archimedean spiral by its arc length, nearly.
        let start = 0.15;
        let growth = gap / std::f64::consts::TAU;
        let angle = (libm::sqrt(start * start + 2.0 * growth * flat.x) - start) / growth;
        let radius = start + growth * angle;
        let (sine, cosine) = libm::sincos(angle);
        let place = DVec3::new(radius * cosine, radius * sine, flat.z);
        particles.position[i] = place;
        let wave = libm::sin(9.0 * flat.x + 5.0 * flat.z);
        let inward = -place.with_z(0.0) * (1.0 + wave);
        let turning = DVec3::Z.cross(place) * 3.0 + DVec3::X * 8.0;
        particles.velocity[i] = to_real((inward + turning) * rate);
    }
    (particles, surface)
}

fn candidate_count(contacts: &SurfaceContacts) -> usize {
    let tasks = contacts.candidates.tasks.iter();
    tasks
        .map(|task| task.triangles.len() + task.edges.len())
        .sum()
}

/// Contacts, and how many ways meet.
fn contacts_and_ways(
    contacts: &mut SurfaceContacts,
    surface: &Surface,
    particles: &Particles,
) -> (Vec<Vec<Term>>, usize) {
    let found = find(contacts, surface, particles, &SEARCH);
    let terms = found.lists().flat_map(|list| list.terms());
    let terms = terms.map(<[Term]>::to_vec).collect();
    contacts.candidates.follow(surface, particles, DT);
    contacts.find_impacts(particles, DT);
    (terms, contacts.impacts.len())
}

#[test]
fn what_regions_leave_out_is_no_contact_and_meets_nothing() {
    let (flat, surface) = sheet(24);
    // Layers apart, layers that touch, layers that run into each other.
    for (gap, rate, has_contacts) in [(0.2, 1.0, false), (4.2e-3, 0.1, true), (0.05, 200.0, true)] {
        let (particles, _) = rolled(24, gap, rate);
        let mut with_regions = SurfaceContacts::default();
        find(&mut with_regions, &surface, &flat, &SEARCH);
        find(&mut with_regions, &surface, &flat, &SEARCH);
        assert_eq!(candidate_count(&with_regions), 0);
        let fewer = contacts_and_ways(&mut with_regions, &surface, &particles);
        let mut without = SurfaceContacts::default();
        let all = contacts_and_ways(&mut without, &surface, &particles);
        assert_eq!(fewer, all);
        assert_eq!(!all.0.is_empty(), has_contacts, "{gap}");
    }
}

#[test]
fn what_strays_meets_the_same_as_in_a_new_search() {
    let (flat, surface) = sheet(40);
    // Layers apart, of which a few particles are thrown at the next one, more each time.
    let (start, _) = rolled(40, 0.05, 0.1);
    let random = RandomStream::new(4, 0);
    let mut contacts = SurfaceContacts::default();
    find(&mut contacts, &surface, &flat, &SEARCH);
    find(&mut contacts, &surface, &start, &SEARCH);
    contacts.candidates.follow(&surface, &start, DT);
    contacts.find_impacts(&start, DT);
    let mut particles = start.clone();
    let mut met = 0;
    for round in 0..12_u64 {
        for k in 0..4 {
            let number = |n: u64| random.unit(40 * round + 10 * k + n);
            let i = (number(0) * particles.len() as f64) as usize;
            let thrown = DVec3::new(number(1), number(2), number(3)) - DVec3::splat(0.5);
            // From far more to far less than what counts as the same.
            particles.velocity[i] = to_real(thrown * 400.0 * 0.1_f64.powi(k as i32));
        }
        contacts.candidates.follow(&surface, &particles, DT);
        if round % 3 == 0 {
            let room = contacts.candidates.room_of_checks();
            contacts.checked.restart(room);
        }
        contacts.find_impacts(&particles, DT);
        let mut anew = SurfaceContacts::default();
        find(&mut anew, &surface, &particles, &SEARCH);
        anew.find_impacts(&particles, DT);
        let points = |of: &SurfaceContacts| of.impacts.iter().map(|c| c.points).collect::<Vec<_>>();
        assert_eq!(points(&contacts), points(&anew), "{round}");
        met = contacts.impacts.len();
    }
    assert!(met > 100, "{met}");
}

#[test]
fn flaps_beside_a_slit_meet_each_other() {
    // Cut from the middle of one side to the middle of the sheet, and the lips laid over each other.
    let (mut flat, mut surface) = sheet(8);
    let lip = |z: u32| z * 9 + 4;
    let twin = |z: u32| 81 + z;
    for z in 0..4 {
        let place = flat.position[lip(z) as usize];
        add(&mut flat, place, Vec3::ZERO, 0.01);
    }
    surface.vertices = 0..flat.len();
    for corners in &mut surface.triangles {
        let middle = corners.iter().map(|&i| f64::from(i % 9)).sum::<f64>() / 3.0;
        for corner in corners {
            if middle > 4.0 && *corner % 9 == 4 && *corner / 9 < 4 {
                *corner = twin(*corner / 9);
            }
        }
    }
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)]);
    surface.edges = surface.triangles.iter().flat_map(sides).collect();
    surface.edges.sort_unstable();
    surface.edges.dedup();
    let mut lapped = flat.clone();
    for z in 0..4 {
        let over = 0.02 * f64::from(4 - z);
        lapped.position[lip(z) as usize] += DVec3::new(over, 1e-3, 0.0);
        lapped.position[twin(z) as usize] -= DVec3::new(over, 1e-3, 0.0);
    }
    let mut with_regions = SurfaceContacts::default();
    find(&mut with_regions, &surface, &flat, &SEARCH);
    find(&mut with_regions, &surface, &flat, &SEARCH);
    let fewer = contacts_and_ways(&mut with_regions, &surface, &lapped);
    let all = contacts_and_ways(&mut SurfaceContacts::default(), &surface, &lapped);
    assert_eq!(fewer, all);
    assert!(all.0.len() > 8);
}

#[test]
fn contacts_of_crumpled_cloth_have_the_same_bits_for_any_number_of_threads() {
    let (_, surface) = sheet(24);
    let (start, _) = rolled(24, 4.2e-3, 3.0);
    let after = |threads: usize| {
        let mut particles = start.clone();
        Pool::new(threads).expect("threads").run(|| {
            let mut contacts = SurfaceContacts::default();
            for _ in 0..3 {
                step(&mut contacts, &surface, &mut particles);
            }
        });
        particles
    };
    let one = after(1);
    assert!(one.velocity != start.velocity);
    assert!((2..=4).all(|threads| after(threads).velocity == one.velocity));
    let scale: f64 = start.velocity.iter().map(|&v| to_double(v).length()).sum();
    let tolerance = if size_of::<Real>() == 4 { 1e-6 } else { 1e-14 };
    let change = (momentum(&one) - momentum(&start)).length();
    assert!(change < tolerance * 0.01 * scale, "{change}");
}
