//! Scenes of the cases, in the words of scene files.
//!
//! | what | where |
//! |---|---|
//! | a load at rest on a body | [`resting`] |
//! | a body thrown at a plate | [`thrown`] |

mod resting;
mod thrown;

pub use resting::{Resting, resting};
pub use thrown::thrown;

/// Acceleration of free fall, the default of scenes [m/s2].
const GRAVITY: f64 = 9.81;
/// Thickness of walls and plates [m].
const WALL: f64 = 0.02;
/// Particles may stand so far below a surface, in spacings.
const SLOP: f64 = 0.01;

/// A number as scene files have it, without the digits of rounding.
fn number(value: f64) -> String {
    let digits = format!("{value:.6e}");
    digits.parse::<f64>().map_or(digits, |v| format!("{v:?}"))
}

fn vector(values: [f64; 3]) -> String {
    format!("[{}]", values.map(number).join(", "))
}

fn header(title: &str, duration: f64) -> String {
    format!(
        "# A case of `pliant validate --holds`.\n[scene]\ntitle = \"{title}\"\n\
         duration = {}\nframe_rate = 24\n",
        number(duration)
    )
}

fn box_shape(size: [f64; 3]) -> String {
    format!("{{ box = {{ size = {} }} }}", vector(size))
}

/// A collider with the shape of a box.
fn wall(name: &str, size: [f64; 3], position: [f64; 3]) -> String {
    format!(
        "\n[[collider]]\nname = \"{name}\"\nshape = {}\nposition = {}\n",
        box_shape(size),
        vector(position)
    )
}

/// A body of a material; of rigid ones without a spacing.
fn body(name: &str, material: &str, shape: &str, position: [f64; 3], lines: &str) -> String {
    format!(
        "\n[[body]]\nname = \"{name}\"\nmaterial = \"{material}\"\nshape = {shape}\n\
         position = {}\n{lines}",
        vector(position)
    )
}

fn material(name: &str, lines: &str) -> String {
    format!("\n[material.{name}]\n{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_without_digits_of_rounding() {
        assert_eq!(number(0.1 + 0.2), "0.3");
        assert_eq!(number(1e-9), "1e-9");
        assert_eq!(vector([1.0, -0.5, 0.0]), "[1.0, -0.5, 0.0]");
    }
}
