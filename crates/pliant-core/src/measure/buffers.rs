//! The columns of a frame, in order of the stable id.

use pliant_math::{DQuat, Pose, Real, Vec3, to_single};

use super::embedded_meshes::EmbeddedMeshes;
use super::frame::{Frame, FrameBody, FrameCollider, FrameColumns, Quantity, SceneryKind};
use super::frame_analysis::{FrameAnalysis, order};
use super::pieces::Pieces;
use super::readings::{carries_surfaces, readings};
use super::triangle_uvs::TriangleUvs;
use super::wanted::Wanted;
use crate::boundaries::Collider;
use crate::method::{Reading, Readings};
use crate::methods::rigid::{RigidColumns, RigidSetup};
use crate::parallel;
use crate::world::{Look, World};

/// Owns what a [`Frame`] shows; kept from frame to frame so that its buffers are reused.
#[derive(Debug, Default)]
pub struct FrameBuffers {
    number: u32,
    time: f64,
    particles: FrameColumns,
    surface: FrameColumns,
    triangle_uvs: TriangleUvs,
    embedded_meshes: EmbeddedMeshes,
    bodies: Vec<FrameBody>,
    material_names: Vec<String>,
    colliders: Vec<FrameCollider>,
}

/// A value of a particle at a place.
type OfReading = fn(&World, &Reading, usize) -> f32;

/// What methods tell of each particle: name, unit, value.
const READ: [(&str, &str, OfReading); 4] = [
    ("density", "kg/m3", density),
    ("det_F", "", |_, reading, _| volume_ratio(reading) as f32),
    ("stress_von_mises", "Pa", |_, reading, _| {
        reading.von_mises as f32
    }),
    ("plastic_state", "", |_, reading, _| {
        reading.plastic_state as f32
    }),
];

/// What is told of particles where there are muscles.
const OF_FIBERS: [&str; 2] = ["activation", "fiber_stretch"];

/// The piece of matter a particle belongs to, named by the least id in it, so that a piece that nothing
/// breaks off keeps its name. Exact up to 2^24 particles.
const FRAGMENT: (&str, &str) = ("fragment", "");

/// The quaternion that turns the shape of a rigid body, told only where there are any.
pub const ROTATION: [&str; 4] = ["rotation_x", "rotation_y", "rotation_z", "rotation_w"];

/// What is known of a world.
#[derive(Clone, Copy)]
struct Known<'a> {
    order: &'a [u32],
    readings: Option<&'a Readings>,
    pieces: Option<&'a Pieces>,
}

impl FrameBuffers {
    /// Buffers for a moment after that of others: what of surfaces has not changed is kept.
    pub fn after(before: &Self) -> Self {
        Self {
            triangle_uvs: before.triangle_uvs.clone(),
            embedded_meshes: before.embedded_meshes.clone(),
            ..Self::default()
        }
    }

    /// Reads a world.
    pub fn update(&mut self, world: &World) {
        self.read(world, &FrameAnalysis::of(world));
    }

    /// Reads what is wanted of a world, and computes no more than that takes.
    pub fn update_wanted(&mut self, world: &World, wanted: Wanted<'_>) {
        let order = order(world);
        let has_meshes = wanted.surfaces && carries_surfaces(world);
        let names = READ.iter().map(|(name, ..)| *name);
        let told = names.chain(OF_FIBERS).any(|name| wanted.has(name));
        let readings = || (has_meshes || told).then(|| readings(world));
        let pieces = || (has_meshes || wanted.has(FRAGMENT.0)).then(|| Pieces::of(world, &order));
        let (readings, pieces) = parallel::both(readings, pieces);
        let known = Known {
            order: &order,
            readings: readings.as_ref(),
            pieces: pieces.as_ref(),
        };
        self.fill(world, known, wanted);
    }

    /// Reads a world that has been analysed.
    pub fn read(&mut self, world: &World, analysis: &FrameAnalysis) {
        let known = Known {
            order: &analysis.order,
            readings: Some(&analysis.readings),
            pieces: Some(&analysis.pieces),
        };
        self.fill(world, known, Wanted::ALL);
    }

