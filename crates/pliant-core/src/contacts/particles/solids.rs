//! Particles of solids: those inside a body meet nobody, and those near each other at rest do not meet.

use std::ops::Range;

use pliant_math::DVec3;

use super::meeting::Sphere;

/// Particles of one body closer at rest than so many sums of their radii are no contacts: their body
/// itself keeps them apart.
const REST_SHARE: f64 = 1.5;

/// The particles that know where they are at rest.
#[derive(Clone, Default)]
pub struct Solids<'a> {
    /// Their places.
    pub range: Range<usize>,
    /// Where each is at rest [m].
    pub rest_position: &'a [DVec3],
    /// Whether each is in the outer layers of its body.
    pub is_outer: &'a [bool],
}

impl Solids<'_> {
    /// True for what lies so deep in a body that nothing reaches it.
    #[inline]
    pub fn is_inner(&self, particle: usize) -> bool {
        self.range.contains(&particle) && !self.is_outer[particle - self.range.start]
    }

    /// True for particles of one body that were near each other at rest.
    #[inline]
    pub fn were_near(&self, i: &Sphere, j: &Sphere) -> bool {
        let (first, second) = (i.particle as usize, j.particle as usize);
        if i.company.continuum != j.company.continuum || !self.range.contains(&first) {
            return false;
        }
        let rest = |particle: usize| self.rest_position[particle - self.range.start];
        let radii = f64::from(i.radius + j.radius);
        let limit = REST_SHARE * radii;
        rest(first).distance_squared(rest(second)) < limit * limit
    }
}
