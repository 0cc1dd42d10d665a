//! Tearing: groups that are stretched too far are no longer there.

use pliant_math::{DMat3, DVec3};

use super::kind::stretches_of;
use super::moments::Moments;
use super::rows::NewGroup;
use super::{GroupBody, ShapeGroupsColumns};
use crate::parallel;

/// Groups that may tear; scratch of the stepper.
#[derive(Debug, Default)]
pub struct TearingGroups {
    groups: Vec<TearingGroup>,
    /// Of each member: where it is among the particles of the method, and what turns its position into its part of F,
    /// F = sum x b^T.
    members: Vec<(u32, DVec3)>,
    is_torn: Vec<bool>,
}

#[derive(Clone, Copy, Debug)]
struct TearingGroup {
    /// Its number among the groups of all bodies.
    number: u32,
    /// Where its members begin, and the end.
    members: [u32; 2],
    /// Square of the greatest stretch that it stands.
    limit: f64,
}

impl TearingGroups {
    /// Those of bodies that tear.
    ///
    /// * `mass` — of the particles of the method [kg]
    pub fn build(&mut self, bodies: &[GroupBody], groups: &[NewGroup], mass: impl Fn(u32) -> f64) {
        self.groups.clear();
        self.members.clear();
        for group in groups {
            let body = &bodies[group.body as usize];
            let Some(strain) = body.tear_strain() else {
                continue;
            };
            let members = body.groups.members_of(group.number as usize).iter();
            let rest: Vec<DVec3> = members
                .map(|&k| body.groups.rest_position[k as usize])
                .collect();
            let mass: Vec<f64> = group.places.iter().map(|&place| mass(place)).collect();
            let moments = Moments::of(&rest, &mass);
            let first = self.members.len() as u32;
            let columns = group.places.iter().zip(&mass).zip(&moments.rest);
            self.members
                .extend(columns.map(|((&place, &m), &x)| (place, moments.inverse * x * m)));
            self.groups.push(TearingGroup {
                number: body.first_group + group.number,
                members: [first, self.members.len() as u32],
                limit: (1.0 + strain).powi(2),
            });
        }
    }

    /// Notes those that the positions at the end of a substep stretch too far. Returns how many.
    pub fn tear(&mut self, position: &[DVec3], columns: &mut ShapeGroupsColumns) -> usize {
        let Self {
            groups,
            members,
            is_torn,
        } = self;
        is_torn.clear();
        is_torn.resize(groups.len(), false);
        parallel::for_chunks(is_torn, |first, is_torn| {
            for (is_torn, group) in is_torn.iter_mut().zip(&groups[first..]) {
                let [start, end] = group.members.map(|k| k as usize);
                *is_torn = is_beyond(&members[start..end], position, group.limit);
            }
        });
        let torn = groups
            .iter()
            .zip(&*is_torn)
            .filter(|(_, is_torn)| **is_torn);
        let mut count = 0;
        for (group, _) in torn {
            columns.is_torn[group.number as usize] = true;
            count += 1;
        }
        count
    }
}

/// Whether the square of the greatest principal stretch is beyond a limit.
fn is_beyond(members: &[(u32, DVec3)], position: &[DVec3], limit: f64) -> bool {
    let Some(&(first, _)) = members.first() else {
        return false;
    };
    let origin = position[first as usize];
    let f = members.iter().fold(DMat3::ZERO, |sum, &(place, b)| {
        let x = position[place as usize] - origin;
        sum + DMat3::from_cols(x * b.x, x * b.y, x * b.z)
    });
    let squares = f.x_axis.length_squared() + f.y_axis.length_squared() + f.z_axis.length_squared();
    // The greatest of three is at most their sum.
    squares > limit && {
        let greatest = stretches_of(f).into_iter().fold(0.0, f64::max);
        greatest * greatest > limit
    }
}
