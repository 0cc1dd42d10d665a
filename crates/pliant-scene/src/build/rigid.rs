//! Rigid bodies and their joints.

use std::sync::Arc;

use pliant_core::boundaries::{Collider, Grip, Motion};
use pliant_core::methods::rigid::{RigidBody, RigidSetup};
use pliant_core::world::{InitialParticles, Material, Setup};
use pliant_geometry::ShapeUse;
use pliant_materials::Law;
use pliant_math::{DVec3, direction};
use pliant_parameters::Values;
use pliant_rigid::{End, Engine, Joint, JointKind, Motor, rigid_shape};

use super::{Builder, color};
use crate::document::address_text;
use crate::units::{pose, radians3};

/// A rigid body of the scene.
pub(super) struct RigidItem {
    /// Place among the bodies of the scene.
    pub item: usize,
    /// Cube root of its volume [m].
    pub size: f64,
    /// Its centre of mass.
    pub particles: InitialParticles,
    /// What others touch.
    pub collider: Collider,
}

impl Builder<'_> {
    /// The rigid bodies, without those that were refused.
    pub(super) fn rigid_bodies(&mut self, materials: &[Material]) -> Vec<RigidItem> {
        let mut bodies = Vec::new();
        let finest = self.finest_spacing();
        for (item, (path, values)) in self.items("body").into_iter().enumerate() {
            let material = values.text("material");
            let material = materials.iter().find(|m| m.name == material);
            let Some(material) = material.filter(|m| matches!(m.law, Law::Rigid(_))) else {
                continue;
            };
            bodies.extend(self.rigid_body((item, &path), values, material, finest));
        }
        bodies
    }

    fn rigid_body(
        &mut self,
        (item, path): (usize, &str),
        values: &Values,
        material: &Material,
        finest_spacing: f64,
    ) -> Option<RigidItem> {
        let use_as = ShapeUse {
            is_filled: true,
            is_shell: false,
            is_cloth: false,
            spacing: finest_spacing / values.number("scale"),
        };
        let shape = self.shape(path, values, use_as)?;
        let shape = self.scaled(shape, values);
        let start = pose(values);
        let spin = radians3(values.vector3("spin"));
        let mass = |volume: f64| {
            let given = values.optional_number("mass");
            given.unwrap_or(material.density * volume)
        };
        let Some((volume, rigid)) = rigid_shape(shape.as_ref(), mass, start.rotation, spin) else {
            let shape_path = address_text(path, "shape");
            let message = "this shape encloses no volume, so that a rigid body of it has no mass";
            self.fail(&shape_path, message, "take a shape such as a box");
            return None;
        };
        let mass = mass(volume);
        self.check_particle_mass(path, mass)?;
        let center = start.to_world(rigid.center);
        let name = values.text("name");
        let size = libm::cbrt(volume);
        if !self.is_near(path, values, size, [center]) {
            return None;
        }
        Some(RigidItem {
            item,
            size,
            particles: InitialParticles {
                velocity: vec![DVec3::from_array(values.vector3("velocity"))],
                is_pinned: self.pinned(name, size, &[center]),
                position: vec![center],
                particle_mass: mass,
                particle_volume: volume,
                structure: Some(Arc::new(rigid)),
                ..InitialParticles::default()
            },
            collider: Collider {
                name: name.into(),
                shape,
                motion: Motion::Free { start },
                two_sided: false,
                grip: Grip::Separate,
                friction: values.number("friction"),
                restitution: values.number("restitution"),
                color: color(values.text("color")),
                opacity: 1.0,
                gloss: values.number("gloss") as f32,
            },
        })
    }

    /// Least spacing of bodies that have one [m]; infinite if none has.
    pub(super) fn finest_spacing(&self) -> f64 {
        let bodies = self.scene.tables["body"].iter();
        let spacings = bodies.filter_map(|body| body.optional_number("spacing"));
        spacings.fold(f64::INFINITY, f64::min)
    }

    /// A setup with what moves its rigid bodies, if it has any.
    pub(super) fn with_engine(&mut self, setup: Setup) -> Setup {
        let joints = self.joints(&setup);
        if RigidSetup::of(&setup).bodies.is_empty() || !self.errors.is_empty() {
            return setup;
        }
        let engine = Engine::new(&setup, joints);
        Setup {
            rigid_engine: Some(Arc::new(engine)),
            ..setup
        }
    }

    fn joints(&mut self, setup: &Setup) -> Vec<Joint> {
        let mut joints = Vec::new();
        let rigid = RigidSetup::of(setup).bodies;
        for (path, values) in self.items("joint") {
            joints.extend(self.joint(&path, values, &rigid));
        }
        joints
    }

    fn joint(&mut self, path: &str, values: &Values, rigid: &[RigidBody]) -> Option<Joint> {
        let body = self.rigid_end(path, values, "body", rigid)?;
        let other = if values.has("to_body") {
            self.rigid_end(path, values, "to_body", rigid)?
        } else if let Some(name) = values.optional_text("to_collider") {
            End::Collider(self.index_of("collider", name)?)
        } else {
            End::World
        };
        let kind = match values.text("kind") {
            "ball" => JointKind::Ball,
            "hinge" => JointKind::Hinge,
            "slider" => JointKind::Slider,
            _ => JointKind::Fixed,
        };
        let Some(axis) = direction(DVec3::from_array(values.vector3("axis"))) else {
            let message = "this axis has no direction";
            let remedy = "give a vector that is not zero, such as [0, 0, 1]";
            self.fail(&address_text(path, "axis"), message, remedy);
            return None;
        };
        // Angles are degrees in scenes, and radians from here on.
        let unit = match kind {
            JointKind::Hinge => 1f64.to_radians(),
            _ => 1.0,
        };
        let limits = match values.get("limits") {
            Some(_) => Some(self.limits(path, values)?.map(|limit| limit * unit)),
            None => None,
        };
        Some(Joint {
            name: values.text("name").into(),
            // Angles and ways are those of the second end as seen from the first.
            ends: [other, body],
            anchor: DVec3::from_array(values.vector3("position")),
            axis,
            kind,
            limits,
            motor: values.table("motor").map(|motor| Motor {
                position: motor.number("position") * unit,
                velocity: motor.number("velocity") * unit,
                stiffness: motor.number("stiffness"),
                damping: motor.number("damping"),
                max_force: motor.optional_number("max_force").unwrap_or(f64::INFINITY),
            }),
            collides: values.flag("collide"),
        })
    }

    /// Limits in order, or `None` after an error was collected.
    fn limits(&mut self, path: &str, values: &Values) -> Option<[f64; 2]> {
        let limits = values.numbers("limits");
        let [low, high] = [limits[0], limits[1]];
        if low > high {
            let message = format!("the least value {low:?} is above the greatest, {high:?}");
            let remedy = "write limits = [least, greatest]";
            self.fail(&address_text(path, "limits"), message, remedy);
            return None;
        }
        Some([low, high])
    }

    /// The rigid body that a key of a joint names, or `None` after an error was collected.
    fn rigid_end(
        &mut self,
        path: &str,
        values: &Values,
        key: &str,
        rigid: &[RigidBody],
    ) -> Option<End> {
        let index = self.index_of("body", values.text(key))?;
        let Some(number) = rigid.iter().position(|body| body.body == index) else {
            let message = "this body is not rigid";
            let remedy = "name a body whose material has the law `rigid`; other bodies are held by [[attach]]";
            self.fail(&address_text(path, key), message, remedy);
            return None;
        };
        Some(End::Body(number as u32))
    }
}
