//! Cutting and tearing: bonds that a blade has crossed or that are stretched too far are broken.
//! What is left of a particle's neighbourhood gets a correction of its own.

use std::ops::Range;

use pliant_math::{DVec3, to_double};

use super::setup::SolidBody;
use super::surface::bonded;
use super::{BrokenBonds, StrainEnergy, StrainEnergyColumns, constraint};
use crate::boundaries::{BladeStep, MovingSegment};
use crate::parallel;
use crate::particles::Particles;
use crate::rest::CutPoint;

/// Blades are displaced by this part of the finest spacing, so that none passes through a particle.
const BLADE_OFFSET: f64 = 1e-5;

impl StrainEnergy {
    /// Breaks the bonds that blades have crossed in a substep from `time` [s] on, of `dt` [s], and those
    /// stretched too far. Particles have moved already, after the last `find`.
    pub fn part(
        &mut self,
        particles: &Particles,
        columns: &mut StrainEnergyColumns,
        time: f64,
        dt: f64,
    ) {
        let spacings = self.setup.bodies.iter().map(|body| body.spacing);
        let offset = BLADE_OFFSET * spacings.fold(f64::INFINITY, f64::min);
        let blades = self.setup.blades.iter().zip(&self.rims);
        let blades = blades.filter_map(|(blade, rim)| BladeStep::new(blade, rim, time, dt, offset));
        let blades: Vec<BladeStep> = blades.collect();
        for number in 0..self.setup.bodies.len() {
            let body = &self.setup.bodies[number];
            let breaking = BondBreaking {
                body,
                place_of_id: self.places.from(body.first_id),
                first_place: self.range.start,
                particles,
                broken_bonds: &columns.broken_bonds,
                dt,
            };
            let concerns = |blade: &&BladeStep| blade.body.is_none_or(|of| of == body.body);
            let cut = blades.iter().filter(concerns);
            let mut broken: Vec<BrokenBond> =
                cut.flat_map(|blade| breaking.cut_by(blade)).collect();
            if let Some(strain) = body.tear_strain {
                broken.extend(breaking.torn_at(strain));
            }
            // Several blades may have crossed one bond.
            broken.sort_by_key(|pair| pair.ends);
            broken.dedup_by_key(|pair| pair.ends);
            if !broken.is_empty() {
                self.break_bonds(number, &broken, particles, columns);
            }
        }
    }

    /// Breaks bonds of a body.
    fn break_bonds(
        &mut self,
        number: usize,
        broken: &[BrokenBond],
        particles: &Particles,
        columns: &mut StrainEnergyColumns,
    ) {
        let body = &self.setup.bodies[number];
        let all = self.setup.bond_count();
        for &BrokenBond { ends, at } in broken {
            let [one, other] = ends;
            columns.broken_bonds.add_cut_point(CutPoint {
                ends: ends.map(|end| body.first_id + end),
                at,
            });
            for [from, to] in [[one, other], [other, one]] {
                let bonds = body.shape.neighbors_of(from as usize);
                if let Ok(k) = bonds.binary_search(&to) {
                    let bond = body.first_bond + body.shape.edges_of(from as usize).start + k;
                    columns.broken_bonds.insert(bond, all);
                }
            }
        }
        let mut touched: Vec<u32> = broken.iter().flat_map(|pair| pair.ends).collect();
        touched.sort_unstable();
        touched.dedup();
        let law = &self.setup.laws[body.law as usize];
        let (places, broken_bonds) = (&self.places, &columns.broken_bonds);
        let mass = &particles.mass[self.range.clone()];
        let inverse_mass = &particles.inverse_mass[self.range.clone()];
        for &particle in &touched {
            if let Some(new) = constraint(body, law, particle, places, broken_bonds) {
                self.rows.replace(&new, mass, inverse_mass);
            }
        }
        let bonded = bonded(body, broken_bonds, places);
        self.surface.update(bonded, &touched);
        self.has_facets = false;
        self.built_for.broken_bonds = broken_bonds.count();
    }
}

/// A bond that has been broken.
#[derive(Clone, Copy, Debug)]
struct BrokenBond {
    /// Their numbers in the body, the lesser first.
    ends: [u32; 2],
    /// Where on the bond, from 0 at the first to 1.
    at: f32,
}

/// Finds the bonds of a body that break in a substep.
struct BondBreaking<'a> {
    body: &'a SolidBody,
    /// Place of each particle of the body among the solid ones, `u32::MAX` for those that have left.
    place_of_id: &'a [u32],
    first_place: usize,
    particles: &'a Particles,
    broken_bonds: &'a BrokenBonds,
    dt: f64,
}

/// Says on which sides of a box a point is, a bit for each face.
type BoxSides = u8;

/// The sides of particles that have left: on none is all of the box.
const GONE: BoxSides = u8::MAX;

impl BondBreaking<'_> {
    /// Bonds that a blade crosses, increasing.
    fn cut_by(&self, blade: &BladeStep) -> Vec<BrokenBond> {
        let mut sides = vec![GONE; self.body.shape.len()];
        parallel::for_chunks(&mut sides, |first, sides| {
            for (k, sides) in sides.iter_mut().enumerate() {
                if let Some(ends) = self.moving(first + k) {
                    *sides = blade.sides(ends);
                }
            }
        });
        if sides.iter().fold(GONE, |all, sides| all & sides) != 0 {
            return Vec::new();
        }
        let sides = &sides;
        self.found(|particle, other| {
            let may_meet = sides[particle] & sides[other] == 0;
            may_meet.then(|| blade.cut(self.ends(particle, other)?))?
        })
    }

    /// Bonds that are longer than at rest by more than a strain.
    fn torn_at(&self, strain: f64) -> Vec<BrokenBond> {
        let rest = &self.body.shape.position;
        self.found(|particle, other| {
            let most = (1.0 + strain) * rest[particle].distance(rest[other]);
            let [_, [x, y]] = self.ends(particle, other)?;
            (x.distance_squared(y) > most * most).then_some(0.5)
        })
    }

    /// Bonds that break somewhere.
    fn found(&self, broken_at: impl Fn(usize, usize) -> Option<f64> + Sync) -> Vec<BrokenBond> {
        let of_range = |range: Range<usize>| {
            let mut broken = Vec::new();
            for particle in range {
                let later = self.body.bonds(particle);
                for (bond, other) in later.filter(|&(_, other)| other as usize > particle) {
                    let at = broken_at(particle, other as usize);
                    if let Some(at) = at.filter(|_| !self.broken_bonds.contains(bond)) {
                        broken.push(BrokenBond {
                            ends: [particle as u32, other],
                            at: at as f32,
                        });
                    }
                }
            }
            broken
        };
        let join = |mut all: Vec<BrokenBond>, more: Vec<BrokenBond>| {
            all.extend(more);
            all
        };
        parallel::ordered_fold(self.body.shape.len(), Vec::new(), of_range, join)
    }

    /// Where two particles were and are, `None` if one has left.
    fn ends(&self, one: usize, other: usize) -> Option<MovingSegment> {
        let (one, other) = (self.moving(one)?, self.moving(other)?);
        Some([0, 1].map(|moment| [one[moment], other[moment]]))
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
}
