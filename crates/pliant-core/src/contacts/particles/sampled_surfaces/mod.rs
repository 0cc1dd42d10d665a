//! Contacts of particles with the surfaces of bodies that know their neighbours at rest: one for each
//! particle and face of another body, with a normal and weights that change smoothly along it, so that
//! blocks slide on particles as on a plane.
//!
//! Spheres with centre-line normals interlock: a block on an incline of particles sticks where Coulomb
//! lets it slide. Here a particle i meets the particles j of a surface together. With the distance q_j of
//! i from the normal line of j, in 1.5 spacings,
//!
//!   w_j = f_j (1 - q_j^2)^3 / sum,   n = sum w_j n_j / |.|,   gap = (x_i - sum w_j x_j).n - r_i - sum w_j r_j,
//!
//! the relative velocity is v_i - sum w_j v_j, the impulse on j the share w_j of that on i, and the
//! inverse mass 1/m_i + sum w_j^2/m_j. Flatness f is 0 at edges, which have no normal: they are met as
//! spheres, and meet flat surfaces as particles. So where two surfaces meet, each is met by the
//! particles of the other one, and neither is preferred. Where the sum of the weights is below 0.3,
//! beyond the end of a surface, spheres meet as well.
//!
//! | subject | file |
//! | --- | --- |
//! | surfaces at rest | `surfels` |
//! | their normals now | `shapes` |
//! | which faces a particle has contact with, weights | `query` |

mod query;
mod shapes;
mod surfels;
#[cfg(test)]
mod tests;

pub use self::surfels::{RestBody, Surfels};

use self::query::SurfaceQuery;
use self::shapes::FacetShape;
use super::MOST_METHODS;
use super::active_set::{SearchMargin, Sphere};
use crate::contacts::solve::{ContactList, LinearContacts};
use crate::parallel;

/// Surfaces by which particles of other continua are met, of up to four methods.
#[derive(Clone, Copy, Default)]
pub struct SampledSurfaces<'a>([Option<SampledSurface<'a>>; MOST_METHODS]);

impl<'a> FromIterator<SampledSurface<'a>> for SampledSurfaces<'a> {
    /// # Panics
    /// If there are more than fit.
    fn from_iter<T: IntoIterator<Item = SampledSurface<'a>>>(sampled_surfaces: T) -> Self {
        let mut all = Self::default();
        for (number, sampled_surface) in sampled_surfaces.into_iter().enumerate() {
            all.0[number] = Some(sampled_surface);
        }
        all
    }
}

/// The surfaces of the bodies of a method.
#[derive(Clone, Copy)]
pub struct SampledSurface<'a> {
    /// Place of its first particle.
    pub first: usize,
    /// The surfaces; places in them count from the first particle.
    pub surfels: &'a Surfels,
}

/// Bodies that a particle meets as surfaces at most.
const MOST_HULLS: usize = 4;

/// No continuum.
const NOBODY: u32 = u32::MAX;

/// The continua that a particle meets as surfaces, [`NOBODY`] in between.
pub type HandledBodies = [u32; MOST_HULLS];

/// The contacts with surfaces in a substep; scratch of the stepper.
#[derive(Debug, Default)]
pub struct SampledContacts {
    shapes: Vec<FacetShape>,
    /// Whether each surfel is near a particle.
    is_near: Vec<bool>,
    /// Whether it is, or is beside one that is.
    is_needed: Vec<bool>,
    /// Particles and surfels near them, pair after pair.
    entries: Vec<[u32; 2]>,
    /// Where the list of each particle begins, and the end.
    starts: Vec<u32>,
    /// Surfels near each particle, list after list.
    near: Vec<u32>,
    handled: Vec<HandledBodies>,
    /// The contacts of each chunk of particles, until they are handed over.
    chunks: Vec<ContactList>,
}

