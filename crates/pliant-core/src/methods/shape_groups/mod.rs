//! Shape groups: any set of particles deforms as one element.
//!
//! Paper: Müller et al. 2022, physically based shape matching; Macklin and Müller 2021
//! for the two constraints of the energy.
//!
//! | what | here |
//! | --- | --- |
//! | which particles are a group | [`ParticleGroups`] |
//! | mass, centre, moments of a group at rest | `moments` |
//! | who is projected beside whom | `rows` |
//! | deformation gradient, constraints, filter | `projection` |
//! | the stress in their place, for any law | `stress` |
//! | a pass over all groups | `sweep` |
//! | damping of what is not a rigid motion | `damping` |
//! | groups that are stretched too far | `tearing` |
//! | how long a step may be | `longest_step` |
//! | stress, energy and volume, read off positions | [`read`] |
//!
//! Reads and writes: velocities; positions in a constraint are x_start + dt v, multipliers start at zero in each
//! substep. Keeps from substep to substep which groups have torn.
//! Invariants: linear momentum to rounding; angular momentum of what nothing holds, which gets back what steps take
//! ([`FreeParts`]).
//! Deviations: lambda is that of small strains plus mu; the two constraints are solved together, or the stress is
//! projected; the filter has a stiffness; damping does not depend on the step. Settings bring the published forms back.
//! Not here: contacts, of a body with itself too (`crate::contacts`).

mod body;
mod columns;
mod damping;
mod groups;
mod heights;
mod kind;
mod longest_step;
mod method;
mod moments;
mod projection;
mod readings;
mod rows;
mod settings;
mod setup;
mod stress;
mod sweep;
mod tearing;

pub use body::body;
pub use columns::ShapeGroupsColumns;
pub use groups::ParticleGroups;
pub use readings::{GroupReading, read};
pub use settings::{EnergySolve, Filter, ShapeGroupsSettings};
pub use setup::{GroupBody, Role, ShapeGroupsSetup};

use std::ops::Range;
use std::sync::Arc;

use pliant_geometry::topology::DisjointSets;
use pliant_math::simd::Instructions;
use pliant_math::{DVec3, Real, Vec3, to_double, to_real};

use crate::constraints::FreeParts;
use crate::contacts::{CloseAtRest, SolidBoundary};
use crate::parallel;
use crate::particles::{IdMap, Particles};
use crate::rest;

use self::projection::{BodyStep, SweepInput};
use self::rows::{GroupRows, NewGroup};
use self::tearing::TearingGroups;

/// The method, as bodies name it.
pub const SHAPE_GROUPS: &dyn crate::world::MethodKind = &kind::Kind;

/// The method for all its bodies; scratch of the stepper.
#[derive(Debug)]
pub struct ShapeGroups {
    /// Constants of the run.
    pub setup: ShapeGroupsSetup,
    /// Places of its particles: balls first...
    range: Range<usize>,
    /// ...then those inside of surfaces...
    first_enclosed: usize,
    /// ...and those of surfaces last.
    first_on_surface: usize,
    instructions: Instructions,
    groups: GroupRows,
    free_parts: FreeParts,
    /// Constraint and law of each body in this substep.
    bodies: Vec<BodyStep>,
    /// Triangles of surfaces, and their sides, by places among the particles of surfaces.
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    close_at_rest: Arc<CloseAtRest>,
    /// Whether each particle of surfaces is inside of what is left of them; empty if nothing may tear.
    inner: Vec<bool>,
    /// The bodies that they enclose.
    boundaries: Vec<SolidBoundary>,
    tearing: TearingGroups,
    /// Places of its particles, by their ids.
    places: IdMap,
    /// The ids, and the groups that have torn, that all this was built for.
    built_for: Option<(Vec<u32>, Vec<bool>)>,
    /// Positions at the start of the substep [m], each the sum of two numbers.
    start: Vec<[Real; 8]>,
    records: Vec<[Real; 4]>,
    /// Impulses of the substep on particles that are held [kg m/s], and zeros.
    on_held: Vec<[Real; 4]>,
    /// Whether the next sweep is the first of its substep, or follows one that kept no motion.
    is_first: bool,
}

