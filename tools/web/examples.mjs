// node examples.mjs [SCENE...]: measures bundled scenes in WebAssembly, all of them or those that are named, such as
// "cloth/strip.toml", and writes into the list of the page, crates/pliant/web/examples.json, which of them it can take.
import { bundledScenes, readExamples, writeExamples } from "./examples_list.mjs";
import { engineWithScenes, sceneText } from "./repository.mjs";

/** What a visitor waits for, until a scene is open [s]... */
const MOST_OPENING = 8;
/** ...and until it has moved by a substep [s]. */
const MOST_SUBSTEP = 0.25;
/** How far from real time it may be: slower, there is little to see. */
const LEAST_SPEED = 1 / 30;
/** What starts fast and becomes slow: a cup that is filled, a hand that dips into goo. */
const SLOW_LATER = ["xpbi/cup.toml", "xpbi/wrist.toml"];
/** Substeps that are measured, after as many to warm up; fewer of scenes that take longer. */
const MEASURED = 20;

/** Time that the processor has spent on this program [s]: whatever else runs on the machine counts for nothing. */
const spent = () => process.cpuUsage().user / 1e6;

async function measure(scene) {
  const engine = await engineWithScenes();
  const start = spent();
  const { particles } = engine.open(scene, sceneText(scene));
  const opening = spent() - start;
  const run = (count) => {
    const [before, time] = [spent(), engine.time];
    for (let k = 0; k < count; k++) engine.substep();
    return { seconds: (spent() - before) / count, simulated: (engine.time - time) / count };
  };
  const first = run(2);
  const { seconds, simulated } = first.seconds > MOST_SUBSTEP ? first : (run(MEASURED), run(MEASURED));
  return { scene, particles, opening, substep: seconds, speed: simulated / seconds };
}

const all = bundledScenes();
const asked = process.argv.slice(2);
const unknown = asked.filter((scene) => !all.includes(scene));
if (unknown.length) throw new Error(`no bundled scenes: ${unknown.join(", ")}`);
const isMeasured = (scene) => asked.length === 0 || asked.includes(scene);
// What is not measured stays as it was.
const before = readExamples();
const stays = (scene) => all.includes(scene) && !isMeasured(scene);
const taken = before.scenes.map(({ scene }) => scene).filter(stays);
const leftOut = before.leftOut.filter(stays);
for (const scene of all.filter(isMeasured)) {
  const { particles, opening, substep, speed } = await measure(scene);
  const isTaken = !SLOW_LATER.includes(scene) && opening <= MOST_OPENING && substep <= MOST_SUBSTEP && speed >= LEAST_SPEED;
  const cost = `${particles} particles, opened in ${opening.toFixed(2)} s, ${(1000 * substep).toFixed(1)} ms a substep, ${speed.toFixed(3)} of real time`;
  console.log(`${isTaken ? "taken   " : "left out"}  ${scene}  ${cost}`);
  (isTaken ? taken : leftOut).push(scene);
}
writeExamples(taken, leftOut);
console.log(`${taken.length} of ${all.length} scenes are taken`);
