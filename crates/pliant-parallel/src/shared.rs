//! A column that tasks write at scattered places; the caller guarantees that these are disjoint.
//!
//! Gauss–Seidel over blocks of one colour writes velocities at indices that interleave in memory but
//! never coincide, which slices cannot express. Relaxed atomics could, but forbid the 16-byte loads
//! and stores that the sweep lives on. In builds with debug assertions every access claims its index
//! for its task, and a second claimant panics: the tests run that way.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::Range;

use pliant_math::Real;
#[cfg(debug_assertions)]
use pliant_math::simd::LANES;
use pliant_math::simd::{Pack, Places};
#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicU32, Ordering};

/// A column shared by tasks that each touch their own indices.
pub struct Shared<'a, T> {
    start: *mut T,
    length: usize,
    #[cfg(debug_assertions)]
    owner: Vec<AtomicU32>,
    column: PhantomData<&'a mut [T]>,
}

#[cfg(debug_assertions)]
impl<T> Drop for Shared<'_, T> {
    fn drop(&mut self) {
        owners::give_back(std::mem::take(&mut self.owner));
    }
}

/// Lists of owners, kept so that checked builds allocate no more often than others.
#[cfg(debug_assertions)]
mod owners {
    use std::sync::atomic::AtomicU32;
    use std::sync::{Mutex, PoisonError};

    static SPARE: Mutex<Vec<Vec<AtomicU32>>> = Mutex::new(Vec::new());

    /// A list of so many places that nobody owns.
    pub fn take(count: usize) -> Vec<AtomicU32> {
        let spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut owner = spare.unwrap_or_default();
        owner.clear();
        owner.resize_with(count, || AtomicU32::new(u32::MAX));
        owner
    }

    pub fn give_back(owner: Vec<AtomicU32>) {
        let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push(owner);
    }
}

/// One task's access to a shared column.
pub struct View<'a, T> {
    start: *mut T,
    length: usize,
    #[cfg(debug_assertions)]
    owner: &'a [AtomicU32],
    #[cfg(debug_assertions)]
    task: u32,
    column: PhantomData<&'a mut [T]>,
}

// SAFETY: a `Shared` only hands out `View`s, whose contract forbids two tasks to touch one index;
// the elements themselves may move between threads because `T: Send`.
unsafe impl<T: Send> Sync for Shared<'_, T> {}

impl<'a, T: Copy> Shared<'a, T> {
    /// Shares a column until the `Shared` is dropped.
    pub fn new(column: &'a mut [T]) -> Self {
        Self {
            start: column.as_mut_ptr(),
            length: column.len(),
            #[cfg(debug_assertions)]
            owner: owners::take(column.len()),
            column: PhantomData,
        }
    }

    /// The access of one task.
    ///
    /// # Safety
    /// While this `Shared` lives, an index that is read or written through the views of one `task`
    /// must not be read or written through those of another, and one task's views must not be used
    /// from two threads at once.
    pub unsafe fn view(&self, task: u32) -> View<'_, T> {
        #[cfg(not(debug_assertions))]
        let _ = task;
        View {
            start: self.start,
            length: self.length,
            #[cfg(debug_assertions)]
            owner: &self.owner,
            #[cfg(debug_assertions)]
            task,
            column: PhantomData,
        }
    }
}

