//! Settings of the method.

/// What stands for the energy of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnergySolve {
    /// The two constraints of `polynomial-neo-hookean`, solved together, in steps in which a wave crosses at
    /// most a quarter of a spacing, or 0.7 with one sweep, and the stress in longer ones and for all other laws.
    #[default]
    Automatic,
    /// The stress, whatever the step.
    Stress,
    /// The two constraints together, whatever the step.
    Block,
    /// One constraint, the root of twice the energy, whatever the step.
    Energy,
    /// The two constraints one after the other, as published: not at rest without load.
    Sequential,
}

/// What holds the particles of a group where its deformation has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Filter {
    /// A stiffness, which does not depend on the step.
    #[default]
    Compliant,
    /// They are put there, as published: the shorter the step, the stiffer in bending.
    Full,
}

/// Settings of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeGroupsSettings {
    /// What stands for the energy.
    pub solve: EnergySolve,
    /// What holds particles where the deformation has them.
    pub filter: Filter,
    /// Stiffness of the compliant filter over that of the bending modes of a hexahedron, >= 0.
    pub filter_stiffness: f64,
    /// Damping of what is not a rigid motion of a group [1/s], >= 0.
    pub damping: f64,
}

impl Default for ShapeGroupsSettings {
    fn default() -> Self {
        Self {
            solve: EnergySolve::default(),
            filter: Filter::default(),
            filter_stiffness: 1.0,
            damping: 0.0,
        }
    }
}
