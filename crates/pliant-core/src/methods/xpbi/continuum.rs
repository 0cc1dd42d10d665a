//! The particles that share neighbours: bodies of one support radius.

use std::ops::Range;

use pliant_math::{Real, SymMat3, Vec3};

use super::blocks::Blocks;
use super::columns::XpbiColumns;
use super::deformation::volume_ratio;
use super::elastic_part::WithoutPlasticity;
use super::interactions::{Interactions, SearchInput};
use super::scalar::ProjectEnergy;
use super::settings::{Multiplier, Plasticity};
use super::setup::XpbiSetup;
use super::sweep::{Projection, SweepInput, sweep, sweep_pairs};
use super::tensor::{ProjectStress, WarmStart};
use super::{flow, residual, smoothing};
use crate::constraints::Ordering;
use crate::constraints::minimum_distance::MinimumDistance;
use crate::kernels::Wendland;
use crate::neighbors::{BlockGrid, SpatialOrder};
use crate::particles::Particles;

/// A continuum: constants, and scratch for one substep.
#[derive(Debug)]
pub struct Continuum {
    /// Where its particles lie in the columns, since the last `find`.
    pub range: Range<usize>,
    /// Who touches whom this substep, by place in the range.
    pub lists: Lists,
    /// Kirchhoff stress whose impulse is applied [Pa] (tensor multiplier).
    pub stress: Vec<SymMat3>,
    support_radius: f64,
    spacing: f64,
    materials: Vec<u32>,
    order: SpatialOrder,
    volume: Vec<Real>,
    lambda: Vec<Real>,
    velocity_scratch: Vec<Vec3>,
}

/// What `find` leaves for the other stages of the substep.
#[derive(Debug, Default)]
pub struct Lists {
    /// Neighbours and gradients.
    pub interactions: Interactions,
    /// Blocks and runs.
    pub blocks: Blocks,
    rest_volume: Vec<Real>,
}

impl Lists {
    /// What a sweep over the particles of a range reads; the columns are whole.
    fn input<'a>(
        &'a self,
        range: &Range<usize>,
        inverse_mass: &'a [Real],
        columns: &'a XpbiColumns,
        dt: f64,
    ) -> SweepInput<'a> {
        SweepInput {
            interactions: &self.interactions,
            strain: &columns.strain[range.clone()],
            plastic: &columns.plastic[range.clone()],
            inverse_mass: &inverse_mass[range.clone()],
            rest_volume: &self.rest_volume,
            dt: dt as Real,
            frozen_velocity: None,
            relaxation: 1.0,
        }
    }
}

