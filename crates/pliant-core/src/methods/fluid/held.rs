//! Impulses of pressure and viscosity on held particles, which no sweep moves.

use pliant_math::simd::Row;
use pliant_math::{DVec3, Real, SymMat3, Vec3, to_double};

use super::state::{FluidInteractions, FluidRow};
use crate::interactions::ParticleRows;

/// Stresses of a group at the end of a substep.
#[derive(Clone, Copy)]
pub struct Stresses<'a> {
    /// Who stands where.
    pub rows: &'a ParticleRows,
    /// Neighbours and gradients.
    pub interactions: &'a FluidInteractions,
    /// Pressure of each row [Pa].
    pub pressure: &'a [Row],
    /// Viscous stress of each row [Pa]; empty without viscosity.
    pub shear: &'a [[Row; 6]],
    /// The substep [s].
    pub dt: Real,
}

impl Stresses<'_> {
    /// Adds the impulses [N s] that held particles get from their own stress and that of their neighbours,
    /// as the sweeps give them to those that can move.
    ///
    /// * `members` — places of the members of the group in the columns
    /// * `inverse_mass` — of all particles [1/kg], 0 for held ones
    pub fn add_impulses(self, members: &[u32], inverse_mass: &[Real], on_particle: &mut [DVec3]) {
        let is_held = |member: usize| inverse_mass[members[member] as usize] == 0.0;
        let place = |member: usize| members[member] as usize;
        for member in 0..members.len() {
            let own_is_held = is_held(member);
            let neighbors = || self.interactions.of(self.rows, member);
            if !own_is_held && !neighbors().any(|of| is_held(of.neighbor)) {
                continue;
            }
            let stress = self.at(member);
            for of in neighbors() {
                let push = to_double(stress.along(of.gradient));
                on_particle[place(member)] += push;
                on_particle[place(of.neighbor)] -= push;
            }
            on_particle[place(member)] -= to_double(stress.wall);
        }
    }

    fn at(self, member: usize) -> Stress {
        let (row, lane) = self.rows.place(member);
        let data: &FluidRow = &self.interactions.data[row];
        let of_lane = |rows: &[Row; 6]| {
            SymMat3::from_components(rows.each_ref().map(|component| component.0[lane]))
        };
        let step_volume = self.dt * data.rest_volume.0[lane];
        let strength = self.pressure[row].0[lane] * step_volume;
        let wall = data.state.wall_gradient.each_ref();
        Stress {
            strength,
            shear: self.shear.get(row).map_or(SymMat3::ZERO, of_lane) * step_volume,
            correction: of_lane(&data.state.correction),
            wall: Vec3::from_array(wall.map(|axis| axis.0[lane])) * strength,
        }
    }
}

/// Stress of a particle over a substep.
struct Stress {
    /// dt V0 p [Pa m3 s].
    strength: Real,
    /// dt V0 T [Pa m3 s].
    shear: SymMat3,
    /// L, which corrects the gradients of viscosity.
    correction: SymMat3,
    /// Impulse on walls [N s].
    wall: Vec3,
}

impl Stress {
    /// Impulse on the particle along the gradient of a neighbour [N s].
    fn along(&self, gradient: Vec3) -> Vec3 {
        let viscous = self.shear.mul_vec3(self.correction.mul_vec3(gradient));
        viscous - gradient * self.strength
    }
}
