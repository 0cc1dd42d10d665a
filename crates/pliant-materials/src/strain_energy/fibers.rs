//! Families of fibres that stiffen a solid along directions.

use pliant_math::simd::Number;
use pliant_math::{DVec3, Matrix3, Real, ln_and_rest};
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
    /// How they run at rest; those of the first `count` families count.
    pub courses: [FiberField; GREATEST_FAMILIES],
    /// Stiffnesses beta [Pa], > 0.
    pub stiffness: [Real; GREATEST_FAMILIES],
    /// Number of families.
    pub count: usize,
}

/// How fibres run in the coordinates of a body at rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FiberField {
    /// All along a unit vector.
    Along([f64; 3]),
    /// In circles around an axis: a unit vector, and a point [m].
    Around([f64; 3], [f64; 3]),
    /// Away from a point [m].
    From([f64; 3]),
}

impl FiberField {
    /// The unit vector along the fibres at a point [m]; any where they have no direction.
    pub fn direction(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let from = |[a, b, c]: [f64; 3]| [x - a, y - b, z - c];
        match *self {
            Self::Along(direction) => direction,
            Self::Around(axis, point) => {
                let least = (0..3).min_by(|&i, &j| axis[i].abs().total_cmp(&axis[j].abs()));
                let aside = [0, 1, 2].map(|k| if Some(k) == least { 1.0 } else { 0.0 });
                let across = unit(cross(axis, from(point)));
                across.or(unit(cross(axis, aside))).unwrap_or(aside)
            }
            Self::From(point) => unit(from(point)).unwrap_or([1.0, 0.0, 0.0]),
        }
    }
}

/// A vector at length one, `None` if it is zero.
fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let size = v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let scaled = v.map(|x| x / size);
    let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    (size > 0.0).then(|| scaled.map(|x| x / length))
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    DVec3::from(a).cross(b.into()).into()
}

impl Fibers {
    /// No fibres.
    pub const NONE: Self = Self {
        courses: [FiberField::Along([0.0; 3]); GREATEST_FAMILIES],
        stiffness: [0.0; GREATEST_FAMILIES],
        count: 0,
    };

    /// The list of families in a scene.
    pub(crate) const FIELD: Field = Field::optional(
        "fibers",
        Kind::Tables(&[
            Field::optional(
                "direction",
                Kind::Vector(3, Range::ANY),
                "",
                "Direction of the fibres at rest, of any length.",
            ),
            Field::optional(
                "around",
                Kind::Vector(3, Range::ANY),
                "",
                "In place of `direction`: the axis of circular fibres, through `point`.",
            ),
            Field::optional(
                "point",
                Kind::Vector(3, Range::ANY),
                "m",
                "In place of `direction`, without `around`: the centre of radial fibres. In the coordinates of the body; for `around` the origin if missing.",
            ),
            Field::required(
                "stiffness",
                Kind::Number(Range::open(0.0, 1e18)),
                "Pa",
                "Stiffness beta: small strains along the fibres add twice this to Young's modulus.",
            ),
        ]),
        "",
        "Up to three families of fibres that stiffen the solid. If missing, it is isotropic.",
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
            fibers.courses[fibers.count] = field(family)?;
            fibers.stiffness[fibers.count] = family.number("stiffness") as Real;
            fibers.count += 1;
        }
        Ok(fibers)
    }

    /// The greatest modulus [Pa] that they add to small strains in any direction, or more.
    pub fn greatest_stiffness(&self) -> Real {
        2.0 * self.stiffness[..self.count].iter().sum::<Real>()
    }

    /// Unit vectors along the families at a point [m] of a body at rest.
    pub fn directions(&self, point: [f64; 3]) -> [[f64; 3]; GREATEST_FAMILIES] {
        self.courses.map(|field| field.direction(point))
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

/// How a family of fibres runs, by the values of a scene.
fn field(family: &Values) -> Result<FiberField, Problem> {
    let vector = |key| family.optional_vector3(key);
    let problem = |message: &str, remedy: &str| Problem::at(Fibers::FIELD.name, message, remedy);
    let axis_of = |name: &str, given: [f64; 3]| {
        let message = format!("a family of fibres has the {name} [0, 0, 0]");
        let remedy = "name the direction the fibres run along at rest, or around";
        unit(given).ok_or_else(|| problem(&message, remedy))
    };
    match (vector("direction"), vector("around"), vector("point")) {
        (Some(direction), None, None) => Ok(FiberField::Along(axis_of("direction", direction)?)),
        (None, Some(axis), point) => {
            let axis = axis_of("axis", axis)?;
            Ok(FiberField::Around(axis, point.unwrap_or_default()))
        }
        (None, None, Some(point)) => Ok(FiberField::From(point)),
        _ => Err(problem(
            "it is not clear how a family of fibres runs",
            "write `direction`, or `around` and perhaps `point`, or `point` alone",
        )),
    }
}

#[inline(always)]
fn dot<N: Number>(a: [N; 3], b: [N; 3]) -> N {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
