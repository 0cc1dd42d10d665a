//! The gradient of the constraint C = sqrt(2 Psi) against finite differences.

use pliant_core::methods::xpbi::{Xpbi, XpbiColumns, trial_hencky_strain};
use pliant_core::particles::ReorderScratch;
use pliant_core::world::State;
use pliant_materials::HenckyElasticity;
use pliant_math::{
    DVec3, Mat3, RandomStream, Real, SymMat3, Vec3, strain_from_hencky, to_double, to_real,
};

use crate::gradient::searched;
use crate::{Case, Claim, Expected, Figure, box_lattice, by_precision, elastic};

/// The gradient with the deformation of the step in it.
pub const EXACT_GRADIENT: Claim = Claim {
    statement: "tau A^-T g/C is the gradient of the constraint",
    measure: || {
        let block = Block::new();
        let mut greatest: f64 = 0.0;
        for i in 0..block.state.particles.len() {
            greatest = greatest.max(block.gradient_error(i));
        }
        let bound = Expected::AtMost(by_precision(1e-6, 5e-3));
        let what = "greatest error relative to the gradient";
        Ok(vec![Figure::new(what, greatest, bound)])
    },
};

/// The gradient that the solver uses.
pub const SOLVER_GRADIENT: Claim = Claim {
    statement: "the solver's S = tau is the gradient at zero velocity gradient and departs linearly",
    measure: || {
        let block = Block::new();
        let bound = Expected::AtMost(by_precision(1e-6, 5e-3));
        let what = "impulse of the starting stress against differences of the energy, relative";
        let at_rest = Figure::new(what, block.impulse_error(), bound);
        let what = "departure at |dt grad v| = 0.1 over that at 0.05";
        let ratio = departure(0.1) / departure(0.05);
        Ok(vec![
            at_rest,
            Figure::new(what, ratio, Expected::Near(2.0, 0.15)),
        ])
    },
};

/// A strained, moving block.
struct Block {
    xpbi: Xpbi,
    state: State,
    velocity: Vec<Vec3>,
}

const DT: Real = 1e-2;
const VOLUME: f64 = 1.0;

fn elasticity() -> HenckyElasticity {
    HenckyElasticity::from_youngs(1.0, 0.3)
}

impl Block {
    fn new() -> Self {
        let points = box_lattice([4; 3], 1.0, 0.2);
        let case = Case::new(elastic(1.0, 1.0, 0.3), points, 1.0);
        let (mut xpbi, mut state) = searched(case.world());
        let random = RandomStream::new(7, 1);
        let noise = |k: u64| (2.0 * random.unit(k) - 1.0) as Real;
        for (i, strain) in state
            .methods
            .of_mut::<XpbiColumns>()
            .strain
            .iter_mut()
            .enumerate()
        {
            let e = |k: u64| 0.03 * noise(9 * i as u64 + k);
            *strain = strain_from_hencky(SymMat3::new(e(0), e(1), e(2), e(3), e(4), e(5)));
        }
        // The search reads the strains.
        let State {
            particles, methods, ..
        } = &mut state;
        let columns = methods.of_mut::<XpbiColumns>();
        let mut scratch = ReorderScratch::default();
        xpbi.find(particles, columns, &mut scratch, f64::from(DT));
        let speed = 0.05 / DT;
        let velocity = (0..state.particles.len() as u64)
            .map(|i| Vec3::new(noise(9 * i + 6), noise(9 * i + 7), noise(9 * i + 8)) * speed)
            .collect();
        Self {
            xpbi,
            state,
            velocity,
        }
    }

    /// grad v at particle `i` if particle `moved` has another velocity.
    fn gradient(&self, i: usize, base: &[Vec3], moved: usize, change: Vec3) -> Mat3 {
        let velocity = |j: usize| {
            if j == moved {
                base[j] + change
            } else {
                base[j]
            }
        };
        self.xpbi.continua[0]
            .neighbors
            .velocity_gradient(i, velocity)
    }

    /// The constraint's energy density at particle `i`.
    fn energy(&self, i: usize, gradient: Mat3) -> Real {
        let strain = trial_hencky_strain(
            self.state.methods.of::<XpbiColumns>().strain[i],
            gradient,
            DT,
        );
        elasticity().energy_density(strain)
    }

