//! Non-penetration and Coulomb friction at a point of bodies that turn: accumulated impulses.
//!
//!   l_n' = max(0, l_n + (target - v.n)/K_nn),   l_t' = (l_t - v_t/k_t) shortened to mu l_n'
//!
//! with the mobility K [1/kg] of both sides at the point, and k_t its greatest eigenvalue along the
//! surface: K_tt^-1 in its place would turn friction away from the direction of sliding, and lose a part
//! of it. Where neither side turns K is a number, and this is the rule of `friction`, whose multipliers
//! are the impulses times that. A viscous fluid is dragged, with l_t' = (l_t - v_t/k_t) c/(c + 1/k_t).

use pliant_math::{DMat3, DVec3};

use super::ellipse::PlanarGrain;
use super::friction::Grain;

/// A contact point, frozen at the start of the substep, and its impulse so far.
#[derive(Clone, Copy, Debug)]
pub struct ImpulseContact {
    /// Unit, towards the first side.
    pub normal: DVec3,
    /// Least normal velocity of the first side relative to the second [m/s].
    pub target: f64,
    /// Coulomb's coefficient, >= 0.
    pub friction: f64,
    /// Impulse that opposes a velocity along the surface [kg], >= 0, pressed or not.
    drag: f64,
    /// Where friction is another along an axis.
    grain: Option<PlanarGrain>,
    /// Impulse on the first side [N s]; the second has the opposite.
    pub impulse: Impulse,
    /// 1/K_nn and 1/k_t [kg].
    normal_mass: f64,
    tangential_mass: f64,
}

/// The impulse of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Impulse {
    /// Along the normal [N s], >= 0.
    pub normal: f64,
    /// Along the surface [N s], at most friction times `normal` unless there is drag.
    pub tangential: DVec3,
}

impl Impulse {
    /// A share of the way to another.
    pub fn towards(self, other: Self, share: f64) -> Self {
        Self {
            normal: self.normal + (other.normal - self.normal) * share,
            tangential: self.tangential.lerp(other.tangential, share),
        }
    }
}

impl ImpulseContact {
    /// A contact of two sides whose mobilities [1/kg] sum up to a matrix; `None` if nothing moves.
    pub fn new(normal: DVec3, target: f64, friction: f64, mobility: DMat3) -> Option<Self> {
        let along_normal = normal.dot(mobility * normal);
        if along_normal.is_nan() || along_normal <= 0.0 {
            return None;
        }
        let first = normal.any_orthonormal_vector();
        let tangents = [first, normal.cross(first)];
        let [a, b] = tangents.map(|t| mobility * t);
        let (aa, ab, bb) = (tangents[0].dot(a), tangents[0].dot(b), tangents[1].dot(b));
        let greatest = 0.5 * (aa + bb) + (0.25 * (aa - bb) * (aa - bb) + ab * ab).sqrt();
        Some(Self {
            normal,
            target,
            friction,
            drag: 0.0,
            grain: None,
            impulse: Impulse::default(),
            normal_mass: 1.0 / along_normal,
            tangential_mass: 1.0 / greatest,
        })
    }

    /// The same contact with a drag [kg].
    pub fn with_drag(self, drag: f64) -> Self {
        Self { drag, ..self }
    }

    /// The same contact with other friction along an axis.
    pub fn with_grain(self, grain: Option<Grain>) -> Self {
        let grain = grain.and_then(|grain| PlanarGrain::new(grain, self.normal));
        Self { grain, ..self }
    }

    /// The same point without friction and impulse, for another target [m/s].
    pub fn without_friction(&self, target: f64) -> Self {
        Self {
            target,
            friction: 0.0,
            drag: 0.0,
            grain: None,
            impulse: Impulse::default(),
            ..*self
        }
    }

    /// Projects the velocity of the first side relative to the second [m/s] and returns the impulse on the
    /// first [N s].
    #[inline]
    pub fn project(&mut self, velocity: DVec3) -> DVec3 {
        self.project_by(velocity, self.normal_gain(velocity))
    }

