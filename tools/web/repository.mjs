// What the scripts of this folder need of the repository: the engine, the scenes, their fingerprints.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { Engine } from "../../crates/pliant/web/engine.js";
import { sharedMemory } from "../../crates/pliant/web/threads.js";

/** The folder of the repository. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const target = process.env.CARGO_TARGET_DIR ?? path.join(root, "target");

/** The module that `tools/web/build` has built. */
export const moduleFile = path.join(target, "wasm32-unknown-unknown/release/pliant_web.wasm");

/** The page that `tools/web/build` has put together. */
export const pageFolder = path.join(target, "page");

/** The module with threads, where it was built. */
export const threadedModuleFile = path.join(target, "wasm32-wasip1-threads/release/pliant_web.wasm");

/** The engine with threads, which run in workers of Node as they do in those of a page. */
function engineWithThreads(threads) {
  const module = new WebAssembly.Module(fs.readFileSync(threadedModuleFile));
  const [memory, numbers] = [sharedMemory(), new Int32Array(new SharedArrayBuffer(4)).fill(1)];
  const spawn = (start) => {
    const number = Atomics.add(numbers, 0, 1);
    const worker = new Worker(new URL("thread.mjs", import.meta.url));
    worker.on("error", (error) => console.error(error));
    worker.unref();
    worker.postMessage({ module, memory, numbers });
    worker.postMessage({ run: { number, start } });
    return number;
  };
  return Engine.load(module, { threads, memory, spawn });
}

/** An engine of its own with all files of the bundled scenes, by their paths from the folder of the scenes. */
export async function engineWithScenes({ threads = 1 } = {}) {
  const engine = await (threads > 1 ? engineWithThreads(threads) : Engine.load(fs.readFileSync(moduleFile)));
  const scenes = path.join(root, "scenes");
  for (const entry of fs.readdirSync(scenes, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    engine.addFile(path.relative(scenes, file), fs.readFileSync(file));
  }
  return engine;
}

/** The text of a bundled scene: "cloth/strip.toml". */
export function sceneText(scene) {
  return fs.readFileSync(path.join(root, "scenes", scene), "utf8");
}

/** What the command's first substeps of every bundled scene lead to: { scene, substeps, motion, state }. */
export function goldenFingerprints() {
  const lines = fs.readFileSync(path.join(root, ".ci/golden.txt"), "utf8").trim().split("\n");
  return lines.map((line) => {
    const [scene, substeps, motion, state] = line.trim().split(/\s+/);
    return { scene, substeps: Number(substeps), motion, state };
  });
}
