// A particle of a run that is followed: its quantities in the frame that is shown, and its path through all frames.
import { short } from "./legend.js";

export class Followed {
  /**
   * @param panel an element for the quantities
   * @param path a polyline and a circle over the picture: { line, ring }
   * @param read called with a frame's number and a particle's id; resolves with what the frame says of it
   */
  constructor(panel, path, read) {
    Object.assign(this, { panel, path, read });
    /** Where it is in the frames that were read, by their numbers; nothing in frames without it. */
    this.places = new Map();
    /** Counts what has changed in the picture. */
    this.changes = 0;
    this.#tell("Click on a particle to follow it.");
  }

  /** Follows a particle from now on, or none. */
  async follow(id, frames, shown) {
    this.id = id;
    this.places.clear();
    this.changes += 1;
    if (id === undefined) return this.#tell("Click on a particle to follow it.");
    await this.show(shown);
    await this.go(frames);
  }

  /** Shows what a frame says of it. */
  async show(frame) {
    const { id } = this;
    if (id === undefined) return;
    this.shown = frame;
    const told = await this.read(frame, id);
    // Another particle or another frame may be wanted by now.
    if (id !== this.id || frame !== this.shown) return;
    this.#note(frame, told);
    this.#list(told);
  }

  /** Reads its path through these frames, one after the other: what was read once is known. */
  async go(frames) {
    this.frames = frames;
    if (this.isReading) return;
    this.isReading = true;
    try {
      for (let frame = this.#unread(); frame !== undefined; frame = this.#unread()) {
        const { id } = this;
        const told = await this.read(frame, id);
        if (id === this.id) this.#note(frame, told);
      }
    } finally {
      this.isReading = false;
    }
  }

  #unread() {
    return this.id === undefined ? undefined : this.frames.find((frame) => !this.places.has(frame));
  }

  #note(frame, told) {
    this.places.set(frame, told?.position);
    this.changes += 1;
  }

  /** Draws the path in a picture of this size, through a camera. */
  draw(camera, width, height) {
    const { line, ring } = this.path;
    const on = (point) => point && camera.isBefore(point) && camera.seenAt(point, width / height).map((x, axis) => (axis ? 0.5 * (1 - x) * height : 0.5 * (1 + x) * width));
    const points = this.id === undefined ? [] : (this.frames ?? []).map((frame) => on(this.places.get(frame))).filter(Boolean);
    line.setAttribute("points", points.map((point) => point.map((x) => x.toFixed(1)).join()).join(" "));
    const here = this.id !== undefined && on(this.places.get(this.shown));
    ring.toggleAttribute("hidden", !here);
    if (here) ["cx", "cy"].forEach((name, axis) => ring.setAttribute(name, here[axis]));
  }

  #tell(message) {
    const paragraph = Object.assign(document.createElement("p"), { textContent: message });
    this.panel.replaceChildren(paragraph);
  }

  #list(told) {
    const heading = Object.assign(document.createElement("h2"), { textContent: `Particle ${this.id}${told ? ` of ${told.body}` : ""}` });
    const leave = Object.assign(document.createElement("button"), { type: "button", textContent: "Leave" });
    leave.onclick = () => this.follow(undefined);
    const table = document.createElement("table");
    for (const { name, unit, value } of told?.quantities ?? []) {
      const row = table.insertRow();
      const head = Object.assign(document.createElement("th"), { scope: "row", textContent: name.replaceAll("_", " ") });
      row.append(head);
      for (const text of [short(value), unit]) row.insertCell().textContent = text;
    }
    const absent = Object.assign(document.createElement("p"), { textContent: "It is not in this frame.", hidden: Boolean(told) });
    this.panel.replaceChildren(heading, leave, absent, table);
  }
}
