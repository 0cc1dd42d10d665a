//! The shape of a solid body at rest: who is whose neighbour, for good.

use std::ops::Range;

use pliant_math::{DVec3, Pose};

use crate::neighbors::{BlockGrid, SpatialOrder};
use crate::parallel;

/// A body of particles at rest.
#[derive(Clone, Debug)]
pub struct RestShape {
    /// Where the particles are at rest [m], in their order at the start.
    pub position: Vec<DVec3>,
    /// Particles closer than this [m] are neighbours.
    pub support_radius: f64,
    /// Where its own coordinates are, in which fields of its material are given; the identity unless
    /// changed.
    pub pose: Pose,
    /// The particles in an order in which those close together in space are close together.
    pub order: Vec<u32>,
    /// Where the neighbours of each particle begin, and the end.
    starts: Vec<u32>,
    /// Neighbours of each particle, increasing.
    neighbors: Vec<u32>,
}

impl RestShape {
    /// Finds the neighbours.
    ///
    /// * `position` — where the particles are at rest [m], finite, no two the same
    /// * `support_radius` — [m], > 0
    pub fn new(position: Vec<DVec3>, support_radius: f64) -> Self {
        let mut order = SpatialOrder::default();
        order.sort(&position, |_| 0, 1, support_radius);
        let (starts, neighbors) = neighbors(&position, &order, support_radius);
        Self {
            position,
            support_radius,
            pose: Pose::IDENTITY,
            order: order.order,
            starts,
            neighbors,
        }
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Neighbours of a particle, increasing.
    pub fn neighbors_of(&self, particle: usize) -> &[u32] {
        &self.neighbors[self.edges_of(particle)]
    }

    /// The numbers that the bonds of a particle have among those of the body.
    pub fn edges_of(&self, particle: usize) -> Range<usize> {
        self.starts[particle] as usize..self.starts[particle + 1] as usize
    }

    /// Bonds from particles to neighbours, both directions counted.
    pub fn edge_count(&self) -> usize {
        self.neighbors.len()
    }
}

/// The neighbours of all particles, particle after particle.
fn neighbors(position: &[DVec3], order: &SpatialOrder, radius: f64) -> (Vec<u32>, Vec<u32>) {
    let grid = BlockGrid::new(order, 1);
    let mut of_block: Vec<Vec<Vec<u32>>> = vec![Vec::new(); grid.block_count()];
    parallel::for_items(&mut of_block, |block, lists| {
        let around = grid.neighbors(block).flat_map(|b| grid.block(b));
        let around: Vec<u32> = around.map(|place| order.order[place]).collect();
        lists.extend(grid.block(block).map(|place| {
            let own = order.order[place];
            let x = position[own as usize];
            let is_near = |&&other: &&u32| {
                other != own && position[other as usize].distance_squared(x) < radius * radius
            };
            let mut near: Vec<u32> = around.iter().filter(is_near).copied().collect();
            near.sort_unstable();
            near
        }));
    });
    let mut list_of = vec![[0; 2]; position.len()];
    for block in 0..grid.block_count() {
        for (k, place) in grid.block(block).enumerate() {
            list_of[order.order[place] as usize] = [block, k];
        }
    }
    let mut starts = vec![0];
    let mut all = Vec::new();
    for [block, k] in list_of {
        all.extend_from_slice(&of_block[block][k]);
        starts.push(all.len() as u32);
    }
    (starts, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pliant_math::RandomStream;

    #[test]
    fn neighbours_are_those_within_the_support_radius() {
        let stream = RandomStream::new(3, 0);
        let number = |k: u64| stream.unit(k);
        let position: Vec<DVec3> = (0..400)
            .map(|k| DVec3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2)))
            .collect();
        let shape = RestShape::new(position.clone(), 0.2);
        let mut order = shape.order.clone();
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..400));
        for (own, x) in position.iter().enumerate() {
            let near = (0..400u32)
                .filter(|&k| k as usize != own && position[k as usize].distance(*x) < 0.2);
            assert!(near.eq(shape.neighbors_of(own).iter().copied()));
        }
    }

    #[test]
    fn a_lattice_has_26_neighbours_at_1_8_spacings() {
        let line = 0..5;
        let points = line.flat_map(|x| (0..25).map(move |k| [x, k / 5, k % 5]));
        let position = points.map(|[x, y, z]| DVec3::new(x.into(), y.into(), z.into()));
        let shape = RestShape::new(position.collect(), 1.8);
        assert_eq!(shape.neighbors_of(62).len(), 26);
        assert_eq!(shape.neighbors_of(0).len(), 7);
        assert_eq!(
            shape.edge_count(),
            (0..125).map(|i| shape.neighbors_of(i).len()).sum()
        );
    }
}
