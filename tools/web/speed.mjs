// node speed.mjs SCENE [SUBSTEPS]: processor time of a substep in WebAssembly, on one thread, after as many to warm up.
import { engineWithScenes, sceneText } from "./repository.mjs";

const [scene, substeps = "50"] = process.argv.slice(2);
const engine = await engineWithScenes();
const start = performance.now();
engine.open(scene, sceneText(scene));
const opened = performance.now();
const run = () => {
  const before = process.cpuUsage();
  for (let k = 0; k < Number(substeps); k++) engine.substep();
  return process.cpuUsage(before).user / 1000 / Number(substeps);
};
const warming = run();
const warm = run();
const { count } = engine.view();
console.log(`${scene}: ${count} particles, opened in ${(opened - start).toFixed(0)} ms, ${warm.toFixed(2)} ms a substep (${warming.toFixed(2)} in the first ${substeps})`);
