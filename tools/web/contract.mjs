// node contract.mjs: what a page can rely on: columns, restarts, errors with their place, and what hostile input does.
import assert from "node:assert/strict";
import test from "node:test";
import { SceneError } from "../../web/engine.js";
import { engineWithScenes, sceneText } from "./repository.mjs";

const block = `
scene = { duration = 1.0 }
material.sand = { law = "drucker-prager", density = 1600.0, youngs_modulus = 3.5e5, friction_angle = 30.0 }
[[body]]
name = "block"
material = "sand"
shape = { box = { size = [0.05, 0.05, 0.05] } }
position = [0.0, 0.1, 0.0]
spacing = 0.01
`;

test("a scene falls, is seen, and restarts with the same bits", async () => {
  const engine = await engineWithScenes();
  engine.open("own.toml", block);
  const start = engine.hashes();
  const { count, spheres } = engine.view();
  assert.ok(count > 100);
  const heights = spheres.filter((_, k) => k % 4 === 1).slice();
  engine.frame();
  engine.frame();
  const after = engine.view();
  assert.ok(after.spheres.filter((_, k) => k % 4 === 1).every((y, k) => y < heights[k]));
  assert.ok(after.colors.length === 4 * count && after.bodies.every((body) => body === 0));
  assert.ok(engine.time > 0 && engine.substeps > 0);
  engine.restart();
  assert.deepEqual(engine.hashes(), start);
  assert.equal(engine.time, 0);
});

test("cloth has triangles", async () => {
  const engine = await engineWithScenes();
  engine.open("cloth/strip.toml", sceneText("cloth/strip.toml"));
  const { count, triangles } = engine.view();
  assert.ok(triangles.length > 0 && triangles.every((corner) => corner < count));
});

test("errors name file, line, key and remedy", async () => {
  const engine = await engineWithScenes();
  const wrong = block.replace("spacing = 0.01", "spacng = 0.01");
  assert.throws(() => engine.open("own.toml", wrong), (error) => {
    assert.ok(error instanceof SceneError);
    for (const part of ["own.toml:9", "spacng", "spacing"]) assert.ok(error.message.includes(part), error.message);
    return true;
  });
  assert.throws(() => engine.substep(), /no scene is open/);
  engine.open("own.toml", block);
  engine.substep();
});

test("hostile scenes are refused and leave the engine usable", async () => {
  const engine = await engineWithScenes();
  const hostile = [
    block.replace("spacing = 0.01", "spacing = 1e-5"),
    'include = ["own.toml"]',
    'include = ["../../etc/passwd"]',
    "[".repeat(100000),
    "\u0000",
  ];
  for (const text of hostile) assert.throws(() => engine.open("own.toml", text), SceneError);
  engine.open("own.toml", block);
  engine.substep();
});
