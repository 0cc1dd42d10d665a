//! Particles that have a surface together.

use std::collections::BTreeMap;

use pliant_core::measure::{Frame, FrameColumns};
use pliant_geometry::TriangleMesh;
use pliant_math::DVec3;
use pliant_surface::{Carrier, SurfaceSettings};

/// Particles that have a surface together: of one material and size, so that pools that meet become one.
pub struct Group {
    /// Places of the particles in their frame.
    pub places: Vec<usize>,
    /// Their positions [m].
    pub position: Vec<DVec3>,
    /// Their material.
    pub material: u32,
    radius: f32,
}

/// The groups of the particles at chosen places, by material and the bits of the radius, which order as radii do.
pub fn groups(frame: &Frame<'_>, is_chosen: impl Fn(usize) -> bool) -> Vec<Group> {
    let mut groups = BTreeMap::<_, Group>::new();
    for place in (0..frame.particle_count()).filter(|&place| is_chosen(place)) {
        let (material, radius) = (frame.material[place], frame.radius[place]);
        let group = groups.entry((material, radius.to_bits()));
        let group = group.or_insert_with(|| Group {
            places: Vec::new(),
            position: Vec::new(),
            material,
            radius,
        });
        group.places.push(place);
        group.position.push(frame.position[place]);
    }
    groups.into_values().collect()
}

impl Group {
    /// How its surface is made if nothing else is asked for.
    pub fn settings(&self) -> SurfaceSettings {
        SurfaceSettings::of_spacing(2.0 * f64::from(self.radius))
    }

    /// Adds its surface, whose vertices move as the particles around: all columns but bodies and quantities.
    pub fn add(
        &self,
        frame: &Frame<'_>,
        (mesh, carrier): (&TriangleMesh, &Carrier<'_>),
        all: &mut FrameColumns,
    ) {
        let velocity = self.values(|place| frame.velocity[place]);
        let first = all.position.len() as u32;
        all.position.extend(&mesh.vertices);
        let count = all.position.len();
        all.velocity
            .extend(carrier.carry(&velocity, &mesh.vertices));
        all.id.extend(first..count as u32);
        all.material.resize(count, self.material);
        all.radius.resize(count, self.radius);
        let triangles = mesh.triangles.iter();
        all.triangles
            .extend(triangles.map(|corners| corners.map(|corner| first + corner)));
    }

    /// What its particles have.
    pub fn values<T>(&self, of_place: impl Fn(usize) -> T) -> Vec<T> {
        self.places.iter().map(|&place| of_place(place)).collect()
    }
}
