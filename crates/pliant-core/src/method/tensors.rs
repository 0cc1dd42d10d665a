//! Deformation and stress of the material around a particle.

use pliant_math::DMat3;

/// What a particle's neighbours say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tensors {
    /// F, from the shape that the particle was made in; `None` from methods that do not keep that shape.
    pub deformation_gradient: Option<DMat3>,
    /// Cauchy stress [Pa], tension positive.
    pub stress: DMat3,
}

/// Whose tensors a method tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TensorsOf {
    /// Of material with a shape at rest: F and stress.
    Shape,
    /// Of material that forgets its shape: stress.
    Flow,
}

/// Cauchy stress P F^T / det F [Pa]; 0 where F has turned inside out and it has no meaning.
///
/// * `p` — first Piola-Kirchhoff stress [Pa]
pub fn cauchy_stress(f: DMat3, p: DMat3) -> DMat3 {
    match f.determinant() {
        ratio if ratio > 0.0 => p * f.transpose() * ratio.recip(),
        _ => DMat3::ZERO,
    }
}

/// Von Mises norm of a stress [Pa].
pub fn von_mises(stress: DMat3) -> f64 {
    let (x, y, z) = (stress.x_axis, stress.y_axis, stress.z_axis);
    let normal = (x.x - y.y).powi(2) + (y.y - z.z).powi(2) + (z.z - x.x).powi(2);
    (0.5 * normal + 3.0 * (x.y * x.y + x.z * x.z + y.z * y.z)).sqrt()
}
