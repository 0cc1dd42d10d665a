//! Loops on the threads of a pool: over chunks of columns, over tasks that
//! scatter into disjoint places, and sums in a fixed order. Chunk bounds depend on the count alone,
//! which is why results do not depend on the number of threads.
#![allow(unsafe_code)]

mod bump;
mod pool;
mod ranges;
mod shared;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod team;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
#[path = "no_team.rs"]
mod team;

pub use bump::Bump;
pub use pool::{Pool, PoolError};
pub use shared::{Shared, Source, View, gather, gather_eight};

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

use ranges::{Parts, for_ranges};

/// Elements a chunk: small enough to balance, large enough to amortise a task.
pub const CHUNK: usize = 1024;

/// Calls `f(first index, chunk)` for every chunk of a column.
pub fn for_chunks<A: Send>(a: &mut [A], f: impl Fn(usize, &mut [A]) + Sync) {
    for_chunks_of(a, CHUNK, f);
}

/// Calls `f(first index, chunk, chunk)` for every chunk of two columns of equal length.
pub fn for_chunks2<A: Send, B: Send>(
    a: &mut [A],
    b: &mut [B],
    f: impl Fn(usize, &mut [A], &mut [B]) + Sync,
) {
    debug_assert_eq!(a.len(), b.len());
    let count = chunk_count(a.len());
    let (a, b) = (Parts::of(a), Parts::of(b));
    for_indices(count, |c| {
        // SAFETY: each number comes once.
        let (a, b) = unsafe { (a.chunk(c, CHUNK), b.chunk(c, CHUNK)) };
        f(c * CHUNK, a, b);
    });
}

/// Calls `f(first index, chunk, item)`, one item of `items` a chunk of `a`.
pub fn for_chunks_with<A: Send, B: Send>(
    a: &mut [A],
    items: &mut [B],
    f: impl Fn(usize, &mut [A], &mut B) + Sync,
) {
    let count = chunk_count(a.len());
    debug_assert!(items.len() >= count);
    let a = Parts::of(a);
    for_items(&mut items[..count], |c, item| {
        // SAFETY: each number comes once.
        f(c * CHUNK, unsafe { a.chunk(c, CHUNK) }, item);
    });
}

/// Calls `f(chunks, item)` for every chunk of three columns of equal length, one item of `items` each.
pub fn for_chunks3_with<A: Send, B: Send>(
    columns: [&mut [A]; 3],
    items: &mut [B],
    f: impl Fn([&mut [A]; 3], &mut B) + Sync,
) {
    let count = chunk_count(columns[0].len());
    debug_assert!(items.len() >= count);
    let columns = columns.map(Parts::of);
    for_items(&mut items[..count], |c, item| {
        // SAFETY: each number comes once.
        let chunks = columns
            .each_ref()
            .map(|column| unsafe { column.chunk(c, CHUNK) });
        f(chunks, item);
    });
}

/// Calls `f(first index, chunk)` for every chunk of `size` elements, the last of which may be shorter.
pub fn for_chunks_of<A: Send>(a: &mut [A], size: usize, f: impl Fn(usize, &mut [A]) + Sync) {
    let count = a.len().div_ceil(size);
    let a = Parts::of(a);
    for_indices(count, |c| {
        // SAFETY: each number comes once.
        f(c * size, unsafe { a.chunk(c, size) });
    });
}

/// Calls `f(index, item)` for every item.
pub fn for_items<A: Send>(items: &mut [A], f: impl Fn(usize, &mut A) + Sync) {
    let (count, items) = (items.len(), Parts::of(items));
    for_ranges(count, &|range| {
        let first = range.start;
        // SAFETY: ranges do not overlap.
        let items = unsafe { items.take(range) };
        for (k, item) in items.iter_mut().enumerate() {
            f(first + k, item);
        }
    });
}

/// Calls `f(item, item)` for the items of two columns side by side.
pub fn for_items2<A: Send, B: Send>(a: &mut [A], b: &mut [B], f: impl Fn(&mut A, &mut B) + Sync) {
    debug_assert_eq!(a.len(), b.len());
    let (count, a, b) = (a.len(), Parts::of(a), Parts::of(b));
    for_ranges(count, &|range| {
        // SAFETY: ranges do not overlap.
        let (a, b) = unsafe { (a.take(range.clone()), b.take(range)) };
        a.iter_mut().zip(b).for_each(|(a, b)| f(a, b));
    });
}

