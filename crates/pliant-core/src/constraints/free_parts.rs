//! Angular momentum of parts of bodies that nothing holds, which projections at the end of a substep take.
//!
//! Impulses of a constraint have no torque about anything where the constraint is read, at x_start + dt v. They act
//! from x_start: a body that turns at w loses w^2 dt of its angular momentum a second, as implicit Euler does. Each
//! part gets it back as the rigid turn that has it:
//!
//!   v_i += w x (x_i - c),   I w = -sum m_i (x_i - c) x dv_i
//!
//! and with it the momentum that rounding takes, with what the constraints did to velocities, dv, and positions at the start of the substep: what sum m x_end x v is
//! afterwards differs from sum m x_start x v by what others did, as x_end = x_start + dt v.
//!
//! Thin rods hardly get back what they spin about themselves: pulled straight they would turn ever faster. Contacts and attachments,
//! which act between bodies, keep theirs in their own rooms. Parts of which a particle is held are left alone: their
//! support has a torque.

use std::ops::Range;

use pliant_geometry::topology::DisjointSets;
use pliant_math::{DMat3, DVec3, Real, Vec3, inverse_inertia, point_inertia, to_double, to_real};

use crate::parallel::{self, CHUNK};

/// The part of a particle that is in none.
const NONE: u32 = u32::MAX;

/// Part of its trace that the least inertia of a part is taken for at least.
const LEAST_INERTIA: f64 = 5e-3;

/// Particles joined by constraints, and whether nothing holds them; scratch of a method.
#[derive(Debug, Default)]
pub struct FreeParts {
    /// Places of the particles of all parts, one part after the other.
    members: Vec<u32>,
    parts: Vec<Part>,
    /// Members that are summed up together.
    tasks: Vec<Task>,
    /// By place.
    part_of: Vec<u32>,
    /// Way from the centre of the part [m], and mass [kg], by place.
    arms: Vec<[Real; 4]>,
    has_free: bool,
}

#[derive(Debug, Default)]
struct Part {
    /// Among the members of all parts.
    first_member: usize,
    tasks: Range<usize>,
    /// Whether no particle of it is held.
    is_free: bool,
    center: DVec3,
    mass: f64,
    inverse_inertia: DMat3,
    /// The velocity and the spin that give it its momentum and angular momentum back [m/s, 1/s].
    shift: Vec3,
    turn: Vec3,
}

#[derive(Debug)]
struct Task {
    part: usize,
    members: Range<usize>,
    moments: Moments,
    gained: Gained,
}

/// What velocities have gained.
#[derive(Clone, Copy, Debug, Default)]
struct Gained {
    /// By rounding [kg m/s].
    momentum: DVec3,
    /// [kg m2/s].
    spin: DVec3,
}

/// Mass, its first and second moments about a place, and whether a particle is held.
#[derive(Clone, Copy, Debug)]
struct Moments {
    mass: f64,
    first: DVec3,
    inertia: DMat3,
    is_held: bool,
}

impl FreeParts {
    /// Of sets of particles that constraints join, by place.
    pub fn new(sets: DisjointSets, count: usize) -> Self {
        let mut all = Self {
            part_of: vec![NONE; count],
            arms: vec![[0.0; 4]; count],
            ..Self::default()
        };
        for members in sets.members().filter(|members| members.len() > 1) {
            all.add(&members);
        }
        all
    }

    fn add(&mut self, members: &[u32]) {
        let (number, first) = (self.parts.len(), self.members.len());
        for &place in members {
            self.part_of[place as usize] = number as u32;
        }
        self.members.extend_from_slice(members);
        let (end, first_task) = (self.members.len(), self.tasks.len());
        self.tasks
            .extend((first..end).step_by(CHUNK).map(|start| Task {
                part: number,
                members: start..(start + CHUNK).min(end),
                moments: Moments::ZERO,
                gained: Gained::default(),
            }));
        self.parts.push(Part {
            first_member: first,
            tasks: first_task..self.tasks.len(),
            ..Part::default()
        });
    }

    /// Takes over the shape at the start of a substep.
    ///
    /// * `position` — [m], by place
    /// * `mass` — [kg]
    /// * `inverse_mass` — [1/kg], 0 of what is held
    pub fn start(&mut self, position: &[DVec3], mass: &[Real], inverse_mass: &[Real]) {
        let members = &self.members;
        for part in &mut self.parts {
            part.center = position[members[part.first_member] as usize];
        }
        let parts = &self.parts;
        parallel::for_items(&mut self.tasks, |_, task| {
            let (about, mut sum) = (parts[task.part].center, Moments::ZERO);
            for place in members[task.members.clone()].iter().map(|&i| i as usize) {
                let (arm, m) = (position[place] - about, f64::from(mass[place]));
                sum.mass += m;
                sum.first += arm * m;
                sum.inertia += point_inertia(arm) * m;
                sum.is_held |= inverse_mass[place] == 0.0;
            }
            task.moments = sum;
        });
        let tasks = &self.tasks;
        for part in &mut self.parts {
            part.start(tasks[part.tasks.clone()].iter().map(|task| task.moments));
        }
        self.has_free = self.parts.iter().any(|part| part.is_free);
        let (parts, part_of) = (&self.parts, &self.part_of);
        parallel::for_chunks(&mut self.arms, |first, arms| {
            for (place, arm) in (first..).zip(arms) {
                if let Some(part) = parts.get(part_of[place] as usize) {
                    let [x, y, z] = to_real(position[place] - part.center).to_array();
                    *arm = [x, y, z, mass[place]];
                }
            }
        });
    }

