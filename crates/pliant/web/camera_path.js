// Where a camera of the scene is at each time, as `CameraPath` of crates/pliant-view/src/camera_path.rs has it.
import { cross, dot, minus, plus, unit } from "./matrices.js";

/** Whether it is not the same at all times. */
export const moves = ({ keyframes, turn }) => turn !== 0 || keyframes.length > 1;

/** The camera at a time [s]: it stays before the first keyframe and after the last. */
export function cameraAt({ keyframes, ease, turn }, time) {
  const next = keyframes.findIndex((keyframe) => keyframe.time > time);
  const after = keyframes.at(next);
  const before = next > 0 ? keyframes[next - 1] : after;
  const share = before === after ? 0 : (time - before.time) / (after.time - before.time);
  const progress = ease === "smooth" ? share * share * (3 - 2 * share) : share;
  const between = (key) => plus(before[key], minus(after[key], before[key]), progress);
  const target = between("target");
  return {
    target,
    position: plus(target, around(minus(between("position"), target), unit(before.up), turn * time)),
    fieldOfView: before.fieldOfView + progress * (after.fieldOfView - before.fieldOfView),
  };
}

/** A vector turned around a unit vector by an angle (Rodrigues). */
function around(vector, axis, angle) {
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const across = cross(axis, vector);
  const along = dot(axis, vector) * (1 - cosine);
  return vector.map((x, k) => cosine * x + sine * across[k] + along * axis[k]);
}
