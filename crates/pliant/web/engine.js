// The engine: a WebAssembly module and its functions. Runs in a page, in a worker and in Node.
import { columns } from "./columns.js";
import { systemOf } from "./threads.js";

/** A scene that cannot be opened or stepped; its message is the engine's. */
export class SceneError extends Error {}

export class Engine {
  /**
   * Of the bytes of the module, of a response that brings them, or of the compiled module. That with threads takes
   * `threads`, how many; `memory`, which they share; and `spawn`, which starts one of them: see threads.js.
   */
  static async load(source, { threads = 1, memory, spawn } = {}) {
    const imports = memory ? systemOf(memory, spawn) : { env: { now: () => performance.now() } };
    const isResponse = typeof Response !== "undefined" && source instanceof Response;
    const loaded = await (isResponse
      ? WebAssembly.instantiateStreaming(source, imports)
      : WebAssembly.instantiate(source, imports));
    const { exports } = loaded.instance ?? loaded;
    exports._initialize?.();
    return new Engine(exports, threads);
  }

  constructor(exports, threads) {
    this.exports = functionsOf(exports);
    this.#check(this.#call("start", threads));
  }

  /** Adds a file that scenes may name, by its path from the root. */
  addFile(path, bytes) {
    this.#check(this.#call("add_file", this.#put(path, bytes)));
  }

  /**
   * Opens a scene from its text; files that it names start from the folder of `path`. With `hand` it can be touched;
   * `set` are "KEY=VALUE" in place of its values.
   * Returns what is known of it: title, duration, particles, memory, cameras, colours, bodies, values, warnings.
   */
  open(path, text, { hand = false, set = [] } = {}) {
    for (const assignment of set) {
      this.#put("", encoded(assignment));
      this.#check(this.#call("set_at_opening"));
    }
    this.#check(this.#call("open", this.#put(path, encoded(text)), hand ? 1 : 0));
    return JSON.parse(this.#message());
  }

  /** The JSON Schema of scene files. */
  schema() {
    this.#call("schema");
    return JSON.parse(this.#message());
  }

  /**
   * Changes a value of the scene before the next frame, "KEY=VALUE". Returns what is known of the scene then. An error
   * of a change that needs a new start has `needsRestart`.
   */
  set(assignment) {
    this.#put("", encoded(assignment));
    const failed = this.#call("set");
    if (failed) throw Object.assign(new SceneError(this.#message()), { needsRestart: failed === 2 });
    return JSON.parse(this.#message());
  }

  /** Advances by one substep outside of frames. */
  substep() {
    this.#check(this.#call("substep"));
  }

  /** Advances by one substep of the frame that the scene is in. */
  advance() {
    this.#check(this.#call("advance"));
  }

  /** Whether no frame is half done: then the scene can be touched. */
  get isBetweenFrames() {
    return this.exports.is_between_frames() === 1;
  }

  /** Takes hold of what is near a point [m]. */
  grab([x, y, z]) {
    this.#check(this.#call("grab", x, y, z));
  }

  get isHolding() {
    return this.exports.is_holding() === 1;
  }

  /** Leads what is held to a point [m] during the next frame. */
  move([x, y, z]) {
    this.#check(this.#call("move_to", x, y, z));
  }

  release() {
    this.#check(this.#call("release"));
  }

  /** A ball of a body of this name falls from a point [m], where there is room. */
  pour(body, [x, y, z]) {
    this.#put("", encoded(body));
    this.#check(this.#call("pour", x, y, z));
  }

  /** Cuts with a flat piece of four corners, in turn [m]. */
  cut(corners) {
    this.#put("", new Uint8Array(new Float64Array(corners.flat()).buffer));
    this.#check(this.#call("cut"));
  }

  /** What was done since the start, as a file that `pliant live --replay` and [`replay`] do again. */
  inputs() {
    this.#check(this.#call("inputs"));
    return this.#message();
  }

  /** Starts again, and does what such a file says. */
  replay(text) {
    this.#put("", encoded(text));
    this.#check(this.#call("replay"));
  }

  /** The bytes of a particle file of the moment: "ply" or "vtk". */
  particles(format) {
    this.#put("", encoded(format));
    this.#check(this.#call("write_particles"));
    return this.#output();
  }

  /** Advances by one frame, as the command does. */
  frame() {
    this.#check(this.#call("frame"));
  }

  /** Puts the scene back to its start. */
  restart() {
    this.#call("restart");
  }

  /** Simulated time [s]. */
  get time() {
    return this.exports.time();
  }

  /** Substeps since the start. */
  get substeps() {
    return Number(this.exports.substeps());
  }

  /** Hashes of the state, as `pliant fingerprint` prints them. */
  hashes() {
    const hex = (hash) => BigInt.asUintN(64, hash).toString(16).padStart(16, "0");
    return { motion: hex(this.exports.motion_hash()), state: hex(this.exports.state_hash()) };
  }

  /** Colours particles by "body", "material", "fragment" or a quantity from now on. */
  colorBy(name) {
    this.#put("", encoded(name));
    this.#check(this.#call("color_by"));
  }

  /** The bytes of the moment as it is now, a copy: see columns.js. */
  picture() {
    this.#check(this.#call("picture"));
    const { picture_bytes, picture_length } = this.exports;
    return this.#copy(picture_bytes(), picture_length()).buffer;
  }

  /** The moment as it is now, as columns. */
  view() {
    return columns(this.picture());
  }

  /** Measures these columns of statistics and probes, now and after each frame. */
  plot(names) {
    this.#put("", encoded(names.join("\n")));
    this.#check(this.#call("plot"));
  }

  /** What was measured since the last time, one number after the other: of each moment its time, and a value of each column. */
  takeRows() {
    this.#call("take_rows");
    return new Float64Array(this.#output().buffer);
  }

  #output() {
    const { output, output_length } = this.exports;
    return this.#copy(output(), output_length());
  }

  /** Bytes of the memory, as they are now: other threads may share it, and who reads them may not. */
  #copy(address, length) {
    return new Uint8Array(this.exports.memory.buffer, address, length).slice();
  }

  /** Puts a path and bytes into the input; returns the length of the path in it. */
  #put(path, bytes) {
    const name = encoded(path);
    const address = this.exports.input(name.length + bytes.length);
    const input = new Uint8Array(this.exports.memory.buffer, address, name.length + bytes.length);
    input.set(name);
    input.set(bytes, name.length);
    return name.length;
  }

  /** Calls a function; a trap becomes an error that says what the engine said last. */
  #call(name, ...values) {
    try {
      return this.exports[name](...values);
    } catch (trap) {
      throw new Error(`the engine stopped in ${name}: ${this.#message() || trap.message}`, { cause: trap });
    }
  }

  #check(failed) {
    if (failed) throw new SceneError(this.#message());
  }

  #message() {
    return messageOf(this.exports);
  }
}

/** The functions of the engine by their names, and its memory. */
export function functionsOf(exports) {
  return Object.fromEntries(Object.entries(exports).map(([name, value]) => [name.replace(/^pliant_/, ""), value]));
}

/** What the engine said last to the thread that asks. */
export function messageOf({ message, message_length, memory }) {
  return new TextDecoder().decode(new Uint8Array(memory.buffer, message(), message_length()).slice());
}

const encoded = (text) => new TextEncoder().encode(text);
