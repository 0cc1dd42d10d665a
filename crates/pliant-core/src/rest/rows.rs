//! Neighbourhoods at rest of particles, sixteen side by side.
//!
//! Every particle knows where its neighbours were at rest, X_ij = X_j - X_i, and what makes sums over them
//! exact for affine maps (`correction`):
//!
//!   grad u = (sum_j (u_j - u_i) G_ij^T) L_i,   G_ij = phi(|X_ij|) X_ij
//!
//! Zero-energy modes, which no gradient sees, are resisted by a stiffness of each bond (Ganzenmueller 2015).

use pliant_math::simd::{Pack, Places, Row};
use pliant_math::{DMat3, DVec3, Matrix3, Real, SymMat3, Vector3};

use super::{RestCorrection, weight};
use crate::parallel::gather;

/// What sixteen particles have at rest.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct RestRow {
    /// Their places.
    pub particle: Places,
    /// L [1/m2].
    pub inverse: [Row; 6],
    /// sum_j G_ij [m].
    pub gradient_sum: [Row; 3],
    /// Normals of sheets; zero for what has neighbours all around.
    pub normal: [Row; 3],
    /// Volumes [m3].
    pub volume: Row,
    /// Inverse square of the support radius [1/m2].
    pub inverse_squared_support: Row,
    /// Strength of the hourglass stiffness, see [`RestRow::hourglass`] [N m].
    pub hourglass_stiffness: Row,
    /// Twice the sum of the hourglass stiffnesses over the particle's mass [1/s2].
    pub hourglass_rate: Row,
}

/// A bond of each of sixteen particles to a neighbour. One that has none left is bound to itself.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct BondRow {
    /// The neighbours.
    pub neighbor: Places,
    /// X_ij at rest [m].
    pub offset: [Row; 3],
}

/// The neighbourhood of a particle, to be put into a lane of rows.
#[derive(Clone, Debug)]
pub struct Neighborhood {
    /// Place of its particle.
    pub particle: u32,
    /// Places of the neighbours.
    pub neighbors: Vec<u32>,
    /// X_ij of each [m].
    pub offsets: Vec<DVec3>,
    /// What they allow to be known.
    pub correction: RestCorrection,
    /// Rest volume [m3].
    pub volume: f64,
    /// Support radius [m].
    pub support_radius: f64,
    /// Young's modulus [Pa], which hourglass control goes by.
    pub youngs_modulus: f64,
}

/// Shortest bond at rest that hourglass control takes as it is, in support radii.
const SHORTEST: f64 = 0.03;

/// How many bonds ahead memory is prefetched.
const PREFETCH_DISTANCE: usize = 8;

impl BondRow {
    /// Prefetches the bond that is read some bonds later, be it of a later row.
    #[inline(always)]
    pub fn prefetch<P: Pack>(bonds: &[Self], at: usize) {
        P::prefetch(bonds, at + PREFETCH_DISTANCE, size_of::<Self>());
    }

    /// True if the bond of a lane leads to a neighbour.
    pub fn leads_away(&self, row: &RestRow, lane: usize) -> bool {
        self.neighbor.get(lane) != row.particle.get(lane)
    }

    /// The gradient G_ij [m] of a lane.
    ///
    /// * `row` — the bond's
    pub fn gradient(&self, row: &RestRow, lane: usize) -> DVec3 {
        let [x, y, z] = self.offset.each_ref().map(|row| f64::from(row.0[lane]));
        let inverse_squared = f64::from(row.inverse_squared_support.0[lane]);
        let offset = DVec3::new(x, y, z);
        offset * weight(offset, inverse_squared.sqrt().recip())
    }
}

