//! Printed figures of other simulators, from `other_simulators.toml`.

use std::sync::OnceLock;

use serde::Deserialize;

use super::printed::PrintedRow;

/// What another simulator took for a scene.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Reference {
    /// Name of the bundled scene: `bench/sand-drop`.
    pub scene: String,
    /// The simulator, its version and what was peculiar.
    pub simulator: String,
    /// Wall time a simulated second, least and greatest [s].
    pub seconds: [f64; 2],
}

/// All of the file.
#[derive(Debug, Default, Deserialize)]
struct Figures {
    reference: Vec<Reference>,
    cao_2023: Vec<PrintedRow>,
}

/// The figures for a scene.
pub fn references(scene: &str) -> impl Iterator<Item = &'static Reference> {
    let all = figures().reference.iter();
    all.filter(move |r| r.scene == scene)
}

/// The rows of Table 1 of Cao et al. (2023) for its own method.
pub fn table_1() -> &'static [PrintedRow] {
    &figures().cao_2023
}

fn figures() -> &'static Figures {
    static FIGURES: OnceLock<Figures> = OnceLock::new();
    // A test reads the file, which is a part of the program.
    FIGURES.get_or_init(|| read().unwrap_or_default())
}

fn read() -> Result<Figures, toml::de::Error> {
    toml::from_str(include_str!("other_simulators.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::bench_scenes;

    #[test]
    fn every_reference_names_a_bundled_scene() {
        let figures = read().unwrap();
        assert!(!figures.reference.is_empty() && !figures.cao_2023.is_empty());
        for reference in &figures.reference {
            assert!(bench_scenes().any(|scene| scene.name == reference.scene));
        }
    }
}
