//! Granules: grains that keep a distance of one spacing and rub, without a continuum.
//!
//! Paper: the position-based granules with which Yu et al. 2024 compare (figs. 13 and 15); Macklin et al.
//! 2014, sec. 6.1, for friction between particles.
//!
//! There are no constraints inside a body: grains have contacts with each other as with particles of other bodies,
//! in `crate::contacts`. Here is only which grains belong together and where they stand in memory.
//! Deviation: contacts are constraints on velocities with accumulated multipliers, like all contacts here,
//! not on positions; each starts a substep with what it did in the last one, without which deep heaps sank.

mod columns;
mod kind;

pub use columns::GranuleColumns;

use pliant_materials::Law;
use pliant_math::DVec3;

use crate::contacts::KeptContacts;
use crate::method::{Method, MethodStates};
use crate::neighbors::SpatialOrder;
use crate::particles::Particles;
use crate::world::{Body, MethodKind, Setup};

/// The method, as bodies name it.
pub const GRANULES: &dyn MethodKind = &kind::Kind;

/// Edge of the cells in which grains are sorted, in diameters.
const CELL: f64 = 2.0;

/// Constants of a body.
#[derive(Clone, Copy, Debug)]
pub struct GranuleBody {
    /// Coefficient of Coulomb friction between its grains, >= 0.
    pub friction: f64,
    /// Diameter of a grain [m], > 0.
    pub spacing: f64,
    /// True if its grains have the same contacts with grains of other bodies as among themselves.
    pub shares_neighbors: bool,
}

/// Grains that may touch each other.
#[derive(Debug)]
struct GranuleGroup {
    joins: bool,
    /// The widest grain [m].
    spacing: f64,
}

/// The method for all its bodies.
#[derive(Debug)]
pub struct Granules {
    /// The bodies of the world; `None` for those of other methods.
    bodies: Vec<Option<GranuleBody>>,
    /// Group of each body of this method.
    group_of_body: Vec<Option<u32>>,
    groups: Vec<GranuleGroup>,
    members: Vec<u32>,
    positions: Vec<DVec3>,
    order: SpatialOrder,
}

/// The bodies of the method, `None` for others.
pub fn bodies_of(setup: &Setup) -> Vec<Option<GranuleBody>> {
    let of_body = |body: &Body| match setup.materials[body.material as usize].law {
        Law::ContactFriction(law) if body.method == GRANULES => Some(GranuleBody {
            friction: law.friction.into(),
            spacing: body.spacing,
            shares_neighbors: body.shares_neighbors,
        }),
        _ => None,
    };
    setup.bodies.iter().map(of_body).collect()
}

impl Granules {
    /// Groups the bodies: those that join a continuum into one, each other for itself.
    pub fn new(bodies: Vec<Option<GranuleBody>>) -> Self {
        let mut groups: Vec<GranuleGroup> = Vec::new();
        let mut group_of = |body: &GranuleBody| {
            let joins = body.shares_neighbors;
            let known = groups.iter().position(|group| joins && group.joins);
            let number = known.unwrap_or_else(|| {
                groups.push(GranuleGroup {
                    joins,
                    spacing: 0.0,
                });
                groups.len() - 1
            });
            let spacing = &mut groups[number].spacing;
            *spacing = spacing.max(body.spacing);
            number as u32
        };
        let group_of_body = bodies.iter().map(|body| body.as_ref().map(&mut group_of));
        Self {
            group_of_body: group_of_body.collect(),
            bodies,
            groups,
            members: Vec::new(),
            positions: Vec::new(),
            order: SpatialOrder::default(),
        }
    }

    /// Number of groups of bodies whose grains touch each other.
    pub fn continuum_count(&self) -> u32 {
        self.groups.len() as u32
    }

    /// The group of a body, if it is of this method.
    pub fn continuum_of(&self, body: u32) -> Option<u32> {
        self.group_of_body[body as usize]
    }

    /// The coefficient of friction between grains of a body, if it is of this method.
    pub fn friction(&self, body: u32) -> Option<f64> {
        self.bodies[body as usize].map(|body| body.friction)
    }

    /// Appends the places of its particles to `order`, sorted in space, so that those that touch are
    /// close together in memory.
    pub fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        for (number, group) in (0..).zip(&self.groups) {
            let of_body = &self.group_of_body;
            self.members.clear();
            particles.claim(&mut self.members, |body| {
                of_body[body as usize] == Some(number)
            });
            let position = |&i: &u32| particles.position[i as usize];
            self.positions.clear();
            self.positions.extend(self.members.iter().map(position));
            self.order
                .sort(&self.positions, |_| 0, 1, CELL * group.spacing);
            let sorted = self.order.order.iter();
            order.extend(sorted.map(|&k| self.members[k as usize]));
        }
    }
}

impl Method for Granules {
    fn has_body(&self, body: u32) -> bool {
        self.continuum_of(body).is_some()
    }

    fn group_count(&self) -> u32 {
        self.continuum_count()
    }

    fn group_of(&self, body: u32) -> Option<u32> {
        self.continuum_of(body)
    }

    fn sort(&mut self, particles: &Particles, order: &mut Vec<u32>) {
        self.sort(particles, order);
    }

    fn meets_itself(&self) -> bool {
        !self.groups.is_empty()
    }

    fn inner_friction(&self, body: u32) -> Option<f64> {
        self.friction(body)
    }

    fn kept_contacts<'a>(&self, states: &'a MethodStates) -> Option<&'a KeptContacts> {
        Some(&states.of::<GranuleColumns>().contacts)
    }

    fn contacts_to_keep<'a>(&self, states: &'a mut MethodStates) -> Option<&'a mut KeptContacts> {
        Some(&mut states.of_mut::<GranuleColumns>().contacts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(shares_neighbors: bool) -> Option<GranuleBody> {
        Some(GranuleBody {
            friction: 0.5,
            spacing: 0.1,
            shares_neighbors,
        })
    }

    #[test]
    fn bodies_share_a_group_unless_they_do_not_share_neighbors() {
        let bodies = vec![body(true), None, body(false), body(true), body(false)];
        let granules = Granules::new(bodies);
        let groups: Vec<_> = (0..5).map(|b| granules.continuum_of(b)).collect();
        assert_eq!(groups, [Some(0), None, Some(1), Some(0), Some(2)]);
        assert_eq!(granules.continuum_count(), 3);
        assert_eq!(
            (granules.friction(0), granules.friction(1)),
            (Some(0.5), None)
        );
    }
}
