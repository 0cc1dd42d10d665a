//! Symmetric positive systems of a few bodies with six unknowns each: Cholesky inside the profile, since a
//! stack couples neighbours only.

use pliant_math::{DMat3, DVec3};

/// What belongs to the motion of a body: to its centre, and to its rotation.
#[derive(Clone, Copy, Debug)]
pub struct Six(pub DVec3, pub DVec3);

/// Most multiplications that a factorisation may take.
const MOST_WORK: usize = 400_000;

/// A matrix: of each row what stands between its first entry and the diagonal.
#[derive(Debug, Default)]
pub struct Profile {
    /// The first body that each body is coupled with.
    first: Vec<usize>,
    /// Where each row begins.
    start: Vec<usize>,
    entries: Vec<f64>,
    vector: Vec<f64>,
}

impl Profile {
    /// Makes room for couplings of bodies; false, without doing so, if a factorisation would take long.
    pub fn shape(&mut self, count: usize, pairs: impl Iterator<Item = [Option<usize>; 2]>) -> bool {
        self.first.clear();
        self.first.extend(0..count);
        for pair in pairs {
            if let [Some(one), Some(other)] = pair {
                let first = &mut self.first[one.max(other)];
                *first = (*first).min(one.min(other));
            }
        }
        let width = |(body, first): (usize, &usize)| 6 * (body - first + 1);
        let widths = self.first.iter().enumerate().map(width);
        if widths.map(|w| 3 * w * w).sum::<usize>() > MOST_WORK {
            return false;
        }
        self.start.clear();
        let mut end = 0;
        for row in 0..6 * count {
            let column = 6 * self.first[row / 6];
            self.start.push(end);
            end += row + 1 - column;
        }
        self.entries.resize(end, 0.0);
        true
    }

    /// Sets all entries to zero.
    pub fn clear(&mut self) {
        self.entries.fill(0.0);
    }

    /// Adds a mass [kg] and a moment of inertia [kg m2] of a body.
    pub fn add_mass(&mut self, body: usize, mass: f64, inertia: DMat3) {
        self.add(6 * body, 6 * body, DMat3::from_diagonal(DVec3::splat(mass)));
        self.add(6 * body + 3, 6 * body + 3, inertia);
    }

    /// Adds what a stiffness [kg] at a point couples of the motions of its two sides: their bodies, and the
    /// ways from their centres [m].
    pub fn add_contact(&mut self, sides: [Option<(usize, DVec3)>; 2], stiffness: DMat3) {
        for (row, row_sign) in sides.into_iter().zip([1.0, -1.0]) {
            for (column, sign) in sides.into_iter().zip([row_sign, -row_sign]) {
                let (Some((i, arm_i)), Some((j, arm_j))) = (row, column) else {
                    continue;
                };
                if j > i {
                    continue;
                }
                let (turn_i, turn_j) = (turning(arm_i), turning(arm_j));
                let sideways = stiffness * sign;
                self.add(6 * i, 6 * j, sideways);
                self.add(6 * i, 6 * j + 3, sideways * turn_j);
                self.add(6 * i + 3, 6 * j, turn_i.transpose() * sideways);
                self.add(6 * i + 3, 6 * j + 3, turn_i.transpose() * sideways * turn_j);
            }
        }
    }

    /// L with L L^T = A in its place.
    pub fn factorise(&mut self) {
        for row in 0..self.start.len() {
            for column in self.first_column(row)..=row {
                let from = self.first_column(row).max(self.first_column(column));
                let mut sum = self.entries[self.at(row, column)];
                let (a, b) = (self.at(row, from), self.at(column, from));
                let products = self.entries[a..a + column - from]
                    .iter()
                    .zip(&self.entries[b..b + column - from]);
                sum -= products.map(|(x, y)| x * y).sum::<f64>();
                let at = self.at(row, column);
                self.entries[at] = match column == row {
                    true => sum.max(f64::MIN_POSITIVE).sqrt(),
                    false => sum / self.entries[self.at(column, column)],
                };
            }
        }
    }

