//! Particles on and near the surface of bodies, which may touch other bodies and other parts of their own.

use pliant_math::DVec3;

use super::RestShape;

/// A particle with fewer neighbours than this part of those inside is on the surface: none of a lattice
/// and few of jittered ones are missed (0 and 0 of a thousand at 1.8 spacings).
const SURFACE_SHARE: f64 = 0.75;

/// Where particles of bodies are at rest, and which of them are near the surface, by place.
#[derive(Debug, Default)]
pub struct SurfaceParticles {
    /// Where they are at rest [m].
    pub rest_position: Vec<DVec3>,
    /// Whether they are on the surface or next to it.
    pub is_near_surface: Vec<bool>,
    /// Whether each has been cut off from a neighbour.
    pub is_cut: Vec<bool>,
    /// Those cut off from each other, the lesser place first, increasing.
    pub cut_pairs: Vec<[u32; 2]>,
}

/// A body at rest, and what is left of it.
#[derive(Clone, Copy)]
pub struct BondedBody<'a, B> {
    /// Who is whose neighbour.
    pub shape: &'a RestShape,
    /// Distance of neighbouring particles [m].
    pub spacing: f64,
    /// The place of each particle, by its number; `u32::MAX` for those that have left.
    pub places: &'a [u32],
    /// Whether a bond of the shape is broken, by its number.
    pub is_broken: B,
}

impl SurfaceParticles {
    /// Of the particles of bodies at some places, `count` in all.
    pub fn new<'a, B: Fn(usize) -> bool + Copy>(
        bodies: impl IntoIterator<Item = BondedBody<'a, B>>,
        count: usize,
    ) -> Self {
        let mut all = Self {
            rest_position: vec![DVec3::ZERO; count],
            is_near_surface: vec![false; count],
            is_cut: vec![false; count],
            cut_pairs: Vec::new(),
        };
        for body in bodies {
            for (&x, &place) in body.shape.position.iter().zip(body.places) {
                if place != u32::MAX {
                    all.rest_position[place as usize] = x;
                }
            }
            let particles: Vec<u32> = (0..body.shape.len() as u32).collect();
            all.update(body, &particles);
        }
        all
    }

    /// Updates after some particles of a body have been cut off from neighbours.
    pub fn update<B: Fn(usize) -> bool + Copy>(
        &mut self,
        body: BondedBody<'_, B>,
        particles: &[u32],
    ) {
        self.mark_surface_layer(body, particles);
        self.add_cuts(body, particles);
        self.cut_pairs.sort_unstable();
        self.cut_pairs.dedup();
    }

    /// Marks those of some particles that are on the surface, and their neighbours.
    fn mark_surface_layer<B: Fn(usize) -> bool>(
        &mut self,
        body: BondedBody<'_, B>,
        particles: &[u32],
    ) {
        let (shape, places) = (body.shape, body.places);
        let ratio = shape.support_radius / body.spacing;
        let inside = 4.0 / 3.0 * std::f64::consts::PI * ratio.powi(3) - 1.0;
        for &particle in particles {
            let bonds = shape.edges_of(particle as usize);
            let left = bonds.filter(|&bond| !(body.is_broken)(bond)).count();
            if (left as f64) < SURFACE_SHARE * inside {
                let beside = shape.neighbors_of(particle as usize).iter();
                for &near_surface in beside.chain([&particle]) {
                    let place = places[near_surface as usize];
                    if place != u32::MAX {
                        self.is_near_surface[place as usize] = true;
                    }
                }
            }
        }
    }

    fn add_cuts<B: Fn(usize) -> bool>(&mut self, body: BondedBody<'_, B>, particles: &[u32]) {
        for &particle in particles {
            let bonds = body.shape.edges_of(particle as usize);
            let others = body.shape.neighbors_of(particle as usize);
            for (bond, &other) in bonds.zip(others) {
                if !(body.is_broken)(bond) {
                    continue;
                }
                let pair = [particle, other].map(|of_body| body.places[of_body as usize]);
                if !pair.contains(&u32::MAX) {
                    self.is_cut[pair[0] as usize] = true;
                    self.is_cut[pair[1] as usize] = true;
                    self.cut_pairs
                        .push([pair[0].min(pair[1]), pair[0].max(pair[1])]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block() -> RestShape {
        let place = |n: usize| DVec3::from_array([n % 9, n / 9 % 9, n / 81].map(|k| k as f64));
        RestShape::new((0..729).map(place).collect(), 2.0)
    }

    #[test]
    fn two_layers_of_a_block_are_near_its_surface() {
        let shape = block();
        let places: Vec<u32> = (0..729).collect();
        let body = BondedBody {
            shape: &shape,
            spacing: 1.0,
            places: &places,
            is_broken: |_| false,
        };
        let surface = SurfaceParticles::new([body], 729);
        for (x, &is_near) in surface.rest_position.iter().zip(&surface.is_near_surface) {
            let depth = x.min_element().min(8.0 - x.max_element());
            assert_eq!(is_near, depth < 2.0, "{x}");
        }
        assert!(surface.cut_pairs.is_empty() && !surface.is_cut.contains(&true));
    }

    #[test]
    fn a_cut_through_the_middle_makes_surfaces_of_both_its_sides() {
        let shape = block();
        let places: Vec<u32> = (0..729).collect();
        let layer = |particle: u32| shape.position[particle as usize].z as usize;
        let crosses: Vec<bool> = (0..729)
            .flat_map(|i| {
                let others = shape.neighbors_of(i as usize).iter();
                others.map(move |&j| (i, j))
            })
            .map(|(i, j)| (layer(i) < 5) != (layer(j) < 5))
            .collect();
        let body = BondedBody {
            shape: &shape,
            spacing: 1.0,
            places: &places,
            is_broken: |bond: usize| crosses[bond],
        };
        let surface = SurfaceParticles::new([body], 729);
        let of_middle = |z: f64| 4.0 * 81.0 + 40.0 + (z - 4.0) * 81.0;
        for z in [4.0, 5.0] {
            let place = of_middle(z) as usize;
            assert!(surface.is_near_surface[place] && surface.is_cut[place]);
        }
        assert!(surface.cut_pairs.contains(&[364, 445]));
        assert!(!surface.is_cut[of_middle(2.0) as usize]);
    }
}
