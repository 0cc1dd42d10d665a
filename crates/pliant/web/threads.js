// What the module with several threads needs: a memory that they share, what its C library asks a system for, and
// workers for its threads. Without files, an environment or an output: the engine uses none.

/** Bytes of a page of memory, and how many a module starts with: `--initial-memory` in .cargo/config.toml. */
const PAGE = 65536;
const FIRST = 32 << 20;
/** What a memory may grow to [bytes], the first of them that the browser sets aside. */
const MOST = [4 * 1024 ** 3, 2 * 1024 ** 3, 1024 ** 3];

/** Answers of the system: done, no such file is open, no such file. */
const [DONE, NOT_OPEN, NOT_FOUND] = [0, 8, 44];

/** A memory for the module with threads. */
export function sharedMemory() {
  let failure;
  for (const most of MOST) {
    try {
      return new WebAssembly.Memory({ initial: FIRST / PAGE, maximum: most / PAGE, shared: true });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * What the module with threads imports. `spawn(start)` starts a thread, which is known to the engine by the address
 * `start`, and returns a number of its own, 1 or more.
 */
export function systemOf(memory, spawn) {
  const view = () => new DataView(memory.buffer);
  const done = (act) => (...values) => {
    act(...values);
    return DONE;
  };
  const notOpen = () => NOT_OPEN;
  const notFound = () => NOT_FOUND;
  return {
    env: { memory },
    wasi: { "thread-spawn": spawn },
    wasi_snapshot_preview1: {
      // One clock for all threads [ns].
      clock_time_get: done((_id, _precision, at) => view().setBigUint64(at, BigInt(Math.round(1e6 * (performance.timeOrigin + performance.now()))), true)),
      random_get: done((at, length) => new Uint8Array(memory.buffer, at, length).set(crypto.getRandomValues(new Uint8Array(length)))),
      environ_get: done(() => {}),
      environ_sizes_get: done((count, bytes) => {
        view().setUint32(count, 0, true);
        view().setUint32(bytes, 0, true);
      }),
      sched_yield: done(() => {}),
      proc_exit: (code) => {
        throw new Error(`the engine ended with ${code}`);
      },
      fd_close: notOpen,
      fd_fdstat_get: notOpen,
      fd_filestat_get: notOpen,
      fd_prestat_get: notOpen,
      fd_prestat_dir_name: notOpen,
      fd_read: notOpen,
      fd_sync: notOpen,
      fd_write: notOpen,
      path_filestat_get: notFound,
      path_open: notFound,
      path_rename: notFound,
      path_unlink_file: notFound,
    },
  };
}

/** Whether there may be such a memory: phones may have no room for what it may grow to. */
export function mayShare() {
  try {
    return Boolean(globalThis.crossOriginIsolated && sharedMemory());
  } catch {
    return false;
  }
}

/**
 * How many threads a page takes of a processor's: as many as are asked for, or half of them, since they are often two a
 * core, and no more than scenes for pages gain from.
 */
export function threadsOf(processor, asked) {
  const wanted = Number(asked) || Math.min(4, Math.floor(processor / 2));
  return Math.max(1, Math.min(Math.trunc(wanted), processor));
}

/** Workers for the threads of an engine, made by the page: the worker that steps the scene waits for them. */
export class Threads {
  /**
   * @param module the compiled module
   * @param failed called with why a thread has ended
   */
  constructor(module, failed) {
    Object.assign(this, { module, failed });
    this.memory = sharedMemory();
    /** The number of the next thread. */
    this.numbers = new Int32Array(new SharedArrayBuffer(4)).fill(1);
    this.workers = [];
    /** Workers whose threads have ended. */
    this.free = [];
  }

  /** Starts a thread that the engine has asked for. */
  start(thread) {
    const worker = this.free.pop() ?? this.#worker();
    worker.postMessage({ run: thread });
  }

  /** Ends all threads, whatever they do. */
  end() {
    for (const worker of this.workers) worker.terminate();
    this.workers = [];
  }

  #worker() {
    const worker = new Worker("thread.js", { type: "module" });
    this.workers.push(worker);
    worker.onmessage = ({ data }) => {
      if (data.thread) this.start(data.thread);
      else if (data.broken) this.failed(data.broken);
      else this.free.push(worker);
    };
    worker.onerror = (event) => this.failed(event.message || "a thread failed");
    worker.postMessage({ module: this.module, memory: this.memory, numbers: this.numbers });
    return worker;
  }
}

/** The function by which an engine starts threads in workers of the page. */
export const spawnOf = (numbers) => (start) => {
  const number = Atomics.add(numbers, 0, 1);
  postMessage({ thread: { number, start } });
  return number;
};
