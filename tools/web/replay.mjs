// node --test replay.mjs: what was done to scenes in WebAssembly is done again by `pliant replay`, to the same bits. The
// variable PLIANT names the command, target/release/pliant if it is not set.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { engineWithScenes, root, sceneText } from "./repository.mjs";

const program = process.env.PLIANT ?? path.join(root, "target/release/pliant");
const FRAMES = 6;

/** What is done to scenes: before which frame what. */
const done = {
  "play/jelly.toml": {
    1: (engine) => engine.grab(middle(engine.view())),
    2: (engine) => engine.move([0.1, 0.5, 0.1]),
    4: (engine) => (engine.release(), engine.cut([[0.003, -1, -1], [0.003, 1, -1], [0.003, 1, 1], [0.003, -1, 1]])),
  },
  "play/skittles.toml": { 1: (engine) => engine.grab([0, 0.45, 0.05]), 2: (engine) => engine.move([0, 0.7, 0.1]), 5: (engine) => engine.release() },
  "play/cloth.toml": { 2: (engine) => engine.set("scene.gravity=[0.0, -3.0, 2.0]") },
  "play/water.toml": { 1: (engine) => engine.pour(poured()[0].name, [0, 0.6, 0]), 3: (engine) => engine.pour(poured()[0].name, [0.05, 0.6, 0]) },
};

let bodies;
const poured = () => bodies.filter(({ canBePoured }) => canBePoured);

/** The particle, or the corner of a surface, that is nearest to the mean of all. */
function middle({ spheres, vertices }) {
  const [columns, size] = spheres.length ? [spheres, 4] : [vertices, 3];
  const points = Array.from({ length: columns.length / size }, (_, k) => [...columns.slice(size * k, size * k + 3)]);
  const mean = [0, 1, 2].map((axis) => points.reduce((sum, point) => sum + point[axis] / points.length, 0));
  const away = (point) => Math.hypot(...point.map((x, axis) => x - mean[axis]));
  return points.sort((a, b) => away(a) - away(b))[0];
}

for (const [scene, acts] of Object.entries(done)) {
  test(`${scene}, touched in WebAssembly, has the same bits in the command`, async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-replay-"));
    try {
      const engine = await engineWithScenes();
      ({ bodies } = engine.open("own.toml", sceneText(scene), { hand: true }));
      for (let frame = 0; frame < FRAMES; frame++) {
        acts[frame]?.(engine);
        engine.frame();
      }
      assert.ok(engine.inputs().split("[[input]]").length > Object.keys(acts).length, engine.inputs());
      const inputs = path.join(folder, "inputs.toml");
      fs.writeFileSync(path.join(folder, "own.toml"), sceneText(scene));
      fs.writeFileSync(inputs, engine.inputs());
      const out = path.join(folder, "out");
      const ran = spawnSync(program, ["replay", inputs, "--frames", String(FRAMES), "--out", out, "--set", 'output.particles=["ply"]', "--quiet", "--no-preview"]);
      assert.equal(ran.status, 0, String(ran.stderr));
      const files = fs.readdirSync(out, { recursive: true }).filter((name) => name.endsWith(".ply")).sort();
      const last = fs.readFileSync(path.join(out, files.at(-1)));
      assert.ok(last.equals(Buffer.from(engine.particles("ply"))), `${files.at(-1)} differs`);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
}
