//! Unsigned distances at the nodes of the blocks near the surface.

use std::sync::atomic::{AtomicUsize, Ordering};

use pliant_math::DVec3;

use super::grid::Layout;
use super::{BAND, BLOCK, BLOCK_NODES, BLOCK_SIZE};
use crate::triangle::Triangle;
use crate::{Aabb, Loop, TriangleMesh, work};

/// No block of the band: `Band::slots` of a block far from the surface.
pub(super) const NO_SLOT: u32 = u32::MAX;

/// Triangles a piece of work.
const TRIANGLES: usize = 512;
/// Most pairs of a triangle and a block it comes near, for each block that a band may have.
const MOST_PAIRS: usize = 64;

/// The blocks of the band.
pub(super) struct Band {
    /// For each block its place in `blocks`, or [`NO_SLOT`].
    pub(super) slots: Vec<u32>,
    /// The blocks of the band by their index, ascending.
    pub(super) blocks: Vec<u32>,
    /// Distances at the nodes [m], block by block, cut off at the width of the band.
    pub(super) values: Vec<f32>,
}

impl Band {
    /// The band of a mesh, `None` if it has more than `most` blocks.
    pub(super) fn new(
        mesh: &TriangleMesh,
        layout: &Layout,
        most: usize,
        run: Loop,
    ) -> Option<Self> {
        let mut pairs = near_pairs(mesh, layout, most.saturating_mul(MOST_PAIRS), run)?;
        pairs.sort_unstable();
        let of_blocks: Vec<&[NearPair]> = pairs.chunk_by(|a, b| a.block == b.block).collect();
        if of_blocks.len() > most {
            return None;
        }
        let blocks: Vec<u32> = of_blocks.iter().map(|pairs| pairs[0].block).collect();
        let mut slots = vec![NO_SLOT; layout.blocks.iter().product()];
        for (slot, block) in blocks.iter().enumerate() {
            slots[*block as usize] = slot as u32;
        }
        let mut values = vec![f32::INFINITY; blocks.len() * BLOCK_SIZE];
        work::for_chunks(run, &mut values, BLOCK_SIZE, |first, values| {
            let pairs = of_blocks[first / BLOCK_SIZE];
            fill_block(mesh, layout, pairs, values);
        });
        Some(Self {
            slots,
            blocks,
            values,
        })
    }
}

/// A block and a triangle that comes near it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct NearPair {
    block: u32,
    triangle: u32,
}

/// All pairs, `None` if they are more than `most`.
fn near_pairs(
    mesh: &TriangleMesh,
    layout: &Layout,
    most: usize,
    run: Loop,
) -> Option<Vec<NearPair>> {
    let found = AtomicUsize::new(0);
    let parts = work::collect_chunks(run, mesh.triangles.len(), TRIANGLES, |triangles| {
        let mut pairs = Vec::new();
        for triangle in triangles {
            let before = pairs.len();
            add_pairs(mesh, layout, triangle, &mut pairs);
            let added = pairs.len() - before;
            if found.fetch_add(added, Ordering::Relaxed) + added > most {
                break;
            }
        }
        pairs
    });
    (found.into_inner() <= most).then(|| parts.concat())
}

fn add_pairs(mesh: &TriangleMesh, layout: &Layout, index: usize, pairs: &mut Vec<NearPair>) {
    let corners = mesh.corners(index);
    let triangle = Triangle::new(corners);
    let nodes = near_nodes(corners, layout);
    let blocks: [_; 3] = std::array::from_fn(|axis| {
        let [first, last] = nodes[axis];
        first.saturating_sub(1) / BLOCK..=(last / BLOCK).min(layout.blocks[axis] - 1)
    });
    let radius = BAND * layout.cell + 0.5 * 3f64.sqrt() * layout.block_width();
    for k in blocks[2].clone() {
        for j in blocks[1].clone() {
            for i in blocks[0].clone() {
                let block = [i, j, k];
                let middle = layout.block_middle(block);
                if triangle.distance_squared(middle) <= radius * radius {
                    pairs.push(NearPair {
                        block: layout.block_index(block) as u32,
                        triangle: index as u32,
                    });
                }
            }
        }
    }
}

/// First and last node along each axis that the band of a triangle may reach.
fn near_nodes(corners: [DVec3; 3], layout: &Layout) -> [[usize; 2]; 3] {
    let reach = Aabb::around(corners).grown(BAND * layout.cell);
    let low = layout.place(reach.min).max(DVec3::ZERO);
    let high = layout.place(reach.max).max(DVec3::ZERO);
    std::array::from_fn(|axis| {
        let last = layout.blocks[axis] * BLOCK;
        [
            low[axis].ceil() as usize,
            (high[axis].floor() as usize).min(last),
        ]
    })
}

/// Distances at the nodes of a block from the triangles near it.
fn fill_block(mesh: &TriangleMesh, layout: &Layout, pairs: &[NearPair], values: &mut [f32]) {
    for pair in pairs {
        let corners = mesh.corners(pair.triangle as usize);
        let triangle = Triangle::new(corners);
        let nodes = near_nodes(corners, layout);
        let block = layout.block_at(pair.block as usize);
        let local = |axis: usize| {
            let first = block[axis] * BLOCK;
            let low = nodes[axis][0].max(first) - first;
            let high = (nodes[axis][1] + 1).min(first + BLOCK_NODES);
            low..high.saturating_sub(first)
        };
        for z in local(2) {
            for y in local(1) {
                for x in local(0) {
                    let point = layout.node(block, [x, y, z]);
                    let value = &mut values[node_index([x, y, z])];
                    *value = value.min(triangle.distance_squared(point) as f32);
                }
            }
        }
    }
    let width = (BAND * layout.cell) as f32;
    for value in values {
        *value = value.sqrt().min(width);
    }
}

/// Index of a node inside its block.
pub(super) fn node_index([x, y, z]: [usize; 3]) -> usize {
    (z * BLOCK_NODES + y) * BLOCK_NODES + x
}
