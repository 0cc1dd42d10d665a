//! Particles of solids: those inside a body meet nobody, and those near each other at rest do not meet
//! unless they have been cut apart.

use std::ops::Range;

use pliant_math::DVec3;

use super::MOST_METHODS;
use super::active_set::Sphere;

/// Particles of one body closer at rest than so many sums of their radii are no contacts at least: their
/// body itself keeps them apart.
pub const REST_SHARE: f64 = 1.5;

/// The particles that know where they are at rest, of all methods.
#[derive(Clone, Default)]
pub struct Solids<'a>([Option<MethodSolids<'a>>; MOST_METHODS]);

/// Those of one method.
#[derive(Clone, Default)]
pub struct MethodSolids<'a> {
    /// Their places.
    pub range: Range<usize>,
    /// Those of one body closer at rest than so many sums of their radii are no contacts, as their body itself keeps
    /// them apart; at least [`REST_SHARE`], more where matter shortens a lot by itself.
    pub rest_share: f64,
    /// Where each is at rest [m].
    pub rest_position: &'a [DVec3],
    /// Whether each is in the outer layers of its body.
    pub is_outer: &'a [bool],
    /// Whether each has been cut off from a neighbour.
    pub is_cut: &'a [bool],
    /// Those cut off from each other, by their places in the range, the lesser first, increasing.
    pub cut_pairs: &'a [[u32; 2]],
}

impl<'a> FromIterator<MethodSolids<'a>> for Solids<'a> {
    /// # Panics
    /// If there are more than fit.
    fn from_iter<T: IntoIterator<Item = MethodSolids<'a>>>(methods: T) -> Self {
        let mut all = Self::default();
        for (number, solids) in methods.into_iter().enumerate() {
            all.0[number] = Some(solids);
        }
        all
    }
}

impl<'a> Solids<'a> {
    /// Those of each method, by place.
    pub fn by_method(&self) -> impl Iterator<Item = &MethodSolids<'a>> {
        self.0.iter().flatten()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.by_method().map(|solids| solids.range.len()).sum()
    }

    /// True for one of them.
    #[inline]
    pub fn contains(&self, particle: usize) -> bool {
        self.of(particle).is_some()
    }

    /// True for what lies so deep in a body that nothing reaches it.
    #[inline]
    pub fn is_inner(&self, particle: usize) -> bool {
        self.of(particle)
            .is_some_and(|solids| !solids.is_outer[particle - solids.range.start])
    }

    /// Distance of centres [m] at which two particles touch: the sum of their radii. Those of one body
    /// that were near each other at rest do not meet, `None`, unless they have been cut apart: then they
    /// touch no farther from each other than they were at rest. The search leaves most of these out by
    /// [`REST_SHARE`] before it asks.
    #[inline]
    pub fn touching_distance(&self, i: &Sphere, j: &Sphere) -> Option<f64> {
        let radii = f64::from(i.radius + j.radius);
        if i.material.continuum != j.material.continuum {
            return Some(radii);
        }
        let Some(solids) = self.of(i.particle as usize) else {
            return Some(radii);
        };
        let places = [i, j].map(|sphere| sphere.particle as usize - solids.range.start);
        let [one, two] = places.map(|place| solids.rest_position[place]);
        let limit = solids.rest_share * radii;
        let at_rest = one.distance_squared(two);
        if at_rest >= limit * limit {
            return Some(radii);
        }
        solids.were_cut(places).then(|| radii.min(at_rest.sqrt()))
    }

    #[inline]
    fn of(&self, particle: usize) -> Option<&MethodSolids<'a>> {
        self.by_method()
            .find(|solids| solids.range.contains(&particle))
    }
}

impl MethodSolids<'_> {
    fn were_cut(&self, places: [usize; 2]) -> bool {
        let pair = [places[0].min(places[1]), places[0].max(places[1])];
        places.iter().all(|&place| self.is_cut[place])
            && self
                .cut_pairs
                .binary_search(&pair.map(|k| k as u32))
                .is_ok()
    }
}
