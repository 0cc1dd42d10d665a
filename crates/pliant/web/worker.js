// The simulation, in a thread of its own: steps the scene in real time as far as it can, and sends what is to be seen.
import { Engine, SceneError } from "./engine.js";
import { spawnOf } from "./threads.js";

/** Time between two looks at what the page has sent [ms]. */
const SLICE = 12;
/** Part of the time that pictures may take while the scene runs: watching it is not to slow it. */
const MOST_OF_PICTURES = 0.03;
/** Time between two pictures while the scene runs that is the longest to wait for, whatever they take [ms]. */
const LONGEST_PAUSE = 5000;

let giveModule;
/** The engine, once the page has sent it; with threads, the memory and the numbers of these are beside it. */
const loading = new Promise((resolve) => {
  giveModule = ({ module, threads, memory, numbers }) =>
    resolve(Engine.load(module, { threads, memory, spawn: numbers && spawnOf(numbers) }));
});
let engine;
let isRunning = false;
/** True while a frame is to be done although the scene is paused. */
let isStepping = false;
let isWaiting = false;
/** Wall time and simulated time at which the scene last ran in real time. */
let since = { wall: 0, time: 0 };
/** Processor time of substeps, and their number, since the scene was opened. */
let spent = { seconds: 0, substeps: 0 };
/** Simulated seconds a second at most. */
let speed = 1;
/** The columns that are plotted. */
let plotted = [];
let isShown = true;
/** When the next picture may be made while the scene runs [ms]. */
let due = 0;
/** What the last picture took [ms]. */
let lastTook = 0;
let isOpen = false;
/** True if the scene has moved since it was sent to be seen. */
let isStale = false;
/** What the hand is to do before the next frame. */
let touches = [];
/** The body that is poured before every frame, and where; null if none is. */
let poured = null;

/** What the page has sent before: loading takes time, and what follows waits for it. */
let before = loading.then((loaded) => {
  engine = loaded;
  postMessage({ alive: true });
});

onmessage = ({ data }) => {
  if (data.module) giveModule(data);
  else before = before.then(() => obey(data)).catch(fail);
};
// An engine that does not load is told like everything else.
before.catch(fail);

function fail(error) {
  isRunning = isStepping = false;
  touches = [];
  // An engine that stopped in the middle of something cannot be called again.
  if (error instanceof SceneError) postMessage({ error: error.message, isScene: true });
  else postMessage({ broken: error.message });
}

function obey({ beat, file, open, run, step, restart, shown, touch, replay, ask, pace, color, plot }) {
  if (beat) postMessage({ alive: true });
  if (file) engine.addFile(file.path, file.bytes);
  if (open) openScene(open);
  if (restart) engine.restart();
  if (replay) engine.replay(replay);
  if (open || restart || replay) {
    touches = [];
    // The frame that was half done is no more.
    isStepping = false;
    spent = { seconds: 0, substeps: 0 };
    tried(() => engine.plot(plotted));
    show();
  }
  if (color) {
    tried(() => engine.colorBy(color));
    show();
  }
  if (plot) {
    plotted = plot;
    if (isOpen) tried(() => engine.plot(plotted));
    isStale = true;
  }
  if (pace) speed = pace;
  if (step) isStepping = true;
  if (run !== undefined) isRunning = run;
  if (open || restart || replay || run || pace) since = { wall: performance.now(), time: engine.time };
  if (touch) take(touch);
  if (shown) isShown = true;
  if (isShown && isStale && !(isRunning || isStepping)) show();
  if (ask) answer(ask);
  goOn();
}

/** Tells what cannot be done, and goes on. */
function tried(act) {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    postMessage({ refused: error.message });
  }
}

