//! A team of threads that run the loops of a substep, as OpenMP's do: the primary thread, which steps, and workers
//! that spin until the next loop.
//!
//! A substep is a hundred loops of a few microseconds to milliseconds. Rayon's threads go to sleep between two of
//! them, and waking one takes longer than many loops do; these go on looking for a while (`LOOKS`), then sleep. The
//! primary thread takes part in a loop and waits only for the workers that have joined it: one that is late, or that
//! the machine has no core for, is not waited for. Each begins with its own share of the indices, the same in every
//! loop of that length, so that what it reads is in the cache of its core still, and then steals parts of the others'.
//!
//! A loop inside of one with several parts runs on the thread that begins it.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::hint::spin_loop;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;

use rayon::ThreadPool;

/// How often a thread looks for a loop before it sleeps, and how often before it leaves its core to others
/// between two looks: together a few tenths of a millisecond. WebAssembly has no pauses, and cannot leave a core.
const LOOKS: usize = [400, 10_000][cfg!(target_family = "wasm") as usize];
const EAGER_LOOKS: usize = 50;

/// Pauses of the processor between two looks.
const PAUSES: usize = 16;

/// Parts of a share, so that those that are done sooner take some of them.
const PARTS: usize = 8;

/// The status is the number of the loop, whether it is open to join, and how many workers have joined.
const OPEN: u64 = 1 << 31;
const JOINED: u64 = OPEN - 1;

/// What is called with parts of a loop.
type Body<'a> = &'a (dyn Fn(Range<usize>) + Sync);

/// The workers of a primary thread.
#[derive(Debug)]
pub(super) struct Team {
    shared: Arc<TeamState>,
    workers: usize,
    /// Held by the primary thread.
    primary: Mutex<()>,
}

/// What the threads share.
#[derive(Debug)]
struct TeamState {
    status: AtomicU64,
    /// Written while no loop is open and nobody has joined.
    task: UnsafeCell<Task>,
    /// For each share the number of the loop and the first index that nobody has taken.
    shares: Vec<Share>,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    asleep: AtomicUsize,
    sleep: Mutex<()>,
    wake: Condvar,
    ends: AtomicBool,
}

/// By itself in what processors exchange, two lines of a cache.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Share(AtomicU64);

/// A loop.
#[derive(Clone, Copy, Debug)]
struct Task {
    body: *const (dyn Fn(Range<usize>) + Sync),
    /// Not more than 32 bits hold.
    count: usize,
    number: u64,
}

// SAFETY: the body may be called from several threads, for it is `Sync`; the primary thread keeps it alive until all
// who have joined are done; and the task is written only while nobody reads it, which `Team::run_loop` sees to.
unsafe impl Sync for TeamState {}
// SAFETY: as above.
unsafe impl Send for TeamState {}

/// What a thread is to the loops that it begins.
#[derive(Clone, Copy)]
enum Role {
    /// None of a team.
    Outside,
    /// The primary thread of the team; the pool is for what is no loop.
    Primary(*const Team, *const ThreadPool),
    /// It runs a part of a loop.
    InLoop,
}

thread_local! {
    static ROLE: Cell<Role> = const { Cell::new(Role::Outside) };
}

/// Puts the role of a thread back.
struct Restore(Role);

impl Drop for Restore {
    fn drop(&mut self) {
        ROLE.set(self.0);
    }
}

fn take_role(role: Role) -> Restore {
    Restore(ROLE.replace(role))
}

/// Runs a loop with the team whose primary thread this is; false if it is none's, and nothing was done.
pub(super) fn run_in_team(count: usize, body: Body<'_>) -> bool {
    match ROLE.get() {
        Role::Outside => return false,
        // SAFETY: `Team::run` holds the team for as long as it has this role set.
        Role::Primary(team, _) => unsafe { (*team).run_loop(count, body) },
        Role::InLoop => body(0..count),
    }
    true
}

