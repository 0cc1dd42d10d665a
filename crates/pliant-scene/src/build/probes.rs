//! Probes, and the columns that expectations are about.

use pliant_core::measure::probes::{KINDS, Probe, ProbeContext};
use pliant_core::measure::statistics_columns;
use pliant_core::world::Setup;
use pliant_geometry::MeshSource;
use pliant_parameters::Values;

use super::Builder;
use super::upright::Upright;
use crate::problems::{SceneErrors, choices_text, nearest};
use crate::scene::Scene;

/// A probe and the name that its columns start with.
pub struct NamedProbe {
    /// Name, unique among probes.
    pub name: String,
    /// What reads the numbers.
    pub probe: Box<dyn Probe>,
}

impl Scene {
    /// The probes of the scene in the order of the file, for the setup it was built to.
    ///
    /// # Errors
    /// Probes that cannot be built, each with its place; none if [`Scene::build`] has succeeded
    /// with the same meshes.
    pub fn build_probes(
        &self,
        setup: &Setup,
        meshes: &dyn MeshSource,
    ) -> Result<Vec<NamedProbe>, SceneErrors> {
        let meshes = &Upright::new(meshes, self.up());
        let with = super::BuildWith { meshes, memory: 0 };
        let mut builder = Builder::new(self, with, &[]);
        let probes = builder.probes(setup);
        if builder.errors.is_empty() {
            Ok(probes)
        } else {
            Err(SceneErrors::new(builder.errors))
        }
    }
}

impl Builder<'_> {
    /// The probes, without those that were refused.
    pub(super) fn probes(&mut self, setup: &Setup) -> Vec<NamedProbe> {
        let context = ProbeContext {
            setup,
            up: if self.scene.one("scene").text("up") == "z" {
                2
            } else {
                1
            },
            meshes: self.with.meshes,
        };
        let mut probes = Vec::new();
        for (path, values) in self.items("probe") {
            let measure = values.text("measure");
            let Some(kind) = KINDS.iter().find(|k| k.name == measure) else {
                continue;
            };
            match (kind.build)(values, context) {
                Ok(probe) => probes.push(NamedProbe {
                    name: values.text("name").into(),
                    probe,
                }),
                Err(problem) => self.fail_with(&path, problem),
            }
        }
        probes
    }

    /// Refuses expectations of columns that no table will have.
    pub(super) fn check_columns(&mut self, probes: &[NamedProbe]) {
        let statistics = statistics_columns().into_iter().map(|c| c.name);
        let of_probe = |p: &NamedProbe| {
            let columns = p.probe.columns().into_iter();
            let named = columns.map(|c| format!("{}.{}", p.name, c.name));
            named.collect::<Vec<String>>()
        };
        let all: Vec<String> = probes.iter().flat_map(of_probe).chain(statistics).collect();
        for (path, values) in self.items("expect") {
            self.check_column(&path, values, &all);
        }
    }

    fn check_column(&mut self, path: &str, expect: &Values, all: &[String]) {
        let column = expect.text("column");
        if all.iter().any(|c| c == column) {
            return;
        }
        let table = column.split_once('.').map(|(probe, _)| format!("{probe}."));
        let same_table = |c: &&str| match &table {
            Some(table) => c.starts_with(table),
            None => !c.contains('.'),
        };
        let names = || all.iter().map(String::as_str).filter(same_table);
        let remedy = match nearest(column, names()) {
            Some(right) => format!("did you mean \"{right}\"?"),
            None => format!("columns are {}", choices_text(names())),
        };
        let message = format!("no table will have the column \"{column}\"");
        self.fail(&format!("{path}.column"), message, remedy);
    }
}
