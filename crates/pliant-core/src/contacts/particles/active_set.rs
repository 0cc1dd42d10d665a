//! Which particles can meet one of another continuum within the substep.
//!
//! Each particle has a sphere that holds all it may touch: two particles touch only if their spheres
//! do. Consecutive particles, which lie close together, have a box around their spheres for each
//! continuum. Particles whose sphere lies outside of all boxes of what they may meet are left out.

use std::ops::Range;

use pliant_geometry::Aabb;
use pliant_math::{DVec3, Real, Vec3, to_double};

use super::pair::{ASIDE, RADII_SHARE};
use super::{NO_SPHERES, PairSearch};
use crate::parallel::{self, CHUNK};
use crate::particles::Particles;

/// A particle that takes part.
#[derive(Clone, Copy, Debug)]
pub struct Sphere {
    /// The particle's position [m].
    pub position: DVec3,
    /// Radius [m]: half of the distance within which it may touch a particle of the same, or be part of
    /// a surface that this one touches.
    pub swept_radius: Real,
    /// The particle's velocity [m/s].
    pub velocity: Vec3,
    /// The particle's own radius [m].
    pub radius: Real,
    /// Its 1/m [1/kg].
    pub inverse_mass: Real,
    /// The particle.
    pub particle: u32,
    /// Whom it meets, and how.
    pub material: ContactMaterial,
}

/// What the particles of a body have in common where they meet others.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactMaterial {
    /// Their continuum.
    pub continuum: u32,
    /// Square root of the coefficient of friction against other continua.
    friction_root: Real,
    /// The same against the own continuum, if particles of that meet each other.
    inner_friction_root: Option<Real>,
}

impl ContactMaterial {
    /// Of a body.
    pub fn of(body: u32, search: &PairSearch<'_>) -> Self {
        let inner = (search.inner_friction_of_body)(body);
        let root = |friction: f64| libm::sqrt(friction) as Real;
        Self {
            continuum: (search.continuum_of_body)(body),
            friction_root: root((search.friction_of_body)(body)),
            inner_friction_root: inner.map(root),
        }
    }

    /// True if particles of one body meet each other.
    #[inline(always)]
    pub fn meets_itself(&self) -> bool {
        self.inner_friction_root.is_some()
    }

    /// The coefficient of friction between particles of two bodies, `None` if they do not meet.
    #[inline(always)]
    pub fn friction(&self, other: &Self) -> Option<Real> {
        if self.continuum == other.continuum {
            Some(self.inner_friction_root? * other.inner_friction_root?)
        } else {
            Some(self.friction_root * other.friction_root)
        }
    }
}

/// The particles of one continuum among consecutive ones.
#[derive(Clone, Copy, Debug)]
struct Group {
    continuum: u32,
    meets_itself: bool,
    /// Solids meet each other elsewhere.
    is_solid: bool,
    /// Around the spheres.
    bounds: Aabb,
    /// What of that others share.
    common: Option<Aabb>,
}

/// Consecutive particles.
#[derive(Debug, Default)]
struct Chunk {
    groups: Vec<Group>,
    members: Vec<Sphere>,
}

/// Finds the particles that take part; scratch of the stepper.
#[derive(Debug, Default)]
pub struct ActiveSet {
    chunks: Vec<Chunk>,
    groups: Vec<Group>,
    members: Vec<Sphere>,
}

impl ActiveSet {
    /// The particles that can meet another one, in their order.
    pub fn find(&mut self, reach: SearchMargin<'_>) -> &[Sphere] {
        let count = reach.particles.len();
        self.members.clear();
        if reach.search.solids.count() == count {
            return &self.members;
        }
        let range = |number: usize| number * CHUNK..((number + 1) * CHUNK).min(count);
        self.chunks
            .resize_with(parallel::chunk_count(count), Chunk::default);
        parallel::for_items(&mut self.chunks, |number, chunk| {
            chunk.find_groups(range(number), reach);
        });
        self.groups.clear();
        for chunk in &self.chunks {
            self.groups.extend_from_slice(&chunk.groups);
        }
        let all = &self.groups;
        parallel::for_items(&mut self.chunks, |number, chunk| {
            chunk.find_members(all, range(number), reach);
        });
        for chunk in &self.chunks {
            self.members.extend_from_slice(&chunk.members);
        }
        &self.members
    }
}

impl Chunk {
    fn find_groups(&mut self, range: Range<usize>, reach: SearchMargin<'_>) {
        self.groups.clear();
        reach.for_each(range, |i, material| {
            if material.continuum == NO_SPHERES {
                return;
            }
            let bounds = reach.bounds(i);
            match group_of(&mut self.groups, material.continuum) {
                Some(group) => group.bounds = group.bounds.union(bounds),
                None => self.groups.push(Group {
                    continuum: material.continuum,
                    meets_itself: material.meets_itself(),
                    is_solid: reach.search.solids.contains(i),
                    bounds,
                    common: None,
                }),
            }
        });
    }

    fn find_members(&mut self, all: &[Group], range: Range<usize>, reach: SearchMargin<'_>) {
        self.members.clear();
        for group in &mut self.groups {
            group.common = group.common_with(all);
        }
        if self.groups.iter().all(|group| group.common.is_none()) {
            return;
        }
        let Self { groups, members } = self;
        reach.for_each(range, |i, material| {
            let common = group_of(groups, material.continuum).and_then(|group| group.common);
            if common.is_some_and(|common| common.overlaps(&reach.bounds(i))) {
                members.push(reach.sphere(i, material));
            }
        });
    }
}

