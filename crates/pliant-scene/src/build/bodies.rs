//! Bodies and the particles they start with.

use std::ops::RangeInclusive;
use std::sync::Arc;

use pliant_core::boundaries::Collider;
use pliant_core::world::{Body, BodyGrain, InitialParticles, Look, Material, MethodKind, ShownAs};
use pliant_geometry::{Samples, Shape, ShapeUse};
use pliant_math::{DVec3, Pose};
use pliant_parameters::Values;

use super::memory::count_text;
use super::particles::Filling;
use super::rigid::RigidItem;
use super::shapes::Scaled;
use super::{Builder, color};
use crate::document::address_text;
use crate::methods::{self, BodyItem};
use crate::units::{pose, radians3};

/// Masses of a particle [kg] whose inverses and products stay in the range of single precision.
const PARTICLE_MASSES: RangeInclusive<f64> = 1e-30..=1e30;

impl Builder<'_> {
    /// The bodies, without those that were refused.
    ///
    /// * `rigid` — those of `rigid`
    pub(super) fn bodies(
        &mut self,
        materials: &[Material],
        colliders: &[Collider],
        rigid: Vec<RigidItem>,
    ) -> Vec<Body> {
        let mut bodies = Vec::new();
        let mut count = 0.0;
        let mut rigid = rigid.into_iter().peekable();
        for (item, (path, values)) in self.items("body").into_iter().enumerate() {
            let material = values.text("material");
            let Some(index) = materials.iter().position(|m| m.name == material) else {
                continue;
            };
            let law = &materials[index].law;
            let Some(scene_method) = methods::method(values.text("method")) else {
                continue;
            };
            let method = (scene_method.kind)(law);
            if values.has("render_mesh") && !method.carries_surfaces() {
                let message = "only bodies that remember their shape at rest carry a surface, as those of `strain-energy`, `shape-groups` and `muscle` do";
                let remedy = "leave it out, or take a law such as `neo-hookean`";
                self.fail(&address_text(&path, "render_mesh"), message, remedy);
            }
            self.check_surface_spacing(&path, values);
            let of_item = rigid.next_if(|body| body.item == item);
            if method.is_rigid() {
                let rigid = of_item.map(|body| (body.size, body.particles));
                bodies.extend(rigid.map(|of_rigid| body(values, index, method, of_rigid)));
                count += 1.0;
                continue;
            }
            let material = &materials[index];
            let spacing = values.number("spacing");
            let position = DVec3::from_array(values.vector3("position"));
            if !self.is_near(&path, values, spacing, [position]) {
                continue;
            }
            self.with.meshes.report_progress(&format!("making {path}"));
            let item = BodyItem {
                path: &path,
                values,
                material,
                colliders,
                before: count,
            };
            let Some(particles) = (scene_method.particles)(self, item) else {
                continue;
            };
            count += particles.position.len() as f64;
            let places = particles.position.iter().copied();
            if !self.is_near(&path, values, spacing, places) {
                continue;
            }
            bodies.push(body(values, index, method, (spacing, particles)));
        }
        bodies
    }

    /// The particles of a body beside `before` others, or `None` after an error was collected.
    pub(crate) fn particles(
        &mut self,
        path: &str,
        values: &Values,
        density: f64,
        colliders: &[Collider],
        before: f64,
    ) -> Option<InitialParticles> {
        let spacing = values.number("spacing");
        if !values.has("shape") {
            let volume = spacing * spacing * spacing;
            return Some(InitialParticles {
                particle_mass: density * volume,
                particle_volume: volume,
                ..InitialParticles::default()
            });
        }
        let Filled {
            mut starts,
            volume,
            shape,
        } = self.filled(path, values, before)?;
        let render_mesh = self.render_mesh(path, values, &shape);
        let particle_volume = volume / starts.len() as f64;
        self.clear_obstacles(path, colliders, spacing, &mut starts);
        if starts.is_empty() {
            let message = "all particles of this body lie inside colliders";
            self.fail(path, message, "move the body or the colliders");
            return None;
        }
        // A mass that was asked for is the mass of what is left; a density stays a density.
        let particle_mass = match values.optional_number("mass") {
            Some(mass) => mass / starts.len() as f64,
            None => density * particle_volume,
        };
        self.check_particle_mass(path, particle_mass)?;
        let position: Vec<DVec3> = starts.iter().map(|s| s.position).collect();
        Some(InitialParticles {
            velocity: velocities(values, &starts),
            is_pinned: self.pinned(values.text("name"), spacing, &position),
            position,
            particle_mass,
            particle_volume,
            render_mesh,
            ..InitialParticles::default()
        })
    }

    /// Refuses a particle's mass [kg] that single precision does not hold.
    pub(super) fn check_particle_mass(&mut self, path: &str, mass: f64) -> Option<()> {
        if PARTICLE_MASSES.contains(&mass) {
            return Some(());
        }
        let message = format!("a particle of this body has a mass of {mass:.1e} kg");
        let remedy = "single precision wants 1e-30 to 1e30 kg; change `mass`, the material's density or the spacing";
        self.fail(path, message, remedy);
        None
    }

    /// Fills a body's shape with particles, at least one.
    fn filled(&mut self, path: &str, values: &Values, before: f64) -> Option<Filled> {
        let filling = Filling::of_body(values);
        let spacing = filling.spacing;
        let shape = self.body_shape(path, values)?;
        let volume = shape.volume()?;
        let spacing_path = address_text(path, "spacing");
        if !self.has_memory(&spacing_path, shape.as_ref(), spacing, before) {
            return None;
        }
        let count = volume / (spacing * spacing * spacing);
        let doing = format!("filling {path} with about {} particles", count_text(count));
        self.with.meshes.report_progress(&doing);
        let pose = pose(values);
        let samples = match shape.samples() {
            Some(samples) => samples,
            None => Samples {
                position: self.fill(shape.as_ref(), filling, path),
                ..Samples::default()
            },
        };
        if samples.position.is_empty() {
            let message = format!("no particle of spacing {spacing:?} m fits inside the body");
            self.fail(&spacing_path, message, fitting_remedy(volume));
            return None;
        }
        if !samples.ignored.is_empty() {
            let names = samples.ignored.join(", ");
            let message =
                format!("of its file only positions and velocities are read, not {names}");
            self.warn(&address_text(path, "shape"), message);
        }
        Some(Filled {
            starts: starts(&samples, pose),
            volume,
            shape,
        })
    }

    /// What a body fills, or `None` after an error was collected.
    fn body_shape(&mut self, path: &str, values: &Values) -> Option<Arc<dyn Shape>> {
        let factor = values.number("scale");
        let use_as = ShapeUse {
            is_filled: true,
            is_shell: false,
            is_cloth: false,
            spacing: values.number("spacing") / factor,
        };
        let shape = self.shape(path, values, use_as)?;
        if shape.volume().is_none() || shape.bounds().is_none() {
            let message = "this shape has no end and cannot be filled with particles";
            let shape_path = address_text(path, "shape");
            self.fail(&shape_path, message, "take a shape that encloses a volume");
            return None;
        }
        Some(self.scaled(shape, values))
    }

    /// A shape with the factor of its body's table on its size.
    pub(super) fn scaled(&self, shape: Arc<dyn Shape>, values: &Values) -> Arc<dyn Shape> {
        let factor = values.number("scale");
        if factor == 1.0 {
            return shape;
        }
        Arc::new(Scaled { shape, factor })
    }
}

