//! Networks of springs, by implicit integration.
//!
//! Paper: Vogiannou et al. 2010, full cubic springs; Baraff and Witkin 1998 for the linearised step.
//!
//! | what | here |
//! | --- | --- |
//! | which particles are joined | [`Network`] |
//! | particles sixteen at a time, and their neighbours | `tasks` |
//! | forces and their derivatives at the start of a substep | `assemble`, `membranes` |
//! | the matrix, and its system solved by `crate::solvers` | `matrix`, `system` |
//! | how long a step may be under a load | [`longest_step`] |
//! | connected parts of networks | `parts` |
//! | momentum of what nothing holds, and of what is held | `rigid`, `held` |
//! | energy and stretch, read off positions | [`SpringReading`] |
//!
//! Reads and writes: velocities, in `predict`, and in `respond` as the response to impulses of others since.
//! Keeps nothing from substep to substep.
//! Invariants: momentum to rounding, and angular momentum of what nothing holds.
//! Deviations: the system is solved to a tolerance instead of twice, and what is negative in the Jacobian
//! is left out; settings bring the published form back. The law is evaluated in strain.

mod assemble;
mod body;
mod held;
mod kind;
mod longest_step;
mod matrix;
mod membranes;
mod method;
mod network;
mod parts;
mod readings;
mod rigid;
mod settings;
mod setup;
mod system;
mod tasks;

pub use body::body;
pub use longest_step::{NodeLoad, SpringNode, longest_step};
pub use network::{Network, Spring, SpringClass};
pub use readings::{SpringReading, read};
pub use settings::SpringsSettings;
pub use setup::{SpringBody, SpringsSetup};

use std::ops::Range;

use pliant_math::simd::{Instructions, LANES};
use pliant_math::{DVec3, Real, Vec3};

use self::assemble::AssemblyInput;
use self::membranes::{MembraneTriangle, Membranes};
use self::network::CELL;
use self::parts::ConnectedParts;
use self::system::System;
use self::tasks::{SpringEdge, SpringTask};
use crate::attachments::Attachment;
use crate::contacts::{RestBody, SampledSurface, Surfels};
use crate::parallel::{self, CHUNK};
use crate::particles::{IdMap, Particles};
use crate::rest::StartShape;
use crate::solvers::{BodyParticles, MassRow, lane, set_lane};

/// The method, as bodies name it.
pub const SPRINGS: &dyn crate::world::MethodKind = &kind::Kind;

/// The method for all its bodies; scratch of the stepper.
#[derive(Debug)]
pub struct Springs {
    /// Constants of the run.
    pub setup: SpringsSetup,
    /// The bodies that have an axis of friction.
    start_shapes: Vec<StartShape>,
    /// Places of its particles, those of surfaces first...
    range: Range<usize>,
    /// ...and how many these are.
    surface_count: usize,
    system: System,
    membranes: Membranes,
    parts: ConnectedParts,
    /// Triangles for contacts, and their edges, by places in its range.
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    /// Sampled surfaces of lattices for contacts, if they are up to date.
    surfels: Surfels,
    has_facets: bool,
    spring_count: usize,
    /// Places of its particles in its range.
    places: IdMap,
    /// The ids that all this was built for.
    built_for: Option<Vec<u32>>,
    /// Positions at the start of the substep [m].
    position: Vec<DVec3>,
    /// Velocities there [m/s]; of what is held, those in the substep.
    velocity: Vec<Vec3>,
    /// Whether others have done anything in this substep.
    has_impulses: bool,
    /// Whether impulses on held particles are needed.
    tells_held: bool,
}

impl Springs {
    /// For the bodies of a setup.
    pub fn new(setup: SpringsSetup) -> Self {
        let end = setup.bodies.iter().map(|body| body.ids().end).max();
        Self {
            places: IdMap::new(0..end.unwrap_or(0)),
            setup,
            start_shapes: Vec::new(),
            range: 0..0,
            surface_count: 0,
            system: System::default(),
            membranes: Membranes::default(),
            parts: ConnectedParts::default(),
            triangles: Vec::new(),
            edges: Vec::new(),
            surfels: Surfels::default(),
            has_facets: false,
            spring_count: 0,
            built_for: None,
            position: Vec::new(),
            velocity: Vec::new(),
            has_impulses: false,
            tells_held: false,
        }
    }

