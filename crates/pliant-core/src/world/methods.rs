//! The methods whose state a world keeps.

use serde::de::DeserializeOwned;

use super::Setup;
use crate::methods::cloth::ClothColumns;
use crate::methods::fluid::FluidColumns;
use crate::methods::rigid::RigidColumns;
use crate::methods::strain_energy::StrainEnergyColumns;
use crate::methods::xpbi::XpbiColumns;
use crate::methods::{MethodState, MethodStates};

/// What bytes hold, or why they hold nothing.
type Read = Result<Box<dyn MethodState>, String>;

/// How the state of a method is made, read, and judged.
struct Kept {
    /// Name in saved states.
    name: &'static str,
    start: fn(&Setup) -> Box<dyn MethodState>,
    read: fn(&[u8]) -> Read,
    /// Says what keeps it from being a state of a setup.
    check: fn(&MethodStates, &Setup) -> Result<(), String>,
}

/// All of them, in the order in which they are saved.
const ALL: [Kept; 5] = [
    Kept {
        name: "xpbi",
        start: |_| Box::new(XpbiColumns::default()),
        read: read::<XpbiColumns>,
        check: |_, _| Ok(()),
    },
    Kept {
        name: "fluid",
        start: |_| Box::new(FluidColumns::default()),
        read: read::<FluidColumns>,
        check: |_, _| Ok(()),
    },
    Kept {
        name: "cloth",
        start: |setup| Box::new(ClothColumns::whole(setup.cloth().triangle_count())),
        read: read::<ClothColumns>,
        check: |states, setup| states.of::<ClothColumns>().check(&setup.cloth()),
    },
    Kept {
        name: "strain-energy",
        start: |setup| Box::new(StrainEnergyColumns::at_rest(&setup.strain_energy())),
        read: read::<StrainEnergyColumns>,
        check: |states, setup| {
            let kept = states.of::<StrainEnergyColumns>();
            kept.check(&setup.strain_energy())
        },
    },
    Kept {
        name: "rigid",
        start: |setup| Box::new(RigidColumns::at_start(&setup.rigid())),
        read: read::<RigidColumns>,
        check: |states, setup| states.of::<RigidColumns>().check(&setup.rigid()),
    },
];

/// A state and the name of its method, as they are saved.
pub type Saved = (String, Vec<u8>);

impl MethodStates {
    /// Those of a setup before its particles are added.
    pub fn at_start(setup: &Setup) -> Self {
        Self::new(ALL.iter().map(|kept| (kept.start)(setup)).collect())
    }

    /// As they are saved.
    pub fn saved(&self) -> Vec<Saved> {
        let names = ALL.iter().map(|kept| kept.name.to_owned());
        names.zip(self.iter().map(MethodState::to_bytes)).collect()
    }

    /// Those that were saved.
    ///
    /// # Errors
    /// If they are of other methods, or damaged.
    pub fn read(saved: &[Saved]) -> Result<Self, String> {
        if !saved
            .iter()
            .map(|(name, _)| name)
            .eq(ALL.iter().map(|kept| kept.name))
        {
            let names: Vec<&str> = saved.iter().map(|(name, _)| name.as_str()).collect();
            return Err(format!("it is of the methods {}", names.join(", ")));
        }
        let all = ALL.iter().zip(saved);
        let states: Result<_, String> = all.map(|(kept, (_, bytes))| (kept.read)(bytes)).collect();
        states.map(Self::new)
    }

    /// Whether they can be those of a world with such a setup.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check(&self, setup: &Setup) -> Result<(), String> {
        ALL.iter().try_for_each(|kept| (kept.check)(self, setup))
    }
}

fn read<T: MethodState + DeserializeOwned>(bytes: &[u8]) -> Read {
    let state: T = postcard::from_bytes(bytes).map_err(|error| error.to_string())?;
    Ok(Box::new(state))
}