impl Continuum {
    /// An empty continuum of a support radius [m] and the least spacing [m] of its bodies, whose
    /// particles are of the given materials.
    pub fn new(support_radius: f64, spacing: f64, materials: Vec<u32>) -> Self {
        Self {
            range: 0..0,
            lists: Lists::default(),
            stress: Vec::new(),
            support_radius,
            spacing,
            materials,
            order: SpatialOrder::default(),
            volume: Vec::new(),
            lambda: Vec::new(),
            velocity_scratch: Vec::new(),
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
        let positions: Vec<_> = members
            .iter()
            .map(|&i| particles.position[i as usize])
            .collect();
        let materials = &self.materials;
        let material = |k: usize| {
            let body = particles.body[members[k] as usize] as usize;
            let material = setup.bodies[body].material;
            materials.iter().position(|&m| m == material).unwrap_or(0) as u32
        };
        self.order
            .sort(&positions, material, materials.len(), self.support_radius);
        self.range = order.len()..order.len() + members.len();
        order.extend(self.order.order.iter().map(|&k| members[k as usize]));
    }

    /// Finds neighbours, gradients and close pairs of the sorted particles.
    pub fn find(&mut self, particles: &Particles, columns: &XpbiColumns, setup: &XpbiSetup) {
        let range = self.range.clone();
        let body = &particles.body[range.clone()];
        let strain = &columns.strain[range.clone()];
        let rest = |&b: &u32| setup.bodies[b as usize].rest_volume;
        self.lists.rest_volume.clear();
        self.lists.rest_volume.extend(body.iter().map(rest));
        let volumes = self.lists.rest_volume.iter().zip(strain);
        self.volume.clear();
        self.volume
            .extend(volumes.map(|(&v, &e)| v * volume_ratio(e)));
        let grid = BlockGrid::new(&self.order, self.materials.len());
        self.lists.blocks.update(&self.order, grid, &self.materials);
        // Only pairs that can reach the minimum distance within a step of 0.4 spacings are kept.
        let pair_distance = 2.0 * setup.settings.minimum_distance * self.spacing;
        let input = SearchInput {
            position: &particles.position[range.clone()],
            volume: &self.volume,
            mass: &particles.mass[range.clone()],
            inverse_mass: &particles.inverse_mass[range],
            kernel: Wendland::new(self.support_radius),
            pair_distance: pair_distance as Real,
        };
        self.lists.interactions.find(grid, input);
    }

    /// Readies the multipliers, and applies the impulse of the stress at the start.
    pub fn start_warm(
        &mut self,
        particles: &mut Particles,
        columns: &XpbiColumns,
        setup: &XpbiSetup,
        dt: f64,
    ) {
        let count = self.range.len();
        self.lambda.clear();
        self.lambda.resize(count, 0.0);
        self.stress.clear();
        self.stress.resize(count, SymMat3::ZERO);
        if setup.settings.multiplier == Multiplier::Scalar || !setup.settings.warm_start {
            return;
        }
        let range = self.range.clone();
        let inverse_mass = &particles.inverse_mass;
        let input = self.lists.input(&range, inverse_mass, columns, dt);
        let velocity = &mut particles.velocity[range];
        let warm = WarmStart(input);
        run(warm, &self.lists.blocks, setup, velocity, &mut self.stress);
    }

    /// One sweep over all particles.
    pub fn sweep(
        &mut self,
        particles: &mut Particles,
        columns: &XpbiColumns,
        setup: &XpbiSetup,
        dt: f64,
    ) {
        let mut frozen = std::mem::take(&mut self.velocity_scratch);
        let range = self.range.clone();
        let inverse_mass = &particles.inverse_mass;
        let mut input = self.lists.input(&range, inverse_mass, columns, dt);
        let velocity = &mut particles.velocity[range];
        if setup.ordering == Ordering::Jacobi {
            frozen.clear();
            frozen.extend_from_slice(velocity);
            input.frozen_velocity = Some(&frozen);
            input.relaxation = setup.settings.jacobi_relaxation as Real;
        }
        match setup.settings.multiplier {
            Multiplier::Tensor => {
                let projection = ProjectStress(input);
                run(
                    projection,
                    &self.lists.blocks,
                    setup,
                    velocity,
                    &mut self.stress,
                );
            }
            Multiplier::Scalar => {
                let projection = ProjectEnergy(input);
                run(
                    projection,
                    &self.lists.blocks,
                    setup,
                    velocity,
                    &mut self.lambda,
                );
            }
        }
        self.velocity_scratch = frozen;
    }

    /// Keeps close pairs at the minimum distance.
    pub fn correct_positions(
        &mut self,
        particles: &mut Particles,
        setup: &XpbiSetup,
        push_out_speed: f64,
        dt: f64,
    ) {
        if setup.settings.minimum_distance == 0.0 {
            return;
        }
        let rule = MinimumDistance {
            distance: (setup.settings.minimum_distance * self.spacing) as Real,
            push_out_speed: push_out_speed as Real,
            inverse_dt: (1.0 / dt) as Real,
        };
        let (pairs, pairs_of) = self.lists.interactions.pairs_mut();
        sweep_pairs(
            rule,
            &self.lists.blocks,
            pairs,
            pairs_of,
            &particles.inverse_mass[self.range.clone()],
            &mut particles.velocity[self.range.clone()],
        );
    }

    /// XSPH.
    pub fn smooth(&mut self, particles: &mut Particles, rate: f64, dt: f64) {
        smoothing::smooth(
            &self.lists.interactions,
            &particles.inverse_mass[self.range.clone()],
            rate,
            dt,
            &mut particles.velocity[self.range.clone()],
            &mut self.velocity_scratch,
        );
    }

    /// Commits deformation and plastic state.
    pub fn flow(
        &self,
        particles: &Particles,
        columns: &mut XpbiColumns,
        setup: &XpbiSetup,
        dt: f64,
    ) {
        flow::commit(
            &self.lists.blocks,
            &setup.laws,
            &self.lists.interactions,
            &particles.velocity[self.range.clone()],
            dt as Real,
            &mut columns.strain[self.range.clone()],
            &mut columns.plastic[self.range.clone()],
        );
    }

    /// Squared norms of (stress of the velocities - applied stress, stress of the velocities),
    /// each times the rest volume. Meaningful between the last sweep and `flow`.
    pub fn residual(
        &self,
        particles: &Particles,
        columns: &XpbiColumns,
        setup: &XpbiSetup,
        dt: f64,
    ) -> (f64, f64) {
        let range = self.range.clone();
        let inverse_mass = &particles.inverse_mass;
        let input = self.lists.input(&range, inverse_mass, columns, dt);
        residual::dual(
            &input,
            &self.lists.blocks,
            setup,
            &particles.velocity[range],
            &self.stress,
        )
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
        let range = self.range.clone();
        let inverse_mass = &particles.inverse_mass;
        let input = self.lists.input(&range, inverse_mass, columns, dt);
        residual::primal(
            &input,
            &self.lists.blocks,
            setup,
            &particles.velocity[range.clone()],
            &free_velocity[range],
        )
    }
}

/// Sweeps with or without plasticity, as the settings say.
fn run<P: Projection>(
    projection: P,
    blocks: &Blocks,
    setup: &XpbiSetup,
    velocity: &mut [Vec3],
    multiplier: &mut [P::Multiplier],
) {
    match setup.settings.plasticity {
        Plasticity::Implicit => sweep(&projection, blocks, &setup.laws, velocity, multiplier),
        Plasticity::SemiImplicit => {
            let elastic = WithoutPlasticity(projection);
            sweep(&elastic, blocks, &setup.laws, velocity, multiplier);
        }
    }
}
