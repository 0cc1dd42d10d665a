//! Full cubic springs: three stiffnesses at three lengths (Vogiannou et al. 2010, eqs. 4 to 8).

use std::fmt;

use super::SpringCurve;

/// What a full cubic spring is made of: no force at the rest length, and its stiffness there, stretched
/// and compressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CubicSpring {
    /// K, stiffness at the rest length [N/m], > 0.
    pub stiffness: f64,
    /// K1, stiffness at the stretched length [N/m], > 0.
    pub stretched_stiffness: f64,
    /// K2, stiffness at the compressed length [N/m], > 0.
    pub compressed_stiffness: f64,
    /// a1, the stretched length in rest lengths, > 1.
    pub stretched_length: f64,
    /// a2, the compressed length in rest lengths, > 0, < 1.
    pub compressed_length: f64,
}

/// Why numbers make no spring: the inequality that does not hold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NotMonotone {
    /// A number itself is out of range.
    OutOfRange,
    /// The slope falls without end, in compression or in extension: A [N/m].
    Falling(f64),
    /// The slope is not positive at a length between.
    Softening {
        /// The least slope [N/m], <= 0.
        stiffness: f64,
        /// Where, in rest lengths.
        length: f64,
    },
}

impl fmt::Display for NotMonotone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange => write!(
                f,
                "stiffnesses must be greater than zero, and compressed_length < 1 < stretched_length"
            ),
            Self::Falling(curvature) => write!(
                f,
                "A = ((K1 - K)/(a1 - 1) + (K2 - K)/(1 - a2))/(a1 - a2) is {curvature:.4e} N/m, and A >= 0 must hold, with B = 0 where A = 0"
            ),
            Self::Softening { stiffness, length } => write!(
                f,
                "K + B s + A s^2 > 0 must hold for every strain s > -1, and at {length:.3} rest lengths it is {stiffness:.4e} N/m"
            ),
        }
    }
}

impl std::error::Error for NotMonotone {}

impl CubicSpring {
    /// The curve through the three stiffnesses.
    ///
    /// # Errors
    /// If tension does not grow with length everywhere: the spring would push where it is pulled.
    pub fn curve(&self) -> Result<SpringCurve, NotMonotone> {
        let curve = self.curve_through().ok_or(NotMonotone::OutOfRange)?;
        let (slope, curvature) = (2.0 * curve.half_slope, 3.0 * curve.third_curvature);
        if curvature < 0.0 || (curvature == 0.0 && slope != 0.0) {
            return Err(NotMonotone::Falling(curvature));
        }
        // K + B s + A s^2 is least at s = -B/(2A), or at the end s = -1 if that lies beyond.
        let least_at = match curvature > 0.0 {
            true => (-slope / (2.0 * curvature)).max(-1.0),
            false => 0.0,
        };
        let stiffness = curve.slope(least_at);
        if stiffness > 0.0 {
            return Ok(curve);
        }
        Err(NotMonotone::Softening {
            stiffness,
            length: 1.0 + least_at,
        })
    }

    /// The curve, monotone or not; `None` if a number is out of range.
    ///
    /// The closed form of the four equations g(L) = 0, g'(L) = K, g'(a1 L) = K1, g'(a2 L) = K2, whose
    /// matrix has entries from 1 to L^3.
    pub fn curve_through(&self) -> Option<SpringCurve> {
        let stiffnesses = [
            self.stiffness,
            self.stretched_stiffness,
            self.compressed_stiffness,
        ];
        let (above, below) = (self.stretched_length - 1.0, 1.0 - self.compressed_length);
        let is_positive = |x: f64| x > 0.0 && x.is_finite();
        let are_in_range = stiffnesses.into_iter().all(is_positive)
            && is_positive(above)
            && is_positive(below)
            && below < 1.0;
        if !are_in_range {
            return None;
        }
        let rise = (self.stretched_stiffness - self.stiffness) / above;
        let fall = (self.compressed_stiffness - self.stiffness) / below;
        let curvature = (rise + fall) / (above + below);
        let slope = rise - above * curvature;
        Some(SpringCurve {
            stiffness: self.stiffness,
            half_slope: 0.5 * slope,
            third_curvature: curvature / 3.0,
        })
    }
}
