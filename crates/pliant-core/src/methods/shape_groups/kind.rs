//! The method as the bodies of a world name it.

use std::sync::Arc;

use pliant_math::{DMat3, Real, SymMat3};

use super::longest_step::{longest_step, resolved_step};
use super::projection::Constraint;
use super::{GroupBody, ParticleGroups, ShapeGroups, ShapeGroupsColumns, ShapeGroupsSetup, read};
use crate::method::{
    DrawnAs, LongestStep, Method, MethodState, MethodStates, Readings, ResolvedStep, StretchOf,
    Tensors, TensorsOf, principal_stretches,
};
use crate::rest::SurfaceCarrier;
use crate::world::{Body, MethodKind, Setup, World};

/// Groups of particles.
#[derive(Debug)]
pub(super) struct Kind;

impl MethodKind for Kind {
    fn name(&self) -> &'static str {
        "shape-groups"
    }

    fn solver(&self, setup: &Setup) -> Option<Box<dyn Method>> {
        Some(Box::new(ShapeGroups::new(ShapeGroupsSetup::of(setup))))
    }

    fn initial_state(&self, setup: &Setup) -> Option<Box<dyn MethodState>> {
        let setup = ShapeGroupsSetup::of(setup);
        let whole = || ShapeGroupsColumns::whole(setup.group_count());
        setup
            .can_tear()
            .then(|| Box::new(whole()) as Box<dyn MethodState>)
    }

    fn check_state(&self, setup: &Setup, states: &MethodStates) -> Result<(), String> {
        let setup = ShapeGroupsSetup::of(setup);
        match setup.can_tear() {
            true => states.of::<ShapeGroupsColumns>().check(&setup),
            false => Ok(()),
        }
    }

    /// Surfaces are where the particles are, but for half of the distance that they keep; what has none is met as
    /// balls.
    fn contact_radius(&self, _: &Setup, body: &Body) -> f64 {
        let Some(groups) = groups_of(body) else {
            return 0.5 * body.spacing;
        };
        let by_triangles = groups.surface_radius(body.spacing);
        by_triangles.unwrap_or_else(|| 0.5 * groups.spacing(body.spacing))
    }

    fn drawn_as(&self, body: &Body) -> DrawnAs {
        let has_triangles = groups_of(body).is_some_and(|groups| !groups.triangles.is_empty());
        match has_triangles && body.particles.render_mesh.is_none() {
            true => DrawnAs::Triangles,
            false => DrawnAs::Particles,
        }
    }

    fn longest_step(&self, setup: &Setup, body: u32) -> LongestStep {
        let particles = &setup.bodies[body as usize].particles;
        GroupBody::only(setup, body).map_or(LongestStep::UNBOUND, |body| {
            longest_step(&body, particles, setup.solver.iterations)
        })
    }

    fn crossing_time(&self, setup: &Setup, body: u32) -> f64 {
        GroupBody::only(setup, body)
            .filter(|body| body.tear_strain().is_none())
            .map_or(f64::INFINITY, |body| 1.0 / body.crossing(1.0))
    }

    fn remarks(&self, setup: &Setup, dt: f64) -> Vec<String> {
        let groups = ShapeGroupsSetup::of(setup);
        let remark = |body: &GroupBody| {
            let name = &setup.bodies[body.body as usize].name;
            let (count, crossing) = (body.groups.len(), body.crossing(dt));
            let how = match body.constraint(groups.settings.solve, (dt, setup.solver.iterations)) {
                Constraint::Block(_) => "both constraints of the energy together",
                Constraint::Sequential(_) => {
                    "the two constraints of the energy one after the other"
                }
                Constraint::Energy => "one constraint for the energy",
                Constraint::Stress => "the stress of each",
            };
            format!(
                "body {name}: {count} groups, {how}; a wave crosses {crossing:.2} spacings in a substep"
            )
        };
        groups.bodies.iter().map(remark).collect()
    }

    fn resolved_step(&self, setup: &Setup, body: u32) -> Option<ResolvedStep> {
        GroupBody::only(setup, body).map(|body| ResolvedStep {
            seconds: resolved_step(&body),
            counts_sweeps: false,
        })
    }

    fn read(&self, world: &World, readings: &mut Readings) {
        let setup = ShapeGroupsSetup::of(&world.setup);
        read(&setup, &world.state, |place, group| {
            let reading = &mut readings.of_place[place];
            reading.volume_ratio = group.volume_ratio;
            reading.von_mises = group.von_mises;
            reading.energy = group.energy;
            if let Some(gradient) = readings.deformation_gradient.get_mut(place) {
                *gradient = group.deformation_gradient;
            }
        });
    }

    fn read_energies(&self, world: &World, energies: &mut [f64]) {
        let setup = ShapeGroupsSetup::of(&world.setup);
        read(&setup, &world.state, |place, group| {
            energies[place] = group.energy;
        });
    }

    fn stretch_of(&self) -> Option<StretchOf> {
        Some(StretchOf::Material)
    }

    fn read_stretches(&self, world: &World, put: &mut dyn FnMut(usize, [f64; 3])) {
        let setup = ShapeGroupsSetup::of(&world.setup);
        read(&setup, &world.state, |place, group| {
            put(place, stretches_of(group.deformation_gradient));
        });
    }

    fn tensors_of(&self) -> Option<TensorsOf> {
        Some(TensorsOf::Shape)
    }

    fn read_tensors(&self, world: &World, put: &mut dyn FnMut(usize, Tensors)) {
        let setup = ShapeGroupsSetup::of(&world.setup);
        read(&setup, &world.state, |place, group| {
            put(place, group.tensors())
        });
    }

    fn carries_surfaces(&self) -> bool {
        true
    }

    fn surface_carriers(&self, setup: &Setup) -> Vec<SurfaceCarrier> {
        let bodies = ShapeGroupsSetup::of(setup).bodies.into_iter();
        let carrier = |body: GroupBody| SurfaceCarrier {
            body: body.body,
            first_id: body.first_id,
            shape: Arc::clone(body.rest_shape()),
            spacing: body.spacing,
        };
        let carries = |body: &GroupBody| {
            let particles = &setup.bodies[body.body as usize].particles;
            particles.render_mesh.is_some()
        };
        bodies.filter(carries).map(carrier).collect()
    }

    fn links(&self, world: &World, ids: &[u32]) -> Vec<[u32; 2]> {
        let place = |id: u32| ids.binary_search(&id).ok().map(|place| place as u32);
        let setup = ShapeGroupsSetup::of(&world.setup);
        let torn = setup.torn(&world.state.methods);
        let mut links = Vec::new();
        for body in &setup.bodies {
            let of_body = body.groups.links(body.torn_of(torn));
            links.extend(of_body.filter_map(|pair| {
                let [a, b] = pair.map(|particle| place(body.first_id + particle));
                Some([a?, b?])
            }));
        }
        links
    }

    fn triangles(&self, world: &World, ids: &[u32]) -> Vec<[u32; 3]> {
        let place = |id: u32| ids.binary_search(&id).ok().map(|place| place as u32);
        let setup = ShapeGroupsSetup::of(&world.setup);
        let torn = setup.torn(&world.state.methods);
        let mut triangles = Vec::new();
        for body in &setup.bodies {
            let of_body = body.surface(torn);
            triangles.extend(of_body.iter().filter_map(|corners| {
                let [a, b, c] = corners.map(|particle| place(body.first_id + particle));
                Some([a?, b?, c?])
            }));
        }
        triangles
    }
}

/// Principal stretches of F, by E = F F^T - I.
pub(super) fn stretches_of(f: DMat3) -> [f64; 3] {
    let m = f * f.transpose() - DMat3::IDENTITY;
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let [xx, yy, zz, xy, xz, yz] = [x.x, y.y, z.z, x.y, x.z, y.z].map(|c| c as Real);
    principal_stretches(SymMat3::new(xx, yy, zz, xy, xz, yz))
}

/// The groups of a body.
fn groups_of(body: &Body) -> Option<Arc<ParticleGroups>> {
    body.particles.structure_of()
}
