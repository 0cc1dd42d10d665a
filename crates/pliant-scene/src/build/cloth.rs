//! Bodies of cloth: a surface whose corners are particles.

use std::sync::Arc;

use pliant_core::world::{ALTERNATING_DIAGONALS, Fabric, InitialParticles, Material};
use pliant_geometry::{ShapeUse, TriangleMesh};
use pliant_math::DVec3;
use pliant_parameters::Values;

use super::Builder;
use super::bodies::{Start, velocities};
use crate::document::address_text;
use crate::units::pose;

impl Builder<'_> {
    /// The particles of a body of cloth beside `before` others, or `None` after an error was collected.
    pub(super) fn cloth(
        &mut self,
        path: &str,
        values: &Values,
        material: &Material,
        before: f64,
    ) -> Option<InitialParticles> {
        let law = material.law.cloth()?;
        let spacing = values.number("spacing");
        let mesh = without_loose_vertices(self.surface_of(path, values, before)?);
        let (rest_position, triangles) = (mesh.vertices, mesh.triangles);
        let is_grid = values.table("shape")?.named_item().0 == "sheet";
        let fabric = Fabric {
            triangles,
            rest_position,
            warp: DVec3::X,
            bending_factor: if is_grid { ALTERNATING_DIAGONALS } else { 1.0 },
        };
        let particles = self.corners(
            path,
            values,
            material,
            &fabric,
            (law.thickness, law.contact_distance(spacing)),
        )?;
        Some(InitialParticles {
            fabric: Some(Arc::new(fabric)),
            ..particles
        })
    }

    /// The particles at the corners of a surface, without what joins them, or `None` after an error was
    /// collected.
    ///
    /// * thickness and least distance of what touches [m]
    pub(super) fn corners(
        &mut self,
        path: &str,
        values: &Values,
        material: &Material,
        fabric: &Fabric,
        (thickness, contact_distance): (f64, f64),
    ) -> Option<InitialParticles> {
        let pose = pose(values);
        let start = |&x: &DVec3| Start {
            position: pose.to_world(x),
            velocity: DVec3::ZERO,
        };
        let starts: Vec<Start> = fabric.rest_position.iter().map(start).collect();
        self.check_triangles(path, fabric, contact_distance)?;
        let areas = fabric.vertex_areas();
        let (area, count): (f64, _) = (areas.iter().sum(), areas.len() as f64);
        let mass = values
            .optional_number("mass")
            .unwrap_or(material.density * thickness * area);
        self.check_particle_mass(path, mass / count)?;
        let position: Vec<DVec3> = starts.iter().map(|s| s.position).collect();
        let spacing = values.number("spacing");
        Some(InitialParticles {
            velocity: velocities(values, &starts),
            is_pinned: self.pinned(values.text("name"), spacing, &position),
            position,
            particle_mass: mass / count,
            particle_volume: thickness * area / count,
            share: areas.iter().map(|a| a * count / area).collect(),
            ..InitialParticles::default()
        })
    }

    /// The surface of a body of cloth, or of springs, beside `before` particles of others.
    pub(super) fn surface_of(
        &mut self,
        path: &str,
        values: &Values,
        before: f64,
    ) -> Option<TriangleMesh> {
        if !values.has("shape") {
            let message = "a body of cloth has a shape: no emitter can feed it";
            self.fail(path, message, "give it a `sheet` or a `mesh`");
            return None;
        }
        let use_as = ShapeUse {
            is_filled: false,
            is_shell: false,
            is_cloth: true,
            spacing: values.number("spacing") / values.number("scale"),
        };
        let shape = self.shape(path, values, use_as)?;
        let shape = self.scaled(shape, values);
        // A sheet has as many triangles as its spacing makes: none before there is memory for them.
        let (spacing, spacing_path) = (values.number("spacing"), address_text(path, "spacing"));
        if shape.is_thin() && !self.has_memory(&spacing_path, shape.as_ref(), spacing, before) {
            return None;
        }
        let fabric = shape.fabric();
        if fabric.is_none() {
            let shape_path = address_text(path, "shape");
            let message = "cloth is made of a surface, and this shape is none";
            self.fail(&shape_path, message, "take a `sheet` or a `mesh`");
        }
        fabric
    }

    /// Refuses triangles that are too thin for the distance [m] that surfaces keep: they would push
    /// their own neighbours away.
    pub(super) fn check_triangles(
        &mut self,
        path: &str,
        fabric: &Fabric,
        distance: f64,
    ) -> Option<()> {
        let heights = (0..fabric.triangles.len()).map(|t| fabric.least_height(t));
        let least = heights.fold(f64::INFINITY, f64::min);
        if least > distance {
            return Some(());
        }
        let message = format!(
            "the narrowest triangle of this surface is {least:.1e} m high, and its surfaces keep {distance:.1e} m apart"
        );
        let remedy = match least > 1e-6 {
            true => format!(
                "give its material a contact_thickness of less than {least:.1e} m, or take wider triangles"
            ),
            false => "take a mesh without such triangles".into(),
        };
        self.fail(&address_text(path, "shape"), message, remedy);
        None
    }
}

/// The mesh without vertices that no triangle has.
pub(super) fn without_loose_vertices(mesh: TriangleMesh) -> TriangleMesh {
    let mut number = vec![None; mesh.vertices.len()];
    let mut kept = TriangleMesh::default();
    for triangle in &mesh.triangles {
        let corners = triangle.map(|old| {
            *number[old as usize].get_or_insert_with(|| {
                kept.vertices.push(mesh.vertices[old as usize]);
                kept.vertices.len() as u32 - 1
            })
        });
        kept.triangles.push(corners);
    }
    kept
}
