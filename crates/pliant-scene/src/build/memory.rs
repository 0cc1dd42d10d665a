//! Whether there is memory for the particles, before they are made.

use super::Builder;

/// Memory a particle takes in a run, with neighbours, constraints and outputs [bytes].
pub(super) const BYTES_PER_PARTICLE: f64 = 1024.0;

/// Most particles of a world: indices are 32 bits.
const MOST_PARTICLES: f64 = 4.0e9;

impl Builder<'_> {
    /// True if particles of a spacing that fill a volume fit beside `before` others; collects an
    /// error at `key` otherwise.
    pub(super) fn has_memory(&mut self, key: &str, volume: f64, spacing: f64, before: f64) -> bool {
        let count = volume / (spacing * spacing * spacing);
        let room = (self.with.memory as f64 / BYTES_PER_PARTICLE).min(MOST_PARTICLES) - before;
        if count <= room {
            return true;
        }
        let message = format!(
            "a spacing of {spacing:?} m makes about {} particles, which need {} of memory; there are {}",
            count_text(count),
            bytes_text((count + before) * BYTES_PER_PARTICLE),
            bytes_text(self.with.memory as f64),
        );
        let remedy = match fitting_spacing(volume, room) {
            Some(fitting) => format!("a spacing of {fitting} m fits"),
            None => "the bodies before it leave no room; coarsen them first".into(),
        };
        self.fail(key, message, remedy);
        false
    }
}

/// The least spacing, rounded up to two digits, at which a volume takes at most `room` particles.
fn fitting_spacing(volume: f64, room: f64) -> Option<f64> {
    if room < 1.0 || !volume.is_finite() {
        return None;
    }
    let exact = libm::cbrt(volume / room);
    let unit = libm::pow(10.0, libm::floor(libm::log10(exact)) - 1.0);
    let digits = libm::ceil(exact / unit * (1.0 + 1e-9));
    // Through text, so that the number shown is short.
    format!("{digits}e{}", libm::round(libm::log10(unit)))
        .parse()
        .ok()
}

fn count_text(count: f64) -> String {
    if count < 1e6 {
        format!("{count:.0}")
    } else {
        format!("{count:.2e}")
    }
}

/// `8.0 GB`.
fn bytes_text(bytes: f64) -> String {
    let units = ["bytes", "kB", "MB", "GB", "TB", "PB"];
    let mut size = bytes;
    let mut unit = 0;
    while size >= 1000.0 && unit + 1 < units.len() {
        size /= 1000.0;
        unit += 1;
    }
    if size < 1e6 {
        format!("{size:.1} {}", units[unit])
    } else {
        format!("{size:.1e} {}", units[unit])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spacing_that_is_advised_fits_and_is_not_wasteful() {
        for (volume, room) in [(1.0, 1e6), (0.0123, 777.0), (5e4, 3.3e7)] {
            let spacing = fitting_spacing(volume, room).unwrap();
            let count = volume / spacing.powi(3);
            assert!(count <= room, "{count} particles in room for {room}");
            assert!(count > 0.7 * room, "{count} particles in room for {room}");
        }
        assert_eq!(fitting_spacing(1.0, 1e6), Some(0.011));
    }
}
