//! Threads that wait awake for the next loop of a substep.
//!
//! A substep is a hundred loops of a few microseconds to milliseconds. Rayon's threads go to sleep between two of
//! them, and waking one takes longer than many loops do; these go on looking for a while (`LOOKS`), then sleep. Who
//! begins a loop takes part in it and waits only for those that have joined: a thread that is late, or that the
//! machine has no core for, is not waited for. Each begins with its own share of the indices, the same in every loop
//! of that length, so that what it reads is near its core still, and then takes parts of what is left of the others'.
//!
//! A loop inside of one with several parts runs on the thread that begins it.
#![allow(unsafe_code)]

use std::any::Any;
use std::cell::{Cell, UnsafeCell};
use std::hint::spin_loop;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use rayon::ThreadPool;

/// How often a thread looks for a loop before it sleeps, and how often before it leaves its core to others
/// between two looks: together a few tenths of a millisecond.
const LOOKS: usize = 400;
const EAGER_LOOKS: usize = 50;

/// Pauses of the processor between two looks.
const PAUSES: usize = 16;

/// Parts of a share, so that those that are done sooner take some of them.
const PARTS: usize = 8;

/// The state is the number of the loop, whether it is open to join, and how many have joined.
const OPEN: u64 = 1 << 31;
const JOINED: u64 = OPEN - 1;

/// What is called with parts of a loop.
type Body<'a> = &'a (dyn Fn(Range<usize>) + Sync);

/// A leader's further threads.
#[derive(Debug)]
pub(super) struct Crew {
    deck: Arc<Deck>,
    threads: usize,
}

/// What the threads share.
#[derive(Debug)]
struct Deck {
    state: AtomicU64,
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

// SAFETY: the body may be called from several threads, for it is `Sync`; the leader keeps it alive until all who have
// joined are done; and the task is written only while nobody reads it, which `Crew::run` sees to.
unsafe impl Sync for Deck {}
// SAFETY: as above.
unsafe impl Send for Deck {}

/// What a thread is to the loops that it begins.
#[derive(Clone, Copy)]
enum Role {
    /// None of a crew.
    Outside,
    /// It leads the crew; the pool is for what is no loop.
    Leads(*const Crew, *const ThreadPool),
    /// It runs a part of a loop.
    Inside,
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

/// Runs a loop with the crew that this thread leads; false if it leads none, and nothing was done.
pub(super) fn run_led(count: usize, body: Body<'_>) -> bool {
    match ROLE.get() {
        Role::Outside => return false,
        // SAFETY: `Crew::lead` holds the crew for as long as it has this role set.
        Role::Leads(crew, _) => unsafe { (*crew).run(count, body) },
        Role::Inside => body(0..count),
    }
    true
}

/// Runs work of rayon's in the pool of the crew that this thread leads.
pub(super) fn in_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match ROLE.get() {
        // SAFETY: `Crew::lead` holds the pool for as long as it has this role set.
        Role::Leads(_, pool) => unsafe { (*pool).install(work) },
        Role::Outside | Role::Inside => work(),
    }
}

impl Crew {
    /// A crew of so many threads beside its leader.
    pub(super) fn new(threads: usize) -> Self {
        let deck = Arc::new(Deck {
            state: AtomicU64::new(0),
            task: UnsafeCell::new(Task {
                body: &|_| (),
                count: 0,
                number: 0,
            }),
            shares: (0..=threads).map(|_| Share::default()).collect(),
            panic: Mutex::new(None),
            asleep: AtomicUsize::new(0),
            sleep: Mutex::new(()),
            wake: Condvar::new(),
            ends: AtomicBool::new(false),
        });
        let start = |member| {
            let deck = Arc::clone(&deck);
            let thread = thread::Builder::new().name("pliant".into());
            // With fewer threads all goes on, slower.
            thread.spawn(move || deck.serve(member)).is_ok()
        };
        let threads = (1..=threads).filter(|&member| start(member)).count();
        Self { deck, threads }
    }

    /// Runs `work`, whose loops are run by the crew. Only one thread may do so at a time.
    ///
    /// * `pool` — what runs what is no loop
    pub(super) fn lead<R>(&self, pool: &ThreadPool, work: impl FnOnce() -> R) -> R {
        let _role = take_role(Role::Leads(self, pool));
        work()
    }

    /// Calls `body` with ranges that together are `0..count`.
    fn run(&self, count: usize, body: Body<'_>) {
        // Of what is one part the loops inside are the crew's.
        if count < 2 || self.threads == 0 || u32::try_from(count).is_err() {
            if count > 0 {
                body(0..count);
            }
            return;
        }
        let _role = take_role(Role::Inside);
        let deck = &*self.deck;
        let last = deck.state.load(Ordering::Relaxed) >> 32;
        // Never 0, which marks shares of no loop.
        let number = last % u64::from(u32::MAX) + 1;
        let task = Task {
            // SAFETY: only the lifetime changes; nobody calls it after this function has returned.
            body: unsafe { std::mem::transmute::<Body<'_>, Body<'static>>(body) },
            count,
            number,
        };
        // SAFETY: the last loop was closed, and all who had joined it have left.
        unsafe { *deck.task.get() = task };
        // In one order with `asleep`, so that nobody falls asleep over it.
        deck.state.store(number << 32 | OPEN, Ordering::SeqCst);
        deck.wake(count - 1);
        deck.work(&task, 0);
        deck.close();
        let panic = deck.lock_panic().take();
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }
}

impl Drop for Crew {
    // Threads end by themselves and are not waited for: in a process that was forked there are none.
    fn drop(&mut self) {
        self.deck.ends.store(true, Ordering::SeqCst);
        drop(self.deck.lock_sleep());
        self.deck.wake.notify_all();
    }
}

impl Deck {
    /// What a thread of the crew does.
    fn serve(&self, member: usize) {
        ROLE.set(Role::Inside);
        let mut last = 0;
        while let Some(state) = self.wait(last) {
            let joined =
                self.state
                    .compare_exchange(state, state + 1, Ordering::AcqRel, Ordering::Relaxed);
            if joined.is_err() {
                continue;
            }
            last = state >> 32;
            // SAFETY: it was written before the loop was opened, and is not before all who have joined have left.
            let task = unsafe { *self.task.get() };
            self.work(&task, member);
            self.state.fetch_sub(1, Ordering::Release);
        }
    }

