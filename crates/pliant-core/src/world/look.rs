//! What pictures make of bodies.

/// How a body looks in pictures, beside its colour. Nothing of it acts on the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Look {
    /// What its loose particles are shown as.
    pub shown_as: ShownAs,
    /// Share of light that a layer of it keeps back, where it is shown as a surface: 1 opaque, near 0 clear.
    pub opacity: f32,
    /// How much it shines: 0 matt, 1 as if wet.
    pub gloss: f32,
}

/// What loose particles are shown as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownAs {
    /// Each as a ball.
    #[default]
    Particles,
    /// All by the surface around them, with those of other bodies of their material if they flow together.
    Surface,
}

impl Default for Look {
    /// Opaque particles that shine a little.
    fn default() -> Self {
        Self {
            shown_as: ShownAs::Particles,
            opacity: 1.0,
            gloss: 0.1,
        }
    }
}
