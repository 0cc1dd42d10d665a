//! Constants that change between substeps.

use std::sync::Arc;

use super::{Body, Drive, Setup, World};
use crate::boundaries::Motion;

/// Why constants cannot change in a world that has started: the state was made from them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// Something was added or removed.
    #[error("a world that has started keeps its {what}: there are {before}, not {after}")]
    Count {
        /// What was added or removed.
        what: &'static str,
        /// How many the world has.
        before: usize,
        /// How many it was to have.
        after: usize,
    },
    /// A value of a body or a material that its particles were made with.
    #[error(
        "the {what} of \"{name}\" cannot change in a world that has started: its particles were made with it; start a new world"
    )]
    MadeWith {
        /// The value.
        what: &'static str,
        /// Name of the body or the material.
        name: String,
    },
}

impl World {
    /// Changes constants between two substeps: gravity, settings of solvers, moduli and friction of
    /// materials, colliders and their motion, forces, loads and fields, bounds, emitters' rates.
    ///
    /// A collider that becomes driven starts where it is; one that is no longer driven goes where its motion
    /// has it. If the change is refused, nothing is changed.
    ///
    /// # Errors
    /// If it changes what the state was made from: how many bodies, colliders, ... there are, the particles of
    /// bodies at the start, their method, spacing and support radius, densities.
    pub fn change(&mut self, change: impl FnOnce(&mut Setup)) -> Result<(), ChangeError> {
        let mut changed = Setup::clone(&self.setup);
        change(&mut changed);
        check(&self.setup, &changed)?;
        let drives = (0..changed.first_rigid()).filter_map(|index| {
            let is_driven = matches!(changed.colliders[index].motion, Motion::Driven { .. });
            let kept = self.state.drive(index).copied();
            let anew = || {
                let pose = self
                    .state
                    .pose_of_collider(&self.setup, index, self.state.time);
                Drive::resting(index, pose)
            };
            is_driven.then(|| kept.unwrap_or_else(anew))
        });
        self.state.drives = drives.collect();
        self.setup = Arc::new(changed);
        Ok(())
    }
}

/// Whether a state of some constants is one of others.
fn check(before: &Setup, after: &Setup) -> Result<(), ChangeError> {
    let counts = |setup: &Setup| {
        [
            ("materials", setup.materials.len()),
            ("bodies", setup.bodies.len()),
            ("colliders", setup.colliders.len()),
            ("emitters", setup.emitters.len()),
        ]
    };
    for ((what, before), (_, after)) in counts(before).into_iter().zip(counts(after)) {
        if before != after {
            return Err(ChangeError::Count {
                what,
                before,
                after,
            });
        }
    }
    for (before, after) in before.bodies.iter().zip(&after.bodies) {
        if let Some(what) = made_with(before, after) {
            let name = before.name.clone();
            return Err(ChangeError::MadeWith { what, name });
        }
    }
    for (before, after) in before.materials.iter().zip(&after.materials) {
        if before.density.to_bits() != after.density.to_bits() {
            let name = before.name.clone();
            let what = "density";
            return Err(ChangeError::MadeWith { what, name });
        }
    }
    Ok(())
}

/// What two bodies differ in that particles are made with.
fn made_with(a: &Body, b: &Body) -> Option<&'static str> {
    let (x, y) = (&a.particles, &b.particles);
    let same_bits = |a: f64, b: f64| a.to_bits() == b.to_bits();
    let same = [
        ("method", a.method == b.method),
        ("material", a.material == b.material),
        ("spacing", same_bits(a.spacing, b.spacing)),
        (
            "support radius",
            same_bits(a.support_radius, b.support_radius),
        ),
        ("neighbors", a.shares_neighbors == b.shares_neighbors),
        ("mass", same_bits(x.particle_mass, y.particle_mass)),
        ("volume", same_bits(x.particle_volume, y.particle_volume)),
        ("particles", x.position == y.position && x.share == y.share),
    ];
    let mut same = same.into_iter();
    same.find(|&(_, is_same)| !is_same).map(|(what, _)| what)
}
