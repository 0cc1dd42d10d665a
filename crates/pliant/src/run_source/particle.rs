//! What a frame says of one particle.

use pliant_core::measure::Frame;

/// A particle in a frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Particle {
    /// Name of its body.
    pub body: String,
    /// Where it is [m].
    pub position: [f32; 3],
    /// Its quantities: name, unit, value.
    pub quantities: Vec<(String, String, f64)>,
}

impl Particle {
    /// The particle of a stable id, if the frame has it.
    pub fn of(frame: &Frame<'_>, id: u32) -> Option<Self> {
        let row = frame.id.binary_search(&id).ok()?;
        let quantity =
            |name: &str, unit: &str, value: f64| (name.to_owned(), unit.to_owned(), value);
        let axes = ["x", "y", "z"].into_iter();
        let position = axes.clone().zip(frame.position[row].to_array());
        let position = position.map(|(axis, value)| quantity(axis, "m", value));
        let velocity = axes.zip(frame.velocity[row]);
        let velocity = velocity
            .map(|(axis, value)| quantity(&format!("velocity_{axis}"), "m/s", value.into()));
        let others = frame.quantities.iter();
        let others = others.map(|of| quantity(of.name, of.unit, of.values[row].into()));
        Some(Self {
            body: frame.bodies[frame.body[row] as usize].name.clone(),
            position: frame.position[row].as_vec3().to_array(),
            quantities: position.chain(velocity).chain(others).collect(),
        })
    }
}
