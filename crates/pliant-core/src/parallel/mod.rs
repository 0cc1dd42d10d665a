//! The only room that uses the thread pool: loops over chunks of columns, loops over tasks that
//! scatter into disjoint places, and sums in a fixed order. Chunk bounds depend on the count alone,
//! which is why results do not depend on the number of threads.

mod bump;
mod shared;

pub use bump::Bump;
pub use shared::{Shared, Source, View, gather, gather_eight};

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;

/// Elements a chunk: small enough to balance, large enough to amortise a task.
pub const CHUNK: usize = 1024;

/// The threads that a run uses; clones share them.
#[derive(Clone, Debug)]
pub struct Pool(Option<Arc<rayon::ThreadPool>>);

/// The operating system gave no threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {count} threads: {reason}")]
pub struct PoolError {
    count: usize,
    reason: String,
}

impl Pool {
    /// A pool of `threads` threads; 0 takes one a core.
    pub fn new(threads: usize) -> Result<Self, PoolError> {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map(|pool| Self(Some(Arc::new(pool))))
            .map_err(|e| PoolError {
                count: threads,
                reason: e.to_string(),
            })
    }

    /// The threads of the pool in whose `run` it is used: many worlds are each stepped by whoever is free,
    /// without a change from thread to thread.
    pub fn surrounding() -> Self {
        Self(None)
    }

    /// Runs `work` on the pool's threads; the loops of this room inside it use them.
    pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        let pool = self.0.as_ref();
        pool.map_or_else(rayon::current_num_threads, |pool| {
            pool.current_num_threads()
        })
    }
}

/// Calls `f(first index, chunk)` for every chunk of a column.
pub fn for_chunks<A: Send>(a: &mut [A], f: impl Fn(usize, &mut [A]) + Sync) {
    a.par_chunks_mut(CHUNK)
        .enumerate()
        .for_each(|(c, a)| f(c * CHUNK, a));
}

/// Calls `f(first index, chunk, chunk)` for every chunk of two columns of equal length.
pub fn for_chunks2<A: Send, B: Send>(
    a: &mut [A],
    b: &mut [B],
    f: impl Fn(usize, &mut [A], &mut [B]) + Sync,
) {
    a.par_chunks_mut(CHUNK)
        .zip(b.par_chunks_mut(CHUNK))
        .enumerate()
        .for_each(|(c, (a, b))| f(c * CHUNK, a, b));
}

/// Calls `f(first index, chunk, item)`, one item of `items` a chunk of `a`.
pub fn for_chunks_with<A: Send, B: Send>(
    a: &mut [A],
    items: &mut [B],
    f: impl Fn(usize, &mut [A], &mut B) + Sync,
) {
    debug_assert!(items.len() >= chunk_count(a.len()));
    a.par_chunks_mut(CHUNK)
        .zip(items.par_iter_mut())
        .enumerate()
        .for_each(|(c, (a, item))| f(c * CHUNK, a, item));
}

/// Calls `f(chunks, item)` for every chunk of three columns of equal length, one item of `items` each.
pub fn for_chunks3_with<A: Send, B: Send>(
    [x, y, z]: [&mut [A]; 3],
    items: &mut [B],
    f: impl Fn([&mut [A]; 3], &mut B) + Sync,
) {
    debug_assert!(items.len() >= chunk_count(x.len()));
    x.par_chunks_mut(CHUNK)
        .zip(y.par_chunks_mut(CHUNK))
        .zip(z.par_chunks_mut(CHUNK))
        .zip(items.par_iter_mut())
        .for_each(|(((x, y), z), item)| f([x, y, z], item));
}

/// Calls `f(first index, chunk)` for every chunk of `size` elements, the last of which may be shorter.
pub fn for_chunks_of<A: Send>(a: &mut [A], size: usize, f: impl Fn(usize, &mut [A]) + Sync + Send) {
    if a.len() <= size {
        return f(0, a);
    }
    a.par_chunks_mut(size)
        .enumerate()
        .for_each(|(c, a)| f(c * size, a));
}

/// Calls `f(index, item)` for every item.
pub fn for_items<A: Send>(items: &mut [A], f: impl Fn(usize, &mut A) + Sync + Send) {
    items
        .par_iter_mut()
        .enumerate()
        .for_each(|(k, item)| f(k, item));
}

/// Calls `f(item, item)` for the items of two columns side by side.
pub fn for_items2<A: Send, B: Send>(
    a: &mut [A],
    b: &mut [B],
    f: impl Fn(&mut A, &mut B) + Sync + Send,
) {
    a.par_iter_mut()
        .zip(b.par_iter_mut())
        .for_each(|(a, b)| f(a, b));
}

/// Calls `f(index, item, item, item)` for the items of three columns side by side.
pub fn for_items3<A: Send, B: Send, C: Send>(
    a: &mut [A],
    b: &mut [B],
    c: &mut [C],
    f: impl Fn(usize, &mut A, &mut B, &mut C) + Sync + Send,
) {
    a.par_iter_mut()
        .zip(b.par_iter_mut())
        .zip(c.par_iter_mut())
        .enumerate()
        .for_each(|(k, ((a, b), c))| f(k, a, b, c));
}

/// Sorts by an order in which no two items are equal.
pub fn sort_by<A: Send>(items: &mut [A], order: impl Fn(&A, &A) -> Ordering + Sync) {
    items.par_sort_unstable_by(order);
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
    rayon::join(a, b)
}

/// Calls `f` once for each task.
pub fn for_tasks<T: Sync>(tasks: &[T], f: impl Fn(&T) + Sync + Send) {
    tasks.par_iter().for_each(f);
}

/// Calls `f` once for each index below `count`.
pub fn for_indices(count: usize, f: impl Fn(usize) + Sync + Send) {
    (0..count).into_par_iter().for_each(f);
}

/// Scratch of tasks, kept from call to call so that warm loops allocate nothing.
#[derive(Debug, Default)]
pub struct Scratches<S>(Mutex<Vec<S>>);

/// Calls `f(scratch, index)` once for each index below `count`; which scratch a task gets depends on
/// the threads, so `f` must not depend on what another index has left in it.
pub fn for_indices_with<S: Send + Default>(
    scratches: &Scratches<S>,
    count: usize,
    f: impl Fn(&mut S, usize) + Sync + Send,
) {
    (0..count)
        .into_par_iter()
        .for_each(|index| with_scratch(scratches, |scratch| f(scratch, index)));
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
        parts.par_iter_mut().enumerate().for_each(|(k, part)| {
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
