//! Non-penetration and Coulomb friction with accumulated multipliers, in velocities.
//!
//!   l_n' = max(0, l_n + target - v.n),   v += (l_n' - l_n) n
//!   l_t' = (l_t - v_t) shortened to mu l_n',   v += l_t' - l_t
//!
//! A particle that is held has l_n without the bound 0, and one that sticks l_t without the bound mu l_n.
//! A viscous fluid is dragged whether it is pressed or not: l_t' = -c v_t dt of the velocity after it, c its
//! rate at the wall, so that l_t' = (l_t - v_t) c dt/(1 + c dt).
//!
//! Multipliers are velocities of the relative motion [m/s]. Accumulating them over the iterations of
//! a substep is what lets an impulse that is no longer needed be taken back, and what makes friction
//! independent of the number of iterations.

use pliant_math::{Real, Vec3};

use super::ellipse;

/// What a contact has done to the relative velocity in this substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactMultiplier {
    /// Along the normal [m/s], >= 0 unless the particle is held.
    pub normal: Real,
    /// Along the surface [m/s], at most friction times `normal` unless the particle sticks or is dragged.
    pub tangential: Vec3,
}

/// What a contact asks of the relative velocity.
#[derive(Clone, Copy, Debug)]
pub struct ContactRule {
    /// Unit, towards the particle, frozen at the start of the substep.
    pub normal: Vec3,
    /// Least normal velocity [m/s]: negative while there is a gap, positive to undo an overlap, limited
    /// by [`target_speed`].
    pub target: Real,
    /// Coulomb's coefficient, >= 0.
    pub friction: Real,
    /// True if the normal velocity shall be the target, not at least that.
    pub is_held: bool,
    /// True if a particle that is held or pressed does not slide.
    pub sticks: bool,
    /// c dt of a viscous fluid at a wall, which has no friction; 0 for all others.
    pub drag: Real,
    /// Where friction is another along an axis; `None` if it is the same in all directions.
    pub grain: Option<Grain>,
}

/// An axis along which friction is another, as of scales.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain {
    /// Unit vector.
    pub axis: Vec3,
    /// Factor on the coefficient along it, > 0.
    pub factor: Real,
}

impl ContactRule {
    /// What the wanted velocity along the surface comes to.
    #[inline(always)]
    fn along_surface(&self, wanted: Vec3, pressed: Real) -> Vec3 {
        if self.sticks && (self.is_held || pressed > 0.0) {
            wanted
        } else if self.drag > 0.0 {
            wanted * (self.drag / (1.0 + self.drag))
        } else {
            self.limited(wanted, pressed)
        }
    }

    /// The nearest to a velocity along the surface that friction may come to.
    #[inline(always)]
    fn limited(&self, wanted: Vec3, pressed: Real) -> Vec3 {
        let across = self.friction * pressed.max(0.0);
        match &self.grain {
            None => shortened(wanted, across),
            Some(grain) => grain.nearest(wanted, across, self.normal),
        }
    }
}

/// Friction over a velocity that it cannot change.
pub(super) const NOTHING: Real = 1e-20;

/// Length of an axis in the plane of a contact below which it stands upright there: friction is the same in all
/// directions, and not less in one that rounding, or the overlap of a body at rest, happens to choose.
pub(super) const UPRIGHT: Real = 1e-3;

/// The grain at particles, by their places, of bodies that have one.
pub type GrainAt<'a> = Option<&'a (dyn Fn(usize) -> Option<Grain> + Sync)>;

impl Grain {
    /// That of a contact of two particles: of the one of both whose friction differs most along its axis.
    pub fn of_pair(grain: GrainAt<'_>, places: [usize; 2]) -> Option<Self> {
        let [one, other] = places.map(grain?);
        Self::stronger(one, other)
    }

    /// The one of two whose friction differs most along its axis, or the first.
    pub fn stronger(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let strength = |grain: &Self| grain.factor.max(1.0 / grain.factor);
        match (one, other) {
            (Some(a), Some(b)) if strength(&b) > strength(&a) => Some(b),
            _ => one.or(other),
        }
    }

