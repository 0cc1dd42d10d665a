//! The particles that share neighbours: bodies of one support radius.

use std::ops::Range;

use pliant_math::simd::{Instructions, Row};
use pliant_math::{DVec3, Mat3, Real, SymMat3, Vec3};

use super::columns::XpbiColumns;
use super::deformation::volume_ratio;
use super::residual::ResidualInput;
use super::scalar::ProjectEnergy;
use super::settings::{Multiplier, PositionCorrection};
use super::setup::XpbiSetup;
use super::state::{ElasticColumns, XpbiInteractions};
use super::sweep::{Projection, XpbiSweepInput, sweep};
use super::tensor::{ProjectStress, WarmStart};
use super::{flow, residual};
use crate::constraints::Ordering;
use crate::constraints::maximum_density::MaximumDensity;
use crate::constraints::minimum_distance::MinimumDistance;
use crate::interactions::density::sweep_densities;
use crate::interactions::held::HeldXsphImpulses;
use crate::interactions::motion::BlockMotions;
use crate::interactions::packed::{pack, unpack};
use crate::interactions::pairs::sweep_pairs;
use crate::interactions::records::{Records, power_of_two};
use crate::interactions::rows::lanes_of;
use crate::interactions::{Interaction, Interactions, ParticleRows, SearchInput, smoothing};
use crate::kernels::{Wendland, rest_fraction};
use crate::neighbors::{BlockGrid, LocalPoint, SpatialOrder, local_points};
use crate::particles::Particles;

/// A continuum: constants, and scratch for one substep.
#[derive(Debug)]
pub struct Continuum {
    /// Where its particles lie in the columns, since the last `find`.
    pub range: Range<usize>,
    /// Who touches whom this substep, by place in the range.
    pub neighbors: ContinuumNeighbors,
    /// What computes it.
    pub instructions: Instructions,
    support_radius: f64,
    spacing: f64,
    /// sum V0 W over all particles, the own included, at rest.
    rest_fraction: Real,
    laws: Vec<u32>,
    order: SpatialOrder,
    /// Positions [m] before sorting.
    positions: Vec<DVec3>,
    motions: BlockMotions,
    points: Vec<LocalPoint>,
    /// What has been applied to each row: the Kirchhoff stress [Pa] with the tensor multiplier, the
    /// scalar one in the first component.
    multiplier: Vec<[Row; 6]>,
    /// Pressure that keeps density down [Pa], if that is how positions are corrected.
    pressure: Vec<Row>,
    /// Velocities and inverse masses.
    velocity: Vec<[Real; 4]>,
    frozen: Vec<[Real; 4]>,
    /// What XSPH gave held particles in this substep.
    held_xsph_impulses: HeldXsphImpulses,
}

/// What `find` leaves for the other stages of the substep.
#[derive(Debug)]
pub struct ContinuumNeighbors {
    /// Neighbours and gradients.
    pub interactions: XpbiInteractions,
    /// Who stands where.
    pub rows: ParticleRows,
    law: Vec<u32>,
    rest_volume: Vec<Real>,
}

impl ContinuumNeighbors {
    /// The neighbours of a particle and their corrected kernel gradients.
    pub fn neighbors(&self, particle: usize) -> impl Iterator<Item = Interaction> + use<'_> {
        self.interactions.of(&self.rows, particle)
    }

    /// grad v at a particle [1/s].
    pub fn velocity_gradient(&self, particle: usize, velocity: impl Fn(usize) -> Vec3) -> Mat3 {
        self.interactions
            .velocity_gradient(&self.rows, particle, velocity)
    }

    /// Index of the law of a particle.
    pub fn law(&self, particle: usize) -> usize {
        self.law[particle] as usize
    }

    /// Rest volume of a particle [m3].
    pub fn rest_volume(&self, particle: usize) -> Real {
        self.rest_volume[particle]
    }

    /// Rank of the gradients of a particle: 3 unless its neighbours lie in a plane or on a line.
    pub fn rank(&self, particle: usize) -> u8 {
        let (row, lane) = self.rows.place(particle);
        self.interactions.data[row].rank[lane]
    }

    /// Number of particles whose gradient is not exact for every linear field.
    pub fn deficient_count(&self) -> usize {
        let rows = self.interactions.data.iter().zip(&self.rows.filled);
        rows.map(|(data, &filled)| lanes_of(filled).filter(|&lane| data.rank[lane] < 3).count())
            .sum()
    }

    /// What a sweep reads.
    fn input<'a>(&'a self, setup: &'a XpbiSetup, dt: f64) -> XpbiSweepInput<'a> {
        XpbiSweepInput {
            rows: &self.rows,
            interactions: &self.interactions,
            laws: &setup.laws,
            law: &self.law,
            dt: dt as Real,
            frozen_velocity: None,
            relaxation: 1.0,
            plasticity: setup.settings.plasticity,
        }
    }
}

