//! A body for tests.

use pliant_math::DVec3;

use super::near::Near;
use super::rest_body::RestBody;

/// Particles and those within 1.8 spacings of each.
#[derive(Debug)]
pub struct TestBody {
    pub position: Vec<DVec3>,
    spacing: f64,
    neighbors: Vec<Vec<u32>>,
}

impl TestBody {
    /// Particles so far apart [m].
    pub fn new(position: Vec<DVec3>, spacing: f64) -> Self {
        let near = Near::new(&position, 1.8 * spacing);
        let neighbors = (0..).zip(&position).map(|(own, &x)| {
            let mut found = Vec::new();
            near.for_each(x, |other, _| {
                if other != own {
                    found.push(other);
                }
            });
            found.sort_unstable();
            found
        });
        Self {
            neighbors: neighbors.collect(),
            spacing,
            position,
        }
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.position.len()
    }
}

impl RestBody for TestBody {
    fn positions(&self) -> &[DVec3] {
        &self.position
    }

    fn support_radius(&self) -> f64 {
        1.8 * self.spacing
    }

    fn neighbors_of(&self, particle: usize) -> &[u32] {
        &self.neighbors[particle]
    }

    fn spacing(&self) -> f64 {
        self.spacing
    }
}