    /// Solves L L^T x = b.
    pub fn solve(&mut self, b: &mut [Six]) {
        let mut x = std::mem::take(&mut self.vector);
        x.clear();
        x.extend(
            b.iter()
                .flat_map(|six| [six.0.to_array(), six.1.to_array()])
                .flatten(),
        );
        for row in 0..x.len() {
            let from = self.first_column(row);
            let a = self.at(row, from);
            let products = self.entries[a..a + row - from].iter().zip(&x[from..row]);
            let sum: f64 = products.map(|(l, x)| l * x).sum();
            x[row] = (x[row] - sum) / self.entries[self.at(row, row)];
        }
        for row in (0..x.len()).rev() {
            x[row] /= self.entries[self.at(row, row)];
            for column in self.first_column(row)..row {
                x[column] -= self.entries[self.at(row, column)] * x[row];
            }
        }
        for (six, x) in b.iter_mut().zip(x.chunks_exact(6)) {
            *six = Six(DVec3::from_slice(&x[..3]), DVec3::from_slice(&x[3..]));
        }
        self.vector = x;
    }

    fn first_column(&self, row: usize) -> usize {
        6 * self.first[row / 6]
    }

    fn at(&self, row: usize, column: usize) -> usize {
        self.start[row] + column - self.first_column(row)
    }

    /// Adds a block, as far as it stands left of the diagonal.
    fn add(&mut self, row: usize, column: usize, block: DMat3) {
        for i in 0..3 {
            for j in (0..3).filter(|j| column + j <= row + i) {
                let at = self.at(row + i, column + j);
                self.entries[at] += block.col(j)[i];
            }
        }
    }
}

/// What takes a spin to the velocity [m/s] at the end of an arm [m]: spin x arm.
fn turning(arm: DVec3) -> DMat3 {
    DMat3::from_cols(
        DVec3::new(0.0, -arm.z, arm.y),
        DVec3::new(arm.z, 0.0, -arm.x),
        DVec3::new(-arm.y, arm.x, 0.0),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bodies and arms of both sides, and the block.
    type Contact = ([Option<(usize, DVec3)>; 2], DMat3);

    /// Contacts of a chain of bodies in which the second does not touch the third.
    fn contacts() -> [Contact; 3] {
        let dyad = |n: DVec3| DMat3::from_cols(n * n.x, n * n.y, n * n.z);
        let (a, b) = (DVec3::new(0.1, 0.5, -0.2), DVec3::new(-0.3, -0.4, 0.2));
        [
            (
                [Some((0, a)), Some((1, b))],
                dyad(DVec3::new(1.0, 2.0, 0.5)) * 1e4,
            ),
            (
                [Some((2, b)), Some((0, a))],
                dyad(DVec3::new(-1.0, 0.3, 0.8)),
            ),
            ([Some((1, a)), None], DMat3::IDENTITY * 30.0),
        ]
    }

    #[test]
    fn what_a_system_gives_back_solves_it() {
        let inertia = DMat3::from_diagonal(DVec3::new(0.1, 0.2, 0.4));
        let mut matrix = Profile::default();
        let pairs = contacts().map(|(sides, _)| sides.map(|s| s.map(|(body, _)| body)));
        assert!(matrix.shape(3, pairs.into_iter()));
        matrix.clear();
        for body in 0..3 {
            matrix.add_mass(body, 2.0, inertia);
        }
        for (sides, stiffness) in contacts() {
            matrix.add_contact(sides, stiffness);
        }
        let b = [0.3, -1.0, 2.0].map(|x| Six(DVec3::new(x, 1.0, -x), DVec3::new(0.5, x, 0.2)));
        let mut x = b;
        matrix.factorise();
        matrix.solve(&mut x);
        // M x + sum J^T K J x, contact by contact.
        let mut product = x.map(|six| Six(six.0 * 2.0, inertia * six.1));
        for (sides, stiffness) in contacts() {
            let of = |side: Option<(usize, DVec3)>| match side {
                Some((body, arm)) => x[body].0 + x[body].1.cross(arm),
                None => DVec3::ZERO,
            };
            let force = stiffness * (of(sides[0]) - of(sides[1]));
            for (side, force) in sides.into_iter().zip([force, -force]) {
                if let Some((body, arm)) = side {
                    product[body].0 += force;
                    product[body].1 += arm.cross(force);
                }
            }
        }
        for (product, b) in product.iter().zip(b) {
            assert!((product.0 - b.0).length() < 1e-9, "{product:?} for {b:?}");
            assert!((product.1 - b.1).length() < 1e-9, "{product:?} for {b:?}");
        }
    }

    #[test]
    fn a_stack_is_cheap_and_a_crowd_is_not() {
        let mut matrix = Profile::default();
        let stack = (1..200).map(|k| [Some(k - 1), Some(k)]);
        assert!(matrix.shape(200, stack));
        let crowd = (0..200).map(|k| [Some(k), Some(199 - k)]);
        assert!(!matrix.shape(200, crowd));
    }
}
