//! Groups by colour, sixteen side by side: no two groups of a colour share a particle.

use std::ops::Range;

use pliant_math::simd::{LANES, Pack, Places, Row};
use pliant_math::{DMat3, DVec3, Matrix3, Real};

use super::GroupBody;
use super::moments::{FINE_STIFFNESS, MODES, Moments};
use crate::constraints::{colors, source_lane};

/// Members of a group whose motion is kept on the stack in a sweep that nothing follows: those of a hexahedron.
pub const ON_STACK: usize = 8;

/// Sixteen groups of one colour and one body.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct GroupRow {
    /// Where their members begin...
    pub first_member: u32,
    /// ...and how many the largest of them has.
    pub member_count: u32,
    /// Place of their body in the setup.
    pub body: u32,
    /// Lanes that hold a group of their own, a bit each; others repeat one ([`source_lane`]).
    pub filled: u16,
    /// 1 if some are planar or linear, 3 if some are linear.
    pub flatness: u16,
    /// Where their members begin among those that are finer than their groups; `u32::MAX` if they are not.
    pub first_fine: u32,
    /// K = (sum m X X^T)^-1 [1/(kg m2)], X being the places at rest from the centre of mass.
    pub inverse_moment: [Row; 6],
    /// sum w b b^T over what is free, b = m K X [1/(kg m2)]: what a gradient moves.
    pub mobility: [Row; 6],
    /// The normal of planar ones at rest, one of linear ones; zero for others.
    pub normal: [Row; 3],
    /// The other normal of linear ones at rest; zero for others.
    pub across: [Row; 3],
    /// 1/M [1/kg].
    pub inverse_mass: Row,
    /// Volume at rest [m3].
    pub volume: Row,
    /// Square of the frequency of the compliant filter [1/s2].
    pub filter: Row,
    /// The same of what members have beside the modes in which a hexahedron bends and twists.
    pub fine_filter: Row,
    /// Multipliers of the constraints.
    pub multiplier: [Row; 2],
    /// The stress that was given in the substep [Pa], where that is projected.
    pub given: [[Row; 3]; 3],
}

/// A member of each of sixteen groups; groups that are smaller repeat their last, without mass.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct MemberRow {
    /// Places.
    pub place: Places,
    /// Mass [kg].
    pub mass: Row,
    /// From the centre of mass at rest [m].
    pub rest: [Row; 3],
}

/// What a sweep leaves of a member of each of sixteen groups to the next one.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct MemberMotion {
    /// Displacement at the start of the substep, against that of the first member [m].
    pub start: [Row; 3],
    /// What the compliant filter has moved it by in the substep [m].
    pub filtered: [Row; 3],
}

/// What a member of each of sixteen groups has beside, where members are finer than their groups.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct FineRow {
    /// Values of the modes in which a hexahedron bends and twists [1/kg^(1/2)].
    pub modes: [Row; MODES],
    /// What the compliant filter has moved it by in the substep, in what is none of the modes [m].
    pub filtered: [Row; 3],
}

/// A group to be put into a row.
#[derive(Clone, Debug)]
pub struct NewGroup {
    /// Place of its body in the setup.
    pub body: u32,
    /// Its number in the body.
    pub number: u32,
    /// Places of its members.
    pub places: Vec<u32>,
}

/// The groups of all bodies.
#[derive(Debug, Default)]
pub struct GroupRows {
    /// By colour.
    pub rows: Vec<GroupRow>,
    /// Members of the rows, one row of groups after the other.
    pub members: Vec<MemberRow>,
    /// Their motion, if anything follows the first sweep of a substep; else empty.
    pub motions: Vec<MemberMotion>,
    /// What members have that are finer than their groups.
    pub fine: Vec<FineRow>,
    /// The rows of each colour.
    pub colors: Vec<Range<usize>>,
    /// Number of groups; what is in the rows beyond repeats one of a row.
    pub count: usize,
}

impl Default for GroupRow {
    fn default() -> Self {
        Self {
            first_member: 0,
            member_count: 0,
            body: 0,
            filled: 0,
            flatness: 0,
            first_fine: u32::MAX,
            inverse_moment: [Row::ZERO; 6],
            mobility: [Row::ZERO; 6],
            normal: [Row::ZERO; 3],
            across: [Row::ZERO; 3],
            inverse_mass: Row::ZERO,
            volume: Row::ZERO,
            filter: Row::ZERO,
            fine_filter: Row::ZERO,
            multiplier: [Row::ZERO; 2],
            given: [[Row::ZERO; 3]; 3],
        }
    }
}

impl GroupRows {
    /// Groups among particles.
    ///
    /// * masses [kg] and inverse masses [1/kg], 0 for what is held, of all particles
    /// * `filter_stiffness` — over that of the bending modes of a hexahedron
    pub fn new(
        bodies: &[GroupBody],
        groups: &[NewGroup],
        (mass, inverse_mass): (&[Real], &[Real]),
        filter_stiffness: f64,
    ) -> Self {
        let mut all = Self {
            count: groups.len(),
            ..Self::default()
        };
        let places = groups.iter().map(|group| group.places.as_slice());
        for mut color in colors(places, mass.len()) {
            let first = all.rows.len();
            // Rows of one body and of groups of about one size.
            color.sort_by_key(|&g| {
                let group = &groups[g as usize];
                (group.body, group.places.len(), g)
            });
            let same_body = |&a: &u32, &b: &u32| groups[a as usize].body == groups[b as usize].body;
            for of_body in color.chunk_by(same_body) {
                for row in of_body.chunks(LANES) {
                    let row = row.iter().map(|&g| &groups[g as usize]);
                    all.add(
                        bodies,
                        row.collect(),
                        (mass, inverse_mass),
                        filter_stiffness,
                    );
                }
            }
            all.colors.push(first..all.rows.len());
        }
        all
    }

