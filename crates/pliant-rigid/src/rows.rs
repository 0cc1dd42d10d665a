//! What joints ask of the velocities of bodies, solved directly.
//!
//! With a row of J for each number that a joint holds, impulses l are
//!
//!   (J M^-1 J^T + G) l = -(J v + b)
//!
//! with the softness G and bias b of motors. Limits hold from one side only and motors have a greatest
//! impulse: which of them do is found by trying. Joints of a chain stand next to each other, so that the
//! matrix is narrow, and is kept from each row's first entry to the diagonal.

use pliant_math::{DMat3, DVec3};

use crate::member::Member;

/// Rounds in which limits and motors find what they do.
const ROUNDS: u32 = 8;
/// Share of the diagonal that is added to it: joints in a ring hold some motions twice.
const REGULARIZATION: f64 = 1e-10;

/// Kind of constraint of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowKind {
    /// Its rate is the target.
    Equality,
    /// Its rate is at least the target.
    LowerBound,
    /// It pulls to the target with a softness [1/(N s)], by at most an impulse [N s].
    Soft { softness: f64, max_impulse: f64 },
}

/// A number that a joint holds: its rate is `linear . (v_2 - v_1) + turns . (w_1, w_2)`.
#[derive(Clone, Copy, Debug)]
pub struct JointRow {
    /// The members that it joins.
    pub ends: [usize; 2],
    /// Of the velocity of the second end's centre relative to the first's.
    pub linear: DVec3,
    /// Of both spins.
    pub turns: [DVec3; 2],
    /// What the rate shall be.
    pub target: f64,
    /// Its kind.
    pub kind: RowKind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Solved,
    /// With the impulse that it has.
    Given(f64),
}

/// Rows that are solved together.
#[derive(Debug, Default)]
pub struct JointRows {
    /// The rows.
    pub rows: Vec<JointRow>,
    roles: Vec<Role>,
    impulses: Vec<f64>,
    first: Vec<usize>,
    start: Vec<usize>,
    entries: Vec<f64>,
}

impl JointRow {
    /// Its rate.
    pub fn rate(&self, members: &[Member]) -> f64 {
        let [one, other] = self.ends.map(|end| &members[end]);
        self.linear.dot(other.velocity - one.velocity)
            + self.turns[0].dot(one.spin)
            + self.turns[1].dot(other.spin)
    }

    fn softness(&self) -> f64 {
        match self.kind {
            RowKind::Soft { softness, .. } => softness,
            RowKind::Equality | RowKind::LowerBound => 0.0,
        }
    }

    fn push(&self, impulse: f64, members: &mut [Member]) {
        for ((end, sign), turn) in self.ends.into_iter().zip([-1.0, 1.0]).zip(self.turns) {
            let member = &mut members[end];
            member.velocity += self.linear * (sign * impulse * member.inverse_mass);
            member.spin += member.turns() * (turn * impulse);
        }
    }

    /// Change of its rate by an impulse of 1 in another row.
    fn coupling(&self, other: &Self, members: &[Member], turns: &[DMat3]) -> f64 {
        let mut sum = 0.0;
        for (k, end) in self.ends.into_iter().enumerate() {
            for (l, _) in other.ends.iter().enumerate().filter(|(_, e)| **e == end) {
                let sign = if k == l { 1.0 } else { -1.0 };
                let linear = self.linear.dot(other.linear) * members[end].inverse_mass;
                sum += sign * linear + self.turns[k].dot(turns[end] * other.turns[l]);
            }
        }
        sum
    }
}

impl JointRows {
    /// Gives members the velocities that the rows ask for.
    ///
    /// * `turns` — of each member, what [`Member::turns`] says
    pub fn solve(&mut self, members: &mut [Member], turns: &[DMat3]) {
        self.roles.clear();
        let role = |row: &JointRow| match row.kind {
            RowKind::LowerBound => Role::Given(0.0),
            RowKind::Equality | RowKind::Soft { .. } => Role::Solved,
        };
        self.roles.extend(self.rows.iter().map(role));
        for _ in 0..ROUNDS {
            self.factorise(members, turns);
            let missing = |row: &JointRow| row.target - row.rate(members);
            self.impulses.clear();
            self.impulses.extend(self.rows.iter().map(missing));
            self.substitute(members, turns);
            if !self.change_roles(members, turns) {
                break;
            }
        }
        for (row, impulse) in self.rows.iter().zip(&self.impulses) {
            row.push(*impulse, members);
        }
    }

    /// Adds what rates shall change by, for the rows that were factorised last.
    pub fn change(
        &mut self,
        changes: impl Iterator<Item = f64>,
        members: &mut [Member],
        turns: &[DMat3],
    ) {
        self.impulses.clear();
        self.impulses.extend(changes);
        self.substitute(members, turns);
        for (row, impulse) in self.rows.iter().zip(&self.impulses) {
            row.push(*impulse, members);
        }
    }

