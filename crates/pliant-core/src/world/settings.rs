//! How the equations are solved.

use std::any::Any;
use std::fmt::Debug;

use crate::constraints::Ordering;

/// How the equations are solved.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverSettings {
    /// The largest substep [s]; `None`: chosen from the materials and speeds.
    pub time_step: Option<f64>,
    /// Sweeps a substep, >= 1.
    pub iterations: u32,
    /// Order of the projections in a sweep.
    pub ordering: Ordering,
    /// XSPH viscosity [1/s], >= 0; 0 switches it off.
    pub xsph_rate: f64,
    /// Damping of all velocities towards zero [1/s], >= 0.
    pub damping: f64,
    /// Greatest speed [m/s] at which overlaps are pushed apart; `None`: 0.15 sqrt(|g| spacing).
    pub push_out_speed: Option<f64>,
    /// The run ends when no particle is faster [m/s]; 0 never.
    pub stop_when_still: f64,
    /// Accepts a step that the sweeps cannot resolve.
    pub allow_unresolved: bool,
    /// What methods do their own way.
    pub methods: MethodSettings,
}

impl Default for SolverSettings {
    /// The defaults of a scene.
    fn default() -> Self {
        Self {
            time_step: None,
            iterations: 4,
            ordering: Ordering::GaussSeidel,
            xsph_rate: 10.0,
            damping: 0.0,
            push_out_speed: None,
            stop_when_still: 0.0,
            allow_unresolved: false,
            methods: MethodSettings::default(),
        }
    }
}

/// Settings of a method.
pub trait Settings: Any + Clone + Debug + Default + PartialEq + Send + Sync {}

impl<T: Any + Clone + Debug + Default + PartialEq + Send + Sync> Settings for T {}

/// The same for lists.
trait AnySettings: Any + Debug + Send + Sync {
    fn boxed_clone(&self) -> Box<dyn AnySettings>;

    /// Whether those of its type are the same in a list.
    fn are_in(&self, list: &MethodSettings) -> bool;
}

impl<T: Settings> AnySettings for T {
    fn boxed_clone(&self) -> Box<dyn AnySettings> {
        Box::new(self.clone())
    }

    fn are_in(&self, list: &MethodSettings) -> bool {
        list.of::<T>() == *self
    }
}

/// The settings of methods, each of a type of its own; what is not there has its defaults.
#[derive(Debug, Default)]
pub struct MethodSettings(Vec<Box<dyn AnySettings>>);

impl MethodSettings {
    /// Those of a type.
    pub fn of<T: Settings>(&self) -> T {
        let found = self
            .0
            .iter()
            .find_map(|s| (&**s as &dyn Any).downcast_ref::<T>());
        found.cloned().unwrap_or_default()
    }

    /// Those of a type, to be changed.
    pub fn of_mut<T: Settings>(&mut self) -> &mut T {
        let place = self
            .0
            .iter()
            .position(|settings| (&**settings as &dyn Any).is::<T>())
            .unwrap_or_else(|| {
                self.0.push(Box::new(T::default()));
                self.0.len() - 1
            });
        let found: &mut dyn Any = &mut *self.0[place];
        found
            .downcast_mut()
            .unwrap_or_else(|| unreachable!("its place was found by its type"))
    }

    /// With those of a type.
    pub fn with<T: Settings>(mut self, settings: T) -> Self {
        *self.of_mut() = settings;
        self
    }
}

impl Clone for MethodSettings {
    fn clone(&self) -> Self {
        Self(
            self.0
                .iter()
                .map(|settings| settings.boxed_clone())
                .collect(),
        )
    }
}

impl PartialEq for MethodSettings {
    fn eq(&self, other: &Self) -> bool {
        let are_same = |one: &Self, two: &Self| one.0.iter().all(|settings| settings.are_in(two));
        are_same(self, other) && are_same(other, self)
    }
}
