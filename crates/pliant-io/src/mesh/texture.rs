//! Texture coordinates on their way from a file into a mesh.

use pliant_geometry::{TexturedMesh, TriangleMesh};

/// A mesh as its file has it.
#[derive(Debug, Default)]
pub(super) struct Written {
    pub(super) textured: TexturedMesh,
    /// Why some of its parts are without the texture coordinates that the file has for them: the first reason.
    pub(super) damage: Option<String>,
}

impl From<TriangleMesh> for Written {
    fn from(mesh: TriangleMesh) -> Self {
        Self {
            textured: TexturedMesh::from(mesh),
            damage: None,
        }
    }
}

impl Written {
    /// Takes note that texture coordinates are left out.
    pub(super) fn leave_out(&mut self, damage: String) {
        self.damage.get_or_insert(damage);
    }

    /// Leaves out the texture coordinates of triangles where they are not finite.
    pub(super) fn keep_finite(&mut self) {
        let is_finite = |uv: &[[f32; 2]; 3]| uv.as_flattened().iter().all(|c| c.is_finite());
        let mut first = None;
        for (triangle, uv) in self.textured.uv.iter_mut().enumerate() {
            if !is_finite(uv) {
                first.get_or_insert((triangle, *uv));
                *uv = Default::default();
            }
        }
        if let Some((triangle, uv)) = first {
            self.leave_out(format!(
                "those of triangle {triangle}, counted from 0, are {uv:?}, which must be finite"
            ));
        }
    }

    /// The mesh with its texture coordinates, if it has some: those of files without any are all zero.
    pub(super) fn with_uv(self) -> Option<TexturedMesh> {
        let all = self.textured.uv.as_flattened();
        let has_uv = all.iter().any(|&uv| uv != [0.0; 2]);
        has_uv.then_some(self.textured)
    }
}

/// The first of some texture coordinates that is not finite, as its file would be told of it.
pub(super) fn first_not_finite(uv: &[[f32; 2]]) -> Option<String> {
    let is_finite = |uv: &[f32; 2]| uv.iter().all(|c| c.is_finite());
    let place = uv.iter().position(|uv| !is_finite(uv))?;
    let [u, v] = uv[place];
    Some(format!(
        "value {place}, counted from 0, is ({u}, {v}), which must be finite"
    ))
}
