//! Contacts of a few rigid bodies, solved by Newton's method: what sweeps do not converge for, as a heavy
//! body on a corner of a light one.
//!
//! With the velocities v of the bodies as unknowns, multipliers l of before, and a small compliance c,
//!
//!   M (v - v_free) = J^T l'(v),   l_n' = max(0, l_n + (b - v.n)/c),   l_t' = disc(l_t - v_t/c)
//!
//! says where a convex function of v is least: no pull, and friction inside a disc of mu times the normal
//! impulse of before, or an ellipse where friction is another along an axis. That gives the next multipliers
//! and discs (augmented Lagrangian, Hestenes 1969; for contacts Alart and Curnier 1991), which lose
//! all but c/(c + w) of their error each time, w being what the bodies yield; c is made less each time. Many points between two faces only
//! add up.

use pliant_math::{DMat3, DVec3};

use super::profile::{Profile, Six};
use crate::boundaries::RigidStep;
use crate::contacts::solve::{Impulse, ImpulseContact};

/// Updates of the multipliers, at most, and steps of Newton's method in each.
const UPDATES: u32 = 20;
const STEPS: u32 = 12;
/// Halvings of a step that leads too far.
const HALVINGS: u32 = 30;
/// Compliance at first, in terms of what the contact yields that yields most; what of it is left in each
/// update, and the least, in terms of what all of the bodies together would yield.
const COMPLIANCE: f64 = 0.1;
const STIFFENING: f64 = 0.1;
const LEAST_COMPLIANCE: f64 = 1e-3;

/// A contact as it is solved here.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Its rule, and its impulse.
    pub rule: ImpulseContact,
    /// Its sides: number of the body among those that are solved, and the way from its centre [m]; `None`
    /// for what does not yield.
    pub sides: [Option<(usize, DVec3)>; 2],
    /// Velocity of the first side less that of the second as far as both do not yield [m/s].
    pub given: DVec3,
}

/// Scratch of the method.
#[derive(Debug, Default)]
pub struct Newton {
    /// The contacts, with their impulses.
    pub rows: Vec<Row>,
    /// The bodies.
    pub bodies: Vec<RigidStep>,
    /// Their velocities without these contacts.
    free: Vec<Six>,
    velocity: Vec<Six>,
    tried: Vec<Six>,
    gradient: Vec<Six>,
    matrix: Profile,
    compliance: f64,
}

impl Newton {
    /// True if it costs no more than a few thousand sweeps over single contacts.
    pub fn is_worth_it(&mut self) -> bool {
        let sides = self
            .rows
            .iter()
            .map(|row| row.sides.map(|s| s.map(|(body, _)| body)));
        self.matrix.shape(self.bodies.len(), sides)
    }

    /// Improves the impulses of the contacts until no velocity is off by more than a tolerance [m/s].
    pub fn solve(&mut self, tolerance: f64) {
        let least = self.start();
        for _ in 0..UPDATES {
            self.minimise(tolerance);
            let off = self.update();
            if off <= tolerance && self.compliance <= least {
                return;
            }
            self.compliance = (self.compliance * STIFFENING).max(least);
        }
    }

    /// Starts from the velocities that bodies have, and returns the least compliance [1/kg].
    fn start(&mut self) -> f64 {
        let yields = self.rows.iter().map(|row| row.rule.yields());
        self.compliance = COMPLIANCE * yields.fold(0.0, f64::max);
        self.velocity.clear();
        let velocity = |body: &RigidStep| Six(body.velocity, body.spin);
        self.velocity.extend(self.bodies.iter().map(velocity));
        self.free.clone_from(&self.velocity);
        for row in &self.rows {
            for (side, sign) in row.sides.into_iter().zip([-1.0, 1.0]) {
                if let Some((body, arm)) = side {
                    let impulse = row.rule.total() * sign;
                    let step = &self.bodies[body];
                    self.free[body].0 += impulse * step.inverse_mass;
                    self.free[body].1 += step.inverse_inertia * arm.cross(impulse);
                }
            }
        }
        let mass = self.bodies.iter().map(|body| 1.0 / body.inverse_mass);
        LEAST_COMPLIANCE / mass.sum::<f64>()
    }

    /// Steps of Newton's method for the multipliers and discs of before.
    fn minimise(&mut self, tolerance: f64) {
        for _ in 0..STEPS {
            self.differentiate();
            if self.unbalanced() <= 0.1 * tolerance {
                return;
            }
            self.matrix.factorise();
            self.matrix.solve(&mut self.gradient);
            let share = self.share_to_go();
            self.go(share);
            std::mem::swap(&mut self.velocity, &mut self.tried);
        }
    }

