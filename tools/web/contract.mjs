// node contract.mjs: what a page can rely on: columns, restarts, errors with their place, and what hostile input does.
import assert from "node:assert/strict";
import test from "node:test";
import { SceneError } from "../../crates/pliant/web/engine.js";
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
  assert.ok(after.sphereColors.length === 4 * count && after.vertices.length === 0 && after.legend === undefined);
  assert.ok(engine.time > 0 && engine.substeps > 0);
  engine.restart();
  assert.deepEqual(engine.hashes(), start);
  assert.equal(engine.time, 0);
});

const rubber = `
scene = { duration = 1.0 }
material.rubber.preset = "rubber"
[[body]]
name = "block"
material = "rubber"
shape = { box = { size = [0.1, 0.1, 0.1] } }
position = [0.0, 0.2, 0.0]
spacing = 0.025
`;

test("what a hand did is done again from its text, to the same bits", async () => {
  const engine = await engineWithScenes();
  const facts = engine.open("own.toml", rubber, { hand: true });
  assert.deepEqual(facts.bodies, [{ name: "block", isRigid: false, canBeCut: true, canBePoured: false }]);
  assert.ok(facts.particles === 64 && facts.memory > 0 && facts.substepsPerFrame > 0);
  engine.frame();
  engine.grab([0, 0.2, 0]);
  assert.ok(engine.isHolding && engine.isBetweenFrames);
  engine.move([0.1, 0.3, 0]);
  engine.advance();
  assert.ok(!engine.isBetweenFrames);
  assert.throws(() => engine.release(), SceneError);
  engine.frame();
  engine.release();
  engine.cut([[0.003, -1, -1], [0.003, 1, -1], [0.003, 1, 1], [0.003, -1, 1]]);
  engine.frame();
  const [done, hashes] = [engine.inputs(), engine.hashes()];
  engine.replay(done);
  for (let k = 0; k < 3; k++) engine.frame();
  assert.deepEqual(engine.hashes(), hashes);
  assert.equal(engine.inputs(), done);
  assert.throws(() => engine.replay("nonsense = 1"), SceneError);
});

test("a rigid body is held by a point of it, and its corners are told from those of walls", async () => {
  const engine = await engineWithScenes();
  engine.open("play/skittles.toml", sceneText("play/skittles.toml"), { hand: true });
  const { wallCorners, rigidCorners } = engine.view();
  // Four boxes and the floor.
  assert.ok(rigidCorners.length === 4 * 12 * 9 && wallCorners.length > rigidCorners.length);
  assert.ok(rigidCorners.every((x) => Math.abs(x) < 0.6));
  engine.grab([0, 0.45, 0.05]);
  assert.ok(engine.isHolding);
  for (let k = 1; k < 6; k++) {
    engine.move([0, 0.45 + 0.05 * k, 0.05]);
    engine.frame();
  }
  assert.ok(engine.inputs().includes("[input.grab_body]"));
  assert.ok(Math.max(...engine.view().rigidCorners) > 0.6);
  const [done, hashes] = [engine.inputs(), engine.hashes()];
  engine.replay(done);
  for (let k = 1; k < 6; k++) engine.frame();
  assert.deepEqual(engine.hashes(), hashes);
});

test("what was poured is poured again from its text, to the same bits", async () => {
  const engine = await engineWithScenes();
  const water = rubber.replaceAll("rubber", "water");
  const facts = engine.open("own.toml", water, { hand: true });
  assert.equal(facts.bodies[0].canBePoured, true);
  for (let k = 0; k < 3; k++) {
    engine.pour("block", [0.02 * k, 0.5, 0]);
    engine.frame();
  }
  assert.ok(engine.inputs().includes("[input.pour]"));
  const [done, hashes] = [engine.inputs(), engine.hashes()];
  engine.replay(done);
  for (let k = 0; k < 3; k++) engine.frame();
  assert.deepEqual(engine.hashes(), hashes);
  assert.throws(() => engine.pour("sand", [0, 0.5, 0]), /there are block/);
});

test("particles are written as files", async () => {
  const engine = await engineWithScenes();
  engine.open("own.toml", rubber);
  const text = (bytes) => new TextDecoder("latin1").decode(bytes);
  const ply = text(engine.particles("ply"));
  assert.ok(ply.startsWith("ply\n") && ply.includes("element vertex 64\n"));
  assert.ok(text(engine.particles("vtk")).includes("<VTKFile"));
  assert.throws(() => engine.particles("usd"), SceneError);
});

test("cloth has triangles", async () => {
  const engine = await engineWithScenes();
  engine.open("cloth/strip.toml", sceneText("cloth/strip.toml"));
  const { spheres, vertices, normals, triangles } = engine.view();
  assert.ok(triangles.length > 0 && triangles.every((corner) => 3 * corner < vertices.length));
  assert.ok(spheres.length === 0 && normals.length === (4 / 3) * vertices.length);
});

test("colours show a quantity, and its legend is told", async () => {
  const engine = await engineWithScenes();
  const { coloring, colorings } = engine.open("own.toml", block);
  assert.equal(coloring.name, "body");
  assert.ok(colorings.some(({ name, range }) => name === "speed" && range[1] > range[0]));
  engine.colorBy("speed");
  const { legend, sphereColors } = engine.view();
  assert.deepEqual([legend.title, legend.unit, legend.colors.length], ["speed", "m/s", 32]);
  for (let k = 0; k < 4; k++) engine.frame();
  assert.notDeepEqual(engine.view().sphereColors, sphereColors);
  assert.throws(() => engine.colorBy("sped"), /speed/);
  assert.equal(engine.view().legend, undefined);
});

test("values change while a scene runs, and again from the text to the same bits", async () => {
  const engine = await engineWithScenes();
  const { values } = engine.open("own.toml", rubber, { hand: true });
  const spacing = values.find(({ item, name }) => item === "body.block" && name === "spacing");
  assert.ok(spacing.unit === "m" && spacing.text === "0.025" && spacing.accepted.length > 5 && spacing.doc.length > 5);
  engine.frame();
  const facts = engine.set("scene.gravity=[0,5,0]");
  assert.ok(facts.values.some(({ name, text }) => name === "gravity" && text.includes("5")));
  engine.frame();
  const [done, hashes] = [engine.inputs(), engine.hashes()];
  engine.replay(done);
  for (let k = 0; k < 2; k++) engine.frame();
  assert.deepEqual(engine.hashes(), hashes);
  assert.throws(() => engine.set("body.block.spacing=0.05"), ({ needsRestart, message }) => needsRestart && message.includes("spacing"));
  assert.throws(() => engine.set("scene.gravity=5"), ({ needsRestart }) => !needsRestart);
  assert.deepEqual(engine.hashes(), hashes);
  assert.equal(engine.open("own.toml", rubber, { set: ["body.block.spacing=0.05"] }).particles, 8);
});

test("statistics and probes are measured from when they are asked for", async () => {
  const engine = await engineWithScenes();
  const { columns } = engine.open("own.toml", rubber);
  assert.ok(columns.some(([name, unit]) => name === "energy_kinetic" && unit === "J"));
  engine.plot(["energy_kinetic", "energy_gravity"].filter((name) => columns.some(([own]) => own === name)));
  engine.frame();
  const rows = engine.takeRows();
  assert.ok(rows.length % 2 === 0 && rows[0] === 0 && rows.at(rows.length / 2) > 0);
  assert.equal(engine.takeRows().length, 0);
  assert.throws(() => engine.plot(["nonsense"]), /nonsense/);
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
