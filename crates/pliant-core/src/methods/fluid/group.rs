//! The particles of a fluid that share neighbours, and the solids among them.

use pliant_math::simd::{Instructions, Row};
use pliant_math::{DVec3, Real, Vec3};

use super::bodies::BodyTerms;
use super::columns::FluidColumns;
use super::held::Stresses;
use super::members::Members;
use super::residual::{self, ResidualInput};
use super::setup::{FluidBody, FluidSetup};
use super::state::{self, FluidInteractions, FluidMember};
use super::sweep::{FluidSweepInput, FluidSweepOutput, Inviscid, Pass, Start, Viscous, sweep};
use super::vorticity::{self, VorticityInput};
use super::walls::{self, Wall};
use crate::boundaries::{ColliderReactions, RigidStep};
use crate::constraints::maximum_density::MaximumDensity;
use crate::constraints::minimum_distance::MinimumDistance;
use crate::interactions::held::{HeldXsphImpulses, add_pairs};
use crate::interactions::motion::BlockMotions;
use crate::interactions::pairs::{retain_pairs_of, sweep_pairs};
use crate::interactions::records::{Records, power_of_two};
use crate::interactions::{Interactions, ParticleRows, SearchInput, smoothing};
use crate::kernels::{FreeSurface, Wendland, rest_fraction};
use crate::method::Walls;
use crate::neighbors::{BlockGrid, LocalPoint, local_points};
use crate::parallel;
use crate::particles::Particles;

/// XSPH is among the fluid only: solids count there with this share of their mass.
const SOLID_SHARE: Real = 1e-12;

/// Share of the speed at which overlaps are pushed apart, a spacing, with which excess density is let go. All
/// of a pool expands at once, so that the velocities of its particles add up over its depth.
const RELEASED: Real = 0.25;

/// Walls drag particles that are nearer than so many spacings as if they were as far.
const LEAST_WALL_DISTANCE: f64 = 0.25;

/// A group: constants, and scratch for one substep.
#[derive(Debug)]
pub struct FluidGroup {
    /// What computes it.
    pub instructions: Instructions,
    support_radius: f64,
    spacing: f64,
    kernel: Wendland,
    surface: FreeSurface,
    /// sum V W over all particles, the own included, at rest density.
    rest_fraction: Real,
    is_viscous: bool,
    members: Members,
    interactions: FluidInteractions,
    rows: ParticleRows,
    motions: BlockMotions,
    points: Vec<LocalPoint>,
    member_data: Vec<FluidMember>,
    rest_volume: Vec<Real>,
    walls: Vec<Wall>,
    body_terms: BodyTerms,
    /// [Pa]
    pressure: Vec<Row>,
    /// [Pa]
    shear: Vec<[Row; 6]>,
    velocity: Vec<[Real; 4]>,
    smoothed: Vec<Vec3>,
    vorticity: Vec<[Real; 4]>,
    confinement: Vec<[Real; 4]>,
    /// What XSPH gave held particles in this substep.
    held_xsph_impulses: HeldXsphImpulses,
    dt: Real,
}

impl FluidGroup {
    /// An empty group of bodies of one support radius, given by their indices.
    pub fn new(setup: &FluidSetup, bodies: &[u32]) -> Self {
        let first = setup.body(bodies[0]);
        let of_bodies = || bodies.iter().map(|&b| setup.body(b));
        let heaviest = of_bodies().map(|b| b.particle_mass).fold(0.0, Real::max);
        Self {
            instructions: Instructions::best(),
            support_radius: first.support_radius,
            spacing: first.spacing,
            kernel: Wendland::new(first.support_radius),
            surface: FreeSurface::new(first.support_radius, first.spacing),
            rest_fraction: rest_fraction(first.support_radius, first.spacing),
            is_viscous: of_bodies().any(|b| b.viscosity > 0.0),
            members: Members::default(),
            interactions: Interactions::new(
                Records::new(false),
                power_of_two(2.0 / first.support_radius),
                power_of_two(f64::from(heaviest)),
            ),
            rows: ParticleRows::default(),
            motions: BlockMotions::default(),
            points: Vec::new(),
            member_data: Vec::new(),
            rest_volume: Vec::new(),
            walls: Vec::new(),
            body_terms: BodyTerms::default(),
            pressure: Vec::new(),
            shear: Vec::new(),
            velocity: Vec::new(),
            smoothed: Vec::new(),
            vorticity: Vec::new(),
            confinement: Vec::new(),
            held_xsph_impulses: HeldXsphImpulses::default(),
            dt: 0.0,
        }
    }

