//! Meshes of files that say which axis is up, in a scene with another one.

use std::sync::Arc;

use pliant_geometry::{
    Loop, MeshSeries, MeshSource, Samples, TetrahedralMesh, TexturedMesh, TriangleMesh,
    VectorSamples,
};
use pliant_math::DVec3;
use pliant_parameters::Problem;

/// Meshes that stand as the scene does.
pub(super) struct Upright<'a> {
    meshes: &'a dyn MeshSource,
    is_z_up: bool,
}

impl<'a> Upright<'a> {
    /// For a scene in which `up` is up.
    pub(super) fn new(meshes: &'a dyn MeshSource, up: DVec3) -> Self {
        Self {
            meshes,
            is_z_up: up == DVec3::Z,
        }
    }

    fn turns(&self, file: &str) -> bool {
        self.is_z_up && self.meshes.is_y_up(file)
    }
}

/// From y upwards to z upwards.
fn turn(vertices: &mut [DVec3]) {
    for vertex in vertices {
        *vertex = DVec3::new(vertex.x, -vertex.z, vertex.y);
    }
}

fn turn_series(series: &mut MeshSeries) {
    turn(&mut series.mesh.vertices);
    series.places.iter_mut().for_each(|places| turn(places));
}

impl MeshSource for Upright<'_> {
    fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
        let mut mesh = self.meshes.mesh(file)?;
        if self.turns(file) {
            turn(&mut Arc::make_mut(&mut mesh).vertices);
        }
        Ok(mesh)
    }

    fn textured(&self, file: &str) -> Option<Arc<TexturedMesh>> {
        let mut textured = self.meshes.textured(file)?;
        if self.turns(file) {
            turn(&mut Arc::make_mut(&mut textured).mesh.vertices);
        }
        Some(textured)
    }

    fn texture_damage(&self, file: &str) -> Option<String> {
        self.meshes.texture_damage(file)
    }

    fn is_y_up(&self, file: &str) -> bool {
        !self.is_z_up && self.meshes.is_y_up(file)
    }

    fn series(&self, files: &[String]) -> Result<MeshSeries, Problem> {
        let mut series = self.meshes.series(files)?;
        if self.turns(&files[0]) {
            turn_series(&mut series);
        }
        Ok(series)
    }

    fn animation(
        &self,
        file: &str,
        name: Option<&str>,
        rate: f64,
    ) -> Result<(MeshSeries, f64), Problem> {
        let (mut series, rate) = self.meshes.animation(file, name, rate)?;
        if self.turns(file) {
            turn_series(&mut series);
        }
        Ok((series, rate))
    }

    fn particles(&self, file: &str) -> Result<Arc<Samples>, Problem> {
        self.meshes.particles(file)
    }

    fn vectors(&self, file: &str, array: &str) -> Result<VectorSamples, Problem> {
        self.meshes.vectors(file, array)
    }

    fn tetrahedra(&self, file: &str) -> Result<Arc<TetrahedralMesh>, Problem> {
        self.meshes.tetrahedra(file)
    }

    fn report_progress(&self, doing: &str) {
        self.meshes.report_progress(doing);
    }

    fn work(&self) -> Loop {
        self.meshes.work()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle whose last corner is its highest in `a.glb`.
    struct Files;

    impl MeshSource for Files {
        fn mesh(&self, _: &str) -> Result<Arc<TriangleMesh>, Problem> {
            Ok(Arc::new(TriangleMesh {
                vertices: vec![DVec3::ZERO, DVec3::X, DVec3::new(0.0, 2.0, 0.5)],
                triangles: vec![[0, 1, 2]],
            }))
        }

        fn series(&self, files: &[String]) -> Result<MeshSeries, Problem> {
            let mesh = TriangleMesh::clone(&*self.mesh(&files[0])?);
            Ok(MeshSeries {
                places: vec![mesh.vertices.clone()],
                mesh,
            })
        }

        fn is_y_up(&self, file: &str) -> bool {
            file.ends_with(".glb")
        }
    }

    #[test]
    fn meshes_that_know_what_is_up_stand_in_every_scene() {
        for (up, file, top) in [
            (DVec3::Y, "a.glb", [0.0, 2.0, 0.5]),
            (DVec3::Z, "a.glb", [0.0, -0.5, 2.0]),
            (DVec3::Z, "a.obj", [0.0, 2.0, 0.5]),
        ] {
            let meshes = Upright::new(&Files, up);
            assert_eq!(meshes.mesh(file).unwrap().vertices[2].to_array(), top);
            let series = meshes.series(&[file.to_owned()]).unwrap();
            assert_eq!(series.mesh.vertices[2].to_array(), top);
            assert_eq!(series.places[0][2].to_array(), top);
        }
    }
}