    /// The same with bodies whose directions are followed.
    pub fn following(self, start_shapes: Vec<StartShape>) -> Self {
        Self {
            start_shapes,
            ..self
        }
    }

    /// Computes with other instructions than the best that the processor has; the bits are the same.
    pub fn set_instructions(&mut self, instructions: Instructions) {
        self.system.solver.instructions = instructions;
    }

    /// Appends the places of its particles to `order`, those of surfaces first, by their ids: there they
    /// must stand in `find`. Returns how many are of surfaces.
    pub fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) -> usize {
        let first = order.len();
        let [surfaces, all] = [true, false].map(|is_surface| {
            let mut of_kind = self.setup.bodies.iter();
            if of_kind.any(|b| b.is_surface() == is_surface) {
                particles.claim_by_id(order, |body| {
                    let of_body = self.setup.body(body);
                    of_body.is_some_and(|b| b.is_surface() == is_surface)
                });
            }
            order.len() - first
        });
        self.range = first..first + all;
        surfaces
    }

    /// Mass [kg] of the body whose particles an attachment holds; `None` if it is of another method.
    pub fn mass_of(
        &self,
        attachment: &Attachment,
        places: &IdMap,
        particles: &Particles,
    ) -> Option<f64> {
        let mut held = attachment.particles.iter().filter_map(|&id| places.of(id));
        let body = self.setup.body(particles.body[held.next()?])?.body;
        let of_body = self.range.clone().filter(|&i| particles.body[i] == body);
        Some(of_body.map(|i| f64::from(particles.mass[i])).sum())
    }

    /// Where its particles are, and whether there are any.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Takes over the shape at the start of a substep. Where particles have left the world since the
    /// last one, what joins them is built anew.
    pub fn find(&mut self, particles: &Particles) {
        if self.setup.bodies.is_empty() {
            return;
        }
        let range = self.range.clone();
        let ids = &particles.id[range.clone()];
        if self.built_for.as_deref() != Some(ids) {
            self.build(particles);
            self.has_facets = false;
            self.built_for = Some(ids.to_vec());
        }
        self.position.clear();
        self.position
            .extend_from_slice(&particles.position[range.clone()]);
        self.velocity.clear();
        self.velocity.extend_from_slice(&particles.velocity[range]);
    }

    /// Solves for the velocities that the springs and what has accelerated the particles lead to in a
    /// substep of `dt` [s] if nothing else acts.
    ///
    /// Forces of springs and of others stand together on the right side, which is zero at rest. With
    /// velocities that loads have changed already, springs would first resist these with many times the
    /// load, and a share of that is what is left when the system is solved to a tolerance.
    pub fn predict(&mut self, particles: &mut Particles, dt: f64) {
        self.has_impulses = true;
        let range = self.range.clone();
        if range.is_empty() {
            return;
        }
        let settings = self.setup.settings;
        self.membranes
            .respond(&self.position, settings.clamp_jacobian);
        let input = AssemblyInput {
            position: &self.position,
            velocity: &[],
            membrane_force: &self.membranes.force,
            membrane_stiffness: &self.membranes.stiffness,
            settings,
            dt,
        };
        let velocity = &mut particles.velocity[range.clone()];
        self.system.set_impulses(velocity, &mut self.velocity);
        if self.tells_held {
            let system = &self.system;
            parallel::for_items(&mut self.parts.held, |_, part| part.start(system));
        }
        self.system.predict(&self.velocity, input);
        let mass = &particles.mass[range];
        let keeps_rotation = settings.keep_angular_momentum;
        parallel::for_items(&mut self.parts.free, |_, part| {
            part.start(&self.position, mass, keeps_rotation);
        });
        self.restore(mass);
        self.has_impulses = false;
        let (start, unknowns) = (&self.velocity, &self.system.solver.unknowns);
        let tasks = &mut self.system.matrix.tasks;
        parallel::for_chunks_with(velocity, tasks, |first, velocity, task| {
            let solution = &unknowns[first / CHUNK].solution;
            for (k, v) in velocity.iter_mut().enumerate() {
                let (group, at) = (k / LANES, k % LANES);
                *v = start[first + k] + vector(lane(&solution[group], at));
                set_lane(&mut task.predicted[group], at, v.to_array());
                set_lane(&mut task.reported[group], at, v.to_array());
                set_lane(&mut task.impulse[group], at, [0.0; 3]);
            }
        });
        self.system.solver.clear_solution();
    }

    /// Adds the response to the impulses that others have given its particles since the last call: they move the
    /// whole network, not only the particles they act on.
    pub fn respond(&mut self, velocity: &mut [Vec3], mass: &[Real]) {
        let range = self.range.clone();
        if range.is_empty() {
            return;
        }
        let velocity = &mut velocity[range.clone()];
        let (unknowns, matrix) = (&self.system.solver.unknowns, &mut self.system.matrix);
        parallel::for_chunks_with(velocity, &mut matrix.tasks, |first, velocity, task| {
            task.given = take_impulses(velocity, task, &unknowns[first / CHUNK].masses);
        });
        self.has_impulses |= matrix.tasks.iter().any(|task| task.given != 0.0);
        if !self.has_impulses {
            return;
        }
        self.system.solve_response();
        self.restore(&mass[range]);
        let (unknowns, matrix) = (&self.system.solver.unknowns, &mut self.system.matrix);
        parallel::for_chunks_with(velocity, &mut matrix.tasks, |first, velocity, task| {
            let solution = &unknowns[first / CHUNK].solution;
            for (k, v) in velocity.iter_mut().enumerate() {
                let (group, at) = (k / LANES, k % LANES);
                let response = vector(lane(&solution[group], at));
                *v = vector(lane(&task.predicted[group], at)) + response;
                set_lane(&mut task.reported[group], at, v.to_array());
            }
        });
    }

    /// Finds the impulses that springs and membranes gave its particles in the substep, at its end.
    pub fn find_impulses(&mut self, mass: &[Real]) {
        if self.range.is_empty() {
            return;
        }
        self.system.find_spring_impulses(&self.velocity);
        for part in &self.parts.held {
            part.close(&mut self.system, &self.velocity, &mass[self.range.clone()]);
        }
    }

    /// Adds these impulses [N s].
    ///
    /// * `on_particle` — of its particles, in their order
    pub fn add_impulses(&self, on_particle: &mut [DVec3]) {
        for (place, sum) in on_particle.iter_mut().enumerate() {
            *sum += self.system.at(place, |task| &task.inner_impulse);
        }
    }

    /// Gives what nothing holds its momentum back.
    fn restore(&mut self, mass: &[Real]) {
        for part in &self.parts.free {
            part.restore(&mut self.system, &self.position, mass, self.has_impulses);
        }
    }

    /// Springs, or pairs of corners, that are solved for.
    pub fn spring_count(&self) -> usize {
        self.spring_count
    }

    /// Steps of conjugate gradients in the last substep, without those that answered impulses.
    pub fn solver_steps(&self) -> u32 {
        self.system.steps
    }

    /// Corners of the triangles for contacts, by places in its range.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The sides of these triangles, each once.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// Sampled surfaces of lattices for contacts with other continua, for the particles of the last `find`.
    pub fn sampled_surface(&self) -> SampledSurface<'_> {
        SampledSurface {
            first: self.range.start,
            surfels: &self.surfels,
        }
    }

    /// Updates [`Self::sampled_surface`].
    pub fn find_facets(&mut self, particles: &Particles) {
        if self.has_facets {
            return;
        }
        let ids = &particles.id[self.range.clone()];
        self.surfels.clear(ids.len());
        for body in self.setup.bodies.iter().filter(|body| !body.is_surface()) {
            let Some(first) = body.ids().find_map(|id| self.places.of(id)) else {
                continue;
            };
            let radius = particles.radius[self.range.start + first];
            let spacing = 2.0 * f64::from(radius);
            let near = body.network.neighbors();
            self.surfels.add(&RestBody {
                position: &body.network.rest_position,
                spacing,
                support_radius: CELL * spacing,
                neighbors: &|particle, list| list.extend_from_slice(&near[particle]),
                places: self.places.from(body.first_id),
            });
        }
        self.has_facets = true;
    }

    /// What joins the particles that are left.
    fn build(&mut self, particles: &Particles) {
        let range = self.range.clone();
        let ids = &particles.id[range.clone()];
        self.places.update(ids);
        let places = &self.places;
        let (mut spring_edges, mut membranes) = (Vec::new(), Vec::new());
        self.triangles.clear();
        for body in &self.setup.bodies {
            spring_edges.extend(spring_edges_of(body, places));
            let here = |&corners: &[u32; 3]| places.of_body(body.first_id, corners);
            let triangles = &body.network.triangles;
            self.triangles.extend(triangles.iter().filter_map(here));
            if let Some(membrane) = body.membrane() {
                let all = triangles.iter().zip(body.rest_triangles());
                membranes.extend(all.filter_map(|(corners, rest)| {
                    Some(MembraneTriangle {
                        corners: here(corners)?,
                        rest,
                        membrane,
                    })
                }));
            }
        }
        self.edges = sides(&self.triangles);
        self.membranes = Membranes::new(membranes);
        self.spring_count = spring_edges.len() + self.membranes.pairs.len();
        let (mass, inverse) = (
            &particles.mass[range.clone()],
            &particles.inverse_mass[range],
        );
        let pairs = &self.membranes.pairs;
        let bodies = self
            .setup
            .bodies
            .iter()
            .map(|body| body_particles(body, places));
        let bodies: Vec<BodyParticles> = bodies.collect();
        self.system
            .build((mass, inverse), &spring_edges, pairs, &bodies);
        let links = spring_edges.iter().map(|edge| edge.ends);
        let links: Vec<[u32; 2]> = links.chain(pairs.iter().copied()).collect();
        self.parts = ConnectedParts::new(&links, inverse);
    }
}