/// Runs work of rayon's in the pool of the team whose primary thread this is.
pub(super) fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match ROLE.get() {
        // SAFETY: `Team::run` holds the pool for as long as it has this role set.
        Role::Primary(_, pool) => unsafe { (*pool).install(work) },
        Role::Outside | Role::InLoop => work(),
    }
}

impl Team {
    /// A team of so many workers beside the primary thread.
    pub(super) fn new(workers: usize) -> Self {
        let shared = Arc::new(TeamState {
            status: AtomicU64::new(0),
            task: UnsafeCell::new(Task {
                body: &|_| (),
                count: 0,
                number: 0,
            }),
            shares: (0..=workers).map(|_| Share::default()).collect(),
            panic: Mutex::new(None),
            asleep: AtomicUsize::new(0),
            sleep: Mutex::new(()),
            wake: Condvar::new(),
            ends: AtomicBool::new(false),
        });
        let start = |member| {
            let shared = Arc::clone(&shared);
            let thread = thread::Builder::new().name("pliant".into());
            // With fewer workers all goes on, slower.
            thread.spawn(move || shared.serve(member)).is_ok()
        };
        let workers = (1..=workers).filter(|&member| start(member)).count();
        Self {
            shared,
            workers,
            primary: Mutex::new(()),
        }
    }

    /// Runs `work`, whose loops are run by the team, with this as its primary thread.
    ///
    /// * `pool` — what runs what is no loop
    ///
    /// # Errors
    /// The work, not done, if the team has a primary thread already.
    pub(super) fn run<R, W: FnOnce() -> R>(&self, pool: &ThreadPool, work: W) -> Result<R, W> {
        let _primary = match self.primary.try_lock() {
            Ok(primary) => primary,
            // Work that has panicked has left nothing half done here.
            Err(TryLockError::Poisoned(primary)) => primary.into_inner(),
            Err(TryLockError::WouldBlock) => return Err(work),
        };
        let _role = take_role(Role::Primary(self, pool));
        Ok(work())
    }

