//! A body is thrown at a plate as thick as a spacing.

use super::super::case::{BODY, Case, Limit};
use super::super::methods::{Form, Method};
use super::{SLOP, WALL, body, box_shape, header, material, wall};

/// Distance of neighbouring particles [m].
const SPACING: f64 = 0.02;
/// Edge of the cube that is thrown [m].
const CUBE: f64 = 0.16;
/// Edge of a sheet that is thrown flat [m].
const SHEET: f64 = 0.4;
/// Height of its underside above the plate at the start [m].
const HEIGHT: f64 = 0.04;
/// Simulated time [s].
const DURATION: f64 = 0.5;
/// Edge of the plate [m]: nothing reaches it in that time.
const PLATE: f64 = 1000.0;

/// * `speed` — downwards, at the start [m/s]
pub fn thrown(method: &Method, speed: f64) -> Case {
    let title = format!("{} at {speed} m/s at a plate", method.name);
    let (shape, height) = match method.form {
        Form::Sheet => (
            format!("{{ sheet = {{ size = [{SHEET}, {SHEET}] }} }}"),
            HEIGHT,
        ),
        _ => (box_shape([CUBE; 3]), HEIGHT + 0.5 * CUBE),
    };
    let spacing = match method.form {
        Form::Box => String::new(),
        _ => format!("spacing = {SPACING}\n{}", method.body),
    };
    let lines = format!("{spacing}velocity = [0.0, {:?}, 0.0]\n", -speed);
    let slop = SLOP * SPACING;
    let least = match method.form {
        Form::Box => 0.5 * CUBE - slop,
        _ => -slop,
    };
    Case {
        text: [
            header(&title, DURATION),
            material(BODY, &method.material_lines(None, None)),
            body(BODY, BODY, &shape, [0.0, height, 0.0], &lines),
            wall("plate", [PLATE, WALL, PLATE], [0.0, -0.5 * WALL, 0.0]),
        ]
        .concat(),
        limits: vec![Limit {
            body: BODY,
            least,
            passed: "the plate",
        }],
        half_width: f64::INFINITY,
        comes_to_rest: false,
    }
}
