//! What cannot be reached from outside by a ball that does not touch the triangles of a mesh.

use super::field::Field;
use crate::tessellation::NodeGrid;
use crate::{Loop, TriangleMesh};

/// Least radius of the ball in cells: a hole between nodes lets no ball of less through.
const LEAST: f64 = 1.5;

/// Greatest radius of the ball in cells; cells are made coarser for a larger one.
const GREATEST: f64 = 8.0;

/// The outside reaches the surface from nodes that are this much farther from it than the ball is large, in cells.
const FRONT: f64 = 2.0;

/// Balls around nodes stay short of a flat wall by this at most, in cells: half a diagonal beside it, a ball of
/// [`LEAST`] leaves 0.17. What is thinner than twice that is no matter but a wall.
const SHORT: f64 = 0.2;

/// The surface of what a ball of the diameter `gap` [m] does not reach, and the diameter that it had.
pub(super) fn outlined(mesh: &TriangleMesh, gap: f64, cell: f64, run: Loop) -> (TriangleMesh, f64) {
    let cell = cell.max(0.5 * gap / GREATEST);
    let radius = (0.5 * gap).max(LEAST * cell);
    let mut field = Field::new(mesh, cell, radius + FRONT * cell, run);
    let is_outside = reached(&field.grid, radius);
    field.grid.values = sides(&field.grid, &is_outside, radius);
    (field.outline(), 2.0 * radius)
}

/// Which nodes the middle of a ball of `radius` [m] comes to from the outermost.
fn reached(distances: &NodeGrid, radius: f64) -> Vec<bool> {
    let mut is_reached = vec![false; distances.values.len()];
    let mut open = vec![[0usize; 3]];
    is_reached[0] = true;
    while let Some(node) = open.pop() {
        for axis in 0..3 {
            for step in [-1, 1] {
                let mut next = node;
                let Some(moved) = node[axis].checked_add_signed(step) else {
                    continue;
                };
                next[axis] = moved;
                if moved >= distances.nodes[axis] {
                    continue;
                }
                let index = distances.index(next);
                if !is_reached[index] && distances.values[index] >= radius {
                    is_reached[index] = true;
                    open.push(next);
                }
            }
        }
    }
    is_reached
}

/// Numbers that are negative inside: the outside is what lies in a ball, around a node that was reached, that does not
/// touch a triangle.
fn sides(distances: &NodeGrid, is_outside: &[bool], radius: f64) -> Vec<f64> {
    let [width, height, _] = distances.nodes;
    let cell = distances.cell;
    let mut sides: Vec<f64> = distances
        .values
        .iter()
        .zip(is_outside)
        .map(|(&distance, &is)| if is { distance } else { -cell })
        .collect();
    let front = radius + FRONT * cell;
    for (index, &is) in is_outside.iter().enumerate() {
        let distance = distances.values[index];
        if !is || distance >= front {
            continue;
        }
        let node = [
            index % width,
            index / width % height,
            index / width / height,
        ];
        for_neighbors(distances, node, distance + cell, |other, away| {
            if !is_outside[other] {
                sides[other] = sides[other].max(distance - away + SHORT * cell);
            }
        });
    }
    sides
}

/// Calls a function with each node nearer to one than `reach` [m], and how far it is away.
fn for_neighbors(grid: &NodeGrid, node: [usize; 3], reach: f64, mut f: impl FnMut(usize, f64)) {
    let cells = (reach / grid.cell) as usize;
    let range = |axis: usize| {
        let last = grid.nodes[axis] - 1;
        node[axis].saturating_sub(cells)..=(node[axis] + cells).min(last)
    };
    for z in range(2) {
        for y in range(1) {
            for x in range(0) {
                let offset = [x, y, z].into_iter().zip(node);
                let square: usize = offset.map(|(a, b)| a.abs_diff(b).pow(2)).sum();
                let away = grid.cell * (square as f64).sqrt();
                if away < reach {
                    f(grid.index([x, y, z]), away);
                }
            }
        }
    }
}