    /// Kernel support radius [m].
    pub fn support_radius(&self) -> f64 {
        self.support_radius
    }

    /// How fast a wall at a distance [m] drags a particle of a body along [1/s].
    ///
    /// A wall that nothing slips on drags with the stress mu v/d at its surface. That force is shared out over
    /// the kernel's slope b' beyond the wall, of which the layers at the wall see 1/2 in all: 2 b' mu v/d a volume.
    pub fn wall_drag(&self, fluid: &FluidBody, distance: f64) -> f64 {
        let nearest = LEAST_WALL_DISTANCE * self.spacing;
        let slope = f64::from(self.surface.beyond(distance.max(nearest) as Real).1);
        let density = f64::from(fluid.particle_mass) / self.spacing.powi(3);
        let kinematic_viscosity = f64::from(fluid.viscosity) / density;
        2.0 * slope * kinematic_viscosity / distance.max(nearest)
    }

    /// Finds the spatial order of the particles `members` and appends it to `order`.
    pub fn sort(&mut self, members: &[u32], particles: &Particles, order: &mut Vec<u32>) {
        self.members
            .sort(members, particles, self.support_radius, order);
    }

    /// Finds neighbours, solids included, and close pairs; `dt` [s] is the substep.
    pub fn search(
        &mut self,
        particles: &Particles,
        columns: &FluidColumns,
        setup: &FluidSetup,
        is_solid: &impl Fn(u32) -> bool,
        dt: f64,
    ) {
        self.dt = dt as Real;
        self.members
            .add_solids(particles, is_solid, self.support_radius);
        self.read_members(particles, setup);
        let grid = BlockGrid::new(self.members.order(), 1);
        self.rows.update(self.members.order(), grid, |_| 0);
        let minimum = setup.settings.minimum_distance * self.spacing;
        self.motions
            .update(grid, self.members.velocities(), minimum, dt);
        let (member_data, rest_volume) = (self.member_data.as_slice(), self.rest_volume.as_slice());
        let places = self.members.places();
        let numbers = |k: usize| {
            let mass = particles.mass[places[k] as usize];
            let share = if member_data[k].is_fluid {
                1.0
            } else {
                SOLID_SHARE
            };
            [
                rest_volume[k],
                share * mass,
                member_data[k].inverse_mass,
                rest_volume[k],
            ]
        };
        let position = self.members.positions();
        local_points(grid, position, numbers, &mut self.points);
        let input = SearchInput {
            position,
            points: &self.points,
            rest_volume,
            kernel: self.kernel,
            pair_distance: &self.motions.pair_distance,
            wants_mobility: false,
            wants_density: false,
        };
        self.interactions
            .find(self.instructions, grid, &self.rows, input, member_data);
        if self.members.has_solids() {
            // Solids may be sampled far more finely, and keep their distance by contacts.
            let is_fluid = |k: usize| member_data.get(k).is_some_and(|member| member.is_fluid);
            retain_pairs_of(&self.rows, self.interactions.pairs_mut(), is_fluid);
        }
        self.load_pressure(columns);
    }

    /// Adds the walls of contacts, and turns the sums over neighbours into constraints: what the
    /// divergence should at least be, and how pressure changes it.
    pub fn add_collider_terms(
        &mut self,
        input: Walls<'_>,
        position: &[DVec3],
        columns: &mut FluidColumns,
    ) {
        self.walls.clear();
        for face in input.contacts.faces() {
            let place = face.particle as usize;
            if let Some(member) = self.members.member_at(place) {
                let (row, lane) = self.rows.place(member);
                let data = &mut self.interactions.data[row];
                let scale = (&self.surface, self.spacing);
                let wall = walls::add(&face, position[place], scale, &input, (row, lane), data);
                self.walls.extend(wall);
            }
        }
        let rule = MaximumDensity {
            fraction: self.rest_fraction,
            greatest_rate: RELEASED * input.push_out_speed as Real / self.spacing as Real,
            dt: self.dt,
        };
        let surface = &self.surface;
        let data = &mut self.interactions.data;
        parallel::for_chunks2(&mut self.pressure, data, |_, pressure, rows| {
            for (pressure, row) in pressure.iter_mut().zip(rows) {
                state::complete(row, rule, surface, pressure);
            }
        });
        self.body_terms.find(
            &self.walls,
            (input.first_rigid, input.bodies),
            &self.rows,
            &mut self.interactions,
            self.dt,
        );
        self.keep_compression(columns);
    }

