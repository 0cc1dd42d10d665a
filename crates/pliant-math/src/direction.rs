//! Directions of vectors of any length.

use crate::DVec3;

/// The unit vector along a finite vector, however long or short; `None` for zero and for what is not
/// finite. The greatest component is divided out first: the square of 1e300 is beyond double precision.
pub fn direction(vector: DVec3) -> Option<DVec3> {
    let greatest = vector.abs().max_element();
    if greatest == 0.0 || !vector.is_finite() {
        return None;
    }
    (vector / greatest).try_normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_any_length_have_a_direction() {
        let expected = DVec3::new(1.0, 1.0, 0.0).normalize();
        for length in [5e-324, 1e-200, 1.0, 1e155, 1e300, f64::MAX] {
            let found = direction(DVec3::new(length, length, 0.0)).unwrap();
            assert!(found.distance(expected) < 1e-15, "{length}: {found}");
        }
        for none in [DVec3::ZERO, DVec3::X * f64::INFINITY, DVec3::NAN] {
            assert_eq!(direction(none), None);
        }
    }
}
