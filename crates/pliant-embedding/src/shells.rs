//! Parts of a surface that hang together, and which of them there are.

use std::collections::BTreeMap;

use pliant_geometry::topology::DisjointSets;
use pliant_math::DVec3;

use super::GONE;
use super::bound_mesh::BoundMesh;

/// The triangles of a surface, by their numbers, without shells that are none of a piece: those of what has left, and
/// crumbs between the faces of cuts, which have nothing of the mesh, while the piece that carries them has a greater
/// shell.
pub(super) fn present(surface: &BoundMesh, piece: &[u32]) -> Vec<usize> {
    let mesh = &surface.mesh;
    let mut sets = DisjointSets::new(mesh.vertices.len());
    for &[a, b, c] in &mesh.triangles {
        sets.join(a, b);
        sets.join(b, c);
    }
    let mut shells: BTreeMap<u32, Shell> = BTreeMap::new();
    for (number, corners) in mesh.triangles.iter().enumerate() {
        let shell = shells.entry(sets.root(corners[0])).or_default();
        let [a, b, c] = mesh.corners(number);
        let origin = *shell.origin.get_or_insert(a);
        shell.volume += (a - origin).cross(b - origin).dot(c - origin) / 6.0;
        shell.has_skin |= corners
            .iter()
            .any(|corner| (*corner as usize) < surface.skin);
        for corner in corners {
            let bound = surface.bound[*corner as usize].iter();
            let present = bound
                .map(|(k, _)| piece[*k as usize])
                .filter(|piece| *piece != GONE);
            shell.piece = shell.piece.or(present.min());
        }
    }
    let mut greatest: BTreeMap<u32, f64> = BTreeMap::new();
    for shell in shells.values() {
        let most = greatest.entry(shell.piece.unwrap_or(GONE)).or_default();
        *most = shell.volume.max(*most);
    }
    let is_kept = |shell: &Shell| {
        let is_crumb = |piece| !shell.has_skin && (0.0..greatest[&piece]).contains(&shell.volume);
        shell.piece.is_some_and(|piece| !is_crumb(piece))
    };
    (0..mesh.triangles.len())
        .filter(|&t| is_kept(&shells[&sets.root(mesh.triangles[t][0])]))
        .collect()
}

/// A part of a surface that hangs together.
#[derive(Default)]
struct Shell {
    /// What it bounds at rest [m³], negative for a hollow.
    volume: f64,
    /// A point of it [m].
    origin: Option<DVec3>,
    has_skin: bool,
    /// That carries it, if any does that has not left.
    piece: Option<u32>,
}