impl ShapeGroups {
    /// For the bodies of a setup.
    pub fn new(setup: ShapeGroupsSetup) -> Self {
        Self {
            places: IdMap::new(0..0),
            setup,
            range: 0..0,
            first_enclosed: 0,
            first_on_surface: 0,
            instructions: Instructions::best(),
            groups: GroupRows::default(),
            free_parts: FreeParts::default(),
            bodies: Vec::new(),
            triangles: Vec::new(),
            edges: Vec::new(),
            close_at_rest: Arc::default(),
            inner: Vec::new(),
            boundaries: Vec::new(),
            tearing: TearingGroups::default(),
            built_for: None,
            start: Vec::new(),
            records: Vec::new(),
            on_held: Vec::new(),
            is_first: true,
        }
    }

    /// Appends the places of its particles to `order`, those of surfaces last, by their ids: there they
    /// must stand in `find`. Triangles of other methods follow.
    pub fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        let first = order.len();
        let kept = particles.id.get(self.range.clone());
        let built_for = self.built_for.as_ref().map(|(ids, _)| ids.as_slice());
        if kept.is_some() && built_for == kept {
            // They stand as they did.
            order.extend(self.range.start as u32..self.range.end as u32);
            let moved = |place: usize| place - self.range.start + first;
            self.first_enclosed = moved(self.first_enclosed);
            self.first_on_surface = moved(self.first_on_surface);
            self.range = first..order.len();
            return;
        }
        for role in [Role::Ball, Role::Enclosed, Role::Surface] {
            let start = order.len();
            match role {
                Role::Ball => {}
                Role::Enclosed => self.first_enclosed = start,
                Role::Surface => self.first_on_surface = start,
            }
            if !self.setup.bodies.is_empty() {
                let places = 0..particles.len() as u32;
                let has_role = |&i: &u32| {
                    let body = self.setup.body(particles.body[i as usize]);
                    body.is_some_and(|b| b.role(particles.id[i as usize]) == role)
                };
                order.extend(places.filter(has_role));
                order[start..].sort_unstable_by_key(|&i| particles.id[i as usize]);
            }
        }
        self.range = first..order.len();
    }

    /// Takes over the shape at the start of a substep of a length [s] and sweeps. Where particles have left the world since
    /// the last one, groups that have lost a member are no longer there.
    ///
    /// * `torn` — groups of all bodies that are no longer there; empty if none may tear
    pub fn find(&mut self, particles: &Particles, torn: &[bool], step: (f64, u32)) {
        self.is_first = true;
        if self.setup.bodies.is_empty() {
            return;
        }
        let range = self.range.clone();
        let ids = &particles.id[range.clone()];
        let built_for = self.built_for.as_ref();
        if built_for.is_none_or(|built| built.0 != ids || built.1 != torn) {
            self.build(particles, torn);
            self.built_for = Some((ids.to_vec(), torn.to_vec()));
        }
        if range.is_empty() {
            // All have left; what others met of them has been built anew without them.
            self.on_held.clear();
            return;
        }
        self.bodies.clear();
        let settings = self.setup.settings;
        let bodies = self.setup.bodies.iter();
        self.bodies.extend(bodies.map(|body| BodyStep {
            constraint: body.constraint(settings.solve, step),
            law: body.law.law,
        }));
        let position = &particles.position[range.clone()];
        let (mass, inverse_mass) = (
            &particles.mass[range.clone()],
            &particles.inverse_mass[range],
        );
        self.free_parts
            .start(self.instructions, position, (mass, inverse_mass));
        // Differences to an origin that is near: far from that of the world they would be rounded.
        let origin = position.first().copied().unwrap_or_default();
        self.start.resize(position.len(), [0.0; 8]);
        parallel::for_chunks(&mut self.start, |first, start| {
            for (record, &x) in start.iter_mut().zip(&position[first..]) {
                let x = x - origin;
                let near = to_real(x);
                let rest = to_real(x - to_double(near));
                *record = [near.x, near.y, near.z, 0.0, rest.x, rest.y, rest.z, 0.0];
            }
        });
        self.on_held.clear();
        self.on_held.resize(position.len(), [0.0; 4]);
    }

    /// One sweep over all groups, of so many in a substep.
    pub fn project(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        (dt, sweeps): (f64, u32),
    ) {
        let is_first = self.is_first;
        let is_only = is_first && sweeps == 1 && self.setup.settings.damping == 0.0;
        self.is_first = is_only;
        self.with_records(velocity, inverse_mass, |this, velocity, on_held| {
            let input = SweepInput {
                instructions: this.instructions,
                bodies: &this.bodies,
                start: &this.start,
                dt: dt as Real,
                is_filter_full: this.setup.settings.filter == Filter::Full,
            };
            let columns = (velocity, on_held);
            match is_first {
                true => sweep::sweep::<true>(&mut this.groups, input, is_only, columns),
                false => sweep::sweep::<false>(&mut this.groups, input, false, columns),
            }
        });
    }

    /// Damps what is not a rigid motion of a group.
    pub fn damp(&mut self, velocity: &mut [Vec3], inverse_mass: &[Real], dt: f64) {
        let share = -libm::expm1(-self.setup.settings.damping * dt);
        if share == 0.0 || self.is_first {
            return;
        }
        self.with_records(velocity, inverse_mass, |this, velocity, on_held| {
            let columns = (velocity, on_held);
            damping::damp(this.instructions, &mut this.groups, share as Real, columns);
        });
    }

    /// Calls `f` with velocities and inverse masses in records, and takes the velocities back.
    fn with_records(
        &mut self,
        velocity: &mut [Vec3],
        inverse_mass: &[Real],
        f: impl FnOnce(&mut Self, &mut [[Real; 4]], &mut [[Real; 4]]),
    ) {
        let mut records = std::mem::take(&mut self.records);
        let mut on_held = std::mem::take(&mut self.on_held);
        records.resize(velocity.len(), [0.0; 4]);
        let now: &[Vec3] = velocity;
        parallel::for_chunks(&mut records, |first, records| {
            let columns = now[first..].iter().zip(&inverse_mass[first..]);
            for (record, (v, &w)) in records.iter_mut().zip(columns) {
                *record = [v.x, v.y, v.z, w];
            }
        });
        self.free_parts.watch(&records);
        f(self, &mut records, &mut on_held);
        self.free_parts.restore(self.instructions, &mut records);
        parallel::for_chunks(velocity, |first, velocity| {
            for (v, &[x, y, z, _]) in velocity.iter_mut().zip(&records[first..]) {
                *v = Vec3::new(x, y, z);
            }
        });
        (self.records, self.on_held) = (records, on_held);
    }

    /// Tears groups that the positions at the end of a substep stretch too far.
    pub fn tear(&mut self, particles: &Particles, columns: &mut ShapeGroupsColumns) {
        let position = &particles.position[self.range.clone()];
        self.tearing.tear(position, columns);
    }

    /// Adds the impulses [N s] that its groups gave particles that are held in the last substep.
    ///
    /// * `on_particle` — of its particles, in their order
    pub fn add_impulses(&self, on_particle: &mut [DVec3]) {
        for (sum, &[x, y, z, _]) in on_particle.iter_mut().zip(&self.on_held) {
            *sum += DVec3::new(x.into(), y.into(), z.into());
        }
    }

    /// Where a direction in a body at rest points now around a particle.
    pub fn direction_now(&self, particles: &Particles, place: usize, at_rest: DVec3) -> DVec3 {
        let Some(body) = self.setup.body(particles.body[place]) else {
            return at_rest;
        };
        let position = |particle: u32| {
            let place = self.places.of(body.first_id + particle)?;
            Some(particles.position[self.range.start + place])
        };
        let particle = particles.id[place] - body.first_id;
        rest::direction_now(body.rest_shape(), particle, at_rest, position)
    }

    /// Number of groups.
    pub fn group_count(&self) -> usize {
        self.groups.count
    }

    /// Notes which particles of surfaces groups hold and no triangle has: they are on the surface once what is around
    /// them has torn.
    ///
    /// * `first` — place of the first of them
    /// * `count` — of them
    fn find_inner(&mut self, groups: &[NewGroup], first: u32, count: usize) {
        self.inner.clear();
        if !self.setup.can_tear() {
            return;
        }
        self.inner.resize(count, false);
        for place in groups.iter().flat_map(|group| &group.places) {
            if let Some(vertex) = place.checked_sub(first) {
                self.inner[vertex as usize] = true;
            }
        }
        for &corner in self.triangles.iter().flatten() {
            self.inner[corner as usize] = false;
        }
    }

    /// The groups that are left.
    fn build(&mut self, particles: &Particles, torn: &[bool]) {
        let range = self.range.clone();
        let ids = &particles.id[range.clone()];
        let end = ids.iter().max().map_or(0, |last| last + 1);
        self.places = IdMap::new(ids.iter().copied().min().unwrap_or(end)..end);
        self.places.update(ids);
        let places = &self.places;
        let place = |id: u32| Some(places.of(id)? as u32);
        let mut new = Vec::new();
        let inner = (self.first_on_surface - range.start) as u32;
        let mut rest = vec![DVec3::ZERO; range.len() - inner as usize];
        self.triangles.clear();
        self.boundaries.clear();
        let mut surfaces = Vec::new();
        for (number, body) in (0..).zip(&self.setup.bodies) {
            let at = |particle: &u32| place(body.first_id + particle);
            let groups = &body.groups;
            let is_torn = body.torn_of(torn);
            for group in (0..groups.len()).filter(|&g| !is_torn.get(g).copied().unwrap_or(false)) {
                let members = groups.members_of(group).iter().map(at);
                if let Some(places) = members.collect() {
                    new.push(NewGroup {
                        body: number,
                        number: group as u32,
                        places,
                    });
                }
            }
            let vertex = |particle: &u32| Some(at(particle)? - inner);
            let first = self.triangles.len();
            let triangles = body.surface(torn);
            self.triangles
                .extend(triangles.iter().filter_map(|corners| {
                    let [a, b, c] = corners.each_ref().map(vertex);
                    Some([a?, b?, c?])
                }));
            for (particle, &x) in (0..).zip(&groups.rest_position) {
                if let Some(place) = at(&particle).filter(|&place| place >= inner) {
                    rest[(place - inner) as usize] = x;
                }
            }
            let own = first..self.triangles.len();
            if let Some(distance) = groups.distance_of_slivers(body.spacing) {
                surfaces.push((own.clone(), distance));
            }
            self.boundaries
                .extend(SolidBoundary::new(&self.triangles, own, &rest));
        }
        self.edges = sides(&self.triangles);
        self.find_inner(&new, inner, rest.len());
        let (all, surfaces) = (&self.triangles, surfaces.into_iter());
        let surfaces = surfaces.map(|(own, distance)| (&all[own], distance));
        self.close_at_rest = Arc::new(CloseAtRest::new(&rest, surfaces));
        let mass = |place: u32| f64::from(particles.mass[range.start + place as usize]);
        self.tearing.build(&self.setup.bodies, &new, mass);
        let columns = (
            &particles.mass[range.clone()],
            &particles.inverse_mass[range.clone()],
        );
        let mut parts = DisjointSets::new(range.len());
        for group in &new {
            for &place in &group.places[1..] {
                parts.join(group.places[0], place);
            }
        }
        self.free_parts = FreeParts::new(parts);
        let stiffness = self.setup.settings.filter_stiffness;
        self.groups = GroupRows::new(&self.setup.bodies, &new, columns, stiffness);
    }
}

/// The sides of triangles, each once, in order.
fn sides(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let of_one = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let mut sides: Vec<[u32; 2]> = triangles.iter().flat_map(of_one).collect();
    sides.iter_mut().for_each(|side| side.sort_unstable());
    sides.sort_unstable();
    sides.dedup();
    sides
}
