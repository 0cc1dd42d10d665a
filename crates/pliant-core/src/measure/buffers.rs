//! The columns of a frame, in order of the stable id.

use std::borrow::Cow;

use pliant_math::{DQuat, Pose, Real, Vec3, to_single};

use super::embedded_mesh::EmbeddedMeshes;
use super::frame::{Frame, FrameBody, FrameCollider, FrameColumns, Quantity};
use super::frame_analysis::FrameAnalysis;
use crate::boundaries::Collider;
use crate::method::Reading;
use crate::methods::rigid::{RigidColumns, RigidSetup};
use crate::world::World;

/// Owns what a [`Frame`] shows; kept from frame to frame so that its buffers are reused.
#[derive(Debug, Default)]
pub struct FrameBuffers {
    number: u32,
    time: f64,
    particles: FrameColumns,
    surface: FrameColumns,
    embedded_meshes: EmbeddedMeshes,
    bodies: Vec<FrameBody>,
    material_names: Vec<String>,
    colliders: Vec<FrameCollider>,
}

/// What is told of each particle.
const QUANTITIES: [(&str, &str); 5] = [
    ("density", "kg/m3"),
    ("det_F", ""),
    ("stress_von_mises", "Pa"),
    ("plastic_state", ""),
    FRAGMENT,
];

/// The piece of matter a particle belongs to, named by the least id in it, so that a piece that nothing
/// breaks off keeps its name. Exact up to 2^24 particles.
const FRAGMENT: (&str, &str) = ("fragment", "");

/// The quaternion that turns the shape of a rigid body, told only where there are any.
pub const ROTATION: [&str; 4] = ["rotation_x", "rotation_y", "rotation_z", "rotation_w"];

impl FrameBuffers {
    /// Buffers for a moment after that of others: what of surfaces has not changed is kept.
    pub fn after(before: &Self) -> Self {
        Self {
            embedded_meshes: before.embedded_meshes.clone(),
            ..Self::default()
        }
    }

    /// Reads a world.
    pub fn update(&mut self, world: &World) {
        self.read(world, &FrameAnalysis::of(world));
    }

    /// Reads a world that has been surveyed.
    pub fn read(&mut self, world: &World, analysis: &FrameAnalysis) {
        let particles = &world.state.particles;
        (self.number, self.time) = (world.state.frame, world.state.time);
        let FrameAnalysis {
            order: places,
            readings,
            pieces,
        } = analysis;
        let order = places.iter().map(|&i| i as usize);
        let material = |i: usize| world.setup.bodies[particles.body[i] as usize].material;
        let columns = &mut self.particles;
        let single = |v: Vec3| v.to_array().map(to_single);
        let velocity = order.clone().map(|i| single(particles.velocity[i]));
        let position = order.clone().map(|i| particles.position[i]);
        refill(&mut columns.position, position);
        refill(&mut columns.velocity, velocity);
        refill(&mut columns.id, order.clone().map(|i| particles.id[i]));
        refill(&mut columns.body, order.clone().map(|i| particles.body[i]));
        refill(&mut columns.material, order.clone().map(material));
        let radius = order.map(|i| to_single(particles.radius[i]));
        refill(&mut columns.radius, radius);
        let methods = world.setup.methods().into_iter();
        let triangles = methods.flat_map(|method| method.triangles(world, &columns.id));
        refill(&mut columns.triangles, triangles);
        self.update_quantities(world, analysis);
        self.embedded_meshes
            .update(world, &self.particles.id, pieces);
        self.surface = self
            .embedded_meshes
            .surface(world, readings, places, &self.particles);
        self.update_scenery(world);
    }

