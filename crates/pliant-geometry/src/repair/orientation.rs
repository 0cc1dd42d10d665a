//! Neighbouring triangles turned alike.

use crate::{TriangleMesh, topology};

/// Turns triangles so that those on either side of an edge run against each other along it, the larger part of the
/// area of each connected piece staying as it is. How many were turned. Edges with more than two triangles connect
/// nothing.
pub(super) fn align(mesh: &mut TriangleMesh) -> usize {
    let neighbors = neighbors(mesh);
    let count = mesh.triangles.len();
    let mut is_turned: Vec<Option<bool>> = vec![None; count];
    let mut turned = 0;
    for first in 0..count {
        if is_turned[first].is_some() {
            continue;
        }
        let piece = spread(&neighbors, first as u32, &mut is_turned);
        let area = |is: bool| -> f64 {
            let those = piece.iter().filter(|&&t| is_turned[t as usize] == Some(is));
            those.map(|&t| double_area(mesh, t as usize)).sum()
        };
        let minority = area(true) < area(false);
        for &t in &piece {
            if is_turned[t as usize] == Some(minority) {
                mesh.triangles[t as usize].swap(1, 2);
                turned += 1;
            }
        }
    }
    turned
}

/// The piece that a triangle is in, of which each is marked by whether it is turned against the first.
fn spread(neighbors: &[Vec<(u32, bool)>], first: u32, is_turned: &mut [Option<bool>]) -> Vec<u32> {
    let mut piece = vec![first];
    is_turned[first as usize] = Some(false);
    let mut next = 0;
    while let Some(&triangle) = piece.get(next) {
        next += 1;
        let own = is_turned[triangle as usize] == Some(true);
        for &(other, is_against) in &neighbors[triangle as usize] {
            if is_turned[other as usize].is_none() {
                is_turned[other as usize] = Some(own != is_against);
                piece.push(other);
            }
        }
    }
    piece
}

/// For each triangle those across its edges, and whether they are turned against it.
fn neighbors(mesh: &TriangleMesh) -> Vec<Vec<(u32, bool)>> {
    let sides = topology::sides(mesh);
    let mut neighbors = vec![Vec::new(); mesh.triangles.len()];
    for edge in topology::of_edges(&sides) {
        if let &[a, b] = edge {
            let is_against = a.is_forward == b.is_forward;
            neighbors[a.triangle as usize].push((b.triangle, is_against));
            neighbors[b.triangle as usize].push((a.triangle, is_against));
        }
    }
    neighbors
}

fn double_area(mesh: &TriangleMesh, triangle: usize) -> f64 {
    let [a, b, c] = mesh.corners(triangle);
    (b - a).cross(c - a).length()
}
