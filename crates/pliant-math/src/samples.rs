//! Tensors with known eigenvalues, for the tests of this crate.

use proptest::prelude::*;

use crate::{DMat3, DQuat, DVec3, Real, SymMat3};

/// Any rotation.
pub(crate) fn rotation() -> impl Strategy<Value = DMat3> {
    prop::array::uniform4(-1.0..1.0)
        .prop_filter("too short to normalise", |q| {
            q.iter().map(|x: &f64| x * x).sum::<f64>() > 0.01
        })
        .prop_map(|q| DMat3::from_quat(DQuat::from_array(q).normalize()))
}

/// The tensor with these eigenvalues and the columns of the rotation as eigenvectors, rounded once.
pub(crate) fn rotated(values: [f64; 3], rotation: DMat3) -> SymMat3 {
    let m = rotation * DMat3::from_diagonal(DVec3::from_array(values)) * rotation.transpose();
    SymMat3::new(
        m.x_axis.x as Real,
        m.y_axis.y as Real,
        m.z_axis.z as Real,
        m.x_axis.y as Real,
        m.x_axis.z as Real,
        m.y_axis.z as Real,
    )
}

/// Any six components between -1 and 1 times ten to a power.
pub(crate) fn tensor(powers: std::ops::Range<i32>) -> impl Strategy<Value = SymMat3> {
    (prop::array::uniform6(-1.0..1.0_f64), powers).prop_map(|(c, power)| {
        let [a, b, c, d, e, f] = c.map(|x| (x * 10.0_f64.powi(power)) as Real);
        SymMat3::new(a, b, c, d, e, f)
    })
}

/// Tensors at the ends of what the scalar holds.
pub(crate) fn extreme_tensors() -> Vec<SymMat3> {
    let (max, min) = (Real::MAX, Real::MIN_POSITIVE);
    let full = |x: Real| SymMat3::new(x, x, x, x, x, x);
    vec![
        SymMat3::ZERO,
        full(max),
        full(-max),
        full(min),
        full(0.01 * min),
        full(1e12),
        full(-1e20),
        SymMat3::diagonal(max, min, -max),
        SymMat3::new(1.0, -1.0, 0.0, max, min, -max),
        SymMat3::diagonal(-1.0, -1.0, -1.0),
        SymMat3::new(1e20, -1e-20, 0.0, 1.0, 1e10, -1e20),
    ]
}

/// Greatest absolute component.
pub(crate) fn greatest(a: SymMat3) -> Real {
    [a.xx, a.yy, a.zz, a.xy, a.xz, a.yz]
        .into_iter()
        .fold(0.0, |m: Real, x| m.max(x.abs()))
}
