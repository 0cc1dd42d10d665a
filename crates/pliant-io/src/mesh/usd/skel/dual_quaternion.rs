//! Dual quaternion skinning: the joints of a point are blended as dual quaternions, so that twisted limbs keep their volume
//! (Kavan et al. 2008).

use pliant_math::{DMat3, DQuat, DVec3};

use super::super::Transform;
use super::influences::Influence;

/// Steps after which the rotation of a matrix is known; it takes less than ten but for matrices that are nearly flat.
const MOST_STEPS: usize = 60;

/// What a joint does: it stretches, then turns and moves.
pub(super) struct JointMotion {
    stretch: DMat3,
    /// The rotation.
    real: DQuat,
    /// Half the translation times the rotation.
    dual: DQuat,
}

impl JointMotion {
    /// `None` if the transform is flat, so that nothing is known of its rotation.
    pub(super) fn of(transform: &Transform) -> Option<Self> {
        let rotation = rotation(transform.linear)?;
        let real = DQuat::from_mat3(&rotation);
        Some(Self {
            stretch: rotation.transpose() * transform.linear,
            real,
            dual: dual(real, transform.offset),
        })
    }
}

fn dual(real: DQuat, offset: DVec3) -> DQuat {
    DQuat::from_xyzw(offset.x, offset.y, offset.z, 0.0) * real * 0.5
}

/// The rotation `R` of the polar decomposition `A = R S`, by Newton's iteration `R <- (R + R^-T)/2` (Higham 1986).
/// Of a matrix that mirrors the stretch `S` does so.
fn rotation(matrix: DMat3) -> Option<DMat3> {
    let mut rotation = matrix;
    for _ in 0..MOST_STEPS {
        let inverse = rotation.inverse();
        if rotation.determinant() == 0.0 || !inverse.is_finite() {
            return None;
        }
        let next = (rotation + inverse.transpose()) * 0.5;
        let is_there = next.abs_diff_eq(rotation, 1e-15);
        rotation = next;
        if is_there {
            break;
        }
    }
    let is_mirrored = rotation.determinant() < 0.0;
    let rotation = if is_mirrored { -rotation } else { rotation };
    rotation.is_finite().then_some(rotation)
}

/// Where joints take a point. Stretches are blended by the mean, as OpenUSD does, which takes the sum: the same for
/// weights that add up to 1.
///
/// # Errors
/// The place of a joint of some weight that is flat.
pub(super) fn placed(
    joints: &[Option<JointMotion>],
    point: DVec3,
    influences: &[Influence],
) -> Result<DVec3, usize> {
    let followed = influences.iter().filter(|own| own.weight != 0.0);
    // Of the two quaternions of each rotation that counts which is nearer to the one of the heaviest joint.
    let heaviest = followed
        .clone()
        .reduce(|a, b| if b.weight > a.weight { b } else { a });
    let Some(heaviest) = heaviest else {
        return Ok(point);
    };
    let motion = |joint: usize| joints[joint].as_ref().ok_or(joint);
    let pivot = motion(heaviest.joint)?.real;
    let (mut stretched, mut sum) = (DVec3::ZERO, 0.0);
    let zero = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let (mut real, mut dual) = (zero, zero);
    for &Influence { joint, weight } in followed {
        let own = motion(joint)?;
        stretched += own.stretch * point * weight;
        sum += weight;
        let side = if own.real.dot(pivot) < 0.0 {
            -weight
        } else {
            weight
        };
        real += own.real * side;
        dual += own.dual * side;
    }
    let length = real.length();
    let (real, dual) = (real * (1.0 / length), dual * (1.0 / length));
    let offset = dual * real.conjugate() * 2.0;
    Ok(real * (stretched / sum) + DVec3::new(offset.x, offset.y, offset.z))
}
