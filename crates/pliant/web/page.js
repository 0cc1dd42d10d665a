// The page: examples, an editor, a picture to orbit and to touch, buttons, links and files.
import { OrbitCamera } from "./camera.js";
import { Pictures } from "./draw.js";
import { Editor } from "./editor.js";
import { save, sorted, whenDropped } from "./files.js";
import { asked, packed, unpacked } from "./link.js";
import { Recorded } from "./recorded.js";
import { SceneSchema } from "./schema.js";
import { Simulation, limits } from "./simulation.js";
import { Touch } from "./touch.js";

/** A scene of more particles waits until it is told to run. */
const MOST_AT_ONCE = 50_000;

/** Whether the page stands in another one, such as the book, which shows a scene and not its file. */
const isEmbedded = new URLSearchParams(location.search).has("embedded");

const element = (id) => document.getElementById(id);
const [canvas, notice] = [element("canvas"), element("notice")];
const camera = new OrbitCamera();
const editor = new Editor({ text: element("text"), lines: element("lines"), list: element("proposals"), doc: element("doc") }, () => open());
/** What the hand needs to know of the scene: what is seen, and which bodies are rigid. */
const scene = { seen: undefined, isRigid: [], isCutting: false, poured: "" };
const touch = new Touch(canvas, element("overlay"), camera, scene, (act) => simulation?.tell({ touch: act }));
/** Files that were loaded, by name; they stand beside whatever scene is open. */
const loaded = new Map();
let pictures;
let simulation;
/** The run that is shown in place of a simulation. */
let recorded;
let examples = [];
let path = "scene.toml";
let isRunning = true;
/** False while no scene is open in the worker: it was wrong, or too much. */
let isOpen = false;
/** Whether what is seen is already on the card. */
let isNew = false;
let facts;
/** Simulated and wall time between which the ratio to real time is taken. */
let mark = { time: 0, wall: 0 };

/** For tests that drive the page: what it knows about itself. */
globalThis.pliant = {
  pictures: 0, count: 0, time: 0, error: "", notice: "", isHolding: false, hasSchema: false,
  limits, scene, camera, ask: (question) => simulation.ask(question), replay: (inputs) => simulation.tell({ replay: inputs }),
};

async function begin() {
  if (isEmbedded) embed();
  pictures = new Pictures(canvas);
  const { run } = asked(location.hash);
  if (run !== undefined) return openRun(run);
  const module = WebAssembly.compileStreaming(fetch("pliant_web.wasm"));
  simulation = new Simulation(module, hear, ended);
  examples = (await (await fetch("examples.json")).json()).scenes;
  listExamples();
  await follow();
  requestAnimationFrame(draw);
  editor.schema = new SceneSchema(await simulation.ask({ schema: true }));
  globalThis.pliant.hasSchema = true;
}

/** Shows a run that is served, which needs no engine. */
async function openRun(number) {
  document.body.classList.add("embedded");
  recorded = new Recorded(number, element("timeline"), (seen) => hear({ seen }), (error) => showError(error.message));
  const { title, upAxis } = await recorded.list();
  camera.upAxis = upAxis;
  document.title = `${title}: Pliant in the browser`;
  element("timeline").hidden = false;
  element("timeline").oninput = ({ target }) => {
    setRunning(false);
    recorded.go(Number(target.value));
  };
  await recorded.go(0);
  setRunning(true);
  if (recorded.isLive) recorded.follow();
  requestAnimationFrame(draw);
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
  editor.value = text;
  tell("");
  open(inputs);
}

function open(inputs) {
  showError("");
  touch.forget();
  scene.seen = undefined;
  isOpen = false;
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  for (const [name, bytes] of loaded) simulation.addFile(folder + name, bytes);
  simulation.tell({ open: { path, text: editor.value, inputs }, run: false });
  element("status").textContent = "Opening…";
}

function hear({ opened, seen, error, isScene, refused }) {
  if (opened) hearOpened(opened);
  if (seen) {
    if (!scene.seen) {
      camera.fit(seen.spheres, camera.upAxis);
      if (recorded?.camera) camera.look(...recorded.camera);
      mark = { time: seen.time, wall: performance.now() };
    }
    scene.seen = seen;
    isNew = true;
  }
  if (refused) tell(refused);
  if (error !== undefined) {
    element("status").textContent = "";
    showError(error, isScene);
  }
}

function hearOpened(opened) {
  ({ facts } = opened);
  isOpen = true;
  camera.upAxis = opened.upAxis;
  scene.isRigid = facts.bodies.map(({ isRigid }) => isRigid);
  const canBeCut = facts.bodies.some((body) => body.canBeCut);
  element("cut").hidden = !canBeCut;
  if (!canBeCut) setCutting(false);
  offerPouring(facts.bodies.filter((body) => body.canBePoured).map(({ name }) => name));
  document.title = `${facts.title || path}: Pliant in the browser`;
  if (facts.warnings.length) tell(facts.warnings.join("\n"));
  if (isRunning && facts.particles > MOST_AT_ONCE) {
    setRunning(false);
    tell(`The scene has ${facts.particles} particles, which take ${Math.ceil(facts.memory / 1e6)} MB, and ${facts.substepsPerFrame} substeps a frame. Go on starts it.`);
  } else setRunning(isRunning);
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
  if (scene.seen && isNew) {
    pictures.update(scene.seen);
    isNew = false;
    simulation?.tell({ shown: true });
    tellStatus();
  }
  if (scene.seen) {
    pictures.draw(camera);
    globalThis.pliant.pictures += 1;
    globalThis.pliant.firstPicture ??= performance.now();
  }
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
  const cost = substeps ? `\n${((1000 * seconds) / substeps).toFixed(1)} ms a substep${isRunning ? ratio : ""}` : "";
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
  if (log.includes("[[input]]")) {
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
element("run").onclick = () => open();
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
  const act = { " ": () => setRunning(!isRunning), s: stepFrame, r: restart }[event.key];
  if (event.ctrlKey || event.metaKey || event.altKey || !(act || touch.press(event))) return;
  event.preventDefault();
  act?.();
};

begin().catch((error) => showError(error.message));