/// A body of particles with a spacing [m].
pub(super) fn body(
    values: &Values,
    material: usize,
    method: &'static dyn MethodKind,
    (spacing, particles): (f64, InitialParticles),
) -> Body {
    Body {
        name: values.text("name").into(),
        material: material as u32,
        method,
        spacing,
        support_radius: values.number("support_radius") * spacing,
        friction: values.number("friction"),
        grain: grain(values),
        shares_neighbors: values.flag("share_neighbors"),
        meets_itself: values.flag("self_contact"),
        color: color(values.text("color")),
        look: look(values),
        particles,
    }
}

fn look(values: &Values) -> Look {
    Look {
        shown_as: match values.text("shown_as") {
            "surface" => ShownAs::Surface,
            _ => ShownAs::Particles,
        },
        opacity: values.number("opacity") as f32,
        gloss: values.number("gloss") as f32,
    }
}

/// The axis along which its friction is another.
fn grain(values: &Values) -> Option<BodyGrain> {
    let axis = DVec3::from_array(values.optional_vector3("friction_axis")?);
    Some(BodyGrain {
        axis: axis.try_normalize()?,
        factor: values.number("friction_along"),
    })
}

/// A shape filled with particles.
struct Filled {
    starts: Vec<Start>,
    /// Volume of the shape [m3].
    volume: f64,
    shape: Arc<dyn Shape>,
}

/// Where a particle starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    /// Position in world coordinates [m].
    pub position: DVec3,
    /// Velocity that its shape brings with it [m/s].
    pub velocity: DVec3,
}

fn starts(samples: &Samples, pose: Pose) -> Vec<Start> {
    let velocity = |i: usize| samples.velocity.get(i).copied().unwrap_or_default();
    let positions = samples.position.iter().enumerate();
    positions
        .map(|(i, &position)| Start {
            position: pose.to_world(position),
            velocity: pose.direction_to_world(velocity(i)),
        })
        .collect()
}

/// What the shape brings, translation, and rotation about the centre of mass [m/s].
pub(super) fn velocities(values: &Values, starts: &[Start]) -> Vec<DVec3> {
    let velocity = DVec3::from_array(values.vector3("velocity"));
    let spin = radians3(values.vector3("spin"));
    let sum: DVec3 = starts.iter().map(|s| s.position).sum();
    let center = sum / starts.len() as f64;
    starts
        .iter()
        .map(|s| s.velocity + velocity + spin.cross(s.position - center))
        .collect()
}

fn fitting_remedy(volume: f64) -> String {
    let spacing = 0.5 * libm::cbrt(volume);
    format!("a spacing of at most {spacing:.1e} m gives it a few")
}
