//! What is read off the shape of cloth, solids and springs, by the places of their particles.

use pliant_math::{DMat3, DVec3};

use crate::methods::cloth::{self, ClothColumns, Vertices};
use crate::methods::fluid::FluidColumns;
use crate::methods::springs;
use crate::methods::strain_energy::{self, SolidReading, StrainEnergyColumns};
use crate::methods::xpbi::{XpbiColumns, volume_ratio};
use crate::world::{Body, State, World};

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
        if !has_shapes(world) {
            return Self::default();
        }
        let mut of_place = vec![None; world.state.particles.len()];
        read(
            world,
            |reading| reading,
            |place, reading| of_place[place] = Some(reading),
        );
        Self(of_place)
    }

    /// Volume of a particle over its rest volume. A fluid that is less dense than at rest has a free surface
    /// near and counts as at rest.
    pub fn volume_ratio(&self, state: &State, place: usize) -> f64 {
        if let Some(reading) = self.reading(place) {
            return reading.ratio;
        }
        let of_strain = volume_ratio(state.methods.of::<XpbiColumns>().strain[place]);
        let compression = state.methods.of::<FluidColumns>().compression[place];
        f64::from(of_strain / (1.0 + compression.max(0.0)))
    }

    /// The reading at a place, `None` for other methods.
    pub fn reading(&self, place: usize) -> Option<&Reading> {
        self.0.get(place)?.as_ref()
    }
}

/// The share [J] of each particle in the energies of cloth, solids and springs; empty if there are none.
pub(crate) fn elastic_energies(world: &World) -> Vec<f64> {
    if !has_shapes(world) {
        return Vec::new();
    }
    let mut energies = vec![0.0; world.state.particles.len()];
    let wanted = |reading: Reading| reading.energy;
    read(world, wanted, |place, energy| energies[place] = energy);
    energies
}

/// Whether there is anything that is read off shapes.
fn has_shapes(world: &World) -> bool {
    let start = |body: &Body| {
        let p = &body.particles;
        p.fabric.is_some() || p.rest_shape.is_some() || p.network.is_some()
    };
    world.setup.bodies.iter().any(start)
}

/// Calls `put(place, what)` with what is wanted of the reading of each particle that has one.
fn read<T: Clone + Send>(
    world: &World,
    wanted: impl Fn(Reading) -> T + Sync,
    mut put: impl FnMut(usize, T),
) {
    read_cloth(world, &wanted, &mut put);
    read_solids(world, &wanted, &mut put);
    read_springs(world, &wanted, &mut put);
}

/// The places of the particles of some bodies in order of their ids, these ids, and the positions [m].
fn in_order(world: &World, belongs: impl Fn(u32) -> bool) -> (Vec<usize>, Vec<u32>, Vec<DVec3>) {
    let p = &world.state.particles;
    let mut places: Vec<usize> = (0..p.len()).filter(|&i| belongs(p.body[i])).collect();
    places.sort_unstable_by_key(|&i| p.id[i]);
    let ids = places.iter().map(|&i| p.id[i]).collect();
    let positions = places.iter().map(|&i| p.position[i]).collect();
    (places, ids, positions)
}

fn read_cloth<T>(world: &World, wanted: &impl Fn(Reading) -> T, put: &mut impl FnMut(usize, T)) {
    let setup = world.setup.cloth();
    let (places, id, position) = in_order(world, |body| setup.is_sheet(body));
    if places.is_empty() {
        // A world without particles has no torn triangles either.
        return;
    }
    let vertices = Vertices {
        position: &position,
        id: &id,
    };
    let readings =
        cloth::ClothReadings::of(&setup, vertices, world.state.methods.of::<ClothColumns>());
    for (place, reading) in places.into_iter().zip(readings.of_vertex) {
        let reading = Reading {
            ratio: reading.area_ratio,
            von_mises: reading.von_mises,
            energy: reading.energy,
            cloth_stretch: reading.stretch,
            ..Reading::default()
        };
        put(place, wanted(reading));
    }
}

fn read_solids<T: Clone + Send>(
    world: &World,
    wanted: &(impl Fn(Reading) -> T + Sync),
    put: &mut impl FnMut(usize, T),
) {
    let setup = world.setup.strain_energy();
    let (particles, columns) = (
        &world.state.particles,
        world.state.methods.of::<StrainEnergyColumns>(),
    );
    let of_solid = |reading: SolidReading| {
        wanted(Reading {
            ratio: reading.volume_ratio(),
            von_mises: reading.von_mises(),
            energy: reading.energy,
            deformation_gradient: Some(reading.deformation_gradient),
            ..Reading::default()
        })
    };
    strain_energy::read(&setup, particles, columns, of_solid, put);
}

fn read_springs<T>(world: &World, wanted: &impl Fn(Reading) -> T, put: &mut impl FnMut(usize, T)) {
    let setup = world.setup.springs();
    let (places, ids, position) = in_order(world, |body| setup.body(body).is_some());
    let readings = springs::read(&setup, &ids, &position);
    for (place, reading) in places.into_iter().zip(readings) {
        let stretch = [reading.least, reading.mean(), reading.greatest];
        let reading = Reading {
            energy: reading.energy,
            spring_stretch: (reading.count > 0).then_some(stretch),
            ..Reading::default()
        };
        put(place, wanted(reading));
    }
}
