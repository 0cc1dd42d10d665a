// Vectors of three numbers, and matrices of sixteen in the order of WebGL.

export const minus = (a, b) => a.map((x, axis) => x - b[axis]);
export const plus = (a, b, factor = 1) => a.map((x, axis) => x + factor * b[axis]);
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = (a) => a.map((x) => x / Math.hypot(...a));

/** The product of two matrices. */
export function product(a, b) {
  const entry = (_, k) => [0, 1, 2, 3].reduce((sum, j) => sum + a[4 * j + (k & 3)] * b[(k & ~3) + j], 0);
  return Array.from({ length: 16 }, entry);
}

/** The matrix that stretches along the axes. */
export const scaling = ([x, y, z]) => [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1];

/** A view from an eye with the unit vectors of the picture. */
export function viewOf({ right, top, back, eye }) {
  const rows = [right, top, back];
  const columns = [0, 1, 2].flatMap((axis) => [...rows.map((row) => row[axis]), 0]);
  return [...columns, ...rows.map((row) => -dot(row, eye)), 1];
}

/** The inverse of a view. */
export const placeOf = ({ right, top, back, eye }) => [...right, 0, ...top, 0, ...back, 0, ...eye, 1];

/** A direction in another frame. */
export const turned = (matrix, [x, y, z]) => [0, 1, 2].map((row) => matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z);

/** A point in another frame. */
export const moved = (matrix, point) => plus(turned(matrix, point), matrix.slice(12, 15));

/** A perspective with slopes to the side and to the top. */
export function perspective([side, top], near, far) {
  const depth = near - far;
  return [1 / side, 0, 0, 0, 0, 1 / top, 0, 0, 0, 0, (far + near) / depth, -1, 0, 0, (2 * far * near) / depth, 0];
}

/** A box of half an edge to the sides and to the top. */
export function orthographic(half, near, far) {
  const depth = near - far;
  return [1 / half, 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, 2 / depth, 0, 0, 0, (far + near) / depth, 1];
}
