//! The method as the bodies of a world name it.

use super::{
    CLOTH, Cloth, ClothColumns, ClothReading, ClothSetup, Vertices, crossing_time, longest_step,
    whole_triangles,
};
use crate::method::{LongestStep, Method, MethodState, MethodStates, Readings, StretchOf};
use crate::world::{Body, MethodKind, Setup, World};

/// Triangles of cloth.
#[derive(Debug)]
pub(super) struct Kind;

impl MethodKind for Kind {
    fn name(&self) -> &'static str {
        "cloth"
    }

    fn solver(&self, setup: &Setup) -> Option<Box<dyn Method>> {
        let cloth = Cloth::new(ClothSetup::of(setup));
        Some(Box::new(cloth.following(setup.start_shapes(CLOTH))))
    }

    fn initial_state(&self, setup: &Setup) -> Option<Box<dyn MethodState>> {
        let triangles = ClothSetup::of(setup).triangle_count();
        Some(Box::new(ClothColumns::whole(triangles)))
    }

    fn check_state(&self, setup: &Setup, states: &MethodStates) -> Result<(), String> {
        states.of::<ClothColumns>().check(&ClothSetup::of(setup))
    }

    /// Half of the distance that its surfaces keep.
    fn contact_radius(&self, setup: &Setup, body: &Body) -> f64 {
        let law = setup.materials[body.material as usize].law.cloth();
        0.5 * law.map_or(body.spacing, |law| law.contact_distance(body.spacing))
    }

    fn longest_step(&self, setup: &Setup, body: u32) -> LongestStep {
        let sheets = ClothSetup::of(setup).sheets;
        let Some(sheet) = sheets.iter().find(|sheet| sheet.body == body) else {
            return LongestStep::UNBOUND;
        };
        longest_step(sheet, &inverse_masses(setup, body), setup.solver.iterations)
    }

    fn crossing_time(&self, setup: &Setup, body: u32) -> f64 {
        let sheets = ClothSetup::of(setup).sheets;
        let sheet = sheets.iter().find(|sheet| sheet.body == body);
        sheet
            .filter(|sheet| sheet.law.tear_strain.is_none())
            .map_or(f64::INFINITY, |sheet| {
                crossing_time(sheet, &inverse_masses(setup, body))
            })
    }

    fn read(&self, world: &World, readings: &mut Readings) {
        for_vertices(world, |place, of_vertex| {
            let reading = &mut readings.of_place[place];
            reading.volume_ratio = of_vertex.area_ratio;
            reading.von_mises = of_vertex.von_mises;
            reading.energy = of_vertex.energy;
        });
    }

    fn read_energies(&self, world: &World, energies: &mut [f64]) {
        for_vertices(world, |place, of_vertex| energies[place] = of_vertex.energy);
    }

    fn stretch_of(&self) -> Option<StretchOf> {
        Some(StretchOf::Material)
    }

    fn read_stretches(&self, world: &World, put: &mut dyn FnMut(usize, [f64; 3])) {
        for_vertices(world, |place, of_vertex| {
            put(place, of_vertex.stretch.unwrap_or([1.0; 3]));
        });
    }

    fn links(&self, world: &World, ids: &[u32]) -> Vec<[u32; 2]> {
        let triangles = self.triangles(world, ids).into_iter();
        triangles.flat_map(|[a, b, c]| [[a, b], [b, c]]).collect()
    }

    fn triangles(&self, world: &World, ids: &[u32]) -> Vec<[u32; 3]> {
        whole_triangles(&ClothSetup::of(&world.setup), world.state.methods.of(), ids)
    }
}

/// Calls `f(place, reading)` for each vertex.
fn for_vertices(world: &World, mut f: impl FnMut(usize, ClothReading)) {
    let setup = ClothSetup::of(&world.setup);
    let particles = &world.state.particles;
    let places = particles.places_by_id(|body| setup.is_sheet(body));
    let position: Vec<_> = places.iter().map(|&i| particles.position[i]).collect();
    let id: Vec<_> = places.iter().map(|&i| particles.id[i]).collect();
    let vertices = Vertices {
        position: &position,
        id: &id,
    };
    let readings = super::ClothReadings::of(&setup, vertices, world.state.methods.of());
    for (place, reading) in places.into_iter().zip(readings.of_vertex) {
        f(place, reading);
    }
}

/// Of the vertices of a sheet at the start [1/kg].
fn inverse_masses(setup: &Setup, body: u32) -> Vec<f64> {
    let start = &setup.bodies[body as usize].particles;
    let vertices = 0..start.position.len();
    vertices.map(|k| 1.0 / start.mass(k)).collect()
}
