//! Bodies of cloth: a surface whose corners are particles.

use std::sync::Arc;

use pliant_core::rest::{ALTERNATING_DIAGONALS, Fabric};
use pliant_core::world::{InitialParticles, Material};
use pliant_geometry::{Shape, ShapeUse, TriangleMesh, UvMap};
use pliant_math::DVec3;
use pliant_parameters::Values;

use super::Builder;
use super::bodies::{Start, velocities};
use super::uv_map::uv_map;
use crate::document::address_text;
use crate::methods::BodyItem;
use crate::units::pose;

impl Builder<'_> {
    /// The particles of a body of cloth beside `before` others, or `None` after an error was collected.
    pub(crate) fn cloth(&mut self, item: BodyItem<'_>) -> Option<InitialParticles> {
        let BodyItem {
            path,
            values,
            material,
            before,
            ..
        } = item;
        let law = material.law.cloth()?;
        let spacing = values.number("spacing");
        let (mesh, uv_map) = self.surface_of(path, values, before)?;
        let mesh = without_loose_vertices(mesh);
        let is_grid = values.table("shape")?.named_item().0 == "sheet";
        let bending_factor = if is_grid { ALTERNATING_DIAGONALS } else { 1.0 };
        let fabric = Fabric::new(mesh.triangles, mesh.vertices, DVec3::X, bending_factor);
        self.check_triangles(path, &fabric, law.contact_distance(spacing))?;
        let volumes = vertex_volumes(&fabric, law.thickness);
        let corners = (fabric.rest_position.as_slice(), volumes.as_slice());
        let particles = self.corners(path, values, material, corners)?;
        Some(InitialParticles {
            structure: Some(Arc::new(fabric)),
            uv_map,
            ..particles
        })
    }

    /// The particles at the corners of triangles or tetrahedra, without what joins them, or `None` after
    /// an error was collected.
    ///
    /// * `corners` — where they are [m], and the volume of material that each stands for [m3]
    pub(super) fn corners(
        &mut self,
        path: &str,
        values: &Values,
        material: &Material,
        corners: (&[DVec3], &[f64]),
    ) -> Option<InitialParticles> {
        let pose = pose(values);
        let start = |&x: &DVec3| Start {
            position: pose.to_world(x),
            velocity: DVec3::ZERO,
        };
        let (rest_position, volumes) = corners;
        let starts: Vec<Start> = rest_position.iter().map(start).collect();
        let (volume, count): (f64, _) = (volumes.iter().sum(), volumes.len() as f64);
        let mass = values
            .optional_number("mass")
            .unwrap_or(material.density * volume);
        self.check_particle_mass(path, mass / count)?;
        let position: Vec<DVec3> = starts.iter().map(|s| s.position).collect();
        let spacing = values.number("spacing");
        Some(InitialParticles {
            velocity: velocities(values, &starts),
            is_pinned: self.pinned(values.text("name"), spacing, &position),
            position,
            particle_mass: mass / count,
            particle_volume: volume / count,
            share: volumes.iter().map(|v| v * count / volume).collect(),
            ..InitialParticles::default()
        })
    }

    /// The surface of a body of cloth, or of springs, beside `before` particles of others, and what tells its texture
    /// coordinates, if it has some.
    pub(super) fn surface_of(
        &mut self,
        path: &str,
        values: &Values,
        before: f64,
    ) -> Option<(TriangleMesh, Option<Arc<UvMap>>)> {
        if !values.has("shape") {
            let message = "a body of cloth has a shape: no emitter can feed it";
            self.fail(path, message, "give it a `sheet` or a `mesh`");
            return None;
        }
        let shape = self.shape_of_corners(path, values)?;
        // A sheet has as many triangles as its spacing makes: none before there is memory for them.
        let (spacing, spacing_path) = (values.number("spacing"), address_text(path, "spacing"));
        if shape.is_thin() && !self.has_memory(&spacing_path, shape.as_ref(), spacing, before) {
            return None;
        }
        let Some(fabric) = shape.fabric() else {
            let shape_path = address_text(path, "shape");
            let message = "cloth is made of a surface, and this shape is none";
            self.fail(&shape_path, message, "take a `sheet` or a `mesh`");
            return None;
        };
        Some((fabric, uv_map(shape.as_ref(), pose(values))))
    }

    /// The shape of a body whose particles are corners of its triangles or tetrahedra.
    pub(super) fn shape_of_corners(
        &mut self,
        path: &str,
        values: &Values,
    ) -> Option<Arc<dyn Shape>> {
        let use_as = ShapeUse {
            is_filled: false,
            is_shell: false,
            is_cloth: true,
            spacing: values.number("spacing") / values.number("scale"),
        };
        let shape = self.shape(path, values, use_as)?;
        Some(self.scaled(shape, values))
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

/// Volume of material [m3] that each vertex of a surface stands for.
pub(super) fn vertex_volumes(fabric: &Fabric, thickness: f64) -> Vec<f64> {
    let areas = fabric.vertex_areas();
    areas.into_iter().map(|area| area * thickness).collect()
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