    /// The frame last read.
    pub fn frame(&self) -> Frame<'_> {
        self.show(&self.particles)
    }

    /// The surfaces that bodies carry, their vertices in place of particles; `None` if there are none.
    pub fn surface(&self) -> Option<Frame<'_>> {
        (!self.surface.triangles.is_empty()).then(|| self.show(&self.surface))
    }

    /// What pictures show: surfaces in place of the particles that carry them.
    pub fn in_pictures(&self) -> Cow<'_, FrameColumns> {
        let surface = self.surface();
        if surface.is_none() && self.bodies.iter().all(|b| !b.is_drawn_as_collider) {
            return Cow::Borrowed(&self.particles);
        }
        Cow::Owned(FrameColumns::in_pictures(&self.frame(), surface.as_ref()))
    }

    /// Lends columns as a frame of this moment.
    pub fn show<'a>(&'a self, columns: &'a FrameColumns) -> Frame<'a> {
        columns.shown_in(&Frame {
            number: self.number,
            time: self.time,
            position: &[],
            velocity: &[],
            id: &[],
            body: &[],
            material: &[],
            radius: &[],
            quantities: &[],
            triangles: &[],
            bodies: &self.bodies,
            material_names: &self.material_names,
            colliders: &self.colliders,
        })
    }

    fn update_quantities(&mut self, world: &World, analysis: &FrameAnalysis) {
        let FrameColumns { id, quantities, .. } = &mut self.particles;
        quantities.resize_with(QUANTITIES.len(), Quantity::default);
        for (quantity, (name, unit)) in quantities.iter_mut().zip(QUANTITIES) {
            (quantity.name, quantity.unit) = (name, unit);
            quantity.values.clear();
        }
        for (&i, &first) in analysis.order.iter().zip(&analysis.pieces.first) {
            let fragment = id[first as usize] as f32;
            let reading = &analysis.readings.of_place[i as usize];
            let values = quantities_of(world, reading, i as usize, fragment);
            for (quantity, value) in quantities.iter_mut().zip(values) {
                quantity.values.push(value);
            }
        }
        self.add_rotations(world);
    }

    /// How rigid bodies are turned, if there are any.
    fn add_rotations(&mut self, world: &World) {
        let Some(columns) = world.state.methods.find::<RigidColumns>() else {
            return;
        };
        let bodies = RigidSetup::of(&world.setup).bodies;
        let FrameColumns { id, quantities, .. } = &mut self.particles;
        let first = quantities.len();
        for (axis, name) in ROTATION.into_iter().enumerate() {
            let value = DQuat::IDENTITY.to_array()[axis] as f32;
            quantities.push(Quantity {
                name,
                unit: "",
                values: vec![value; id.len()],
            });
        }
        for (body, rotation) in bodies.iter().zip(&columns.rotation) {
            if let Ok(place) = id.binary_search(&body.id) {
                for (axis, value) in rotation.to_array().into_iter().enumerate() {
                    quantities[first + axis].values[place] = value as f32;
                }
            }
        }
    }

    fn update_scenery(&mut self, world: &World) {
        let setup = &world.setup;
        refill(
            &mut self.bodies,
            setup.bodies.iter().map(|b| FrameBody {
                name: b.name.clone(),
                color: b.color,
                is_drawn_as_collider: b.method.is_rigid(),
            }),
        );
        refill(
            &mut self.material_names,
            setup.materials.iter().map(|m| m.name.clone()),
        );
        let poses = world.collider_poses();
        let collider = |(c, pose): (&Collider, Option<Pose>)| FrameCollider {
            name: c.name.clone(),
            shape: c.shape.clone(),
            pose: pose.unwrap_or(Pose::IDENTITY),
            color: c.color,
            opacity: if pose.is_some() { c.opacity } else { 0.0 },
            is_blade: false,
        };
        let colliders = setup.colliders.iter().zip(poses).map(collider);
        let blades = setup.blades.iter().map(|blade| FrameCollider {
            name: blade.name.clone(),
            shape: blade.shape.clone(),
            pose: blade.motion.pose(self.time),
            color: blade.color,
            opacity: if blade.is_there(self.time) {
                blade.opacity
            } else {
                0.0
            },
            is_blade: true,
        });
        refill(&mut self.colliders, colliders.chain(blades));
    }
}

fn quantities_of(
    world: &World,
    reading: &Reading,
    i: usize,
    fragment: f32,
) -> [f32; QUANTITIES.len()] {
    let body = &world.setup.bodies[world.state.particles.body[i] as usize];
    let rest_density = body.particles.particle_mass / body.particles.particle_volume;
    let ratio = reading.volume_ratio.max(Real::MIN_POSITIVE.into());
    [
        (rest_density / ratio) as f32,
        ratio as f32,
        reading.von_mises as f32,
        reading.plastic_state as f32,
        fragment,
    ]
}

fn refill<T>(column: &mut Vec<T>, values: impl Iterator<Item = T>) {
    column.clear();
    column.extend(values);
}