    /// The nearest point of the ellipse of what friction may come to: work is lost as fast as can be then, as
    /// Coulomb friction has it.
    ///
    /// * `across` — its semi-axis across the grain
    // Michałowski and Mróz 1978: sliding is normal to the ellipse of friction.
    pub(super) fn nearest(&self, v: Vec3, across: Real, normal: Vec3) -> Vec3 {
        let axis = self.axis - normal * self.axis.dot(normal);
        if axis.length_squared() < UPRIGHT * UPRIGHT {
            return shortened(v, across);
        }
        let axis = axis.normalize_or_zero();
        if self.factor <= 0.0 || across <= NOTHING * v.length() {
            return Vec3::ZERO;
        }
        let x = v.dot(axis);
        let side = v - axis * x;
        // In units of the semi-axis across: products of four lengths are not numbers for what hardly touches.
        match ellipse::nearest([x / across, side.length() / across], self.factor) {
            None => v,
            Some([on_axis, on_side]) => {
                (axis * on_axis + side.normalize_or_zero() * on_side) * across
            }
        }
    }
}

impl ContactMultiplier {
    /// All that it has changed the relative velocity by [m/s].
    pub fn change(&self, rule: &ContactRule) -> Vec3 {
        rule.normal * self.normal + self.tangential
    }

    /// The nearest that the rule admits: no pull, no more friction than the cone has.
    pub fn inside_cone(self, rule: &ContactRule) -> Self {
        let normal = match rule.is_held {
            true => self.normal,
            false => self.normal.max(0.0),
        };
        let is_free = rule.drag > 0.0 || rule.sticks && (rule.is_held || normal > 0.0);
        let tangential = match is_free {
            true => self.tangential,
            false => rule.limited(self.tangential, normal),
        };
        Self { normal, tangential }
    }

    /// Projects a relative velocity [m/s] and returns its change [m/s].
    #[inline(always)]
    pub fn project(&mut self, velocity: Vec3, rule: &ContactRule) -> Vec3 {
        let normal = rule.normal;
        let wanted = self.normal + rule.target - velocity.dot(normal);
        let pressed = if rule.is_held {
            wanted
        } else {
            wanted.max(0.0)
        };
        let push = normal * (pressed - self.normal);
        self.normal = pressed;
        let sliding = velocity - normal * velocity.dot(normal);
        let held = rule.along_surface(self.tangential - sliding, pressed);
        let change = push + (held - self.tangential);
        self.tangential = held;
        change
    }
}

/// The least normal velocity [m/s] that closes no more than the gap in a substep, and opens an
/// overlap no faster than `push_out_speed`: -gap/dt alone would turn any overlap into a velocity that
/// grows as the step shrinks, and throw particles apart.
#[inline(always)]
pub fn target_speed(gap: f64, dt: f64, push_out_speed: f64) -> Real {
    (-gap / dt).min(push_out_speed) as Real
}

