// A camera that orbits a point, or moves with one of the scene, and its matrices.
import { cameraAt, moves } from "./camera_path.js";
import { cross, dot, minus, perspective, placeOf, plus, unit, viewOf } from "./matrices.js";

/** The steepest that it looks down or up. */
const STEEPEST = 1.55;
/** Width over height of a picture from which on it shows as much from top to bottom as the scene says. */
const NARROW = 1.2;

export class OrbitCamera {
  constructor() {
    /** Counts what has changed. */
    this.changes = 0;
    this.upAxis = 1;
    this.extent = 1;
    this.look({ position: [1, 1, 2], target: [0, 0, 0], fieldOfView: 0.7 });
  }

  /** Takes a camera of the scene as it is at a time [s], and moves with it until somebody turns it. */
  follow(path, time) {
    this.path = path;
    this.#goTo(time);
  }

  /** Goes where the path that it follows is at a time [s]; one that stays is left there. */
  moveTo(time) {
    if (this.path && time !== this.time) this.#goTo(time);
  }

  #goTo(time) {
    const { path } = this;
    this.look(cameraAt(path, time));
    this.time = time;
    this.path = moves(path) ? path : undefined;
  }

  /** Stands at a place and looks at another, as far as an orbit can. */
  look({ position, target, fieldOfView }) {
    const away = minus(position, target);
    this.path = undefined;
    this.target = target;
    this.distance = Math.max(1e-9, Math.hypot(...away));
    this.halfAngle = 0.5 * fieldOfView;
    const [side, height, depth] = this.upAxis === 2 ? [away[0], away[2], -away[1]] : away;
    this.yaw = Math.atan2(side, depth);
    this.pitch = Math.max(-STEEPEST, Math.min(STEEPEST, Math.asin(height / this.distance)));
    this.changes += 1;
  }

  orbit(right, up) {
    this.path = undefined;
    this.yaw -= right;
    this.pitch = Math.max(-STEEPEST, Math.min(STEEPEST, this.pitch + up));
    this.changes += 1;
  }

  zoom(factor) {
    this.path = undefined;
    this.distance = Math.max(0.02 * this.extent, Math.min(50 * this.extent, this.distance * factor));
    this.changes += 1;
  }

  /** Shifts what it looks at by parts of the height of the picture, so that the target follows a drag. */
  pan(across, down, aspect) {
    this.path = undefined;
    const { right, top } = this.axes();
    const height = 2 * this.#slope(aspect) * this.distance;
    this.target = plus(plus(this.target, right, -across * height), top, down * height);
    this.changes += 1;
  }

  /** The axis that points up, as a unit vector. */
  get up() {
    return [0, 1, 2].map((axis) => Number(axis === this.upAxis));
  }

  /** Right, top and back of the picture as unit vectors, and the eye. */
  axes() {
    const flat = Math.cos(this.pitch);
    const [side, height, depth] = [Math.sin(this.yaw) * flat, Math.sin(this.pitch), Math.cos(this.yaw) * flat];
    const back = this.upAxis === 2 ? [side, -depth, height] : [side, height, depth];
    const right = unit(cross(this.up, back));
    return { right, top: cross(back, right), back, eye: plus(this.target, back, this.distance) };
  }

  /** The ray through a place of a picture of this width over height: -1 to 1 from left to right, from bottom to top. */
  ray([x, y], aspect) {
    const { right, top, back, eye } = this.axes();
    const slope = this.#slope(aspect);
    return { from: eye, toward: unit(right.map((r, axis) => slope * (aspect * x * r + y * top[axis]) - back[axis])) };
  }

  /** Where a point is seen in a picture of this width over height, as the places of [`ray`]. */
  seenAt(point, aspect) {
    const { right, top, back, eye } = this.axes();
    const away = minus([...point], eye);
    const depth = -dot(away, back) * this.#slope(aspect);
    return [dot(away, right) / (depth * aspect), dot(away, top) / depth];
  }

  /** Whether a point is before the eye. */
  isBefore(point) {
    const { back, eye } = this.axes();
    return dot(minus([...point], eye), back) < 0;
  }

  /** The view, its inverse and the projection for a picture of this width over height. */
  matrices(aspect) {
    const axes = this.axes();
    const slope = this.#slope(aspect);
    const projection = perspective([slope * aspect, slope], 0.01 * this.distance, this.distance + 100 * this.extent);
    return { view: viewOf(axes), place: placeOf(axes), projection };
  }

  /** The slope from the middle to the top; a narrow picture shows as much from side to side as a wider one. */
  #slope(aspect) {
    return Math.tan(this.halfAngle) * Math.max(1, NARROW / aspect);
  }
}
