//! What methods keep from substep to substep.

use std::any::Any;
use std::fmt::Debug;

use pliant_math::Real;

use crate::particles::ReorderScratch;

/// What a method keeps from substep to substep: columns with an entry a particle, or of its own bodies.
pub trait MethodState: Any + Debug + Send + Sync {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn MethodState>;

    /// As bytes: equal states give equal bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Entries of columns that have one for each particle of the world; empty without such columns.
    fn column_lengths(&self) -> Vec<usize> {
        Vec::new()
    }

    /// Adds an undeformed particle whose law has such an initial state.
    fn push(&mut self, initial_state: Real) {
        let _ = initial_state;
    }

    /// Puts particle `order[k]` at place `k`; particles not named are removed.
    fn reorder(&mut self, order: &[u32], scratch: &mut ReorderScratch) {
        let _ = (order, scratch);
    }
}

/// The states of all methods that keep something.
#[derive(Debug, Default)]
pub struct MethodStates(Vec<Box<dyn MethodState>>);

impl Clone for MethodStates {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|state| state.boxed_clone()).collect())
    }
}

impl MethodStates {
    /// Those of a list, no two of which are of one type.
    pub fn new(states: Vec<Box<dyn MethodState>>) -> Self {
        Self(states)
    }

    /// All of them, in the order of the list.
    pub fn iter(&self) -> impl Iterator<Item = &dyn MethodState> {
        self.0.iter().map(|state| &**state)
    }

    /// All of them, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut (dyn MethodState + 'static)> {
        self.0.iter_mut().map(|state| &mut **state)
    }

    /// That of a type; `None` if it is not in the list.
    pub fn find<T: MethodState>(&self) -> Option<&T> {
        self.iter()
            .find_map(|state| (state as &dyn Any).downcast_ref())
    }

    /// That of a type.
    ///
    /// # Panics
    /// If it is not in the list.
    pub fn of<T: MethodState>(&self) -> &T {
        self.find().unwrap_or_else(|| missing::<T>())
    }

    /// That of a type, to be changed.
    ///
    /// # Panics
    /// If it is not in the list.
    pub fn of_mut<T: MethodState>(&mut self) -> &mut T {
        let states = self.iter_mut();
        let mut found = states.filter_map(|state| (state as &mut dyn Any).downcast_mut());
        found.next().unwrap_or_else(|| missing::<T>())
    }
}

fn missing<T>() -> ! {
    panic!("no method keeps {}", std::any::type_name::<T>())
}
