// The page: examples, an editor, a picture to orbit and to touch, buttons, links and files.
import { OrbitCamera } from "./camera.js";
import { moves } from "./camera_path.js";
import { columns } from "./columns.js";
import { Pictures } from "./draw.js";
import { Editor } from "./editor.js";
import { save, sorted, whenDropped } from "./files.js";
import { Followed } from "./followed.js";
import { showLegend } from "./legend.js";
import { asked, packed, unpacked } from "./link.js";
import { Plots } from "./plots.js";
import { Recorded } from "./recorded.js";
import { SceneSchema } from "./schema.js";
import { Simulation, limits } from "./simulation.js";
import { mayShare, threadsOf } from "./threads.js";
import { Touch } from "./touch.js";
import { Values } from "./values.js";

/** A scene of more particles waits until it is told to run. */
const MOST_AT_ONCE = 50_000;

/** Whether the page stands in another one, such as the book, which shows a scene and not its file. */
const isEmbedded = new URLSearchParams(location.search).has("embedded");

const element = (id) => document.getElementById(id);
const [canvas, notice] = [element("canvas"), element("notice")];
const camera = new OrbitCamera();
const editor = new Editor({ text: element("text"), lines: element("lines"), list: element("proposals"), doc: element("doc") }, () => open());
/** What the hand needs to know of the scene. */
const scene = { seen: undefined, isCutting: false, poured: "", isRecorded: false };
const act = (what) => {
  if (recorded) followed?.follow(scene.seen.ids[what.pick], recorded.frames, scene.seen.number).catch(failed);
  else simulation?.tell({ touch: what });
};
const touch = new Touch(canvas, element("overlay"), camera, scene, act);
const values = new Values(element("values"), element("search"), (assignment) => isOpen && act({ set: assignment }));
const plots = new Plots(element("plots"), element("columns"), (names) => (recorded ? plotRecorded(names) : simulation?.tell({ plot: names })));
/** "KEY=VALUE" of the values that were set since the scene was read, in place of its own. */
let set = [];
/** Files that were loaded, by name; they stand beside whatever scene is open. */
const loaded = new Map();
let pictures;
let simulation;
/** The run that is shown in place of a simulation, what was measured in it, and a particle that is followed. */
let recorded;
let measured = new Map();
let followed;
let examples = [];
let path = "scene.toml";
/** The scene that the camera was turned to, and the number of its camera. */
let lookedAt;
let lookedThrough = 0;
let isRunning = true;
/** False while no scene is open in the worker: it was wrong, or too much. */
let isOpen = false;
/** Whether what is seen is not yet on the card. */
let isNew = false;
/** What was drawn last: the camera's count of changes, the size of the picture; and when. */
let drawn = { key: "", at: 0 };
let facts;
/** Simulated and wall time between which the ratio to real time is taken. */
let mark = { time: 0, wall: 0 };

/** For tests that drive the page: what it knows about itself. */
globalThis.pliant = {
  pictures: 0, count: 0, time: 0, threads: 1, opened: "", error: "", notice: "", isHolding: false, hasSchema: false,
  limits, scene, camera, plots, ask: (question) => simulation.ask(question), renew: (why) => simulation.renew(why),
  threadWorkers: () => simulation.threads.workers, replay: (inputs) => simulation.tell({ replay: inputs }),
};

async function begin() {
  if (isEmbedded) embed();
  pictures = globalThis.pliant.drawing = new Pictures(canvas, await (await fetch("shaders.glsl")).text());
  const { run } = asked(location.hash);
  if (run !== undefined) return openRun(run);
  simulation = new Simulation(engine(), hear, ended);
  examples = (await (await fetch("examples.json")).json()).scenes;
  listExamples();
  await follow();
  requestAnimationFrame(draw);
  editor.schema = new SceneSchema(await simulation.ask({ schema: true }));
  globalThis.pliant.hasSchema = true;
}

