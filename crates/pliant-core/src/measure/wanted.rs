//! What of a frame is wanted.

/// What of a frame is wanted beside positions, velocities, ids, bodies, triangles and colliders, which cost
/// little: sixty pictures a second want one colour, not stress, pieces and surfaces as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted<'a> {
    /// Names of quantities; `None`: all that there are. What no quantity is called is not told.
    pub quantities: Option<&'a [&'a str]>,
    /// The surfaces that bodies carry.
    pub surfaces: bool,
}

impl<'a> Wanted<'a> {
    /// Everything.
    pub const ALL: Self = Self {
        quantities: None,
        surfaces: true,
    };

    /// No quantities and no surfaces.
    pub const MOTION: Self = Self {
        quantities: Some(&[]),
        surfaces: false,
    };

    /// These quantities, without surfaces.
    pub fn quantities(names: &'a [&'a str]) -> Self {
        Self {
            quantities: Some(names),
            surfaces: false,
        }
    }

    /// Whether a quantity is wanted.
    pub fn has(&self, name: &str) -> bool {
        self.quantities.is_none_or(|names| names.contains(&name))
    }
}