function openScene({ path, text, inputs, set }) {
  const start = performance.now();
  isOpen = false;
  // A scene that is wrong leaves none that could go on.
  isStepping = false;
  poured = null;
  const facts = engine.open(path, text, { hand: true, set });
  isOpen = true;
  // Columns of the scene before may be none of this one.
  const known = new Set(facts.columns.map(([name]) => name));
  plotted = plotted.filter((name) => known.has(name));
  if (inputs) engine.replay(inputs);
  postMessage({ opened: { facts, seconds: (performance.now() - start) / 1000 } });
}

function answer({ number, inputs, particles, schema, hashes }) {
  try {
    let value;
    if (inputs) value = engine.inputs();
    if (particles) value = engine.particles(particles);
    if (schema) value = engine.schema();
    if (hashes) value = { ...engine.hashes(), time: engine.time, isBetweenFrames: engine.isBetweenFrames };
    postMessage({ answer: { number, value } });
  } catch (error) {
    if (!(error instanceof SceneError)) throw error;
    postMessage({ answer: { number, error: error.message } });
  }
}

/** Notes what the hand is to do; of moves in a row the last one counts. */
function take(touch) {
  if (touch.move && touches.at(-1)?.move) touches.pop();
  if (touch.pour && touches.at(-1)?.pour) touches.pop();
  touches.push(touch);
  // It acts between frames: a frame that is half done goes on to its end.
  if (!isRunning && !engine.isBetweenFrames) isStepping = true;
}

function touchScene() {
  isStale ||= touches.length > 0 || Boolean(poured);
  const asked = touches.splice(0);
  // What is poured goes on falling, a ball a frame, until something else is said of it.
  if (poured && !asked.some(({ pour }) => pour !== undefined)) asked.push({ pour: poured });
  for (const { grab, move, release, cut, pour, set } of asked) {
    try {
      if (set) postMessage({ changed: engine.set(set), assignment: set });
      if (pour !== undefined) poured = pour;
      if (pour) engine.pour(pour.body, pour.at);
      if (grab) engine.grab(grab);
      if (move && engine.isHolding) engine.move(move);
      if (release && engine.isHolding) engine.release();
      if (cut) engine.cut(cut);
    } catch (error) {
      if (!(error instanceof SceneError)) throw error;
      poured = null;
      postMessage({ refused: error.message, needsRestart: error.needsRestart ? set : undefined });
    }
  }
}

function advance() {
  if (engine.isBetweenFrames) touchScene();
  const start = performance.now();
  engine.advance();
  spent.seconds += (performance.now() - start) / 1000;
  spent.substeps += 1;
  isStale = true;
  if (isStepping && engine.isBetweenFrames) isStepping = false;
}

function goOn() {
  if (isWaiting) return;
  if (isRunning || isStepping) {
    isWaiting = true;
    setTimeout(slice, 1);
  } else if (touches.length && engine.isBetweenFrames) {
    touchScene();
    if (isShown) show();
  }
}

function slice() {
  isWaiting = false;
  if (!(isRunning || isStepping)) return;
  try {
    const end = performance.now() + SLICE;
    const isDue = () => isStepping || (isRunning && engine.time < since.time + (speed * (performance.now() - since.wall)) / 1000);
    let isBehind = isDue();
    while (isBehind && performance.now() < end) {
      advance();
      isBehind = isDue();
    }
    // What cannot be done in real time is not made up for later.
    if (isBehind || !isRunning) since = { wall: performance.now(), time: engine.time };
    if (isShown && (performance.now() >= due || !(isRunning || isStepping))) show();
    goOn();
  } catch (error) {
    fail(error);
  }
}

/** Sends the moment; the page says when it has shown it. */
function show() {
  const start = performance.now();
  isShown = isStale = false;
  const [bytes, rows] = [engine.picture(), engine.takeRows()];
  // The first picture of a scene, and one that something else has held up, take much longer than others.
  const took = performance.now() - start;
  due = start + Math.min(Math.min(took, lastTook || took) / MOST_OF_PICTURES, LONGEST_PAUSE);
  lastTook = took;
  postMessage({ seen: { bytes, rows, isHolding: engine.isHolding, ...spent } }, [bytes, rows.buffer]);
}
