//! Unsigned distances at the nodes of the blocks near the surface.

use pliant_math::DVec3;

use super::grid::Layout;
use super::triangle::Triangle;
use super::{BAND, BLOCK, BLOCK_NODES, BLOCK_SIZE};
use crate::{Aabb, TriangleMesh};

/// No block of the band: `Band::slots` of a block far from the surface.
pub(super) const NO_SLOT: u32 = u32::MAX;

/// The blocks of the band.
pub(super) struct Band {
    /// For each block its place in `values`, in blocks, or [`NO_SLOT`].
    pub(super) slots: Vec<u32>,
    /// Distances at the nodes [m], block by block, cut off at the width of the band.
    pub(super) values: Vec<f32>,
    /// Greatest number of blocks.
    most: usize,
}

impl Band {
    /// The band of a mesh, `None` if it has more than `most` blocks.
    pub(super) fn new(mesh: &TriangleMesh, layout: &Layout, most: usize) -> Option<Self> {
        let [x, y, z] = layout.blocks;
        let mut band = Self {
            slots: vec![NO_SLOT; x * y * z],
            values: Vec::new(),
            most,
        };
        for triangle in 0..mesh.triangles.len() {
            band.add_triangle(mesh.corners(triangle), layout);
            if band.is_too_large() {
                return None;
            }
        }
        let width = (BAND * layout.cell) as f32;
        for value in &mut band.values {
            *value = value.sqrt().min(width);
        }
        Some(band)
    }

    fn add_triangle(&mut self, corners: [DVec3; 3], layout: &Layout) {
        let width = BAND * layout.cell;
        let reach = Aabb::around(corners).grown(width);
        let triangle = Triangle::new(corners);
        let low = layout.place(reach.min).max(DVec3::ZERO);
        let high = layout.place(reach.max);
        let nodes: [[usize; 2]; 3] = std::array::from_fn(|axis| {
            let last = layout.blocks[axis] * BLOCK;
            [
                low[axis].ceil() as usize,
                (high[axis].floor().max(0.0) as usize).min(last),
            ]
        });
        let blocks = nodes.map(|[first, last]| first.saturating_sub(1) / BLOCK..=last / BLOCK);
        let radius = width + 0.5 * 3f64.sqrt() * layout.block_width();
        for k in blocks[2].clone() {
            for j in blocks[1].clone() {
                for i in blocks[0].clone() {
                    let block = [i, j, k];
                    let is_known = (0..3).all(|axis| block[axis] < layout.blocks[axis]);
                    if self.is_too_large() {
                        return;
                    }
                    let middle = layout.block_middle(block);
                    if is_known && triangle.distance_squared(middle) <= radius * radius {
                        self.add_to_block(&triangle, layout, block, &nodes);
                    }
                }
            }
        }
    }

    fn add_to_block(
        &mut self,
        triangle: &Triangle,
        layout: &Layout,
        block: [usize; 3],
        nodes: &[[usize; 2]; 3],
    ) {
        let start = self.start_of(layout.block_index(block));
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
                    let value = &mut self.values[start + node_index([x, y, z])];
                    *value = value.min(triangle.distance_squared(point) as f32);
                }
            }
        }
    }

    fn is_too_large(&self) -> bool {
        self.values.len() > self.most * BLOCK_SIZE
    }

    fn start_of(&mut self, block: usize) -> usize {
        let slot = &mut self.slots[block];
        if *slot == NO_SLOT {
            *slot = (self.values.len() / BLOCK_SIZE) as u32;
            let longer = self.values.len() + BLOCK_SIZE;
            self.values.resize(longer, f32::INFINITY);
        }
        *slot as usize * BLOCK_SIZE
    }
}

/// Index of a node inside its block.
pub(super) fn node_index([x, y, z]: [usize; 3]) -> usize {
    (z * BLOCK_NODES + y) * BLOCK_NODES + x
}
