//! Mass, centre and moments of a group at rest.

use pliant_math::{DMat3, DVec3};

/// Moments whose least eigenvalue is below this part of the greatest are those of planar groups.
const PLANAR: f64 = 1e-8;

/// Mass, centre and moments of a group at rest.
#[derive(Clone, Debug)]
pub struct Moments {
    /// Its mass [kg].
    pub mass: f64,
    /// Members from the centre of mass [m].
    pub rest: Vec<DVec3>,
    /// Q = sum m X X^T [kg m2].
    pub moment: DMat3,
    /// Its inverse K [1/(kg m2)]; of planar groups on their plane, of linear ones on their line, zero of a point.
    pub inverse: DMat3,
    /// The unit normal of a planar group; a unit vector across a linear one; zero for others.
    pub normal: DVec3,
    /// The unit vector across line and normal of a linear group; zero for others.
    pub across: DVec3,
}

impl Moments {
    /// Of members.
    ///
    /// * `position` — at rest [m]
    /// * `mass` — [kg], > 0
    pub fn of(position: &[DVec3], mass: &[f64]) -> Self {
        let total: f64 = mass.iter().sum();
        let weighted = position.iter().zip(mass).map(|(&x, &m)| x * m);
        let center = weighted.sum::<DVec3>() / total;
        let rest: Vec<DVec3> = position.iter().map(|&x| x - center).collect();
        let moment = rest
            .iter()
            .zip(mass)
            .fold(DMat3::ZERO, |sum, (&x, &m)| sum + outer(x, x) * m);
        let (inverse, normal, across) = inverse(moment);
        Self {
            mass: total,
            rest,
            moment,
            inverse,
            normal,
            across,
        }
    }

    /// Whether its deformation is known, in space or in a plane.
    pub fn has_plane(&self) -> bool {
        self.inverse != DMat3::ZERO && self.across == DVec3::ZERO
    }

    /// sum w b b^T over what is free, b = m K X [1/(kg m2)]: what the gradient of a constraint moves. K if
    /// all is free.
    pub fn mobility(&self, mass: &[f64], is_free: impl Fn(usize) -> bool) -> DMat3 {
        if (0..mass.len()).all(&is_free) {
            return self.inverse;
        }
        let free = (0..mass.len()).filter(|&k| is_free(k));
        free.fold(DMat3::ZERO, |sum, k| {
            let b = self.inverse * self.rest[k];
            sum + outer(b, b) * mass[k]
        })
    }

    /// The trace of Q, sum m |X|2 [kg m2].
    pub fn trace(&self) -> f64 {
        self.moment.x_axis.x + self.moment.y_axis.y + self.moment.z_axis.z
    }

    /// Square of the frequency [1/s2] that the bending modes of a hexahedron of this size and mass have: half
    /// of it times the sum of m d^2 is the energy of what is out of place by d.
    ///
    /// * Young's modulus [Pa] and volume [m3]
    pub fn bending_rate(&self, youngs_modulus: f64, volume: f64) -> f64 {
        // (4/3) E V / (M a^2) with a^2 = (4/3) tr(Q) / M, the side of the cube of this moment.
        youngs_modulus * volume / self.trace()
    }
}

/// Stiffness of what is neither affine nor one of the modes, over that of the bending modes: a member that is pressed
/// into its cell finds the stiffness of matter of a quarter of the size of the cell. It holds energy, as all that is
/// elastic does, so that what presses gets it back; members that were put where their cell has them took it away and
/// gave it back at other times.
pub const FINE_STIFFNESS: f64 = 16.0;

/// Modes of a group beside the affine ones, at most.
pub const MODES: usize = 4;

/// What is left of a mode that others have explained is none of its own below this part.
const DEPENDENT: f64 = 0.05;

