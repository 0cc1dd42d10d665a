// Statistics and probes as they grow.
import { short } from "./legend.js";

/** Rows that are kept; of more every second one is left out. */
const MOST_ROWS = 600;
const COLORS = ["#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#f0e442"];
/** Size of the drawing in its own units. */
const [WIDTH, HEIGHT] = [300, 80];

const svg = (name, attributes) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

export class Plots {
  /**
   * @param list an element for the plots
   * @param choice a list of columns to choose from
   * @param choose called with the names of the columns that are to be measured
   */
  constructor(list, choice, choose) {
    Object.assign(this, { list, choice, choose });
    /** Nothing until a scene says what is in view before anybody has chosen. */
    this.chosen = undefined;
    this.rows = [];
    choice.onchange = () => {
      const name = choice.value;
      choice.value = "";
      if (name) this.#change(this.chosen.includes(name) ? this.chosen.filter((other) => other !== name) : [...this.chosen, name]);
    };
  }

  /**
   * Takes the columns of another scene, names with units; of those that were plotted the ones that it has too stay.
   * Before the first one it is the gauges, names too.
   */
  open(columns, gauges) {
    this.units = new Map(columns);
    const options = columns.map(([name, unit]) => new Option(unit ? `${name} [${unit}]` : name, name));
    this.choice.replaceChildren(new Option("Plot…", ""), ...options);
    this.#change((this.chosen ?? gauges).filter((name) => this.units.has(name)));
  }

  #change(chosen) {
    this.chosen = chosen;
    this.rows = [];
    this.choose(chosen);
    this.#draw();
  }

  /** Forgets what was measured: the scene starts again. */
  forget() {
    this.rows = [];
    if (this.chosen) this.#draw();
  }

  /** Takes rows, one number after the other: of each moment its time, and a value of each column. */
  take(numbers) {
    const length = (this.chosen?.length ?? 0) + 1;
    // Rows of what was plotted before do not fit.
    if (!numbers.length || length === 1 || numbers.length % length) return;
    for (let k = 0; k < numbers.length; k += length) this.rows.push([...numbers.slice(k, k + length)]);
    while (this.rows.length > MOST_ROWS) this.rows = this.rows.filter((_, k) => k % 2 === 0);
    this.#draw();
  }

  /** Marks a time [s]: that of the frame which is seen. */
  at(time) {
    this.time = time;
    for (const line of this.list.querySelectorAll("line")) this.#mark(line);
  }

  #mark(line) {
    const [first, last] = [this.rows[0]?.[0], this.rows.at(-1)?.[0]];
    const isThere = this.time >= first && this.time <= last;
    line.toggleAttribute("hidden", !isThere);
    const across = isThere ? (WIDTH * (this.time - first)) / (last - first || 1) : 0;
    for (const [name, value] of Object.entries({ x1: across, x2: across, y1: 0, y2: HEIGHT })) line.setAttribute(name, value);
  }

  #draw() {
    this.list.replaceChildren(...this.chosen.map((name, place) => this.#plot(name, place)));
  }

  #plot(name, place) {
    const values = this.rows.map((row) => [row[0], row[place + 1]]).filter(([, value]) => Number.isFinite(value));
    const unit = this.units.get(name);
    const figure = document.createElement("figure");
    const caption = document.createElement("figcaption");
    const last = values.at(-1);
    caption.textContent = `${unit ? `${name} [${unit}]` : name}${last ? `  ${short(last[1])}` : ""}`;
    const close = Object.assign(document.createElement("button"), { type: "button", textContent: "×", title: `Plot ${name} no more` });
    close.onclick = () => this.#change(this.chosen.filter((other) => other !== name));
    caption.append(close);
    const drawing = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": caption.textContent });
    figure.append(caption, drawing);
    if (values.length < 2) return figure;
    const { points, low, high } = curve(values);
    drawing.append(svg("polyline", { points, fill: "none", stroke: COLORS[place % COLORS.length], "stroke-width": 1.5, "vector-effect": "non-scaling-stroke" }));
    const now = svg("line", { stroke: "currentColor", "stroke-width": 1, "vector-effect": "non-scaling-stroke" });
    this.#mark(now);
    drawing.append(now);
    const ends = document.createElement("small");
    ends.textContent = `${short(low)} to ${short(high)}, ${short(values[0][0])} to ${short(last[0])} s`;
    figure.append(ends);
    return figure;
  }
}

/** A curve that fills the drawing, and the least and the greatest value in it. */
export function curve(values) {
  const low = values.reduce((least, [, value]) => Math.min(least, value), Infinity);
  const high = values.reduce((most, [, value]) => Math.max(most, value), -Infinity);
  const [first, last] = [values[0][0], values.at(-1)[0]];
  const across = (time) => (WIDTH * (time - first)) / (last - first || 1);
  const down = (value) => 2 + (HEIGHT - 4) * (1 - (value - low) / (high - low || 1));
  const points = values.map(([time, value]) => `${across(time).toFixed(1)},${down(value).toFixed(1)}`).join(" ");
  return { points, low, high };
}
