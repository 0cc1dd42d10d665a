//! Deformation, stress and energy, read off positions.

use pliant_materials::dispatch_solid_law;
use pliant_materials::strain_energy::response;
use pliant_math::{DMat3, DVec3, Matrix3, Real};

use super::moments::{FINE_STIFFNESS, MODES, Moments};
use super::{Filter, GroupBody, ShapeGroupsSetup};
use crate::method::{Tensors, cauchy_stress, von_mises};
use crate::parallel;
use crate::particles::Particles;
use crate::world::State;

/// What the groups of a particle say: means over their volumes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupReading {
    /// F.
    pub deformation_gradient: DMat3,
    /// det F; negative for what is turned inside out.
    pub volume_ratio: f64,
    /// Von Mises norm of the Cauchy stress [Pa].
    pub von_mises: f64,
    /// Cauchy stress [Pa]; 0 of what is turned inside out.
    pub stress: DMat3,
    /// Its share of the elastic energy [J].
    pub energy: f64,
}

impl GroupReading {
    /// F and Cauchy stress.
    pub fn tensors(&self) -> Tensors {
        Tensors {
            deformation_gradient: Some(self.deformation_gradient),
            stress: self.stress,
        }
    }
}

/// Calls `f(place, reading)` for every particle that is in a group.
pub fn read(setup: &ShapeGroupsSetup, state: &State, mut f: impl FnMut(usize, GroupReading)) {
    let (particles, torn) = (&state.particles, setup.torn(&state.methods));
    let places = particles.places_by_id(|body| setup.body(body).is_some());
    let ids: Vec<u32> = places.iter().map(|&i| particles.id[i]).collect();
    let place_of = |id: u32| Some(places[ids.binary_search(&id).ok()?]);
    for body in &setup.bodies {
        let of_body: Vec<Option<usize>> = (0..body.groups.rest_position.len() as u32)
            .map(|particle| place_of(body.first_id + particle))
            .collect();
        let reader = BodyReader {
            body,
            place: &of_body,
            particles,
            filter_stiffness: match setup.settings.filter {
                Filter::Compliant => Some(setup.settings.filter_stiffness),
                Filter::Full => None,
            },
        };
        let mut readings = vec![None; body.groups.len()];
        parallel::for_chunks(&mut readings, |first, readings| {
            for (k, reading) in readings.iter_mut().enumerate() {
                let is_torn = body.torn_of(torn).get(first + k);
                *reading = match is_torn {
                    Some(true) => None,
                    _ => reader.read(first + k),
                };
            }
        });
        for (place, reading) in reader.mean(&readings) {
            f(place, reading);
        }
    }
}

/// Reads the groups of a body.
struct BodyReader<'a> {
    body: &'a GroupBody,
    /// Where each particle of the body is, if it is left.
    place: &'a [Option<usize>],
    particles: &'a Particles,
    /// Of the modes in which a hexahedron bends and twists; `None` if members are put where they belong.
    filter_stiffness: Option<f64>,
}