impl<T: Copy> View<'_, T> {
    /// The element at an index.
    #[inline(always)]
    pub fn get(&self, index: usize) -> T {
        self.claim(index);
        // SAFETY: `claim` checked the bound; no other task touches this index (contract of `view`).
        unsafe { *self.start.add(index) }
    }

    /// Replaces the element at an index.
    #[inline(always)]
    pub fn set(&mut self, index: usize, value: T) {
        self.claim(index);
        // SAFETY: `claim` checked the bound; no other task touches this index (contract of `view`).
        unsafe { *self.start.add(index) = value }
    }

    /// The elements of a range.
    #[inline]
    pub fn range(&mut self, range: Range<usize>) -> &mut [T] {
        assert!(
            range.start <= range.end && range.end <= self.length,
            "range outside the shared column"
        );
        #[cfg(debug_assertions)]
        range.clone().for_each(|index| self.claim(index));
        // SAFETY: the bound was checked; no other task touches these indices (contract of `view`),
        // and `&mut self` keeps this task from touching them while the slice lives.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }

    #[inline(always)]
    fn claim(&self, index: usize) {
        assert!(index < self.length, "index outside the shared column");
        #[cfg(debug_assertions)]
        {
            // Most touches are not the first: reading is far cheaper than swapping.
            if self.owner[index].load(Ordering::Relaxed) == self.task {
                return;
            }
            let before = self.owner[index].swap(self.task, Ordering::Relaxed);
            assert!(
                before == u32::MAX || before == self.task,
                "tasks {before} and {} both touch index {index}",
                self.task
            );
        }
    }
}

impl View<'_, [Real; 4]> {
    /// The components of the records at sixteen places.
    #[inline(always)]
    pub fn gather<P: Pack>(&self, places: &Places) -> [P; 4] {
        self.claim_all::<P>(places);
        // SAFETY: the bound was checked; no other task touches these places (contract of `view`).
        unsafe { P::gather(self.start, places) }
    }

    /// Replaces the components of the records at sixteen places; of equal places one lane's record
    /// is kept.
    #[inline(always)]
    pub fn scatter<P: Pack>(&mut self, places: &Places, components: [P; 4]) {
        self.claim_all::<P>(places);
        // SAFETY: as above.
        unsafe { P::scatter(self.start, places, components) }
    }

    #[inline(always)]
    fn claim_all<P: Pack>(&self, places: &Places) {
        assert!(
            P::are_below(places, self.length),
            "places outside the shared column"
        );
        #[cfg(debug_assertions)]
        (0..LANES).for_each(|lane| self.claim(places.get(lane)));
    }
}

/// Records that are gathered: a column, or a task's view of one. A trait, because closures are not
/// always inlined, and a call is compiled without vector instructions.
pub trait Source {
    /// The components of the records at sixteen places.
    fn at<P: Pack>(&self, places: &Places) -> [P; 4];
}

impl Source for View<'_, [Real; 4]> {
    #[inline(always)]
    fn at<P: Pack>(&self, places: &Places) -> [P; 4] {
        self.gather(places)
    }
}

impl Source for [[Real; 4]] {
    #[inline(always)]
    fn at<P: Pack>(&self, places: &Places) -> [P; 4] {
        gather(self, places)
    }
}

/// The components of the records of a column at sixteen places.
#[inline(always)]
pub fn gather<P: Pack>(column: &[[Real; 4]], places: &Places) -> [P; 4] {
    assert!(
        P::are_below(places, column.len()),
        "places outside the column"
    );
    // SAFETY: the bound was checked.
    unsafe { P::gather(column.as_ptr(), places) }
}

/// The components of the records of a column at sixteen places.
#[inline(always)]
pub fn gather_eight<P: Pack>(column: &[[Real; 8]], places: &Places) -> [P; 8] {
    assert!(
        P::are_below(places, column.len()),
        "places outside the column"
    );
    // SAFETY: the bound was checked.
    unsafe { P::gather_eight(column.as_ptr(), places) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_write_interleaved_indices() {
        let mut column = vec![0usize; 100];
        let shared = Shared::new(&mut column);
        crate::for_indices(4, |task| {
            // SAFETY: task k touches the indices congruent to k modulo 4.
            let mut view = unsafe { shared.view(task as u32) };
            for i in (task..100).step_by(4) {
                view.set(i, view.get(i) + i);
            }
        });
        drop(shared);
        assert!(column.iter().enumerate().all(|(i, &x)| x == i));
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "both touch index")]
    fn two_tasks_on_one_index_are_caught_in_checked_builds() {
        let mut column = [0; 3];
        let shared = Shared::new(&mut column);
        // SAFETY: the contract is broken on purpose, on one thread, to see it caught.
        let (mut a, b) = unsafe { (shared.view(1), shared.view(2)) };
        a.set(0, 1);
        b.get(0);
    }
}