/// The group of a continuum.
fn group_of(groups: &mut [Group], continuum: u32) -> Option<&mut Group> {
    groups.iter_mut().find(|g| g.continuum == continuum)
}

impl Group {
    /// The least box around what the spheres of others share with those of this group.
    fn common_with(&self, all: &[Self]) -> Option<Aabb> {
        all.iter()
            .filter(|other| other.continuum != self.continuum || self.meets_itself)
            .filter(|other| !(self.is_solid && other.is_solid))
            .filter_map(|other| common(self.bounds, other.bounds))
            .reduce(Aabb::union)
    }
}

/// How far particles reach within the substep. Speeds count from the mean velocity, so that a common
/// fall costs nothing.
#[derive(Clone, Copy)]
pub struct SearchMargin<'a> {
    /// The particles.
    pub particles: &'a Particles,
    /// What they are asked for.
    pub search: &'a PairSearch<'a>,
    mean_velocity: DVec3,
    /// By how much of their radii those of surfaces reach further.
    beside: f64,
    /// The same for solids that meet solids.
    beside_of_solids: f64,
}

impl<'a> SearchMargin<'a> {
    /// Of all particles.
    pub fn new(particles: &'a Particles, search: &'a PairSearch<'a>) -> Self {
        let velocity = &particles.velocity;
        let of_chunk = |range: Range<usize>| velocity[range].iter().map(|&v| to_double(v)).sum();
        let sum =
            parallel::ordered_fold(velocity.len(), DVec3::ZERO, of_chunk, |a, b: DVec3| a + b);
        let share = match search.sampled_surfaces.is_empty() {
            true => 0.0,
            false => greatest_share(particles, search),
        };
        let beside = ASIDE * ASIDE / (2.0 * RADII_SHARE) * share;
        let solids = search.solids.by_method();
        let mut bodies = solids.flat_map(|solids| &particles.body[solids.range.clone()]);
        let first = bodies.next();
        let meet_solids = bodies.any(|body| Some(body) != first);
        Self {
            particles,
            search,
            mean_velocity: sum / velocity.len().max(1) as f64,
            beside,
            beside_of_solids: if meet_solids { beside * share } else { 0.0 },
        }
    }

    /// By how much of their radii solids reach further than [`Self::half`] to solids of other continua,
    /// of whose surface they may be part: 0 if these have no surfaces.
    pub fn beside_of_solids(&self) -> f64 {
        self.beside_of_solids
    }

    /// Half of the distance [m] within which a particle may touch one of the same, or be part of a
    /// surface that this one touches: sqrt(a^2 + b^2) <= a + b^2/2a.
    #[inline]
    fn half_as_surface(&self, i: usize) -> f64 {
        let is_of_sampled_surface = self.beside > 0.0 && self.search.sampled_surfaces.contains(i);
        let beside = if is_of_sampled_surface {
            self.beside
        } else {
            0.0
        };
        self.half(i) + beside * f64::from(self.particles.radius[i])
    }

    /// Half of the distance [m] within which a particle may touch one of the same.
    #[inline]
    pub fn half(&self, i: usize) -> f64 {
        let dt = self.search.dt;
        let speed = to_double(self.particles.velocity[i]).distance(self.mean_velocity);
        let way = dt * (speed + self.search.acceleration * dt);
        RADII_SHARE * f64::from(self.particles.radius[i]) + way
    }

    /// Around the sphere of a particle.
    #[inline]
    fn bounds(&self, i: usize) -> Aabb {
        let (position, half) = (self.particles.position[i], self.half_as_surface(i));
        Aabb {
            min: position - half,
            max: position + half,
        }
    }

    /// A particle as it takes part.
    pub fn sphere(&self, i: usize, material: ContactMaterial) -> Sphere {
        Sphere {
            position: self.particles.position[i],
            swept_radius: self.half_as_surface(i) as Real,
            velocity: self.particles.velocity[i],
            radius: self.particles.radius[i],
            inverse_mass: self.particles.inverse_mass[i],
            particle: i as u32,
            material,
        }
    }

    /// Calls `f` for particles that are not deep inside a solid, and what they share with their body.
    #[inline]
    pub fn for_each(&self, range: Range<usize>, mut f: impl FnMut(usize, ContactMaterial)) {
        let mut known = None;
        for i in range {
            if self.search.solids.is_inner(i) {
                continue;
            }
            let body = self.particles.body[i];
            let material = match known {
                Some((of, material)) if of == body => material,
                _ => ContactMaterial::of(body, self.search),
            };
            known = Some((body, material));
            f(i, material);
        }
    }
}

/// The greatest share that the radius of a particle has of the sum of two.
fn greatest_share(particles: &Particles, search: &PairSearch<'_>) -> f64 {
    let (mut least, mut greatest): (Real, Real) = (Real::INFINITY, 0.0);
    let mut start = 0;
    for of_body in particles.body.chunk_by(|a, b| a == b) {
        let places = start..start + of_body.len();
        start = places.end;
        if (search.continuum_of_body)(of_body[0]) != NO_SPHERES {
            for &radius in &particles.radius[places] {
                least = least.min(radius);
                greatest = greatest.max(radius);
            }
        }
    }
    if greatest == 0.0 {
        return 0.0;
    }
    f64::from(greatest) / f64::from(greatest + least)
}

/// What two boxes have in common; `None` if that is nothing.
fn common(a: Aabb, b: Aabb) -> Option<Aabb> {
    let common = Aabb {
        min: a.min.max(b.min),
        max: a.max.min(b.max),
    };
    common.min.cmple(common.max).all().then_some(common)
}
