//! The corrected kernel gradients of one particle, computed in columns over its neighbours.

use pliant_math::{Real, SymMat3, Vec3};

use super::interactions::{GradientSums, Interaction, SearchInput};
use crate::kernels::{Correction, Wendland};
use crate::neighbors::{LANES, Neighbors};

/// What the gradients need of a block's candidates, close together.
#[derive(Debug, Default)]
pub struct Candidates {
    of: Vec<Candidate>,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    volume: Real,
    mass: Real,
    inverse_mass: Real,
}

impl Candidates {
    /// Copies the columns of these particles.
    pub fn load(&mut self, particles: &[u32], input: SearchInput<'_>) {
        self.of.clear();
        self.of.extend(particles.iter().map(|&i| Candidate {
            volume: input.volume[i as usize],
            mass: input.mass[i as usize],
            inverse_mass: input.inverse_mass[i as usize],
        }));
    }
}

/// Columns over the neighbours of one particle, as long as those of the search; scratch of a thread.
#[derive(Debug, Default)]
pub struct GradientColumns {
    volume: Vec<Real>,
    mass: Vec<Real>,
    /// 1/mass of the neighbours [1/kg].
    inverse_mass: Vec<Real>,
    /// |x_j - x_i| [m].
    distance: Vec<Real>,
    factor: Vec<Real>,
    /// V_j grad W_ij [1/m], by axis.
    start: [Vec<Real>; 3],
    /// g_ij = V_j L_i grad W_ij [1/m], by axis.
    gradient: [Vec<Real>; 3],
    /// XSPH weights [kg].
    smoothing: Vec<Real>,
}

impl GradientColumns {
    /// Computes V_j grad W_ij and the XSPH weight of each neighbour; returns the moment matrix.
    #[inline(always)]
    pub fn start(
        &mut self,
        kernel: Wendland,
        candidates: &Candidates,
        neighbors: Neighbors<'_>,
    ) -> SymMat3 {
        let columns = neighbors.columns();
        self.resize(columns.candidate.len());
        let places = self.volume.iter_mut().zip(&mut self.mass);
        let places = places.zip(&mut self.inverse_mass);
        for (&at, ((volume, mass), inverse_mass)) in columns.candidate.iter().zip(places) {
            let candidate = candidates.of[at as usize];
            *volume = candidate.volume;
            *mass = candidate.mass;
            *inverse_mass = candidate.inverse_mass;
        }
        let own = neighbors.own();
        distances(&columns.squared, &mut self.distance);
        factors(kernel, &self.distance, &self.volume, &mut self.factor);
        for (gradient, difference) in self.start.iter_mut().zip(&columns.difference) {
            products(difference, &self.factor, gradient);
        }
        let own = candidates.of[own];
        weights(
            kernel,
            (own.volume, own.mass),
            &self.distance,
            &self.volume,
            &self.mass,
            &mut self.smoothing,
        );
        outer_sum(&columns.difference, &self.start)
    }

    /// Turns V_j grad W_ij into g_ij and sums over them.
    #[inline(always)]
    pub fn correct(&mut self, correction: &Correction, inverse_mass: Real) -> GradientSums {
        let l = correction.matrix;
        let rows = [[l.xx, l.xy, l.xz], [l.xy, l.yy, l.yz], [l.xz, l.yz, l.zz]];
        let [x, y, z] = &self.start;
        for (row, gradient) in rows.into_iter().zip(&mut self.gradient) {
            combination(row, x, y, z, gradient);
        }
        let [x, y, z] = [0, 1, 2].map(|axis| sum(&self.gradient[axis]));
        let sum = Vec3::new(x, y, z);
        // The uncorrected gradients are done with: their columns take g_ij / m_j.
        for (weighted, gradient) in self.start.iter_mut().zip(&self.gradient) {
            products(gradient, &self.inverse_mass, weighted);
        }
        let mobility = outer_sum(&self.start, &self.gradient);
        GradientSums {
            gradient: sum,
            mobility: mobility + SymMat3::outer(sum) * inverse_mass,
            rank: correction.rank,
        }
    }