    /// Applies the pressure of the last substep.
    pub fn start_warm(&mut self, particles: &mut Particles, bodies: &mut [RigidStep]) {
        self.shear.clear();
        if self.is_viscous {
            self.shear.resize(self.pressure.len(), [Row::ZERO; 6]);
        }
        self.pack_velocity(particles);
        self.run(Start);
        self.body_terms.start(&self.pressure, bodies);
        self.members.unpack(&self.velocity, &mut particles.velocity);
    }

    /// One sweep over all particles, those that move rigid bodies last.
    ///
    /// * `answer` — solves the other contacts of the bodies
    pub fn sweep(
        &mut self,
        particles: &mut Particles,
        bodies: &mut [RigidStep],
        answer: &mut impl FnMut(&mut [RigidStep]),
    ) {
        self.pack_velocity(particles);
        if self.is_viscous {
            self.run(Viscous);
        } else {
            self.run(Inviscid);
        }
        let (velocity, pressure) = (&mut self.velocity, &mut self.pressure);
        self.body_terms.sweep(velocity, pressure, bodies, answer);
        self.members.unpack(&self.velocity, &mut particles.velocity);
    }

    fn run<J: Pass>(&mut self, pass: J) {
        let input = FluidSweepInput {
            rows: &self.rows,
            interactions: &self.interactions,
            dt: self.dt,
        };
        let output = FluidSweepOutput {
            velocity: &mut self.velocity,
            pressure: &mut self.pressure,
            shear: &mut self.shear,
        };
        sweep(self.instructions, pass, input, output);
    }

    /// Keeps close pairs at the minimum distance.
    pub fn correct_positions(
        &mut self,
        particles: &mut Particles,
        setup: &FluidSetup,
        push_out_speed: f64,
    ) {
        if setup.settings.minimum_distance == 0.0 {
            return;
        }
        let rule = MinimumDistance {
            distance: (setup.settings.minimum_distance * self.spacing) as Real,
            push_out_speed: push_out_speed as Real,
            inverse_dt: 1.0 / self.dt,
        };
        self.pack_velocity(particles);
        sweep_pairs(
            self.instructions,
            rule,
            &self.rows,
            self.interactions.pairs_mut(),
            &mut self.velocity,
        );
        self.members.unpack(&self.velocity, &mut particles.velocity);
    }

    /// XSPH at a rate [1/s], among the particles of the fluid.
    pub fn smooth(&mut self, particles: &mut Particles, rate: f64) {
        if rate == 0.0 {
            return;
        }
        self.pack_velocity(particles);
        self.smoothed
            .resize(self.members.places().len(), Vec3::ZERO);
        smoothing::smooth(
            self.instructions,
            &self.rows,
            &self.interactions,
            (rate, f64::from(self.dt)),
            &self.velocity,
            &mut self.smoothed,
        );
        let (members, smoothed) = (&self.members, self.smoothed.as_slice());
        let range = members.range();
        parallel::for_chunks(&mut particles.velocity[range.clone()], |first, velocity| {
            for (k, v) in velocity.iter_mut().enumerate() {
                if let Some(member) = members.member_at(range.start + first + k) {
                    *v = smoothed[member];
                }
            }
        });
    }

    /// Finds what XSPH is about to give held particles.
    pub fn find_held_xsph_impulses(&mut self, particles: &Particles, rate: f64) {
        self.pack_velocity(particles);
        let scale = (rate, f64::from(self.dt));
        self.held_xsph_impulses
            .find(&self.rows, &self.interactions, scale, &self.velocity);
    }

    /// Spins up what vorticity there is.
    pub fn confine_vorticity(&mut self, particles: &mut Particles, setup: &FluidSetup) {
        let rate = setup.settings.vorticity_confinement;
        if rate == 0.0 {
            return;
        }
        self.pack_velocity(particles);
        let input = VorticityInput {
            rows: &self.rows,
            interactions: &self.interactions,
            velocity: &self.velocity,
            strength: (rate * f64::from(self.dt) * self.spacing) as Real,
        };
        vorticity::confine(
            self.instructions,
            input,
            &mut self.vorticity,
            &mut self.confinement,
        );
        let (members, change) = (&self.members, self.confinement.as_slice());
        let range = members.range();
        parallel::for_chunks(&mut particles.velocity[range.clone()], |first, velocity| {
            for (k, v) in velocity.iter_mut().enumerate() {
                let place = range.start + first + k;
                if particles.inverse_mass[place] == 0.0 {
                    continue;
                }
                if let Some(member) = members.member_at(place) {
                    let [x, y, z, _] = change[member];
                    *v += Vec3::new(x, y, z);
                }
            }
        });
    }

