//! The stages of contacts: who may touch whom, impulses, the last check.

use pliant_math::{Real, to_real};

use super::Stages;
use crate::attachments::{self, Attachment, AttachmentKind, TetherStep};
use crate::boundaries::{Collider, ColliderStep};
use crate::contacts::{
    ContactMultiplier, ContactSearch, Grain, KeptContact, PairSearch, PairStep, SurfaceSearch,
    Term, TiedTo,
};
use crate::forces::Forces;
use crate::method::{Method, Methods};
use crate::particles::IdMap;
use crate::world::{Setup, World};

/// Turns that cloth and colliders take to stop what passes them.
const MOST_TURNS: usize = 4;

impl Stages {
    /// Contact candidates with frozen normals, as far as gravity, forces and loads can carry.
    pub(super) fn find_contacts(&mut self, world: &World, dt: f64) {
        let World { setup, state } = world;
        let forces = Forces::new(&setup.forces, state.time, dt);
        let mass_of = |a: &_| {
            let (places, particles) = (&self.places, &state.particles);
            let told = |method: &dyn Method| method.mass_under_load(a, places, particles);
            let told = self.methods.iter().find_map(told);
            told.unwrap_or_else(|| attachments::free_mass(a, places, particles))
        };
        let acceleration = setup.gravity.length()
            + forces.greatest_velocity_change(&state.particles) / dt
            + attachments::greatest_acceleration(
                &setup.attachments,
                mass_of,
                state.time + 0.5 * dt,
            );
        let tied = &mut self.surface.tied;
        let bodies = &state.particles.body;
        tied.list(bodies, ties(&setup.attachments, &self.places, bodies));
        let colliders = self.colliders.of(&setup.colliders);
        let mut search = search(setup, (colliders, &self.collider_steps), acceleration, dt);
        search.tied = Some(&self.surface.tied);
        search.particle_count = state.particles.len() - self.rigid.present_count();
        let friction_of_body = |body: u32| setup.bodies[body as usize].friction;
        search.friction_of_body = &friction_of_body;
        let grain = |place: usize| grain_at(world, &self.methods, place);
        let has_grain = setup.bodies.iter().any(|body| body.grain.is_some());
        search.grain = has_grain.then_some(&grain);
        search.grain_of_rigid = &self.rigid.grains;
        if self.methods.iter().any(|method| method.feels_walls()) {
            search.fluids = Some(&self.methods);
        }
        self.collider_contacts.find(&state.particles, search);
        self.find_rigid(world, acceleration, dt);
        self.linear_contacts.start();
        let has_groups = self.methods.group_count() > 1;
        if has_groups || self.methods.iter().any(|method| method.meets_itself()) {
            if has_groups {
                for method in self.methods.iter_mut() {
                    method.find_surfaces(&state.particles, &state.methods);
                }
            }
            let methods = &self.methods;
            let kept = methods.kept_contacts(&state.methods);
            let kept = kept.map(|kept| self.kept_index.search(kept, &state.particles, dt));
            let grain = |place: usize| grain_at(world, methods, place);
            let search = PairSearch {
                continuum_of_body: &|body| methods.group_of(body),
                friction_of_body: &|body| setup.bodies[body as usize].friction,
                inner_friction_of_body: &|body| methods.inner_friction(body),
                grain: has_grain.then_some(&grain),
                solids: methods.solids(),
                sampled_surfaces: methods.sampled_surfaces(),
                tied: Some(&self.surface.tied),
                kept,
                acceleration,
                push_out_speed: setup.push_out_speed(),
                dt,
            };
            self.pairs
                .find(&state.particles, &search, &mut self.linear_contacts);
        }
        self.find_surfaces(world, acceleration, dt);
        self.linear_contacts.share_out(&state.particles.position);
    }

    /// Contacts of rigid bodies with particles, with each other and with colliders.
    fn find_rigid(&mut self, world: &World, acceleration: f64, dt: f64) {
        if self.rigid.is_empty() {
            return;
        }
        let World { setup, state } = world;
        let p = &state.particles;
        let shapes = self.colliders.of(&setup.colliders);
        let step = pair_step(setup, (shapes, &self.collider_steps), dt);
        self.rigid.find(p, acceleration, step);
        let ties = TetherStep {
            bodies: &self.rigid.steps,
            colliders: &self.collider_steps[setup.first_rigid()..],
            push_out_speed: setup.push_out_speed(),
            dt,
        };
        self.tethers.find(&setup.attachments, &self.places, p, ties);
        let touches = self.collider_contacts.touches(setup.first_rigid());
        let bodies = &self.rigid.steps;
        self.rigid_contacts
            .take(touches, &p.position, &p.inverse_mass, bodies);
    }

