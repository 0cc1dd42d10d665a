// The page: examples, an editor with errors in their place, a picture to orbit, and buttons.
import { OrbitCamera } from "./camera.js";
import { Pictures } from "./draw.js";

const element = (id) => document.getElementById(id);
const camera = new OrbitCamera();
let pictures;
let worker;
let isRunning = true;
/** What was seen last, and whether it is already on the card. */
let seen;
let isNew = false;
/** Simulated and wall time between which the ratio to real time is taken. */
let mark = { time: 0, wall: 0 };
let path = "scene.toml";

/** For tests that drive the page: what it knows about itself. */
globalThis.pliant = { pictures: 0, count: 0, time: 0, error: "" };

async function begin() {
  pictures = new Pictures(element("canvas"));
  const examples = await (await fetch("examples.json")).json();
  const files = await Promise.all(examples.files.map(async (name) => {
    const response = await fetch(`scenes/${name}`);
    return { path: name, bytes: new Uint8Array(await response.arrayBuffer()) };
  }));
  const texts = new Map(files.map(({ path: name, bytes }) => [name, new TextDecoder().decode(bytes)]));
  for (const name of examples.scenes) element("examples").append(new Option(name.replace(".toml", ""), name));
  element("examples").onchange = () => {
    path = element("examples").value;
    element("text").value = texts.get(path);
    open();
  };
  worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = ({ data }) => hear(data);
  worker.onerror = (event) => showError(event.message);
  worker.postMessage({ load: { module: "pliant_web.wasm", files } });
  const wanted = decodeURIComponent(location.hash.slice(1));
  if (texts.has(wanted)) element("examples").value = wanted;
  element("examples").onchange();
  requestAnimationFrame(draw);
}

function open() {
  showError("");
  seen = undefined;
  worker.postMessage({ open: { path, text: element("text").value }, run: isRunning });
}

function hear({ opened, seen: now, error, isScene }) {
  if (opened) camera.upAxis = opened.upAxis;
  if (opened?.warnings) console.info(opened.warnings);
  if (now) {
    if (!seen) {
      camera.fit(now.spheres, camera.upAxis);
      mark = { time: now.time, wall: performance.now() };
    }
    seen = now;
    isNew = true;
  }
  if (error !== undefined) showError(error, isScene);
}

/** Shows an error, and puts the cursor where the scene file is wrong. */
function showError(message, isScene) {
  globalThis.pliant.error = message;
  element("error").hidden = !message;
  element("error").textContent = message;
  const place = isScene && message.includes(`${path}:`) && message.match(/:(\d+)(?::(\d+))?/);
  if (!place) return;
  const text = element("text");
  const lines = text.value.split("\n");
  const line = Math.min(Number(place[1]), lines.length) - 1;
  const start = lines.slice(0, line).reduce((length, each) => length + each.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + lines[line].length);
  text.scrollTop = (text.scrollHeight * Math.max(0, line - 5)) / lines.length;
}

function draw() {
  if (seen && isNew) {
    pictures.update(seen);
    isNew = false;
    worker.postMessage({ shown: true });
    tell();
  }
  if (seen) {
    pictures.draw(camera);
    globalThis.pliant.pictures += 1;
  }
  requestAnimationFrame(draw);
}

function tell() {
  const { count, time, seconds, substeps } = seen;
  Object.assign(globalThis.pliant, { count, time });
  const wall = (performance.now() - mark.wall) / 1000;
  if (wall > 2 || time < mark.time) mark = { time, wall: performance.now(), ratio: Math.max(0, time - mark.time) / wall };
  const ratio = mark.ratio === undefined ? "" : `, ${mark.ratio.toFixed(2)} of real time`;
  const cost = substeps ? `\n${((1000 * seconds) / substeps).toFixed(1)} ms a substep${isRunning ? ratio : ""}` : "";
  element("status").textContent = `${count} particles, ${time.toFixed(3)} s${cost}`;
}

function setRunning(run) {
  isRunning = run;
  element("pause").textContent = run ? "Pause" : "Go on";
  worker.postMessage({ run });
}

element("pause").onclick = () => setRunning(!isRunning);
element("step").onclick = () => {
  setRunning(false);
  worker.postMessage({ step: true });
};
element("restart").onclick = () => worker.postMessage({ restart: true });
element("run").onclick = open;

const canvas = element("canvas");
let pointer;
canvas.onpointerdown = (event) => {
  canvas.setPointerCapture(event.pointerId);
  pointer = [event.clientX, event.clientY];
};
canvas.onpointermove = (event) => {
  if (!pointer) return;
  camera.orbit(0.006 * (event.clientX - pointer[0]), 0.006 * (event.clientY - pointer[1]));
  pointer = [event.clientX, event.clientY];
};
canvas.onpointerup = canvas.onpointercancel = () => {
  pointer = undefined;
};
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  camera.zoom(Math.exp(0.001 * event.deltaY));
}, { passive: false });
canvas.onkeydown = (event) => {
  const act = {
    ArrowLeft: () => camera.orbit(0.1, 0),
    ArrowRight: () => camera.orbit(-0.1, 0),
    ArrowUp: () => camera.orbit(0, 0.1),
    ArrowDown: () => camera.orbit(0, -0.1),
    "+": () => camera.zoom(0.8),
    "-": () => camera.zoom(1.25),
    " ": () => setRunning(!isRunning),
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
};

begin().catch((error) => showError(error.message));