    /// The normal impulse [N s] that gives a relative velocity [m/s] its target.
    #[inline]
    pub fn normal_gain(&self, velocity: DVec3) -> f64 {
        (self.target - velocity.dot(self.normal)) * self.normal_mass
    }

    /// As [`Self::project`], with a normal impulse [N s] that was found elsewhere.
    #[inline]
    pub fn project_by(&mut self, velocity: DVec3, gain: f64) -> DVec3 {
        let before = self.total();
        self.impulse.normal = (self.impulse.normal + gain).max(0.0);
        if self.friction > 0.0 || self.drag > 0.0 {
            let sliding = velocity - self.normal * velocity.dot(self.normal);
            let stop = self.impulse.tangential - sliding * self.tangential_mass;
            self.impulse.tangential = match self.drag > 0.0 {
                true => stop * (self.drag / (self.drag + self.tangential_mass)),
                false => self.in_cone(stop),
            };
        }
        self.total() - before
    }

    /// Starts from an impulse of before, as far as this contact admits it, and returns it [N s].
    pub fn start_from(&mut self, kept: Impulse) -> DVec3 {
        self.impulse.normal = kept.normal.max(0.0);
        let along = kept.tangential - self.normal * kept.tangential.dot(self.normal);
        self.impulse.tangential = self.in_cone(along);
        self.total()
    }

    /// Goes on by a share of the way since `before`, inside the cone of friction, and leaves there what
    /// it was. Returns the impulse on the first side [N s].
    pub fn extrapolate(&mut self, before: &mut Impulse, share: f64) -> DVec3 {
        let (now, total) = (self.impulse, self.total());
        self.impulse.normal = (now.normal + (now.normal - before.normal) * share).max(0.0);
        let tangential = now.tangential + (now.tangential - before.tangential) * share;
        self.impulse.tangential = self.in_cone(tangential);
        *before = now;
        self.total() - total
    }

    /// Goes on by an impulse [N s], inside the cone of friction. Returns the change of the impulse on the
    /// first side [N s].
    pub fn go_on(&mut self, way: Impulse) -> DVec3 {
        let total = self.total();
        self.impulse.normal = (self.impulse.normal + way.normal).max(0.0);
        self.impulse.tangential = self.in_cone(self.impulse.tangential + way.tangential);
        self.total() - total
    }

    /// What it yields along its normal [1/kg].
    pub fn yields(&self) -> f64 {
        1.0 / self.normal_mass
    }

    /// What its impulse has changed by since `before` [N s].
    pub fn gain_since(&self, before: Impulse) -> Impulse {
        Impulse {
            normal: self.impulse.normal - before.normal,
            tangential: self.impulse.tangential - before.tangential,
        }
    }

    /// Twice the energy [J] that an impulse gives to the masses that this contact sees.
    pub fn energy_of(&self, gain: Impulse) -> f64 {
        let along_surface = gain.tangential.length_squared() / self.tangential_mass;
        gain.normal * gain.normal / self.normal_mass + along_surface
    }

    /// The change of velocity [m/s] by what its impulse has changed by since `before`.
    pub fn speed_since(&self, before: Impulse) -> f64 {
        let gain = self.gain_since(before);
        let along_normal = gain.normal.abs() / self.normal_mass;
        along_normal.max(gain.tangential.length() / self.tangential_mass)
    }

    /// All of its impulse on the first side [N s].
    pub fn total(&self) -> DVec3 {
        self.normal * self.impulse.normal + self.impulse.tangential
    }

    /// The greatest coefficient of friction in any direction.
    pub fn greatest_friction(&self) -> f64 {
        let factor = self.grain.as_ref().map(PlanarGrain::greatest_factor);
        factor.map_or(self.friction, |factor| factor * self.friction)
    }