    /// Takes the momentum and the angular momentum back that projections have given parts that nothing holds.
    ///
    /// * `before` — velocities before the projections [m/s], by place
    /// * `records` — velocities after them, each with one number more
    pub fn restore(&mut self, before: &[Vec3], records: &mut [[Real; 4]]) {
        if !self.has_free {
            return;
        }
        let (members, parts, arms) = (&self.members, &self.parts, &self.arms);
        let after = &*records;
        parallel::for_items(&mut self.tasks, |_, task| {
            if !parts[task.part].is_free {
                return;
            }
            let mut gained = Gained::default();
            for place in members[task.members.clone()].iter().map(|&i| i as usize) {
                let ([x, y, z, m], [vx, vy, vz, _]) = (arms[place], after[place]);
                let change = to_double(Vec3::new(vx, vy, vz) - before[place]) * f64::from(m);
                gained.momentum += change;
                gained.spin += to_double(Vec3::new(x, y, z)).cross(change);
            }
            task.gained = gained;
        });
        let tasks = &self.tasks;
        for part in self.parts.iter_mut().filter(|part| part.is_free) {
            part.give_back(tasks[part.tasks.clone()].iter().map(|task| task.gained));
        }
        let (parts, part_of) = (&self.parts, &self.part_of);
        parallel::for_chunks(records, |first, records| {
            for (place, record) in (first..).zip(records) {
                if let Some(part) = parts.get(part_of[place] as usize)
                    && part.is_free
                {
                    let [x, y, z, _] = arms[place];
                    let back = part.shift + part.turn.cross(Vec3::new(x, y, z));
                    record[0] += back.x;
                    record[1] += back.y;
                    record[2] += back.z;
                }
            }
        });
    }
}

impl Part {
    /// Takes over the shape, of the moments of its tasks about its first particle.
    fn start(&mut self, tasks: impl Iterator<Item = Moments>) {
        let sum = tasks.fold(Moments::ZERO, Moments::plus);
        let arm = sum.first / sum.mass;
        self.center += arm;
        self.mass = sum.mass;
        let inertia = sum.inertia - point_inertia(arm) * sum.mass;
        self.inverse_inertia = inverse_inertia(inertia, LEAST_INERTIA);
        self.is_free = !sum.is_held && self.inverse_inertia.is_finite();
    }

    /// Finds the motion without what its tasks have gained.
    fn give_back(&mut self, tasks: impl Iterator<Item = Gained>) {
        let sum = tasks.fold(Gained::default(), |sum, of| Gained {
            momentum: sum.momentum + of.momentum,
            spin: sum.spin + of.spin,
        });
        self.shift = to_real(-sum.momentum / self.mass);
        self.turn = to_real(self.inverse_inertia * -sum.spin);
    }
}

impl Moments {
    const ZERO: Self = Self {
        mass: 0.0,
        first: DVec3::ZERO,
        inertia: DMat3::ZERO,
        is_held: false,
    };

    fn plus(self, other: Self) -> Self {
        Self {
            mass: self.mass + other.mass,
            first: self.first + other.first,
            inertia: self.inertia + other.inertia,
            is_held: self.is_held || other.is_held,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners of a box and three more particles, joined as two parts; and velocities that turn.
    fn parts(inverse_mass: &mut [Real]) -> (FreeParts, Vec<DVec3>, Vec<Real>) {
        let corner = |k: u32| DVec3::new((k & 1).into(), (k >> 1 & 1).into(), (k >> 2).into());
        let mut position: Vec<DVec3> = (0..8).map(|k| corner(k) * 0.3 + DVec3::X * 1e3).collect();
        position.extend((0..3).map(|k| DVec3::new(f64::from(k), f64::from(k * k), 5.0)));
        let mass: Vec<Real> = (0..11).map(|k| 1.0 + 0.1 * k as Real).collect();
        let mut links: Vec<[u32; 2]> = (1..8).map(|k| [0, k]).collect();
        links.extend([[8, 9], [9, 10]]);
        let mut parts = FreeParts::new(DisjointSets::of_edges(11, &links), 11);
        inverse_mass
            .iter_mut()
            .zip(&mass)
            .for_each(|(w, m)| *w *= 1.0 / m);
        parts.start(&position, &mass, inverse_mass);
        (parts, position, mass)
    }

    #[test]
    fn free_parts_get_both_momenta_back_and_held_ones_nothing() {
        let mut inverse_mass = [1.0; 11];
        inverse_mass[9] = 0.0;
        let (mut parts, position, mass) = parts(&mut inverse_mass);
        let before = vec![Vec3::new(0.1, 0.2, -0.3); 11];
        let record = |k: usize| {
            [
                0.1 * k as Real,
                0.3,
                -0.2 * (k % 3) as Real,
                inverse_mass[k],
            ]
        };
        let given: Vec<[Real; 4]> = (0..11).map(record).collect();
        let mut records = given.clone();
        parts.restore(&before, &mut records);
        let (mut momentum, mut spin, mut kept) = (DVec3::ZERO, DVec3::ZERO, 0.0_f64);
        for k in 0..8 {
            let [x, y, z, _] = records[k];
            let change = to_double(Vec3::new(x, y, z) - before[k]) * f64::from(mass[k]);
            momentum += change;
            spin += (position[k] - position[0]).cross(change);
            kept += change.length();
        }
        assert!(kept > 0.1, "what is no rigid motion stays: {kept}");
        assert!(
            momentum.length() < 1e-6 && spin.length() < 1e-6,
            "{momentum} {spin}"
        );
        assert_eq!(records[8..], given[8..]);
    }
}
