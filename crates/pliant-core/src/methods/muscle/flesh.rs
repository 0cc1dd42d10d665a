//! What a body of the method is made of at rest: neighbourhoods, and muscles among them.

use std::sync::Arc;

use pliant_math::DVec3;

use super::Activation;
use crate::rest::RestShape;

/// A muscle: fibres that are activated together.
#[derive(Clone, Debug)]
pub struct Muscle {
    /// Its name, no other's in the body.
    pub name: String,
    /// Stiffness of its fibres along themselves [Pa], >= 0.
    pub stiffness: f64,
    /// By which part its fibres shorten at full activation where nothing resists, in [0, 1).
    pub shortening: f64,
    /// Stress with which its fibres pull at full activation and their length at rest [Pa], >= 0.
    pub peak_stress: f64,
    /// Length of its fibres at rest [m], for the force that it pulls with; 0 if that is not of interest.
    pub length: f64,
    /// How it is activated.
    pub activation: Activation,
}

impl Muscle {
    /// Fibres of a stiffness [Pa] that shorten by at most 30 %, activated as given.
    pub fn new(name: impl Into<String>, stiffness: f64, activation: Activation) -> Self {
        Self {
            name: name.into(),
            stiffness,
            shortening: 0.3,
            peak_stress: 0.0,
            length: 0.0,
            activation,
        }
    }

    /// The modulus that its fibres add to small strains at most, activation included [Pa].
    pub fn greatest_stiffness(&self) -> f64 {
        // The slope of the pull is at most 2/0.4 of its peak, and where fibres pull they resist turning.
        self.stiffness + 5.0 * self.peak_stress
    }
}

/// The muscle that a particle is of, and how its fibres run there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fiber {
    /// Number of the muscle among those of the body.
    pub muscle: u32,
    /// Unit vector along the fibres at rest.
    pub direction: DVec3,
    /// How far along the muscle the particle is, in lengths of its wave: a travelling wave comes later there
    /// by so many periods.
    pub phase: f64,
}

/// A body of flesh at rest.
#[derive(Clone, Debug)]
pub struct Flesh {
    /// Who is whose neighbour.
    pub shape: Arc<RestShape>,
    /// Its muscles.
    pub muscles: Vec<Muscle>,
    /// The muscle of each particle; empty if there are none.
    pub fibers: Vec<Option<Fiber>>,
}

impl Flesh {
    /// Passive flesh.
    pub fn passive(shape: RestShape) -> Self {
        Self {
            shape: Arc::new(shape),
            muscles: Vec::new(),
            fibers: Vec::new(),
        }
    }

    /// The muscle of a particle.
    pub fn fiber(&self, particle: usize) -> Option<Fiber> {
        self.fibers.get(particle).copied().flatten()
    }

    /// Adds a muscle; `fiber` tells direction, of any length above zero, and phase at the particles that it has.
    /// Particles that another had are its own then.
    ///
    /// * `fiber` — of a particle, by its number and its place at rest [m]
    pub fn add(
        &mut self,
        muscle: Muscle,
        mut fiber: impl FnMut(usize, DVec3) -> Option<(DVec3, f64)>,
    ) {
        let number = self.muscles.len() as u32;
        self.muscles.push(muscle);
        self.fibers.resize(self.shape.len(), None);
        for (particle, &x) in self.shape.position.iter().enumerate() {
            if let Some((direction, phase)) = fiber(particle, x) {
                self.fibers[particle] = Some(Fiber {
                    muscle: number,
                    direction: direction.normalize_or_zero(),
                    phase,
                });
            }
        }
    }
}
