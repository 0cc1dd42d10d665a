//! What contacts see of bodies: particles near their surfaces, sampled surfaces, where directions point.

use pliant_math::DVec3;
use pliant_math::simd::LANES;

use super::MuscleMethod;
use crate::contacts::{MethodSolids, REST_SHARE, RestBody, SampledSurface};
use crate::particles::Particles;
use crate::rest::{BondedBody, SurfaceParticles};

impl MuscleMethod {
    /// F times a direction around a particle, of length one.
    pub(super) fn direction_now(
        &self,
        particles: &Particles,
        place: usize,
        at_rest: DVec3,
    ) -> DVec3 {
        let (place, position) = (
            place - self.range.start,
            &particles.position[self.range.clone()],
        );
        let row = &self.rows.rows[place / LANES];
        let lane = place % LANES;
        let dual = row.rest.inverse_times(lane, at_rest);
        let bonds = &self.rows.bonds[row.bonds.clone()];
        let moved = bonds.iter().map(|bond| {
            let way = position[bond.neighbor.get(lane)] - position[place];
            way * bond.gradient(&row.rest, lane).dot(dual)
        });
        moved.sum::<DVec3>().normalize_or(at_rest)
    }

    /// The particles as contacts see them, for the particles of the last `find`.
    pub(super) fn solids(&self) -> MethodSolids<'_> {
        MethodSolids {
            range: self.range.clone(),
            rest_share: self.rest_share(),
            rest_position: &self.surface.rest_position,
            is_outer: &self.surface.is_near_surface,
            is_cut: &self.surface.is_cut,
            cut_pairs: &self.surface.cut_pairs,
        }
    }

    /// Fibres that shorten draw their own neighbours together, which are no contacts then.
    fn rest_share(&self) -> f64 {
        let shortest = self.setup.muscles().map(|muscle| 1.0 - muscle.shortening);
        REST_SHARE / shortest.fold(1.0, f64::min)
    }

    /// Finds which particles are near the surface, of `count` in all.
    pub(super) fn find_surface_particles(&mut self, count: usize) {
        let bodies = self.setup.bodies.iter().map(|body| BondedBody {
            shape: &body.flesh.shape,
            spacing: body.spacing,
            places: self.places.from(body.first_id),
            is_broken: |_| false,
        });
        self.surface = SurfaceParticles::new(bodies, count);
    }

    /// Sampled surfaces for contacts with other continua, for the particles of the last `find`.
    pub(super) fn sampled_surface(&self) -> SampledSurface<'_> {
        SampledSurface {
            first: self.range.start,
            surfels: &self.surfels,
        }
    }

    /// Updates [`Self::sampled_surface`].
    pub(super) fn find_surfels(&mut self) {
        if self.has_surfels {
            return;
        }
        self.surfels.clear(self.range.len());
        for body in &self.setup.bodies {
            let shape = &body.flesh.shape;
            self.surfels.add(&RestBody {
                position: &shape.position,
                spacing: body.spacing,
                support_radius: shape.support_radius,
                neighbors: &|particle, near| near.extend_from_slice(shape.neighbors_of(particle)),
                places: self.places.from(body.first_id),
            });
        }
        self.has_surfels = true;
    }
}
