//! Work on many things, several at a time, told in their order.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use super::Failure;

/// How many things are worked on at a time, and by how many threads each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Share {
    /// Things at a time, >= 1.
    pub jobs: usize,
    /// Threads of each; 0 takes one a core.
    pub threads: usize,
}

impl Share {
    /// So many of `things` at a time, which share the threads that were asked for, or one a core.
    pub fn of(jobs: u16, things: usize, threads: Option<u16>) -> Self {
        let jobs = usize::from(jobs).clamp(1, things.max(1));
        let asked = threads.map_or(0, usize::from);
        let threads = match (jobs, asked) {
            (1, _) => asked,
            (_, 0) => (thread::available_parallelism().map_or(1, NonZero::get) / jobs).max(1),
            _ => (asked / jobs).max(1),
        };
        Self { jobs, threads }
    }
}

/// Works on each of some things, so many at a time, and takes the results in the order of the things.
///
/// * `take` — once it fails, no further thing is begun, and what was begun is ended
///
/// # Errors
/// What `take` failed with.
pub(crate) fn side_by_side<T: Sync, R: Send>(
    things: &[T],
    jobs: usize,
    work: impl Fn(usize, &T) -> R + Sync,
    mut take: impl FnMut(&T, R) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let (next, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..jobs {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while !is_over.load(Ordering::Relaxed) {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    let Some(thing) = things.get(place) else {
                        break;
                    };
                    // Nobody listens any more once `take` has failed.
                    let _ = sender.send((place, work(place, thing)));
                }
            });
        }
        drop(sender);
        let (mut waiting, mut due) = (BTreeMap::new(), 0);
        for (place, result) in receiver {
            waiting.insert(place, result);
            while let Some(result) = waiting.remove(&due) {
                if let Err(failure) = take(&things[due], result) {
                    is_over.store(true, Ordering::Relaxed);
                    return Err(failure);
                }
                due += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order_whoever_is_done_first() {
        let things: Vec<u64> = (0..20).rev().collect();
        let mut taken = Vec::new();
        let done = side_by_side(
            &things,
            4,
            |place, &thing| {
                thread::sleep(Duration::from_millis(thing));
                (place, thing)
            },
            |_, result| {
                taken.push(result);
                Ok(())
            },
        );
        assert!(done.is_ok());
        assert_eq!(
            taken,
            things.iter().copied().enumerate().collect::<Vec<_>>()
        );
    }

    #[test]
    fn nothing_is_begun_after_a_failure() {
        let begun = AtomicUsize::new(0);
        let done = side_by_side(
            &[0; 1000],
            2,
            |_, _| {
                begun.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(1));
            },
            |_, ()| Err(Failure::failed("no")),
        );
        assert!(done.is_err());
        assert!(begun.into_inner() < 1000);
    }

    #[test]
    fn jobs_share_the_threads() {
        let share = |jobs, things, threads| {
            let Share { jobs, threads } = Share::of(jobs, things, threads);
            (jobs, threads)
        };
        assert_eq!(share(1, 5, None), (1, 0));
        assert_eq!(share(4, 2, Some(8)), (2, 4));
        assert_eq!(share(4, 9, Some(2)), (4, 1));
        assert!(share(2, 9, None).1 >= 1);
    }
}
