//! The members of a fluid group: its particles, and the solid particles near them.
//!
//! The group's own particles stand together in the columns. Solids stand elsewhere, with their methods;
//! where there are any near, both are sorted into one order of the group's own.

use std::ops::Range;

use pliant_geometry::Aabb;
use pliant_math::{DVec3, Real, Vec3};
use rustc_hash::FxHashSet;

use crate::neighbors::SpatialOrder;
use crate::parallel;
use crate::particles::Particles;

/// The members of a group in their order; scratch of a substep.
#[derive(Debug, Default)]
pub struct Members {
    range: Range<usize>,
    /// Order of the group's own particles.
    own: SpatialOrder,
    /// Order of own particles and solids.
    mixed: SpatialOrder,
    has_solids: bool,
    /// Place in the columns of each member.
    places: Vec<u32>,
    /// FluidMember at each place of the range.
    member_at: Vec<u32>,
    solids: Vec<u32>,
    unsorted: Vec<u32>,
    positions: Vec<DVec3>,
    velocities: Vec<Vec3>,
    cells: FxHashSet<[i64; 3]>,
}

impl Members {
    /// Finds the spatial order of the particles `own` and appends it to `order`.
    pub fn sort(
        &mut self,
        own: &[u32],
        particles: &Particles,
        support_radius: f64,
        order: &mut Vec<u32>,
    ) {
        self.positions.clear();
        self.positions
            .extend(own.iter().map(|&i| particles.position[i as usize]));
        self.own.sort(&self.positions, |_| 0, 1, support_radius);
        self.range = order.len()..order.len() + own.len();
        order.extend(self.own.order.iter().map(|&k| own[k as usize]));
    }

    /// Adds the solid particles within the support radius of the group, and copies what the search reads.
    pub fn add_solids(
        &mut self,
        particles: &Particles,
        is_solid: &impl Fn(u32) -> bool,
        support_radius: f64,
    ) {
        self.find_solids(particles, is_solid, support_radius);
        self.has_solids = !self.solids.is_empty();
        self.places.clear();
        if self.has_solids {
            self.unsorted.clear();
            self.unsorted.extend(
                self.range
                    .clone()
                    .map(|i| i as u32)
                    .chain(self.solids.iter().copied()),
            );
            self.positions.clear();
            let position = |&i: &u32| particles.position[i as usize];
            self.positions.extend(self.unsorted.iter().map(position));
            self.mixed.sort(&self.positions, |_| 0, 1, support_radius);
            let of_order = |&k: &u32| self.unsorted[k as usize];
            self.places.extend(self.mixed.order.iter().map(of_order));
            self.member_at.resize(self.range.len(), 0);
            for (member, &place) in (0..).zip(&self.places) {
                if self.range.contains(&(place as usize)) {
                    self.member_at[place as usize - self.range.start] = member;
                }
            }
        } else {
            self.places.extend(self.range.clone().map(|i| i as u32));
        }
        self.positions.clear();
        self.velocities.clear();
        for &place in &self.places {
            self.positions.push(particles.position[place as usize]);
            self.velocities.push(particles.velocity[place as usize]);
        }
    }

    /// Where the group's own particles lie in the columns.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// True if there are solids among the members.
    pub fn has_solids(&self) -> bool {
        self.has_solids
    }

    /// The order of all members in space.
    pub fn order(&self) -> &SpatialOrder {
        if self.has_solids {
            &self.mixed
        } else {
            &self.own
        }
    }

    /// Place in the columns of each member.
    pub fn places(&self) -> &[u32] {
        &self.places
    }

    /// Positions [m] of the members at the start of the substep.
    pub fn positions(&self) -> &[DVec3] {
        &self.positions
    }

    /// Velocities [m/s] of the members at the start of the substep.
    pub fn velocities(&self) -> &[Vec3] {
        &self.velocities
    }

    /// The member at a place of the columns, if it is one of the group's own.
    pub fn member_at(&self, place: usize) -> Option<usize> {
        if !self.range.contains(&place) {
            return None;
        }
        let own = place - self.range.start;
        Some(if self.has_solids {
            self.member_at[own] as usize
        } else {
            own
        })
    }

    /// Copies velocities [m/s] and inverse masses [1/kg] of the members, with still particles at the
    /// spare places.
    pub fn pack(&self, particles: &Particles, spare: usize, records: &mut Vec<[Real; 4]>) {
        let count = self.places.len();
        records.resize(count + spare, [0.0; 4]);
        records[count..].fill([0.0; 4]);
        parallel::for_chunks(&mut records[..count], |first, records| {
            for (record, &place) in records.iter_mut().zip(&self.places[first..]) {
                let v = particles.velocity[place as usize];
                *record = [v.x, v.y, v.z, particles.inverse_mass[place as usize]];
            }
        });
    }

    /// Copies the velocities of the members back.
    pub fn unpack(&self, records: &[[Real; 4]], velocity: &mut [Vec3]) {
        let vector = |[x, y, z, _]: [Real; 4]| Vec3::new(x, y, z);
        parallel::for_chunks(&mut velocity[self.range.clone()], |first, velocity| {
            for (k, v) in velocity.iter_mut().enumerate() {
                let member = if self.has_solids {
                    self.member_at[first + k] as usize
                } else {
                    first + k
                };
                *v = vector(records[member]);
            }
        });
        if self.has_solids {
            for (member, &place) in self.places.iter().enumerate() {
                if !self.range.contains(&(place as usize)) {
                    velocity[place as usize] = vector(records[member]);
                }
            }
        }
    }

    /// Lists the solids in cells around those of the group.
    fn find_solids(
        &mut self,
        particles: &Particles,
        is_solid: &impl Fn(u32) -> bool,
        support_radius: f64,
    ) {
        self.solids.clear();
        let own = &particles.position[self.range.clone()];
        if own.is_empty() || own.len() == particles.len() {
            return;
        }
        let reach = Aabb::around(own.iter().copied()).grown(support_radius);
        let may_be_near =
            |&i: &usize| is_solid(particles.body[i]) && reach.contains(particles.position[i]);
        let others = (0..self.range.start).chain(self.range.end..particles.len());
        self.solids
            .extend(others.filter(may_be_near).map(|i| i as u32));
        if self.solids.is_empty() {
            return;
        }
        self.cells.clear();
        let mut last = None;
        for &x in own {
            let cell = cell(x, support_radius);
            if last != Some(cell) {
                self.cells.insert(cell);
                last = Some(cell);
            }
        }
        let cells = &self.cells;
        self.solids.retain(|&i| {
            let [x, y, z] = cell(particles.position[i as usize], support_radius);
            (0..27).any(|k| cells.contains(&[x + k % 3 - 1, y + k / 3 % 3 - 1, z + k / 9 - 1]))
        });
    }
}

fn cell(x: DVec3, size: f64) -> [i64; 3] {
    (x / size).floor().to_array().map(|c| c as i64)
}
