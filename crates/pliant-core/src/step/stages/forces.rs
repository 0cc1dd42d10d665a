//! Gravity, loads, force fields and damping.

use super::Stages;
use crate::forces::Forces;
use crate::particles::Particles;
use crate::world::World;
use crate::{attachments, integrator};

impl Stages {
    /// Force fields, gravity and loads into velocities, in this order: fields read the velocities at the start.
    pub(super) fn accelerate(&mut self, world: &mut World, dt: f64) {
        let World { setup, state } = world;
        let (time, p) = (state.time, &mut state.particles);
        let forces = Forces::new(&setup.forces, time, dt);
        let first_rigid = p.len() - self.rigid.present_count();
        let push = |p: &mut Particles| forces.push(p, first_rigid);
        self.by_fields.record(!forces.is_empty(), p, push);
        integrator::accelerate(&mut p.velocity, &p.inverse_mass, setup.gravity, dt);
        let (held, places) = (&setup.attachments, &self.places);
        let are_loaded = attachments::are_loaded(held);
        let load = |p: &mut Particles| attachments::load(held, places, p, time, dt);
        self.by_loads.record(are_loaded, p, load);
    }

    /// Resistance of media, and damping.
    pub(super) fn damp(&mut self, world: &mut World, dt: f64) {
        let World { setup, state } = world;
        let (rate, time, p) = (setup.solver.damping, state.time, &mut state.particles);
        let forces = Forces::new(&setup.forces, time, dt);
        if !forces.is_empty() {
            let count = p.len() - self.rigid.present_count();
            let resist = |p: &mut Particles| forces.resist(p, count);
            self.by_fields.record_more(p, resist);
            let by_fields = &mut self.by_fields;
            let note = |place, change| by_fields.note(place, change);
            self.rigid.resist(p, &forces, dt, note);
        }
        integrator::damp(&mut p.velocity, &p.inverse_mass, rate, dt);
        self.rigid.damp(rate, dt);
    }
}
