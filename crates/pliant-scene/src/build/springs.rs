//! Bodies of springs: sheets, meshes and tetrahedra, whose corners are particles, and lattices that fill
//! a shape.

use std::sync::Arc;

use pliant_core::boundaries::Collider;
use pliant_core::methods::springs::Network;
use pliant_core::rest::Fabric;
use pliant_core::world::{InitialParticles, Material};
use pliant_materials::{SpringLaw, Springs};
use pliant_math::DVec3;
use pliant_parameters::Values;

use super::Builder;
use super::cloth::{vertex_volumes, without_loose_vertices};
use crate::document::address_text;
use crate::methods::BodyItem;

impl Builder<'_> {
    /// The particles of a body of springs beside `before` others, or `None` after an error was collected.
    pub(crate) fn springs(&mut self, item: BodyItem<'_>) -> Option<InitialParticles> {
        let BodyItem {
            path,
            values,
            material,
            colliders,
            before,
        } = item;
        let law = *material.law.springs()?;
        let shape = values.table("shape").map(|shape| shape.named_item().0);
        match shape {
            None => {
                let message = "a body of `springs` has a shape: no emitter can feed it";
                self.fail(path, message, "give it a shape");
                None
            }
            Some("sheet" | "mesh") => self.surface_of_springs(path, values, material, &law, before),
            Some(name) => {
                if matches!(law.law, SpringLaw::Triangles(_)) {
                    let message =
                        format!("`triangle-stvk` is made of triangles, and `{name}` makes a solid");
                    let remedy = "take a `sheet` or a `mesh`, or a law of springs";
                    self.fail(&address_text(path, "shape"), message, remedy);
                    return None;
                }
                match name {
                    "tetrahedra" => self.tetrahedra_of_springs(path, values, material, &law),
                    _ => self.lattice(path, values, material, colliders, before),
                }
            }
        }
    }

    fn lattice(
        &mut self,
        path: &str,
        values: &Values,
        material: &Material,
        colliders: &[Collider],
        before: f64,
    ) -> Option<InitialParticles> {
        let particles = self.particles(path, values, material.density, colliders, before)?;
        let network = Network::lattice(particles.position.clone(), values.number("spacing"));
        if network.springs.is_empty() {
            let message = "no two particles of this body are neighbours, so no spring joins any";
            let remedy = "take a smaller spacing, or `sampling = \"grid\"`";
            self.fail(&address_text(path, "spacing"), message, remedy);
            return None;
        }
        Some(InitialParticles {
            structure: Some(Arc::new(network)),
            ..particles
        })
    }

    fn tetrahedra_of_springs(
        &mut self,
        path: &str,
        values: &Values,
        material: &Material,
        law: &Springs,
    ) -> Option<InitialParticles> {
        let shape = self.shape_of_corners(path, values)?;
        let mesh = shape.tetrahedra()?;
        let spacing = values.number("spacing");
        let surface = mesh.surface();
        let fabric = Fabric::new(surface.triangles, surface.vertices, DVec3::X, 1.0);
        self.check_triangles(path, &fabric, law.contact_distance(spacing))?;
        let volumes = mesh.vertex_volumes();
        let particles = self.corners(path, values, material, (mesh.vertices(), &volumes))?;
        Some(InitialParticles {
            structure: Some(Arc::new(Network::tetrahedra(&mesh))),
            ..particles
        })
    }

    fn surface_of_springs(
        &mut self,
        path: &str,
        values: &Values,
        material: &Material,
        law: &Springs,
        before: f64,
    ) -> Option<InitialParticles> {
        let spacing = values.number("spacing");
        let (mesh, uv_map) = self.surface_of(path, values, before)?;
        let is_grid = values.table("shape")?.named_item().0 == "sheet";
        // A sheet has none, and its order is that of a grid.
        let mesh = if is_grid {
            mesh
        } else {
            without_loose_vertices(mesh)
        };
        let fabric = Fabric::new(mesh.triangles, mesh.vertices, DVec3::X, 1.0);
        self.check_triangles(path, &fabric, law.contact_distance(spacing))?;
        let volumes = vertex_volumes(&fabric, law.thickness);
        let corners = (fabric.rest_position.as_slice(), volumes.as_slice());
        let particles = self.corners(path, values, material, corners)?;
        let network = match is_grid {
            true => {
                let row = row_length(&fabric.rest_position);
                let rows = fabric.rest_position.len() / row;
                Network::grid([row, rows], fabric.rest_position, fabric.triangles)
            }
            false => Network::mesh(fabric.rest_position, fabric.triangles),
        };
        Some(InitialParticles {
            structure: Some(Arc::new(network)),
            uv_map,
            ..particles
        })
    }
}

/// Particles of a grid along x, whose rows follow each other along z.
fn row_length(position: &[DVec3]) -> usize {
    let in_row = |x: &&DVec3| x.z == position[0].z;
    position.iter().take_while(in_row).count()
}
