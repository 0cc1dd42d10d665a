// What the scripts of this folder need of the repository: the engine, the scenes, their fingerprints.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Engine } from "../../crates/pliant/web/engine.js";

/** The folder of the repository. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const target = process.env.CARGO_TARGET_DIR ?? path.join(root, "target");

/** The module that `tools/web/build` has built. */
export const moduleFile = path.join(target, "wasm32-unknown-unknown/release/pliant_web.wasm");

/** The page that `tools/web/build` has put together. */
export const pageFolder = path.join(target, "page");

/** An engine of its own with all files of the bundled scenes, by their paths from the folder of the scenes. */
export async function engineWithScenes() {
  const engine = await Engine.load(fs.readFileSync(moduleFile));
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