impl Continuum {
    /// An empty continuum of bodies of one support radius, given by their indices.
    pub fn new(setup: &XpbiSetup, bodies: &[u32]) -> Self {
        let of_bodies = || bodies.iter().map(|&b| setup.body(b));
        let mut laws: Vec<u32> = of_bodies().map(|body| body.law).collect();
        laws.sort_unstable();
        laws.dedup();
        let support_radius = setup.body(bodies[0]).support_radius;
        let heaviest = of_bodies()
            .map(|body| body.particle_mass)
            .fold(0.0, Real::max);
        let interactions = Interactions::new(
            Records::new(setup.has_half_gradients(&laws)),
            power_of_two(2.0 / support_radius),
            power_of_two(f64::from(heaviest)),
        );
        Self {
            range: 0..0,
            neighbors: ContinuumNeighbors {
                interactions,
                rows: ParticleRows::default(),
                law: Vec::new(),
                rest_volume: Vec::new(),
            },
            instructions: Instructions::best(),
            support_radius,
            spacing: of_bodies()
                .map(|body| body.spacing)
                .fold(f64::INFINITY, f64::min),
            rest_fraction: of_bodies()
                .map(|body| rest_fraction(support_radius, body.spacing))
                .fold(0.0, Real::max),
            laws,
            order: SpatialOrder::default(),
            positions: Vec::new(),
            motions: BlockMotions::default(),
            points: Vec::new(),
            multiplier: Vec::new(),
            pressure: Vec::new(),
            velocity: Vec::new(),
            frozen: Vec::new(),
            held_xsph_impulses: HeldXsphImpulses::default(),
        }
    }

    /// Kernel support radius [m].
    pub fn support_radius(&self) -> f64 {
        self.support_radius
    }

    /// Finds the spatial order of the particles `members` and appends it to `order`.
    pub fn sort(
        &mut self,
        members: &[u32],
        particles: &Particles,
        setup: &XpbiSetup,
        order: &mut Vec<u32>,
    ) {
        self.positions.clear();
        self.positions
            .extend(members.iter().map(|&i| particles.position[i as usize]));
        let laws = &self.laws;
        let law = |k: usize| {
            let law = setup.body(particles.body[members[k] as usize]).law;
            laws.iter().position(|&l| l == law).unwrap_or(0) as u32
        };
        self.order
            .sort(&self.positions, law, laws.len(), self.support_radius);
        self.range = order.len()..order.len() + members.len();
        order.extend(self.order.order.iter().map(|&k| members[k as usize]));
    }

    /// Finds neighbours, gradients and close pairs of the sorted particles; `dt` [s] is how long
    /// the pairs are watched.
    pub fn find(
        &mut self,
        particles: &Particles,
        columns: &XpbiColumns,
        setup: &XpbiSetup,
        dt: f64,
    ) {
        self.read_bodies(particles, setup);
        let range = self.range.clone();
        let grid = BlockGrid::new(&self.order, self.laws.len());
        let ContinuumNeighbors {
            interactions,
            rows,
            law,
            rest_volume,
        } = &mut self.neighbors;
        rows.update(&self.order, grid, |particle| law[particle]);
        let correction = setup.settings.correction;
        let minimum = match correction {
            PositionCorrection::Distance => setup.settings.minimum_distance * self.spacing,
            PositionCorrection::None | PositionCorrection::Density => 0.0,
        };
        let velocity = &particles.velocity[range.clone()];
        self.motions.update(grid, velocity, minimum, dt);
        let position = &particles.position[range.clone()];
        let strain = &columns.strain[range.clone()];
        let matter = |k: usize| {
            let volume = rest_volume[k] * volume_ratio(strain[k]);
            let i = range.start + k;
            let inverse_mass = particles.inverse_mass[i];
            [volume, particles.mass[i], inverse_mass, rest_volume[k]]
        };
        local_points(grid, position, matter, &mut self.points);
        let input = SearchInput {
            position,
            points: &self.points,
            rest_volume,
            kernel: Wendland::new(self.support_radius),
            pair_distance: &self.motions.pair_distance,
            wants_mobility: setup.settings.multiplier == Multiplier::Scalar,
            wants_density: correction == PositionCorrection::Density,
        };
        let columns = ElasticColumns {
            strain,
            plastic: &columns.plastic[range.clone()],
        };
        interactions.find(self.instructions, grid, rows, input, columns);
        self.pressure.clear();
        self.pressure.resize(interactions.density.len(), Row::ZERO);
    }

