//! What methods keep from substep to substep.

use std::any::Any;
use std::fmt::Debug;

use pliant_math::Real;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::particles::ReorderScratch;

/// What a method keeps from substep to substep: columns with an entry a particle, or of its own bodies.
pub trait Columns: Any + Debug + Clone + Serialize + DeserializeOwned + Send + Sync {
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

    /// Goes on with what was kept before bodies were added behind all others; `self` is the start of all of them,
    /// without columns that have an entry for each particle of the world. [`take_over`] does it for columns in the
    /// order of bodies.
    fn continue_from(&mut self, before: Self) {
        *self = before;
    }
}

/// Puts a column in place of the first entries of one that goes on behind it.
pub fn take_over<T: Clone>(column: &mut [T], before: &[T]) {
    let count = before.len().min(column.len());
    column[..count].clone_from_slice(&before[..count]);
}

/// [`Columns`] of any method, for lists.
pub trait MethodState: Any + Debug + Send + Sync {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn MethodState>;

    /// As bytes: equal states give equal bytes.
    fn to_bytes(&self) -> Vec<u8>;

    /// Becomes what [`Self::to_bytes`] wrote.
    ///
    /// # Errors
    /// If the bytes are damaged.
    fn set_bytes(&mut self, bytes: &[u8]) -> Result<(), String>;

    /// See [`Columns::column_lengths`].
    fn column_lengths(&self) -> Vec<usize>;

    /// See [`Columns::push`].
    fn push(&mut self, initial_state: Real);

    /// See [`Columns::reorder`].
    fn reorder(&mut self, order: &[u32], scratch: &mut ReorderScratch);

    /// See [`Columns::continue_from`]; another type is left alone.
    fn continue_from(&mut self, before: Box<dyn MethodState>);
}

impl<C: Columns> MethodState for C {
    fn boxed_clone(&self) -> Box<dyn MethodState> {
        Box::new(self.clone())
    }

    fn to_bytes(&self) -> Vec<u8> {
        postcard::to_allocvec(self).unwrap_or_default()
    }

    fn set_bytes(&mut self, bytes: &[u8]) -> Result<(), String> {
        *self = postcard::from_bytes(bytes).map_err(|error| error.to_string())?;
        Ok(())
    }

    fn column_lengths(&self) -> Vec<usize> {
        Columns::column_lengths(self)
    }

    fn push(&mut self, initial_state: Real) {
        Columns::push(self, initial_state);
    }

    fn reorder(&mut self, order: &[u32], scratch: &mut ReorderScratch) {
        Columns::reorder(self, order, scratch);
    }

    fn continue_from(&mut self, before: Box<dyn MethodState>) {
        if let Ok(before) = (before as Box<dyn Any>).downcast() {
            Columns::continue_from(self, *before);
        }
    }
}

/// A state with the name of its method.
#[derive(Debug)]
struct Named {
    method: &'static str,
    state: Box<dyn MethodState>,
}

/// A state as it is saved: the name of its method, and bytes.
pub type SavedState = (String, Vec<u8>);

/// The states of all methods that keep something.
#[derive(Debug, Default)]
pub struct MethodStates(Vec<Named>);

impl Clone for MethodStates {
    fn clone(&self) -> Self {
        let copy = |named: &Named| Named {
            method: named.method,
            state: named.state.boxed_clone(),
        };
        Self(self.0.iter().map(copy).collect())
    }
}

impl MethodStates {
    /// Takes up the state of a method, whose type no other has.
    pub fn add(&mut self, method: &'static str, state: Box<dyn MethodState>) {
        self.0.push(Named { method, state });
    }

    /// All of them, in the order of their methods.
    pub fn iter(&self) -> impl Iterator<Item = &dyn MethodState> {
        self.0.iter().map(|named| &*named.state)
    }

    /// All of them, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut (dyn MethodState + 'static)> {
        self.0.iter_mut().map(|named| &mut *named.state)
    }

    /// Go on with those of a world to which bodies were added; `begin` fills those of methods that it did not have.
    pub fn continue_from(&mut self, before: Self, begin: impl Fn(&mut dyn MethodState)) {
        let mut before = before.0;
        for named in &mut self.0 {
            match before.iter().position(|b| b.method == named.method) {
                Some(place) => named.state.continue_from(before.swap_remove(place).state),
                None => begin(&mut *named.state),
            }
        }
    }

    /// As they are saved.
    pub fn saved(&self) -> Vec<SavedState> {
        let saved = |named: &Named| (named.method.to_owned(), named.state.to_bytes());
        self.0.iter().map(saved).collect()
    }

    /// Become what was saved of states of the same methods.
    ///
    /// # Errors
    /// If they are of other methods, or damaged.
    pub fn restore(&mut self, saved: &[SavedState]) -> Result<(), String> {
        let own = self.0.iter().map(|named| named.method);
        let names = saved.iter().map(|(name, _)| name.as_str());
        if !own.eq(names.clone()) {
            let names: Vec<&str> = names.collect();
            return Err(format!("it is of the methods {}", names.join(", ")));
        }
        let mut both = self.iter_mut().zip(saved);
        both.try_for_each(|(state, (_, bytes))| state.set_bytes(bytes))
    }

    /// That of a type; `None` if it is not in the list.
    pub fn find<C: Columns>(&self) -> Option<&C> {
        self.iter()
            .find_map(|state| (state as &dyn Any).downcast_ref())
    }

    /// That of a type, to be changed; `None` if it is not in the list.
    pub fn find_mut<C: Columns>(&mut self) -> Option<&mut C> {
        let states = self.iter_mut();
        let mut found = states.filter_map(|state| (state as &mut dyn Any).downcast_mut());
        found.next()
    }

    /// That of a type.
    ///
    /// # Panics
    /// If it is not in the list.
    pub fn of<C: Columns>(&self) -> &C {
        self.find().unwrap_or_else(|| missing::<C>())
    }

    /// That of a type, to be changed.
    ///
    /// # Panics
    /// If it is not in the list.
    pub fn of_mut<C: Columns>(&mut self) -> &mut C {
        self.find_mut().unwrap_or_else(|| missing::<C>())
    }
}

fn missing<C>() -> ! {
    panic!("no method keeps {}", std::any::type_name::<C>())
}
