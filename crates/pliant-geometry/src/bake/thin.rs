//! Where walls are thinner than cells can show: no node lies in such a wall, or none deep enough, and
//! what is interpolated between its two sides is never negative. There the exact distance is read.

use pliant_math::DVec3;

use super::band::{NO_SLOT, node_index};
use super::grid::{DistanceGrid, node_of_index};
use super::{BLOCK, BLOCK_SIZE};
use crate::signed_nearest::SignedNearest;
use crate::{Loop, TriangleMesh, work};

/// Along a single surface the interpolated distance grows by this share of the way at least.
const LEAST_GROWTH: f64 = 0.97;

/// Interpolated distances are good enough if they are off by no more cells.
const TOLERANCE: f64 = 0.02;

/// A node nearer to the surface than this, in cells, may lie in a wall that nothing else shows: on either
/// side of one the distance grows as beside a single surface.
const IN_WALL: f64 = 0.04;

/// The neighbours of such a node are farther away than this, in cells, and both outside.
const BESIDE_WALL: f64 = 0.9;

/// A wall of so many cells is not thin.
const THICK: f64 = 2.0;

/// Blocks with thin walls.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Thin {
    /// By the slot of a block: whether a thin wall is in it or in one beside it.
    pub(super) is_thin: Vec<bool>,
    /// What is read there.
    pub(super) exact: SignedNearest,
}

impl Thin {
    /// Looks for thin walls; `None` if there are none.
    ///
    /// * `grid` — with signed distances
    /// * `blocks` — those of the band by their index, ascending
    pub(super) fn of(
        grid: &DistanceGrid,
        mesh: &TriangleMesh,
        blocks: &[u32],
        run: Loop,
    ) -> Option<Self> {
        let suspects = work::collect_chunks(run, blocks.len(), 1, |slots| {
            let mut all = Suspects::default();
            for slot in slots {
                all.has_wall |= has_node_in_wall(grid, blocks[slot], slot);
                all.cells.extend(suspects(grid, slot));
            }
            all
        });
        let is_clear = |suspects: &Suspects| !suspects.has_wall && suspects.cells.is_empty();
        if suspects.iter().all(is_clear) {
            return None;
        }
        let exact = SignedNearest::new(mesh);
        let has_thin = work::collect_chunks(run, blocks.len(), 1, |slots| {
            slots.into_iter().any(|slot| {
                let Suspects { has_wall, cells } = &suspects[slot];
                let middle = |&cell: &[usize; 3]| grid.layout.cell_middle(blocks[slot], cell);
                *has_wall
                    || cells
                        .iter()
                        .map(middle)
                        .any(|place| is_thin_at(grid, &exact, place))
            })
        });
        if !has_thin.contains(&true) {
            return None;
        }
        let is_thin = blocks.iter().map(|&block| {
            let mut slots = around(grid, block as usize);
            slots.any(|slot| has_thin[slot as usize])
        });
        Some(Self {
            is_thin: is_thin.collect(),
            exact,
        })
    }
}

/// What a block has.
#[derive(Default)]
struct Suspects {
    /// Whether a node of it lies in a thin wall.
    has_wall: bool,
    /// Cells with a surface that may be a wall's.
    cells: Vec<[usize; 3]>,
}

/// True if a node of a block lies in a wall, or beside it, whose two sides are at its neighbours.
fn has_node_in_wall(grid: &DistanceGrid, block: u32, slot: usize) -> bool {
    let cell = grid.layout.cell;
    let values = &grid.values[slot * BLOCK_SIZE..(slot + 1) * BLOCK_SIZE];
    let first = grid.layout.block_at(block as usize).map(|i| i * BLOCK);
    let is_outside = |mut node: [usize; 3], axis: usize, step: isize| {
        let moved = node[axis].checked_add_signed(step);
        let value = moved.and_then(|moved| {
            node[axis] = moved;
            grid.value_at(node)
        });
        value.is_some_and(|value| value > BESIDE_WALL * cell)
    };
    (0..BLOCK_SIZE).any(|number| {
        if f64::from(values[number]).abs() > IN_WALL * cell {
            return false;
        }
        let in_block = node_of_index(number);
        let node = std::array::from_fn(|axis| first[axis] + in_block[axis]);
        (0..3).any(|axis| is_outside(node, axis, -1) && is_outside(node, axis, 1))
    })
}

/// The cells of a block near the surface in which the distance does not grow as beside a single one.
fn suspects(grid: &DistanceGrid, slot: usize) -> impl Iterator<Item = [usize; 3]> + '_ {
    let values = &grid.values[slot * BLOCK_SIZE..(slot + 1) * BLOCK_SIZE];
    let cell = grid.layout.cell;
    (0..BLOCK * BLOCK * BLOCK).filter_map(move |number| {
        let low = [
            number % BLOCK,
            number / BLOCK % BLOCK,
            number / (BLOCK * BLOCK),
        ];
        let mut middle = 0.0;
        let mut growth = DVec3::ZERO;
        for corner in 0..8 {
            let high = [corner & 1, corner >> 1 & 1, corner >> 2];
            let node = std::array::from_fn(|axis| low[axis] + high[axis]);
            let value = f64::from(values[node_index(node)]);
            middle += value / 8.0;
            growth += DVec3::from(high.map(|side| 2.0 * side as f64 - 1.0)) * value / 4.0;
        }
        let is_near = middle.abs() < cell;
        (is_near && growth.length() < LEAST_GROWTH * cell).then_some(low)
    })
}

/// True if what is interpolated at a place is wrong because of a wall that is thin.
fn is_thin_at(grid: &DistanceGrid, exact: &SignedNearest, place: DVec3) -> bool {
    let cell = grid.layout.cell;
    let side = exact.of(place);
    let read = grid.in_band(grid.layout.place(place)).unwrap_or_default();
    if (read - side.signed_distance()).abs() < TOLERANCE * cell {
        return false;
    }
    let beyond = place - side.offset - THICK * cell * side.normal();
    exact.of(beyond).signed_distance() > 0.0
}

/// The slots of the blocks of the band around a block, its own among them.
fn around(grid: &DistanceGrid, block: usize) -> impl Iterator<Item = u32> + '_ {
    let counts = grid.layout.blocks;
    let middle = grid.layout.block_at(block);
    (0..27).filter_map(move |number: usize| {
        let step = [number % 3, number / 3 % 3, number / 9];
        let mut other = [0; 3];
        for axis in 0..3 {
            other[axis] = (middle[axis] + step[axis]).checked_sub(1)?;
            if other[axis] >= counts[axis] {
                return None;
            }
        }
        let slot = grid.slots[grid.layout.block_index(other)];
        (slot != NO_SLOT).then_some(slot)
    })
}