    fn read_bodies(&mut self, particles: &Particles, setup: &XpbiSetup) {
        let neighbors = &mut self.neighbors;
        neighbors.rest_volume.clear();
        neighbors.law.clear();
        for &body in &particles.body[self.range.clone()] {
            let body = setup.body(body);
            neighbors.rest_volume.push(body.rest_volume);
            neighbors.law.push(body.law);
        }
    }

    /// Readies the multipliers, and applies the impulse of the stress at the start.
    pub fn start_warm(&mut self, particles: &mut Particles, setup: &XpbiSetup, dt: f64) {
        self.multiplier.clear();
        self.multiplier
            .resize(self.neighbors.rows.particle.len(), [Row::ZERO; 6]);
        if setup.settings.multiplier == Multiplier::Scalar || !setup.settings.warm_start {
            return;
        }
        self.run(particles, setup, dt, WarmStart);
    }

    /// One sweep over all particles.
    pub fn sweep(&mut self, particles: &mut Particles, setup: &XpbiSetup, dt: f64) {
        match setup.settings.multiplier {
            Multiplier::Tensor => self.run(particles, setup, dt, ProjectStress),
            Multiplier::Scalar => self.run(particles, setup, dt, ProjectEnergy),
        }
    }

    fn run<J: Projection>(
        &mut self,
        particles: &mut Particles,
        setup: &XpbiSetup,
        dt: f64,
        projection: J,
    ) {
        self.pack_velocity(particles);
        let mut input = self.neighbors.input(setup, dt);
        if setup.ordering == Ordering::Jacobi && J::READS_VELOCITY {
            self.frozen.clone_from(&self.velocity);
            input.frozen_velocity = Some(&self.frozen);
            input.relaxation = setup.settings.jacobi_relaxation as Real;
        }
        sweep(
            self.instructions,
            projection,
            input,
            &mut self.velocity,
            &mut self.multiplier,
        );
        unpack(&self.velocity, &mut particles.velocity[self.range.clone()]);
    }

    fn pack_velocity(&mut self, particles: &Particles) {
        let range = self.range.clone();
        let inverse_mass = &particles.inverse_mass[range.clone()];
        pack(&particles.velocity[range], inverse_mass, &mut self.velocity);
    }

    /// Takes crowded particles apart, as the settings say.
    pub fn correct_positions(
        &mut self,
        particles: &mut Particles,
        setup: &XpbiSetup,
        push_out_speed: f64,
        dt: f64,
    ) {
        let settings = setup.settings;
        if settings.correction == PositionCorrection::None {
            return;
        }
        self.pack_velocity(particles);
        if settings.correction == PositionCorrection::Distance {
            let rule = MinimumDistance {
                distance: (settings.minimum_distance * self.spacing) as Real,
                push_out_speed: push_out_speed as Real,
                inverse_dt: (1.0 / dt) as Real,
            };
            self.separate_pairs(rule);
        } else {
            let rule = MaximumDensity {
                fraction: settings.maximum_density as Real * self.rest_fraction,
                greatest_rate: (push_out_speed / self.spacing) as Real,
                dt: dt as Real,
            };
            self.thin_crowds(rule);
        }
        unpack(&self.velocity, &mut particles.velocity[self.range.clone()]);
    }

    fn separate_pairs(&mut self, rule: MinimumDistance) {
        sweep_pairs(
            self.instructions,
            rule,
            &self.neighbors.rows,
            self.neighbors.interactions.pairs_mut(),
            &mut self.velocity,
        );
    }

    fn thin_crowds(&mut self, rule: MaximumDensity) {
        sweep_densities(
            self.instructions,
            rule,
            &self.neighbors.rows,
            &self.neighbors.interactions,
            &mut self.pressure,
            &mut self.velocity,
        );
    }