    fn constraint(&self, i: usize, gradient: Mat3) -> f64 {
        f64::from((2.0 * self.energy(i, gradient)).sqrt())
    }

    /// Greatest difference of the exact gradient at `i` from central differences, over all particles
    /// and axes, relative to the greatest of its entries.
    fn gradient_error(&self, i: usize) -> f64 {
        let at_rest = vec![Vec3::ZERO; self.velocity.len()];
        let now = self.gradient(i, &self.velocity, i, Vec3::ZERO);
        let direction = exact_direction(self.state.methods.of::<XpbiColumns>().strain[i], now);
        let step = by_precision(1e-5, 1e-3);
        let (mut error, mut size) = (0.0f64, 0.0f64);
        for j in 0..self.velocity.len() {
            // With one particle moving along x, grad v is e_x (x) g; with j = i, g is minus the sum.
            let g = self.gradient(i, &at_rest, j, Vec3::X).transpose() * Vec3::X;
            let exact = to_double(direction * g);
            let slope = |axis: DVec3| {
                let change = to_real(axis * (step / f64::from(DT)));
                let ahead = self.gradient(i, &self.velocity, j, change);
                let behind = self.gradient(i, &self.velocity, j, -change);
                (self.constraint(i, ahead) - self.constraint(i, behind)) / (2.0 * step)
            };
            let found = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
            error = error.max((found - exact).length());
            size = size.max(exact.length());
        }
        error / size
    }

    /// Greatest difference of the impulse that `start_warm` applies to a block at rest from the
    /// slope of the elastic energy, relative to the greatest impulse.
    fn impulse_error(&self) -> f64 {
        let mut block = Block::new();
        let count = block.state.particles.len();
        let at_rest = vec![Vec3::ZERO; count];
        block.state.particles.velocity.clone_from(&at_rest);
        let Block { xpbi, state, .. } = &mut block;
        xpbi.start_warm(&mut state.particles, f64::from(DT));
        let step = by_precision(1e-5, 1e-2) / f64::from(DT);
        let (mut error, mut size) = (0.0f64, 0.0f64);
        for j in 0..count {
            let energy = |change: DVec3| -> f64 {
                let change = to_real(change * step);
                let of = |i| f64::from(self.energy(i, self.gradient(i, &at_rest, j, change)));
                (0..count).map(of).sum::<f64>() * VOLUME
            };
            let slope = |axis: DVec3| (energy(axis) - energy(-axis)) / (2.0 * step);
            let expected = -DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
            let mass = f64::from(block.state.particles.mass[j]);
            let found = to_double(block.state.particles.velocity[j]) * mass;
            error = error.max((found - expected).length());
            size = size.max(expected.length());
        }
        error / size
    }
}

/// S = tau A^-T/C of the trial state, A = I + dt grad v (Yu et al. 2024, eq. 12).
fn exact_direction(strain: SymMat3, gradient: Mat3) -> Mat3 {
    let elasticity = elasticity();
    let trial = trial_hencky_strain(strain, gradient, DT);
    let deformation = Mat3::IDENTITY + gradient * DT;
    let stress = elasticity.kirchhoff_stress(trial).to_mat3();
    stress * deformation.inverse().transpose() * (1.0 / elasticity.constraint(trial))
}

/// |tau/C - tau A^-T/C| relative to |tau/C| for a step of a size.
fn departure(size: Real) -> f64 {
    let direction = Mat3::from_cols(
        Vec3::new(0.3, -0.5, 0.2),
        Vec3::new(0.6, 0.1, -0.3),
        Vec3::new(-0.2, 0.4, -0.1),
    );
    let length = column_norm(direction) as Real;
    let gradient = direction * (size / (length * DT));
    let strain = strain_from_hencky(SymMat3::new(0.3, -0.2, 0.1, 0.05, -0.1, 0.15));
    let trial = trial_hencky_strain(strain, gradient, DT);
    let elasticity = elasticity();
    let solver =
        elasticity.kirchhoff_stress(trial).to_mat3() * (1.0 / elasticity.constraint(trial));
    column_norm(solver - exact_direction(strain, gradient)) / column_norm(solver)
}

fn column_norm(m: Mat3) -> f64 {
    let columns = [m.x_axis, m.y_axis, m.z_axis].map(to_double);
    columns
        .iter()
        .map(|c| c.length_squared())
        .sum::<f64>()
        .sqrt()
}
