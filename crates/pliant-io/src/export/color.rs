//! Colours as programs that compute with light want them.

/// A colour by its linear components, from sRGB in [0, 1] (IEC 61966-2-1).
pub(super) fn linear(color: [f32; 3]) -> [f32; 3] {
    color.map(|c| match c <= 0.04045 {
        true => c / 12.92,
        false => ((c + 0.055) / 1.055).powf(2.4),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_stay_and_middle_grey_is_a_fifth() {
        assert_eq!(linear([0.0, 0.0, 1.0]), [0.0, 0.0, 1.0]);
        assert!((linear([0.5; 3])[0] - 0.214).abs() < 1e-3);
    }
}
