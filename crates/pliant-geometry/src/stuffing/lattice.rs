//! The body-centred cubic lattice: corners of cubes and their middles.

use pliant_math::DVec3;

use crate::Aabb;

/// A lattice of cubes; corners are numbered first, middles after them.
pub(super) struct Lattice {
    /// The least corner [m].
    origin: DVec3,
    /// Edge of a cube [m].
    spacing: f64,
    /// Cubes along each axis.
    cubes: [usize; 3],
}

impl Lattice {
    /// The lattice around a box, with a cube more on every side, so that its outer points are outside.
    pub(super) fn around(bounds: &Aabb, spacing: f64) -> Self {
        let inner = ((bounds.max - bounds.min) / spacing).ceil();
        let cubes = inner + 2.0;
        Self {
            origin: bounds.center() - 0.5 * spacing * cubes,
            spacing,
            cubes: cubes.to_array().map(|n| n as usize),
        }
    }

    /// All points in the order of their numbers [m].
    pub(super) fn points(&self) -> Vec<DVec3> {
        let at = |[x, y, z]: [usize; 3], shift: f64| {
            let place = DVec3::new(x as f64, y as f64, z as f64) + shift;
            self.origin + self.spacing * place
        };
        let corners = all(self.cubes.map(|n| n + 1)).map(|c| at(c, 0.0));
        let middles = all(self.cubes).map(|c| at(c, 0.5));
        corners.chain(middles).collect()
    }

    /// Calls a function with the ends of every edge, the lesser first, and whether it is long: of length `spacing`,
    /// along an axis; short edges lead from middles to corners.
    pub(super) fn for_edges(&self, mut f: impl FnMut([u32; 2], bool)) {
        for (kind, size) in [self.cubes.map(|n| n + 1), self.cubes]
            .into_iter()
            .enumerate()
        {
            let number = |at| [self.corner(at), self.middle(at)][kind];
            for at in all(size) {
                for axis in (0..3).filter(|&axis| at[axis] + 1 < size[axis]) {
                    f([number(at), number(next(at, axis))], true);
                }
            }
        }
        for at in all(self.cubes) {
            for [x, y, z] in all([2; 3]) {
                let corner = [at[0] + x, at[1] + y, at[2] + z];
                f([self.corner(corner), self.middle(at)], false);
            }
        }
    }

    /// Calls a function with the corners of every tetrahedron: the middles of two cubes and an edge of the square
    /// between them, so that the first two and the last two are joined by long edges, all others by short ones.
    pub(super) fn for_tetrahedra(&self, mut f: impl FnMut([u32; 4])) {
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            for at in all(self.cubes).filter(|at| at[axis] + 1 < self.cubes[axis]) {
                let beyond = next(at, axis);
                let square = [
                    beyond,
                    next(beyond, u),
                    next(next(beyond, u), v),
                    next(beyond, v),
                ];
                let square = square.map(|c| self.corner(c));
                for k in 0..4 {
                    let (a, b) = (square[k], square[(k + 1) % 4]);
                    f([self.middle(at), self.middle(beyond), a.min(b), a.max(b)]);
                }
            }
        }
    }

    fn corner(&self, [x, y, z]: [usize; 3]) -> u32 {
        let [nx, ny, _] = self.cubes.map(|n| n + 1);
        (x + nx * (y + ny * z)) as u32
    }

    fn middle(&self, [x, y, z]: [usize; 3]) -> u32 {
        let corners: usize = self.cubes.iter().map(|n| n + 1).product();
        let [nx, ny, _] = self.cubes;
        // Past the last cube there is none; nobody asks for the number then.
        (corners + x + nx * (y + ny * z)) as u32
    }
}

fn next(mut at: [usize; 3], axis: usize) -> [usize; 3] {
    at[axis] += 1;
    at
}

/// All places of a grid, x fastest.
fn all([nx, ny, nz]: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    (0..nx * ny * nz).map(move |k| [k % nx, k / nx % ny, k / (nx * ny)])
}
