//! Non-penetration and Coulomb friction with accumulated multipliers, in velocities.
//!
//!   l_n' = max(0, l_n + target - v.n),   v += (l_n' - l_n) n
//!   l_t' = (l_t - v_t) shortened to mu l_n',   v += l_t' - l_t
//!
//! Multipliers are velocities of the relative motion [m/s]. Accumulating them over the iterations of
//! a substep is what lets an impulse that is no longer needed be taken back, and what makes friction
//! independent of the number of iterations.

use pliant_math::{Real, Vec3};

/// What a contact has done to the relative velocity in this substep.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactMultiplier {
    /// Along the normal [m/s], >= 0.
    pub normal: Real,
    /// Along the surface [m/s], at most friction times `normal`.
    pub tangential: Vec3,
}

impl ContactMultiplier {
    /// Projects a relative velocity and returns its change [m/s].
    ///
    /// * `velocity` — of the particle relative to what it touches [m/s]
    /// * `normal` — unit, towards the particle, frozen at the start of the substep
    /// * `target` — least normal velocity [m/s]: negative while there is a gap, positive to undo an
    ///   overlap, limited by [`target_speed`]
    /// * `friction` — Coulomb's coefficient, >= 0
    #[inline(always)]
    pub fn project(&mut self, velocity: Vec3, normal: Vec3, target: Real, friction: Real) -> Vec3 {
        let pressed = (self.normal + target - velocity.dot(normal)).max(0.0);
        let push = normal * (pressed - self.normal);
        self.normal = pressed;
        let sliding = velocity - normal * velocity.dot(normal);
        let held = shortened(self.tangential - sliding, friction * pressed);
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

    #[test]
    fn a_pressed_particle_sticks_inside_the_cone_and_slides_outside() {
        let pressed = |sideways: Real, friction: Real| {
            let mut contact = ContactMultiplier::default();
            let mut v = Vec3::new(sideways, -1.0, 0.0);
            for _ in 0..5 {
                v += contact.project(v, Vec3::Y, 0.0, friction);
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
        let push = contact.project(Vec3::NEG_Y, Vec3::Y, 0.0, 0.3);
        let back = contact.project(Vec3::new(0.0, 0.6, 0.0), Vec3::Y, 0.0, 0.3);
        assert!((push + back).y > 0.39 && (push + back).y < 0.41);
        let none = contact.project(Vec3::Y * 9.0, Vec3::Y, 0.0, 0.3);
        assert!((contact.normal, none.y < 0.0) == (0.0, true));
    }

    #[test]
    fn overlaps_are_pushed_out_at_a_speed_that_does_not_depend_on_the_step() {
        assert_eq!(target_speed(-0.01, 1e-3, 0.2), 0.2);
        assert_eq!(target_speed(-0.01, 1e-5, 0.2), 0.2);
        assert_eq!(target_speed(0.01, 1e-2, 0.2), -1.0);
    }
}
