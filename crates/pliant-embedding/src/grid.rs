//! The grid on which cuts are sampled: nodes near what was cut, cells between them, and their tetrahedra.

use pliant_math::DVec3;
use pliant_parallel as parallel;

/// Where the lattice begins [spacings]: not where bodies begin and end, whose faces would lie in its planes.
const ORIGIN: DVec3 = DVec3::new(0.3721, 0.2643, 0.1379);

/// Nodes of a cubic lattice.
#[derive(Debug)]
pub(super) struct Grid {
    spacing: f64,
    /// The nodes, increasing.
    nodes: Vec<[i32; 3]>,
}

/// Corners of the tetrahedra of a cell, which all have its diagonal; those of cells side by side fit.
/// Of two of their corners the greater is a corner of the cell that begins at the lesser.
pub(super) const TETRAHEDRA: [[usize; 4]; 6] = [
    [0, 1, 3, 7],
    [0, 3, 2, 7],
    [0, 2, 6, 7],
    [0, 6, 4, 7],
    [0, 4, 5, 7],
    [0, 5, 1, 7],
];

impl Grid {
    /// Around some points [m], with nodes `spacing` [m] apart, as far as `reach` [m].
    pub fn around(points: impl Iterator<Item = DVec3>, spacing: f64, reach: f64) -> Self {
        let steps = (reach / spacing).ceil() as i32;
        let mut nodes = Vec::new();
        let mut most = 1 << 22;
        for x in points {
            let [a, b, c] = (x / spacing - ORIGIN).round().to_array().map(|c| c as i32);
            for dx in -steps..=steps {
                for dy in -steps..=steps {
                    nodes.extend((-steps..=steps).map(|dz| [a + dx, b + dy, c + dz]));
                }
            }
            // Points lie close together: most of the nodes stand there many times.
            if nodes.len() > most {
                nodes.sort_unstable();
                nodes.dedup();
                most = most.max(2 * nodes.len());
            }
        }
        nodes.sort_unstable();
        nodes.dedup();
        Self { spacing, nodes }
    }

    /// The nodes of both at which something holds, told where they are [m].
    pub fn joined_where(self, other: Self, holds: impl Fn(DVec3) -> bool + Sync) -> Self {
        let mut grid = Self {
            spacing: self.spacing,
            nodes: [self.nodes, other.nodes].concat(),
        };
        grid.nodes.sort_unstable();
        grid.nodes.dedup();
        grid.kept_where(holds)
    }

    /// The nodes at which something holds, told where they are [m].
    pub fn kept_where(mut self, holds: impl Fn(DVec3) -> bool + Sync) -> Self {
        let mut is_kept = vec![false; self.len()];
        parallel::for_chunks(&mut is_kept, |first, is_kept| {
            for (node, is_kept) in (first..).zip(is_kept) {
                *is_kept = holds(self.place(node));
            }
        });
        let mut is_kept = is_kept.into_iter();
        self.nodes.retain(|_| is_kept.next().unwrap_or_default());
        self
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Where a node is [m].
    pub fn place(&self, node: usize) -> DVec3 {
        (DVec3::from(self.nodes[node].map(f64::from)) + ORIGIN) * self.spacing
    }

    /// The node at a corner of the cell that begins at another one, if there is one.
    pub fn corner(&self, node: usize, corner: usize) -> Option<usize> {
        let [x, y, z] = self.nodes[node];
        let k = corner as i32;
        let at = [x + (k & 1), y + (k >> 1 & 1), z + (k >> 2)];
        self.nodes.binary_search(&at).ok()
    }

    /// The nodes at the corners, x first, of each cell that has all.
    pub fn cells(&self) -> Vec<[u32; 8]> {
        let cell = |node: usize| {
            let mut corners = [0; 8];
            for (k, corner) in corners.iter_mut().enumerate() {
                *corner = self.corner(node, k)? as u32;
            }
            Some(corners)
        };
        (0..self.len()).filter_map(cell).collect()
    }
}
