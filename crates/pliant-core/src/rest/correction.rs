//! The correction that makes the gradient of any affine deformation exact.
//!
//! F_i = (sum_j (x_j - x_i) G_ij^T) L_i with G_ij = phi(|X_ij|) X_ij, X_ij = X_j - X_i at rest and
//! L_i = (sum_j G_ij X_ij^T)^-1 (Cao et al. 2023, eq. 7, without the Shepard correction, which L makes
//! up for). G_ij = -G_ji, and no scale of phi matters.

use pliant_math::{DMat3, DVec3};

/// Eigenvalues below this part of the greatest count as none: in their direction there are no
/// neighbours.
const CUT: f64 = 1e-4;

/// phi: the slope of the kernel (1 - q^2)^3 over the distance, up to a constant; 1 in the middle and 0
/// at the support radius.
///
/// * `offset` — X_j - X_i [m], shorter than `support_radius` [m]
pub fn weight(offset: DVec3, support_radius: f64) -> f64 {
    let inside = 1.0 - offset.length_squared() / (support_radius * support_radius);
    inside * inside
}

/// What a particle's neighbours allow to be known of its deformation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestCorrection {
    /// L [1/m2], symmetric; of rank 2 for a sheet, zero if not even a plane is known.
    pub inverse: DMat3,
    /// For a sheet, its normal at rest.
    pub normal: DVec3,
    /// Directions that are known: 3, 2 or 0.
    pub rank: u8,
}

impl RestCorrection {
    /// No neighbours.
    pub const NONE: Self = Self {
        inverse: DMat3::ZERO,
        normal: DVec3::ZERO,
        rank: 0,
    };

    /// Of a particle with neighbours at some offsets [m].
    pub fn new(offsets: impl Iterator<Item = DVec3>, support_radius: f64) -> Self {
        let moment = offsets.fold(DMat3::ZERO, |sum, x| {
            let g = x * weight(x, support_radius);
            sum + DMat3::from_cols(x * g.x, x * g.y, x * g.z)
        });
        Self::of_moment(moment)
    }

    /// Of a moment [m2], symmetric and not negative.
    pub fn of_moment(moment: DMat3) -> Self {
        // The invariants tell small eigenvalues: the least is about I3 / I2, the second I2 / I1.
        let trace = moment.x_axis.x + moment.y_axis.y + moment.z_axis.z;
        let adjugate = adjugate(moment);
        let second = adjugate.x_axis.x + adjugate.y_axis.y + adjugate.z_axis.z;
        let third = moment.determinant();
        if second <= CUT * trace * trace {
            return Self::NONE;
        }
        if third > CUT * trace * second {
            return Self {
                inverse: adjugate * third.recip(),
                normal: DVec3::ZERO,
                rank: 3,
            };
        }
        // Of rank 2 the adjugate is a multiple of the normal's square.
        let columns = [adjugate.x_axis, adjugate.y_axis, adjugate.z_axis];
        let longest = |a: DVec3, b: DVec3| {
            if b.length_squared() > a.length_squared() {
                b
            } else {
                a
            }
        };
        let normal = columns.into_iter().fold(DVec3::ZERO, longest).normalize();
        let square = DMat3::from_cols(normal * normal.x, normal * normal.y, normal * normal.z);
        let filled = moment + square * (trace - normal.dot(moment * normal));
        Self {
            inverse: filled.inverse() - square * (normal.dot(filled * normal)).recip(),
            normal,
            rank: 2,
        }
    }
}

/// The adjugate of a symmetric matrix.
fn adjugate(m: DMat3) -> DMat3 {
    let (a, b, c) = (m.x_axis, m.y_axis, m.z_axis);
    DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lattice(range: impl Iterator<Item = [i32; 3]>) -> Vec<DVec3> {
        range
            .map(|[x, y, z]| DVec3::new(x.into(), y.into(), z.into()) * 0.1)
            .filter(|x| x.length() > 0.0 && x.length() < 0.18)
            .collect()
    }

    fn cube() -> impl Iterator<Item = [i32; 3]> {
        (0..27).map(|k| [k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1])
    }

    fn gradient(offsets: &[DVec3], map: DMat3) -> DMat3 {
        let correction = RestCorrection::new(offsets.iter().copied(), 0.18);
        let sum = offsets.iter().fold(DMat3::ZERO, |sum, &x| {
            let g = x * weight(x, 0.18);
            let moved = map * x;
            sum + DMat3::from_cols(moved * g.x, moved * g.y, moved * g.z)
        });
        sum * correction.inverse
    }

    const MAP: DMat3 = DMat3::from_cols(
        DVec3::new(0.9, 0.4, -0.2),
        DVec3::new(-0.3, 1.2, 0.1),
        DVec3::new(0.5, -0.1, 0.7),
    );

    #[test]
    fn affine_maps_are_exact_inside_and_at_a_corner() {
        for least in [-1, 0] {
            let offsets = lattice(cube().filter(|x| x.iter().all(|&c| c >= least)));
            let error = gradient(&offsets, MAP) - MAP;
            assert!(error.to_cols_array().iter().all(|e| e.abs() < 1e-13));
        }
    }

    #[test]
    fn the_correction_of_a_sheet_has_its_plane_and_normal() {
        let offsets = lattice(cube().filter(|x| x[1] == 0));
        let correction = RestCorrection::new(offsets.iter().copied(), 0.18);
        assert_eq!(correction.rank, 2);
        assert!((correction.normal.abs() - DVec3::Y).length() < 1e-13);
        let error =
            (gradient(&offsets, MAP) - MAP) * DMat3::from_diagonal(DVec3::new(1.0, 0.0, 1.0));
        assert!(error.to_cols_array().iter().all(|e| e.abs() < 1e-13));
        assert!((gradient(&offsets, MAP) * DVec3::Y).length() < 1e-13);
    }

    #[test]
    fn the_correction_of_a_rod_or_a_lone_particle_is_zero() {
        let rod = lattice(cube().filter(|x| x[1] == 0 && x[2] == 0));
        assert_eq!(
            RestCorrection::new(rod.into_iter(), 0.18),
            RestCorrection::NONE
        );
        assert_eq!(
            RestCorrection::new(std::iter::empty(), 0.18),
            RestCorrection::NONE
        );
    }
}