/** The compiled engine, and how many threads it has: more than one where pages may share memory and it was built so. */
async function engine() {
  const built = await (await fetch("engines.json")).json();
  const asked = new URLSearchParams(location.search).get("threads");
  const threads = built.threads && mayShare() ? threadsOf(navigator.hardwareConcurrency ?? 1, asked) : 1;
  globalThis.pliant.threads = threads;
  const file = threads > 1 ? "pliant_web_threads.wasm" : "pliant_web.wasm";
  return { module: await WebAssembly.compileStreaming(fetch(file)), threads };
}

/** Shows a run that is served, which needs no engine. */
async function openRun(number) {
  // In a page of somebody else, such as a notebook, the picture has all the room.
  const isAlone = !isEmbedded && globalThis.parent === globalThis;
  document.body.classList.add(isAlone ? "run" : "embedded");
  scene.isRecorded = true;
  recorded = new Recorded(number, element("timeline"), (seen) => hear({ seen }), failed, () => hearGrown().catch(failed));
  facts = await recorded.list();
  const { title } = facts;
  offerLooks(facts);
  document.title = `${title}: Pliant in the browser`;
  element("timeline").hidden = false;
  element("timeline").oninput = ({ target }) => {
    setRunning(false);
    recorded.go(Number(target.value));
  };
  await recorded.colorBy(facts.coloring);
  if (isAlone) {
    followed = new Followed(element("particle"), { line: element("path"), ring: element("ring") }, (frame, id) => recorded.particle(frame, id));
    plots.open(facts.columns, facts.gauges);
    await hearGrown();
  }
  setRunning(true);
  if (recorded.isLive) recorded.follow();
  requestAnimationFrame(draw);
}

/** There are other frames than before: more was measured, and paths are longer. */
async function hearGrown() {
  if (!followed) return;
  const path = followed.go(recorded.frames);
  measured = await recorded.tables();
  element("measured").hidden = measured.size === 0;
  plots.forget();
  plotRecorded(plots.chosen);
  await path;
}

/** Plots columns of what was measured. */
function plotRecorded(names) {
  const columns = ["time", ...names].map((name) => measured.get(name) ?? []);
  plots.take(columns[0].flatMap((_, row) => columns.map((column) => column[row] ?? NaN)));
}

/** Leaves the picture and its buttons, with a way to the whole page. */
function embed() {
  document.body.classList.add("embedded");
  const whole = element("whole");
  whole.hidden = false;
  whole.href = location.pathname + location.hash;
}

function listExamples() {
  const groups = Map.groupBy(examples, ({ scene: name }) => name.split("/")[0]);
  for (const [folder, members] of groups) {
    const group = document.createElement("optgroup");
    group.label = folder;
    for (const { scene: name } of members) group.append(new Option(name.split("/")[1].replace(".toml", ""), name));
    element("examples").append(group);
  }
}

/** Opens what the address asks for, or else the first example. */
async function follow() {
  const { example, scene: code, inputs } = asked(location.hash);
  if (!code) return openExample(examples.find(({ scene: name }) => name === example) ?? examples[0]);
  try {
    const text = await unpacked(code);
    element("examples").value = "";
    show("scene.toml", text, inputs ? await unpacked(inputs) : undefined);
    tell("The scene is from a link: it runs here, and reads nothing but this page's own files.");
  } catch (error) {
    await openExample(examples[0]);
    showError(error.message);
  }
}

async function openExample({ scene: name, files = [] }) {
  element("examples").value = name;
  const read = async (file) => (await fetch(`scenes/${file}`)).arrayBuffer();
  const [text, ...others] = await Promise.all([name, ...files].map(read));
  if (element("examples").value !== name) return;
  files.forEach((file, k) => {
    if (!simulation.files.has(file)) simulation.addFile(file, new Uint8Array(others[k]));
  });
  show(name, new TextDecoder().decode(text));
}

/** Puts a scene into the editor, and opens it. */
function show(name, text, inputs) {
  path = name;
  set = [];
  lookedAt = undefined;
  editor.value = text;
  tell("");
  open(inputs);
}

function open(inputs) {
  showError("");
  offerAnew();
  touch.forget();
  scene.seen = undefined;
  isOpen = false;
  globalThis.pliant.opened = "";
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  for (const [name, bytes] of loaded) simulation.addFile(folder + name, bytes);
  simulation.tell({ open: { path, text: editor.value, inputs, set }, run: false });
  element("status").textContent = "Opening…";
}