impl BodyReader<'_> {
    /// Of a group, if all of its members are left.
    fn read(&self, group: usize) -> Option<GroupReading> {
        let groups = &self.body.groups;
        let members = groups.members_of(group);
        let places = members.iter().map(|&k| self.place[k as usize]);
        let places: Vec<usize> = places.collect::<Option<_>>()?;
        let rest = members.iter().map(|&k| groups.rest_position[k as usize]);
        let rest: Vec<DVec3> = rest.collect();
        let mass = places.iter().map(|&i| f64::from(self.particles.mass[i]));
        let mass: Vec<f64> = mass.collect();
        let moments = Moments::of(&rest, &mass);
        let displacement = |k: usize| {
            let position = &self.particles.position;
            position[places[k]] - position[places[0]] - (rest[k] - rest[0])
        };
        let moved: Vec<DVec3> = (0..rest.len()).map(displacement).collect();
        let weighted = moved.iter().zip(&mass).map(|(&u, &m)| u * m);
        let mean = weighted.sum::<DVec3>() / moments.mass;
        let sum = (0..rest.len()).fold(DMat3::ZERO, |sum, k| {
            let (u, x) = (moved[k] * mass[k], moments.rest[k]);
            sum + DMat3::from_cols(u * x.x, u * x.y, u * x.z)
        });
        let gradient = sum * moments.inverse;
        let out = (0..rest.len()).map(|k| moved[k] - mean - gradient * moments.rest[k]);
        let volume = groups.volume[group];
        let rate = moments.bending_rate(self.body.youngs_modulus, volume);
        let filtered = match self.filter_stiffness {
            None => 0.0,
            Some(stiffness) => 0.5 * rate * self.squared_bending(&moments, &mass, out, stiffness),
        };
        let known = turned_across(gradient, &moments);
        Some(self.of_gradient(with_normal(known, moments.normal), volume, filtered))
    }

    /// Sum of s m d^2 [kg m2] of what is out of place by d, s being a stiffness over that of the bending modes.
    ///
    /// * `stiffness` — of these modes
    fn squared_bending(
        &self,
        moments: &Moments,
        mass: &[f64],
        out: impl Iterator<Item = DVec3>,
        stiffness: f64,
    ) -> f64 {
        let square = |(d, &m): (DVec3, &f64)| m * d.length_squared();
        if !self.body.groups.holds_fine_modes() {
            return stiffness * out.zip(mass).map(square).sum::<f64>();
        }
        let (mut of_modes, mut all) = ([DVec3::ZERO; MODES], 0.0);
        for ((d, m), mode) in out.zip(mass).zip(moments.modes(mass)) {
            all += square((d, m));
            for (sum, value) in of_modes.iter_mut().zip(mode) {
                *sum += d * (m * value);
            }
        }
        let soft: f64 = of_modes.iter().map(|sum| sum.length_squared()).sum();
        stiffness * soft + FINE_STIFFNESS * (all - soft)
    }

    /// Of a displacement gradient.
    ///
    /// * `filtered` — energy of the filter [J]
    fn of_gradient(&self, gradient: DMat3, volume: f64, filtered: f64) -> GroupReading {
        let columns = gradient.transpose().to_cols_array_2d();
        let single = Matrix3::from_rows(columns.map(|row| row.map(|x| x as Real)));
        let (energy, stress) = dispatch_solid_law!(&self.body.law.law, |law| {
            let response = response(law, single);
            (f64::from(response.energy), response.stress)
        });
        let stress =
            DMat3::from_cols_array_2d(&stress.rows.map(|row| row.map(f64::from))).transpose();
        let deformation_gradient = DMat3::IDENTITY + gradient;
        let stress = cauchy_stress(deformation_gradient, stress);
        GroupReading {
            deformation_gradient,
            volume_ratio: deformation_gradient.determinant(),
            von_mises: von_mises(stress),
            stress,
            energy: energy * volume + filtered,
        }
    }

    /// Means at the particles that are in a group, by place.
    fn mean(&self, readings: &[Option<GroupReading>]) -> Vec<(usize, GroupReading)> {
        let groups = &self.body.groups;
        let none = GroupReading {
            deformation_gradient: DMat3::ZERO,
            volume_ratio: 0.0,
            von_mises: 0.0,
            stress: DMat3::ZERO,
            energy: 0.0,
        };
        let mut sums = vec![(0.0, none); self.place.len()];
        for (group, reading) in readings.iter().enumerate() {
            let Some(reading) = reading else {
                continue;
            };
            let members = groups.members_of(group);
            let share = 1.0 / members.len() as f64;
            let weight = groups.volume[group] * share;
            for &k in members {
                let (total, sum) = &mut sums[k as usize];
                *total += weight;
                sum.deformation_gradient += reading.deformation_gradient * weight;
                sum.volume_ratio += reading.volume_ratio * weight;
                sum.von_mises += reading.von_mises * weight;
                sum.stress += reading.stress * weight;
                sum.energy += reading.energy * share;
            }
        }
        let placed = self.place.iter().zip(sums);
        let in_groups = placed.filter_map(|(&place, (total, sum))| {
            let place = place?;
            let mean = GroupReading {
                deformation_gradient: sum.deformation_gradient * (1.0 / total),
                volume_ratio: sum.volume_ratio / total,
                von_mises: sum.von_mises / total,
                stress: sum.stress * (1.0 / total),
                energy: sum.energy,
            };
            (total > 0.0).then_some((place, mean))
        });
        in_groups.collect()
    }
}

/// F - I of linear groups completed by one direction across the line, as in `projection`.
fn turned_across(gradient: DMat3, moments: &Moments) -> DMat3 {
    let (across, normal) = (moments.across, moments.normal);
    if across == DVec3::ZERO {
        return gradient;
    }
    let line = across.cross(normal);
    let now = (line + gradient * line).normalize_or_zero();
    let opening = (1.0 + line.dot(now)).max(1e-6);
    let turned = (line + now) * -(across.dot(now) / opening);
    gradient + DMat3::from_cols(turned * across.x, turned * across.y, turned * across.z)
}

/// F - I of planar groups completed by the normal, as in `projection`.
fn with_normal(gradient: DMat3, normal: DVec3) -> DMat3 {
    if normal == DVec3::ZERO {
        return gradient;
    }
    let square = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
    let f = DMat3::IDENTITY + gradient - square;
    let (a, b, c) = (f.x_axis, f.y_axis, f.z_axis);
    // The cofactor matrix times the normal.
    let turned = b.cross(c) * normal.x + c.cross(a) * normal.y + a.cross(b) * normal.z;
    let change = turned.normalize_or_zero() - normal;
    gradient + DMat3::from_cols(change * normal.x, change * normal.y, change * normal.z)
}
