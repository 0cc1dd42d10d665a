// The worker as the page sees it: it is asked and tells, and is ended if it does not answer any more.
import { Threads } from "./threads.js";

/** Time between two questions whether the worker still answers [ms]. */
const BEAT = 1000;

/** How many of them in a row may stay without an answer; tests change it. */
export const limits = { beats: 20 };

export class Simulation {
  /**
   * @param engine a promise of the compiled engine and of the number of its threads: { module, threads }
   * @param hear called with everything that the worker tells
   * @param ended called after the worker was ended, with why
   */
  constructor(engine, hear, ended) {
    Object.assign(this, { engine, hear, ended });
    this.files = new Map();
    this.waiting = new Map();
    this.#start();
    setInterval(() => this.#beat(), BEAT);
  }

  /** Tells the worker something. */
  tell(message, transfer = []) {
    this.worker.postMessage(message, transfer);
  }

  /** Asks the worker for something; resolves with its answer. */
  ask(question) {
    const number = (this.last = (this.last ?? 0) + 1);
    this.tell({ ask: { number, ...question } });
    return new Promise((resolve, reject) => this.waiting.set(number, { resolve, reject }));
  }

  /** Adds a file that scenes may name, by its path. */
  addFile(path, bytes) {
    if (this.files.get(path) === bytes) return;
    this.files.set(path, bytes);
    this.tell({ file: { path, bytes } });
  }

  /** Ends the worker, whatever it does, and starts a new one with the same files. */
  renew(why) {
    this.worker.terminate();
    this.threads?.end();
    for (const { reject } of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
    this.#start();
    for (const [path, bytes] of this.files) this.tell({ file: { path, bytes } });
    this.ended(why);
  }

  #start() {
    const worker = new Worker("worker.js", { type: "module" });
    this.worker = worker;
    this.unanswered = 0;
    this.isLoaded = false;
    worker.onmessage = ({ data }) => {
      if (worker !== this.worker) return;
      this.unanswered = 0;
      this.isLoaded ||= Boolean(data.alive);
      if (data.thread) this.threads.start(data.thread);
      else if (data.answer) this.#answered(data.answer);
      else if (data.broken) this.#failed(data.broken);
      else if (!data.alive) this.hear(data);
    };
    worker.onerror = (event) => this.renew(event.message || "the worker failed");
    // What is sent meanwhile waits in the worker, which takes messages in their order.
    this.engine.then((engine) => worker === this.worker && this.#load(engine)).catch((error) => this.hear({ error: error.message }));
  }

  /** An engine that does not even load would not load in another worker. */
  #failed(why) {
    if (this.isLoaded) this.renew(why);
    else this.hear({ error: why });
  }

  #load({ module, threads }) {
    this.threads = threads > 1 ? new Threads(module, (why) => this.#failed(why)) : undefined;
    const { memory, numbers } = this.threads ?? {};
    this.worker.postMessage({ module, threads, memory, numbers });
  }

  #answered({ number, value, error }) {
    const { resolve, reject } = this.waiting.get(number) ?? {};
    this.waiting.delete(number);
    if (error !== undefined) reject?.(new Error(error));
    else resolve?.(value);
  }

  /** Counts beats, not time: those of a page in the background come seldom. */
  #beat() {
    if (this.unanswered >= limits.beats) {
      const seconds = (limits.beats * BEAT) / 1000;
      this.renew(`the engine gave no answer for ${seconds} s and was ended: the scene is too large, or its steps too costly, for a page`);
      return;
    }
    this.unanswered += 1;
    this.tell({ beat: true });
  }
}