impl Moments {
    /// The modes in which a hexahedron bends and twists, xy, yz, zx and xyz, at each member: orthogonal to affine
    /// ones and to each other, sum m phi^2 = 1 [1/kg^(1/2)]. Those that the members do not tell apart are zero.
    ///
    /// * `mass` — of the members [kg]
    pub fn modes(&self, mass: &[f64]) -> Vec<[f64; MODES]> {
        let products: [fn(DVec3) -> f64; MODES] = [
            |x| x.x * x.y,
            |x| x.y * x.z,
            |x| x.z * x.x,
            |x| x.x * x.y * x.z,
        ];
        let dot = |a: &[f64], b: &[f64]| -> f64 {
            let products = a.iter().zip(b).zip(mass);
            products.map(|((a, b), m)| a * b * m).sum()
        };
        let axis = |axis: usize| self.rest.iter().map(|x| x[axis]).collect::<Vec<f64>>();
        let one = vec![1.0; self.rest.len()];
        let mut basis: Vec<Vec<f64>> = Vec::new();
        let add = |mut values: Vec<f64>, basis: &mut Vec<Vec<f64>>| {
            let size = dot(&values, &values).sqrt();
            // Twice: what rounding leaves of the first time is gone after the second.
            for _ in 0..2 {
                for other in basis.iter() {
                    let share = dot(&values, other);
                    for (value, other) in values.iter_mut().zip(other) {
                        *value -= share * other;
                    }
                }
            }
            let left = dot(&values, &values).sqrt();
            let is_own = left > DEPENDENT * size;
            if is_own {
                values.iter_mut().for_each(|value| *value /= left);
                basis.push(values);
            }
            is_own
        };
        add(one, &mut basis);
        for k in 0..3 {
            add(axis(k), &mut basis);
        }
        let mut modes = vec![[0.0; MODES]; self.rest.len()];
        for (number, product) in products.into_iter().enumerate() {
            let values = self.rest.iter().map(|&x| product(x)).collect();
            if add(values, &mut basis) {
                for (mode, value) in modes.iter_mut().zip(&basis[basis.len() - 1]) {
                    mode[number] = *value;
                }
            }
        }
        modes
    }
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The inverse of a moment and no normals, or on a plane and its normal, or on a line and two normals, or zeros.
fn inverse(moment: DMat3) -> (DMat3, DVec3, DVec3) {
    let trace = moment.x_axis.x + moment.y_axis.y + moment.z_axis.z;
    // Of the size of 1: products of small masses and lengths leave what numbers can be.
    let scaled = moment * trace.recip();
    let (a, b, c) = (scaled.x_axis, scaled.y_axis, scaled.z_axis);
    let adjugate = DMat3::from_cols(b.cross(c), c.cross(a), a.cross(b));
    // The invariants tell small eigenvalues: the least is about I3 / I2, the second I2 / I1.
    let second = adjugate.x_axis.x + adjugate.y_axis.y + adjugate.z_axis.z;
    let third = scaled.determinant();
    if second.is_nan() {
        return (DMat3::ZERO, DVec3::ZERO, DVec3::ZERO);
    }
    if second <= PLANAR {
        // Of rank 1 it is itself a multiple of the line's square.
        let line = longest_column(scaled).normalize();
        let (across, normal) = line.any_orthonormal_pair();
        return (outer(line, line) * trace.recip(), normal, across);
    }
    if third > PLANAR * second {
        let inverse = adjugate * (third * trace).recip();
        return (inverse, DVec3::ZERO, DVec3::ZERO);
    }
    // Of rank 2 the adjugate is a multiple of the normal's square.
    let normal = longest_column(adjugate).normalize();
    let square = outer(normal, normal);
    let filled = scaled + square * (1.0 - normal.dot(scaled * normal));
    let inverse = filled.inverse() - square * (normal.dot(filled * normal)).recip();
    (inverse * trace.recip(), normal, DVec3::ZERO)
}

fn longest_column(m: DMat3) -> DVec3 {
    let columns = [m.x_axis, m.y_axis, m.z_axis].into_iter();
    let longest = columns.max_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
    longest.unwrap_or(DVec3::Z)
}
