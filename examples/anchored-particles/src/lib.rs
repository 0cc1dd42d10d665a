//! A method of simulation outside of the core: damped particles on springs to where they started.
//!
//! Each particle feels the force f = -k (x - X) - c v, X being its place at the start. It is integrated
//! implicitly, by an impulse J = dt f(x + dt v, v) with the velocity v at the end of the substep, which sweeps
//! find together with contacts. The book's page "Write a method" walks through this file.

use std::ops::Range;

use pliant_core::attachments::Ties;
use pliant_core::boundaries::RigidStep;
use pliant_core::method::{Answer, Method, MethodStates, Reading, Readings, Substep};
use pliant_core::particles::Particles;
use pliant_core::world::{MethodKind, NumberedBody, Setup, World};
use pliant_math::{DVec3, to_double, to_real};

/// The method, as bodies name it.
pub const ANCHORED: &dyn MethodKind = &AnchoredKind;

/// What holds the particles of a body: its [`pliant_core::world::InitialParticles::structure`].
#[derive(Clone, Copy, Debug)]
pub struct Anchors {
    /// Stiffness k of each spring [N/m], >= 0.
    pub stiffness: f64,
    /// Damping c of each particle [kg/s], >= 0.
    pub damping: f64,
}

/// What can be told of the method without computing.
#[derive(Debug)]
struct AnchoredKind;

impl MethodKind for AnchoredKind {
    fn name(&self) -> &'static str {
        "anchored-particles"
    }

    fn solver(&self, setup: &Setup) -> Option<Box<dyn Method>> {
        Some(Box::new(AnchoredParticles::new(setup)))
    }

    fn read(&self, world: &World, readings: &mut Readings) {
        let mut energies = vec![0.0; world.state.particles.len()];
        self.read_energies(world, &mut energies);
        for (reading, energy) in readings.of_place.iter_mut().zip(energies) {
            if energy > 0.0 {
                *reading = Reading {
                    energy,
                    ..Reading::default()
                };
            }
        }
    }

    fn read_energies(&self, world: &World, energies: &mut [f64]) {
        let particles = &world.state.particles;
        for body in anchored_bodies(&world.setup) {
            let own = (0..particles.len()).filter(|&i| particles.body[i] == body.number);
            for i in own {
                let stretch = particles.position[i] - body.anchor(particles.id[i]);
                energies[i] = 0.5 * body.anchors.stiffness * stretch.length_squared();
            }
        }
    }
}

/// A body of the method.
#[derive(Debug)]
struct AnchoredBody {
    number: u32,
    first_id: u32,
    anchors: Anchors,
    /// Where its particles were at the start [m].
    start: Vec<DVec3>,
}

impl AnchoredBody {
    /// Where a particle is held [m].
    fn anchor(&self, id: u32) -> DVec3 {
        self.start[(id - self.first_id) as usize]
    }
}

fn anchored_bodies(setup: &Setup) -> Vec<AnchoredBody> {
    let of_body = |NumberedBody {
                       number,
                       first_id,
                       body,
                   }: NumberedBody<'_>| {
        Some(AnchoredBody {
            number,
            first_id,
            anchors: *body.particles.structure_of()?,
            start: body.particles.position.clone(),
        })
    };
    setup.bodies_of(ANCHORED).filter_map(of_body).collect()
}

/// A spring to where a particle started, in a substep.
#[derive(Debug)]
struct Spring {
    /// From the anchor to the particle at the start of the substep [m].
    stretch: DVec3,
    anchors: Anchors,
    /// Impulse that it has given the particle so far [N s].
    impulse: DVec3,
}

impl Spring {
    /// What is missing of the impulse dt f that belongs to a velocity [m/s] at the end of the substep.
    fn missing(&self, velocity: DVec3, dt: f64) -> DVec3 {
        let Anchors { stiffness, damping } = self.anchors;
        let force = -(self.stretch + velocity * dt) * stiffness - velocity * damping;
        force * dt - self.impulse
    }
}

/// The method for all its bodies; scratch of the stepper.
#[derive(Debug)]
struct AnchoredParticles {
    bodies: Vec<AnchoredBody>,
    /// Places of its particles.
    range: Range<usize>,
    /// Their springs, in the order of these places.
    springs: Vec<Spring>,
}

impl AnchoredParticles {
    fn new(setup: &Setup) -> Self {
        Self {
            bodies: anchored_bodies(setup),
            range: 0..0,
            springs: Vec::new(),
        }
    }

    fn body(&self, number: u32) -> Option<&AnchoredBody> {
        self.bodies.iter().find(|body| body.number == number)
    }
}

impl Method for AnchoredParticles {
    fn has_body(&self, body: u32) -> bool {
        self.body(body).is_some()
    }

    fn group_count(&self) -> u32 {
        self.bodies.len() as u32
    }

    fn group_of(&self, body: u32) -> Option<u32> {
        let number = self.bodies.iter().position(|own| own.number == body);
        number.map(|number| number as u32)
    }

    fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        self.range = particles.claim_by_id(order, |body| self.has_body(body));
    }

    fn find(&mut self, particles: &Particles, _: &mut MethodStates, _: Substep) {
        // The list keeps its memory from substep to substep.
        let mut springs = std::mem::take(&mut self.springs);
        springs.clear();
        let spring = |i: usize| {
            let body = self.body(particles.body[i])?;
            Some(Spring {
                stretch: particles.position[i] - body.anchor(particles.id[i]),
                anchors: body.anchors,
                impulse: DVec3::ZERO,
            })
        };
        springs.extend(self.range.clone().filter_map(spring));
        self.springs = springs;
    }

    fn project(&mut self, particles: &mut Particles, _: Ties<'_>, _: Answer<'_>, step: Substep) {
        for (i, spring) in self.range.clone().zip(&mut self.springs) {
            let Anchors { stiffness, damping } = spring.anchors;
            let inverse_mass = f64::from(particles.inverse_mass[i]);
            let velocity = to_double(particles.velocity[i]);
            let opposed = step.dt * (step.dt * stiffness + damping) * inverse_mass;
            let impulse = spring.missing(velocity, step.dt) / (1.0 + opposed);
            spring.impulse += impulse;
            particles.velocity[i] = to_real(velocity + impulse * inverse_mass);
        }
    }

    fn residual(
        &mut self,
        particles: &Particles,
        _: &[RigidStep],
        step: Substep,
    ) -> Option<(f64, f64)> {
        let springs = self.range.clone().zip(&self.springs);
        Some(springs.fold((0.0, 0.0), |(missing, whole), (i, spring)| {
            let of_spring = spring.missing(to_double(particles.velocity[i]), step.dt);
            let wanted = spring.impulse + of_spring;
            (
                missing + of_spring.length_squared(),
                whole + wanted.length_squared(),
            )
        }))
    }

    fn add_impulses(
        &mut self,
        _: &Particles,
        _: &MethodStates,
        _: Substep,
        on_particle: &mut [DVec3],
    ) {
        for (sum, spring) in on_particle[self.range.clone()]
            .iter_mut()
            .zip(&self.springs)
        {
            *sum += spring.impulse;
        }
    }
}