    /// XSPH.
    pub fn smooth(&mut self, particles: &mut Particles, rate: f64, dt: f64) {
        if rate == 0.0 {
            return;
        }
        self.pack_velocity(particles);
        smoothing::smooth(
            self.instructions,
            &self.neighbors.rows,
            &self.neighbors.interactions,
            (rate, dt),
            &self.velocity,
            &mut particles.velocity[self.range.clone()],
        );
    }

    /// Finds what XSPH is about to give held particles.
    pub fn find_held_xsph_impulses(&mut self, particles: &Particles, rate: f64, dt: f64) {
        self.pack_velocity(particles);
        let (rows, interactions) = (&self.neighbors.rows, &self.neighbors.interactions);
        self.held_xsph_impulses
            .find(rows, interactions, (rate, dt), &self.velocity);
    }

    /// Commits deformation and plastic state.
    pub fn flow(
        &mut self,
        particles: &Particles,
        columns: &mut XpbiColumns,
        setup: &XpbiSetup,
        dt: f64,
    ) {
        self.pack_velocity(particles);
        flow::commit(
            self.instructions,
            self.neighbors.input(setup, dt),
            &self.velocity,
            &mut columns.strain[self.range.clone()],
            &mut columns.plastic[self.range.clone()],
        );
    }

    /// Kirchhoff stress whose impulse is applied to a particle [Pa] (tensor multiplier).
    pub fn applied_stress(&self, particle: usize) -> SymMat3 {
        let (row, lane) = self.neighbors.rows.place(particle);
        SymMat3::from_components(self.multiplier[row].map(|component| component.0[lane]))
    }

    /// What keeps density down, times the moment of the gradients of a particle [Pa]; zero where positions
    /// are corrected otherwise.
    pub fn correcting_pressure(&self, particle: usize) -> SymMat3 {
        let (row, lane) = self.neighbors.rows.place(particle);
        let (pressure, density) = (&self.pressure, &self.neighbors.interactions.density);
        let (Some(pressure), Some(density)) = (pressure.get(row), density.get(row)) else {
            return SymMat3::ZERO;
        };
        let moment = density.moment.each_ref().map(|component| component.0[lane]);
        SymMat3::from_components(moment) * pressure.0[lane]
    }

    /// What XSPH gave held particles in this substep.
    pub fn held_xsph_impulses(&self) -> &HeldXsphImpulses {
        &self.held_xsph_impulses
    }

    /// Squared norms of (stress of the velocities - applied stress, stress of the velocities),
    /// each times the rest volume. Meaningful between the last sweep and `flow`.
    pub fn residual(&self, particles: &Particles, setup: &XpbiSetup, dt: f64) -> (f64, f64) {
        let range = self.range.clone();
        let mut velocity = Vec::new();
        pack(
            &particles.velocity[range.clone()],
            &particles.inverse_mass[range],
            &mut velocity,
        );
        let input = self.neighbors.input(setup, dt);
        residual::dual(self.instructions, input, &velocity, &self.multiplier)
    }

    /// Norm of the momentum equation's left side [kg m/s]: how far the velocities are from implicit
    /// Euler. `free_velocity` is what they would be without stress. Meaningful between the last
    /// sweep and `flow`, without contacts and position correction.
    pub fn momentum_residual(
        &self,
        particles: &Particles,
        columns: &XpbiColumns,
        setup: &XpbiSetup,
        free_velocity: &[Vec3],
        dt: f64,
    ) -> f64 {
        let input = self.residual_input(particles, columns, setup, dt);
        residual::primal(&input, &free_velocity[self.range.clone()])
    }

    fn residual_input<'a>(
        &'a self,
        particles: &'a Particles,
        columns: &'a XpbiColumns,
        setup: &'a XpbiSetup,
        dt: f64,
    ) -> ResidualInput<'a> {
        let range = self.range.clone();
        ResidualInput {
            neighbors: &self.neighbors,
            setup,
            law: &self.neighbors.law,
            rest_volume: &self.neighbors.rest_volume,
            velocity: &particles.velocity[range.clone()],
            inverse_mass: &particles.inverse_mass[range.clone()],
            strain: &columns.strain[range.clone()],
            plastic: &columns.plastic[range],
            dt: dt as Real,
        }
    }
}
