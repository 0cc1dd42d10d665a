//! What is read off the shape of cloth, solids and springs, by the places of their particles.

use pliant_math::{DMat3, DVec3};

use crate::methods::cloth::{self, Vertices};
use crate::methods::springs;
use crate::methods::strain_energy;
use crate::world::World;

/// What the shape around a particle says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reading {
    /// Volume over that at rest; of cloth the area.
    pub ratio: f64,
    /// Von Mises stress [Pa].
    pub von_mises: f64,
    /// The particle's share of the elastic energy [J].
    pub energy: f64,
    /// F, of solids.
    pub deformation_gradient: Option<DMat3>,
    /// Principal stretches in the sheet, of cloth: the least, the mean of each triangle's greatest, and
    /// the greatest.
    pub cloth_stretch: Option<[f64; 3]>,
    /// Lengths over rest lengths, of springs: least, mean and greatest.
    pub spring_stretch: Option<[f64; 3]>,
}

impl Default for Reading {
    /// Nothing is deformed.
    fn default() -> Self {
        Self {
            ratio: 1.0,
            von_mises: 0.0,
            energy: 0.0,
            deformation_gradient: None,
            cloth_stretch: None,
            spring_stretch: None,
        }
    }
}

/// A reading for each place that is a particle of cloth, of a solid or of springs.
#[derive(Debug, Default)]
pub(crate) struct Shapes(Vec<Option<Reading>>);

impl Shapes {
    /// Reads a world.
    pub fn of(world: &World) -> Self {
        let (sheets, solids) = (
            world.setup.cloth().sheets,
            world.setup.strain_energy().bodies,
        );
        let networks = world.setup.springs();
        if sheets.is_empty() && solids.is_empty() && networks.bodies.is_empty() {
            return Self::default();
        }
        let mut of_place = vec![None; world.state.particles.len()];
        read_cloth(world, &mut of_place);
        read_solids(world, &mut of_place);
        read_springs(world, &networks, &mut of_place);
        Self(of_place)
    }

    /// The reading at a place, `None` for other methods.
    pub fn reading(&self, place: usize) -> Option<&Reading> {
        self.0.get(place)?.as_ref()
    }
}

fn read_cloth(world: &World, of_place: &mut [Option<Reading>]) {
    let setup = world.setup.cloth();
    let p = &world.state.particles;
    let is_vertex = |&i: &usize| setup.is_sheet(p.body[i]);
    let mut places: Vec<usize> = (0..p.len()).filter(is_vertex).collect();
    if places.is_empty() {
        // A world without particles has no torn triangles either.
        return;
    }
    places.sort_unstable_by_key(|&i| p.id[i]);
    let position: Vec<DVec3> = places.iter().map(|&i| p.position[i]).collect();
    let id: Vec<u32> = places.iter().map(|&i| p.id[i]).collect();
    let vertices = Vertices {
        position: &position,
        id: &id,
    };
    let readings = cloth::Readings::of(&setup, vertices, &world.state.cloth);
    for (place, reading) in places.into_iter().zip(readings.of_vertex) {
        of_place[place] = Some(Reading {
            ratio: reading.area_ratio,
            von_mises: reading.von_mises,
            energy: reading.energy,
            cloth_stretch: reading.stretch,
            ..Reading::default()
        });
    }
}

fn read_solids(world: &World, of_place: &mut [Option<Reading>]) {
    let setup = world.setup.strain_energy();
    let (particles, columns) = (&world.state.particles, &world.state.strain_energy);
    strain_energy::read(&setup, particles, columns, |place, reading| {
        of_place[place] = Some(Reading {
            ratio: reading.volume_ratio(),
            von_mises: reading.von_mises(),
            energy: reading.energy,
            deformation_gradient: Some(reading.deformation_gradient),
            ..Reading::default()
        });
    });
}

fn read_springs(world: &World, setup: &springs::SpringsSetup, of_place: &mut [Option<Reading>]) {
    let p = &world.state.particles;
    let mut places: Vec<usize> = (0..p.len())
        .filter(|&i| setup.body(p.body[i]).is_some())
        .collect();
    places.sort_unstable_by_key(|&i| p.id[i]);
    let position: Vec<DVec3> = places.iter().map(|&i| p.position[i]).collect();
    let ids: Vec<u32> = places.iter().map(|&i| p.id[i]).collect();
    let readings = springs::read(setup, &ids, &position);
    for (place, reading) in places.into_iter().zip(readings) {
        let stretch = [reading.least, reading.mean(), reading.greatest];
        of_place[place] = Some(Reading {
            energy: reading.energy,
            spring_stretch: (reading.count > 0).then_some(stretch),
            ..Reading::default()
        });
    }
}
