//! Which particles can meet one of another continuum within the substep.
//!
//! Each particle has a sphere that holds all it may touch: two particles touch only if their spheres
//! do. Consecutive particles of one body, which lie close together, are a run with a box around its
//! spheres. Particles whose sphere lies outside of all boxes of other continua are left out.

use std::ops::Range;

use pliant_math::{DVec3, Real, Vec3, to_double};

use super::PairSearch;
use super::pair::RADII_SHARE;
use crate::parallel::{self, CHUNK};
use crate::particles::Particles;

/// A particle that takes part.
#[derive(Clone, Copy, Debug)]
pub struct Sphere {
    /// The particle's position [m].
    pub position: DVec3,
    /// Radius [m]: half of the distance within which it may touch a particle of the same.
    pub half_reach: Real,
    /// The particle's velocity [m/s].
    pub velocity: Vec3,
    /// The particle's own radius [m].
    pub radius: Real,
    /// Its 1/m [1/kg].
    pub inverse_mass: Real,
    /// Square root of its coefficient of friction.
    pub friction_root: Real,
    /// The particle.
    pub particle: u32,
    /// Its continuum.
    pub continuum: u32,
}

/// A box along the axes [m].
#[derive(Clone, Copy, Debug)]
struct Extent {
    min: DVec3,
    max: DVec3,
}

/// Consecutive particles of one body.
#[derive(Clone, Debug)]
struct Run {
    particles: Range<usize>,
    body: u32,
    continuum: u32,
    /// Around the spheres.
    extent: Extent,
}

/// The runs of consecutive particles and those of the particles that take part.
#[derive(Debug, Default)]
struct Chunk {
    runs: Vec<Run>,
    members: Vec<Sphere>,
}

/// Finds the particles that take part; scratch of the stepper.
#[derive(Debug, Default)]
pub struct Meeting {
    chunks: Vec<Chunk>,
    runs: Vec<Run>,
    members: Vec<Sphere>,
}

impl Meeting {
    /// The particles that can meet one of another continuum, in their order.
    pub fn find(&mut self, particles: &Particles, search: &PairSearch<'_>) -> &[Sphere] {
        let reach = Reach::new(particles, search);
        let count = particles.len();
        self.chunks
            .resize_with(parallel::chunk_count(count), Chunk::default);
        parallel::for_items(&mut self.chunks, |number, chunk| {
            let range = number * CHUNK..((number + 1) * CHUNK).min(count);
            chunk.find_runs(range, reach);
        });
        self.runs.clear();
        for chunk in &self.chunks {
            self.runs.extend_from_slice(&chunk.runs);
        }
        let all = &self.runs;
        parallel::for_items(&mut self.chunks, |_, chunk| {
            chunk.find_members(all, reach);
        });
        self.members.clear();
        for chunk in &self.chunks {
            self.members.extend_from_slice(&chunk.members);
        }
        &self.members
    }
}

impl Chunk {
    fn find_runs(&mut self, range: Range<usize>, reach: Reach<'_>) {
        self.runs.clear();
        for i in range {
            let body = reach.particles.body[i];
            let extent = reach.extent(i);
            match self.runs.last_mut() {
                Some(run) if run.body == body => {
                    run.particles.end = i + 1;
                    run.extent = run.extent.around(extent);
                }
                _ => self.runs.push(Run {
                    particles: i..i + 1,
                    body,
                    continuum: (reach.search.continuum_of_body)(body),
                    extent,
                }),
            }
        }
    }

    fn find_members(&mut self, all: &[Run], reach: Reach<'_>) {
        self.members.clear();
        for run in &self.runs {
            let others = all.iter().filter(|other| other.continuum != run.continuum);
            let common = others
                .map(|other| run.extent.common(other.extent))
                .filter(|common| common.is_there())
                .reduce(Extent::around);
            if let Some(common) = common {
                let is_near = |i: &usize| common.common(reach.extent(*i)).is_there();
                let near = run.particles.clone().filter(is_near);
                let friction = (reach.search.friction_of_body)(run.body);
                let sphere = reach.sphere_of(run.continuum, libm::sqrt(friction) as Real);
                self.members.extend(near.map(sphere));
            }
        }
    }
}

/// How far particles reach within the substep. Speeds count from the mean velocity, so that a common
/// fall costs nothing.
#[derive(Clone, Copy)]
struct Reach<'a> {
    particles: &'a Particles,
    search: &'a PairSearch<'a>,
    mean_velocity: DVec3,
}

impl<'a> Reach<'a> {
    fn new(particles: &'a Particles, search: &'a PairSearch<'a>) -> Self {
        let velocity = &particles.velocity;
        let of_chunk = |range: Range<usize>| velocity[range].iter().map(|&v| to_double(v)).sum();
        let sum =
            parallel::ordered_fold(velocity.len(), DVec3::ZERO, of_chunk, |a, b: DVec3| a + b);
        Self {
            particles,
            search,
            mean_velocity: sum / velocity.len().max(1) as f64,
        }
    }

    /// Half of the distance [m] within which a particle may touch one of the same.
    fn half(&self, i: usize) -> f64 {
        let dt = self.search.dt;
        let speed = to_double(self.particles.velocity[i]).distance(self.mean_velocity);
        let way = dt * (speed + self.search.acceleration * dt);
        RADII_SHARE * f64::from(self.particles.radius[i]) + way
    }

    /// Around the sphere of a particle.
    fn extent(&self, i: usize) -> Extent {
        let (position, half) = (self.particles.position[i], self.half(i));
        Extent {
            min: position - half,
            max: position + half,
        }
    }

    /// The spheres of particles of one body.
    fn sphere_of(self, continuum: u32, friction_root: Real) -> impl Fn(usize) -> Sphere {
        move |i| Sphere {
            position: self.particles.position[i],
            half_reach: self.half(i) as Real,
            velocity: self.particles.velocity[i],
            radius: self.particles.radius[i],
            inverse_mass: self.particles.inverse_mass[i],
            friction_root,
            particle: i as u32,
            continuum,
        }
    }
}

impl Extent {
    /// The least box around two.
    fn around(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// What two boxes have in common, if it is there.
    fn common(self, other: Self) -> Self {
        Self {
            min: self.min.max(other.min),
            max: self.max.min(other.max),
        }
    }

    fn is_there(self) -> bool {
        self.min.cmple(self.max).all()
    }
}