impl RestRow {
    /// Puts a neighbourhood into a lane of the row and of its bonds.
    ///
    /// * `mass` — of its particle [kg]
    pub fn set_lane(&mut self, bonds: &mut [BondRow], lane: usize, new: &Neighborhood, mass: Real) {
        for (k, bond) in bonds.iter_mut().enumerate() {
            let neighbor = new.neighbors.get(k).unwrap_or(&new.particle);
            bond.neighbor.set(lane, *neighbor);
            let offset = new.offsets.get(k).copied();
            set_vector(&mut bond.offset, lane, offset.unwrap_or(DVec3::ZERO));
        }
        self.particle.set(lane, new.particle);
        set_symmetric(&mut self.inverse, lane, new.correction.inverse);
        set_vector(&mut self.normal, lane, new.correction.normal);
        let offsets = new.offsets.iter();
        let gradients = offsets.clone().map(|&x| x * weight(x, new.support_radius));
        set_vector(&mut self.gradient_sum, lane, gradients.sum());
        self.volume.set(lane, new.volume as Real);
        let squared = new.support_radius * new.support_radius;
        self.inverse_squared_support
            .set(lane, squared.recip() as Real);
        let stiffness = new.hourglass_stiffness();
        self.hourglass_stiffness.set(lane, stiffness as Real);
        let weights = offsets.map(|&x| hourglass_weight(x, new.support_radius));
        let total = stiffness * weights.sum::<f64>();
        let rate = 2.0 * total / f64::from(mass);
        self.hourglass_rate.set(lane, rate as Real);
    }

    /// L of a lane times a vector.
    pub fn inverse_times(&self, lane: usize, v: DVec3) -> DVec3 {
        let [xx, yy, zz, xy, xz, yz] = self.inverse.each_ref().map(|row| f64::from(row.0[lane]));
        DVec3::new(
            xx * v.x + xy * v.y + xz * v.z,
            xy * v.x + yy * v.y + yz * v.z,
            xz * v.x + yz * v.y + zz * v.z,
        )
    }

    /// The gradient G_ij [m] of bonds.
    ///
    /// * `offset` — X_ij [m]
    #[inline(always)]
    pub fn gradient<P: Pack>(&self, offset: Vector3<P>) -> Vector3<P> {
        let inside = self.inside(offset);
        offset * (inside * inside)
    }

    /// A strength times (1 - q^2)^3 / |X_ij|^2, which the hourglass stiffness of bonds goes by.
    ///
    /// * `offset` — X_ij [m]
    #[inline(always)]
    pub fn hourglass<P: Pack>(&self, strength: P, offset: Vector3<P>) -> P {
        let inside = self.inside(offset);
        let inverse_squared = P::load(&self.inverse_squared_support);
        let shortest = P::splat((SHORTEST * SHORTEST) as Real) / inverse_squared;
        strength * (inside * inside * inside) / offset.squared().max(shortest)
    }

    /// 1 - q^2 of bonds.
    #[inline(always)]
    fn inside<P: Pack>(&self, offset: Vector3<P>) -> P {
        P::splat(1.0) - offset.squared() * P::load(&self.inverse_squared_support)
    }

    /// grad v at the particles [1/s], the rate of their deformation.
    ///
    /// * `bonds` — those of the row
    /// * `velocity` — of all particles [m/s]; the fourth component does not count
    #[inline(always)]
    pub fn rate<P: Pack>(&self, bonds: &[BondRow], velocity: &[[Real; 4]]) -> Matrix3<P> {
        let own = vector_at::<P>(velocity, &self.particle);
        let mut rate = Matrix3::ZERO;
        for bond in bonds {
            let gradient = self.gradient(Vector3::load(&bond.offset));
            rate += (vector_at(velocity, &bond.neighbor) - own).outer(gradient);
        }
        rate.times_symmetric(SymMat3::load(&self.inverse))
    }
}

#[inline(always)]
fn vector_at<P: Pack>(records: &[[Real; 4]], places: &Places) -> Vector3<P> {
    let [x, y, z, _] = gather::<P>(records, places);
    Vector3 { x, y, z }
}