/// The particles of a body that are left.
fn body_particles(body: &SpringBody, places: &IdMap) -> BodyParticles {
    let all = body.ids().zip(&body.network.rest_position);
    let here = all.filter_map(|(id, &x)| Some((places.of(id)? as u32, x)));
    let (places, position) = here.unzip();
    BodyParticles { places, position }
}

/// Adds what others have done to velocities to the impulses of a task; the sum of its squares.
fn take_impulses(velocity: &[Vec3], task: &mut SpringTask, masses: &[MassRow]) -> f64 {
    let mut sum = 0.0;
    for (k, v) in velocity.iter().enumerate() {
        let (group, at) = (k / LANES, k % LANES);
        let mass = masses[group].mass.0[at] * masses[group].is_free.0[at];
        let impulse = (*v - vector(lane(&task.reported[group], at))) * mass;
        let before = vector(lane(&task.impulse[group], at));
        set_lane(&mut task.impulse[group], at, (before + impulse).to_array());
        sum += f64::from(impulse.length_squared());
    }
    sum
}

fn vector(components: [Real; 3]) -> Vec3 {
    Vec3::from_array(components)
}

/// The springs of a body whose ends are left.
fn spring_edges_of(body: &SpringBody, places: &IdMap) -> impl Iterator<Item = SpringEdge> {
    let damping = body.law.damping;
    body.network.springs.iter().filter_map(move |spring| {
        let is_damped = damping > 0.0 && spring.class == SpringClass::Structural;
        let curve = match body.curve(spring) {
            Some(curve) => curve,
            // Edges of triangles are damped as springs.
            None if body.membrane().is_some() && is_damped => SLACK,
            None => return None,
        };
        Some(SpringEdge {
            ends: places.of_body(body.first_id, spring.ends)?,
            rest_length: spring.rest_length,
            curve,
            damping,
        })
    })
}

/// A spring without tension.
const SLACK: pliant_materials::springs::SpringCurve = pliant_materials::springs::SpringCurve {
    stiffness: 0.0,
    half_slope: 0.0,
    third_curvature: 0.0,
};

/// The sides of triangles, each once, in order.
fn sides(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let of_one = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let mut sides: Vec<[u32; 2]> = triangles.iter().flat_map(of_one).collect();
    sides.iter_mut().for_each(|side| side.sort_unstable());
    sides.sort_unstable();
    sides.dedup();
    sides
}