    /// Room for the motion of members, unless it is that of groups of hexahedra in a sweep that nothing follows.
    pub fn keep_motions(&mut self, is_only: bool) {
        let are_all_small = || {
            self.rows
                .iter()
                .all(|row| row.member_count as usize <= ON_STACK)
        };
        if self.motions.len() != self.members.len() && !(is_only && are_all_small()) {
            self.motions
                .resize(self.members.len(), MemberMotion::default());
        }
    }

    /// Adds a row of up to sixteen groups of one body.
    fn add(
        &mut self,
        bodies: &[GroupBody],
        groups: Vec<&NewGroup>,
        (mass, inverse_mass): (&[Real], &[Real]),
        filter_stiffness: f64,
    ) {
        let body = &bodies[groups[0].body as usize];
        let member_count = groups.iter().map(|g| g.places.len()).max().unwrap_or(0);
        let first_member = self.members.len();
        self.members
            .resize(first_member + member_count, MemberRow::default());
        let mut row = GroupRow {
            first_member: first_member as u32,
            member_count: member_count as u32,
            body: groups[0].body,
            filled: ((1_u32 << groups.len()) - 1) as u16,
            ..GroupRow::default()
        };
        if body.groups.holds_fine_modes() {
            row.first_fine = self.fine.len() as u32;
            let count = self.fine.len() + member_count;
            self.fine.resize(count, FineRow::default());
        }
        for lane in 0..LANES {
            let group = groups[source_lane(lane, groups.len())];
            let rest = body.groups.members_of(group.number as usize);
            let rest: Vec<DVec3> = rest
                .iter()
                .map(|&k| body.groups.rest_position[k as usize])
                .collect();
            let at = |column: &[Real], k: usize| f64::from(column[group.places[k] as usize]);
            let masses: Vec<f64> = (0..rest.len()).map(|k| at(mass, k)).collect();
            let is_free = |k: usize| at(inverse_mass, k) > 0.0;
            let moments = Moments::of(&rest, &masses);
            let volume = body.groups.volume[group.number as usize];
            row.put(lane, &moments, volume);
            set_tensor(&mut row.mobility, lane, moments.mobility(&masses, is_free));
            let rate = moments.bending_rate(body.youngs_modulus, volume);
            row.filter.set(lane, (filter_stiffness * rate) as Real);
            row.fine_filter.set(lane, (FINE_STIFFNESS * rate) as Real);
            row.flatness |= flatness(&moments);
            if row.first_fine != u32::MAX {
                let values = moments.modes(&masses);
                let fine = &mut self.fine[row.first_fine as usize..];
                for (k, member) in fine.iter_mut().enumerate() {
                    let own = k.min(rest.len() - 1);
                    for (row, &value) in member.modes.iter_mut().zip(&values[own]) {
                        row.set(lane, value as Real);
                    }
                }
            }
            let members = &mut self.members[first_member..];
            for (k, member) in members.iter_mut().enumerate() {
                let own = k.min(rest.len() - 1);
                member.place.set(lane, group.places[own]);
                let mass = if k < rest.len() { masses[own] } else { 0.0 };
                member.mass.set(lane, mass as Real);
                set_vector(&mut member.rest, lane, moments.rest[own]);
            }
        }
        self.rows.push(row);
    }
}

impl GroupRow {
    /// Where their members are.
    pub fn members(&self) -> Range<usize> {
        self.first_member as usize..(self.first_member + self.member_count) as usize
    }

    /// Puts to zero what projections have done to the groups in the lanes of a pack.
    #[inline(always)]
    pub fn forget<P: Pack>(&mut self) {
        for multiplier in &mut self.multiplier {
            P::ZERO.store(multiplier);
        }
        Matrix3::<P>::ZERO.store(&mut self.given);
    }

    fn put(&mut self, lane: usize, moments: &Moments, volume: f64) {
        set_tensor(&mut self.inverse_moment, lane, moments.inverse);
        set_vector(&mut self.normal, lane, moments.normal);
        set_vector(&mut self.across, lane, moments.across);
        self.inverse_mass.set(lane, (1.0 / moments.mass) as Real);
        self.volume.set(lane, volume as Real);
    }
}

/// Bits of [`GroupRow::flatness`].
fn flatness(moments: &Moments) -> u16 {
    u16::from(moments.normal != DVec3::ZERO) | u16::from(moments.across != DVec3::ZERO) << 1
}

fn set_tensor(rows: &mut [Row; 6], lane: usize, m: DMat3) {
    let (x, y, z) = (m.x_axis, m.y_axis, m.z_axis);
    let components = [x.x, y.y, z.z, x.y, x.z, y.z];
    for (row, component) in rows.iter_mut().zip(components) {
        row.set(lane, component as Real);
    }
}

fn set_vector(rows: &mut [Row; 3], lane: usize, vector: DVec3) {
    for (row, component) in rows.iter_mut().zip(vector.to_array()) {
        row.set(lane, component as Real);
    }
}