impl Neighborhood {
    /// Without a plane the position of neighbours is not determined.
    fn hourglass_stiffness(&self) -> f64 {
        match self.correction.rank {
            0 => 0.0,
            _ => hourglass_stiffness(self.youngs_modulus, self.volume, self.support_radius),
        }
    }
}

/// The hourglass stiffness of alpha = 1 over the weight of a bond [N m]: k_ij = E/2 V_i V_j W_ij / |X_ij|^2, with V_i for
/// V_j (Ganzenmueller 2015).
///
/// * Young's modulus [Pa], volume of the particle [m3], support radius [m]
pub fn hourglass_stiffness(youngs_modulus: f64, volume: f64, support_radius: f64) -> f64 {
    let kernel = 315.0 / (64.0 * std::f64::consts::PI * support_radius.powi(3));
    0.5 * youngs_modulus * volume * volume * kernel
}

/// (1 - q^2)^3 / |X_ij|^2 [1/m2], which the hourglass stiffness of bonds goes by.
///
/// * `offset` — X_ij [m], shorter than the support radius [m]
pub fn hourglass_weight(offset: DVec3, support_radius: f64) -> f64 {
    let squared = support_radius * support_radius;
    let inside = 1.0 - offset.length_squared() / squared;
    inside.powi(3) / offset.length_squared().max(SHORTEST * SHORTEST * squared)
}

/// Changes the vector of a lane.
pub fn set_vector(rows: &mut [Row; 3], lane: usize, vector: DVec3) {
    for (row, component) in rows.iter_mut().zip(vector.to_array()) {
        row.set(lane, component as Real);
    }
}

/// Changes the symmetric matrix of a lane.
pub fn set_symmetric([xx, yy, zz, xy, xz, yz]: &mut [Row; 6], lane: usize, m: DMat3) {
    xx.set(lane, m.x_axis.x as Real);
    yy.set(lane, m.y_axis.y as Real);
    zz.set(lane, m.z_axis.z as Real);
    xy.set(lane, m.y_axis.x as Real);
    xz.set(lane, m.z_axis.x as Real);
    yz.set(lane, m.z_axis.y as Real);
}

/// The symmetric matrix of a lane.
pub fn symmetric(rows: &[Row; 6], lane: usize) -> DMat3 {
    let [xx, yy, zz, xy, xz, yz] = rows.map(|row| f64::from(row.0[lane]));
    DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz])
}

#[cfg(test)]
mod tests {
    use pliant_math::RandomStream;
    use pliant_math::simd::{Instructions, Job, LANES};

    use super::super::RestShape;
    use super::*;

    const TOLERANCE: Real = if size_of::<Real>() == 4 { 1e-5 } else { 1e-12 };

    const MAP: [[Real; 3]; 3] = [[0.9, -0.3, 0.5], [0.4, 1.2, -0.1], [-0.2, 0.1, 0.7]];

    /// A lattice of five particles a side with places a little off it, all of them neighbours at 1.8
    /// spacings.
    fn shape() -> RestShape {
        let stream = RandomStream::new(2, 0);
        let at = |k: u64| {
            let lattice = [k / 25, k / 5 % 5, k % 5].map(|c| c as f64);
            let off = [0, 1, 2].map(|axis| 0.2 * stream.unit(3 * k + axis));
            (DVec3::from_array(lattice) + DVec3::from_array(off)) * 0.1
        };
        RestShape::new((0..125).map(at).collect(), 0.18)
    }

    fn neighborhood(shape: &RestShape, particle: usize) -> Neighborhood {
        let neighbors = shape.neighbors_of(particle).to_vec();
        let x = shape.position[particle];
        let offsets = neighbors
            .iter()
            .map(|&other| shape.position[other as usize] - x);
        let offsets: Vec<DVec3> = offsets.collect();
        Neighborhood {
            particle: particle as u32,
            neighbors,
            correction: RestCorrection::new(offsets.iter().copied(), shape.support_radius),
            offsets,
            volume: 1e-3,
            support_radius: shape.support_radius,
            youngs_modulus: 1e5,
        }
    }

