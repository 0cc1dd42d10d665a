//! Where surfaces face now.

use pliant_math::DVec3;

use super::facets::NOTHING;
use super::{Hull, Hulls};
use crate::parallel;

/// Particles of a surface are met within so many spacings of their normal line.
const WIDTH: f64 = 1.5;

/// A facet whose area is less than this part of that at rest faces nowhere.
const LEAST_AREA: f64 = 0.05;

/// A facet as it is now.
#[derive(Clone, Copy, Debug, Default)]
pub struct FacetShape {
    /// Its particle.
    pub particle: u32,
    /// Unit normal, outwards; of a sheet either one.
    pub normal: DVec3,
    /// One over the square of the distance from its normal line within which it is met [1/m2].
    pub inverse_width: f64,
    /// Its flatness from 0 to 1, 0 if it is crushed or inside out.
    pub weight: f64,
    /// True if it is met from both sides.
    pub is_sheet: bool,
}

/// The shapes of the facets that are needed; those of others mean nothing.
pub fn shape(
    hulls: &Hulls<'_>,
    position: &[DVec3],
    is_needed: &[bool],
    shapes: &mut Vec<FacetShape>,
) {
    shapes.resize(hulls.facet_count(), FacetShape::default());
    for (start, hull) in hulls.numbered() {
        let of_hull = &mut shapes[start..start + hull.facets.len()];
        parallel::for_chunks(of_hull, |first, shapes| {
            for (k, shape) in shapes.iter_mut().enumerate() {
                if is_needed[start + first + k] {
                    *shape = FacetShape::of(hull, first + k, position);
                }
            }
        });
    }
}

impl FacetShape {
    /// The normal is carried along by what the neighbours on the surface tell of its tangents.
    fn of(hull: Hull<'_>, number: usize, position: &[DVec3]) -> Self {
        let Hull { first, facets } = hull;
        let facet = facets.facet(number);
        let own = first + facet.place as usize;
        let mut shape = Self {
            particle: own as u32,
            is_sheet: facet.is_sheet,
            ..Self::default()
        };
        if facet.flatness == 0.0 {
            return shape;
        }
        let x = position[own];
        let mut tangents = [DVec3::ZERO; 2];
        for neighbor in facets.neighbors(number) {
            let place = facets.facet(neighbor.facet as usize).place as usize;
            let to = position[first + place] - x;
            tangents[0] += to * neighbor.along[0];
            tangents[1] += to * neighbor.along[1];
        }
        let [one, other] = tangents;
        let across = one.cross(other);
        let [a, b, c] = facet.normal;
        let normal = (one * a + other * b + across * c).normalize_or_zero();
        let is_outside_in =
            facet.below != NOTHING && normal.dot(position[first + facet.below as usize] - x) >= 0.0;
        if across.length() > LEAST_AREA && !is_outside_in {
            let squared_stretch = 0.5 * (one.length_squared() + other.length_squared());
            let width = WIDTH * facet.spacing;
            shape.normal = normal;
            shape.inverse_width = (width * width * squared_stretch).recip();
            shape.weight = facet.flatness;
        }
        shape
    }
}
