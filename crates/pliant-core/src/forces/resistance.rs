//! Drag of a flowing medium on particles.
//!
//!   dw/dt = -(linear + quadratic |w|) w,   w = v - u
//!
//! with u the velocity of the medium, by one step of implicit Euler. It cannot overshoot however
//! long the step, and the terminal velocity under a constant acceleration is exact for every step:
//! there w' (linear + quadratic |w'|) = g.
//!
//! Contacts and constraints act in between. What the medium does to something at rest is pushed into the
//! velocity before them, and taken out again of what they have left before the step of Euler: what nothing
//! touches does not feel the difference, and what they hold at rest stays so.

use pliant_math::DVec3;
use pliant_parameters::{Field, Kind, Problem, Range, Values};

/// Drag per mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resistance {
    /// Rate of the drag that grows with the speed [1/s], >= 0.
    pub linear: f64,
    /// Coefficient of the drag that grows with its square [1/m], >= 0.
    pub quadratic: f64,
}

pub(super) const LINEAR: Field = Field::optional(
    "linear",
    Kind::Number(Range::NOT_NEGATIVE),
    "1/s",
    "Drag that grows with the speed, as a rate: for spheres of diameter d and density rho in a medium of viscosity mu, 18 mu / (rho d^2) (Stokes). If missing, 0.",
);

pub(super) const QUADRATIC: Field = Field::optional(
    "quadratic",
    Kind::Number(Range::NOT_NEGATIVE),
    "1/m",
    "Drag that grows with the square of the speed: for spheres of diameter d and density rho in a medium of density rho_m, 3 C rho_m / (4 rho d) with their drag coefficient C. If missing, 0.",
);

/// A medium where a particle is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Medium {
    /// Its velocity [m/s].
    pub flow: DVec3,
    /// How it takes hold.
    pub resistance: Resistance,
}

impl Medium {
    /// Change of the velocity [m/s] over `dt` [s] of something that is kept at rest in it.
    pub fn push(&self, dt: f64) -> DVec3 {
        let Resistance { linear, quadratic } = self.resistance;
        self.flow * (dt * (linear + quadratic * self.flow.length()))
    }

    /// Change of a velocity [m/s] over `dt` [s] that nothing else acts on.
    pub fn velocity_change(&self, velocity: DVec3, dt: f64) -> DVec3 {
        self.resistance.velocity_change(self.flow, velocity, dt)
    }

    /// Change of what [`Self::push`] and all else that acts have made of a velocity [m/s] over `dt` [s].
    pub fn resist(&self, velocity: DVec3, dt: f64) -> DVec3 {
        let push = self.push(dt);
        self.velocity_change(velocity - push, dt) - push
    }
}

impl Resistance {
    /// From the fields [`LINEAR`] and [`QUADRATIC`], one of which must be there.
    pub(super) fn read(values: &Values) -> Result<Self, Problem> {
        let (linear, quadratic) = ("linear", "quadratic");
        if !values.has(linear) && !values.has(quadratic) {
            return Err(Problem::whole(
                "it has no drag and would move nothing",
                "give `linear` in 1/s, such as 2.0, or `quadratic` in 1/m",
            ));
        }
        Ok(Self {
            linear: values.optional_number(linear).unwrap_or(0.0),
            quadratic: values.optional_number(quadratic).unwrap_or(0.0),
        })
    }

    /// Change of velocity [m/s] over `dt` [s] in a medium that moves at `flow` [m/s].
    pub fn velocity_change(&self, flow: DVec3, velocity: DVec3, dt: f64) -> DVec3 {
        let relative = velocity - flow;
        // |w'| (1 + linear dt + quadratic dt |w'|) = |w|; this form of the root does not cancel.
        let damped = 1.0 + self.linear * dt;
        let inertial = 4.0 * self.quadratic * dt * relative.length();
        let share = 2.0 / (damped + (damped * damped + inertial).sqrt());
        relative * (share - 1.0)
    }
}
