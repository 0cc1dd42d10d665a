//! The end of the substep: deformation and plastic state committed once.
// Blocks write to disjoint places of shared columns; see `parallel::Shared`.
#![allow(unsafe_code)]

use pliant_materials::{HenckyLaw, ReturnMapping, dispatch_hencky_law};
use pliant_math::{Mat3, Real, SymMat3, Vec3, hencky_strain, strain_from_hencky};

use super::blocks::Blocks;
use super::deformation::{limited_step, trial_strain};
use super::interactions::Interactions;
use crate::parallel::{self, Shared};

/// Carries the strain and the plastic state of every particle over the substep with the end
/// velocities (Yu et al. 2024, eq. 22).
pub fn commit(
    blocks: &Blocks,
    laws: &[HenckyLaw],
    interactions: &Interactions,
    velocity: &[Vec3],
    dt: Real,
    strain: &mut [SymMat3],
    plastic: &mut [Real],
) {
    let strain = Shared::new(strain);
    let plastic = Shared::new(plastic);
    parallel::for_indices(blocks.len(), |block| {
        let block = block as u32;
        // SAFETY: each block writes its own particles only, and no particle is in two blocks.
        let (mut strain, mut plastic) = unsafe { (strain.view(block), plastic.view(block)) };
        for run in blocks.runs(block) {
            dispatch_hencky_law!(&laws[run.material as usize], |law| {
                for i in run.particles() {
                    let gradient = interactions.velocity_gradient(i, |j| velocity[j]);
                    let start = (strain.get(i), plastic.get(i));
                    let end = flowed(law, start, gradient, dt);
                    strain.set(i, end.0);
                    plastic.set(i, end.1);
                }
            });
        }
    });
}

/// Strain and plastic state after a step.
#[inline(always)]
fn flowed<L: ReturnMapping>(
    law: &L,
    (strain, plastic): (SymMat3, Real),
    velocity_gradient: Mat3,
    dt: Real,
) -> (SymMat3, Real) {
    let trial = trial_strain(strain, limited_step(velocity_gradient, dt));
    if !L::IS_PLASTIC {
        return (trial, plastic);
    }
    let trial_hencky = hencky_strain(trial);
    let (mapped, state) = law.project(trial_hencky, plastic, dt);
    if mapped == trial_hencky {
        (trial, state)
    } else {
        (strain_from_hencky(mapped), state)
    }
}