    /// The row of sixteen particles from one on, with its bonds.
    fn row(shape: &RestShape, first: usize) -> (RestRow, Vec<BondRow>) {
        let all: Vec<_> = (first..first + LANES)
            .map(|k| neighborhood(shape, k))
            .collect();
        let most = all.iter().map(|of_one| of_one.neighbors.len()).max();
        let mut bonds = vec![BondRow::default(); most.unwrap_or(0)];
        let mut row = RestRow::default();
        for (lane, of_one) in all.iter().enumerate() {
            row.set_lane(&mut bonds, lane, of_one, 1.0);
        }
        (row, bonds)
    }

    struct Rate<'a>(&'a RestRow, &'a [BondRow], &'a [[Real; 4]]);

    impl Job for Rate<'_> {
        type Output = [[Row; 3]; 3];

        fn run<P: Pack>(self) -> [[Row; 3]; 3] {
            let mut rows = [[Row::ZERO; 3]; 3];
            self.0.rate::<P>(self.1, self.2).store(&mut rows);
            rows
        }
    }

    #[test]
    fn the_gradient_of_an_affine_map_is_exact_inside_and_at_corners() {
        let shape = shape();
        let image = |x: &DVec3| {
            let components = MAP.map(|row| {
                let exact = DVec3::from_array(row.map(f64::from)).dot(*x);
                exact as Real
            });
            [components[0], components[1], components[2], 0.0]
        };
        let field: Vec<[Real; 4]> = shape.position.iter().map(image).collect();
        for first in (0..125 - LANES).step_by(LANES) {
            let (row, bonds) = row(&shape, first);
            for instructions in Instructions::available() {
                let rate = instructions.run(Rate(&row, &bonds, &field));
                for k in 0..9 * LANES {
                    let (lane, i, j) = (k / 9, k / 3 % 3, k % 3);
                    let error = rate[i][j].0[lane] - MAP[i][j];
                    assert!(error.abs() < TOLERANCE, "{error:e}");
                }
            }
        }
    }

    struct Hourglass<'a>(&'a RestRow, &'a BondRow);

    impl Job for Hourglass<'_> {
        type Output = Row;

        fn run<P: Pack>(self) -> Row {
            let strength = P::load(&self.0.hourglass_stiffness);
            let mut row = Row::ZERO;
            let stiffness = self.0.hourglass(strength, Vector3::load(&self.1.offset));
            stiffness.store(&mut row);
            row
        }
    }

    #[test]
    fn hourglass_stiffnesses_add_up_to_their_rate() {
        let (row, bonds) = row(&shape(), 40);
        let mut sums = [0.0; LANES];
        for bond in &bonds {
            let stiffness = Instructions::best().run(Hourglass(&row, bond));
            for lane in (0..LANES).filter(|&lane| bond.leads_away(&row, lane)) {
                sums[lane] += stiffness.0[lane];
            }
        }
        for (lane, sum) in sums.into_iter().enumerate() {
            // Of a mass of 1 kg.
            let rate = row.hourglass_rate.0[lane];
            assert!((2.0 * sum / rate - 1.0).abs() < TOLERANCE, "{sum} {rate}");
        }
    }

    #[test]
    fn gradients_of_lanes_are_those_of_packs_and_add_up() {
        let (row, bonds) = row(&shape(), 16);
        for lane in 0..LANES {
            let sum: DVec3 = bonds.iter().map(|bond| bond.gradient(&row, lane)).sum();
            let kept = row
                .gradient_sum
                .each_ref()
                .map(|row| f64::from(row.0[lane]));
            assert!((sum - DVec3::from_array(kept)).length() < 1e-6);
        }
    }
}