    /// Candidates for contacts with triangles.
    fn find_surfaces(&mut self, world: &World, acceleration: f64, dt: f64) {
        let World { setup, state } = world;
        let surface = &mut self.surface;
        surface.met = state.particles.len() - self.rigid.present_count();
        surface.triangles.clear();
        surface.edges.clear();
        surface.vertices = 0..0;
        surface.boundaries.clear();
        surface.enclosed.clear();
        surface.inner.clear();
        surface.close_at_rest.clear();
        surface.passing.clear();
        let passing = setup
            .bodies
            .iter()
            .zip(0..)
            .filter(|(body, _)| !body.meets_itself);
        surface.passing.extend(passing.map(|(_, number)| number));
        let offers = self.methods.offers();
        for offer in offers.filter_map(|offers| offers.triangles) {
            surface.add(&offer);
        }
        let has_grain = setup.bodies.iter().any(|body| body.grain.is_some());
        let grain = |place: usize| grain_at(world, &self.methods, place);
        let search = SurfaceSearch {
            friction_of_body: &|body| setup.bodies[body as usize].friction,
            grain: has_grain.then_some(&grain),
            acceleration,
            push_out_speed: setup.push_out_speed(),
            dt,
        };
        let contacts = &mut self.linear_contacts;
        self.surfaces
            .find(surface, &state.particles, &search, contacts);
    }

    /// Keeps what contacts inside of continua did, for the next substep.
    pub(super) fn keep_contacts(&mut self, world: &mut World) {
        let World { setup, state } = world;
        let methods = &self.methods;
        if methods.kept_contacts(&state.methods).is_none() {
            return;
        }
        let group = |body: u32| {
            let keeps = methods.of_body(body)?.kept_contacts(&state.methods);
            keeps.map(|_| methods.group_of(body))
        };
        self.keeping.clear();
        self.keeping
            .extend((0..setup.bodies.len() as u32).map(group));
        let Some(kept) = methods.contacts_to_keep(&mut state.methods) else {
            return;
        };
        let (p, keeping, dt) = (&state.particles, &self.keeping, self.step.dt);
        let told = |terms: &[Term], did: ContactMultiplier| {
            let &[one, other] = terms else { return None };
            let places = [one, other].map(|term| term.place as usize);
            let [a, b] = places.map(|place| keeping[p.body[place] as usize]);
            let are_of_one = a.is_some() && a == b;
            are_of_one.then(|| KeptContact::new(places.map(|place| p.id[place]), did, dt))?
        };
        self.linear_contacts.collect(told, kept);
    }

    /// One pass over all contacts.
    pub(super) fn project_contacts(&mut self, world: &mut World, dt: f64) {
        let p = &mut world.state.particles;
        self.linear_contacts
            .project(&mut p.velocity, &p.inverse_mass);
        let bodies = &mut self.rigid.steps;
        self.rigid_contacts
            .project(&mut p.velocity, &p.inverse_mass, bodies);
        self.rigid.project(dt);
        // Last, so that what a rigid body presses against a collider stays outside of it.
        self.collider_contacts
            .project(&mut p.velocity, &p.inverse_mass);
    }

    /// Restitution.
    pub(super) fn restore(&mut self, world: &mut World, dt: f64) {
        let p = &mut world.state.particles;
        self.collider_contacts
            .restore(&mut p.velocity, &p.inverse_mass);
        let (bodies, threshold) = (
            &mut self.rigid.steps,
            self.collider_contacts.resting_approach(),
        );
        self.rigid_contacts
            .restore(&mut p.velocity, &p.inverse_mass, bodies, threshold);
        self.rigid.apply_restitution(dt);
    }

