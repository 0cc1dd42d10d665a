//! What particles have, taken to places near them.

use pliant_math::{DMat3, DVec3};
use rayon::prelude::*;

use crate::SurfaceSettings;
use crate::cells::Cells;

/// Part of the squared reach that is added to the second moments of the neighbours: where they lie in
/// a line or a plane there is no gradient across it.
const REGULARIZATION: f64 = 1e-3;

/// How much a particle counts at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// Its place among the particles.
    pub particle: u32,
    /// Its distance [m].
    pub distance: f64,
    /// Its weight; those of a place add up to 1, some may be negative.
    pub weight: f64,
}

/// Takes values of particles to places near them.
///
/// The value at x is that of the linear function a + B (x_j − x) which fits the values of the
/// neighbours best, weighted with w = (1 − d²/R²)³ (moving least squares). All neighbours of a vertex
/// are on one side of it; a weighted mean would give the value of a place below it.
#[derive(Debug)]
pub struct Carrier<'a> {
    points: &'a [DVec3],
    reach: f64,
    cells: Cells,
}

impl<'a> Carrier<'a> {
    /// Of particles at finite positions [m], of which a surface was made.
    pub fn new(points: &'a [DVec3], settings: &SurfaceSettings) -> Self {
        let reach = settings.support_radius * settings.spacing;
        Self {
            points,
            reach,
            cells: Cells::new(points, reach),
        }
    }

    /// What `value` makes of the shares of the particles at each place [m]. There are none only if
    /// there is no particle, or none as near as a hundred supports.
    pub fn map<T: Send>(&self, places: &[DVec3], value: impl Fn(&[Share]) -> T + Sync) -> Vec<T> {
        let places = places.par_iter();
        let shares = places.map_init(Vec::new, |shares, place| {
            self.shares(*place, shares);
            value(shares)
        });
        shares.collect()
    }

    /// The values of the particles at places [m].
    pub fn carry<const N: usize>(&self, values: &[[f32; N]], places: &[DVec3]) -> Vec<[f32; N]> {
        self.map(places, |shares| {
            let mut sum = [0.0; N];
            for share in shares {
                let value = values[share.particle as usize];
                (0..N).for_each(|n| sum[n] += share.weight * f64::from(value[n]));
            }
            sum.map(|sum| sum as f32)
        })
    }

    /// How many particles are near places [m], as a part of those near a flat surface.
    pub(crate) fn crowding(&self, places: &[DVec3], spacing: f64) -> Vec<f64> {
        // Half of the integral of w over a ball, 4 pi R³ 16/315.
        let flat = 32.0 * std::f64::consts::PI / 315.0 * (self.reach / spacing).powi(3);
        let places = places.par_iter();
        let sums = places.map(|place| {
            let mut sum = 0.0;
            self.for_weights(*place, |_, _, weight| sum += weight);
            sum / flat
        });
        sums.collect()
    }

    /// Calls `f` with each particle in reach of a place, its offset from there [m] and its weight.
    fn for_weights(&self, place: DVec3, mut f: impl FnMut(u32, DVec3, f64)) {
        let reach2 = self.reach * self.reach;
        self.cells.for_near(place, 1, |i| {
            let offset = self.points[i as usize] - place;
            let inside = 1.0 - offset.length_squared() / reach2;
            if inside > 0.0 {
                f(i, offset, inside * inside * inside);
            }
        });
    }

    fn shares(&self, place: DVec3, shares: &mut Vec<Share>) {
        shares.clear();
        let (mut sum, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
        self.for_weights(place, |particle, offset, weight| {
            sum += weight;
            first += weight * offset;
            second += outer(offset, weight * offset);
            let distance = offset.length();
            shares.push(Share {
                particle,
                distance,
                weight,
            });
        });
        if shares.is_empty() {
            shares.extend(self.nearest(place));
            return;
        }
        let center = first / sum;
        let added = REGULARIZATION * self.reach * self.reach;
        let moments = second * (1.0 / sum) - outer(center, center)
            + DMat3::from_diagonal(DVec3::splat(added));
        let slope = moments.inverse() * center;
        for share in shares {
            let offset = self.points[share.particle as usize] - place;
            share.weight *= (1.0 - (offset - center).dot(slope)) / sum;
        }
    }

    /// The nearest particle, for places that smoothing left without neighbours.
    fn nearest(&self, place: DVec3) -> Option<Share> {
        let mut rings = 1;
        let mut nearest: Option<Share> = None;
        while nearest.is_none() && rings < 100 {
            rings *= 2;
            self.cells.for_near(place, rings, |particle| {
                let distance = self.points[particle as usize].distance(place);
                if nearest.is_none_or(|nearest| distance < nearest.distance) {
                    nearest = Some(Share {
                        particle,
                        distance,
                        weight: 1.0,
                    });
                }
            });
        }
        nearest
    }
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}
