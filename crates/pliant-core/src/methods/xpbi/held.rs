//! Impulses of stress, close pairs and XSPH on held particles, which no sweep moves.

use pliant_materials::{ReturnMapping, dispatch_hencky_law};
use pliant_math::{DVec3, Real, SymMat3, hencky_strain, to_double};

use super::columns::XpbiColumns;
use super::continuum::Continuum;
use super::settings::Multiplier;
use super::setup::XpbiSetup;
use crate::interactions::held::add_pairs;

impl Continuum {
    /// Adds the impulses [N s] of a substep of `dt` [s] on particles that are held, and on those near them:
    /// what the sweeps give those that can move (Yu et al. 2024, eq. 17).
    ///
    /// * `inverse_mass` — of all particles [1/kg], 0 for held ones
    pub fn add_impulses(
        &self,
        setup: &XpbiSetup,
        columns: &XpbiColumns,
        inverse_mass: &[Real],
        dt: f64,
        on_particle: &mut [DVec3],
    ) {
        let first = self.range.start;
        let is_held = |member: usize| inverse_mass[first + member] == 0.0;
        if !(0..self.range.len()).any(is_held) {
            return;
        }
        for member in 0..self.range.len() {
            let neighbors = || self.neighbors.neighbors(member);
            if !is_held(member) && !neighbors().any(|of| is_held(of.neighbor)) {
                continue;
            }
            let stress = match setup.settings.multiplier {
                Multiplier::Tensor => self.applied_stress(member),
                Multiplier::Scalar => self.stress_at_end(setup, columns, member),
            };
            let stress = stress - self.correcting_pressure(member);
            let scale = f64::from(self.neighbors.rest_volume(member)) * dt;
            for of in neighbors() {
                let push = to_double(stress.mul_vec3(of.gradient)) * scale;
                on_particle[first + member] += push;
                on_particle[first + of.neighbor] -= push;
            }
        }
        let place = |member| first + member;
        let neighbors = &self.neighbors;
        add_pairs(&neighbors.rows, &neighbors.interactions, place, on_particle);
        self.held_xsph_impulses().add(place, on_particle);
    }

    /// Kirchhoff stress of the strain that was committed [Pa]: the scalar multiplier does not keep what it
    /// has applied.
    fn stress_at_end(&self, setup: &XpbiSetup, columns: &XpbiColumns, member: usize) -> SymMat3 {
        let strain = hencky_strain(columns.strain[self.range.start + member]);
        let law = &setup.laws[self.neighbors.law(member)];
        dispatch_hencky_law!(law, |law| law.elasticity().kirchhoff_stress(strain))
    }
}
