//! How far a body of hexahedra is from its shape, by the lengths of their edges.

use pliant_core::world::World;
use pliant_math::DVec3;

use super::SIDE;

/// The edges of hexahedra, by the ids of their ends.
pub(super) struct Edges(Vec<[u32; 2]>);

impl Edges {
    /// Those between particles at rest [m].
    pub(super) fn of(rest: &[DVec3]) -> Self {
        let mut edges = Vec::new();
        for (j, b) in (0..).zip(rest) {
            let before = (0..j).zip(rest);
            let near = before.filter(|(_, a)| a.distance(*b) < 1.01 * SIDE);
            edges.extend(near.map(|(i, _)| [i, j]));
        }
        Self(edges)
    }

    /// Their lengths over those at rest.
    fn stretches(&self, world: &World) -> impl Iterator<Item = f64> {
        let p = &world.state.particles;
        let mut now = vec![DVec3::ZERO; p.len()];
        for (&id, &x) in p.id.iter().zip(&p.position) {
            now[id as usize] = x;
        }
        self.0
            .iter()
            .map(move |edge| edge.map(|end| now[end as usize]))
            .map(|[a, b]| a.distance(b) / SIDE)
    }

    /// Root mean square difference of their lengths from those at rest [sides].
    pub(super) fn error(&self, world: &World) -> f64 {
        let squares = self.stretches(world).map(|stretch| (stretch - 1.0).powi(2));
        (squares.sum::<f64>() / self.0.len() as f64).sqrt()
    }

    /// The greatest length over that at rest.
    pub(super) fn greatest(&self, world: &World) -> f64 {
        self.stretches(world).fold(0.0, f64::max)
    }
}
