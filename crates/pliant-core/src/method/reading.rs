//! What can be read off a method's particles.

use pliant_math::{DMat3, SymMat3, symmetric_eigen};

/// What the material around a particle says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Volume over that at rest; of sheets the area.
    pub volume_ratio: f64,
    /// Von Mises stress [Pa].
    pub von_mises: f64,
    /// The particle's share of the elastic energy [J].
    pub energy: f64,
    /// The law's scalar of history.
    pub plastic_state: f64,
}

impl Default for Reading {
    /// Nothing is deformed.
    fn default() -> Self {
        Self {
            volume_ratio: 1.0,
            von_mises: 0.0,
            energy: 0.0,
            plastic_state: 0.0,
        }
    }
}

/// A reading for each place.
#[derive(Clone, Debug, Default)]
pub struct Readings {
    /// Of each particle.
    pub of_place: Vec<Reading>,
    /// F of each particle; empty unless somebody wants it.
    pub deformation_gradient: Vec<DMat3>,
    /// Activation, from 0 to 1, and length over length at rest of the fibres of each particle; empty without
    /// muscles.
    pub fibers: Vec<[f64; 2]>,
}

impl Readings {
    /// So many undeformed particles.
    ///
    /// * `with_gradients` — whether F is wanted
    pub fn undeformed(particles: usize, with_gradients: bool) -> Self {
        let gradients = if with_gradients { particles } else { 0 };
        Self {
            of_place: vec![Reading::default(); particles],
            deformation_gradient: vec![DMat3::IDENTITY; gradients],
            fibers: Vec::new(),
        }
    }
}

/// What a muscle does.
#[derive(Clone, Debug, PartialEq)]
pub struct MuscleReading {
    /// Index of its body.
    pub body: u32,
    /// Its name.
    pub name: String,
    /// Mean activation, from 0 to 1.
    pub activation: f64,
    /// Mean length of its fibres over that at rest.
    pub stretch: f64,
    /// Mean stress along its fibres over the area at rest [Pa].
    pub tension: f64,
    /// Force along its fibres: its stress over its mean section at rest [N].
    pub force: f64,
    /// Work that its fibres do a second by getting shorter [W].
    pub power: f64,
}

impl MuscleReading {
    /// Of a muscle that does nothing.
    pub fn resting(body: u32, name: String) -> Self {
        Self {
            body,
            name,
            activation: 0.0,
            stretch: 1.0,
            tension: 0.0,
            force: 0.0,
            power: 0.0,
        }
    }
}

/// Whose stretches a method tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StretchOf {
    /// Elastic principal stretches, length over length without stress; of sheets those in the sheet.
    Material,
    /// Length over rest length of springs.
    Springs,
}

/// What shows a body in pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DrawnAs {
    /// Its particles, and triangles where it has any.
    #[default]
    Particles,
    /// Its triangles alone: other particles are inside.
    Triangles,
    /// A collider of its name, as for a rigid body.
    Collider,
}

/// A body whose particles hold others of its group that are near.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JoinedBody {
    /// Its index.
    pub body: u32,
    /// Two particles nearer than the mean of their reaches hold each other [m].
    pub reach: f64,
}

/// The least principal stretch at a particle, then the greatest in place of mean and greatest: the eigenvalues
/// of b = E + I are the squared stretches.
///
/// * `strain` — E
pub fn principal_stretches(strain: SymMat3) -> [f64; 3] {
    let squares = symmetric_eigen(strain).values;
    let stretch = |e| libm::sqrt((1.0 + f64::from(e)).max(0.0));
    let stretches = [0, 1, 2].map(|k| stretch(squares[k]));
    let largest = stretches.into_iter().fold(0.0, f64::max);
    let least = stretches.into_iter().fold(f64::INFINITY, f64::min);
    [least, largest, largest]
}