/** Notes a value that was set, in place of another one of its key. */
function noteSet(assignment) {
  const key = (text) => text.split("=")[0].trim();
  set = [...set.filter((other) => key(other) !== key(assignment)), assignment];
}

function hear({ opened, changed, assignment, seen, error, isScene, refused, needsRestart }) {
  if (opened) hearOpened(opened);
  if (changed) {
    facts = changed;
    if (camera.path) lookThrough(lookedThrough);
    noteSet(assignment);
    values.show(facts.values);
    tell("");
    offerAnew();
  }
  if (seen) hearSeen(seen);
  if (refused) {
    tell(refused);
    // The value that was typed is none that the scene has.
    if (isOpen) values.show(facts.values);
    offerAnew(needsRestart);
  }
  if (error !== undefined) {
    element("status").textContent = "";
    showError(error, isScene);
  }
}

function hearSeen({ bytes, rows, ...others }) {
  const seen = bytes ? { ...columns(bytes), ...others } : others;
  if (recorded) {
    plots.at(seen.time);
    followed?.show(seen.number).catch(failed);
  } else if (!scene.seen || seen.time < scene.seen.time) {
    plots.forget();
    mark = { time: seen.time, wall: performance.now() };
  }
  scene.seen = seen;
  isNew = true;
  if (rows) plots.take(rows);
}

function hearOpened(opened) {
  ({ facts } = opened);
  isOpen = true;
  globalThis.pliant.opened = path;
  const canBeCut = facts.bodies.some((body) => body.canBeCut);
  element("cut").hidden = !canBeCut;
  if (!canBeCut) setCutting(false);
  offerPouring(facts.bodies.filter((body) => body.canBePoured).map(({ name }) => name));
  offerLooks(facts);
  values.show(facts.values);
  plots.open(facts.columns, facts.gauges);
  document.title = `${facts.title || path}: Pliant in the browser`;
  if (facts.warnings.length) tell(facts.warnings.join("\n"));
  if (isRunning && facts.particles > MOST_AT_ONCE) {
    setRunning(false);
    tell(`The scene has ${facts.particles} particles, which take ${Math.ceil(facts.memory / 1e6)} MB, and ${facts.substepsPerFrame} substeps a frame. Go on starts it.`);
  } else setRunning(isRunning);
}

/** Colours and cameras of a scene, of which the picture takes the first ones. */
function offerLooks({ coloring, colorings, cameras, upAxis, bounds, light }) {
  pictures.open({ light, bounds });
  const [low, high] = bounds;
  camera.upAxis = upAxis;
  camera.extent = Math.max(1e-6, ...low.map((x, axis) => high[axis] - x));
  // Who tries one change after the other goes on looking from where they were, or through the same camera.
  if (lookedAt !== path) lookThrough(0);
  else if (camera.path) lookThrough(lookedThrough);
  lookedAt = path;
  const all = new Map([{ name: "body" }, { name: "material" }, ...colorings, coloring].map((own) => [own.name, own]));
  const label = (name) => `Colours: ${name.replaceAll("_", " ")}`;
  element("color").replaceChildren(...[...all.keys()].map((name) => new Option(label(name), name)));
  element("color").value = coloring.name;
  element("color").onchange = guarded(({ target }) => {
    if (recorded) return recorded.colorBy(all.get(target.value));
    if (isOpen) simulation.tell({ color: target.value });
  });
  element("camera").replaceChildren(new Option("Camera…", ""), ...cameras.map((_, k) => new Option(cameras.length > 1 || moves(cameras[0]) ? `Camera ${k + 1}` : "As at the start", k)));
  element("camera").onchange = ({ target }) => {
    if (target.value) lookThrough(Number(target.value));
    target.value = "";
  };
}

/** Looks through a camera of the scene, and moves with it if it moves. */
function lookThrough(number) {
  const { cameras } = facts;
  lookedThrough = number;
  camera.follow(cameras[number] ?? cameras[0], scene.seen?.time ?? 0);
}

