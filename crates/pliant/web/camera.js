// A camera that orbits a point, and its matrices in the order of WebGL.

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const unit = (a) => a.map((x) => x / Math.hypot(...a));

/** Half the angle of view from top to bottom. */
const HALF_ANGLE = 0.35;

export class OrbitCamera {
  constructor() {
    this.fit([0, 0, 0, 1], 1);
  }

  /** Looks at the spheres from a distance at which they and some of what is around can be seen. */
  fit(spheres, upAxis) {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let k = 0; k < spheres.length; k += 4) {
      for (let axis = 0; axis < 3; axis++) {
        low[axis] = Math.min(low[axis], spheres[k + axis] - spheres[k + 3]);
        high[axis] = Math.max(high[axis], spheres[k + axis] + spheres[k + 3]);
      }
    }
    const isEmpty = !spheres.length;
    this.target = isEmpty ? [0, 0, 0] : low.map((x, axis) => 0.5 * (x + high[axis]));
    const extent = isEmpty ? 1 : Math.hypot(...low.map((x, axis) => high[axis] - x));
    // Things fall: what is between them and the origin is of interest too.
    this.target[upAxis] *= 0.7;
    this.distance = (0.9 * extent) / Math.tan(HALF_ANGLE);
    this.extent = extent;
    this.upAxis = upAxis;
    this.yaw = 0.6;
    this.pitch = 0.35;
  }

  /** Stands at a place and looks at another, as far as an orbit can. */
  look(from, at) {
    const away = from.map((x, axis) => x - at[axis]);
    this.target = at;
    this.distance = Math.max(1e-6, Math.hypot(...away));
    const [side, height, depth] = this.upAxis === 2 ? [away[0], away[2], -away[1]] : away;
    this.yaw = Math.atan2(side, depth);
    this.pitch = Math.max(-1.5, Math.min(1.5, Math.asin(height / this.distance)));
  }

  orbit(right, up) {
    this.yaw -= right;
    this.pitch = Math.max(-1.5, Math.min(1.5, this.pitch + up));
  }

  zoom(factor) {
    this.distance = Math.max(0.05 * this.extent, Math.min(50 * this.extent, this.distance * factor));
  }

  /** Right, top and back of the picture as unit vectors, and the eye. */
  axes() {
    const flat = Math.cos(this.pitch);
    const [side, height, depth] = [Math.sin(this.yaw) * flat, Math.sin(this.pitch), Math.cos(this.yaw) * flat];
    const back = this.upAxis === 2 ? [side, -depth, height] : [side, height, depth];
    const up = this.upAxis === 2 ? [0, 0, 1] : [0, 1, 0];
    const right = unit(cross(up, back));
    const top = cross(back, right);
    const eye = this.target.map((x, axis) => x + this.distance * back[axis]);
    return { right, top, back, eye };
  }

  /** The ray through a place of a picture of this width over height: -1 to 1 from left to right, from bottom to top. */
  ray([x, y], aspect) {
    const { right, top, back, eye } = this.axes();
    const slope = Math.tan(HALF_ANGLE);
    return { from: eye, toward: unit(right.map((r, axis) => slope * (aspect * x * r + y * top[axis]) - back[axis])) };
  }

  /** Where a point is seen in a picture of this width over height, as the places of [`ray`]. */
  seenAt(point, aspect) {
    const { right, top, back, eye } = this.axes();
    const away = point.map((p, axis) => p - eye[axis]);
    const depth = -dot(away, back) * Math.tan(HALF_ANGLE);
    return [dot(away, right) / (depth * aspect), dot(away, top) / depth];
  }

  /** The matrices of view and projection for a picture of this width over height. */
  matrices(aspect) {
    const { right, top, back, eye } = this.axes();
    const view = new Float32Array([
      right[0], top[0], back[0], 0,
      right[1], top[1], back[1], 0,
      right[2], top[2], back[2], 0,
      -dot(right, eye), -dot(top, eye), -dot(back, eye), 1,
    ]);
    const near = 0.02 * this.distance;
    const far = 20 * this.distance + 10;
    const focal = 1 / Math.tan(HALF_ANGLE);
    const projection = new Float32Array([
      focal / aspect, 0, 0, 0,
      0, focal, 0, 0,
      0, 0, (far + near) / (near - far), -1,
      0, 0, (2 * far * near) / (near - far), 0,
    ]);
    return { view, projection };
  }
}
