// node speed.mjs SCENE [SUBSTEPS [THREADS]]: time of a substep in WebAssembly, after as many to warm up.
import { engineWithScenes, sceneText } from "./repository.mjs";

const [scene, substeps = "50", threads = "1"] = process.argv.slice(2);
const engine = await engineWithScenes({ threads: Number(threads) });
const now = () => performance.now();
const start = performance.now();
engine.open(scene, sceneText(scene));
const opened = performance.now();
const run = () => {
  const before = now();
  for (let k = 0; k < Number(substeps); k++) engine.substep();
  return (now() - before) / Number(substeps);
};
const warming = run();
const warm = run();
const { count } = engine.view();
console.log(`${scene}: ${count} particles, opened in ${(opened - start).toFixed(0)} ms, ${warm.toFixed(2)} ms a substep (${warming.toFixed(2)} in the first ${substeps})`);