#[inline(always)]
fn shortened(v: Vec3, longest: Real) -> Vec3 {
    let squared = v.length_squared();
    if squared <= longest * longest {
        v
    } else {
        v * (longest / squared.sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(friction: Real) -> ContactRule {
        ContactRule {
            normal: Vec3::Y,
            target: 0.0,
            friction,
            is_held: false,
            sticks: false,
            drag: 0.0,
            grain: None,
        }
    }

    #[test]
    fn friction_along_the_grain_is_less_and_loses_work_as_fast_as_can_be() {
        let along = ContactRule {
            grain: Some(Grain {
                axis: Vec3::X,
                factor: 0.1,
            }),
            ..rule(0.5)
        };
        let slid = |v: Vec3| {
            let mut contact = ContactMultiplier::default();
            let mut after = v;
            for _ in 0..40 {
                after += contact.project(after, &along);
            }
            after - v - Vec3::Y
        };
        let close = |a: Vec3, b: Vec3| (a - b).length() < 1e-4;
        let (x, z) = (Vec3::X, Vec3::Z);
        assert!(close(slid(x * 3.0 - Vec3::Y), x * -0.05));
        assert!(close(slid(z * 3.0 - Vec3::Y), z * -0.5));
        assert!(close(
            slid(x * 0.02 + z * 0.2 - Vec3::Y),
            x * -0.02 - z * 0.2
        ));
        // What is left of the velocity is normal to the ellipse.
        let v = x * 2.0 + z * 3.0;
        let change = slid(v - Vec3::Y);
        let left = v + change;
        let outward = -(x * (change.x / 0.0025) + z * (change.z / 0.25));
        assert!(left.cross(outward).length() < 1e-3 * left.length() * outward.length());
        let (p, q) = (change.x / 0.05, change.z / 0.5);
        assert!((p * p + q * q - 1.0).abs() < 1e-3);
    }

    #[test]
    fn what_hardly_touches_hardly_rubs() {
        let grain = Grain {
            axis: Vec3::X,
            factor: 0.1,
        };
        for pressed in [1e-2, 1e-8, 1e-12, 1e-18] as [Real; 4] {
            for v in [Vec3::X, Vec3::Z, Vec3::new(3.0, 0.0, -2.0), Vec3::X * 1e-9] {
                let found = grain.nearest(v, pressed, Vec3::Y);
                assert!(
                    found.length() <= 1.0001 * pressed,
                    "{pressed:e} {v} {found}"
                );
                assert!(found.dot(v) > 0.0, "{pressed:e} {v} {found}");
            }
        }
        assert_eq!(grain.nearest(Vec3::X, 1e-38, Vec3::Y), Vec3::ZERO);
    }

    #[test]
    fn what_is_dragged_loses_the_part_of_its_velocity_that_an_implicit_step_takes() {
        let viscous = ContactRule {
            drag: 0.25,
            ..rule(0.0)
        };
        let mut contact = ContactMultiplier::default();
        let mut v = Vec3::new(3.0, 0.1, -1.0);
        for _ in 0..40 {
            v += contact.project(v, &viscous);
        }
        assert!((v - Vec3::new(2.4, 0.1, -0.8)).length() < 1e-6, "{v}");
    }

    #[test]
    fn a_pressed_particle_sticks_inside_the_cone_and_slides_outside() {
        let pressed = |sideways: Real, friction: Real| {
            let mut contact = ContactMultiplier::default();
            let mut v = Vec3::new(sideways, -1.0, 0.0);
            for _ in 0..5 {
                v += contact.project(v, &rule(friction));
            }
            v
        };
        assert!(pressed(0.4, 0.5).length() < 1e-6);
        assert!((pressed(0.8, 0.5) - Vec3::new(0.3, 0.0, 0.0)).length() < 1e-6);
        assert!((pressed(0.8, 0.0) - Vec3::new(0.8, 0.0, 0.0)).length() < 1e-6);
    }

    #[test]
    fn what_was_pushed_too_far_is_taken_back_but_never_pulled() {
        let mut contact = ContactMultiplier::default();
        let push = contact.project(Vec3::NEG_Y, &rule(0.3));
        let back = contact.project(Vec3::new(0.0, 0.6, 0.0), &rule(0.3));
        assert!((push + back).y > 0.39 && (push + back).y < 0.41);
        let none = contact.project(Vec3::Y * 9.0, &rule(0.3));
        assert!((contact.normal, none.y < 0.0) == (0.0, true));
    }

    #[test]
    fn what_is_held_is_pulled_back_and_slides_without_friction() {
        let held = ContactRule {
            is_held: true,
            ..rule(0.5)
        };
        let mut contact = ContactMultiplier::default();
        let leaving = Vec3::new(0.7, 2.0, 0.0);
        let after = leaving + contact.project(leaving, &held);
        assert!((after - Vec3::X * 0.7).length() < 1e-6 && contact.normal < 0.0);
    }

    #[test]
    fn what_sticks_does_not_slide_once_it_is_pressed() {
        let sticky = ContactRule {
            sticks: true,
            ..rule(0.0)
        };
        let slides = |v: Vec3| v + ContactMultiplier::default().project(v, &sticky);
        assert!(slides(Vec3::new(3.0, -0.1, 1.0)).length() < 1e-6);
        assert_eq!(slides(Vec3::new(3.0, 0.1, 1.0)), Vec3::new(3.0, 0.1, 1.0));
    }

    #[test]
    fn overlaps_are_pushed_out_at_a_speed_that_does_not_depend_on_the_step() {
        assert_eq!(target_speed(-0.01, 1e-3, 0.2), 0.2);
        assert_eq!(target_speed(-0.01, 1e-5, 0.2), 0.2);
        assert_eq!(target_speed(0.01, 1e-2, 0.2), -1.0);
    }
}
