//! Whether there is memory for the particles, before they are made.

use pliant_geometry::Shape;
use pliant_math::DVec3;
use pliant_math::simd::Places;

use super::Builder;

/// Memory a particle takes in a run, with neighbours, constraints and outputs [bytes].
pub(super) const BYTES_PER_PARTICLE: f64 = 1024.0;

/// Memory that sampling takes for each cell of a spacing that a shape's surface cuts [bytes].
const BYTES_PER_SURFACE_CELL: f64 = 64.0;

/// Most particles of a world: what the sweeps name by 32 bits, less a few places that lie behind them.
const MOST_PARTICLES: f64 = 0.99 * Places::LIMIT as f64;

/// What it takes to fill a shape.
#[derive(Clone, Copy, Debug)]
struct Need {
    volume: f64,
    extent: DVec3,
}

impl Builder<'_> {
    /// Most particles that there is memory for.
    pub(super) fn particle_limit(&self) -> usize {
        (self.memory() / BYTES_PER_PARTICLE).max(1.0) as usize
    }

    /// Memory that particles may take [bytes].
    fn memory(&self) -> f64 {
        (self.with.memory as f64).min(MOST_PARTICLES * BYTES_PER_PARTICLE)
    }

    /// True if particles of a spacing that fill a shape fit beside `before` others; collects an
    /// error at `key` otherwise.
    pub(super) fn has_memory(
        &mut self,
        key: &str,
        shape: &dyn Shape,
        spacing: f64,
        before: f64,
    ) -> bool {
        let need = Need {
            volume: shape.volume().unwrap_or(f64::INFINITY),
            extent: shape.bounds().map_or(DVec3::INFINITY, |b| b.extent()),
        };
        let room = self.memory() - before * BYTES_PER_PARTICLE;
        if need.bytes(spacing) <= room {
            return true;
        }
        let message = format!(
            "a spacing of {spacing:?} m makes about {} particles, which take {} of memory; there are {} left",
            count_text(need.count(spacing)),
            bytes_text(need.bytes(spacing)),
            bytes_text(room.max(0.0)),
        );
        let remedy = match need.fitting_spacing(room) {
            Some(fitting) => format!("a spacing of {fitting} m fits"),
            None => "shrink the shape, or coarsen the bodies before it".into(),
        };
        self.fail(key, message, remedy);
        false
    }
}

impl Need {
    fn count(&self, spacing: f64) -> f64 {
        self.volume / (spacing * spacing * spacing)
    }

    fn bytes(&self, spacing: f64) -> f64 {
        let cells = (self.extent / spacing).ceil().max(DVec3::ONE);
        let is_thin = cells.min_element() < 3.0;
        let surface = if is_thin {
            cells.x * cells.y * cells.z
        } else {
            2.0 * (cells.x * cells.y + cells.y * cells.z + cells.z * cells.x)
        };
        let bytes = BYTES_PER_PARTICLE * self.count(spacing) + BYTES_PER_SURFACE_CELL * surface;
        if bytes.is_nan() { f64::INFINITY } else { bytes }
    }

    /// The least spacing, rounded up to two digits, for which `room` bytes are enough.
    fn fitting_spacing(&self, room: f64) -> Option<f64> {
        let mut spacing = libm::cbrt(self.volume * BYTES_PER_PARTICLE / room);
        let is_sound = |spacing: f64| spacing > 0.0 && spacing.is_finite();
        while is_sound(spacing) && self.bytes(spacing) > room {
            spacing *= 1.05;
        }
        if room < BYTES_PER_PARTICLE || !is_sound(spacing) {
            return None;
        }
        let unit = libm::floor(libm::log10(spacing)) - 1.0;
        let digits = libm::ceil(spacing / libm::pow(10.0, unit) * (1.0 + 1e-9));
        // Through text, so that the number shown is short.
        format!("{digits}e{unit}").parse().ok()
    }
}

/// `120000`, `3.40e6`.
pub(super) fn count_text(count: f64) -> String {
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
        for (extent, room) in [(1.0, 1e9), (0.0123, 2e6), (5e4, 3.3e12)] {
            let need = Need {
                volume: extent * extent * extent,
                extent: DVec3::splat(extent),
            };
            let spacing = need.fitting_spacing(room).unwrap();
            let bytes = need.bytes(spacing);
            assert!(bytes <= room, "{bytes} bytes in room for {room}");
            assert!(bytes > 0.5 * room, "{bytes} bytes in room for {room}");
        }
    }

    #[test]
    fn a_wire_without_volume_still_takes_memory() {
        let wire = Need {
            volume: 0.0,
            extent: DVec3::new(1e-200, 1e200, 1e-200),
        };
        assert!(wire.bytes(0.01) > 1e100);
    }
}
