//! Angular momentum that projections at the end of a substep take from parts of bodies that nothing holds.
//!
//! Impulses of a constraint have no torque about anything where the constraint is read, at x_start + dt v. They act
//! from x_start: a body that turns at w loses w^2 dt of its angular momentum a second, as implicit Euler does. Each
//! part gets it back as the rigid turn that has it,
//!
//!   v_i += w x (x_i - c),   I w = -sum m_i (x_i - c) x dv_i,
//!
//! and the momentum that rounding takes with it; dv is what the constraints did to velocities, x are positions at the
//! start of the substep. As x_end = x_start + dt v, sum m x_end x v is what sum m x_start x v is, so that only others
//! change it from substep to substep.
//!
//! Contacts and attachments, which act between bodies, keep theirs in their own rooms. Parts of which a particle is
//! held are left alone: their support has a torque. Thin rods hardly get back what they spin about themselves: pulled
//! straight they would turn ever faster.

// Tasks write records of their own particles in a shared column; see `parallel::Shared`.
#![allow(unsafe_code)]

use std::ops::Range;

use pliant_geometry::topology::DisjointSets;
use pliant_math::simd::{Instructions, Job, LANES, Pack, Places, Row};
use pliant_math::{DMat3, DVec3, Real, Vector3, inverse_inertia, point_inertia, to_real};

use crate::parallel::{self, CHUNK, Shared, Source, View};

/// Part of its trace that the least inertia of a part is taken for at least.
const LEAST_INERTIA: f64 = 5e-3;

/// Particles joined by constraints, and whether nothing holds them; scratch of a method.
#[derive(Debug, Default)]
pub struct FreeParts {
    parts: Vec<Part>,
    /// Members that are summed up together, part after part.
    tasks: Vec<Task>,
    /// Velocities before the projections, each with one number more.
    before: Vec<[Real; 4]>,
    has_free: bool,
}

/// A part, whose arms are from its first particle.
#[derive(Debug)]
struct Part {
    tasks: Range<usize>,
    first: u32,
    /// Whether no particle of it is held.
    is_free: bool,
    /// Centre of mass from the first particle [m].
    center: DVec3,
    /// [kg].
    mass: f64,
    /// About the centre.
    inverse_inertia: DMat3,
    /// The velocity of the first particle [m/s] and the spin [1/s] that give it its momenta back.
    motion: [DVec3; 2],
}

#[derive(Debug)]
struct Task {
    part: usize,
    rows: Vec<MemberRow>,
    moments: Moments,
    gained: Gained,
}

/// Sixteen members of a part; what is beyond the last repeats it without mass.
#[derive(Clone, Copy, Debug, Default)]
struct MemberRow {
    place: Places,
    /// From the first particle of the part [m].
    arm: [Row; 3],
    /// [kg].
    mass: Row,
}

/// What velocities have gained.
#[derive(Clone, Copy, Debug, Default)]
struct Gained {
    /// By rounding [kg m/s].
    momentum: DVec3,
    /// About the first particle [kg m2/s].
    spin: DVec3,
}

/// Mass, sum m r and the inertia about the first particle, and whether a particle is held.
#[derive(Clone, Copy, Debug)]
struct Moments {
    mass: f64,
    first: DVec3,
    inertia: DMat3,
    is_held: bool,
}

impl FreeParts {
    /// Of sets of particles that constraints join, by place.
    pub fn new(sets: DisjointSets) -> Self {
        let mut all = Self::default();
        for members in sets.members().filter(|members| members.len() > 1) {
            all.add(&members);
        }
        all
    }

    fn add(&mut self, members: &[u32]) {
        let (part, first_task) = (self.parts.len(), self.tasks.len());
        self.tasks.extend(members.chunks(CHUNK).map(|members| Task {
            part,
            rows: members.chunks(LANES).map(MemberRow::of).collect(),
            moments: Moments::ZERO,
            gained: Gained::default(),
        }));
        self.parts.push(Part {
            tasks: first_task..self.tasks.len(),
            first: members[0],
            is_free: false,
            center: DVec3::ZERO,
            mass: 0.0,
            inverse_inertia: DMat3::ZERO,
            motion: [DVec3::ZERO; 2],
        });
    }

    /// Takes over the shape at the start of a substep.
    ///
    /// * `position` — [m], by place
    /// * `mass` — [kg]
    /// * `inverse_mass` — [1/kg], 0 of what is held
    pub fn start(
        &mut self,
        instructions: Instructions,
        position: &[DVec3],
        (mass, inverse_mass): (&[Real], &[Real]),
    ) {
        let parts = &self.parts;
        parallel::for_items(&mut self.tasks, |_, task| {
            let about = position[parts[task.part].first as usize];
            let mut is_held = false;
            for row in &mut task.rows {
                is_held |= row.start(position, about, (mass, inverse_mass));
            }
            task.moments = Moments {
                is_held,
                ..instructions.run(SumMoments(&task.rows))
            };
        });
        let tasks = &self.tasks;
        for part in &mut self.parts {
            part.start(tasks[part.tasks.clone()].iter().map(|task| task.moments));
        }
        self.has_free = self.parts.iter().any(|part| part.is_free);
    }

