//! The baked grid and how it is read.

use pliant_math::DVec3;

use super::band::{Band, NO_SLOT, node_index};
use super::thin::Thin;
use super::winding::{Lines, Windings};
use super::{BAND, BLOCK, BLOCK_SIZE, far};
use crate::signed_nearest::Side;
use crate::{Aabb, Loop, TriangleMesh, work};

/// Greatest number of blocks in the box around a mesh, four bytes each twice.
const MOST_BLOCKS: f64 = 1e8;
/// Greatest number of grid lines along x, four bytes each.
const MOST_LINES: f64 = 2e8;
/// Greatest number of blocks in the band: two gigabytes.
const MOST_BAND_BLOCKS: usize = 700_000;

/// Blocks beyond the band a piece of work.
const FAR_BLOCKS: usize = 4096;

/// A slope below which the distance is cut off, and says nothing of its direction.
const LEAST_SLOPE: f64 = 0.3;

/// The signed distance of a closed mesh on a sparse grid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DistanceGrid {
    pub(super) layout: Layout,
    mesh_bounds: Aabb,
    /// For each block its place in `values`, in blocks, or [`NO_SLOT`].
    pub(super) slots: Vec<u32>,
    /// Signed distances at the nodes of the blocks in the band [m].
    pub(super) values: Vec<f32>,
    /// For each block the distance to the band in block widths, negative inside.
    far: Vec<f32>,
    is_simple: bool,
    /// Blocks whose nodes do not tell the distance.
    pub(super) thin: Option<Thin>,
}

/// A grid too fine for memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BakeFault {
    /// Cells along the longest edge of the mesh.
    pub(crate) cells: f64,
}

/// Where blocks and nodes are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    pub(super) origin: DVec3,
    pub(super) cell: f64,
    pub(super) blocks: [usize; 3],
}

impl DistanceGrid {
    /// Whether cells of `cell` [m] are few enough for a mesh in bounds, as far as those tell.
    pub(crate) fn check(bounds: Aabb, cell: f64) -> Result<(), BakeFault> {
        Layout::around(bounds, cell).map(|_| ()).ok_or(BakeFault {
            cells: bounds.extent().max_element() / cell,
        })
    }

    /// Bakes a closed mesh with cells of `cell` [m] in the pieces of a loop.
    pub(crate) fn bake(mesh: &TriangleMesh, cell: f64, run: Loop) -> Result<Self, BakeFault> {
        let mesh_bounds = mesh.bounds();
        let fault = BakeFault {
            cells: mesh_bounds.extent().max_element() / cell,
        };
        let layout = Layout::around(mesh_bounds, cell).ok_or(fault)?;
        // A block holds the area of a few of its faces at most, unless the mesh is crumpled.
        let most_area = 8.0 * MOST_BAND_BLOCKS as f64 * layout.block_width().powi(2);
        if area(mesh) > most_area {
            return Err(fault);
        }
        let band = Band::new(mesh, &layout, MOST_BAND_BLOCKS, run).ok_or(fault)?;
        let windings = Windings::new(mesh, &layout.lines(), run);
        let far = far::block_distances(layout.blocks, |block| band.slots[block] != NO_SLOT);
        let mut grid = Self {
            layout,
            mesh_bounds,
            slots: band.slots,
            values: band.values,
            far,
            is_simple: windings.is_simple(),
            thin: None,
        };
        grid.set_signs(&windings, &band.blocks, run);
        // The nearest triangle of a shell that lies inside out would take its outside for the inside.
        if windings.faces_outwards() {
            grid.thin = Thin::of(&grid, mesh, &band.blocks, run);
        }
        Ok(grid)
    }

    /// True if no shells of the mesh cross, overlap or lie inside out, so that its volume is the
    /// sum over its triangles.
    pub(crate) fn is_simple(&self) -> bool {
        self.is_simple
    }

    /// Signed distance [m]: interpolated in the band, exact beside thin walls, a lower bound beyond.
    pub(crate) fn signed_distance(&self, point: DVec3) -> f64 {
        let width = BAND * self.layout.cell;
        let place = self.layout.place(point);
        if !self.layout.contains(place) {
            return outside_distance(self.mesh_bounds, point);
        }
        let beside_thin = self.beside_thin(point, place);
        let distance = match beside_thin {
            Some(side) => Some(side.signed_distance().clamp(-width, width)),
            None => self.in_band(place),
        };
        match distance {
            Some(distance) if distance.abs() < 0.999 * width => distance,
            near => {
                let towards = self.far_at(place);
                let sign = near.unwrap_or(towards);
                let beyond = (towards.abs() - 3f64.sqrt()) * self.layout.block_width();
                if sign < 0.0 {
                    -beyond.max(width)
                } else {
                    let to_bounds = outside_distance(self.mesh_bounds, point);
                    beyond.max(width).max(to_bounds)
                }
            }
        }
    }

