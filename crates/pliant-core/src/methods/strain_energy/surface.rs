//! What contacts see of bodies: particles near their surfaces, sampled surfaces, where directions point.

use pliant_math::DVec3;

use super::{BrokenBonds, SolidBody, StrainEnergy, StrainEnergyColumns};
use crate::contacts::{MethodSolids, REST_SHARE, RestBody, SampledSurface};
use crate::particles::{IdMap, Particles};
use crate::rest::{self, BondedBody};

impl StrainEnergy {
    /// Where a direction in a body at rest points now around a particle.
    pub fn direction_now(&self, particles: &Particles, place: usize, at_rest: DVec3) -> DVec3 {
        let (body, id) = (particles.body[place], particles.id[place]);
        let Some(body) = self.setup.bodies.iter().find(|b| b.body == body) else {
            return at_rest;
        };
        let position = |particle: u32| {
            let place = self.places.of(body.first_id + particle)?;
            Some(particles.position[self.range.start + place])
        };
        rest::direction_now(&body.shape, id - body.first_id, at_rest, position)
    }

    /// Friction of the contacts of a body with itself, `None` if it has none.
    pub fn inner_friction(&self, body: u32) -> Option<f64> {
        let bodies = &self.setup.bodies;
        bodies.iter().find(|b| b.body == body)?.inner_friction
    }

    /// True if any body has contacts with itself.
    pub fn have_self_contact(&self) -> bool {
        self.setup.bodies.iter().any(|b| b.inner_friction.is_some())
    }

    /// The particles as contacts see them.
    pub fn contact_solids(&self) -> MethodSolids<'_> {
        MethodSolids {
            range: self.range.clone(),
            rest_share: REST_SHARE,
            rest_position: &self.surface.rest_position,
            is_outer: &self.surface.is_near_surface,
            is_cut: &self.surface.is_cut,
            cut_pairs: &self.surface.cut_pairs,
        }
    }

    /// Sampled surfaces for contacts with other continua, for the particles of the last `find`.
    pub fn sampled_surface(&self) -> SampledSurface<'_> {
        SampledSurface {
            first: self.range.start,
            surfels: &self.surfels,
        }
    }

    /// Updates [`Self::sampled_surface`].
    pub fn find_facets(&mut self, columns: &StrainEnergyColumns) {
        if !self.has_facets {
            self.surfels.clear(self.range.len());
            for body in &self.setup.bodies {
                let broken_bonds = &columns.broken_bonds;
                self.surfels.add(&RestBody {
                    position: &body.shape.position,
                    spacing: body.spacing,
                    support_radius: body.shape.support_radius,
                    neighbors: &|particle, near| {
                        near.extend(body.neighbors(particle, broken_bonds))
                    },
                    places: self.places.from(body.first_id),
                });
            }
            self.has_facets = true;
        }
    }
}

/// A body with the bonds that it still has.
pub(super) fn bonded<'a>(
    body: &'a SolidBody,
    broken_bonds: &'a BrokenBonds,
    places: &'a IdMap,
) -> BondedBody<'a, impl Fn(usize) -> bool + Copy> {
    let first = body.first_bond;
    BondedBody {
        shape: &body.shape,
        spacing: body.spacing,
        places: places.from(body.first_id),
        is_broken: move |bond| broken_bonds.contains(first + bond),
    }
}
