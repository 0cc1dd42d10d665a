//! State of the method.

use pliant_math::SymMat3;
use serde::{Deserialize, Serialize};

use super::broken_bonds::BrokenBonds;
use super::setup::StrainEnergySetup;
use crate::method::{Columns, take_over};

/// State of the method.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StrainEnergyColumns {
    /// Whether each body of the method has parts so compressed that their law was replaced. Written by
    /// `flow`.
    pub has_collapsed: Vec<bool>,
    /// Plastic history of each particle of each body, in their order at the start; empty if no solid
    /// flows. Written by `flow`.
    pub plastic: Vec<SymMat3>,
    /// Neighbours that hold each other no longer. Written by `part`.
    pub broken_bonds: BrokenBonds,
}

impl StrainEnergyColumns {
    /// The bodies of a setup, undeformed.
    pub fn at_rest(setup: &StrainEnergySetup) -> Self {
        let particles = if setup.flows() {
            setup.particle_count()
        } else {
            0
        };
        Self {
            has_collapsed: vec![false; setup.bodies.len()],
            plastic: vec![SymMat3::ZERO; particles],
            broken_bonds: BrokenBonds::default(),
        }
    }

    /// Whether they can be those of a setup.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check(&self, setup: &StrainEnergySetup) -> Result<(), String> {
        let sizes = |c: &Self| (c.has_collapsed.len(), c.plastic.len());
        let (kept, solids) = (sizes(self), sizes(&Self::at_rest(setup)));
        if kept != solids {
            return Err(format!(
                "it has {} solids with {} plastic particles, not {} with {}",
                kept.0, kept.1, solids.0, solids.1
            ));
        }
        match self.broken_bonds.fits(setup) {
            true => Ok(()),
            false => Err(format!(
                "its cuts are not those of {} bonds between neighbours",
                setup.bond_count()
            )),
        }
    }
}

impl Columns for StrainEnergyColumns {
    fn continue_from(&mut self, before: Self) {
        take_over(&mut self.has_collapsed, &before.has_collapsed);
        take_over(&mut self.plastic, &before.plastic);
        self.broken_bonds = before.broken_bonds;
    }
}
