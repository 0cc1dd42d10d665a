//! What hangs together among the faces in a cell of the grid, and its volume.

use pliant_math::DVec3;
use rustc_hash::FxHashMap;

use super::{CutCell, Edges, Face};
use crate::topology::DisjointSets;

/// A closed surface.
struct Shell {
    vertices: Vec<u32>,
    faces: Vec<Face>,
    /// Negative for a cavity [m3].
    volume: f64,
}

/// The connected pieces of faces; cavities belong to the piece around them.
///
/// * `vertices` — of all cells [m]
pub fn pieces(vertices: &[DVec3], faces: Vec<Face>) -> Vec<CutCell> {
    let faces = faces.into_iter().flat_map(|face| parts_of(vertices, face));
    let shells = connected(faces.collect());
    let shells = shells.into_iter().map(|faces| Shell {
        vertices: vertices_of(&faces),
        volume: volume(vertices, &faces),
        faces,
    });
    let (around, cavities): (Vec<_>, Vec<_>) = shells.partition(|shell| shell.volume > 0.0);
    let cell = |shell: Shell| CutCell {
        vertices: shell.vertices,
        volume: shell.volume,
        faces: shell.faces,
    };
    let mut cells: Vec<CutCell> = around.into_iter().map(cell).collect();
    for cavity in cavities {
        let inside = |cell: &&mut CutCell| holds(vertices, &cell.vertices, &cavity.vertices);
        let enclosing = cells.iter_mut().filter(inside);
        if let Some(cell) = enclosing.min_by(|a, b| a.volume.total_cmp(&b.volume)) {
            cell.volume += cavity.volume;
            cell.faces.extend(cavity.faces);
            cell.vertices.extend(cavity.vertices);
            cell.vertices.sort_unstable();
            cell.vertices.dedup();
        }
    }
    cells.retain(|cell| cell.volume > 0.0);
    cells
}

/// The vertices of faces, increasing.
fn vertices_of(faces: &[Face]) -> Vec<u32> {
    let edges = faces.iter().flat_map(|face| &face.edges);
    let mut vertices: Vec<u32> = edges.map(|edge| edge[0]).collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}

/// Whether the box around vertices holds that around others.
fn holds(vertices: &[DVec3], outer: &[u32], inner: &[u32]) -> bool {
    let bounds = |list: &[u32]| {
        let places = list.iter().map(|&v| vertices[v as usize]);
        places.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), x| {
            (min.min(x), max.max(x))
        })
    };
    let ((a, b), (c, d)) = (bounds(outer), bounds(inner));
    a.cmple(c).all() && d.cmple(b).all()
}

/// The volume that faces enclose [m3]: a third of the sum of o . A over the faces, A being the area of a face and o a
/// point of it.
fn volume(vertices: &[DVec3], faces: &[Face]) -> f64 {
    let first = faces.iter().flat_map(|face| &face.edges).next();
    let base = first.map_or(DVec3::ZERO, |edge| vertices[edge[0] as usize]);
    let of_face = |face: &Face| {
        let origin = vertices[face.edges[0][0] as usize];
        (origin - base).dot(doubled_area(vertices, &face.edges)) / 6.0
    };
    faces.iter().map(of_face).sum()
}

/// Twice the area of a face [m2], along the normal that its edges are counter-clockwise around.
pub fn doubled_area(vertices: &[DVec3], face: &[[u32; 2]]) -> DVec3 {
    let origin = vertices[face[0][0] as usize];
    face.iter().fold(DVec3::ZERO, |sum, &[p, q]| {
        let [p, q] = [p, q].map(|v| vertices[v as usize] - origin);
        sum + p.cross(q)
    })
}

/// The parts of a face that do not hang together, each with its holes: a plane that cuts two legs makes one cap.
fn parts_of(vertices: &[DVec3], face: Face) -> Vec<Face> {
    // Two loops have six edges at least.
    if face.edges.len() < 6 {
        return vec![face];
    }
    let mut loops = loops_of(&face.edges);
    if loops.len() == 1 {
        return vec![face];
    }
    let normal = doubled_area(vertices, &face.edges);
    let size = |part: &Edges| doubled_area(vertices, part).dot(normal);
    loops.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let outlines = loops.partition_point(|part| size(part) > 0.0);
    let holes = loops.split_off(outlines);
    let mut alone = Vec::new();
    for hole in holes {
        let corner = hole[0][0];
        // The smallest around it is the last one.
        let mut around = loops.iter_mut().rev();
        match around.find(|part| encloses(vertices, part, normal, corner)) {
            Some(part) => part.extend(hole),
            None => alone.push(hole),
        }
    }
    let parts = loops.into_iter().chain(alone);
    parts.map(|edges| face.with(edges)).collect()
}

/// What edges that share vertices make together.
fn loops_of(edges: &Edges) -> Vec<Edges> {
    let mut corners: Vec<u32> = edges.iter().map(|edge| edge[0]).collect();
    corners.sort_unstable();
    corners.dedup();
    let place = |corner: u32| corners.partition_point(|&other| other < corner);
    let mut sets = DisjointSets::new(corners.len());
    for ends in edges {
        let [from, to] = ends.map(|corner| place(corner) as u32);
        sets.join(from, to);
    }
    let mut number_of = vec![0; corners.len()];
    let mut loops = Vec::new();
    for (number, set) in sets.members().enumerate() {
        for corner in set {
            number_of[corner as usize] = number;
        }
        loops.push(Edges::new());
    }
    for &edge in edges {
        loops[number_of[place(edge[0])]].push(edge);
    }
    loops
}

/// Whether a vertex lies within edges, seen along the axis that is nearest to a normal: a ray from it crosses an odd
/// number of them.
fn encloses(vertices: &[DVec3], edges: &[[u32; 2]], normal: DVec3, corner: u32) -> bool {
    let ([right, up], _) = crate::planar::axes_across(normal);
    let at = vertices[corner as usize];
    let crosses = |&[from, to]: &[u32; 2]| {
        let [a, b] = [from, to].map(|v| vertices[v as usize]);
        let share = (at[up] - a[up]) / (b[up] - a[up]);
        (a[up] > at[up]) != (b[up] > at[up]) && a[right] + share * (b[right] - a[right]) > at[right]
    };
    edges.iter().filter(|edge| crosses(edge)).count() % 2 == 1
}

/// Faces that hang together by their vertices.
fn connected(mut faces: Vec<Face>) -> Vec<Vec<Face>> {
    let mut sets = DisjointSets::new(faces.len());
    let mut first_with: FxHashMap<u32, u32> = FxHashMap::default();
    for (number, face) in (0..).zip(&faces) {
        for edge in &face.edges {
            sets.join(*first_with.entry(edge[0]).or_insert(number), number);
        }
    }
    let mut taken = |number: u32| std::mem::take(&mut faces[number as usize]);
    let groups = sets.members();
    groups
        .map(|group| group.into_iter().map(&mut taken).collect())
        .collect()
}