    /// Unit gradient of the distance: of the interpolated one over a cell in the band, which is
    /// continuous; that of the exact one beside thin walls; beyond the band over more cells, or the
    /// direction away from the nearest block of the band; outside the mesh's bounds the direction away
    /// from them.
    pub(crate) fn normal(&self, point: DVec3) -> DVec3 {
        let cell = self.layout.cell;
        let from_bounds = point - point.clamp(self.mesh_bounds.min, self.mesh_bounds.max);
        if from_bounds.length() >= BAND * cell {
            return from_bounds.normalize();
        }
        let place = self.layout.place(point);
        if let Some(side) = self.beside_thin(point, place)
            && side.signed_distance().abs() < BAND * cell
        {
            return side.normal();
        }
        for step in [cell, (BAND + 1.0) * cell] {
            let slope = self.slope(step, |p| self.signed_distance(point + p));
            if slope.length() > LEAST_SLOPE {
                return slope.normalize();
            }
        }
        let in_grid = |p: DVec3| self.far_at(self.layout.place(point + p));
        self.slope(self.layout.block_width(), in_grid)
            .normalize_or(DVec3::Y)
    }

    fn slope(&self, step: f64, value: impl Fn(DVec3) -> f64) -> DVec3 {
        let along = |axis: DVec3| value(axis * step) - value(axis * -step);
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z)) / (2.0 * step)
    }

    /// How a point lies to the mesh, if it is in a block beside a thin wall.
    fn beside_thin(&self, point: DVec3, place: DVec3) -> Option<Side> {
        let thin = self.thin.as_ref()?;
        if !self.layout.contains(place) {
            return None;
        }
        let (slot, ..) = self.cell_of(place)?;
        if !thin.is_thin[slot] {
            return None;
        }
        let mut side = thin.exact.of(point);
        // The nearest of shells that overlap may be a part of the surface that is hidden.
        side.is_inside |= !self.is_simple && self.in_band(place).is_some_and(|d| d < 0.0);
        Some(side)
    }

    fn far_at(&self, place: DVec3) -> f64 {
        far::interpolate(&self.far, self.layout.blocks, place / BLOCK as f64)
    }

    /// The distance at a node, counted along each axis, `None` outside the band.
    pub(super) fn value_at(&self, node: [usize; 3]) -> Option<f64> {
        let (block, in_block) = self.layout.block_of_node(node);
        let slot = self.slots[block];
        let is_there = slot != NO_SLOT;
        is_there.then(|| f64::from(self.values[slot as usize * BLOCK_SIZE + node_index(in_block)]))
    }

    /// The slot of the block that a place in cells is in, the cell in it and the place in that; `None`
    /// outside the blocks of the band.
    fn cell_of(&self, place: DVec3) -> Option<(usize, [usize; 3], DVec3)> {
        let last = DVec3::from(self.layout.blocks.map(|n| (n * BLOCK - 1) as f64));
        let low = place.floor().clamp(DVec3::ZERO, last);
        let cell = low.to_array().map(|x| x as usize);
        let slot = self.slots[self.layout.block_index(cell.map(|i| i / BLOCK))];
        let is_there = slot != NO_SLOT;
        is_there.then(|| (slot as usize, cell.map(|i| i % BLOCK), place - low))
    }

    /// The interpolated distance at a place in cells, `None` outside the blocks of the band.
    pub(super) fn in_band(&self, place: DVec3) -> Option<f64> {
        let (slot, [x, y, z], part) = self.cell_of(place)?;
        let start = slot * BLOCK_SIZE;
        let value = |x, y, z| f64::from(self.values[start + node_index([x, y, z])]);
        let along_x = |y, z| lerp(value(x, y, z), value(x + 1, y, z), part.x);
        let along_y = |z| lerp(along_x(y, z), along_x(y + 1, z), part.y);
        Some(lerp(along_y(z), along_y(z + 1), part.z))
    }

    /// Makes distances inside negative; `band` lists the blocks of the band in order.
    fn set_signs(&mut self, windings: &Windings, band: &[u32], run: Loop) {
        let layout = self.layout;
        let is_inside = |block: [usize; 3], node: [usize; 3]| {
            let line = [1, 2].map(|axis| block[axis] * BLOCK + node[axis]);
            windings.at(layout.node(block, node).x, line) != 0
        };
        work::for_chunks(run, &mut self.values, BLOCK_SIZE, |first, values| {
            let block = layout.block_at(band[first / BLOCK_SIZE] as usize);
            for (i, value) in values.iter_mut().enumerate() {
                if is_inside(block, node_of_index(i)) {
                    *value = -*value;
                }
            }
        });
        let slots = &self.slots;
        work::for_chunks(run, &mut self.far, FAR_BLOCKS, |first, far| {
            for (i, distance) in far.iter_mut().enumerate() {
                let block = first + i;
                if slots[block] == NO_SLOT && is_inside(layout.block_at(block), [0; 3]) {
                    *distance = -*distance;
                }
            }
        });
    }
}