/** Offers to start the scene again with a value that cannot change while it runs. */
function offerAnew(assignment) {
  const button = element("anew");
  button.hidden = !assignment;
  if (!assignment) return;
  button.textContent = `Restart with ${assignment}`;
  button.onclick = () => {
    noteSet(assignment);
    open();
  };
}

/** The worker was ended. What it ran is not started again by itself: that would end alike. */
function ended(why) {
  isOpen = false;
  element("status").textContent = "";
  showError(`${why}\nRestart opens the scene again; any other can be opened too.`);
}

function tell(message) {
  globalThis.pliant.notice = message;
  notice.hidden = !message;
  notice.textContent = message;
}

/** Shows an error, and marks where the scene file is wrong. */
function showError(message, isScene) {
  globalThis.pliant.error = message;
  element("error").hidden = !message;
  element("error").textContent = message;
  const places = isScene ? message.split("\n").filter((line) => line.includes(`${path}:`)) : [];
  const numbers = places.map((line) => Number(line.split(`${path}:`)[1].match(/^\d+/)?.[0])).filter(Boolean);
  editor.mark(numbers);
  if (numbers.length) editor.goTo(numbers[0]);
}

function draw() {
  if (recorded && isRunning && !recorded.tick()) setRunning(false);
  if (scene.seen) camera.moveTo(scene.seen.time);
  // Nothing is drawn twice: that costs a phone its battery.
  const key = `${camera.changes} ${followed?.changes} ${canvas.clientWidth} ${canvas.clientHeight} ${devicePixelRatio} ${pictures.hasShadows} ${pictures.hasSurfaces}`;
  if (scene.seen && (isNew || key !== drawn.key)) {
    if (isNew) pictures.update(scene.seen);
    pictures.draw(camera);
    followed?.draw(camera, canvas.clientWidth, canvas.clientHeight);
    showLegend(element("legend"), scene.seen.legend);
    const now = performance.now();
    if (drawn.wasDrawn) pictures.took(now - drawn.at);
    drawn = { key, at: now, wasDrawn: true };
    globalThis.pliant.pictures += 1;
    globalThis.pliant.firstPicture ??= now;
    if (isNew) {
      isNew = false;
      simulation?.tell({ shown: true });
      tellStatus();
    }
  } else drawn.wasDrawn = false;
  requestAnimationFrame(draw);
}

function tellStatus() {
  if (recorded) {
    Object.assign(globalThis.pliant, { count: scene.seen.count, time: scene.seen.time });
    element("status").textContent = `${recorded.title}\n${scene.seen.time.toFixed(3)} s, frame ${scene.seen.number}`;
    return;
  }
  const { count, time, seconds, substeps, isHolding } = scene.seen;
  Object.assign(globalThis.pliant, { count, time, isHolding });
  const wall = (performance.now() - mark.wall) / 1000;
  if (wall > 2 || time < mark.time) mark = { time, wall: performance.now(), ratio: Math.max(0, time - mark.time) / wall };
  const ratio = mark.ratio === undefined ? "" : `, ${mark.ratio.toFixed(2)} of real time`;
  const threads = globalThis.pliant.threads > 1 ? `, ${globalThis.pliant.threads} threads` : "";
  const cost = substeps ? `\n${((1000 * seconds) / substeps).toFixed(1)} ms a substep${threads}${isRunning ? ratio : ""}` : "";
  const megabytes = facts ? `, ${Math.ceil(facts.memory / 1e6)} MB` : "";
  element("status").textContent = `${count} particles${megabytes}, ${time.toFixed(3)} s${cost}`;
}

function setRunning(run) {
  isRunning = run;
  mark = { time: scene.seen?.time ?? 0, wall: performance.now() };
  element("pause").textContent = run ? "Pause" : "Go on";
  recorded?.play(run);
  if (isOpen) simulation.tell({ run });
}

function stepFrame() {
  setRunning(false);
  recorded?.go(recorded.place + 1);
  if (isOpen) simulation.tell({ step: true });
}

function restart() {
  touch.forget();
  if (recorded) {
    recorded.go(0).then(() => setRunning(isRunning));
    return;
  }
  if (isOpen) simulation.tell({ restart: true, run: isRunning });
  else open();
}