    /// Takes over the velocities before projections.
    ///
    /// * `records` — velocities [m/s], each with one number more, by place
    pub fn watch(&mut self, records: &[[Real; 4]]) {
        if self.has_free {
            self.before.clear();
            self.before.extend_from_slice(records);
        }
    }

    /// Takes the momentum and the angular momentum back that projections have given parts that nothing holds since
    /// [`Self::watch`].
    pub fn restore(&mut self, instructions: Instructions, records: &mut [[Real; 4]]) {
        if !self.has_free {
            return;
        }
        let (parts, before, after) = (&self.parts, &self.before[..], &*records);
        parallel::for_items(&mut self.tasks, |_, task| {
            if parts[task.part].is_free {
                let rows = &task.rows;
                task.gained = instructions.run(SumGained {
                    rows,
                    before,
                    after,
                });
            }
        });
        let tasks = &self.tasks;
        for part in self.parts.iter_mut().filter(|part| part.is_free) {
            part.give_back(tasks[part.tasks.clone()].iter().map(|task| task.gained));
        }
        let (parts, records) = (&self.parts, Shared::new(records));
        parallel::for_items(&mut self.tasks, |number, task| {
            let part = &parts[task.part];
            if part.is_free {
                // SAFETY: each particle is in one part, and there in one task.
                let records = unsafe { records.view(number as u32) };
                instructions.run(Move {
                    rows: &task.rows,
                    motion: part.motion,
                    records,
                });
            }
        });
    }
}

impl Part {
    /// Takes over the shape, of the moments of its tasks.
    fn start(&mut self, tasks: impl Iterator<Item = Moments>) {
        let sum = tasks.fold(Moments::ZERO, Moments::plus);
        self.mass = sum.mass;
        self.center = sum.first / sum.mass;
        let inertia = sum.inertia - point_inertia(self.center) * sum.mass;
        self.inverse_inertia = inverse_inertia(inertia, LEAST_INERTIA);
        self.is_free = !sum.is_held && self.inverse_inertia.is_finite();
    }

    /// Finds the motion that takes back what its tasks have gained.
    fn give_back(&mut self, tasks: impl Iterator<Item = Gained>) {
        let sum = tasks.fold(Gained::default(), |sum, of| Gained {
            momentum: sum.momentum + of.momentum,
            spin: sum.spin + of.spin,
        });
        let about_center = sum.spin - self.center.cross(sum.momentum);
        let turn = self.inverse_inertia * -about_center;
        let of_center = -sum.momentum / self.mass;
        self.motion = [of_center - turn.cross(self.center), turn];
    }
}

impl MemberRow {
    fn of(members: &[u32]) -> Self {
        let last = members.len() - 1;
        Self {
            place: Places::from_fn(|lane| members[lane.min(last)]),
            ..Self::default()
        }
    }

    /// Takes over where its members are; true if one of them is held.
    fn start(
        &mut self,
        position: &[DVec3],
        about: DVec3,
        (mass, inverse_mass): (&[Real], &[Real]),
    ) -> bool {
        let mut is_held = false;
        for lane in 0..LANES {
            let place = self.place.get(lane);
            let is_repeated = lane > 0 && place == self.place.get(lane - 1);
            let arm = to_real(position[place] - about).to_array();
            for (row, component) in self.arm.iter_mut().zip(arm) {
                row.set(lane, component);
            }
            self.mass
                .set(lane, if is_repeated { 0.0 } else { mass[place] });
            is_held |= inverse_mass[place] == 0.0;
        }
        is_held
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

/// Sums up the moments of members.
struct SumMoments<'a>(&'a [MemberRow]);

impl Job for SumMoments<'_> {
    type Output = Moments;

    #[inline(always)]
    fn run<P: Pack>(self) -> Moments {
        let (mut mass, mut first) = (P::ZERO, Vector3::<P>::ZERO);
        let (mut squares, mut products) = (Vector3::<P>::ZERO, Vector3::<P>::ZERO);
        for row in self.0 {
            let (m, r) = (P::load(&row.mass), Vector3::<P>::load(&row.arm));
            let weighted = r * m;
            mass += m;
            first = first + weighted;
            squares.x += weighted.x * r.x;
            squares.y += weighted.y * r.y;
            squares.z += weighted.z * r.z;
            products.x += weighted.y * r.z;
            products.y += weighted.z * r.x;
            products.z += weighted.x * r.y;
        }
        let ([s, p], masses) = (
            [total(squares), total(products)],
            Vector3 { x: mass, ..first },
        );
        Moments {
            mass: total(masses).x,
            first: total(first),
            inertia: DMat3::from_cols(
                DVec3::new(s.y + s.z, -p.z, -p.y),
                DVec3::new(-p.z, s.z + s.x, -p.x),
                DVec3::new(-p.y, -p.x, s.x + s.y),
            ),
            is_held: false,
        }
    }
}

