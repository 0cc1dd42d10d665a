//! Threads that simulations share, and processes that were forked.
//!
//! A fork copies the memory of a process but only the thread that asks for it: pools of the parent have no
//! threads in the child. So pools belong to a process, by its number, and simulations take another one when they
//! find themselves in another process. What a pool of the parent holds is left alone in the child.

use std::collections::BTreeMap;
use std::mem;
use std::sync::{Mutex, PoisonError};

use pliant::SimulationError;
use pliant::core::parallel::Pool;

/// What the threads of a process compute for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// Single simulations, with so many threads.
    Simulations(usize),
    /// The worlds of batches; each of these pools is one thread.
    Worlds(usize),
}

/// The pools of a process.
struct Pools {
    process: u32,
    of: BTreeMap<Use, Pool>,
}

static POOLS: Mutex<Pools> = Mutex::new(Pools {
    process: 0,
    of: BTreeMap::new(),
});

/// The pool of this process with so many threads, 0 for one a core.
pub fn pool(threads: usize) -> Result<Pool, SimulationError> {
    find(Use::Simulations(threads), threads)
}

/// Pools of this process, each of one thread: so many, 0 for one a core.
pub fn workers(count: usize) -> Result<Vec<Pool>, SimulationError> {
    let count = match count {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        count => count,
    };
    (0..count).map(|k| find(Use::Worlds(k), 1)).collect()
}

/// The number of this process.
pub fn process() -> u32 {
    std::process::id()
}

fn find(wanted: Use, threads: usize) -> Result<Pool, SimulationError> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if pools.process != process() {
        // Dropped, they would wait for threads that the child does not have.
        mem::forget(mem::take(&mut pools.of));
        pools.process = process();
    }
    if let Some(pool) = pools.of.get(&wanted) {
        return Ok(pool.clone());
    }
    let pool = Pool::new(threads)?;
    pools.of.insert(wanted, pool.clone());
    Ok(pool)
}
