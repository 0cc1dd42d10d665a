//! Loops over pieces of work that do not depend on each other.
//!
//! This crate starts no threads: who calls it passes the loop, and with it the threads. Results do
//! not depend on which loop it is.

use std::sync::{Mutex, PoisonError};

/// Calls a function once for each index below a count, in any order and on any thread, and returns
/// when all calls have.
pub type Loop = fn(usize, &(dyn Fn(usize) + Sync));

/// The loop on the calling thread.
pub fn in_order(count: usize, piece: &(dyn Fn(usize) + Sync)) {
    (0..count).for_each(piece);
}

/// Calls `f(first index, chunk)` for every chunk of `length` items.
pub(crate) fn for_chunks<T: Send>(
    run: Loop,
    items: &mut [T],
    length: usize,
    f: impl Fn(usize, &mut [T]) + Sync,
) {
    let chunks: Vec<Mutex<&mut [T]>> = items.chunks_mut(length).map(Mutex::new).collect();
    run(chunks.len(), &|i| {
        // Nobody else asks for this chunk: the lock only proves that.
        let mut chunk = chunks[i].lock().unwrap_or_else(PoisonError::into_inner);
        f(i * length, &mut chunk);
    });
}

/// What `f` returns for each chunk of `length` indices below `count`, in order.
pub(crate) fn collect_chunks<T: Send + Default>(
    run: Loop,
    count: usize,
    length: usize,
    f: impl Fn(std::ops::Range<usize>) -> T + Sync,
) -> Vec<T> {
    let mut results: Vec<T> = (0..count.div_ceil(length)).map(|_| T::default()).collect();
    for_chunks(run, &mut results, 1, |i, result| {
        let first = i * length;
        result[0] = f(first..(first + length).min(count));
    });
    results
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use std::sync::Arc;

    use pliant_parameters::Problem;

    use super::*;
    use crate::{MeshSource, TriangleMesh};

    /// Has no files.
    pub(crate) struct NoFiles;

    impl MeshSource for NoFiles {
        fn mesh(&self, file: &str) -> Result<Arc<TriangleMesh>, Problem> {
            Err(Problem::at("file", format!("no file {file}"), "none"))
        }
    }

    /// A loop on three threads that takes pieces from the back.
    pub(crate) fn backwards_on_threads(count: usize, piece: &(dyn Fn(usize) + Sync)) {
        let left = AtomicUsize::new(count);
        let take = || {
            let step = |n: usize| n.checked_sub(1);
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step)
        };
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    while let Ok(n) = take() {
                        piece(n - 1);
                    }
                });
            }
        });
    }

    #[test]
    fn chunks_cover_every_item_once_and_results_keep_their_order() {
        for run in [in_order as Loop, backwards_on_threads] {
            let mut items = vec![0; 1003];
            for_chunks(run, &mut items, 10, |first, chunk| {
                for (k, item) in chunk.iter_mut().enumerate() {
                    *item += first + k;
                }
            });
            assert!(items.iter().enumerate().all(|(i, item)| i == *item));
            let parts = collect_chunks(run, 1003, 10, |range| range.collect::<Vec<_>>());
            assert_eq!(parts.concat(), items);
        }
    }
}