impl SampledSurfaces<'_> {
    /// True if there are no surfaces.
    pub fn is_empty(&self) -> bool {
        self.facet_count() == 0
    }

    /// True for a particle of a body that has a surface.
    #[inline]
    pub fn contains(&self, particle: usize) -> bool {
        let has = |sampled_surface: &SampledSurface<'_>| {
            let places =
                sampled_surface.first..sampled_surface.first + sampled_surface.surfels.places();
            places.contains(&particle)
        };
        self.0.iter().flatten().any(has)
    }

    fn facet_count(&self) -> usize {
        self.0
            .iter()
            .flatten()
            .map(|sampled_surface| sampled_surface.surfels.len())
            .sum()
    }

    /// The sampled_surfaces, with the number of their first surfel.
    fn numbered(&self) -> impl Iterator<Item = (usize, SampledSurface<'_>)> {
        let mut first = 0;
        self.0.iter().flatten().map(move |&sampled_surface| {
            let start = first;
            first += sampled_surface.surfels.len();
            (start, sampled_surface)
        })
    }

    /// A surfel and those around it, the nearest at rest first.
    fn around(&self, surfel: u32) -> impl Iterator<Item = u32> {
        let of_hull = self.numbered().filter_map(move |(start, sampled_surface)| {
            let number = (surfel as usize).checked_sub(start)?;
            let neighbors = (number < sampled_surface.surfels.len())
                .then(|| sampled_surface.surfels.neighbors(number))?;
            Some(neighbors.iter().map(move |n| start as u32 + n.surfel))
        });
        std::iter::once(surfel).chain(of_hull.flatten())
    }

    /// The number of the surfel of a particle.
    fn facet_of(&self, particle: u32) -> Option<u32> {
        self.numbered().find_map(|(start, sampled_surface)| {
            let place = (particle as usize).checked_sub(sampled_surface.first)?;
            Some(start as u32 + sampled_surface.surfels.of_place(place)?)
        })
    }
}

impl SampledContacts {
    /// Finds the contacts among pairs of particles of different continua, each named once, of which one
    /// at least belongs to a sampled_surface.
    pub fn find(&mut self, reach: SearchMargin<'_>, pairs: impl Iterator<Item = [u32; 2]>) {
        self.list(reach, pairs);
        self.handled.clear();
        if self.near.is_empty() {
            self.chunks.iter_mut().for_each(ContactList::clear);
            return;
        }
        let sampled_surfaces = &reach.search.sampled_surfaces;
        self.mark(sampled_surfaces);
        let position = &reach.particles.position;
        shapes::shape(
            sampled_surfaces,
            position,
            &self.is_needed,
            &mut self.shapes,
        );
        let count = reach.particles.len();
        self.handled.resize(count, [NOBODY; MOST_HULLS]);
        self.chunks
            .resize_with(parallel::chunk_count(count), ContactList::default);
        let (shapes, starts, near) = (&self.shapes, &self.starts, &self.near);
        let (handled, chunks) = (&mut self.handled, &mut self.chunks);
        parallel::for_chunks_with(handled, chunks, |first, handled, contacts| {
            contacts.clear();
            for (k, handled) in handled.iter_mut().enumerate() {
                let i = first + k;
                let near = &near[starts[i] as usize..starts[i + 1] as usize];
                if !near.is_empty() {
                    let query = SurfaceQuery::new(reach, shapes, i);
                    *handled = query.faces(near, contacts);
                }
            }
        });
    }

    /// Hands over the contacts that were found.
    pub fn hand_over(&mut self, contacts: &mut LinearContacts) {
        contacts.add_loose(self.chunks.iter_mut());
    }

    /// Lists the surfels near each particle, in the order of the pairs.
    fn list(&mut self, reach: SearchMargin<'_>, pairs: impl Iterator<Item = [u32; 2]>) {
        let sampled_surfaces = &reach.search.sampled_surfaces;
        self.starts.clear();
        self.starts.resize(reach.particles.len() + 2, 0);
        self.entries.clear();
        for [i, j] in pairs {
            let both = [
                (i, sampled_surfaces.facet_of(j)),
                (j, sampled_surfaces.facet_of(i)),
            ];
            let known = both
                .into_iter()
                .filter_map(|(i, surfel)| Some([i, surfel?]));
            self.entries.extend(known);
        }
        // Counted two places on, so that filling moves each start to where it belongs.
        for &[i, _] in &self.entries {
            self.starts[i as usize + 2] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.near.clear();
        self.near.resize(end as usize, 0);
        for &[i, surfel] in &self.entries {
            let next = &mut self.starts[i as usize + 1];
            self.near[*next as usize] = surfel;
            *next += 1;
        }
    }

    /// Marks the surfels that are near particles, and those around them.
    fn mark(&mut self, sampled_surfaces: &SampledSurfaces<'_>) {
        let count = sampled_surfaces.facet_count();
        for marks in [&mut self.is_near, &mut self.is_needed] {
            marks.clear();
            marks.resize(count, false);
        }
        for &surfel in &self.near {
            if !std::mem::replace(&mut self.is_near[surfel as usize], true) {
                for around in sampled_surfaces.around(surfel) {
                    self.is_needed[around as usize] = true;
                }
            }
        }
    }

    /// True if one of two particles meets the surface that the other one is part of.
    #[inline]
    pub fn handles(&self, i: &Sphere, j: &Sphere) -> bool {
        let meets = |i: &Sphere, j: &Sphere| {
            let handled = self.handled.get(i.particle as usize);
            handled.is_some_and(|handled| handled.contains(&j.material.continuum))
        };
        meets(i, j) || meets(j, i)
    }
}