/// Sums up what members have gained.
struct SumGained<'a> {
    rows: &'a [MemberRow],
    before: &'a [[Real; 4]],
    after: &'a [[Real; 4]],
}

impl Job for SumGained<'_> {
    type Output = Gained;

    #[inline(always)]
    fn run<P: Pack>(self) -> Gained {
        let (mut momentum, mut spin) = (Vector3::<P>::ZERO, Vector3::<P>::ZERO);
        for row in self.rows {
            let [x, y, z, _]: [P; 4] = self.after.at(&row.place);
            let [a, b, c, _]: [P; 4] = self.before.at(&row.place);
            let change = Vector3 {
                x: x - a,
                y: y - b,
                z: z - c,
            } * P::load(&row.mass);
            momentum = momentum + change;
            spin = spin + Vector3::load(&row.arm).cross(change);
        }
        Gained {
            momentum: total(momentum),
            spin: total(spin),
        }
    }
}

/// Adds a rigid motion to the velocities of members.
struct Move<'a> {
    rows: &'a [MemberRow],
    motion: [DVec3; 2],
    records: View<'a, [Real; 4]>,
}

impl Job for Move<'_> {
    type Output = ();

    #[inline(always)]
    fn run<P: Pack>(mut self) {
        let [shift, turn] = [splat::<P>(self.motion[0]), splat::<P>(self.motion[1])];
        for row in self.rows {
            let [x, y, z, rest]: [P; 4] = self.records.gather(&row.place);
            let added = shift + turn.cross(Vector3::load(&row.arm));
            let moved = [x + added.x, y + added.y, z + added.z, rest];
            self.records.scatter(&row.place, moved);
        }
    }
}

#[inline(always)]
fn splat<P: Pack>(v: DVec3) -> Vector3<P> {
    Vector3 {
        x: P::splat(v.x as Real),
        y: P::splat(v.y as Real),
        z: P::splat(v.z as Real),
    }
}

/// The sums of all lanes.
#[inline(always)]
fn total<P: Pack>(v: Vector3<P>) -> DVec3 {
    let mut rows = [Row::ZERO; 3];
    v.store(&mut rows);
    let [x, y, z] = rows;
    DVec3::new(sum(&x), sum(&y), sum(&z))
}

fn sum(row: &Row) -> f64 {
    row.0.iter().map(|&number| f64::from(number)).sum()
}

#[cfg(test)]
mod tests {
    use pliant_math::{Vec3, to_double};

    use super::*;

    /// Corners of a box and three more particles, joined as two parts; and velocities that turn.
    fn parts(inverse_mass: &mut [Real]) -> (FreeParts, Vec<DVec3>, Vec<Real>) {
        let corner = |k: u32| DVec3::new((k & 1).into(), (k >> 1 & 1).into(), (k >> 2).into());
        let mut position: Vec<DVec3> = (0..8).map(|k| corner(k) * 0.3 + DVec3::X * 1e3).collect();
        position.extend((0..3).map(|k| DVec3::new(f64::from(k), f64::from(k * k), 5.0)));
        let mass: Vec<Real> = (0..11).map(|k| 1.0 + 0.1 * k as Real).collect();
        let mut links: Vec<[u32; 2]> = (1..8).map(|k| [0, k]).collect();
        links.extend([[8, 9], [9, 10]]);
        let mut parts = FreeParts::new(DisjointSets::of_edges(11, &links));
        inverse_mass
            .iter_mut()
            .zip(&mass)
            .for_each(|(w, m)| *w *= 1.0 / m);
        parts.start(Instructions::best(), &position, (&mass, inverse_mass));
        (parts, position, mass)
    }

    #[test]
    fn free_parts_get_both_momenta_back_and_held_ones_nothing() {
        let mut inverse_mass = [1.0; 11];
        inverse_mass[9] = 0.0;
        let (mut parts, position, mass) = parts(&mut inverse_mass);
        let before = Vec3::new(0.1, 0.2, -0.3);
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
        parts.watch(&[[0.1, 0.2, -0.3, 0.0]; 11]);
        parts.restore(Instructions::best(), &mut records);
        let (mut momentum, mut spin, mut kept) = (DVec3::ZERO, DVec3::ZERO, 0.0_f64);
        for k in 0..8 {
            let [x, y, z, _] = records[k];
            let change = to_double(Vec3::new(x, y, z) - before) * f64::from(mass[k]);
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