    /// Factorises rows that are all equalities, for [`JointRows::change`].
    pub fn factorise_equalities(&mut self, members: &[Member], turns: &[DMat3]) {
        self.roles.clear();
        self.roles.resize(self.rows.len(), Role::Solved);
        self.factorise(members, turns);
    }

    /// Lets limits and motors take up and leave off; false if all do what they should.
    fn change_roles(&mut self, members: &[Member], turns: &[DMat3]) -> bool {
        let mut changed = false;
        for k in 0..self.rows.len() {
            let (row, impulse) = (&self.rows[k], self.impulses[k]);
            let role = match (row.kind, self.roles[k]) {
                (RowKind::LowerBound, Role::Solved) if impulse < 0.0 => Role::Given(0.0),
                (RowKind::LowerBound, Role::Given(_)) => {
                    let couples = self.rows.iter().zip(&self.impulses);
                    let gained: f64 = couples
                        .map(|(other, l)| row.coupling(other, members, turns) * l)
                        .sum();
                    match row.rate(members) + gained < row.target {
                        true => Role::Solved,
                        false => continue,
                    }
                }
                (RowKind::Soft { max_impulse, .. }, Role::Solved)
                    if impulse.abs() > max_impulse =>
                {
                    Role::Given(max_impulse.copysign(impulse))
                }
                _ => continue,
            };
            self.roles[k] = role;
            changed = true;
        }
        changed
    }

    /// L with L L^T = J M^-1 J^T + G.
    fn factorise(&mut self, members: &[Member], turns: &[DMat3]) {
        self.first.clear();
        self.start.clear();
        self.entries.clear();
        for k in 0..self.rows.len() {
            let row = self.rows[k];
            let is_free = |end: &usize| members[*end].inverse_mass > 0.0;
            let meets = |other: &JointRow| {
                let mut ends = row.ends.iter().filter(|end| is_free(end));
                ends.any(|end| other.ends.contains(end))
            };
            let first = self.rows[..k].iter().position(meets).unwrap_or(k);
            self.first.push(first);
            self.start.push(self.entries.len());
            let is_solved = |k: usize| self.roles[k] == Role::Solved;
            for column in first..k {
                self.entries.push(match is_solved(k) && is_solved(column) {
                    true => row.coupling(&self.rows[column], members, turns),
                    false => 0.0,
                });
            }
            self.entries.push(match is_solved(k) {
                true => {
                    row.coupling(&row, members, turns) * (1.0 + REGULARIZATION) + row.softness()
                }
                false => 1.0,
            });
            self.eliminate(k);
        }
    }

    fn eliminate(&mut self, row: usize) {
        for column in self.first[row]..=row {
            let from = self.first[row].max(self.first[column]);
            let (a, b) = (self.at(row, from), self.at(column, from));
            let length = column - from;
            let products = self.entries[a..a + length]
                .iter()
                .zip(&self.entries[b..b + length]);
            let sum: f64 = products.map(|(x, y)| x * y).sum();
            let at = self.at(row, column);
            let left = self.entries[at] - sum;
            self.entries[at] = match column == row {
                // What rings hold twice leaves nothing but what was added.
                true => left.max(REGULARIZATION * self.entries[at]).sqrt(),
                false => left / self.entries[self.at(column, column)],
            };
        }
    }

    /// Turns what rates lack into impulses.
    fn substitute(&mut self, members: &[Member], turns: &[DMat3]) {
        for k in 0..self.rows.len() {
            let Role::Given(impulse) = self.roles[k] else {
                continue;
            };
            if impulse != 0.0 {
                for other in 0..self.rows.len() {
                    let coupling = self.rows[other].coupling(&self.rows[k], members, turns);
                    self.impulses[other] -= coupling * impulse;
                }
            }
        }
        for (missing, role) in self.impulses.iter_mut().zip(&self.roles) {
            if let Role::Given(impulse) = role {
                *missing = *impulse;
            }
        }
        for row in 0..self.rows.len() {
            for column in self.first[row]..row {
                self.impulses[row] -= self.entries[self.at(row, column)] * self.impulses[column];
            }
            self.impulses[row] /= self.entries[self.at(row, row)];
        }
        for row in (0..self.rows.len()).rev() {
            self.impulses[row] /= self.entries[self.at(row, row)];
            for column in self.first[row]..row {
                self.impulses[column] -= self.entries[self.at(row, column)] * self.impulses[row];
            }
        }
    }

    fn at(&self, row: usize, column: usize) -> usize {
        self.start[row] + column - self.first[row]
    }
}
