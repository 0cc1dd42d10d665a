//! Energy and stretch at each particle.

use pliant_math::DVec3;

use super::SpringsSetup;
use super::network::SpringClass;
use crate::particles::IdMap;

/// What the springs at a particle say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringReading {
    /// Elastic energy [J]: half that of its springs, a third of that of its triangles.
    pub energy: f64,
    /// Length over rest length of its structural springs, the least.
    pub least: f64,
    /// Their sum...
    pub sum: f64,
    /// ...and their number.
    pub count: usize,
    /// Length over rest length of its structural springs, the greatest.
    pub greatest: f64,
}

impl Default for SpringReading {
    fn default() -> Self {
        Self {
            energy: 0.0,
            least: f64::INFINITY,
            sum: 0.0,
            count: 0,
            greatest: 0.0,
        }
    }
}

impl SpringReading {
    /// The mean length over rest length of its structural springs; 1 without any.
    pub fn mean(&self) -> f64 {
        match self.count {
            0 => 1.0,
            count => self.sum / count as f64,
        }
    }
}

/// Reads all bodies.
///
/// * `ids` — of all particles, increasing
/// * `position` — of the particle with each of them [m]
pub fn read(setup: &SpringsSetup, ids: &[u32], position: &[DVec3]) -> Vec<SpringReading> {
    let mut readings = vec![SpringReading::default(); ids.len()];
    for body in &setup.bodies {
        let places = IdMap::within(body.ids(), ids);
        let place = |vertex: u32| places.of(body.first_id + vertex);
        for spring in &body.network.springs {
            let [Some(a), Some(b)] = spring.ends.map(place) else {
                continue;
            };
            let ratio = position[a].distance(position[b]) / spring.rest_length;
            let squared_length = spring.rest_length * spring.rest_length;
            let curve = body.curve(spring);
            let energy = curve.map_or(0.0, |c| c.energy(ratio - 1.0) * squared_length);
            for end in [a, b] {
                readings[end].energy += 0.5 * energy;
                if spring.class == SpringClass::Structural {
                    readings[end].add(ratio);
                }
            }
        }
        let Some(membrane) = body.membrane() else {
            continue;
        };
        for (corners, rest) in body.network.triangles.iter().zip(body.rest_triangles()) {
            let [Some(a), Some(b), Some(c)] = corners.map(place) else {
                continue;
            };
            let points = [a, b, c].map(|i| position[i]);
            let response = membrane.response(rest.area, rest.gradients, points, true);
            for corner in [a, b, c] {
                readings[corner].energy += response.energy / 3.0;
            }
        }
    }
    readings
}

impl SpringReading {
    fn add(&mut self, ratio: f64) {
        self.least = self.least.min(ratio);
        self.greatest = self.greatest.max(ratio);
        self.sum += ratio;
        self.count += 1;
    }
}