    /// The nearest impulse along the surface [N s] that the normal impulse admits.
    pub fn in_cone(&self, tangential: DVec3) -> DVec3 {
        if self.drag > 0.0 {
            return tangential;
        }
        let most = self.friction * self.impulse.normal;
        match &self.grain {
            None => tangential.clamp_length_max(most),
            Some(grain) => grain.nearest(tangential, most),
        }
    }

    /// How [`Self::in_cone`] changes with the impulse, where there is no drag.
    pub fn cone_slope(&self, tangential: DVec3) -> DMat3 {
        let most = self.friction * self.impulse.normal;
        if most <= 0.0 {
            return DMat3::ZERO;
        }
        if let Some(grain) = &self.grain {
            return grain.slope(tangential, most);
        }
        let dyad = |n: DVec3| DMat3::from_cols(n * n.x, n * n.y, n * n.z);
        let (plane, length) = (DMat3::IDENTITY - dyad(self.normal), tangential.length());
        match length <= most {
            true => plane,
            false => (plane - dyad(tangential / length)) * (most / length),
        }
    }
}

#[cfg(test)]
mod tests {
    use pliant_math::to_real;

    use super::*;

    /// Symmetric and positive, as the mobility of a point beside a centre of mass.
    fn mobility() -> DMat3 {
        let a = DMat3::from_cols(
            DVec3::new(1.0, 0.3, -0.2),
            DVec3::new(0.1, 0.8, 0.4),
            DVec3::new(-0.3, 0.2, 1.1),
        );
        a * a.transpose()
    }

    #[test]
    fn what_sticks_has_no_velocity_left() {
        let mobility = mobility();
        let normal = DVec3::new(0.2, 0.9, -0.1).normalize();
        let mut contact = ImpulseContact::new(normal, 0.0, 1e9, mobility).expect("it moves");
        let mut velocity = DVec3::new(0.7, -2.0, 0.4);
        for _ in 0..200 {
            velocity += mobility * contact.project(velocity);
        }
        assert!(velocity.length() < 1e-9, "{velocity}");
    }

    #[test]
    fn friction_is_bounded_and_opposes_sliding() {
        let normal = DVec3::Y;
        let mut contact = ImpulseContact::new(normal, 0.0, 0.3, DMat3::IDENTITY).expect("it moves");
        let mut velocity = DVec3::new(5.0, -1.0, 0.0);
        for _ in 0..5 {
            velocity += contact.project(velocity);
        }
        assert!((velocity - DVec3::new(4.7, 0.0, 0.0)).length() < 1e-12);
        assert!((contact.impulse.tangential.length() - 0.3).abs() < 1e-12);
    }

    #[test]
    fn friction_is_less_along_a_grain() {
        let grain = Grain {
            axis: to_real(DVec3::X),
            factor: 0.5,
        };
        for (way, bound) in [(DVec3::X, 0.15), (DVec3::Z, 0.3)] {
            let contact = ImpulseContact::new(DVec3::Y, 0.0, 0.3, DMat3::IDENTITY);
            let mut contact = contact.expect("it moves").with_grain(Some(grain));
            let mut velocity = 5.0 * way - DVec3::Y;
            for _ in 0..5 {
                velocity += contact.project(velocity);
            }
            assert!((contact.impulse.tangential + bound * way).length() < 1e-12);
        }
    }

    #[test]
    fn drag_opposes_what_is_left_of_sliding_without_a_push() {
        let contact = ImpulseContact::new(DVec3::Y, 0.0, 0.0, DMat3::IDENTITY * 2.0);
        let mut contact = contact.expect("it moves").with_drag(0.25);
        let mut velocity = DVec3::new(3.0, 1.0, 0.0);
        for _ in 0..60 {
            velocity += 2.0 * contact.project(velocity);
        }
        // v = v0 - 2 * 0.25 v.
        assert!(
            (velocity - DVec3::new(2.0, 1.0, 0.0)).length() < 1e-9,
            "{velocity}"
        );
    }

    #[test]
    fn nothing_that_moves_is_no_contact() {
        assert!(ImpulseContact::new(DVec3::Y, 0.0, 0.5, DMat3::ZERO).is_none());
    }
}
