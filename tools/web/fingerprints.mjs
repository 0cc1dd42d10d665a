// node fingerprints.mjs [--threads N] [--all | SCENE...]: do scenes lead to the bits in WebAssembly to which they lead on
// a processor? Without scenes, one or more of every method. With threads, in the module that has them.
import { parseArgs } from "node:util";
import { engineWithScenes, goldenFingerprints, sceneText } from "./repository.mjs";

const oneOfEveryMethod = [
  "start/sand.toml",
  "xpbi/snow-ball.toml",
  "xpbi/noodles.toml",
  "xpbi/mesh-body.toml",
  "xpbi/sand-column-granules.toml",
  "fluid/floating-box.toml",
  "cloth/sheet-over-ball.toml",
  "cloth/dancer.toml",
  "strain-energy/tori.toml",
  "strain-energy/jelly.toml",
  "shape-groups/stretch.toml",
  "muscle/lift.toml",
  "springs/ring.toml",
  "rigid/stack.toml",
  "rigid/everything.toml",
];

const golden = goldenFingerprints();
const options = { all: { type: "boolean" }, threads: { type: "string", default: "1" } };
const { values, positionals: wanted } = parseArgs({ options, allowPositionals: true });
const threads = Number(values.threads);
const engine = await engineWithScenes({ threads });
const names = values.all ? golden.map((line) => line.scene) : wanted.length ? wanted : oneOfEveryMethod;
let failed = 0;
for (const name of names) {
  const expected = golden.find((line) => line.scene === name);
  if (!expected) throw new Error(`.ci/golden.txt has no scene ${name}`);
  const start = performance.now();
  engine.open(name, sceneText(name));
  for (let k = 0; k < expected.substeps; k++) engine.substep();
  const { motion, state } = engine.hashes();
  const isSame = motion === expected.motion && state === expected.state;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${isSame ? "same bits" : "OTHER BITS"}  ${name}  ${expected.substeps} substeps, ${seconds} s`);
  if (!isSame) {
    console.log(`  expected ${expected.motion} ${expected.state}\n  found    ${motion} ${state}`);
    failed += 1;
  }
}
console.log(`${names.length - failed} of ${names.length} scenes lead to the same bits as the command, on ${threads} thread${threads > 1 ? "s" : ""}`);
process.exitCode = failed ? 1 : 0;
