// The hand on the picture: it orbits, pans, drags what it meets, cuts and pours; by pointer and by keys.
import { cross, dot, minus, plus } from "./matrices.js";

const along = ({ from, toward }, distance) => plus(from, toward, distance);

/** A ray this part of its length beside a particle still meets it: fingers are wide. */
const NEAR_MISS = 0.012;
/** How far a click may go [halves of the picture]. */
const CLICK = 0.01;
/** Part of the picture by which a key moves the hand. */
const KEY_STEP = 0.05;

/**
 * Where a ray meets the first loose particle, surface or rigid body: the point [m], and the number of the particle if it
 * is one; nothing if it meets none.
 */
export function pick({ spheres, vertices, triangles, rigidCorners }, ray) {
  const corner = (columns, k) => [columns[3 * k], columns[3 * k + 1], columns[3 * k + 2]];
  const onRigid = meetTriangles(rigidCorners.length / 9, (k) => [0, 1, 2].map((place) => corner(rigidCorners, 3 * k + place)), ray);
  const onSurface = meetTriangles(triangles.length / 3, (k) => [0, 1, 2].map((place) => corner(vertices, triangles[3 * k + place])), ray);
  let nearest = Math.min(onRigid, onSurface);
  let met = nearest < Infinity ? { point: along(ray, nearest) } : undefined;
  for (let k = 0; k < spheres.length; k += 4) {
    const center = [spheres[k], spheres[k + 1], spheres[k + 2]];
    const away = minus(center, ray.from);
    const distance = dot(away, ray.toward);
    const room = Math.max(1.5 * spheres[k + 3], NEAR_MISS * distance);
    if (distance <= 0 || distance > nearest || dot(away, away) - distance * distance > room * room) continue;
    nearest = distance;
    met = { point: center, particle: k / 4 };
  }
  return met;
}

/** The distance at which a ray meets the first of so many triangles [m], `Infinity` if none: Möller and Trumbore 1997. */
function meetTriangles(count, triangle, { from, toward }) {
  let nearest = Infinity;
  for (let k = 0; k < count; k++) {
    const [a, b, c] = triangle(k);
    const [ab, ac] = [minus(b, a), minus(c, a)];
    const across = cross(toward, ac);
    const determinant = dot(ab, across);
    if (determinant === 0) continue;
    const toStart = minus(from, a);
    const u = dot(toStart, across) / determinant;
    const turned = cross(toStart, ab);
    const v = dot(toward, turned) / determinant;
    const distance = dot(ac, turned) / determinant;
    if (u >= 0 && v >= 0 && u + v <= 1 && distance > 0) nearest = Math.min(nearest, distance);
  }
  return nearest;
}

/** Points of everything that can be held: loose particles, vertices, corners of rigid bodies. */
export function* held({ spheres, vertices, rigidCorners }) {
  for (let k = 0; k < spheres.length; k += 4) yield [spheres[k], spheres[k + 1], spheres[k + 2]];
  for (let k = 0; k < vertices.length; k += 3) yield [vertices[k], vertices[k + 1], vertices[k + 2]];
  // The middle of each triangle.
  for (let k = 0; k < rigidCorners.length; k += 9) yield [0, 1, 2].map((axis) => (rigidCorners[k + axis] + rigidCorners[k + 3 + axis] + rigidCorners[k + 6 + axis]) / 3);
}

