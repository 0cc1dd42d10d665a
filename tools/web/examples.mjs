// node examples.mjs: measures all bundled scenes in WebAssembly, and writes those that a page can take, with the files
// that they name, to crates/pliant/web/examples.json.
import fs from "node:fs";
import path from "node:path";
import { engineWithScenes, root, sceneText } from "./repository.mjs";

/** What a visitor waits for, until a scene is open [s]... */
const MOST_OPENING = 8;
/** ...and until it has moved by a substep [s]. */
const MOST_SUBSTEP = 0.25;
/** How far from real time it may be: slower, there is little to see. */
const LEAST_SPEED = 1 / 30;
/** Substeps that are measured, after as many to warm up; fewer of scenes that take longer. */
const MEASURED = 20;

/** The files of a name in a folder; # stands for a digit. */
function named(file) {
  if (!file.includes("#")) return fs.existsSync(path.join(root, "scenes", file)) ? [file] : [];
  const folder = path.posix.dirname(file);
  const escaped = path.posix.basename(file).replace(/[.+^$(){}|[\]\\]/g, "\\$&");
  const pattern = new RegExp(`^${escaped.replaceAll("#", "\\d")}$`);
  const all = fs.readdirSync(path.join(root, "scenes", folder)).sort();
  return all.filter((name) => pattern.test(name)).map((name) => path.posix.join(folder, name));
}

/** The files that a scene names, and those that they name: scenes that it is laid over, meshes, particles. */
function filesOf(scene, found = new Set()) {
  for (const [, name] of sceneText(scene).matchAll(/"([^"\n]+\.\w{2,4})"/g)) {
    for (const file of named(path.posix.join(path.posix.dirname(scene), name))) {
      if (found.has(file)) continue;
      found.add(file);
      if (file.endsWith(".toml")) filesOf(file, found);
    }
  }
  return [...found];
}

async function measure(scene) {
  const engine = await engineWithScenes();
  const start = performance.now();
  const { particles } = engine.open(scene, sceneText(scene));
  const opening = (performance.now() - start) / 1000;
  const run = (count) => {
    const [before, time] = [performance.now(), engine.time];
    for (let k = 0; k < count; k++) engine.substep();
    return { seconds: (performance.now() - before) / 1000 / count, simulated: (engine.time - time) / count };
  };
  const first = run(2);
  const { seconds, simulated } = first.seconds > MOST_SUBSTEP ? first : (run(MEASURED), run(MEASURED));
  return { scene, particles, opening, substep: seconds, speed: simulated / seconds };
}

// Those of benchmarks show nothing that others do not.
const isShown = (name) => name.endsWith(".toml") && !name.startsWith("bench/");
const scenes = fs.readdirSync(path.join(root, "scenes"), { recursive: true }).filter(isShown).sort();
const taken = [];
for (const scene of scenes) {
  const { particles, opening, substep, speed } = await measure(scene);
  const isTaken = opening <= MOST_OPENING && substep <= MOST_SUBSTEP && speed >= LEAST_SPEED;
  const cost = `${particles} particles, opened in ${opening.toFixed(2)} s, ${(1000 * substep).toFixed(1)} ms a substep, ${speed.toFixed(3)} of real time`;
  console.log(`${isTaken ? "taken   " : "left out"}  ${scene}  ${cost}`);
  if (isTaken) taken.push({ scene, files: filesOf(scene) });
}
// What is made for play comes first.
taken.sort((a, b) => Number(b.scene.startsWith("play/")) - Number(a.scene.startsWith("play/")));
const lines = taken.map(({ scene, files }) => `    ${JSON.stringify(files.length ? { scene, files } : { scene })}`);
fs.writeFileSync(path.join(root, "crates/pliant/web/examples.json"), `{\n  "scenes": [\n${lines.join(",\n")}\n  ]\n}\n`);
console.log(`${taken.length} of ${scenes.length} scenes are taken`);
