//! Which faces of other bodies a particle meets.

use pliant_math::{DVec3, Real, to_double, to_real};

use super::shapes::FacetShape;
use super::{HandledBodies, MOST_HULLS, NOBODY};
use crate::contacts::particles::active_set::{ContactMaterial, SearchMargin};
use crate::contacts::particles::pair::RADII_SHARE;
use crate::contacts::solve::target_speed;
use crate::contacts::solve::{ContactList, Grain, LinearRule, Term};

/// Below this sum of weights a surface has ended.
const LEAST_SUM: f64 = 0.3;

/// Faces of one body that a particle meets at most: three in a corner.
const MOST_FACES: usize = 3;

/// Normals of different faces have no greater cosine between them.
const OTHER_FACE: f64 = 0.3;

/// A particle deeper behind a surfel than this part of the sum of their radii is not before it.
const DEEPEST: f64 = 0.5;

/// Particles of a surface that a particle meets at most. A lattice has nine within 1.5 spacings.
const MOST: usize = 16;

/// Particles of a surface and their shares.
#[derive(Clone, Copy, Debug, Default)]
struct Support {
    count: usize,
    places: [u32; MOST],
    /// Their weights; the sum is 1.
    weights: [Real; MOST],
}

impl Support {
    /// The particles with their weights.
    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = (u32, Real)> {
        let places = self.places[..self.count].iter().copied();
        places.zip(self.weights[..self.count].iter().copied())
    }
}

/// A particle that may meet surfaces.
pub struct SurfaceQuery<'a> {
    reach: SearchMargin<'a>,
    shapes: &'a [FacetShape],
    particle: usize,
    position: DVec3,
    radius: f64,
    material: ContactMaterial,
}

/// A surfel before which the particle lies.
#[derive(Clone, Copy)]
struct NearestSurfel {
    surfel: u32,
    /// Its normal, towards the particle.
    normal: DVec3,
}

/// What a particle meets of a surface.
struct SurfaceHit {
    support: Support,
    /// Unit, towards the particle.
    normal: DVec3,
}

impl<'a> SurfaceQuery<'a> {
    /// Of a particle, with the shapes of all surfels.
    pub fn new(reach: SearchMargin<'a>, shapes: &'a [FacetShape], particle: usize) -> Self {
        let particles = reach.particles;
        Self {
            reach,
            shapes,
            particle,
            position: particles.position[particle],
            radius: particles.radius[particle].into(),
            material: ContactMaterial::of(particles.body[particle], reach.search),
        }
    }

    /// Adds the contacts with the faces that some surfels belong to; tells whose they are.
    pub fn faces(&self, near: &[u32], contacts: &mut ContactList) -> HandledBodies {
        let mut handled = [NOBODY; MOST_HULLS];
        let mut bodies = [NOBODY; MOST_HULLS];
        let mut used = 0;
        for &surfel in near {
            let body = self.body_of(surfel);
            if bodies[..used].contains(&body) {
                continue;
            }
            if used == MOST_HULLS {
                break;
            }
            bodies[used] = body;
            if self.faces_of(body, near, contacts) {
                handled[used] = (self.reach.search.continuum_of_body)(body);
            }
            used += 1;
        }
        handled
    }

    fn body_of(&self, surfel: u32) -> u32 {
        self.reach.particles.body[self.shapes[surfel as usize].particle as usize]
    }

    /// Adds the contacts with the faces of a body; true if there are any.
    fn faces_of(&self, body: u32, near: &[u32], contacts: &mut ContactList) -> bool {
        let mut faces = [DVec3::ZERO; MOST_FACES];
        let mut has_any = false;
        for count in 0..MOST_FACES {
            let Some(nearest) = self.nearest(body, near, &faces[..count]) else {
                break;
            };
            faces[count] = nearest.normal;
            has_any |= self.add(nearest, contacts).is_some();
        }
        has_any
    }