    /// Where the function is least on the way that Newton's method points to, which may lead beyond contacts that open
    /// and close.
    fn share_to_go(&mut self) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        self.go(high);
        if self.slope() <= 0.0 {
            return high;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            self.go(middle);
            match self.slope() <= 0.0 {
                true => low = middle,
                false => high = middle,
            }
        }
        0.5 * (low + high)
    }

    /// Velocities after a share of the step.
    fn go(&mut self, share: f64) {
        self.tried.clear();
        let pairs = self.velocity.iter().zip(&self.gradient);
        let gone = |(v, g): (&Six, &Six)| Six(v.0 - g.0 * share, v.1 - g.1 * share);
        self.tried.extend(pairs.map(gone));
    }

    /// How the function changes where `tried` is, further on the way.
    fn slope(&self) -> f64 {
        let bodies = self.bodies.iter().zip(&self.tried).zip(&self.free);
        let kinetic = bodies.zip(&self.gradient).map(|(((body, v), free), way)| {
            let turning = body.inverse_inertia.inverse() * (v.1 - free.1);
            (v.0 - free.0).dot(way.0) / body.inverse_mass + turning.dot(way.1)
        });
        let stored = self.rows.iter().map(|row| {
            let after = row.multiplier(row.velocity(&self.tried), self.compliance);
            let impulse = row.rule.normal * after.normal + after.tangential;
            impulse.dot(row.velocity(&self.gradient) - row.given)
        });
        stored.sum::<f64>() - kinetic.sum::<f64>()
    }

    /// By how much velocities at contacts differ from those that their impulses lead to [m/s]: what little
    /// a stiff contact is off is much for a light body.
    fn unbalanced(&mut self) -> f64 {
        self.tried.clear();
        let bodies = self.bodies.iter().zip(&self.gradient);
        let change = |(body, g): (&RigidStep, &Six)| {
            Six(g.0 * body.inverse_mass, body.inverse_inertia * g.1)
        };
        self.tried.extend(bodies.map(change));
        let rows = self.rows.iter();
        let changes = rows.map(|row| (row.velocity(&self.tried) - row.given).length());
        changes.fold(0.0, f64::max)
    }

    /// Takes over the multipliers that velocities lead to, and returns by how much contacts that press or
    /// stick are off [m/s].
    fn update(&mut self) -> f64 {
        let mut most: f64 = 0.0;
        for row in &mut self.rows {
            let after = row.multiplier(row.velocity(&self.velocity), self.compliance);
            let gain = Impulse {
                normal: after.normal - row.rule.impulse.normal,
                tangential: after.tangential - row.rule.impulse.tangential,
            };
            row.rule.impulse = after;
            let disc = row.rule.greatest_friction() * gain.normal.abs();
            let off = gain.normal.abs().max(gain.tangential.length()).max(disc);
            most = most.max(off * self.compliance);
        }
        most
    }

    /// The gradient of that function, and its second derivatives.
    fn differentiate(&mut self) {
        let Self {
            rows,
            bodies,
            free,
            velocity,
            gradient,
            matrix,
            compliance,
            ..
        } = self;
        gradient.clear();
        matrix.clear();
        for (number, body) in bodies.iter().enumerate() {
            let inertia = body.inverse_inertia.inverse();
            let (v, free) = (velocity[number], free[number]);
            let mass = 1.0 / body.inverse_mass;
            gradient.push(Six((v.0 - free.0) * mass, inertia * (v.1 - free.1)));
            matrix.add_mass(number, mass, inertia);
        }
        for row in rows.iter() {
            let at = row.velocity(velocity);
            let after = row.multiplier(at, *compliance);
            let impulse = row.rule.normal * after.normal + after.tangential;
            for (side, sign) in row.sides.into_iter().zip([-1.0, 1.0]) {
                if let Some((body, arm)) = side {
                    gradient[body].0 += impulse * sign;
                    gradient[body].1 += arm.cross(impulse) * sign;
                }
            }
            matrix.add_contact(row.sides, row.stiffness(at, *compliance));
        }
    }
}

impl Row {
    /// Velocity of the first side relative to the second [m/s].
    fn velocity(&self, velocity: &[Six]) -> DVec3 {
        let of_side = |side: Option<(usize, DVec3)>| match side {
            Some((body, arm)) => velocity[body].0 + velocity[body].1.cross(arm),
            None => DVec3::ZERO,
        };
        self.given + of_side(self.sides[0]) - of_side(self.sides[1])
    }

    /// What presses and rubs before it is cut to what a contact can do [N s].
    fn wanted(&self, velocity: DVec3, compliance: f64) -> Impulse {
        let along_normal = velocity.dot(self.rule.normal);
        let sliding = velocity - self.rule.normal * along_normal;
        Impulse {
            normal: self.rule.impulse.normal + (self.rule.target - along_normal) / compliance,
            tangential: self.rule.impulse.tangential - sliding / compliance,
        }
    }

    fn multiplier(&self, velocity: DVec3, compliance: f64) -> Impulse {
        let wanted = self.wanted(velocity, compliance);
        Impulse {
            normal: wanted.normal.max(0.0),
            tangential: self.rule.in_cone(wanted.tangential),
        }
    }

    /// Change of the impulse for a change of the velocity [kg], with the sign turned.
    fn stiffness(&self, velocity: DVec3, compliance: f64) -> DMat3 {
        let wanted = self.wanted(velocity, compliance);
        let normal = self.rule.normal;
        let dyad = |n: DVec3| DMat3::from_cols(n * n.x, n * n.y, n * n.z);
        let mut stiffness = DMat3::ZERO;
        if wanted.normal > 0.0 {
            stiffness += dyad(normal);
        }
        stiffness += self.rule.cone_slope(wanted.tangential);
        stiffness * (1.0 / compliance)
    }
}
