//! Impulses on colliders in a substep, and the work that they do.

use pliant_math::DVec3;

/// Impulses on colliders and the work of those that move, summed over a substep.
#[derive(Clone, Debug, Default)]
pub struct ColliderReactions {
    /// Impulse that each collider has got [N s].
    pub impulse: Vec<DVec3>,
    /// Work that moving colliders have done on the world [J]; rigid bodies are part of the world.
    pub work: f64,
    first_rigid: usize,
}

impl ColliderReactions {
    /// Forgets everything, for so many colliders of which those from `first_rigid` on are rigid bodies.
    pub fn start(&mut self, colliders: usize, first_rigid: usize) {
        self.impulse.clear();
        self.impulse.resize(colliders, DVec3::ZERO);
        self.work = 0.0;
        self.first_rigid = first_rigid;
    }

    /// An impulse [N s] on a collider, where its surface moves with a velocity [m/s].
    pub fn push(&mut self, collider: usize, impulse: DVec3, velocity: DVec3) {
        self.push_with_work(collider, impulse, -impulse.dot(velocity));
    }

    /// An impulse [N s] on a collider that does so much work [J] on the world meanwhile.
    pub fn push_with_work(&mut self, collider: usize, impulse: DVec3, work: f64) {
        self.impulse[collider] += impulse;
        if collider < self.first_rigid {
            self.work += work;
        }
    }

    /// The impulses on rigid bodies [N s].
    pub fn of_rigid(&mut self) -> &mut [DVec3] {
        &mut self.impulse[self.first_rigid..]
    }
}
