//! Muscles that are driven from outside: by a program, a controller that learns, a user's hand.

use super::World;

/// Why a muscle cannot be driven.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ActivationError {
    /// There is no such muscle, or it has an activation of its own.
    #[error("muscle `{muscle}` of body {body} is not driven: its activation is to be `driven`")]
    NotDriven {
        /// Index of the body.
        body: u32,
        /// Name of the muscle.
        muscle: String,
    },
    /// A number that no activation has.
    #[error(
        "a muscle is driven to an activation from 0 to 1 in a time of at least 0 s, not to {0}"
    )]
    Invalid(String),
}

impl World {
    /// Changes the activation of a driven muscle from what it is now, evenly over a time [s] >= 0; then it stays.
    ///
    /// * `body` — index of the body
    /// * `muscle` — its name
    /// * `activation` — in [0, 1]
    ///
    /// # Errors
    /// If it is not driven, or a number is not in its range.
    pub fn activate(
        &mut self,
        body: u32,
        muscle: &str,
        activation: f64,
        duration: f64,
    ) -> Result<(), ActivationError> {
        if !((0.0..=1.0).contains(&activation) && duration >= 0.0 && duration.is_finite()) {
            let what = format!("{activation} in {duration} s");
            return Err(ActivationError::Invalid(what));
        }
        let (setup, state) = (&self.setup, &mut self.state);
        let mut methods = setup.methods().into_iter();
        match methods
            .any(|method| method.activate(setup, state, (body, muscle), (activation, duration)))
        {
            true => Ok(()),
            false => Err(ActivationError::NotDriven {
                body,
                muscle: muscle.into(),
            }),
        }
    }
}
