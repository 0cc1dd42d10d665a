//! The loop under all loops of this crate: ranges of indices, each taken by one thread of the pool.
//!
//! In a substep the threads are those of a team, elsewhere those of rayon. The loop is not generic: the parallel
//! iterators of rayon are compiled for each loop of the engine anew, with the machinery of the pool around copies of
//! the loop's body; here a loop is one closure, which is called a few times a thread.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::Range;

use rayon::iter::plumbing::{Consumer, Folder, Producer, Reducer, bridge_producer_consumer};

use super::team::run_in_team;

/// Calls `f` with ranges that together are `0..count`, each index in one of them, as many as keep all threads busy.
pub fn for_ranges(count: usize, f: &(dyn Fn(Range<usize>) + Sync)) {
    if count > 0 && !run_in_team(count, f) {
        bridge_producer_consumer(count, Indices(0..count), Calls(f));
    }
}

/// Indices that the pool splits where it wants.
struct Indices(Range<usize>);

impl Producer for Indices {
    type Item = Range<usize>;
    type IntoIter = std::iter::Once<Range<usize>>;

    fn into_iter(self) -> Self::IntoIter {
        std::iter::once(self.0)
    }

    fn split_at(self, index: usize) -> (Self, Self) {
        let middle = self.0.start + index;
        (Self(self.0.start..middle), Self(middle..self.0.end))
    }
}

/// What is called with each range.
#[derive(Clone, Copy)]
struct Calls<'a>(&'a (dyn Fn(Range<usize>) + Sync));

impl Consumer<Range<usize>> for Calls<'_> {
    type Folder = Self;
    type Reducer = Nothing;
    type Result = ();

    fn split_at(self, _: usize) -> (Self, Self, Nothing) {
        (self, self, Nothing)
    }

    fn into_folder(self) -> Self {
        self
    }

    fn full(&self) -> bool {
        false
    }
}

impl Folder<Range<usize>> for Calls<'_> {
    type Result = ();

    fn consume(self, range: Range<usize>) -> Self {
        (self.0)(range);
        self
    }

    fn complete(self) {}

    fn full(&self) -> bool {
        false
    }
}

/// What the results of two ranges, of which there are none, are put together to.
struct Nothing;

impl Reducer<()> for Nothing {
    fn reduce(self, (): (), (): ()) {}
}

/// A column of which tasks take parts that do not overlap.
pub struct Parts<'a, T> {
    start: *mut T,
    length: usize,
    column: PhantomData<&'a mut [T]>,
}

// SAFETY: it hands out parts only, which by the contract of `take` do not overlap; the elements may move between
// threads because `T: Send`.
unsafe impl<T: Send> Sync for Parts<'_, T> {}

impl<'a, T> Parts<'a, T> {
    /// Of a column, which nobody else reaches meanwhile.
    pub fn of(column: &'a mut [T]) -> Self {
        Self {
            start: column.as_mut_ptr(),
            length: column.len(),
            column: PhantomData,
        }
    }

    /// The elements of a range.
    ///
    /// # Safety
    /// No two ranges that are taken of one `Parts` overlap.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn take(&self, range: Range<usize>) -> &'a mut [T] {
        assert!(
            range.start <= range.end && range.end <= self.length,
            "a part outside of the column"
        );
        // SAFETY: the range is in the column, which is borrowed for `'a`, and nobody else takes an element of it.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(range.start), range.len()) }
    }

    /// The chunk of a number, of chunks of `size` elements, the last of which may be shorter.
    ///
    /// # Safety
    /// No chunk of one `Parts` is taken twice, and all are of one size.
    #[allow(clippy::mut_from_ref)]
    pub unsafe fn chunk(&self, number: usize, size: usize) -> &'a mut [T] {
        let first = number * size;
        // SAFETY: chunks of one size do not overlap.
        unsafe { self.take(first..self.length.min(first + size)) }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::Pool;

    #[test]
    fn ranges_make_up_the_whole() {
        for count in [0, 1, 2, 7, 1000] {
            let seen: Vec<AtomicU32> = (0..count).map(|_| AtomicU32::new(0)).collect();
            Pool::new(3).unwrap().run(|| {
                for_ranges(count, &|range| {
                    assert!(!range.is_empty());
                    for index in range {
                        seen[index].fetch_add(1, Ordering::Relaxed);
                    }
                });
            });
            assert!(seen.iter().all(|times| times.load(Ordering::Relaxed) == 1));
        }
    }

    #[test]
    fn a_panic_in_a_range_reaches_the_caller() {
        let run = || for_ranges(100, &|range| assert!(!range.contains(&50), "fifty"));
        assert!(std::panic::catch_unwind(run).is_err());
    }

    #[test]
    #[should_panic(expected = "outside of the column")]
    fn a_part_outside_of_the_column_is_refused() {
        let mut column = [0; 3];
        // SAFETY: one part is taken.
        unsafe { Parts::of(&mut column).take(1..4) };
    }
}