    /// The state when another loop than the last is open; `None` at the end.
    fn wait(&self, last: u64) -> Option<u64> {
        let is_new = |state: u64| state & OPEN != 0 && state >> 32 != last;
        loop {
            for look in 0..LOOKS {
                if self.ends.load(Ordering::Relaxed) {
                    return None;
                }
                let state = self.state.load(Ordering::Relaxed);
                if is_new(state) {
                    return Some(state);
                }
                (0..PAUSES).for_each(|_| spin_loop());
                if look >= EAGER_LOOKS {
                    thread::yield_now();
                }
            }
            let guard = self.lock_sleep();
            self.asleep.fetch_add(1, Ordering::SeqCst);
            let is_quiet =
                !is_new(self.state.load(Ordering::SeqCst)) && !self.ends.load(Ordering::SeqCst);
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

    /// Wakes at most so many threads.
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
                    // SAFETY: this thread leads the loop or has joined it.
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
        let mut state = self.state.fetch_and(!OPEN, Ordering::AcqRel);
        let mut looks = 0;
        while state & JOINED != 0 {
            spin_loop();
            looks += 1;
            if looks > EAGER_LOOKS * PAUSES {
                thread::yield_now();
            }
            state = self.state.load(Ordering::Acquire);
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
    use std::time::Duration;

    use super::*;

    fn pool() -> ThreadPool {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(2);
        builder.build().unwrap()
    }

    /// How often each index came.
    fn times(count: usize) -> Vec<AtomicU32> {
        (0..count).map(|_| AtomicU32::new(0)).collect()
    }

    #[test]
    fn each_index_comes_once_in_every_loop() {
        for threads in [0, 1, 3, 7] {
            let crew = Crew::new(threads);
            crew.lead(&pool(), || {
                for round in 0..300 {
                    let count = round * 7 % 130;
                    let seen = times(count);
                    assert!(run_led(count, &|range| {
                        for index in range {
                            seen[index].fetch_add(1, Ordering::Relaxed);
                        }
                    }));
                    assert!(seen.iter().all(|times| times.load(Ordering::Relaxed) == 1));
                }
            });
        }
    }

    #[test]
    fn threads_that_sleep_are_woken() {
        let crew = Crew::new(2);
        crew.lead(&pool(), || {
            for _ in 0..3 {
                thread::sleep(Duration::from_millis(20));
                let here = thread::current().id();
                let others = AtomicU32::new(0);
                run_led(6, &|range| {
                    let is_other = thread::current().id() != here;
                    others.fetch_add(u32::from(is_other), Ordering::Relaxed);
                    thread::sleep(Duration::from_millis(20) * range.len() as u32);
                });
                assert!(others.load(Ordering::Relaxed) > 0);
            }
        });
    }

    #[test]
    fn loops_inside_of_loops_are_run_where_they_begin() {
        let crew = Crew::new(2);
        let sum = AtomicU32::new(0);
        crew.lead(&pool(), || {
            run_led(50, &|outer| {
                for _ in outer {
                    let here = thread::current().id();
                    assert!(run_led(10, &|inner| {
                        assert_eq!(thread::current().id(), here);
                        sum.fetch_add(inner.len() as u32, Ordering::Relaxed);
                    }));
                }
            });
        });
        assert_eq!(sum.load(Ordering::Relaxed), 500);
        assert!(!run_led(1, &|_| ()), "nobody leads here any more");
    }

    #[test]
    fn loops_inside_of_a_single_part_have_all_threads() {
        let crew = Crew::new(1);
        let here = thread::current().id();
        let others = AtomicU32::new(0);
        crew.lead(&pool(), || {
            run_led(1, &|_| {
                run_led(4, &|range| {
                    let is_other = thread::current().id() != here;
                    others.fetch_add(u32::from(is_other), Ordering::Relaxed);
                    thread::sleep(Duration::from_millis(20) * range.len() as u32);
                });
            });
        });
        assert!(others.load(Ordering::Relaxed) > 0);
    }

    #[test]
    fn what_is_no_loop_has_as_many_threads_as_the_pool() {
        let crew = Crew::new(1);
        let threads = crew.lead(&pool(), || in_pool(rayon::current_num_threads));
        assert_eq!(threads, 2);
    }

    #[test]
    fn a_panic_in_a_loop_reaches_its_leader_and_the_crew_goes_on() {
        let crew = Crew::new(3);
        for place in [0, 40, 99] {
            let fails = AssertUnwindSafe(|| {
                crew.lead(&pool(), || {
                    run_led(100, &|range| assert!(!range.contains(&place), "here"))
                });
            });
            let told = catch_unwind(fails).unwrap_err();
            assert_eq!(told.downcast_ref::<&str>(), Some(&"here"));
            let sum = AtomicUsize::new(0);
            crew.lead(&pool(), || {
                run_led(100, &|range| {
                    sum.fetch_add(range.sum(), Ordering::Relaxed);
                });
            });
            assert_eq!(sum.load(Ordering::Relaxed), 4950);
        }
    }
}
