//! How a patch is deformed: the affine map of its shape at rest that comes nearest to it.
//!
//! If x = F X + c up to a deviation d, two particles are at least s |X_i - X_j| - d_i - d_j apart, s being
//! the least stretch of F. Where that is further than any of them reach, for all that were not near at
//! rest, there is no pair to be found.

use pliant_math::simd::{Job, LANES, Mask, Pack, Row};
use pliant_math::{DMat3, DVec3, Matrix3, Real, to_real};

use super::patches::Patch;

/// Least determinant of the second moments at rest, over the cube of their trace, of particles that are
/// not in a plane.
const LEAST_DETERMINANT: f64 = 1e-5;

/// Least cofactor of those moments, over the square of their trace, of particles that are not in a line.
const LEAST_COFACTOR: f64 = 1e-3;

/// The map and what it misses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fit {
    /// F by rows; where [`Self::least_stretch`] is zero there is no map.
    gradient: [[Real; 3]; 3],
    /// c [m].
    offset: [Real; 3],
    /// No more than the least stretch of F.
    pub least_stretch: Real,
    /// Greatest distance [m] of a particle of the patch from where the map puts it.
    pub deviation: Real,
}

/// Fits a map to a patch.
pub struct FitPatch<'a>(pub &'a Patch);

impl Job for FitPatch<'_> {
    type Output = Fit;

    #[inline(always)]
    fn run<P: Pack>(self) -> Fit {
        let Some(mut fit) = Sums::of::<P>(self.0).fit() else {
            return Fit::default();
        };
        fit.deviation = fit.deviation_of::<P>(self.0, [0.0; 3], [0.0; 3]);
        fit
    }
}

impl Fit {
    /// Greatest distance [m] of a particle of another patch from where the map puts it.
    ///
    /// * `shift` — from the middle of the own patch to that of the other [m]
    /// * `rest_shift` — the same at rest, between the first particles
    #[inline(always)]
    pub fn deviation_of<P: Pack>(
        &self,
        patch: &Patch,
        shift: [Real; 3],
        rest_shift: [Real; 3],
    ) -> Real {
        let mut greatest = P::ZERO;
        for (row, filled) in patch.rows() {
            let mut rest = [P::ZERO; 3];
            for axis in 0..3 {
                rest[axis] = P::load(&row.rest[axis]) + P::splat(rest_shift[axis]);
            }
            let mut squared = P::ZERO;
            for axis in 0..3 {
                let [a, b, c] = self.gradient[axis];
                let there = P::splat(a) * rest[0] + P::splat(b) * rest[1] + P::splat(c) * rest[2];
                let x = P::load(&row.position[axis]) + P::splat(shift[axis] - self.offset[axis]);
                squared += (x - there) * (x - there);
            }
            let filled = P::Mask::from_bits(filled);
            greatest = greatest.max(squared.or_where_not(filled, P::ZERO));
        }
        let mut all: Real = 0.0;
        for lane in greatest.lanes() {
            all = if lane > all { lane } else { all };
        }
        all.sqrt()
    }
}

/// Sums over the particles of a patch.
struct Sums {
    count: f64,
    position: DVec3,
    rest: DVec3,
    /// sum x X^T.
    mixed: DMat3,
    /// sum X X^T.
    square: DMat3,
}

impl Sums {
    #[inline(always)]
    fn of<P: Pack>(patch: &Patch) -> Self {
        let (mut position, mut rest) = ([P::ZERO; 3], [P::ZERO; 3]);
        let (mut mixed, mut square) = (Matrix3::<P>::ZERO, Matrix3::<P>::ZERO);
        for (row, filled) in patch.rows() {
            let filled = P::Mask::from_bits(filled);
            let (mut x, mut there) = ([P::ZERO; 3], [P::ZERO; 3]);
            for axis in 0..3 {
                x[axis] = P::load(&row.position[axis]).or_where_not(filled, P::ZERO);
                there[axis] = P::load(&row.rest[axis]).or_where_not(filled, P::ZERO);
                position[axis] += x[axis];
                rest[axis] += there[axis];
            }
            mixed += Matrix3::outer(x, there);
            square += Matrix3::outer(there, there);
        }
        Self {
            count: patch.count as f64,
            position: total(position),
            rest: total(rest),
            mixed: total_of_rows(mixed),
            square: total_of_rows(square),
        }
    }

    /// The map with the least squares of deviations.
    fn fit(&self) -> Option<Fit> {
        let (x, rest) = (self.position / self.count, self.rest / self.count);
        let mixed = self.mixed - outer(self.position, rest);
        let square = self.square - outer(self.rest, rest);
        let gradient = gradient(mixed, square)?;
        let strain = gradient.transpose() * gradient - DMat3::IDENTITY;
        // The eigenvalues of F^T F differ from 1 by no more than its norm.
        let columns = [strain.x_axis, strain.y_axis, strain.z_axis];
        let norm = columns.iter().map(|c| c.length_squared()).sum::<f64>();
        let least_stretch = (1.0 - norm.sqrt()).max(0.0).sqrt();
        let rows = gradient.transpose();
        Some(Fit {
            gradient: [rows.x_axis, rows.y_axis, rows.z_axis].map(|row| to_real(row).to_array()),
            offset: to_real(x - gradient * rest).to_array(),
            least_stretch: least_stretch as Real,
            deviation: 0.0,
        })
    }
}

/// F from sum x X^T and sum X X^T about the means. Particles in a plane tell nothing across it: their
/// normal is taken to stay a unit normal. Those in a line tell too little.
fn gradient(mut mixed: DMat3, mut square: DMat3) -> Option<DMat3> {
    let trace = square.x_axis.x + square.y_axis.y + square.z_axis.z;
    if square.determinant() <= LEAST_DETERMINANT * trace.powi(3) {
        let normals = cofactor(square);
        let columns = [normals.x_axis, normals.y_axis, normals.z_axis];
        let longest = |a: DVec3, b: DVec3| if b.length() > a.length() { b } else { a };
        let normal = columns.into_iter().fold(DVec3::ZERO, longest);
        if normal.length() <= LEAST_COFACTOR * trace * trace {
            return None;
        }
        let normal = normal.normalize();
        let deformed = (cofactor(mixed) * normal).try_normalize()?;
        mixed += outer(deformed, normal) * trace;
        square += outer(normal, normal) * trace;
    }
    Some(mixed * square.inverse())
}

/// The matrix that maps normals as the matrix maps what they are normal to.
fn cofactor(m: DMat3) -> DMat3 {
    let (a, b, c) = (m.x_axis, m.y_axis, m.z_axis);
    DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b))
}

/// The sums over all lanes.
#[inline(always)]
fn total<P: Pack>([x, y, z]: [P; 3]) -> DVec3 {
    DVec3::new(of_lanes(x), of_lanes(y), of_lanes(z))
}

#[inline(always)]
fn total_of_rows<P: Pack>(matrix: Matrix3<P>) -> DMat3 {
    let [a, b, c] = matrix.rows;
    DMat3::from_cols(total(a), total(b), total(c)).transpose()
}

#[inline(always)]
fn of_lanes<P: Pack>(pack: P) -> f64 {
    let mut row = Row::ZERO;
    pack.store(&mut row);
    let mut sums = row.0;
    for step in [LANES / 2, LANES / 4, LANES / 8, LANES / 16] {
        for lane in 0..step {
            sums[lane] += sums[lane + step];
        }
    }
    sums[0].into()
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}
