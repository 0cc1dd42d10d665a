//! What contacts with the boundaries of solids promise: only outside is outside.

use rustc_hash::FxHashMap;

use super::*;
use crate::contacts::SolidBoundary;

/// Squares along an edge of a cube.
const CELLS: i32 = 4;
/// Edge of a cube, diameter of a sphere [m].
const SIZE: f64 = 0.2;
const RADIUS: Real = 2e-3;

/// A closed surface.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Cube,
    Sphere,
}

/// Closed surfaces and balls.
#[derive(Clone, Default)]
struct Scene {
    particles: Particles,
    surface: Surface,
}

impl Scene {
    fn add_ball(&mut self, position: DVec3, velocity: Vec3) {
        let body = 1000;
        self.add_particle(position, velocity, body);
    }

    fn add_particle(&mut self, position: DVec3, velocity: Vec3, body: u32) -> u32 {
        let id = self.particles.len() as u32;
        self.particles.push(NewParticle {
            position,
            velocity,
            mass: 0.01,
            is_pinned: false,
            radius: RADIUS,
            body,
            id,
        });
        id
    }

    /// Adds a closed surface around a centre as a body of its own.
    fn add(&mut self, form: Form, center: DVec3, is_inverted: bool) {
        let body = self.surface.boundaries.len() as u32;
        let (first, mut numbers) = (self.particles.len(), FxHashMap::default());
        let before = self.surface.triangles.len();
        for corners in squares() {
            let [a, b, c, d] = corners.map(|corner| {
                let key = corner.to_array().map(f64::to_bits);
                *numbers.entry(key).or_insert_with(|| {
                    let place = match form {
                        Form::Cube => corner,
                        Form::Sphere => corner.normalize(),
                    };
                    self.add_particle(center + place * (0.5 * SIZE), Vec3::ZERO, body)
                })
            });
            for [p, q, r] in [[a, b, c], [a, c, d]] {
                let triangle = if is_inverted { [p, r, q] } else { [p, q, r] };
                self.surface.triangles.push(triangle);
            }
        }
        let triangles = before..self.surface.triangles.len();
        let all = &self.surface.triangles;
        let boundary = SolidBoundary::new(all, triangles, &self.particles.position);
        let boundary = boundary.expect("closed");
        assert_eq!(boundary.is_inverted, is_inverted);
        self.surface.boundaries.push(boundary);
        self.surface.edges = edges(all);
        self.surface.vertices = 0..self.particles.len();
        self.surface.met = usize::MAX;
        assert!(self.particles.len() > first);
    }

    fn places_of(&self, body: u32) -> Vec<usize> {
        let all = 0..self.particles.len();
        all.filter(|&i| self.particles.body[i] == body).collect()
    }

    /// Mean position [m] and velocity [m/s] of a body.
    fn means(&self, body: u32) -> (DVec3, DVec3) {
        let places = self.places_of(body);
        let count = places.len() as f64;
        let x = places.iter().map(|&i| self.particles.position[i]);
        let v = places.iter().map(|&i| self.particles.velocity[i]);
        (
            x.sum::<DVec3>() / count,
            v.map(to_double).sum::<DVec3>() / count,
        )
    }

    /// Lets all vertices of a body move as one.
    fn stiffen(&mut self, body: u32) {
        let (_, mean) = self.means(body);
        for i in self.places_of(body) {
            self.particles.velocity[i] = to_real(mean);
        }
    }

    /// One substep of contacts, in which bodies of surfaces do not deform or turn.
    fn step_rigid(&mut self, contacts: &mut SurfaceContacts) {
        let Self { particles, surface } = self;
        let mut found = find(contacts, surface, particles, &SEARCH);
        for _ in 0..10 {
            let Particles {
                velocity,
                inverse_mass,
                ..
            } = &mut self.particles;
            found.project(velocity, inverse_mass);
            for body in 0..self.surface.boundaries.len() as u32 {
                self.stiffen(body);
            }
        }
        contacts.stop_passages(&self.surface, &mut self.particles, DT);
        advance(&mut self.particles);
    }

    /// Balls inside of a surface's sphere or cube around the origin.
    fn holds(&self, form: Form) -> bool {
        let balls = self.places_of(1000);
        balls.iter().all(|&i| {
            let x = self.particles.position[i];
            let size = match form {
                Form::Cube => x.abs().max_element(),
                Form::Sphere => x.length(),
            };
            size < 0.5 * SIZE
        })
    }
}

/// Corners of the squares on a cube around the origin with an edge of 2, counter-clockwise from outside.
fn squares() -> impl Iterator<Item = [DVec3; 4]> {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    let place = |k: i32| f64::from(2 * k) / f64::from(CELLS) - 1.0;
    (0..3).flat_map(move |axis| {
        let [normal, u, v] = [0, 1, 2].map(|k| axes[(axis + k) % 3]);
        (0..2 * CELLS * CELLS).map(move |k| {
            let (i, j, side) = (k / 2 / CELLS, k / 2 % CELLS, f64::from(1 - 2 * (k % 2)));
            let at = |i: i32, j: i32| normal * side + u * place(i) + v * place(j);
            let (a, c) = (at(i, j), at(i + 1, j + 1));
            let (b, d) = (at(i + 1, j), at(i, j + 1));
            if side > 0.0 {
                [a, b, c, d]
            } else {
                [a, d, c, b]
            }
        })
    })
}

fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|[p, q]| [p.min(q), p.max(q)]);
    let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(sides).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

#[test]
fn solids_that_overlap_separate_at_the_push_out_speed() {
    let offsets = [
        DVec3::new(0.7, 0.065, 0.035),
        DVec3::new(0.0, 0.1, -0.7),
        DVec3::new(-0.7, 0.7, 0.7),
    ];
    for (offset, form) in offsets
        .iter()
        .flat_map(|&x| [(x, Form::Cube), (x, Form::Sphere)])
    {
        for is_inverted in [false, true] {
            separate(form, offset * SIZE, is_inverted);
        }
    }
}

/// Two solids come apart, and no faster than they shall.
fn separate(form: Form, offset: DVec3, is_inverted: bool) {
    let mut scene = Scene::default();
    scene.add(form, DVec3::ZERO, is_inverted);
    scene.add(form, offset, false);
    let mut contacts = SurfaceContacts::default();
    for k in 0..1000 {
        scene.step_rigid(&mut contacts);
        let ((x, v), (y, w)) = (scene.means(0), scene.means(1));
        // So fast along each normal; those of edges and corners, which leave last, may have three directions.
        let speed = (w - v).length();
        assert!(speed < 1.74 * SEARCH.push_out_speed, "{form:?} {k} {speed}");
        assert!((w - v).dot(y - x) >= 0.0, "{form:?} {k} {}", w - v);
    }
    assert!(momentum(&scene.particles).length() < 1e-6);
    find(&mut contacts, &scene.surface, &scene.particles, &SEARCH);
    assert!(!contacts.interior.has_any(), "{form:?} {offset}");
}

#[test]
fn what_is_inside_a_solid_comes_out_at_the_nearest_face() {
    for is_inverted in [false, true] {
        let mut scene = Scene::default();
        scene.add(Form::Cube, DVec3::ZERO, is_inverted);
        scene.particles.inverse_mass.fill(0.0);
        let starts = [
            DVec3::new(-0.07, 0.02, 0.01),
            DVec3::new(0.011, 0.05, 0.03),
            DVec3::new(0.03, -0.02, 0.0999),
        ];
        for start in starts {
            scene.add_ball(start, Vec3::ZERO);
        }
        let mut contacts = SurfaceContacts::default();
        for _ in 0..1000 {
            scene.step_rigid(&mut contacts);
        }
        for (i, start) in scene.places_of(1000).into_iter().zip(starts) {
            let (x, axis) = (scene.particles.position[i], start.abs().max_position());
            let height = x[axis] * start[axis].signum() - 0.5 * SIZE;
            assert!(height > 1.9 * f64::from(RADIUS), "{start}: {x}");
            let beside = (0..3).filter(|&other| other != axis);
            assert!(beside.into_iter().all(|k| (x[k] - start[k]).abs() < 1e-9));
        }
    }
}

#[test]
fn nothing_gets_into_a_solid() {
    let mut scene = Scene::default();
    scene.add(Form::Sphere, DVec3::ZERO, false);
    for k in 0..20 {
        let random = RandomStream::new(7, k);
        let unit = |k: u64| 2.0 * random.unit(k) - 1.0;
        let from = DVec3::new(unit(0), unit(1), unit(2)).normalize();
        scene.add_ball(from * 0.15, to_real(from * -30.0 * random.unit(3)));
    }
    let mut contacts = SurfaceContacts::default();
    for _ in 0..50 {
        scene.step_rigid(&mut contacts);
        find(&mut contacts, &scene.surface, &scene.particles, &SEARCH);
        assert!(!contacts.interior.has_any());
    }
}

#[test]
fn a_closed_sheet_holds_what_is_inside() {
    for form in [Form::Cube, Form::Sphere] {
        let mut scene = Scene::default();
        scene.add(form, DVec3::ZERO, false);
        scene.particles.inverse_mass.fill(0.0);
        scene.add_ball(DVec3::new(0.01, 0.02, 0.0), Vec3::new(3.0, 1.0, -2.0));
        scene.surface.boundaries.clear();
        let mut contacts = SurfaceContacts::default();
        for _ in 0..300 {
            step(&mut contacts, &scene.surface, &mut scene.particles);
            assert!(scene.holds(form));
        }
    }
}

