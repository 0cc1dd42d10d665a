//! What is read off the shape of cloth, by the places of its vertices.

use pliant_math::DVec3;

use crate::methods::cloth::{Reading, Readings, Vertices};
use crate::world::World;

/// A reading for each place that is a vertex of cloth.
#[derive(Debug, Default)]
pub(crate) struct Sheets(Vec<Option<Reading>>);

impl Sheets {
    /// Reads a world.
    pub fn of(world: &World) -> Self {
        let setup = world.setup.cloth();
        if setup.sheets.is_empty() {
            return Self::default();
        }
        let p = &world.state.particles;
        let is_vertex = |&i: &usize| setup.is_sheet(p.body[i]);
        let mut places: Vec<usize> = (0..p.len()).filter(is_vertex).collect();
        if places.is_empty() {
            // A world without particles has no torn triangles either.
            return Self::default();
        }
        places.sort_unstable_by_key(|&i| p.id[i]);
        let position: Vec<DVec3> = places.iter().map(|&i| p.position[i]).collect();
        let id: Vec<u32> = places.iter().map(|&i| p.id[i]).collect();
        let vertices = Vertices {
            position: &position,
            id: &id,
        };
        let readings = Readings::of(&setup, vertices, &world.state.cloth);
        let mut of_place = vec![None; p.len()];
        for (place, reading) in places.into_iter().zip(readings.of_vertex) {
            of_place[place] = Some(reading);
        }
        Self(of_place)
    }

    /// The reading at a place, `None` for what is not cloth.
    pub fn reading(&self, place: usize) -> Option<&Reading> {
        self.0.get(place)?.as_ref()
    }
}