    /// Stops what would end beyond a surface. What colliders stop may cross cloth then, and the other
    /// way round: they take turns.
    pub(super) fn stop_passages(&mut self, world: &mut World, dt: f64) {
        let World { setup, state } = world;
        self.rigid.move_colliders(dt, &mut self.collider_steps);
        let colliders = self.colliders.of(&setup.colliders);
        let mut search = search(setup, (colliders, &self.collider_steps), 0.0, dt);
        search.tied = Some(&self.surface.tied);
        search.particle_count = state.particles.len() - self.rigid.present_count();
        let p = &mut state.particles;
        let mut stopped = self.collider_contacts.stop_passages(p, search);
        for _ in 0..MOST_TURNS {
            if !self.surfaces.stop_passages(&self.surface, p, dt) {
                return;
            }
            let before = stopped;
            stopped = self.collider_contacts.stop_passages(p, search);
            if stopped == before {
                return;
            }
        }
    }

    /// What ways that were stopped give rigid bodies; their velocities are known then.
    ///
    /// Each particle was stopped as at a wall. A body lighter than all that was stopped at it would be
    /// thrown by what they lose: it gets so much of it that they gain no energy together.
    pub(super) fn settle_bodies(&mut self, world: &mut World) {
        let World { setup, state } = world;
        let p = &mut state.particles;
        let stopped = || self.collider_contacts.stopped_at_rigid(setup.first_rigid());
        self.stopped_mass.clear();
        self.stopped_mass.resize(self.rigid.steps.len(), 0.0);
        for (place, body, change) in stopped() {
            let normal = change.normalize_or_zero();
            let mobility = self.rigid.steps[body].mobility(p.position[place]);
            self.stopped_mass[body] += f64::from(p.mass[place]) * normal.dot(mobility * normal);
        }
        for (place, body, change) in stopped() {
            let share = 1.0 / self.stopped_mass[body].max(1.0);
            let impulse = change * (share * f64::from(p.mass[place]));
            self.rigid.steps[body].push(-impulse, p.position[place]);
        }
        self.rigid.give_velocities(p);
    }
}

/// Places of the particles that attachments tie to other bodies, and to which.
fn ties<'a>(
    attachments: &'a [Attachment],
    places: &'a IdMap,
    bodies: &'a [u32],
) -> impl Iterator<Item = (usize, TiedTo)> + 'a {
    attachments.iter().flat_map(move |attachment| {
        let (rods, rigid) = match &attachment.kind {
            AttachmentKind::Body { rods } => (rods.as_slice(), None),
            AttachmentKind::Rigid { body, .. } => (&[][..], Some(*body)),
            _ => (&[][..], None),
        };
        let of_rods = rods.iter().filter_map(|rod| {
            let (i, j) = (places.of(rod.first)?, places.of(rod.second)?);
            Some([(i, bodies[j]), (j, bodies[i])])
        });
        let of_rods = of_rods.flatten().map(|(i, body)| (i, TiedTo::Body(body)));
        let of_rigid = rigid.into_iter().flat_map(move |number| {
            let present = attachment.particles.iter();
            let present = present.filter_map(|&id| places.of(id));
            present.map(move |place| (place, TiedTo::Rigid(number)))
        });
        of_rods.chain(of_rigid)
    })
}

/// What contacts of rigid bodies need to know of the step.
pub(super) fn pair_step<'a>(
    setup: &Setup,
    (shapes, colliders): (&'a [Collider], &'a [ColliderStep]),
    dt: f64,
) -> PairStep<'a> {
    PairStep {
        shapes,
        colliders,
        push_out_speed: setup.push_out_speed(),
        gravity: setup.gravity.length(),
        dt,
    }
}

/// What the search for contacts with colliders needs to know.
fn search<'a>(
    setup: &'a Setup,
    (colliders, steps): (&'a [Collider], &'a [ColliderStep]),
    acceleration: f64,
    dt: f64,
) -> ContactSearch<'a> {
    ContactSearch {
        colliders,
        steps,
        first_rigid: setup.first_rigid(),
        particle_count: usize::MAX,
        acceleration,
        gravity: setup.gravity.length(),
        push_out_speed: setup.push_out_speed(),
        friction_of_body: &|_| 0.0,
        grain: None,
        grain_of_rigid: &[],
        tied: None,
        fluids: None,
        dt,
    }
}

/// Where the friction of a particle is another along an axis, as that points now.
fn grain_at(world: &World, methods: &Methods, place: usize) -> Option<Grain> {
    let particles = &world.state.particles;
    let body = particles.body[place];
    let grain = world.setup.bodies[body as usize].grain?;
    let method = methods.of_body(body)?;
    Some(Grain {
        axis: to_real(method.direction_now(particles, place, grain.axis)),
        factor: grain.factor as Real,
    })
}
