//! Printed figures of other simulators for the scenes of `scenes/bench`.
//!
//! All on one thread of one Zen 5 core, idle, on the same day: to be read as an order of magnitude
//! on another machine.

/// What another simulator took for a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    /// Name of the bundled scene: `bench/sand-drop`.
    pub scene: &'static str,
    /// The simulator, its version and what was peculiar.
    pub simulator: &'static str,
    /// Wall time a simulated second, least and greatest [s].
    pub seconds: [f64; 2],
}

const REFERENCES: &[Reference] = &[
    Reference {
        scene: "bench/sand-drop",
        simulator: "Newton 1.8, implicit material point method, steps of 1/60 s",
        seconds: [13.5, 13.9],
    },
    Reference {
        scene: "bench/sand-column",
        simulator: "explicit MLS material point method in Taichi 1.7, steps of 0.1 ms",
        seconds: [453.0, 470.0],
    },
    Reference {
        scene: "bench/bar",
        simulator: "SPlisHSPlasH 2.19, implicit elasticity of Kugelstadt et al. 2021, steps of 2 ms",
        seconds: [9.0, 10.0],
    },
    Reference {
        scene: "bench/bar",
        simulator: "pyPBD 2.2, XPBD finite elements, 32 k tetrahedra, 5 iterations",
        seconds: [5.0, 5.0],
    },
    Reference {
        scene: "bench/cloth",
        simulator: "pyPBD 2.2, XPBD, 59 k distance and bending constraints, 30 to 34 ns each",
        seconds: [1.7, 2.0],
    },
];

/// The figures for a scene.
pub fn references(scene: &str) -> impl Iterator<Item = &'static Reference> {
    REFERENCES.iter().filter(move |r| r.scene == scene)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::bench_scenes;

    #[test]
    fn every_reference_names_a_bundled_scene() {
        for reference in REFERENCES {
            assert!(bench_scenes().any(|scene| scene.name == reference.scene));
        }
    }
}