    /// Keeps the pressures for the next substep.
    pub fn keep(&self, columns: &mut FluidColumns) {
        for place in self.members.range() {
            if let Some((row, lane)) = self.row_of(place) {
                columns.pressure[place] = self.pressure[row].0[lane];
            }
        }
    }

    /// Adds the impulses [N s] of the pressure on walls in this substep to their colliders.
    pub fn add_wall_impulses(&self, reactions: &mut ColliderReactions) {
        for wall in &self.walls {
            let strength = self.wall_strength(wall);
            let (impulse, work) = (wall.gradient * strength, -wall.flow * strength);
            reactions.push_with_work(wall.collider as usize, impulse, work);
        }
    }

    /// Adds the impulses [N s] of pressure and viscosity in this substep on particles that are held.
    pub fn add_impulses(&self, inverse_mass: &[Real], on_particle: &mut [DVec3]) {
        let stresses = Stresses {
            rows: &self.rows,
            interactions: &self.interactions,
            pressure: &self.pressure,
            shear: &self.shear,
            dt: self.dt,
        };
        let places = self.members.places();
        if !places
            .iter()
            .any(|&place| inverse_mass[place as usize] == 0.0)
        {
            return;
        }
        stresses.add_impulses(places, inverse_mass, on_particle);
        let place = |member: usize| places[member] as usize;
        add_pairs(&self.rows, &self.interactions, place, on_particle);
        self.held_xsph_impulses.add(place, on_particle);
    }

    /// dt V0 p of the particle at a wall [N s m].
    fn wall_strength(&self, wall: &Wall) -> f64 {
        let (row, lane) = (wall.row as usize, wall.lane as usize);
        let pressure = self.pressure[row].0[lane];
        let volume = self.interactions.data[row].rest_volume.0[lane];
        f64::from(self.dt * volume * pressure)
    }

    /// (sum V0 r^2, sum V0 (p - r)^2): how far the pressures are from solving their problem.
    pub fn residual(&self, particles: &Particles, bodies: &[RigidStep]) -> (f64, f64) {
        let mut velocity = Vec::new();
        self.members
            .pack(particles, ParticleRows::spare_places(), &mut velocity);
        let input = ResidualInput {
            rows: &self.rows,
            interactions: &self.interactions,
            pressure: &self.pressure,
            velocity: &velocity,
        };
        let of_bodies = self
            .body_terms
            .residual(&velocity, &self.pressure, bodies, self.dt);
        residual::add(
            residual::sums(input, self.members.places().len()),
            of_bodies,
        )
    }

    /// Pairs of a particle and a neighbour, and particles.
    pub fn neighbor_counts(&self) -> (usize, usize) {
        (self.interactions.count(), self.members.places().len())
    }

    fn pack_velocity(&mut self, particles: &Particles) {
        self.members
            .pack(particles, ParticleRows::spare_places(), &mut self.velocity);
    }

    /// Row and lane of a particle of the group by its place in the columns.
    fn row_of(&self, place: usize) -> Option<(usize, usize)> {
        Some(self.rows.place(self.members.member_at(place)?))
    }

    fn read_members(&mut self, particles: &Particles, setup: &FluidSetup) {
        self.member_data.clear();
        self.rest_volume.clear();
        let own_weight = self.kernel.weight::<Real>(0.0);
        for &place in self.members.places() {
            let place = place as usize;
            let body = particles.body[place];
            let of_fluid = setup.bodies[body as usize].as_ref();
            let is_fluid = self.members.member_at(place).is_some();
            let volume = setup.volume_of_mass[body as usize] * particles.mass[place];
            self.rest_volume.push(volume);
            self.member_data.push(FluidMember {
                own_fraction: volume * own_weight,
                is_fluid,
                viscosity: match of_fluid {
                    Some(fluid) if is_fluid => fluid.viscosity,
                    _ => 0.0,
                },
                inverse_mass: particles.inverse_mass[place],
            });
        }
    }

    fn load_pressure(&mut self, columns: &FluidColumns) {
        self.pressure.clear();
        self.pressure.resize(self.rows.particle.len(), Row::ZERO);
        for place in self.members.range() {
            if let Some((row, lane)) = self.row_of(place) {
                self.pressure[row].0[lane] = columns.pressure[place];
            }
        }
    }

    fn keep_compression(&self, columns: &mut FluidColumns) {
        for place in self.members.range() {
            if let Some((row, lane)) = self.row_of(place) {
                let state = &self.interactions.data[row].state;
                columns.compression[place] = state.compression.0[lane];
            }
        }
    }
}