    /// The nearest surfel of a body that the particle lies before, of no face that is known.
    fn nearest(&self, body: u32, near: &[u32], known: &[DVec3]) -> Option<NearestSurfel> {
        let mut least = f64::INFINITY;
        let mut nearest = None;
        for &surfel in near {
            let shape = &self.shapes[surfel as usize];
            let other = shape.particle as usize;
            let apart = self.position - self.reach.particles.position[other];
            let is_of_it = self.reach.particles.body[other] == body;
            if shape.weight == 0.0 || apart.length_squared() >= least || !is_of_it {
                continue;
            }
            let above = apart.dot(shape.normal);
            let turn = if shape.is_sheet && above < 0.0 {
                -1.0
            } else {
                1.0
            };
            let normal = shape.normal * turn;
            let radii = self.radius + f64::from(self.reach.particles.radius[other]);
            let is_before = turn * above > -DEEPEST * radii;
            if is_before && known.iter().all(|face| face.dot(normal) < OTHER_FACE) {
                least = apart.length_squared();
                nearest = Some(NearestSurfel { surfel, normal });
            }
        }
        nearest
    }

    /// Adds the contact with the surface around a surfel, if the particle can touch it within the substep.
    fn add(&self, nearest: NearestSurfel, contacts: &mut ContactList) -> Option<()> {
        let SearchMargin {
            particles, search, ..
        } = self.reach;
        let SurfaceHit { support, normal } = self.support(nearest)?;
        let (mut height, mut radii) = (0.0, self.radius);
        let mut relative = to_double(particles.velocity[self.particle]);
        let mut inverse = f64::from(particles.inverse_mass[self.particle]);
        for (place, weight) in support.iter() {
            let (place, weight) = (place as usize, f64::from(weight));
            height += weight * (self.position - particles.position[place]).dot(normal);
            radii += weight * f64::from(particles.radius[place]);
            relative -= to_double(particles.velocity[place]) * weight;
            inverse += weight * weight * f64::from(particles.inverse_mass[place]);
        }
        let way = search.dt * (relative.length() + 2.0 * search.acceleration * search.dt);
        if inverse == 0.0 || height > RADII_SHARE * radii + way {
            return None;
        }
        let met = &support.places[..support.count];
        if search.are_tied(&[self.particle as u32], met) {
            return None;
        }
        let other = support.places[0] as usize;
        let body = particles.body[other];
        let friction = self.material.friction(&ContactMaterial::of(body, search))?;
        let rule = LinearRule {
            normal: to_real(normal),
            target: target_speed(height - radii, search.dt, search.push_out_speed),
            friction,
            grain: Grain::of_pair(search.grain, [self.particle, other]),
        };
        let own = Term {
            place: self.particle as u32,
            weight: 1.0,
        };
        let of_surface = support.iter().map(|(place, share)| Term {
            place,
            weight: -share,
        });
        contacts.add(rule, std::iter::once(own).chain(of_surface));
        Some(())
    }

    /// What is met of the surface around a surfel, unless it has ended there.
    fn support(&self, nearest: NearestSurfel) -> Option<SurfaceHit> {
        let mut support = Support::default();
        let mut weights = [0.0; MOST];
        let (mut sum, mut normal) = (0.0, DVec3::ZERO);
        for surfel in self.reach.search.sampled_surfaces.around(nearest.surfel) {
            let shape = &self.shapes[surfel as usize];
            let apart = self.position - self.reach.particles.position[shape.particle as usize];
            let above = apart.dot(shape.normal);
            let aside = apart.length_squared() - above * above;
            let inside = 1.0 - aside * shape.inverse_width;
            if shape.weight == 0.0 || inside <= 0.0 || support.count == MOST {
                continue;
            }
            let turn = if shape.is_sheet {
                shape.normal.dot(nearest.normal).signum()
            } else {
                1.0
            };
            let weight = shape.weight * inside * inside * inside;
            support.places[support.count] = shape.particle;
            weights[support.count] = weight;
            support.count += 1;
            sum += weight;
            normal += shape.normal * (turn * weight);
        }
        for (share, weight) in support.weights.iter_mut().zip(weights) {
            *share = (weight / sum) as Real;
        }
        (sum >= LEAST_SUM).then(|| SurfaceHit {
            support,
            normal: normal.normalize_or_zero(),
        })
    }
}