#[test]
fn solids_that_overlap_have_the_same_bits_for_any_number_of_threads_and_keep_their_momentum() {
    let mut start = Scene::default();
    start.add(Form::Sphere, DVec3::ZERO, false);
    start.add(Form::Cube, DVec3::new(0.11, 0.09, 0.01), true);
    for k in 0..2000u64 {
        let random = RandomStream::new(8, k);
        let [x, y, z] = [0, 1, 2].map(|k| 0.3 * random.unit(k) - 0.1);
        start.add_ball(DVec3::new(x, y, z), Vec3::ZERO);
    }
    let after = |threads: usize| {
        let mut scene = start.clone();
        Pool::new(threads).expect("threads").run(|| {
            let mut contacts = SurfaceContacts::default();
            for _ in 0..3 {
                step(&mut contacts, &scene.surface, &mut scene.particles);
            }
            assert!(contacts.interior.has_any());
        });
        scene.particles
    };
    let one = after(1);
    assert!((2..=4).all(|threads| after(threads).velocity == one.velocity));
    let speeds: f64 = one.velocity.iter().map(|&v| to_double(v).length()).sum();
    let tolerance = if size_of::<Real>() == 4 { 1e-6 } else { 1e-14 };
    assert!(momentum(&one).length() < tolerance * 0.01 * speeds);
}

/// A cube and a sphere beside it, deformed and on their way.
///
/// * `height` — of what was 1 before
/// * `noise` — of positions [m]
/// * `rate` — of turning and stretching [1/s]
fn deformed(start: &Scene, (height, noise, rate): (f64, f64, f64)) -> Particles {
    let mut particles = start.particles.clone();
    for i in 0..particles.len() {
        let random = RandomStream::new(12, i as u64);
        let [u, v, w] = [0, 1, 2].map(|k| 2.0 * random.unit(k) - 1.0);
        let x = particles.position[i];
        let bent = DVec3::new(x.x, height * x.y + 0.3 * x.x * x.x, x.z);
        particles.position[i] = bent + DVec3::new(u, v, w) * noise;
        let turning = DVec3::new(0.3, 1.0, 0.2).cross(x) + DVec3::new(0.2, -0.5, 0.1) * x;
        particles.velocity[i] = to_real((turning + DVec3::new(w, u, v) * noise) * rate);
    }
    particles
}

#[test]
fn what_affine_parts_leave_out_is_no_contact_and_meets_nothing() {
    let mut start = Scene::default();
    start.add(Form::Cube, DVec3::ZERO, false);
    start.add(Form::Sphere, DVec3::X * (1.2 * SIZE), true);
    let surface = &start.surface;
    let mut kept = SurfaceContacts::default();
    for _ in 0..2 {
        find(&mut kept, surface, &start.particles, &SEARCH);
    }
    // Slow and fast; squeezed until both sides touch; torn to pieces. Patches that were made long ago may have
    // more candidates.
    let cases = [
        ((1.0, 0.0, 1.0), 0.1, false),
        ((0.8, 1e-3, 20.0), 0.7, false),
        ((0.02, 0.0, 1.0), 1.5, true),
        ((0.01, 1e-3, 100.0), 1.5, true),
        ((1.0, 0.1, 30.0), 1.5, true),
    ];
    for (shape, most, has_contacts) in cases {
        let particles = deformed(&start, shape);
        let fewer = contacts_and_ways(&mut kept, surface, &particles);
        let count = candidate_count(&kept) as f64;
        let mut fresh = SurfaceContacts::default();
        let all = contacts_and_ways(&mut fresh, surface, &particles);
        assert_eq!(fewer, all, "{shape:?}");
        assert_eq!(!all.0.is_empty(), has_contacts, "{shape:?}");
        let share = count / candidate_count(&fresh) as f64;
        assert!(share <= most, "{shape:?}: {share}");
    }
}

#[test]
fn what_is_inside_is_found_among_any_number_of_solids() {
    let mut scene = Scene::default();
    let place = |k: i32| DVec3::new(f64::from(k % 5), f64::from(k / 5 % 5), f64::from(k / 25));
    for k in 0..50 {
        let form = if k % 2 == 0 { Form::Cube } else { Form::Sphere };
        scene.add(form, place(k) * (0.9 * SIZE), k % 3 == 0);
    }
    for k in 0..500 {
        let random = RandomStream::new(13, k);
        let [x, y, z] = [0, 1, 2].map(|k| random.unit(k));
        let span = DVec3::new(4.5, 4.5, 1.5) * SIZE;
        scene.add_ball(DVec3::new(x, y, z) * span, Vec3::ZERO);
    }
    let mut contacts = SurfaceContacts::default();
    find(&mut contacts, &scene.surface, &scene.particles, &SEARCH);
    let mut count = 0;
    for k in 0..50 {
        let middle = place(k) * (0.9 * SIZE);
        for (i, &x) in scene.particles.position.iter().enumerate() {
            let arm = (x - middle).abs();
            let size = if k % 2 == 0 {
                arm.max_element()
            } else {
                arm.length()
            };
            let is_own = scene.particles.body[i] == k as u32;
            let is_inside = contacts.interior.has(i as u32, k as u32);
            if size > 0.5 * SIZE + 1e-9 || is_own {
                assert!(!is_inside, "{i} is not in {k}");
            } else if size < 0.9 * 0.5 * SIZE {
                assert!(is_inside, "{i} is in {k}");
                count += 1;
            }
        }
    }
    assert!(count > 500, "{count}");
}
