// A run that `pliant serve` shows: its frames, fetched as they are asked for, and a timeline.

import { particle, tables } from "./bytes.js";
import { columns } from "./columns.js";

/** Frames that are kept once they were fetched. */
const MOST_KEPT = 64;

/** Time between two looks at a simulation that goes on [ms]. */
const LOOK = 150;

export class Recorded {
  /**
   * @param number of the run, counted from 0
   * @param timeline an input of a range, which shows the frame
   * @param show called with the columns of a frame that is to be seen
   * @param fail called with an error
   * @param grown called when there are other frames than before
   */
  constructor(number, timeline, show, fail, grown) {
    Object.assign(this, { number, timeline, show, fail, grown });
    this.kept = new Map();
    this.place = 0;
    this.look = "color=body";
  }

  /** What is known of the run; its frames are those that there are now. */
  async list() {
    const answer = await fetch("runs.json");
    if (!answer.ok) throw new Error("nothing here shows runs: `pliant serve RUN` does");
    const run = (await answer.json())[this.number];
    if (!run) throw new Error(`there is no run ${this.number} here`);
    const hasGrown = this.frames && (this.frames.length !== run.frames.length || this.frames.at(-1) !== run.frames.at(-1));
    Object.assign(this, run);
    this.timeline.max = String(Math.max(0, this.frames.length - 1));
    if (hasGrown) this.grown();
    return run;
  }

  /** Colours by something else: a name, and the range of a quantity. */
  colorBy({ name, range }) {
    const ends = range ? `&low=${range[0]}&high=${range[1]}` : "";
    this.look = `color=${encodeURIComponent(name)}${ends}`;
    this.kept.clear();
    return this.go(this.place);
  }

  /** Goes to the frame at a place among those that there are. */
  async go(place) {
    const last = this.frames.length - 1;
    this.place = Math.max(0, Math.min(last, place));
    this.timeline.value = String(this.place);
    const asked = this.place;
    try {
      const frame = await this.#frame(asked);
      // Another one may have been asked for meanwhile.
      if (asked !== this.place) return;
      this.shown = frame.number;
      this.show(frame);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Columns of what was measured, by their names. */
  async tables() {
    return tables(await this.#fetched(`runs/${this.number}/tables`));
  }

  /** What a frame says of a particle, by their numbers; nothing if it does not have it. */
  async particle(frame, id) {
    return particle(await this.#fetched(`runs/${this.number}/${frame}/particles/${id}`));
  }

  /** Follows a simulation that goes on: whatever is new is shown while it plays. */
  follow() {
    setInterval(async () => {
      if (!this.start || this.isBusy) return;
      this.isBusy = true;
      try {
        await this.list();
        // Somebody may have gone back meanwhile.
        if (!this.start) return;
        if (this.place !== this.frames.length - 1 || this.shown !== this.frames.at(-1)) await this.go(this.frames.length - 1);
      } catch {
        this.fail(new Error("the program that simulates does not answer"));
      } finally {
        this.isBusy = false;
      }
    }, LOOK);
  }

  /** Plays from where it is, or rests. */
  play(run) {
    this.start = run ? { at: performance.now(), place: this.place === this.frames.length - 1 ? 0 : this.place } : undefined;
    // A run that goes on has more frames now.
    if (run) this.list().catch(this.fail);
  }

  /** Shows what is due while it plays; false once it has come to its end. */
  tick() {
    if (!this.start || this.isBusy || this.isLive) return true;
    const due = this.start.place + Math.floor(((performance.now() - this.start.at) / 1000) * this.frameRate);
    if (due !== this.place) {
      this.isBusy = true;
      this.go(due).finally(() => (this.isBusy = false));
    }
    return due < this.frames.length - 1;
  }

  async #frame(place) {
    const number = this.frames[place];
    const known = this.kept.get(number);
    if (known) return known;
    const { look } = this;
    const frame = columns(await this.#fetched(`runs/${this.number}/${number}?${look}`));
    // Colours may have changed meanwhile.
    if (look === this.look) this.kept.set(number, frame);
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value);
    return frame;
  }

  async #fetched(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(await answer.text());
    return answer.arrayBuffer();
  }
}
