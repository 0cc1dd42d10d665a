//! The surfaces of all bodies that carry one, from moment to moment.

use std::sync::Arc;

use pliant_embedding::{Carrier, CutBond, EmbeddedMesh, GONE, RenderMesh};
use pliant_geometry::TriangleUv;
use pliant_math::to_double;

use super::frame::{FrameColumns, Quantity};
use super::pieces::Pieces;
use crate::method::Readings;
use crate::rest::{CutPoint, SurfaceCarrier};
use crate::world::World;

/// Surfaces bound to bodies, kept while nothing is cut and nothing leaves.
#[derive(Clone, Debug, Default)]
pub(crate) struct EmbeddedMeshes {
    /// What they were made for: bonds that held no longer, and particles of the bodies that carry one, of
    /// which none are ever added.
    made_for: (usize, usize),
    /// Bodies and their surfaces.
    embedded_meshes: Vec<(SurfaceCarrier, Arc<EmbeddedMesh>)>,
}

impl EmbeddedMeshes {
    /// Makes the surfaces of a world, if they are not made yet.
    ///
    /// * `ids` — of all particles, increasing
    /// * `pieces` — of them
    pub fn update(&mut self, world: &World, ids: &[u32], pieces: &Pieces) {
        let setup = &world.setup;
        let render_mesh = |body: u32| setup.bodies[body as usize].particles.render_mesh.as_ref();
        if (0..setup.bodies.len() as u32).all(|body| render_mesh(body).is_none()) {
            return;
        }
        let methods = setup.methods();
        let carriers = methods.iter().flat_map(|m| m.surface_carriers(setup));
        let carrying: Vec<(SurfaceCarrier, &Arc<RenderMesh>)> = carriers
            .filter_map(|body| render_mesh(body.body).map(|mesh| (body, mesh)))
            .collect();
        let seams = methods.iter().flat_map(|m| m.cut_points(&world.state));
        let below = |id: u32| ids.partition_point(|&other| other < id);
        let present = |body: &SurfaceCarrier| below(body.ids().end) - below(body.ids().start);
        let particles = carrying.iter().map(|(body, _)| present(body)).sum();
        let made_for = (seams.clone().count(), particles);
        if made_for == self.made_for {
            return;
        }
        self.made_for = made_for;
        self.embedded_meshes.clear();
        for (body, render) in carrying {
            let of_particle = |k: u32| match ids.binary_search(&(body.first_id + k)) {
                Ok(place) => pieces.first[place],
                Err(_) => GONE,
            };
            let piece: Vec<u32> = (0..body.shape.len() as u32).map(of_particle).collect();
            let of_body = |seam: &&CutPoint| body.ids().contains(&seam.ends[0]);
            let bond = |seam: &CutPoint| CutBond {
                ends: seam.ends.map(|id| id - body.first_id),
                at: seam.at,
            };
            let cut_bonds: Vec<CutBond> = seams.clone().filter(of_body).map(bond).collect();
            if piece.iter().any(|&piece| piece != GONE) {
                let embedded_mesh = EmbeddedMesh::new(render, &body, &piece, &cut_bonds);
                self.embedded_meshes.push((body, Arc::new(embedded_mesh)));
            }
        }
    }

    /// The surfaces as they are now.
    ///
    /// * `order` — places of all particles in order of their ids
    /// * `particles` — the frame of the particles
    pub fn surface(
        &self,
        world: &World,
        readings: &Readings,
        order: &[u32],
        particles: &FrameColumns,
    ) -> FrameColumns {
        let mut surface = FrameColumns {
            quantities: particles.quantities.iter().map(empty).collect(),
            ..FrameColumns::default()
        };
        if self.embedded_meshes.is_empty() {
            return surface;
        }
        for (body, embedded_mesh) in &self.embedded_meshes {
            add(
                &mut surface,
                embedded_mesh,
                body,
                world,
                readings,
                order,
                particles,
            );
        }
        surface
    }
}

fn empty(quantity: &Quantity) -> Quantity {
    Quantity {
        values: Vec::new(),
        ..quantity.clone()
    }
}

fn add(
    surface: &mut FrameColumns,
    embedded_mesh: &EmbeddedMesh,
    body: &SurfaceCarrier,
    world: &World,
    readings: &Readings,
    order: &[u32],
    particles: &FrameColumns,
) {
    let state = &world.state.particles;
    let row = |k: u32| particles.id.binary_search(&(body.first_id + k)).ok();
    let carrier = |k: u32| {
        let place = order[row(k)?] as usize;
        Some(Carrier {
            position: state.position[place],
            velocity: to_double(state.velocity[place]),
            deformation_gradient: readings.deformation_gradient[place],
        })
    };
    let carriers: Vec<Option<Carrier>> = (0..body.shape.len() as u32).map(carrier).collect();
    let first = surface.position.len() as u32;
    for vertex in embedded_mesh.carried(&body.shape.position, &carriers) {
        // A surface is made anew when particles leave: those that carry it are there.
        let row = row(vertex.nearest).unwrap_or_default();
        surface.id.push(surface.position.len() as u32);
        surface.position.push(vertex.position);
        let velocity = vertex.velocity.to_array().map(|c| c as f32);
        surface.velocity.push(velocity);
        surface.body.push(body.body);
        surface.material.push(particles.material[row]);
        surface.radius.push(particles.radius[row]);
        for (own, of) in surface.quantities.iter_mut().zip(&particles.quantities) {
            own.values.push(of.values[row]);
        }
    }
    // Bodies before may have had no texture coordinates, or those that follow.
    if !(embedded_mesh.uv.is_empty() && surface.uv.is_empty()) {
        let before = surface.triangles.len();
        surface.uv.resize(before, TriangleUv::default());
        surface.uv.extend_from_slice(&embedded_mesh.uv);
        let after = before + embedded_mesh.triangles.len();
        surface.uv.resize(after, TriangleUv::default());
    }
    surface.inside.extend_from_slice(&embedded_mesh.inside);
    let triangles = embedded_mesh.triangles.iter();
    surface
        .triangles
        .extend(triangles.map(|t| t.map(|corner| first + corner)));
}
