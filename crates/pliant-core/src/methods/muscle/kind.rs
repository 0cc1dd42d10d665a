//! The method as the bodies of a world name it.

use pliant_math::{DMat3, Real, SymMat3};

use super::drive::activate;
use super::longest_step::{crossing_time, longest_explicit, step_choice};
use super::{
    FleshReading, Integration, MuscleColumns, MuscleMethod, MuscleSetup, read, read_muscles,
};
use crate::method::{
    LongestStep, Method, MethodState, MethodStates, MuscleReading, Readings, ResolvedStep,
    StretchOf, Tensors, TensorsOf, principal_stretches,
};
use crate::particles::IdMap;
use crate::rest::SurfaceCarrier;
use crate::world::{MethodKind, Setup, State, World};

/// Flesh and muscle.
#[derive(Debug)]
pub(super) struct Kind;

impl MethodKind for Kind {
    fn name(&self) -> &'static str {
        "muscle"
    }

    fn solver(&self, setup: &Setup) -> Option<Box<dyn Method>> {
        Some(Box::new(MuscleMethod::new(MuscleSetup::of(setup))))
    }

    fn initial_state(&self, setup: &Setup) -> Option<Box<dyn MethodState>> {
        let setup = MuscleSetup::of(setup);
        Some(Box::new(MuscleColumns::at_rest(&setup)))
    }

    fn check_state(&self, setup: &Setup, states: &MethodStates) -> Result<(), String> {
        let columns: &MuscleColumns = states.of();
        columns.check(&MuscleSetup::of(setup))
    }

    fn longest_step(&self, setup: &Setup, body: u32) -> LongestStep {
        let setup = MuscleSetup::of(setup);
        let Some(body) = setup.body(body) else {
            return LongestStep::UNBOUND;
        };
        let choice = step_choice(&setup, body);
        LongestStep {
            seconds: choice.seconds,
            reason: match choice.is_implicit {
                true => "implicit: explicit steps, in which waves cross 0.4 spacings, cost more",
                false => "explicit: a wave may cross 0.4 spacings in it",
            },
        }
    }

    fn resolved_step(&self, setup: &Setup, body: u32) -> Option<ResolvedStep> {
        let setup = MuscleSetup::of(setup);
        let is_explicit = setup.settings.integration == Integration::Explicit;
        let body = setup.body(body).filter(|_| is_explicit)?;
        Some(ResolvedStep {
            seconds: longest_explicit(body),
            counts_sweeps: true,
        })
    }

    fn crossing_time(&self, setup: &Setup, body: u32) -> f64 {
        let setup = MuscleSetup::of(setup);
        setup.body(body).map_or(f64::INFINITY, crossing_time)
    }

    fn read(&self, world: &World, readings: &mut Readings) {
        if !self.muscles(&world.setup).is_empty() {
            readings.fibers.resize(readings.of_place.len(), [0.0, 1.0]);
        }
        for_particles(world, |place, flesh| {
            let reading = &mut readings.of_place[place];
            reading.volume_ratio = flesh.volume_ratio();
            reading.von_mises = flesh.von_mises();
            reading.energy = flesh.energy;
            if let Some(gradient) = readings.deformation_gradient.get_mut(place) {
                *gradient = flesh.deformation_gradient;
            }
            if let (Some(fiber), Some(known)) = (flesh.fiber, readings.fibers.get_mut(place)) {
                *known = [fiber.activation, fiber.stretch];
            }
        });
    }

    fn read_energies(&self, world: &World, energies: &mut [f64]) {
        for_particles(world, |place, flesh| energies[place] = flesh.energy);
    }

    fn stretch_of(&self) -> Option<StretchOf> {
        Some(StretchOf::Material)
    }

    fn read_stretches(&self, world: &World, put: &mut dyn FnMut(usize, [f64; 3])) {
        for_particles(world, |place, flesh| {
            put(place, stretches_of(flesh.deformation_gradient));
        });
    }

    fn tensors_of(&self) -> Option<TensorsOf> {
        Some(TensorsOf::Shape)
    }

    fn read_tensors(&self, world: &World, put: &mut dyn FnMut(usize, Tensors)) {
        for_particles(world, |place, flesh| put(place, flesh.tensors()));
    }

    fn muscles(&self, setup: &Setup) -> Vec<(u32, String)> {
        let mut muscles = Vec::new();
        for body in MuscleSetup::of(setup).bodies {
            let names = body.flesh.muscles.iter().map(|muscle| muscle.name.clone());
            muscles.extend(names.map(|name| (body.body, name)));
        }
        muscles
    }

    fn read_muscles(&self, world: &World) -> Vec<MuscleReading> {
        let state = &world.state;
        let setup = MuscleSetup::of(&world.setup);
        read_muscles(&setup, &state.particles, state.methods.of())
    }

    fn activate(
        &self,
        setup: &Setup,
        state: &mut State,
        muscle: (u32, &str),
        target: (f64, f64),
    ) -> bool {
        activate(setup, state, muscle, target)
    }

    fn links(&self, world: &World, ids: &[u32]) -> Vec<[u32; 2]> {
        let mut links = Vec::new();
        for body in &MuscleSetup::of(&world.setup).bodies {
            let places = IdMap::within(body.ids(), ids);
            let shape = &body.flesh.shape;
            for particle in 0..shape.len() as u32 {
                let later = shape.neighbors_of(particle as usize).iter();
                let pairs = later.filter(|&&other| other > particle);
                links.extend(
                    pairs.filter_map(|&other| places.of_body(body.first_id, [particle, other])),
                );
            }
        }
        links
    }

    fn carries_surfaces(&self) -> bool {
        true
    }

    fn surface_carriers(&self, setup: &Setup) -> Vec<SurfaceCarrier> {
        let bodies = MuscleSetup::of(setup).bodies;
        bodies.iter().map(|body| body.carrier()).collect()
    }
}

/// Calls `f(place, reading)` for each particle.
fn for_particles(world: &World, f: impl FnMut(usize, FleshReading)) {
    let setup = MuscleSetup::of(&world.setup);
    let state = &world.state;
    read(&setup, &state.particles, state.methods.of(), f);
}

/// Principal stretches of F, by E = F F^T - I.
fn stretches_of(f: DMat3) -> [f64; 3] {
    let m = f * f.transpose() - DMat3::IDENTITY;
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let [xx, yy, zz, xy, xz, yz] = [x.x, y.y, z.z, x.y, x.z, y.z].map(|c| c as Real);
    principal_stretches(SymMat3::new(xx, yy, zz, xy, xz, yz))
}