/// Calls `f(index, item, item, item)` for the items of three columns side by side.
pub fn for_items3<A: Send, B: Send, C: Send>(
    a: &mut [A],
    b: &mut [B],
    c: &mut [C],
    f: impl Fn(usize, &mut A, &mut B, &mut C) + Sync,
) {
    debug_assert!(a.len() == b.len() && a.len() == c.len());
    let (count, a, b, c) = (a.len(), Parts::of(a), Parts::of(b), Parts::of(c));
    for_ranges(count, &|range| {
        let first = range.start;
        // SAFETY: ranges do not overlap.
        let (a, b) = unsafe { (a.take(range.clone()), b.take(range.clone())) };
        // SAFETY: as above.
        let c = unsafe { c.take(range) };
        let items = a.iter_mut().zip(b).zip(c);
        for (k, ((a, b), c)) in items.enumerate() {
            f(first + k, a, b, c);
        }
    });
}

/// Sorts by an order in which no two items are equal.
pub fn sort_by<A: Send>(items: &mut [A], order: impl Fn(&A, &A) -> Ordering + Sync) {
    /// Fewer are sorted before other threads are awake.
    const FEW: usize = 4096;
    match items.len() < FEW {
        true => items.sort_unstable_by(order),
        false => team::in_pool(|| items.par_sort_unstable_by(&order)),
    }
}

/// Number of chunks of a column.
pub fn chunk_count(length: usize) -> usize {
    length.div_ceil(CHUNK)
}

/// What two functions return, which may run at once.
pub fn both<A: Send, B: Send>(
    a: impl FnOnce() -> A + Send,
    b: impl FnOnce() -> B + Send,
) -> (A, B) {
    team::in_pool(|| rayon::join(a, b))
}

/// Calls `f` once for each task.
pub fn for_tasks<T: Sync>(tasks: &[T], f: impl Fn(&T) + Sync) {
    for_ranges(tasks.len(), &|range| tasks[range].iter().for_each(&f));
}

/// Calls `f` once for each index below `count`.
pub fn for_indices(count: usize, f: impl Fn(usize) + Sync) {
    for_ranges(count, &|range| range.for_each(&f));
}

/// Scratch of tasks, kept from call to call so that warm loops allocate nothing.
#[derive(Debug, Default)]
pub struct Scratches<S>(Mutex<Vec<S>>);

/// Calls `f(scratch, index)` once for each index below `count`; which scratch a task gets depends on
/// the threads, so `f` must not depend on what another index has left in it.
pub fn for_indices_with<S: Send + Default>(
    scratches: &Scratches<S>,
    count: usize,
    f: impl Fn(&mut S, usize) + Sync,
) {
    for_indices(count, |index| {
        with_scratch(scratches, |scratch| f(scratch, index));
    });
}

/// Calls `f` with a scratch that no other task has meanwhile; it must not depend on what another task
/// has left in it.
pub fn with_scratch<S: Default>(scratches: &Scratches<S>, f: impl FnOnce(&mut S)) {
    let kept = lock(&scratches.0).pop();
    let mut scratch = kept.unwrap_or_default();
    f(&mut scratch);
    lock(&scratches.0).push(scratch);
}

/// A panicking task leaves the list itself whole.
fn lock<S>(scratches: &Mutex<Vec<S>>) -> MutexGuard<'_, Vec<S>> {
    scratches.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Combines `map(chunk)` of all chunks of `0..count` in order: the same bits for any thread count.
pub fn ordered_fold<T: Send>(
    count: usize,
    start: T,
    map: impl Fn(Range<usize>) -> T + Sync,
    combine: impl Fn(T, T) -> T,
) -> T {
    let chunks = chunk_count(count);
    let mut total = start;
    for first in (0..chunks).step_by(WAVE) {
        let mut parts = [const { None }; WAVE];
        let parts = &mut parts[..WAVE.min(chunks - first)];
        for_items(parts, |k, part| {
            let begin = (first + k) * CHUNK;
            *part = Some(map(begin..(begin + CHUNK).min(count)));
        });
        total = parts
            .iter_mut()
            .filter_map(Option::take)
            .fold(total, &combine);
    }
    total
}

/// Chunks whose results stand on the stack at a time.
const WAVE: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordered_sum_has_the_same_bits_for_any_number_of_threads() {
        let values: Vec<f32> = (0..100_000).map(|i| 1.0 / (1.0 + i as f32)).collect();
        let sum = |threads| {
            Pool::new(threads).unwrap().run(|| {
                ordered_fold(
                    values.len(),
                    0.0f32,
                    |range| values[range].iter().sum(),
                    |a, b| a + b,
                )
            })
        };
        let one = sum(1);
        assert!((2..6).all(|threads| sum(threads).to_bits() == one.to_bits()));
    }

    #[test]
    fn every_element_is_visited_once() {
        let mut column = vec![0u32; 5000];
        for_chunks(&mut column, |first, chunk| {
            for (k, x) in chunk.iter_mut().enumerate() {
                *x += (first + k) as u32;
            }
        });
        assert!(column.iter().enumerate().all(|(i, &x)| x == i as u32));
    }
}