export class Touch {
  /**
   * @param scene tells what is seen: `seen`, `isCutting`, the body that is `poured`, if one is, and whether it
   *   `isRecorded`, so that nothing can be done to it
   * @param tell called with { grab }, { move }, { release }, { cut } or { pour }, or with { pick }: the number of a
   *   loose particle of what was recorded
   */
  constructor(canvas, overlay, camera, scene, tell) {
    Object.assign(this, { canvas, overlay, camera, scene, tell });
    this.pointers = new Map();
    canvas.onpointerdown = (event) => this.#begin(event);
    canvas.onpointermove = (event) => this.#drag(event);
    canvas.onpointerup = (event) => this.#end(event);
    canvas.onpointercancel = (event) => this.#end(event, true);
    canvas.oncontextmenu = (event) => event.preventDefault();
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      camera.zoom(Math.exp(0.001 * event.deltaY));
    }, { passive: false });
  }

  /** Forgets what was begun: another scene is there. */
  forget() {
    this.drag = undefined;
    this.#mark();
  }

  /** Acts on a key; false if it is none of the hand's. */
  press(event) {
    const { camera } = this;
    const [right, up] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key] ?? [];
    const isHeld = this.drag?.kind === "hold";
    if (right !== undefined && isHeld) this.#lead([this.drag.at[0] + KEY_STEP * right, this.drag.at[1] + KEY_STEP * up]);
    else if (right !== undefined && event.shiftKey) camera.pan(-KEY_STEP * right, KEY_STEP * up, this.#aspect);
    else if (right !== undefined) camera.orbit(-0.1 * right, 0.1 * up);
    else if (event.key === "+") camera.zoom(0.8);
    else if (event.key === "-") camera.zoom(1.25);
    else if (event.key === "h" && isHeld) this.#letGo();
    else if (event.key === "h" && this.scene.isRecorded) this.#choose(this.#nearestToMiddle());
    else if (event.key === "h") this.#hold(this.#nearestToMiddle());
    else if (this.scene.isRecorded) return false;
    else if (event.key === "c") this.#cut([0, -0.95], [0, 0.95]);
    else if (event.key === "p" && this.scene.poured && !this.drag) {
      this.drag = this.#pouring([0, 0.3]);
      this.#pour([0, 0.3]);
      this.#stopPouring();
    } else return false;
    return true;
  }

  get #aspect() {
    return this.canvas.clientWidth / Math.max(1, this.canvas.clientHeight);
  }

  /** The place of an event in the picture, -1 to 1 to the right and up. */
  #place(event) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    return [(2 * (event.clientX - left)) / width - 1, 1 - (2 * (event.clientY - top)) / height];
  }

  #begin(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.pointers.size > 1) {
      // A second finger zooms and pans.
      if (this.drag?.kind === "hold") this.#letGo();
      if (this.drag?.kind === "pour") this.#stopPouring();
      this.drag = { kind: "pinch", ...this.#pinch() };
      return;
    }
    const at = this.#place(event);
    if (this.scene.poured && event.button === 0 && !event.ctrlKey && !event.shiftKey) {
      this.drag = this.#pouring(at);
      this.#pour(at);
    } else if (event.button > 0) this.drag = { kind: "pan" };
    else if (this.scene.isRecorded) this.drag = { kind: "orbit", start: at };
    else if (event.shiftKey || this.scene.isCutting) this.drag = { kind: "cut", start: at };
    else if (event.ctrlKey || !this.#hold(at)) this.drag = { kind: "orbit" };
  }

  #drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before || !this.drag) return;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    const at = this.#place(event);
    const { kind } = this.drag;
    if (kind === "orbit") this.camera.orbit(0.006 * (event.clientX - before[0]), 0.006 * (event.clientY - before[1]));
    if (kind === "pan") this.#pan(event.clientX - before[0], event.clientY - before[1]);
    if (kind === "hold") this.#lead(at);
    if (kind === "cut") this.#mark(this.drag.start, at);
    if (kind === "pour") this.#pour(at);
    if (kind === "pinch" && this.pointers.size > 1) {
      const { apart, middle } = this.#pinch();
      this.camera.zoom(this.drag.apart / Math.max(1, apart));
      this.#pan(middle[0] - this.drag.middle[0], middle[1] - this.drag.middle[1]);
      Object.assign(this.drag, { apart, middle });
    }
  }

  #end(event, isBrokenOff = false) {
    if (!this.pointers.delete(event.pointerId)) return;
    if (this.drag?.kind === "hold") this.#letGo();
    if (this.drag?.kind === "pour") this.#stopPouring();
    if (this.drag?.kind === "cut" && !isBrokenOff) this.#cut(this.drag.start, this.#place(event));
    if (this.drag?.kind === "orbit" && this.drag.start && !isBrokenOff) this.#click(this.#place(event));
    this.forget();
  }

  /** How far two fingers are apart, and where their middle is. */
  #pinch() {
    const [a, b] = [...this.pointers.values()];
    return { apart: Math.hypot(a[0] - b[0], a[1] - b[1]), middle: a.map((x, axis) => 0.5 * (x + b[axis])) };
  }

  /** Shifts the picture by pixels. */
  #pan(across, down) {
    const height = Math.max(1, this.canvas.clientHeight);
    this.camera.pan(across / height, down / height, this.#aspect);
  }

  /** What is met at a place of the picture, if anything is. */
  #met(at) {
    const { seen } = this.scene;
    return at && seen && pick(seen, this.camera.ray(at, this.#aspect));
  }

  /** A drag that ends where it began is a click. */
  #click(at) {
    if (Math.hypot(...minus(at, this.drag.start)) < CLICK) this.#choose(at);
  }

  /** Chooses the particle at a place of the picture, if one is there. */
  #choose(at) {
    const particle = this.#met(at)?.particle;
    if (particle !== undefined) this.tell({ pick: particle });
  }

  /** Takes hold of what is at a place of the picture; false if nothing is. */
  #hold(at) {
    const point = this.#met(at)?.point;
    if (!point) return false;
    this.drag = { kind: "hold", point, at };
    this.tell({ grab: point });
    this.#mark(at, at);
    return true;
  }

  /** The place in the picture of what can be held and is nearest to its middle. */
  #nearestToMiddle() {
    const { seen } = this.scene;
    let [nearest, found] = [Infinity, undefined];
    for (const point of seen ? held(seen) : []) {
      const at = this.camera.seenAt(point, this.#aspect);
      if (Math.hypot(...at) < nearest) [nearest, found] = [Math.hypot(...at), at];
    }
    return found;
  }

  /** A drag that pours, as deep in the picture as the particle that it begins on, or as the middle. */
  #pouring(at) {
    return { kind: "pour", point: this.#met(at)?.point ?? this.camera.target };
  }

  /** The point at a place of the picture, in the plane that faces the eye through another point. */
  #beside(point, at) {
    const { back, eye } = this.camera.axes();
    const ray = this.camera.ray(at, this.#aspect);
    const depth = -dot(minus(point, eye), back);
    return along(ray, depth / -dot(ray.toward, back));
  }

  #pour(at) {
    this.tell({ pour: { body: this.scene.poured, at: this.#beside(this.drag.point, at) } });
    this.#mark(at, at);
  }

  #stopPouring() {
    this.tell({ pour: null });
    this.forget();
  }

  /** Leads what is held to a place of the picture, in the plane that faces the eye. */
  #lead(at) {
    const point = this.#beside(this.drag.point, at);
    this.drag = { kind: "hold", point, at };
    this.tell({ move: point });
    this.#mark(at, at);
  }

  #letGo() {
    this.tell({ release: true });
    this.forget();
  }

  /** Cuts along a stroke: the piece between two rays, from before the eye to behind the scene. */
  #cut(start, end) {
    this.#mark();
    if (Math.hypot(end[0] - start[0], end[1] - start[1]) < 0.02) return;
    const [first, last] = [start, end].map((at) => this.camera.ray(at, this.#aspect));
    const [near, far] = [0.05 * this.camera.distance, 4 * this.camera.distance];
    this.tell({ cut: [along(first, near), along(last, near), along(last, far), along(first, far)] });
  }

  /** Draws the stroke or the hand; nothing without places. */
  #mark(start, end) {
    const line = this.overlay.querySelector("line");
    line.toggleAttribute("hidden", !start);
    if (!start) return;
    line.classList.toggle("point", start === end);
    const percent = ([x, y]) => [`${50 + 50 * x}%`, `${50 - 50 * y}%`];
    const [[x1, y1], [x2, y2]] = [percent(start), percent(end)];
    for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value);
  }
}
