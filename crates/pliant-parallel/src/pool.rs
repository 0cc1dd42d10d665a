//! The threads of a run.

/// The operating system gave no threads.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {count} threads: {reason}")]
pub struct PoolError {
    count: usize,
    reason: String,
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use one::Pool;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use several::Pool;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod several {
    use std::sync::{Arc, OnceLock};

    use super::PoolError;
    use crate::team::Team;

    /// The threads that a run uses; clones share them.
    #[derive(Clone, Debug)]
    pub struct Pool(Option<Arc<Threads>>);

    /// Threads for what is large, and others, started when they are needed, for the many small loops of substeps.
    #[derive(Debug)]
    struct Threads {
        rayon: rayon::ThreadPool,
        team: OnceLock<Team>,
    }

    impl Pool {
        /// A pool of `threads` threads; 0 takes one a core.
        pub fn new(threads: usize) -> Result<Self, PoolError> {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .map(|rayon| {
                    Self(Some(Arc::new(Threads {
                        rayon,
                        team: OnceLock::new(),
                    })))
                })
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

        /// Runs `work` on the pool's threads; the loops of this crate inside it use them.
        pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
            match &self.0 {
                Some(threads) => threads.rayon.install(work),
                None => work(),
            }
        }

        /// Runs `work`, which has many small loops, on this thread; the workers of a team take part in its loops.
        /// Where they have another primary thread it is run as [`Self::run`] does.
        pub fn run_in_team<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
            let Some(threads) = &self.0 else {
                return work();
            };
            let workers = threads.rayon.current_num_threads() - 1;
            let team = threads.team.get_or_init(|| Team::new(workers));
            let done = team.run(&threads.rayon, work);
            done.unwrap_or_else(|work| self.run(work))
        }

        /// Number of threads.
        pub fn threads(&self) -> usize {
            let threads = self.0.as_ref();
            threads.map_or_else(rayon::current_num_threads, |threads| {
                threads.rayon.current_num_threads()
            })
        }
    }
}

/// For targets that start no threads: there the loops of this crate run on the thread that calls them.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod one {
    use super::PoolError;

    /// The one thread that there is.
    #[derive(Clone, Debug)]
    pub struct Pool;

    impl Pool {
        /// The thread that calls, or an error if more are wanted; 0 takes one a core, of which there is one.
        pub fn new(threads: usize) -> Result<Self, PoolError> {
            match threads {
                0 | 1 => Ok(Self),
                count => Err(PoolError {
                    count,
                    reason: "this target has one".into(),
                }),
            }
        }

        /// The thread that calls.
        pub fn surrounding() -> Self {
            Self
        }

        /// Runs `work`.
        pub fn run<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
            work()
        }

        /// Runs `work`.
        pub fn run_in_team<R: Send>(&self, work: impl FnOnce() -> R + Send) -> R {
            work()
        }

        /// Number of threads.
        pub fn threads(&self) -> usize {
            1
        }
    }
}
