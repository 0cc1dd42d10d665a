// node page.mjs: what of the page needs no browser: scenes in links, completion from the schema, its list of examples.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import zlib from "node:zlib";
import { opaqueCount } from "../../crates/pliant/web/draw.js";
import { LinkError, asked, packed, unpacked } from "../../crates/pliant/web/link.js";
import { SceneSchema, place } from "../../crates/pliant/web/schema.js";
import { engineWithScenes, pageFolder, sceneText } from "./repository.mjs";

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
