//! Holes of a surface, filled with triangles.

use std::collections::BTreeMap;

use super::{orientation, triangulation};
use crate::{TriangleMesh, topology};

/// The surface with its triangles turned alike and a lid on each of its holes, and what was done.
pub(super) fn filled(mut mesh: TriangleMesh) -> (TriangleMesh, Option<String>) {
    let turned = orientation::align(&mut mesh);
    let holes = holes(&mesh);
    let before = mesh.triangles.len();
    for hole in &holes {
        let lid = triangulation::least_area(&mesh.vertices, hole);
        mesh.triangles.extend(lid);
    }
    let longest = holes.iter().map(Vec::len).max();
    let filled = longest.map(|longest| {
        format!(
            "{} filled with {}, the longest rim having {longest} edges",
            counted(holes.len(), "hole was", "holes were"),
            counted(mesh.triangles.len() - before, "triangle", "triangles")
        )
    });
    let turned = (turned > 0).then(|| {
        let count = counted(turned, "triangle was", "triangles were");
        format!("{count} turned to face as their neighbours do")
    });
    let done: Vec<String> = filled.into_iter().chain(turned).collect();
    (mesh, (!done.is_empty()).then(|| done.join("; ")))
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The rims of a surface, each a ring of different vertices in the order of the lid's triangles.
fn holes(mesh: &TriangleMesh) -> Vec<Vec<u32>> {
    let mut ways = open_ways(mesh);
    let mut holes = Vec::new();
    while let Some((&start, _)) = ways.iter().next() {
        let mut path = vec![start];
        while let Some(next) = step(&mut ways, path[path.len() - 1]) {
            // Where rims touch in a vertex, the ring since then is one of them.
            match path.iter().position(|&vertex| vertex == next) {
                Some(place) => {
                    holes.push(path.split_off(place));
                    path.push(next);
                }
                None => path.push(next),
            }
        }
    }
    holes.retain(|hole| hole.len() > 2);
    holes
}

/// Takes a way from a vertex.
fn step(ways: &mut BTreeMap<u32, Vec<u32>>, from: u32) -> Option<u32> {
    let to = ways.get_mut(&from)?;
    let next = to.pop();
    if to.is_empty() {
        ways.remove(&from);
    }
    next
}

/// Where a lid's triangles go from each vertex: along edges that a single triangle has, against it.
fn open_ways(mesh: &TriangleMesh) -> BTreeMap<u32, Vec<u32>> {
    let sides = topology::sides(mesh);
    let mut ways: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for edge in topology::of_edges(&sides) {
        if let &[side] = edge {
            let [lesser, greater] = side.ends;
            let (from, to) = match side.is_forward {
                true => (greater, lesser),
                false => (lesser, greater),
            };
            ways.entry(from).or_default().push(to);
        }
    }
    ways
}
