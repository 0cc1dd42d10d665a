//! Where surfaces face now.

use pliant_math::DVec3;

use super::surfels::NOTHING;
use super::{SampledSurface, SampledSurfaces};
use crate::parallel;

/// Particles of a surface are met within so many spacings of their normal line.
const WIDTH: f64 = 1.5;

/// A surfel whose area is less than this part of that at rest faces nowhere.
const LEAST_AREA: f64 = 0.05;

/// A surfel as it is now.
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

/// The shapes of the surfels that are needed; those of others mean nothing.
pub fn shape(
    sampled_surfaces: &SampledSurfaces<'_>,
    position: &[DVec3],
    is_needed: &[bool],
    shapes: &mut Vec<FacetShape>,
) {
    shapes.resize(sampled_surfaces.facet_count(), FacetShape::default());
    for (start, sampled_surface) in sampled_surfaces.numbered() {
        let of_hull = &mut shapes[start..start + sampled_surface.surfels.len()];
        parallel::for_chunks(of_hull, |first, shapes| {
            for (k, shape) in shapes.iter_mut().enumerate() {
                if is_needed[start + first + k] {
                    *shape = FacetShape::of(sampled_surface, first + k, position);
                }
            }
        });
    }
}

impl FacetShape {
    /// The normal is carried along by what the neighbours on the surface tell of its tangents.
    fn of(sampled_surface: SampledSurface<'_>, number: usize, position: &[DVec3]) -> Self {
        let SampledSurface { first, surfels } = sampled_surface;
        let surfel = surfels.surfel(number);
        let own = first + surfel.place as usize;
        let mut shape = Self {
            particle: own as u32,
            is_sheet: surfel.is_sheet,
            ..Self::default()
        };
        if surfel.flatness == 0.0 {
            return shape;
        }
        let x = position[own];
        let mut tangents = [DVec3::ZERO; 2];
        for neighbor in surfels.neighbors(number) {
            let place = surfels.surfel(neighbor.surfel as usize).place as usize;
            let to = position[first + place] - x;
            tangents[0] += to * neighbor.along[0];
            tangents[1] += to * neighbor.along[1];
        }
        let [one, other] = tangents;
        let across = one.cross(other);
        let [a, b, c] = surfel.normal;
        let normal = (one * a + other * b + across * c).normalize_or_zero();
        let is_outside_in = surfel.below != NOTHING
            && normal.dot(position[first + surfel.below as usize] - x) >= 0.0;
        if across.length() > LEAST_AREA && !is_outside_in {
            let squared_stretch = 0.5 * (one.length_squared() + other.length_squared());
            let width = WIDTH * surfel.spacing;
            shape.normal = normal;
            shape.inverse_width = (width * width * squared_stretch).recip();
            shape.weight = surfel.flatness;
        }
        shape
    }
}
