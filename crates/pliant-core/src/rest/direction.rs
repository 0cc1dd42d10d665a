//! Where a direction in a body at rest points now.

use pliant_math::{DMat3, DVec3};

use super::{RestCorrection, RestShape, weight};

/// F b around a particle, of length one, F being the linear map that fits its neighbours best; b itself where these
/// tell nothing of it.
///
/// * `at_rest` — b, a unit vector
/// * `position` — where a particle is now [m]; `None` if it has left
pub fn direction_now(
    shape: &RestShape,
    particle: u32,
    at_rest: DVec3,
    position: impl Fn(u32) -> Option<DVec3>,
) -> DVec3 {
    let Some(own) = position(particle) else {
        return at_rest;
    };
    let offset = |other: u32| shape.position[other as usize] - shape.position[particle as usize];
    let neighbors = shape.neighbors_of(particle as usize).iter().copied();
    let near = neighbors.filter_map(|other| Some((offset(other), position(other)? - own)));
    let mut moment = DMat3::ZERO;
    for (rest, _) in near.clone() {
        let weighted = rest * weight(rest, shape.support_radius);
        moment += DMat3::from_cols(rest * weighted.x, rest * weighted.y, rest * weighted.z);
    }
    let correction = RestCorrection::of_moment(moment);
    let dual = correction.inverse * at_rest;
    let moved = near.map(|(rest, now)| now * (weight(rest, shape.support_radius) * rest.dot(dual)));
    moved.sum::<DVec3>().normalize_or(at_rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_go_with_affine_maps_also_at_corners() {
        let at = |k: u32| DVec3::new((k % 4).into(), (k / 4 % 4).into(), (k / 16).into());
        let shape = RestShape::new((0..64).map(at).collect(), 1.8);
        let map = DMat3::from_cols(
            DVec3::new(0.9, 0.3, 0.0),
            DVec3::new(-0.4, 1.1, 0.2),
            DVec3::new(0.1, 0.0, 0.8),
        );
        let at_rest = DVec3::new(0.6, 0.0, 0.8);
        for particle in [0, 21, 63] {
            let now = |i: u32| Some(map * shape.position[i as usize] + DVec3::X * 7.0);
            let found = direction_now(&shape, particle, at_rest, now);
            let expected = (map * at_rest).normalize();
            assert!(found.distance(expected) < 1e-12, "{found} {expected}");
        }
        let alone = direction_now(&shape, 0, at_rest, |i| (i == 0).then_some(DVec3::ZERO));
        assert_eq!(alone, at_rest);
    }
}
