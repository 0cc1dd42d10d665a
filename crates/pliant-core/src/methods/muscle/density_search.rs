//! Neighbours now of the bodies of one support radius, in rows of sixteen particles of a block of space.

use pliant_math::DVec3;
use pliant_math::simd::{Instructions, Job, LANES, Pack, Places, place_to_real, real_to_place};

use super::density_rows::{DensityRow, NeighborRow, RowSource};
use crate::kernels::Wendland;
use crate::neighbors::{
    BlockGrid, BlockPart, CELLS, LocalBlocks, LocalPoint, NeighborLists, SpatialOrder, local_points,
};
use crate::parallel::{self, Scratches};

/// Bodies whose particles are neighbours of each other.
#[derive(Debug)]
pub struct DensityGroup {
    /// The kernel.
    pub kernel: Wendland,
    /// Where it reaches zero [m].
    pub support_radius: f64,
    /// Places of the particles in the order of the method, increasing.
    pub members: Vec<u32>,
    order: SpatialOrder,
    /// Positions of the members [m], and in the order of space.
    unsorted: Vec<DVec3>,
    sorted: Vec<DVec3>,
    points: Vec<LocalPoint>,
    /// Slots in the order of space.
    slots: Vec<u32>,
}

/// Scratch of a thread.
#[derive(Debug, Default)]
pub struct SearchScratch {
    local: LocalBlocks,
    lists: NeighborLists,
}

/// Neighbours that a row has room for before it asks for more: a lattice has 26, and a heap more.
const ROOM: usize = 48;

impl DensityGroup {
    /// Of no particles yet.
    ///
    /// * `support_radius` — [m], > 0
    pub fn new(support_radius: f64) -> Self {
        Self {
            kernel: Wendland::new(support_radius),
            support_radius,
            members: Vec::new(),
            order: SpatialOrder::default(),
            unsorted: Vec::new(),
            sorted: Vec::new(),
            points: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// Sorts the particles in space and puts them into rows from one on; returns the end of these.
    ///
    /// * `number` — of the group
    /// * `position` — by place [m]
    pub fn sort(
        &mut self,
        number: u32,
        position: &[DVec3],
        first: usize,
        rows: &mut Vec<DensityRow>,
    ) -> usize {
        let at = |&place: &u32| position[place as usize];
        self.unsorted.clear();
        self.unsorted.extend(self.members.iter().map(at));
        self.order
            .sort(&self.unsorted, |_| 0, 1, self.support_radius);
        self.sorted.clear();
        let sorted = self.order.order.iter().map(|&k| self.unsorted[k as usize]);
        self.sorted.extend(sorted);
        let end = self.fill_rows(number, first, rows);
        let slots = &self.slots;
        let others = |k: usize| [place_to_real(slots[k]), 0.0, 0.0, 0.0];
        let grid = BlockGrid::new(&self.order, 1);
        local_points(grid, &self.sorted, others, &mut self.points);
        end
    }

    /// Puts the sorted particles into rows, each of one block.
    fn fill_rows(&mut self, number: u32, first: usize, rows: &mut Vec<DensityRow>) -> usize {
        self.slots.resize(self.sorted.len(), 0);
        let grid = BlockGrid::new(&self.order, 1);
        let mut next = first;
        for block in 0..grid.block_count() {
            let particles = grid.block(block);
            for start in particles.clone().step_by(LANES) {
                if rows.len() == next {
                    rows.push(DensityRow::with_room(ROOM));
                }
                let row = &mut rows[next];
                let end = particles.end.min(start + LANES);
                row.source = RowSource {
                    group: number,
                    block: block as u32,
                    first: start as u32,
                    count: (end - start) as u32,
                };
                let slot = (next * LANES) as u32;
                row.particle = Places::from_fn(|lane| slot + lane as u32);
                for (lane, k) in (start..end).enumerate() {
                    row.places[lane] = self.members[self.order.order[k] as usize];
                    self.slots[k] = slot + lane as u32;
                }
                next += 1;
            }
        }
        next
    }
}

/// Finds the neighbours of the particles of rows.
pub fn search(
    instructions: Instructions,
    groups: &[DensityGroup],
    scratches: &Scratches<SearchScratch>,
    rows: &mut [DensityRow],
) {
    parallel::for_items(rows, |_, row| {
        let group = &groups[row.source.group as usize];
        parallel::with_scratch(scratches, |scratch| {
            instructions.run(Search {
                group,
                scratch,
                row,
            });
        });
    });
}

struct Search<'a> {
    group: &'a DensityGroup,
    scratch: &'a mut SearchScratch,
    row: &'a mut DensityRow,
}

impl Job for Search<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(self) {
        let Self {
            group,
            scratch: SearchScratch { local, lists },
            row,
        } = self;
        let grid = BlockGrid::new(&group.order, 1);
        let block = row.source.block as usize;
        local.clear();
        let loaded = local.load::<P>(
            &grid.surroundings(BlockPart::whole(block)),
            &group.sorted,
            &group.points,
        );
        let squared = group.kernel.support_squared;
        row.count = 0;
        let first = row.source.first as usize;
        let particles = first..first + row.source.count as usize;
        for cell in 0..CELLS {
            let of_cell = grid.cell(block, cell);
            let wanted = of_cell.start.max(particles.start)..of_cell.end.min(particles.end);
            if wanted.is_empty() {
                continue;
            }
            local.around(&loaded, cell);
            for k in wanted {
                lists.clear();
                let own = loaded.own(cell).start + (k - of_cell.start) as u32;
                local.search::<P>(own, squared, lists);
                let found = lists.numbers().iter();
                let slot = |&number: &u32| real_to_place(local.candidates[number as usize][4]);
                row.set_neighbors(k - particles.start, found.map(slot));
            }
        }
    }
}

impl DensityRow {
    fn with_room(count: usize) -> Self {
        let mut row = Self::default();
        row.neighbors.reserve(count);
        row
    }

    /// Gives the particle of a lane its neighbours. Lanes with fewer of them are filled up with themselves.
    #[inline(always)]
    fn set_neighbors(&mut self, lane: usize, slots: impl ExactSizeIterator<Item = u32>) {
        let count = slots.len().max(self.count);
        while self.count < count {
            let filler = NeighborRow::of(self.particle);
            match self.neighbors.get_mut(self.count) {
                Some(neighbor) => *neighbor = filler,
                None => self.neighbors.push(filler),
            }
            self.count += 1;
        }
        for (neighbor, slot) in self.neighbors.iter_mut().zip(slots) {
            neighbor.slot.set(lane, slot);
        }
    }
}
