//! Cutting and tearing: neighbours that a blade has parted, or that are too far apart, hold each other
//! no longer. What is left of a particle's neighbourhood gets a correction of its own.

use std::ops::Range;

use pliant_math::{DVec3, to_double};

use super::setup::SolidBody;
use super::{Severed, StrainEnergy, StrainEnergyColumns, constraint};
use crate::boundaries::{BladeStep, MovingSegment};
use crate::parallel;
use crate::particles::Particles;

/// Blades are out of their place by this part of the finest spacing.
const ASIDE: f64 = 1e-5;

impl StrainEnergy {
    /// Severs what blades have swept in a substep from `time` [s] on, of `dt` [s], and what has been
    /// stretched too far. Particles have moved already, and `find` has seen them before.
    pub fn part(
        &mut self,
        particles: &Particles,
        columns: &mut StrainEnergyColumns,
        time: f64,
        dt: f64,
    ) {
        let spacings = self.setup.bodies.iter().map(|body| body.spacing);
        let aside = ASIDE * spacings.fold(f64::INFINITY, f64::min);
        let blades = self.setup.blades.iter();
        let blades = blades.filter_map(|blade| BladeStep::new(blade, time, dt, aside));
        let blades: Vec<BladeStep> = blades.collect();
        for number in 0..self.setup.bodies.len() {
            let body = &self.setup.bodies[number];
            let concerns = |blade: &&BladeStep| blade.body.is_none_or(|of| of == body.body);
            let blades: Vec<&BladeStep> = blades.iter().filter(concerns).collect();
            if blades.is_empty() && body.tear_strain.is_none() {
                continue;
            }
            let parted = Parting {
                body,
                blades,
                place_of_id: &self.place_of_id[body.first_id as usize..],
                first_place: self.range.start,
                particles,
                severed: &columns.severed,
                dt,
            }
            .find();
            if !parted.is_empty() {
                self.sever(number, &parted, particles, columns);
            }
        }
    }

    /// Parts pairs of neighbours of a body.
    fn sever(
        &mut self,
        number: usize,
        parted: &[[u32; 2]],
        particles: &Particles,
        columns: &mut StrainEnergyColumns,
    ) {
        let body = &self.setup.bodies[number];
        let all = self.setup.way_count();
        for &[one, other] in parted {
            for [from, to] in [[one, other], [other, one]] {
                let ways = body.shape.neighbors_of(from as usize);
                if let Ok(k) = ways.binary_search(&to) {
                    let way = body.first_way + body.shape.edges_of(from as usize).start + k;
                    columns.severed.insert(way, all);
                }
            }
        }
        let mut touched: Vec<u32> = parted.iter().flatten().copied().collect();
        touched.sort_unstable();
        touched.dedup();
        let law = &self.setup.laws[body.law as usize];
        let (places, severed) = (&self.place_of_id, &columns.severed);
        let mass = &particles.mass[self.range.clone()];
        let inverse_mass = &particles.inverse_mass[self.range.clone()];
        for &particle in &touched {
            if let Some(new) = constraint(body, law, particle, places, severed) {
                self.rows.replace(&new, mass, inverse_mass);
            }
        }
        self.outsides.update(body, severed, places, &touched);
        self.built_for.severed = severed.count();
    }
}

/// What may be parted in a substep.
struct Parting<'a> {
    body: &'a SolidBody,
    blades: Vec<&'a BladeStep>,
    /// Place of each particle of the body among the solid ones, `u32::MAX` for those that have left.
    place_of_id: &'a [u32],
    first_place: usize,
    particles: &'a Particles,
    severed: &'a Severed,
    dt: f64,
}

impl Parting<'_> {
    /// Pairs of neighbours that have been parted, by their numbers in the body, the lesser first,
    /// increasing.
    fn find(&self) -> Vec<[u32; 2]> {
        let join = |mut all: Vec<[u32; 2]>, more: Vec<[u32; 2]>| {
            all.extend(more);
            all
        };
        let of_range = |range| self.find_in(range);
        parallel::ordered_fold(self.body.shape.len(), Vec::new(), of_range, join)
    }

    fn find_in(&self, range: Range<usize>) -> Vec<[u32; 2]> {
        let mut parted = Vec::new();
        for particle in range {
            let Some(own) = self.moving(particle) else {
                continue;
            };
            for (way, other) in self.body.ways(particle) {
                let is_later = other as usize > particle;
                if !is_later || self.severed.contains(way) {
                    continue;
                }
                let Some(theirs) = self.moving(other as usize) else {
                    continue;
                };
                let ends = [0, 1].map(|moment| [own[moment], theirs[moment]]);
                if self.is_torn(particle, other as usize, ends) || self.is_cut(ends) {
                    parted.push([particle as u32, other]);
                }
            }
        }
        parted
    }

    /// Where a particle was at the start of the substep and is now, `None` if it has left.
    fn moving(&self, particle: usize) -> Option<[DVec3; 2]> {
        let place = self.place_of_id[particle];
        let place = (place != u32::MAX).then(|| self.first_place + place as usize)?;
        let end = self.particles.position[place];
        Some([
            end - to_double(self.particles.velocity[place]) * self.dt,
            end,
        ])
    }

    fn is_torn(&self, one: usize, other: usize, [_, [x, y]]: MovingSegment) -> bool {
        let rest = &self.body.shape.position;
        self.body.tear_strain.is_some_and(|strain| {
            let most = (1.0 + strain) * rest[one].distance(rest[other]);
            x.distance_squared(y) > most * most
        })
    }

    fn is_cut(&self, ends: MovingSegment) -> bool {
        self.blades.iter().any(|blade| blade.cuts(ends))
    }
}