    /// Appends the records and the XSPH weights of the particle.
    #[inline(always)]
    pub fn write(
        &self,
        neighbors: Neighbors<'_>,
        records: &mut Vec<Interaction>,
        smoothing: &mut Vec<Real>,
    ) {
        let count = neighbors.count();
        let particles = neighbors.particles();
        let candidates = &neighbors.columns().candidate[..count];
        let [x, y, z] = [0, 1, 2].map(|axis| &self.gradient[axis][..count]);
        records.extend((0..count).map(|k| Interaction {
            gradient: [x[k], y[k], z[k]],
            neighbor: particles[candidates[k] as usize],
        }));
        smoothing.extend_from_slice(&self.smoothing[..count]);
    }

    fn resize(&mut self, count: usize) {
        let single = [
            &mut self.volume,
            &mut self.mass,
            &mut self.inverse_mass,
            &mut self.distance,
            &mut self.factor,
            &mut self.smoothing,
        ];
        let vectors = self.start.iter_mut().chain(&mut self.gradient);
        for column in single.into_iter().chain(vectors) {
            column.resize(count, 0.0);
        }
    }
}

// Not inlined: as arguments the columns are known not to overlap, which vector code needs to know.

#[inline(never)]
fn distances(squared: &[Real], distance: &mut [Real]) {
    for (squared, distance) in squared.iter().zip(distance) {
        *distance = squared.sqrt();
    }
}

#[inline(never)]
fn factors(kernel: Wendland, distance: &[Real], volume: &[Real], factor: &mut [Real]) {
    for ((&distance, volume), factor) in distance.iter().zip(volume).zip(factor) {
        *factor = volume * kernel.gradient_factor(distance);
    }
}

/// The weights of XSPH, symmetric in the pair: harmonic mean of the masses, mean of the volumes, W.
#[inline(never)]
fn weights(
    kernel: Wendland,
    (own_volume, own_mass): (Real, Real),
    distance: &[Real],
    volume: &[Real],
    mass: &[Real],
    weight: &mut [Real],
) {
    let columns = distance.iter().zip(volume).zip(mass).zip(weight);
    for (((&distance, volume), mass), weight) in columns {
        let harmonic = 2.0 * own_mass * mass / (own_mass + mass);
        *weight = harmonic * (0.5 * (own_volume + volume)) * kernel.weight(distance);
    }
}

#[inline(never)]
fn products(a: &[Real], b: &[Real], product: &mut [Real]) {
    for ((a, b), product) in a.iter().zip(b).zip(product) {
        *product = a * b;
    }
}

#[inline(never)]
fn combination(row: [Real; 3], x: &[Real], y: &[Real], z: &[Real], sum: &mut [Real]) {
    for (((x, y), z), sum) in x.iter().zip(y).zip(z).zip(sum) {
        *sum = row[0] * x + row[1] * y + row[2] * z;
    }
}

/// sum_j a_j (x) b_j, which is symmetric.
#[inline(always)]
fn outer_sum(a: &[Vec<Real>; 3], b: &[Vec<Real>; 3]) -> SymMat3 {
    let dot = |row: usize, column: usize| dot(&a[row], &b[column]);
    SymMat3::new(
        dot(0, 0),
        dot(1, 1),
        dot(2, 2),
        dot(0, 1),
        dot(0, 2),
        dot(1, 2),
    )
}

/// The scalar product of two columns of equal length, a multiple of the lanes, summed lane by lane
/// and then over the lanes: always in the same order.
#[inline(never)]
fn dot(a: &[Real], b: &[Real]) -> Real {
    let mut sums = [0.0; LANES];
    for (a, b) in a
        .as_chunks::<LANES>()
        .0
        .iter()
        .zip(b.as_chunks::<LANES>().0)
    {
        for lane in 0..LANES {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

#[inline(never)]
fn sum(a: &[Real]) -> Real {
    let mut sums = [0.0; LANES];
    for a in a.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            sums[lane] += a[lane];
        }
    }
    sums.iter().sum()
}
