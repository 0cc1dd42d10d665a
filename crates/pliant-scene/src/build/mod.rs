//! From a checked scene to the setup of a world.

mod attachments;
mod bodies;
mod cloth;
mod colliders;
mod cuts;
mod emitters;
mod estimate;
mod expression;
mod forces;
mod gaps;
mod light_granules;
mod memory;
mod muscles;
mod obstacles;
mod origin_distance;
mod overlaps;
mod particles;
mod probes;
mod render_mesh;
mod rigid;
mod settings;
mod shape_groups;
mod shapes;
mod solid;
mod springs;
mod steps;
mod stretch;
mod triangles;
mod upright;
mod uv_map;

pub use estimate::{BodyEstimate, Estimate};
pub use probes::NamedProbe;

use std::collections::HashMap;
use std::sync::Arc;

use pliant_core::boundaries::Collider;
use pliant_core::world::Setup;
use pliant_geometry::{MeshSource, Shape};
use pliant_parameters::Values;

use crate::check::item_path;
use crate::problems::{SceneError, SceneErrors, Warning};
use crate::scene::Scene;
use upright::Upright;

/// What a scene becomes.
#[derive(Clone, Debug)]
pub struct Built {
    /// What never changes during the run, with the particles of the start.
    pub setup: Setup,
    /// What is allowed but probably not meant.
    pub warnings: Vec<Warning>,
    /// What `check` prints about the run.
    pub estimate: Estimate,
}

/// What the scene is built with.
#[derive(Clone, Copy)]
pub struct BuildWith<'a> {
    /// Where meshes come from; asked with absolute paths.
    pub meshes: &'a dyn MeshSource,
    /// Memory that particles may take [bytes].
    pub memory: u64,
}

impl Scene {
    /// Builds the setup of the world: laws, particles, colliders.
    ///
    /// # Errors
    /// Everything that the values say together and that cannot be: files that hold no closed mesh,
    /// bodies without particles, more particles than there is memory for, substeps that the sweeps
    /// cannot resolve.
    pub fn build(&self, with: BuildWith<'_>) -> Result<Built, SceneErrors> {
        self.build_beside(with, &[])
    }

    /// The same with further colliders after those of the scene, before rigid bodies: hands of who looks on.
    ///
    /// # Errors
    /// As for [`Self::build`].
    pub fn build_beside(
        &self,
        with: BuildWith<'_>,
        colliders: &[Collider],
    ) -> Result<Built, SceneErrors> {
        let meshes = Upright::new(with.meshes, self.up());
        let with = BuildWith {
            meshes: &meshes,
            ..with
        };
        let mut builder = Builder::new(self, with, colliders);
        match builder.setup() {
            Some((setup, estimate)) if builder.errors.is_empty() => Ok(Built {
                setup,
                warnings: builder.warnings,
                estimate,
            }),
            _ => Err(SceneErrors::new(builder.errors)),
        }
    }
}

/// What is collected while building.
pub(crate) struct Builder<'a> {
    scene: &'a Scene,
    with: BuildWith<'a>,
    /// Colliders beside those of the scene.
    further_colliders: &'a [Collider],
    /// Shapes that were built, by what they were built from: of many bodies of one shape, what a shape
    /// works out of itself (its volume, its distances) is worked out once.
    shapes: HashMap<String, Arc<dyn Shape>>,
    errors: Vec<SceneError>,
    warnings: Vec<Warning>,
}

impl<'a> Builder<'a> {
    fn new(scene: &'a Scene, with: BuildWith<'a>, further_colliders: &'a [Collider]) -> Self {
        Self {
            scene,
            with,
            further_colliders,
            shapes: HashMap::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The setup, or `None` after errors were collected.
    fn setup(&mut self) -> Option<(Setup, Estimate)> {
        let materials = self.materials();
        if self.errors.is_empty() {
            self.refuse_steps(&materials);
            if !self.errors.is_empty() {
                return None;
            }
        }
        let mut colliders = self.colliders();
        colliders.extend_from_slice(self.further_colliders);
        let rigid = self.rigid_bodies(&materials);
        colliders.extend(rigid.iter().map(|body| body.collider.clone()));
        let bodies = self.bodies(&materials, &colliders, rigid);
        self.refuse_muscles();
        let emitters = self.emitters(&colliders);
        if !self.errors.is_empty() {
            return None;
        }
        let attachments = self.attachments(&bodies, &colliders);
        let forces = self.forces(&bodies);
        let blades = self.blades(&bodies);
        if !self.errors.is_empty() {
            return None;
        }
        let setup = self.with_engine(Setup {
            forces,
            attachments,
            blades,
            ..self.settings(materials, bodies, colliders, emitters)
        });
        let probes = self.probes(&setup);
        if self.errors.is_empty() {
            self.check_columns(&probes);
        }
        self.warn_overlaps(&setup);
        self.warn_stretched(&setup);
        self.warn_of_gaps(&setup);
        self.warn_of_light_granules(&setup);
        let estimate = self.estimate(&setup)?;
        Some((setup, estimate))
    }

    /// The items of a table with their key paths.
    fn items(&self, table: &str) -> Vec<(String, &'a Values)> {
        let items = self.scene.tables[table].iter().enumerate();
        items
            .map(|(i, values)| (item_path(table, values, i), values))
            .collect()
    }

    /// The place of a name among the items of a table.
    fn index_of(&self, table: &str, name: &str) -> Option<u32> {
        let items = &self.scene.tables[table];
        let index = items.iter().position(|i| i.text("name") == name)?;
        u32::try_from(index).ok()
    }

    fn fail(&mut self, key: &str, message: impl Into<String>, remedy: impl Into<String>) {
        let error = self.scene.error_at(key, message, Some(remedy.into()));
        self.errors.push(error);
    }

    fn warn(&mut self, key: &str, message: String) {
        self.warnings.push(Warning {
            key: key.into(),
            message,
        });
    }
}

/// Components of `#rrggbb`, which was checked, in [0, 1].
fn color(text: &str) -> [f32; 3] {
    let component = |i: usize| {
        let hex = text.get(1 + 2 * i..3 + 2 * i).unwrap_or("80");
        f32::from(u8::from_str_radix(hex, 16).unwrap_or(128)) / 255.0
    };
    [component(0), component(1), component(2)]
}
