use pliant_materials::springs::Membrane;
use pliant_math::{DMat3, DVec2, DVec3};
use proptest::prelude::*;

/// A right triangle with sides 0.3 m and 0.2 m, and its shape gradients.
const AREA: f64 = 0.03;

fn gradients() -> [DVec2; 3] {
    let (second, third) = (DVec2::new(1.0 / 0.3, 0.0), DVec2::new(0.0, 1.0 / 0.2));
    [-second - third, second, third]
}

fn at_rest() -> [DVec3; 3] {
    [DVec3::ZERO, DVec3::X * 0.3, DVec3::Y * 0.2]
}

fn deformed(offsets: [[f64; 3]; 3]) -> [DVec3; 3] {
    let mut points = at_rest();
    for (point, offset) in points.iter_mut().zip(offsets) {
        *point += DVec3::from_array(offset);
    }
    points
}

fn offsets() -> impl Strategy<Value = [[f64; 3]; 3]> {
    prop::array::uniform3(prop::array::uniform3(-0.1f64..0.1))
}

const MEMBRANE: fn() -> Membrane = || Membrane::new(700.0, 0.3);

#[test]
fn a_triangle_at_rest_has_no_force_and_turning_gives_it_none() {
    let turn = pliant_math::DQuat::from_euler(Default::default(), 0.4, 1.1, -2.0);
    for points in [at_rest(), at_rest().map(|x| turn * x + DVec3::ONE)] {
        let response = MEMBRANE().response(AREA, gradients(), points, true);
        assert!(response.force.iter().all(|f| f.length() < 1e-12));
        assert!(response.energy.abs() < 1e-25);
    }
}

#[test]
fn a_stretch_with_free_sides_has_youngs_modulus() {
    // e_ww = -nu e_uu: the stress across vanishes, and s_uu = E e_uu.
    let (u, strain) = (1.01f64, 0.5 * (1.01f64 * 1.01 - 1.0));
    let w = libm::sqrt(1.0 - 2.0 * 0.3 * strain);
    let points = at_rest().map(|x| DVec3::new(x.x * u, x.y * w, 0.0));
    let response = MEMBRANE().response(AREA, gradients(), points, true);
    let energy = 0.5 * 700.0 * strain * strain * AREA;
    assert!((response.energy / energy - 1.0).abs() < 1e-12);
    assert!(response.force[2].y.abs() < 1e-12);
}

proptest! {
    #[test]
    fn forces_and_stiffnesses_are_derivatives_of_the_energy(offsets in offsets()) {
        let points = deformed(offsets);
        let at = |points| MEMBRANE().response(AREA, gradients(), points, false);
        let response = at(points);
        let h = 1e-6;
        let moved = |corner: usize, axis: usize, by: f64| {
            let mut points = points;
            points[corner][axis] += by;
            at(points)
        };
        for corner in 0..3 {
            for axis in 0..3 {
                let (plus, minus) = (moved(corner, axis, h), moved(corner, axis, -h));
                let slope = (plus.energy - minus.energy) / (2.0 * h);
                prop_assert!((slope + response.force[corner][axis]).abs() < 1e-6 * 700.0);
                // Of the corner before, by this one.
                let before = (corner + 2) % 3;
                let change = (plus.force[before] - minus.force[before]) / (2.0 * h);
                let exact = response.stiffness[before].col(axis);
                prop_assert!((change - exact).length() < 1e-6 * 700.0 * 5.0);
            }
        }
    }

    #[test]
    fn clamped_stiffnesses_are_positive_semidefinite(
        offsets in offsets(),
        motion in prop::array::uniform3(prop::array::uniform3(-1.0f64..1.0)),
    ) {
        let points = deformed(offsets);
        let response = MEMBRANE().response(AREA, gradients(), points, true);
        let motion = motion.map(DVec3::from_array);
        // v . K v over pairs: sum of (v_k - v_l) . J_kl (v_k - v_l) for symmetric J, and for others the
        // whole matrix.
        let j = response.stiffness;
        let block = |k: usize, l: usize| -> DMat3 {
            match (k + 3 - l) % 3 {
                2 => j[k],
                1 => j[l].transpose(),
                _ => -(block_sum(k, &j)),
            }
        };
        let mut work = 0.0;
        for k in 0..3 {
            for l in 0..3 {
                work -= motion[k].dot(block(k, l) * motion[l]);
            }
        }
        prop_assert!(work > -1e-9 * 700.0, "{}", work);
    }
}

/// The blocks of a row beside its diagonal.
fn block_sum(k: usize, j: &[DMat3; 3]) -> DMat3 {
    let before = (k + 2) % 3;
    j[k] + j[before].transpose()
}
