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