    fn fill(&mut self, world: &World, known: Known<'_>, wanted: Wanted<'_>) {
        let particles = &world.state.particles;
        (self.number, self.time) = (world.state.frame, world.state.time);
        let order = known.order.iter().map(|&i| i as usize);
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
        columns.uv.clear();
        if wanted.surfaces {
            let uv = self.triangle_uvs.update(&world.setup, columns);
            columns.uv.extend_from_slice(uv);
        }
        self.update_quantities(world, known, wanted);
        self.surface = match (known.readings, known.pieces) {
            (Some(readings), Some(pieces)) if wanted.surfaces => {
                self.embedded_meshes
                    .update(world, &self.particles.id, pieces);
                self.embedded_meshes
                    .surface(world, readings, known.order, &self.particles)
            }
            _ => FrameColumns::default(),
        };
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

    /// Lends columns as a frame of this moment.
    pub fn show<'a>(&'a self, columns: &'a FrameColumns) -> Frame<'a> {
        columns.shown_in(&Frame {
            number: self.number,
            time: self.time,
            bodies: &self.bodies,
            material_names: &self.material_names,
            colliders: &self.colliders,
            ..Frame::default()
        })
    }

    fn update_quantities(&mut self, world: &World, known: Known<'_>, wanted: Wanted<'_>) {
        let FrameColumns { id, quantities, .. } = &mut self.particles;
        quantities.clear();
        if let Some(readings) = known.readings {
            for (name, unit, of_reading) in READ {
                if wanted.has(name) {
                    let places = known.order.iter().map(|&i| i as usize);
                    let values = places.map(|i| of_reading(world, &readings.of_place[i], i));
                    let values = values.collect();
                    quantities.push(Quantity { name, unit, values });
                }
            }
        }
        let fibers = known.readings.map(|readings| readings.fibers.as_slice());
        for (k, name) in OF_FIBERS.into_iter().enumerate() {
            if let Some(fibers) = fibers.filter(|f| !f.is_empty() && wanted.has(name)) {
                let values = known.order.iter().map(|&i| fibers[i as usize][k] as f32);
                quantities.push(Quantity {
                    name,
                    unit: "",
                    values: values.collect(),
                });
            }
        }
        if let (Some(pieces), true) = (known.pieces, wanted.has(FRAGMENT.0)) {
            let (name, unit) = FRAGMENT;
            let values = pieces.first.iter();
            let values = values.map(|&first| id[first as usize] as f32).collect();
            quantities.push(Quantity { name, unit, values });
        }
        if ROTATION.iter().any(|name| wanted.has(name)) {
            self.add_rotations(world);
        }
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
                drawn_as: b.method.drawn_as(b),
                look: b.look,
            }),
        );
        refill(
            &mut self.material_names,
            setup.materials.iter().map(|m| m.name.clone()),
        );
        let poses = world.collider_poses();
        let first_rigid = setup.first_rigid();
        let collider = |(number, (c, pose)): (usize, (&Collider, Option<Pose>))| FrameCollider {
            name: c.name.clone(),
            shape: c.shape_at(self.time),
            pose: pose.unwrap_or(Pose::IDENTITY),
            color: c.color,
            opacity: if pose.is_some() { c.opacity } else { 0.0 },
            gloss: c.gloss,
            kind: match number < first_rigid {
                true => SceneryKind::Collider,
                false => SceneryKind::RigidBody,
            },
        };
        let colliders = setup.colliders.iter().zip(poses).enumerate().map(collider);
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
            gloss: Look::default().gloss,
            kind: SceneryKind::Blade,
        });
        refill(&mut self.colliders, colliders.chain(blades));
    }
}

/// The density [kg/m3] that a volume ratio leaves.
fn density(world: &World, reading: &Reading, place: usize) -> f32 {
    let body = &world.setup.bodies[world.state.particles.body[place] as usize];
    let rest_density = body.particles.particle_mass / body.particles.particle_volume;
    (rest_density / volume_ratio(reading)) as f32
}

fn volume_ratio(reading: &Reading) -> f64 {
    reading.volume_ratio.max(Real::MIN_POSITIVE.into())
}

fn refill<T>(column: &mut Vec<T>, values: impl Iterator<Item = T>) {
    column.clear();
    column.extend(values);
}
