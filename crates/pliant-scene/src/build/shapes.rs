//! Shapes, and what their builders find wrong.

use std::sync::Arc;

use pliant_geometry::{
    Aabb, Form, Samples, Shape, ShapeUse, TetrahedralMesh, TexturedMesh, TriangleMesh, shapes,
};
use pliant_math::DVec3;
use pliant_parameters::{Problem, Values};

use super::Builder;
use crate::document::address_text;

/// Sizes [m] between which no mesh is doubted.
const LIKELY_SIZES: [f64; 2] = [1e-3, 100.0];

impl Builder<'_> {
    /// The shape under the key `shape` of an item, or `None` after an error was collected.
    pub(super) fn shape(
        &mut self,
        path: &str,
        values: &Values,
        use_as: ShapeUse,
    ) -> Option<Arc<dyn Shape>> {
        let table = values.table("shape")?;
        self.shape_in(&address_text(path, "shape"), table, use_as)
    }

    /// The shape in a table at a key path, or `None` after an error was collected.
    pub(super) fn shape_in(
        &mut self,
        path: &str,
        table: &Values,
        use_as: ShapeUse,
    ) -> Option<Arc<dyn Shape>> {
        let description = format!("{use_as:?} {table:?}");
        let built = match self.shapes.get(&description) {
            Some(shape) => Ok(shape.clone()),
            None => shapes::build(table, self.with.meshes, use_as),
        };
        let shape = self.accept_shape(path, table, built)?;
        self.shapes.insert(description, shape.clone());
        Some(shape)
    }

    /// The shape under the key `shape` of an item whose inside is asked, for particles of `spacing`
    /// [m]; `None` after an error was collected.
    pub(super) fn region(
        &mut self,
        path: &str,
        values: &Values,
        spacing: f64,
    ) -> Option<Arc<dyn Shape>> {
        let table = values.table("shape")?;
        let built = shapes::build_region(table, self.with.meshes, spacing);
        self.accept_shape(&address_text(path, "shape"), table, built)
    }

    fn accept_shape(
        &mut self,
        path: &str,
        table: &Values,
        built: Result<Arc<dyn Shape>, Problem>,
    ) -> Option<Arc<dyn Shape>> {
        match built {
            Ok(shape) => {
                self.warn_of_shape(path, table, &*shape);
                self.warn_of_units(path, table, &*shape);
                Some(shape)
            }
            Err(problem) => {
                self.fail_with(&shape_path(path, table), problem);
                None
            }
        }
    }

    /// Warns of what a shape finds doubtful in its values, with the line where each was written.
    fn warn_of_shape(&mut self, path: &str, table: &Values, shape: &dyn Shape) {
        for problem in shape.warnings() {
            let path = shape_path(path, table);
            let key = match &problem.key {
                Some(key) => format!("{path}.{key}"),
                None => path,
            };
            let place = self.scene.error_at(&key, "", None).place;
            let message = format!("{problem}{}", place.in_brackets());
            self.warn(&key, message);
        }
    }

    /// Warns of a mesh of a size that things seldom have: its file may be in other units.
    fn warn_of_units(&mut self, path: &str, table: &Values, shape: &dyn Shape) {
        let is_of_file = matches!(table.named_item().0, "mesh" | "mesh-sequence");
        let Some(bounds) = shape.bounds().filter(|_| is_of_file) else {
            return;
        };
        let size = bounds.extent().max_element();
        let remedy = match size {
            size if size > LIKELY_SIZES[1] => {
                "if its file is in millimetres or centimetres, give it `scale = 0.001` or 0.01"
            }
            size if size < LIKELY_SIZES[0] => {
                "if its file is in kilometres or scaled down, give it another `scale`"
            }
            _ => return,
        };
        let path = shape_path(path, table);
        let place = self.scene.error_at(&path, "", None).place;
        let size = match size < 1.0 {
            true => format!("{size:.2e}"),
            false => format!("{size:.0}"),
        };
        let message = format!("it is {size} m across: {remedy}{}", place.in_brackets());
        self.warn(&path, message);
    }

    /// Collects what a builder of another crate found wrong, with the place of its key.
    pub(super) fn fail_with(&mut self, path: &str, problem: Problem) {
        let key = match &problem.key {
            Some(key) => address_text(path, key),
            None => path.to_string(),
        };
        let error = self.scene.error_at(&key, problem.message, problem.remedy);
        self.errors.push(error);
    }
}

/// Key path of the values of a shape in a table at a key path.
fn shape_path(path: &str, table: &Values) -> String {
    let (name, _) = table.named_item();
    address_text(path, name)
}

/// A shape enlarged about its origin.
#[derive(Debug)]
pub(super) struct Scaled {
    pub shape: Arc<dyn Shape>,
    pub factor: f64,
}

impl Shape for Scaled {
    fn signed_distance(&self, point: DVec3) -> f64 {
        self.factor * self.shape.signed_distance(point / self.factor)
    }

    fn normal(&self, point: DVec3) -> DVec3 {
        self.shape.normal(point / self.factor)
    }

    fn bounds(&self) -> Option<Aabb> {
        let bounds = self.shape.bounds()?;
        Some(Aabb {
            min: bounds.min * self.factor,
            max: bounds.max * self.factor,
        })
    }

    fn volume(&self) -> Option<f64> {
        Some(self.shape.volume()? * self.factor * self.factor * self.factor)
    }

    fn surface(&self, size: f64) -> TriangleMesh {
        let mut mesh = self.shape.surface(size / self.factor);
        for vertex in &mut mesh.vertices {
            *vertex *= self.factor;
        }
        mesh
    }

    fn samples(&self) -> Option<Samples> {
        let mut samples = self.shape.samples()?;
        for position in &mut samples.position {
            *position *= self.factor;
        }
        Some(samples)
    }

    fn fabric(&self) -> Option<TriangleMesh> {
        let mut mesh = self.shape.fabric()?;
        for vertex in &mut mesh.vertices {
            *vertex *= self.factor;
        }
        Some(mesh)
    }

    fn textured(&self) -> Option<TexturedMesh> {
        Some(self.shape.textured()?.moved(|x| x * self.factor))
    }

    fn tetrahedra(&self) -> Option<TetrahedralMesh> {
        Some(self.shape.tetrahedra()?.scaled(self.factor))
    }

    fn form(&self) -> Form {
        self.shape.form().scaled(self.factor)
    }

    fn is_thin(&self) -> bool {
        self.shape.is_thin()
    }

    fn hides_surface(&self) -> bool {
        self.shape.hides_surface()
    }
}
