//! Everything of the setup that is not a particle: materials, solver, bounds.

use pliant_core::boundaries::Collider;
use pliant_core::world::{
    Body, Bounds, Emitter, Material, OnExit, Ordering, Setup, SolverSettings,
};
use pliant_materials::Law;
use pliant_math::DVec3;
use pliant_parameters::Values;

use super::Builder;
use crate::methods::settings::method_settings;

impl Builder<'_> {
    /// The materials, without those whose law was refused.
    pub(super) fn materials(&mut self) -> Vec<Material> {
        let mut materials = Vec::new();
        for (path, values) in self.items("material") {
            let Some(law) = Law::build(values.text("law"), values) else {
                continue;
            };
            match law {
                Ok(law) => materials.push(Material {
                    name: values.text("name").into(),
                    density: values.number("density"),
                    youngs_modulus: values.optional_number("youngs_modulus").unwrap_or(0.0),
                    law,
                }),
                Err(problem) => self.fail_with(&path, problem),
            }
        }
        materials
    }

    /// The setup, still without forces, attachments and blades.
    pub(super) fn settings(
        &self,
        materials: Vec<Material>,
        bodies: Vec<Body>,
        colliders: Vec<Collider>,
        emitters: Vec<Emitter>,
    ) -> Setup {
        let scene = self.scene.one("scene");
        let particle_limit = self.particle_limit();
        Setup {
            gravity: DVec3::from_array(scene.vector3("gravity")),
            frame_rate: scene.number("frame_rate"),
            seed: scene.integer("seed") as u64,
            particle_limit,
            bounds: scene.table("bounds").map(bounds),
            solver: solver(self.scene.one("solver")),
            colliders,
            emitters,
            ..Setup::new(materials, bodies)
        }
    }
}

fn bounds(values: &Values) -> Bounds {
    Bounds {
        min: DVec3::from_array(values.vector3("min")),
        max: DVec3::from_array(values.vector3("max")),
        on_exit: match values.text("on_exit") {
            "stop" => OnExit::Stop,
            _ => OnExit::Remove,
        },
    }
}

fn solver(values: &Values) -> SolverSettings {
    SolverSettings {
        time_step: values.optional_number("time_step"),
        iterations: values.integer("iterations") as u32,
        ordering: match values.text("ordering") {
            "jacobi" => Ordering::Jacobi,
            _ => Ordering::GaussSeidel,
        },
        xsph_rate: values.number("xsph_rate"),
        damping: values.number("damping"),
        push_out_speed: values.optional_number("push_out_speed"),
        stop_when_still: values.number("stop_when_still"),
        allow_unresolved: values.flag("allow_unresolved"),
        methods: method_settings(values),
    }
}
