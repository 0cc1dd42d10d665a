//! Particles of solids: those inside a body meet nobody, and those near each other at rest do not meet
//! unless they have been cut apart.

use std::ops::Range;

use pliant_math::DVec3;

use super::active_set::Sphere;

/// Particles of one body closer at rest than so many sums of their radii are no contacts: their body
/// itself keeps them apart.
pub const REST_SHARE: f64 = 1.5;

/// The particles that know where they are at rest.
#[derive(Clone, Default)]
pub struct Solids<'a> {
    /// Their places.
    pub range: Range<usize>,
    /// Where each is at rest [m].
    pub rest_position: &'a [DVec3],
    /// Whether each is in the outer layers of its body.
    pub is_outer: &'a [bool],
    /// Whether each has been cut off from a neighbour.
    pub is_cut: &'a [bool],
    /// Those cut off from each other, by their places in the range, the lesser first, increasing.
    pub cut_pairs: &'a [[u32; 2]],
}

impl Solids<'_> {
    /// True for what lies so deep in a body that nothing reaches it.
    #[inline]
    pub fn is_inner(&self, particle: usize) -> bool {
        self.range.contains(&particle) && !self.is_outer[particle - self.range.start]
    }

    /// Distance of centres [m] at which two particles touch: the sum of their radii. Those of one body
    /// that were near each other at rest do not meet, `None`, unless they have been cut apart: then they
    /// touch no farther from each other than they were at rest. The search leaves most of these out by
    /// [`REST_SHARE`] before it asks.
    #[inline]
    pub fn touching_distance(&self, i: &Sphere, j: &Sphere) -> Option<f64> {
        let (first, second) = (i.particle as usize, j.particle as usize);
        let radii = f64::from(i.radius + j.radius);
        if i.material.continuum != j.material.continuum || !self.range.contains(&first) {
            return Some(radii);
        }
        let places = [first, second].map(|particle| particle - self.range.start);
        let [one, two] = places.map(|place| self.rest_position[place]);
        let limit = REST_SHARE * radii;
        let at_rest = one.distance_squared(two);
        if at_rest >= limit * limit {
            return Some(radii);
        }
        self.were_cut(places).then(|| radii.min(at_rest.sqrt()))
    }

    fn were_cut(&self, places: [usize; 2]) -> bool {
        let pair = [places[0].min(places[1]), places[0].max(places[1])];
        places.iter().all(|&place| self.is_cut[place])
            && self
                .cut_pairs
                .binary_search(&pair.map(|k| k as u32))
                .is_ok()
    }
}
