//! Families of fibres that stiffen a solid along directions.

use pliant_math::simd::Number;
use pliant_math::{Matrix3, Real, ln_and_rest};
use pliant_parameters::{Field, Kind, Problem, Range, Values};

use super::Response;

/// Families that a solid has at most: with three, no direction is left without.
pub const GREATEST_FAMILIES: usize = 3;

/// Squared stretch below which fibres answer as at this one.
const LEAST_SQUARED_STRETCH: Real = 1e-12;

/// Families of fibres, of the energy `beta ((xi^2 - 1)/2 - ln xi)` each, `xi = |F b|`.
///
/// They hold tension and compression alike. Small strains along a family add `2 beta` to the modulus.
// Cao et al. 2023, sec. 4.3, with xi for the stretch and beta for the stiffness throughout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fibers {
    /// Unit vectors at rest; those of the first `count` families count.
    pub directions: [[Real; 3]; GREATEST_FAMILIES],
    /// Stiffnesses beta [Pa], > 0.
    pub stiffness: [Real; GREATEST_FAMILIES],
    /// Number of families.
    pub count: usize,
}

impl Fibers {
    /// No fibres.
    pub const NONE: Self = Self {
        directions: [[0.0; 3]; GREATEST_FAMILIES],
        stiffness: [0.0; GREATEST_FAMILIES],
        count: 0,
    };

    /// The list of families in a scene.
    pub(crate) const FIELD: Field = Field::optional(
        "fibers",
        Kind::Tables(&[
            Field::required(
                "direction",
                Kind::Vector(3, Range::ANY),
                "",
                "Direction at rest, of any length.",
            ),
            Field::required(
                "stiffness",
                Kind::Number(Range::open(0.0, 1e18)),
                "Pa",
                "Stiffness beta: small strains along the fibres add twice this to Young's modulus.",
            ),
        ]),
        "",
        "Up to three families of fibres that stiffen the solid along them. If missing, it is the same in all directions.",
    );

    /// From the values of a scene.
    pub(crate) fn from_values(values: &Values) -> Result<Self, Problem> {
        let families = values.tables(Self::FIELD.name);
        if families.len() > GREATEST_FAMILIES {
            return Err(Problem::at(
                Self::FIELD.name,
                format!("{} families of fibres are given", families.len()),
                format!("give at most {GREATEST_FAMILIES}"),
            ));
        }
        let mut fibers = Self::NONE;
        for family in families {
            let direction = family.vector3("direction");
            fibers.push(direction, family.number("stiffness"))?;
        }
        Ok(fibers)
    }

    fn push(&mut self, direction: [f64; 3], stiffness: f64) -> Result<(), Problem> {
        let size = direction.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        if size == 0.0 {
            return Err(Problem::at(
                Self::FIELD.name,
                "a family of fibres has the direction [0, 0, 0]",
                "name the direction the fibres run along at rest",
            ));
        }
        let scaled = direction.map(|x| x / size);
        let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
        self.directions[self.count] = scaled.map(|x| (x / length) as Real);
        self.stiffness[self.count] = stiffness as Real;
        self.count += 1;
        Ok(())
    }

    /// The greatest modulus [Pa] that they add to small strains in any direction, or more.
    pub fn greatest_stiffness(&self) -> Real {
        2.0 * self.stiffness[..self.count].iter().sum::<Real>()
    }

    /// The directions in every lane.
    #[inline(always)]
    pub fn splat_directions<N: Number>(&self) -> [[N; 3]; GREATEST_FAMILIES] {
        let mut directions = [[N::ZERO; 3]; GREATEST_FAMILIES];
        for (lanes, direction) in directions.iter_mut().zip(self.directions) {
            for (component, x) in lanes.iter_mut().zip(direction) {
                *component = N::splat(x);
            }
        }
        directions
    }

    /// Adds energy and stress of the fibres at a displacement gradient, along given unit vectors.
    ///
    /// Accurate to roundings of the strain where it is small; finite for crushed fibres, too.
    // xi^2 - 1 = 2 b.(H b) + |H b|^2, P = beta (1 - 1/xi^2) (F b) b^T.
    #[inline(always)]
    pub fn add<N: Number>(
        &self,
        directions: &[[N; 3]; GREATEST_FAMILIES],
        displacement_gradient: Matrix3<N>,
        response: &mut Response<N>,
    ) {
        let two = N::splat(2.0);
        for k in 0..self.count {
            let (b, stiffness) = (directions[k], N::splat(self.stiffness[k]));
            let moved = displacement_gradient.times_vector(b);
            let end = [b[0] + moved[0], b[1] + moved[1], b[2] + moved[2]];
            let excess = two * dot(b, moved) + dot(moved, moved);
            let square = dot(end, end).max(N::splat(LEAST_SQUARED_STRETCH));
            let (_, rest) = ln_and_rest(square, excess);
            response.energy += N::splat(0.5) * stiffness * rest.max(N::ZERO);
            response.stress += Matrix3::outer(end, b) * (stiffness * excess / square);
        }
    }
}

#[inline(always)]
fn dot<N: Number>(a: [N; 3], b: [N; 3]) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
