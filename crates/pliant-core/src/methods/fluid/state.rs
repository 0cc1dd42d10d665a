//! Data of each row of particles beside its neighbours.

use pliant_math::Real;
use pliant_math::simd::{LANES, Pack, Row};

use crate::constraints::maximum_density::MaximumDensity;

use crate::interactions::{Interactions, NeighborSums, RowData, RowState};
use crate::kernels::FreeSurface;

/// Density and walls of a row.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct DensityRow {
    /// sum V W of neighbours and walls, without the particle itself.
    pub fraction: Row,
    /// tr K = sum_j |g|^2/m_j + |sum g|^2/m_i [1/(kg m2)], without walls.
    pub mobility: Row,
    /// What the divergence shall at least be [1/s].
    pub target: Row,
    /// Change of the pressure for a lacking divergence, 1/(dt V0 tr K) [Pa s]; 0 for what has none.
    pub response: Row,
    /// Density over rest density less one.
    pub compression: Row,
    /// -grad of the walls' share in the density [1/m]: towards the walls.
    pub wall_gradient: [Row; 3],
    /// The flow of walls towards the particle, wall_gradient . u summed over walls [1/s].
    pub wall_flow: Row,
    /// Inverse mass [1/kg]; 0 for held ones.
    pub inverse_mass: Row,
    /// V0 W(0).
    pub own_fraction: Row,
    /// 1 for particles of the fluid, 0 for solids, which have no constraint.
    pub is_fluid: Row,
    /// Dynamic viscosity [Pa s].
    pub viscosity: Row,
    /// L_i, which makes gradients exact for linear fields: shear is measured with it.
    pub correction: [Row; 6],
    /// Bound on the eigenvalues of L K L [1/(kg m2)].
    pub shear_bound: Row,
}

/// What a row has.
pub type FluidRow = RowData<DensityRow>;

/// The interactions of a group.
pub type FluidInteractions = Interactions<DensityRow>;

/// What the search hands through for each particle.
#[derive(Clone, Copy, Debug, Default)]
pub struct FluidMember {
    /// V0 W(0).
    pub own_fraction: Real,
    /// Whether it is of the fluid.
    pub is_fluid: bool,
    /// Dynamic viscosity [Pa s].
    pub viscosity: Real,
    /// Inverse mass [1/kg].
    pub inverse_mass: Real,
}

impl RowState for DensityRow {
    type Columns<'a> = &'a [FluidMember];

    const CORRECTS: bool = false;

    #[inline(always)]
    fn read(&mut self, lane: usize, members: &[FluidMember], particle: usize) {
        let member = members[particle];
        self.own_fraction.set(lane, member.own_fraction);
        self.is_fluid
            .set(lane, Real::from(u8::from(member.is_fluid)));
        self.viscosity.set(lane, member.viscosity);
        self.inverse_mass.set(lane, member.inverse_mass);
    }

    #[inline(always)]
    fn take<P: Pack>(&mut self, sums: NeighborSums<P>) {
        sums.volume_fraction.store(&mut self.fraction);
        sums.mobility.trace().store(&mut self.mobility);
        sums.correction.store(&mut self.correction);
        let l = sums.correction;
        // L K L has at most the greatest eigenvalue of K times that of L, twice.
        let bound = l.gershgorin_bound();
        let shear = sums.mobility.gershgorin_bound() * bound * bound;
        shear.store(&mut self.shear_bound);
    }
}

/// Turns the sums of a row, walls included, into its constraint. What has no neighbours has no pressure
/// to start from.
pub fn complete(
    row: &mut FluidRow,
    rule: MaximumDensity,
    surface: &FreeSurface,
    pressure: &mut Row,
) {
    for lane in 0..LANES {
        let state = &mut row.state;
        let total = state.own_fraction.0[lane] + state.fraction.0[lane];
        let sum = row.gradient_sum.map(|axis| axis.0[lane]);
        let wall = state.wall_gradient.map(|axis| axis.0[lane]);
        let inverse_mass = state.inverse_mass.0[lane];
        let square = |v: [Real; 3]| v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        let with_walls = [0, 1, 2].map(|axis: usize| sum[axis] + wall[axis]);
        let mobility = state.mobility.0[lane] + inverse_mass * (square(with_walls) - square(sum));
        state.compression.0[lane] = total / rule.fraction - 1.0;
        let missing = surface.missing(square(with_walls).sqrt());
        state.target.0[lane] = rule.least_divergence_at_surface(total, total + missing);
        state.response.0[lane] = if state.is_fluid.0[lane] > 0.0 {
            rule.response(row.rest_volume.0[lane], mobility)
        } else {
            0.0
        };
        if state.response.0[lane] <= 0.0 {
            pressure.set(lane, 0.0);
        }
    }
}
