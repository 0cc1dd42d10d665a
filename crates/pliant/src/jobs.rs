//! Work on many things, several at a time, with the results in the order of the things.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// How many things are worked on at a time, on threads that they share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jobs {
    count: usize,
    threads: usize,
}

/// One thing that is worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Its place, from 0.
    pub place: usize,
    /// Threads that it has, at least 1.
    pub threads: usize,
}

impl Jobs {
    /// At most so many of `things` at a time, and at least one.
    ///
    /// * `threads` — of all together; 0: one a core
    pub fn new(jobs: usize, things: usize, threads: usize) -> Self {
        let threads = match threads {
            0 => thread::available_parallelism().map_or(1, NonZero::get),
            asked => asked,
        };
        Self {
            count: jobs.clamp(1, things.max(1)),
            threads,
        }
    }

    /// True if several are worked on at a time.
    pub fn are_several(&self) -> bool {
        self.count > 1
    }

    /// Threads of one of the jobs: equal shares, what is left over to the first, at least 1.
    fn share(&self, job: usize) -> usize {
        let extra = usize::from(job < self.threads % self.count);
        (self.threads / self.count + extra).max(1)
    }

    /// Works on the things and takes the results in their order. Once `is_over` says so no further one is begun.
    pub fn run<T: Sync, R: Send>(
        &self,
        things: &[T],
        is_over: &(dyn Fn() -> bool + Sync),
        work: impl Fn(Job, &T) -> R + Sync,
        mut take: impl FnMut(usize, R),
    ) {
        let (next, work) = (&AtomicUsize::new(0), &work);
        thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for job in 0..self.count {
                let (sender, threads) = (sender.clone(), self.share(job));
                scope.spawn(move || {
                    while !is_over() {
                        let place = next.fetch_add(1, Ordering::Relaxed);
                        let Some(thing) = things.get(place) else {
                            break;
                        };
                        let result = work(Job { place, threads }, thing);
                        // The receiver lives until all senders are gone.
                        let _ = sender.send((place, result));
                    }
                });
            }
            drop(sender);
            let (mut early, mut due) = (BTreeMap::new(), 0);
            for (place, result) in receiver {
                early.insert(place, result);
                while let Some(result) = early.remove(&due) {
                    take(due, result);
                    due += 1;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_order_whichever_is_done_first() {
        let things: Vec<u64> = (0..20).rev().collect();
        let mut taken = Vec::new();
        let work = |job: Job, &thing: &u64| {
            thread::sleep(Duration::from_millis(thing));
            (job.place, thing)
        };
        Jobs::new(4, 20, 4).run(&things, &|| false, work, |_, result| taken.push(result));
        let expected: Vec<(usize, u64)> = things.iter().copied().enumerate().collect();
        assert_eq!(taken, expected);
    }

    #[test]
    fn nothing_is_begun_once_it_is_over() {
        let (begun, is_over) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = |_, _: &i32| {
            begun.fetch_add(1, Ordering::Relaxed);
            thread::sleep(Duration::from_millis(1));
        };
        let stop = || is_over.load(Ordering::Relaxed);
        Jobs::new(2, 1000, 2).run(&[0; 1000], &stop, work, |_, ()| {
            is_over.store(true, Ordering::Relaxed);
        });
        assert!(begun.into_inner() < 1000);
    }

    #[test]
    fn jobs_share_all_threads() {
        for (threads, jobs) in [(8, 3), (2, 2), (16, 5), (7, 1)] {
            let all = Jobs::new(jobs, 100, threads);
            let sum: usize = (0..jobs).map(|job| all.share(job)).sum();
            assert_eq!(sum, threads);
        }
        assert_eq!(Jobs::new(4, 4, 2).share(3), 1);
        assert!(!Jobs::new(4, 1, 2).are_several());
    }
}