function setCutting(isCutting) {
  scene.isCutting = isCutting;
  element("cut").setAttribute("aria-pressed", String(isCutting));
}

/** Bodies to choose from, of which a drag pours one. */
function offerPouring(names) {
  const options = [new Option("Pour…", ""), ...names.map((name) => new Option(`Pour ${name}`, name))];
  element("pour").replaceChildren(...options);
  element("pour").hidden = names.length === 0;
  if (!names.includes(scene.poured)) scene.poured = "";
  element("pour").value = scene.poured;
}

/** Copies a link that holds the scene, and what was done to it if the link has room. */
async function share() {
  const log = isOpen ? await simulation.ask({ inputs: true }) : "";
  let hash = `#scene=${await packed(editor.value)}`;
  let left = loaded.size ? " Files that were loaded are not in it." : "";
  if (log.includes("[[input]]") || !log.includes("set = []")) {
    const inputs = await packed(log).catch(() => undefined);
    if (inputs) hash += `&inputs=${inputs}`;
    else left += " What was done to the scene is too long for it.";
  }
  history.replaceState(null, "", hash);
  const isCopied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
  tell(`${isCopied ? "The link is copied" : "The link is in the address line"} (${location.href.length} characters).${left}`);
}

async function saveAs(what) {
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.toml$/, "");
  if (what === "scene") save(`${name}.toml`, editor.value);
  if (what === "inputs") {
    save(`${name}.inputs.toml`, await simulation.ask({ inputs: true }));
    tell(`Beside ${name}.toml as the scene started, \`pliant live --replay ${name}.inputs.toml\` does it again; so does this page, if the file is loaded.`);
  }
  if (what === "ply" || what === "vtk") save(`${name}.${what === "vtk" ? "vtp" : what}`, await simulation.ask({ particles: what }));
}

/** Takes files that were chosen or dropped. */
async function take(list) {
  const { scene: own, inputs, others } = await sorted(list);
  for (const { name, bytes } of others) loaded.set(name, bytes);
  if (own) {
    element("examples").value = "";
    show(own.path, own.text, inputs);
  } else if (inputs) open(inputs);
  if (others.length) tell(`${others.map(({ name }) => `"${name}"`).join(", ")}: the scene can name it, as in shape = { mesh = { file = "${others[0].name}" } }.`);
}

function failed(error) {
  showError(error.message);
}

/** What fails is told, not thrown. */
const guarded = (work) => async (event) => {
  try {
    await work(event);
  } catch (error) {
    showError(error.message);
  }
};

element("pause").onclick = () => setRunning(!isRunning);
element("step").onclick = stepFrame;
element("restart").onclick = restart;
element("cut").onclick = () => setCutting(!scene.isCutting);
element("pour").onchange = ({ target }) => {
  scene.poured = target.value;
};
element("pace").onchange = ({ target }) => {
  mark = { time: scene.seen?.time ?? 0, wall: performance.now() };
  simulation?.tell({ pace: Number(target.value) });
};
element("run").onclick = () => {
  set = [];
  open();
};
element("share").onclick = guarded(share);
element("load").onclick = () => element("files").click();
element("files").onchange = guarded(async ({ target }) => {
  await take([...target.files]);
  target.value = "";
});
element("save").onchange = guarded(async ({ target }) => {
  const what = target.value;
  target.value = "";
  await saveAs(what);
});
element("examples").onchange = guarded(({ target }) => {
  history.replaceState(null, "", `#${target.value}`);
  return openExample(examples.find(({ scene: name }) => name === target.value));
});
whenDropped(guarded((list) => (recorded ? undefined : take(list))));
addEventListener("hashchange", guarded(() => (recorded || asked(location.hash).run !== undefined ? location.reload() : follow())));
canvas.onkeydown = (event) => {
  const known = { " ": () => setRunning(!isRunning), s: stepFrame, r: restart }[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey || !(known || touch.press(event))) return;
  event.preventDefault();
  known?.();
};

begin().catch((error) => showError(error.message));
