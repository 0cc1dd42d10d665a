// The simulation, in a thread of its own: steps the scene in real time as far as it can, and sends what is to be seen.
import { Engine, SceneError } from "./engine.js";

/** Time between two looks at what the page has sent [ms]. */
const SLICE = 12;

let engine;
let isRunning = false;
/** Wall time and simulated time at which the scene last ran in real time. */
let since = { wall: 0, time: 0 };
/** Processor time of substeps, and their number, since the scene was opened. */
let spent = { seconds: 0, substeps: 0 };
let isShown = true;

/** What the page has sent before: loading takes time, and what follows waits for it. */
let before = Promise.resolve();

onmessage = ({ data }) => {
  before = before.then(() => obey(data)).catch((error) => {
    isRunning = false;
    postMessage({ error: error.message, isScene: error instanceof SceneError });
  });
};

async function obey({ load, open, run, step, restart, shown }) {
  if (load) {
    engine = await Engine.load(await fetch(load.module));
    for (const { path, bytes } of load.files) engine.addFile(path, bytes);
    postMessage({ loaded: true });
  }
  if (open) {
    const start = performance.now();
    const warnings = engine.open(open.path, open.text);
    spent = { seconds: 0, substeps: 0 };
    postMessage({ opened: { warnings, upAxis: engine.upAxis, seconds: (performance.now() - start) / 1000 } });
    show();
  }
  if (step) advance();
  if (restart) engine.restart();
  if (step || restart) show();
  if (run !== undefined) {
    const wasRunning = isRunning;
    isRunning = run;
    if (run && !wasRunning) setTimeout(slice);
  }
  if (open || restart || run) since = { wall: performance.now(), time: engine.time };
  if (shown) isShown = true;
}

function advance() {
  const start = performance.now();
  engine.substep();
  spent.seconds += (performance.now() - start) / 1000;
  spent.substeps += 1;
}

function slice() {
  if (!isRunning) return;
  try {
    const end = performance.now() + SLICE;
    const target = () => since.time + (performance.now() - since.wall) / 1000;
    let isBehind = engine.time < target();
    while (isBehind && performance.now() < end) {
      advance();
      isBehind = engine.time < target();
    }
    // What cannot be done in real time is not made up for later.
    if (isBehind) since = { wall: performance.now(), time: engine.time };
    if (isShown) show();
  } catch (error) {
    isRunning = false;
    postMessage({ error: error.message, isScene: error instanceof SceneError });
    return;
  }
  setTimeout(slice, 1);
}

/** Sends copies of the columns; the page says when it has shown them. */
function show() {
  isShown = false;
  const { count, ...columns } = engine.view();
  const copies = Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.slice()]));
  const buffers = Object.values(copies).map((copy) => copy.buffer);
  postMessage({ seen: { count, ...copies, time: engine.time, ...spent } }, buffers);
}
