// node page.mjs: what of the page needs no browser: scenes in links, completion from the schema, its list of examples.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import zlib from "node:zlib";
import { OrbitCamera } from "../../crates/pliant/web/camera.js";
import { cameraAt, moves } from "../../crates/pliant/web/camera_path.js";
import { opaqueCount } from "../../crates/pliant/web/draw.js";
import { LinkError, asked, packed, unpacked } from "../../crates/pliant/web/link.js";
import { SceneSchema, place } from "../../crates/pliant/web/schema.js";
import { bundledScenes, examplesText, readExamples } from "./examples_list.mjs";
import { engineWithScenes, pageFolder, root, sceneText } from "./repository.mjs";

test("a scene comes out of a link as it went in", async () => {
  const text = `${sceneText("start/sand.toml")}# Grüße, 砂\n`;
  const code = await packed(text);
  assert.ok(/^[\w-]+$/.test(code) && code.length < text.length);
  assert.equal(await unpacked(code), text);
  assert.deepEqual(asked(`#scene=${code}&inputs=abc`), { scene: code, inputs: "abc" });
  assert.deepEqual(asked("#rigid/stack.toml"), { example: "rigid/stack.toml" });
  assert.deepEqual(asked("#%"), { example: "%" });
});

test("links that are damaged, or hold more than they should, are refused", async () => {
  const code = await packed(sceneText("start/sand.toml"));
  for (const damaged of [code.slice(0, -9), `!${code}`, "AAAA", ""]) await assert.rejects(unpacked(damaged), LinkError);
  await assert.rejects(packed("x".repeat(300_000)), LinkError);
  await assert.rejects(unpacked("A".repeat(40_000)), /longer than/);
  // Half a megabyte of one letter in a few hundred characters.
  const stream = new Blob(["x".repeat(500_000)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bomb = Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
  assert.ok(bomb.length < 2000);
  await assert.rejects(unpacked(bomb), /more than 256 kB/);
});

test("completion knows tables, keys and words", async () => {
  const schema = new SceneSchema((await engineWithScenes()).schema());
  const names = (list) => list.map(({ name }) => name);
  const at = (text) => place(text, text.length);
  assert.deepEqual(at("[[bo"), { kind: "table", path: [], word: "bo" });
  assert.ok(names(schema.keys([])).includes("body"));
  const key = at('[[body]]\nname = "a"\nspac');
  assert.deepEqual([key.kind, key.path, key.word], ["key", ["body"], "spac"]);
  assert.ok(names(schema.keys(key.path)).includes("spacing"));
  const law = at('[material.sand]\nlaw = "drucker');
  assert.deepEqual([law.kind, law.path, law.word], ["value", ["material", "sand", "law"], "drucker"]);
  assert.ok(names(schema.values(law.path)).includes("drucker-prager"));
  const shape = at("[[body]]\nshape = { box = { si");
  assert.deepEqual([shape.kind, shape.path, shape.word], ["key", ["body", "shape", "box"], "si"]);
  assert.deepEqual(names(schema.keys(shape.path)), ["size"]);
  assert.ok(names(schema.keys(["body", "shape"])).includes("sphere"));
  const after = at("[[body]]\nshape = { box = { size = [1, 1, 1] }, po");
  assert.deepEqual([after.kind, after.path], ["key", ["body", "shape"]]);
  assert.equal(at("[scene]\n# dura").kind, "nothing");
});

test("words that are written leave out keys that they rule out", async () => {
  const schema = new SceneSchema((await engineWithScenes()).schema());
  const sand = '[material.sand]\nlaw = "drucker-prager"\n';
  const { path: table, words } = place(sand, sand.length);
  assert.deepEqual(words, { law: "drucker-prager" });
  const keys = schema.keys(table, words).map(({ name }) => name);
  assert.ok(keys.includes("friction_angle") && keys.length < schema.keys(table).length, keys.join());
});

test("the page has the files that its examples name", () => {
  const { scenes } = JSON.parse(fs.readFileSync(path.join(pageFolder, "examples.json"), "utf8"));
  assert.ok(scenes.length >= 14);
  for (const { scene, files = [] } of scenes) {
    for (const file of [scene, ...files]) assert.ok(fs.existsSync(path.join(pageFolder, "scenes", file)), file);
  }
});

test("every bundled scene is an example of the page, or known to take too long for one", () => {
  const { scenes, leftOut } = readExamples();
  const taken = scenes.map(({ scene }) => scene);
  const remedy = "`node tools/web/examples.mjs SCENE` measures a scene and writes it into the list";
  assert.deepEqual([...taken, ...leftOut].sort(), bundledScenes(), remedy);
  const stored = fs.readFileSync(path.join(root, "crates/pliant/web/examples.json"), "utf8");
  assert.equal(stored, examplesText(taken, leftOut), "the files that scenes name have changed: measure them again");
});

test("cameras move as those of pictures do", () => {
  const camera = (time, position, target, fieldOfView) => ({ time, position, target, up: [0, 1, 0], fieldOfView });
  const keyframes = [camera(1, [1, 0, 0], [0, 1, 0], 0.7), camera(3, [3, 0, 0], [0, 1, 0], 0.35)];
  const path = { keyframes, ease: "linear", turn: 0 };
  assert.deepEqual(cameraAt(path, 0), { position: [1, 0, 0], target: [0, 1, 0], fieldOfView: 0.7 });
  const { position, fieldOfView } = cameraAt(path, 2);
  assert.deepEqual([position[0], Math.round(1e9 * fieldOfView)], [2, 525e6]);
  assert.deepEqual(cameraAt(path, 9), cameraAt(path, 3));
  assert.equal(cameraAt({ ...path, ease: "smooth" }, 1.5).position[0], 1 + 2 * (3 / 16 - 2 / 64));
  // Ninety degrees a second around what it looks at, to the right as seen from above.
  const turning = { keyframes: [camera(0, [2, 1, 0], [0, 0.5, 0], 0.7)], ease: "linear", turn: Math.PI / 2 };
  cameraAt(turning, 1).position.forEach((x, axis) => assert.ok(Math.abs(x - [0, 1, -2][axis]) < 1e-12));
  assert.deepEqual([path, turning, { ...turning, turn: 0 }].map(moves), [true, true, false]);
});

test("a camera of the scene is followed until somebody turns it", () => {
  const keyframe = (time, x) => ({ time, position: [x, 1, 3], target: [x, 0, 0], up: [0, 1, 0], fieldOfView: 0.7 });
  const path = { keyframes: [keyframe(0, 0), keyframe(2, 4)], ease: "linear", turn: 0 };
  const camera = new OrbitCamera();
  camera.follow(path, 0);
  const seen = camera.changes;
  camera.moveTo(0);
  assert.equal(camera.changes, seen);
  camera.moveTo(1);
  assert.deepEqual(camera.target, [2, 0, 0]);
  for (const act of [() => camera.orbit(0.1, 0), () => camera.zoom(0.9), () => camera.pan(0.1, 0, 1)]) {
    camera.follow(path, 1);
    act();
    const { target } = camera;
    camera.moveTo(2);
    assert.equal(camera.target, target);
  }
  // Whoever turns one that stays goes on from there too.
  camera.follow({ ...path, keyframes: [keyframe(0, 0)] }, 1);
  assert.equal(camera.path, undefined);
});

test("opaque triangles end where glass begins", () => {
  const colors = Uint8Array.from([1, 2, 3, 255, 1, 2, 3, 254, 1, 2, 3, 253, 1, 2, 3, 80]);
  const of = (...vertices) => Uint32Array.from(vertices.flatMap((k) => [k, k, k]));
  assert.equal(opaqueCount(of(0, 1, 0, 2, 3), colors), 9);
  assert.equal(opaqueCount(of(0, 1), colors), 6);
  assert.equal(opaqueCount(of(2, 3, 2), colors), 0);
  assert.equal(opaqueCount(of(), colors), 0);
});

test("the engine is loaded as at most 3 MB, compressed", () => {
  const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY } = zlib.constants;
  const size = (file) => {
    const bytes = fs.readFileSync(path.join(pageFolder, file));
    return zlib.brotliCompressSync(bytes, { params: { [BROTLI_PARAM_QUALITY]: 11, [BROTLI_PARAM_LGWIN]: 24 } }).length;
  };
  const { threads } = JSON.parse(fs.readFileSync(path.join(pageFolder, "engines.json"), "utf8"));
  for (const file of ["pliant_web.wasm", ...(threads ? ["pliant_web_threads.wasm"] : [])]) {
    const megabytes = size(file) / 1e6;
    console.log(`${file}: ${megabytes.toFixed(2)} MB`);
    assert.ok(megabytes <= 3, `${file}: ${megabytes} MB`);
  }
});