    /// Calls `body` with ranges that together are `0..count`.
    fn run_loop(&self, count: usize, body: Body<'_>) {
        // Of what is one part the loops inside are the team's.
        if count < 2 || self.workers == 0 || u32::try_from(count).is_err() {
            if count > 0 {
                body(0..count);
            }
            return;
        }
        let _role = take_role(Role::InLoop);
        let shared = &*self.shared;
        let last = shared.status.load(Ordering::Relaxed) >> 32;
        // Never 0, which marks shares of no loop.
        let number = last % u64::from(u32::MAX) + 1;
        let task = Task {
            // SAFETY: only the lifetime changes; nobody calls it after this function has returned.
            body: unsafe { std::mem::transmute::<Body<'_>, Body<'static>>(body) },
            count,
            number,
        };
        // SAFETY: the last loop was closed, and all who had joined it have left.
        unsafe { *shared.task.get() = task };
        // In one order with `asleep`, so that nobody falls asleep over it.
        shared.status.store(number << 32 | OPEN, Ordering::SeqCst);
        shared.wake(count - 1);
        shared.work(&task, 0);
        shared.close();
        let panic = shared.lock_panic().take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

impl Drop for Team {
    // Workers end by themselves and are not waited for: in a process that was forked there are none.
    fn drop(&mut self) {
        self.shared.ends.store(true, Ordering::SeqCst);
        drop(self.shared.lock_sleep());
        self.shared.wake.notify_all();
    }
}

impl TeamState {
    /// What a worker does.
    fn serve(&self, member: usize) {
        ROLE.set(Role::InLoop);
        let mut last = 0;
        while let Some(status) = self.wait(last) {
            let joined = self.status.compare_exchange(
                status,
                status + 1,
                Ordering::AcqRel,
                Ordering::Relaxed,
            );
            if joined.is_err() {
                continue;
            }
            last = status >> 32;
            // SAFETY: it was written before the loop was opened, and is not before all who have joined have left.
            let task = unsafe { *self.task.get() };
            self.work(&task, member);
            self.status.fetch_sub(1, Ordering::Release);
        }
    }

    /// The status when another loop than the last is open; `None` at the end.
    fn wait(&self, last: u64) -> Option<u64> {
        let is_new = |status: u64| status & OPEN != 0 && status >> 32 != last;
        loop {
            for look in 0..LOOKS {
                if self.ends.load(Ordering::Relaxed) {
                    return None;
                }
                let status = self.status.load(Ordering::Relaxed);
                if is_new(status) {
                    return Some(status);
                }
                (0..PAUSES).for_each(|_| spin_loop());
                if look >= EAGER_LOOKS {
                    thread::yield_now();
                }
            }
            let guard = self.lock_sleep();
            self.asleep.fetch_add(1, Ordering::SeqCst);
            let is_quiet =
                !is_new(self.status.load(Ordering::SeqCst)) && !self.ends.load(Ordering::SeqCst);
            if is_quiet {
                // Woken for nothing it looks again.
                drop(
                    self.wake
                        .wait(guard)
                        .unwrap_or_else(PoisonError::into_inner),
                );
            }
            self.asleep.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Wakes at most so many workers.
    fn wake(&self, most: usize) {
        let asleep = self.asleep.load(Ordering::SeqCst).min(most);
        if asleep > 0 {
            drop(self.lock_sleep());
            (0..asleep).for_each(|_| self.wake.notify_one());
        }
    }

    /// Takes parts of a loop as long as there are any, of the member's own share first.
    fn work(&self, task: &Task, member: usize) {
        let shares = self.shares.len().min(task.count);
        let bound = |share: usize| task.count * share / shares;
        let parts = || {
            for step in 0..shares {
                let share = (member + step) % shares;
                while let Some(part) = self.take(task, share, bound(share)..bound(share + 1)) {
                    // SAFETY: this is the primary thread or has joined the loop.
                    let body = unsafe { &*task.body };
                    body(part);
                }
            }
        };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(parts)) {
            // Nobody begins another part.
            let end = task.number << 32 | task.count as u64;
            let taken = |share: &Share| share.0.store(end, Ordering::Relaxed);
            self.shares.iter().for_each(taken);
            self.lock_panic().get_or_insert(panic);
        }
    }

    /// A part of a share that nobody has taken; a share that is marked by another loop is untouched.
    fn take(&self, task: &Task, share: usize, indices: Range<usize>) -> Option<Range<usize>> {
        let size = (indices.len() / PARTS).max(1);
        let next = &self.shares[share].0;
        let mut seen = next.load(Ordering::Relaxed);
        loop {
            let start = match seen >> 32 == task.number {
                true => seen as u32 as usize,
                false => indices.start,
            };
            if start >= indices.end {
                return None;
            }
            let end = indices.end.min(start + size);
            let mark = task.number << 32 | end as u64;
            match next.compare_exchange_weak(seen, mark, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(start..end),
                Err(now) => seen = now,
            }
        }
    }

    /// Closes a loop, and waits for those who have joined it.
    fn close(&self) {
        let mut status = self.status.fetch_and(!OPEN, Ordering::AcqRel);
        let mut looks = 0;
        while status & JOINED != 0 {
            spin_loop();
            looks += 1;
            if looks > EAGER_LOOKS * PAUSES {
                thread::yield_now();
            }
            status = self.status.load(Ordering::Acquire);
        }
    }

    fn lock_sleep(&self) -> MutexGuard<'_, ()> {
        self.sleep.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock_panic(&self) -> MutexGuard<'_, Option<Box<dyn Any + Send>>> {
        self.panic.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;
    use std::time::{Duration, Instant};

    use super::*;

    fn pool() -> ThreadPool {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(2);
        builder.build().unwrap()
    }

    /// Runs work of a team that has no primary thread yet.
    fn run<R>(team: &Team, work: impl FnOnce() -> R) -> R {
        let done = team.run(&pool(), work).ok();
        done.expect("no other primary thread")
    }

    /// How often each index came.
    fn times(count: usize) -> Vec<AtomicU32> {
        (0..count).map(|_| AtomicU32::new(0)).collect()
    }

    #[test]
    fn each_index_comes_once_in_every_loop() {
        for threads in [0, 1, 3, 7] {
            let team = Team::new(threads);
            run(&team, || {
                for round in 0..300 {
                    let count = round * 7 % 130;
                    let seen = times(count);
                    assert!(run_in_team(count, &|range| {
                        for index in range {
                            seen[index].fetch_add(1, Ordering::Relaxed);
                        }
                    }));
                    assert!(seen.iter().all(|times| times.load(Ordering::Relaxed) == 1));
                }
            });
        }
    }

    /// Runs a loop of which the primary thread does nothing until a worker has come, which may take seconds on a
    /// machine with much to do; whether one has.
    fn is_shared() -> bool {
        let here = thread::current().id();
        let has_come = AtomicBool::new(false);
        let begin = Instant::now();
        run_in_team(6, &|_| {
            if thread::current().id() != here {
                has_come.store(true, Ordering::Relaxed);
            }
            while !has_come.load(Ordering::Relaxed) && begin.elapsed() < Duration::from_secs(30) {
                thread::yield_now();
            }
        });
        has_come.into_inner()
    }

    #[test]
    fn workers_that_sleep_are_woken() {
        let team = Team::new(2);
        run(&team, || {
            for _ in 0..3 {
                thread::sleep(Duration::from_millis(20));
                assert!(is_shared());
            }
        });
    }

    #[test]
    fn loops_inside_of_loops_are_run_where_they_begin() {
        let team = Team::new(2);
        let sum = AtomicU32::new(0);
        run(&team, || {
            run_in_team(50, &|outer| {
                for _ in outer {
                    let here = thread::current().id();
                    assert!(run_in_team(10, &|inner| {
                        assert_eq!(thread::current().id(), here);
                        sum.fetch_add(inner.len() as u32, Ordering::Relaxed);
                    }));
                }
            });
        });
        assert_eq!(sum.load(Ordering::Relaxed), 500);
        assert!(
            !run_in_team(1, &|_| ()),
            "this is no primary thread any more"
        );
    }

    #[test]
    fn loops_inside_of_a_single_part_have_all_threads() {
        let team = Team::new(1);
        let shared = AtomicBool::new(false);
        run(&team, || {
            run_in_team(1, &|_| shared.store(is_shared(), Ordering::Relaxed));
        });
        assert!(shared.into_inner());
    }

    #[test]
    fn a_team_has_one_primary_thread() {
        let team = Team::new(1);
        run(&team, || {
            let other = thread::scope(|scope| {
                let other = scope.spawn(|| team.run(&pool(), || ()).is_err());
                other.join().unwrap()
            });
            assert!(other && team.run(&pool(), || ()).is_err());
        });
        run(&team, || ());
    }

    #[test]
    fn what_is_no_loop_has_as_many_threads_as_the_pool() {
        let team = Team::new(1);
        let threads = run(&team, || in_pool(rayon::current_num_threads));
        assert_eq!(threads, 2);
    }

    #[test]
    fn a_panic_in_a_loop_reaches_the_primary_thread_and_the_team_goes_on() {
        let team = Team::new(3);
        for place in [0, 40, 99] {
            let fails = AssertUnwindSafe(|| {
                run(&team, || {
                    run_in_team(100, &|range| assert!(!range.contains(&place), "here"))
                });
            });
            let told = catch_unwind(fails).unwrap_err();
            assert_eq!(told.downcast_ref::<&str>(), Some(&"here"));
            let sum = AtomicUsize::new(0);
            run(&team, || {
                run_in_team(100, &|range| {
                    sum.fetch_add(range.sum(), Ordering::Relaxed);
                });
            });
            assert_eq!(sum.load(Ordering::Relaxed), 4950);
        }
    }
}