impl Layout {
    /// Blocks that hold a mesh's bounds, its band and a margin of one block in which distances
    /// between blocks can still fall; `None` if they are too many.
    fn around(bounds: Aabb, cell: f64) -> Option<Self> {
        let grown = bounds.grown((BAND + 1.0 + BLOCK as f64) * cell);
        let counts = (grown.extent() / (BLOCK as f64 * cell)).ceil();
        let lines = counts.y * counts.z * (BLOCK * BLOCK) as f64;
        let fits = counts.element_product() <= MOST_BLOCKS && lines <= MOST_LINES;
        if !counts.is_finite() || !fits {
            return None;
        }
        Some(Self {
            origin: grown.min,
            cell,
            blocks: counts.to_array().map(|n| (n as usize).max(1)),
        })
    }

    /// A point in cells from the origin.
    pub(super) fn place(&self, point: DVec3) -> DVec3 {
        (point - self.origin) / self.cell
    }

    pub(super) fn block_width(&self) -> f64 {
        BLOCK as f64 * self.cell
    }

    pub(super) fn block_index(&self, [x, y, z]: [usize; 3]) -> usize {
        (z * self.blocks[1] + y) * self.blocks[0] + x
    }

    /// The block of an index.
    pub(super) fn block_at(&self, index: usize) -> [usize; 3] {
        let [x, y, _] = self.blocks;
        [index % x, index / x % y, index / (x * y)]
    }

    pub(super) fn block_middle(&self, block: [usize; 3]) -> DVec3 {
        let place = DVec3::from(block.map(|i| i as f64 + 0.5));
        self.origin + self.block_width() * place
    }

    /// The middle of a cell, by the index of its block and its place in the block.
    pub(super) fn cell_middle(&self, block: u32, cell: [usize; 3]) -> DVec3 {
        self.node(self.block_at(block as usize), cell) + DVec3::splat(0.5 * self.cell)
    }

    /// The block of a node, and its place in that.
    pub(super) fn block_of_node(&self, node: [usize; 3]) -> (usize, [usize; 3]) {
        let last = self.blocks.map(|count| count - 1);
        let block = [0, 1, 2].map(|axis: usize| (node[axis] / BLOCK).min(last[axis]));
        let in_block = [0, 1, 2].map(|axis: usize| node[axis] - block[axis] * BLOCK);
        (self.block_index(block), in_block)
    }

    /// A node, by its block and its place in the block.
    pub(super) fn node(&self, block: [usize; 3], node: [usize; 3]) -> DVec3 {
        let place: [f64; 3] = std::array::from_fn(|axis| (block[axis] * BLOCK + node[axis]) as f64);
        self.origin + self.cell * DVec3::from(place)
    }

    fn contains(&self, place: DVec3) -> bool {
        let end = DVec3::from(self.blocks.map(|n| (n * BLOCK) as f64));
        place.cmpge(DVec3::ZERO).all() && place.cmple(end).all()
    }

    fn lines(&self) -> Lines {
        Lines {
            origin: self.origin,
            cell: self.cell,
            counts: [1, 2].map(|axis| self.blocks[axis] * BLOCK + 1),
        }
    }
}

pub(super) fn node_of_index(index: usize) -> [usize; 3] {
    const N: usize = super::BLOCK_NODES;
    [index % N, index / N % N, index / (N * N)]
}

fn area(mesh: &TriangleMesh) -> f64 {
    let twice = |t| {
        let [a, b, c] = mesh.corners(t);
        (b - a).cross(c - a).length()
    };
    0.5 * (0..mesh.triangles.len()).map(twice).sum::<f64>()
}

fn outside_distance(bounds: Aabb, point: DVec3) -> f64 {
    point.distance(point.clamp(bounds.min, bounds.max))
}

fn lerp(a: f64, b: f64, part: f64) -> f64 {
    a + (b - a) * part
}
