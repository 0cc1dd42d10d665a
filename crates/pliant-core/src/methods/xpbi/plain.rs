//! The sweep in its plainest form, one particle after the other, for tests of the vectorised one.
//!
//! It follows Yu et al. 2024, Alg. 1, with the tensor multiplier (see `tensor`), and visits particles
//! in the same order inside a block.

use pliant_materials::{ReturnMapping, dispatch_hencky_law};
use pliant_math::{Mat3, Real, SymMat3, Vec3};

use super::continuum::ContinuumNeighbors;
use super::deformation::trial_hencky_strain;
use super::setup::XpbiSetup;
use super::{Continuum, XpbiColumns};
use crate::particles::Particles;

/// Stresses [Pa] applied to the particles of a continuum, in its order.
#[derive(Clone, Debug)]
pub struct PlainSweep {
    /// The stresses.
    pub applied: Vec<SymMat3>,
}

impl PlainSweep {
    /// A cold start: nothing is applied.
    pub fn cold(continuum: &Continuum) -> Self {
        Self {
            applied: vec![SymMat3::ZERO; continuum.range.len()],
        }
    }

    /// One sweep over all particles, as [`Continuum::sweep`] does it with the tensor multiplier.
    pub fn sweep(
        &mut self,
        continuum: &Continuum,
        particles: &mut Particles,
        columns: &XpbiColumns,
        setup: &XpbiSetup,
        dt: Real,
    ) {
        let neighbors = &continuum.neighbors;
        for group in &neighbors.rows.groups {
            for (lane, _) in group.lanes.iter().enumerate() {
                for row in group.rows.clone() {
                    if neighbors.rows.filled[row] >> lane & 1 == 1 {
                        let i = neighbors.rows.particle[row].get(lane);
                        self.visit(continuum, i, particles, columns, setup, dt);
                    }
                }
            }
        }
    }

    fn visit(
        &mut self,
        continuum: &Continuum,
        i: usize,
        particles: &mut Particles,
        columns: &XpbiColumns,
        setup: &XpbiSetup,
        dt: Real,
    ) {
        let first = continuum.range.start;
        let neighbors = &continuum.neighbors;
        let body = setup.body(particles.body[first + i]);
        let velocity = |j: usize| particles.velocity[first + j];
        let gradient = neighbors.velocity_gradient(i, velocity);
        let start = (columns.strain[first + i], columns.plastic[first + i]);
        let stiffness = dt * dt * body.rest_volume * mobility_bound(neighbors, i, first, particles);
        let increment = dispatch_hencky_law!(&setup.laws[body.law as usize], |law| {
            let (mu, lambda) = (law.elasticity().shear_modulus, law.elasticity().lame_lambda);
            let stiffness = stiffness * law.stiffness_factor(start.1);
            let trial = trial_hencky_strain(start.0, gradient, dt);
            let (strain, _) = law.project(trial, start.1, dt);
            let residual = law.kirchhoff_stress(strain, start.1) - self.applied[i];
            let mean = SymMat3::isotropic(residual.trace() / 3.0);
            (residual - mean) * (1.0 / (1.0 + 2.0 * mu * stiffness))
                + mean * (1.0 / (1.0 + (3.0 * lambda + 2.0 * mu) * stiffness))
        });
        self.applied[i] += increment;
        let impulse = increment * (dt * body.rest_volume);
        for neighbor in neighbors.neighbors(i) {
            let push = impulse.mul_vec3(neighbor.gradient);
            let j = first + neighbor.neighbor;
            particles.velocity[j] -= push * particles.inverse_mass[j];
            particles.velocity[first + i] += push * particles.inverse_mass[first + i];
        }
    }
}

/// The greatest row sum of K_i = sum_j g g^T / m_j + (sum g)(sum g)^T / m_i [1/(kg m2)].
fn mobility_bound(
    neighbors: &ContinuumNeighbors,
    i: usize,
    first: usize,
    particles: &Particles,
) -> Real {
    let outer = |a: Vec3, b: Vec3| Mat3::from_cols(a * b.x, a * b.y, a * b.z);
    let mut k = Mat3::ZERO;
    let mut sum = Vec3::ZERO;
    for neighbor in neighbors.neighbors(i) {
        let g = neighbor.gradient;
        sum += g;
        k += outer(g * particles.inverse_mass[first + neighbor.neighbor], g);
    }
    k += outer(sum * particles.inverse_mass[first + i], sum);
    SymMat3::symmetric_part(k).gershgorin_bound()
}
