// node --test browser.mjs: the page in a real browser: does every example load, move and draw, do buttons, keys, links,
// files and the hand do what they say, do pictures look like those of the folder `pictures`, is a scene that takes too
// much ended? The variable PICTURES names a folder for pictures; with ACCEPT=1 the stored ones are made anew.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Page, findChromium, serve } from "./chromium.mjs";
import { pageFolder } from "./repository.mjs";

const examples = JSON.parse(fs.readFileSync(path.join(pageFolder, "examples.json"), "utf8"));
const folder = process.env.PICTURES;
let page;
let server;

before(async () => {
  const browser = findChromium();
  assert.ok(browser, "install Chromium, or name it in the variable CHROMIUM");
  server = await serve(pageFolder);
  page = await Page.open(browser);
  await wide();
});

after(async () => {
  server?.close();
  await page?.close();
});

const resize = (width, height) => page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
const wide = () => resize(1100, 700);

/** Opens the page anew with what stands behind # in its address. */
async function visit(asked, way = "", address = server.address) {
  page.complaints = [];
  await page.send("Page.navigate", { url: "about:blank" });
  await page.send("Page.navigate", { url: `${address}${way}#${asked}` });
  await page.until("document.readyState === 'complete' && globalThis.pliant?.pictures > 0");
}

const know = (what) => page.evaluate(`globalThis.pliant.${what}`);
const click = (id) => page.evaluate(`document.getElementById("${id}").click()`);
const text = () => page.evaluate("document.getElementById('text').value");
const write = (scene) => page.evaluate(`document.getElementById("text").value = ${JSON.stringify(scene)}`);
const choose = (id, value) => page.evaluate(`{ const chosen = document.getElementById("${id}"); chosen.value = "${value}"; chosen.dispatchEvent(new Event("change")); }`);
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function keep(name) {
  if (folder) fs.writeFileSync(path.join(folder, `${name.replaceAll("/", "-")}.png`), await page.picture());
}

/** A mouse event at a place of the page. */
const mouse = (type, [x, y], { buttons = 1, modifiers = 0 } = {}) => page.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons, modifiers, clickCount: 1 });

async function stroke(start, end, options) {
  await mouse("mousePressed", start, options);
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await mouse("mouseMoved", start.map((x, k) => x + part * (end[k] - x)), options);
    await pause(60);
  }
  await mouse("mouseReleased", end, { ...options, buttons: 0 });
}

async function press(key, { code = key, modifiers = 0 } = {}) {
  const characters = key.length === 1 && !modifiers ? { text: key } : {};
  await page.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, modifiers, ...characters });
  await page.send("Input.dispatchKeyEvent", { type: "keyUp", key, code, modifiers });
}

/** The place in the page of a point of the world. */
const placeOf = (point) => page.evaluate(`(() => {
  const { left, top, width, height } = document.getElementById("canvas").getBoundingClientRect();
  const [x, y] = globalThis.pliant.camera.seenAt(${JSON.stringify(point)}, width / height);
  return [left + 0.5 * (1 + x) * width, top + 0.5 * (1 - y) * height];
})()`);

/** The place in the page of what can be held and is nearest to the middle of the picture: a ball, or a corner of a surface. */
const holdable = async () => placeOf(await page.evaluate(`(() => {
  const { scene: { seen: { spheres, vertices } }, camera } = globalThis.pliant;
  const { width, height } = document.getElementById("canvas").getBoundingClientRect();
  const of = (columns, size) => Array.from({ length: columns.length / size }, (_, k) => [...columns.slice(size * k, size * k + 3)]);
  const away = (point) => Math.hypot(...camera.seenAt(point, width / height));
  return [...of(spheres, 4), ...of(vertices, 3)].sort((a, b) => away(a) - away(b))[0];
})()`));

/** Hashes of the state, as the worker has it now, the time, and whether a frame is done. */
const state = () => know("ask({ hashes: true })");

/** Does a frame, to its end. */
async function doFrame() {
  const before = await state();
  await click("step");
  for (const start = Date.now(); Date.now() - start < 60_000; await pause(50)) {
    const now = await state();
    if (now.isBetweenFrames && now.time > before.time) return now;
  }
  throw new Error("a frame was not done after 60 s");
}

/** Lets the scene run, or pauses it. */
async function setRunning(run) {
  if ((await page.evaluate("document.getElementById('pause').textContent")) === (run ? "Go on" : "Pause")) await click("pause");
}

/** Stops the scene at the end of a frame. */
async function stop() {
  await setRunning(false);
  return doFrame();
}

/** Does the inputs of the paused scene again, as far as it has come, and compares the bits. */
async function assertDoneAgain() {
  const [inputs, done] = [await know("ask({ inputs: true })"), await state()];
  await page.evaluate(`globalThis.pliant.replay(${JSON.stringify(inputs)})`);
  let again = await state();
  assert.equal(again.time, 0);
  while (again.time < done.time) again = await doFrame();
  assert.deepEqual(again, done);
  assert.equal(await know("ask({ inputs: true })"), inputs);
}

/** Where pictures are stored that others are compared with. */
const stored = path.join(path.dirname(fileURLToPath(import.meta.url)), "pictures");
/** The frame of these pictures. */
const COMPARED = 12;

/** The picture of the scene as it is now, PNG, in a small size. */
async function smallPicture() {
  await resize(480, 320);
  await page.until("innerWidth === 480");
  const before = await page.evaluate("globalThis.pliant.drawing.hasShadows = true, globalThis.pliant.drawing.hasSurfaces = globalThis.pliant.drawing.canSplat, globalThis.pliant.camera.changes += 1, globalThis.pliant.pictures");
  await page.until(`globalThis.pliant.pictures > ${before}`);
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  return page.picture();
}

/** How much two pictures differ: the mean of all channels, of 255, and the part of pixels that are quite different. */
const difference = (a, b) => page.evaluate(`(async () => {
  const pixels = async (data) => {
    const image = Object.assign(new Image(), { src: "data:image/png;base64," + data });
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  };
  const [one, other] = [await pixels("${a.toString("base64")}"), await pixels("${b.toString("base64")}")];
  if (one.length !== other.length) return { mean: 255, part: 1 };
  let [sum, far] = [0, 0];
  for (let k = 0; k < one.length; k += 4) {
    const apart = [0, 1, 2].map((channel) => Math.abs(one[k + channel] - other[k + channel]));
    sum += (apart[0] + apart[1] + apart[2]) / 3;
    far += Number(Math.max(...apart) > 40);
  }
  return { mean: (4 * sum) / one.length, part: (4 * far) / one.length };
})()`);

for (const { scene } of examples.scenes.filter(({ scene: name }) => name.startsWith("play/"))) {
  test(`${scene} looks as it did`, async (t) => {
    await visit(scene, "?embedded");
    await click("pause");
    await click("restart");
    for (let k = 0; k < COMPARED; k++) await doFrame();
    // The time a substep takes is told on the picture, and never the same.
    await page.evaluate("{ const status = document.getElementById('status'); status.hidden = true; document.getElementById('controls').hidden = true; }");
    const seen = await smallPicture();
    await wide();
    const file = path.join(stored, `${path.basename(scene, ".toml")}.png`);
    if (process.env.ACCEPT) {
      fs.mkdirSync(stored, { recursive: true });
      fs.writeFileSync(file, seen);
    }
    await keep(`compared-${scene}`);
    const { mean, part } = await difference(seen, fs.readFileSync(file));
    t.diagnostic(`mean difference ${mean.toFixed(2)} of 255, ${(100 * part).toFixed(2)} % of pixels`);
    assert.ok(mean < 2 && part < 0.01, `mean ${mean}, part ${part}: see it with PICTURES`);
  });
}

/** Whether the page's picture becomes another than the given one within ten seconds: pictures are fewer than steps, and a slow motion takes a while to reach the next pixel. */
async function becomesAnother(first) {
  for (const start = Date.now(); Date.now() - start < 10_000; await pause(100)) {
    if (!first.equals(await page.picture())) return true;
  }
  return false;
}

/** Software draws a small picture sooner. */
async function inSmall(act) {
  await resize(640, 420);
  try {
    await act();
  } finally {
    await wide();
  }
}

for (const { scene } of examples.scenes) {
  test(`${scene} loads, moves, draws and restarts`, () => inSmall(async () => {
    // Whoever looks through the examples stays in the page; each test may also be the first.
    if (!(await page.evaluate("globalThis.pliant?.opened"))) await visit(scene);
    page.complaints = [];
    await choose("examples", scene);
    await page.until(`globalThis.pliant.opened === "${scene}" && globalThis.pliant.scene.seen`);
    // Times that are told beside the scene change in any case.
    await page.evaluate("{ for (const id of ['status', 'plots']) document.getElementById(id).style.visibility = 'hidden'; }");
    await setRunning(true);
    const first = await page.picture();
    const { time } = await state();
    await page.until(`globalThis.pliant.time > ${time}`);
    assert.ok((await know("count")) > 0);
    assert.equal(await know("error"), "");
    assert.ok(await becomesAnother(first), "the picture stays the same");
    await keep(scene);
    await setRunning(false);
    await click("restart");
    await page.until("globalThis.pliant.time === 0");
    assert.deepEqual(page.complaints, []);
  }));
}

test("the first picture is soon there", async (t) => {
  await visit("start/sand.toml");
  const seconds = (await know("firstPicture")) / 1000;
  t.diagnostic(`first picture after ${seconds.toFixed(2)} s`);
  assert.ok(seconds < 8, `${seconds} s`);
});

test("buttons pause, do a frame and restart", async () => {
  await visit("cloth/strip.toml");
  await click("pause");
  await pause(300);
  const paused = await know("time");
  await pause(300);
  assert.equal(await know("time"), paused);
  await click("step");
  await page.until(`globalThis.pliant.time > ${paused}`);
  await click("restart");
  await page.until("globalThis.pliant.time === 0");
});

test("an error is shown, and its line marked and selected", async () => {
  await visit("start/sand.toml");
  await write(`${await text()}\nnonsense = 3\n`);
  await page.evaluate("document.getElementById('text').dispatchEvent(new Event('input'))");
  await click("run");
  await page.until("globalThis.pliant.error.includes('nonsense')");
  const selected = await page.evaluate("(t => t.value.slice(t.selectionStart, t.selectionEnd))(document.getElementById('text'))");
  assert.equal(selected, "nonsense = 3");
  assert.equal(await page.evaluate("document.querySelectorAll('#lines .wrong').length"), 1);
  await keep("error");
});

test("what is dragged follows, and is done again to the same bits", async () => {
  await visit("play/jelly.toml");
  await stop();
  const start = await holdable();
  await mouse("mousePressed", start);
  await page.until("globalThis.pliant.isHolding");
  await mouse("mouseMoved", [start[0] + 60, start[1] - 60]);
  await doFrame();
  await keep("drag");
  await mouse("mouseReleased", [start[0] + 60, start[1] - 60], { buttons: 0 });
  await doFrame();
  const inputs = await know("ask({ inputs: true })");
  for (const act of ["grab", "move", "release"]) assert.ok(inputs.includes(`[input.${act}]`), `${act} is not in\n${inputs.slice(0, 800)}`);
  await assertDoneAgain();
});

test("a rigid body is dragged by its surface, and that is done again to the same bits", async () => {
  await visit("play/skittles.toml");
  await stop();
  // The middle of the last rigid body, a box of twelve triangles.
  const middle = () => page.evaluate(`(({ rigidCorners }) => [0, 1, 2].map((axis) => {
    const own = [...rigidCorners.slice(-108)].filter((_, k) => k % 3 === axis);
    return 0.5 * (Math.min(...own) + Math.max(...own));
  }))(globalThis.pliant.scene.seen)`);
  const height = async () => (await middle())[1];
  const start = await placeOf(await middle());
  const before = await height();
  await mouse("mousePressed", start);
  await page.until("globalThis.pliant.isHolding");
  for (let k = 1; k < 8; k++) {
    await mouse("mouseMoved", [start[0], start[1] - 20 * k]);
    await doFrame();
  }
  await keep("rigid");
  assert.ok(await height() > before + 0.05, `${before} m, then ${await height()} m`);
  await mouse("mouseReleased", start, { buttons: 0 });
  await doFrame();
  const inputs = await know("ask({ inputs: true })");
  assert.ok(inputs.includes("[input.grab_body]") && inputs.includes('body = "top"'), inputs.slice(0, 800));
  await assertDoneAgain();
});

test("a stroke with Shift cuts, and is done again to the same bits", async () => {
  await visit("play/jelly.toml");
  await stop();
  const [x, y] = await holdable();
  await stroke([x, y - 120], [x + 10, y + 120], { modifiers: 8 });
  await doFrame();
  assert.ok((await know("ask({ inputs: true })")).includes("[input.cut]"));
  assert.equal(await know("notice"), "");
  await assertDoneAgain();
  await visit("start/sand.toml");
  assert.equal(await page.evaluate("document.getElementById('cut').hidden"), true);
});

test("a drag pours the body that was chosen, and is done again to the same bits", async () => {
  await visit("play/water.toml");
  await stop();
  const [x, y] = await holdable();
  await page.evaluate(`{ const list = document.getElementById("pour"); list.value = list.options[1].value; list.onchange({ target: list }); }`);
  await mouse("mousePressed", [x, y - 60]);
  await doFrame();
  await mouse("mouseMoved", [x + 20, y - 80]);
  await doFrame();
  await keep("pour");
  await mouse("mouseReleased", [x + 20, y - 80], { buttons: 0 });
  await doFrame();
  assert.ok((await know("ask({ inputs: true })")).includes("[input.pour]"));
  assert.equal(await know("notice"), "");
  await assertDoneAgain();
  await visit("play/jelly.toml");
  assert.equal(await page.evaluate("document.getElementById('pour').hidden"), true);
});

test("colours show what is chosen, with a legend", async () => {
  await visit("play/jelly.toml");
  assert.equal(await page.evaluate("document.getElementById('legend').hidden"), true);
  await choose("color", "speed");
  await page.until("!document.getElementById('legend').hidden");
  assert.match(await page.evaluate("document.getElementById('legend').innerText"), /speed \[m\/s\]/);
  await keep("legend");
  await choose("color", "body");
  await page.until("document.getElementById('legend').hidden");
  assert.equal(await know("error"), "");
});

test("a value is changed while the scene runs, and that is done again to the same bits", async () => {
  await visit("play/jelly.toml");
  await stop();
  const change = (address, value) => page.evaluate(`{
    const input = document.querySelector('[data-address="${address}"] input');
    input.value = "${value}";
    input.dispatchEvent(new Event("change"));
  }`);
  await change("scene.gravity", "[0.0, 4.0, 0.0]");
  await page.until("document.querySelector('[data-address=\"scene.gravity\"] input').value.includes('4')");
  await doFrame();
  assert.ok((await know("ask({ inputs: true })")).includes("[input.set]"));
  await assertDoneAgain();
  await change("scene.gravity", "nonsense");
  await page.until("globalThis.pliant.notice.includes('gravity')");
  const { name, count } = await page.evaluate("({ name: [...document.querySelectorAll('[data-address$=\".spacing\"]')].at(-1).dataset.address, count: globalThis.pliant.count })");
  await change(name, "0.04");
  await page.until("!document.getElementById('anew').hidden");
  await keep("anew");
  await click("anew");
  await page.until(`globalThis.pliant.count > 0 && globalThis.pliant.count !== ${count}`);
  // What was set before stays.
  const started = (await know("ask({ inputs: true })")).split("[[input]]")[0];
  for (const part of ["scene.gravity=[0.0, 4.0, 0.0]", "spacing=0.04"]) assert.ok(started.includes(part), `${part} is not in\n${started}`);
});

test("energies and the residual are in view, and other statistics can be chosen", async () => {
  await visit("play/jelly.toml");
  const plotted = () => page.evaluate("[...document.querySelectorAll('#plots figcaption')].map((caption) => caption.firstChild.textContent.split(' ')[0])");
  await page.until("globalThis.pliant.plots.rows.length > 5 && document.querySelectorAll('#plots polyline').length === 4");
  await keep("gauges");
  assert.deepEqual(await plotted(), ["energy_kinetic", "energy_elastic", "energy_gained", "residual"]);
  assert.ok(await page.evaluate("document.querySelector('#plots svg').checkVisibility()"));
  await choose("columns", "energy_elastic");
  await choose("columns", "speed_max");
  assert.deepEqual(await plotted(), ["energy_kinetic", "energy_gained", "residual", "speed_max"]);
  await page.until("globalThis.pliant.plots.rows.length > 5");
  assert.ok((await page.evaluate("document.querySelector('#plots polyline').getAttribute('points').split(' ').length")) > 3);
  await keep("plot");
  await click("restart");
  await page.until("globalThis.pliant.plots.rows.length < 5");
});

test("the right button pans, cameras go back, and a slower pace is kept", async () => {
  await visit("play/jelly.toml");
  const target = () => page.evaluate("[...globalThis.pliant.camera.target]");
  const first = await target();
  await page.send("Input.dispatchMouseEvent", { type: "mousePressed", x: 300, y: 300, button: "right", buttons: 2, clickCount: 1 });
  await page.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: 360, y: 260, button: "right", buttons: 2 });
  await page.send("Input.dispatchMouseEvent", { type: "mouseReleased", x: 360, y: 260, button: "right", buttons: 0, clickCount: 1 });
  assert.notDeepEqual(await target(), first);
  await choose("camera", "0");
  assert.deepEqual(await target(), first);
  await choose("pace", "0.1");
  await click("restart");
  await page.until("globalThis.pliant.time > 0.05");
  const [start, time] = [Date.now(), await know("time")];
  await pause(1500);
  const pace = ((await know("time")) - time) / ((Date.now() - start) / 1000);
  assert.ok(pace < 0.13, `${pace} of real time`);
});

test("a camera of the scene that turns is followed until the picture is orbited, and can be chosen again", async () => {
  await visit("start/sand.toml");
  await write(`${await text()}\n[[camera]]\nposition = [0.6, 0.5, 0.0]\ntarget = [0.0, 0.1, 0.0]\nturn = 90\n`);
  await click("run");
  await page.until("globalThis.pliant.opened && globalThis.pliant.time > 0.1");
  await stop();
  // Who changes a scene goes on looking from where they were, until they choose its camera.
  await choose("camera", "0");
  // A quarter of a turn in a second, to the left as seen from above, from where x points.
  const isThere = "Math.abs(0.5 * Math.PI * (1 + globalThis.pliant.time) - globalThis.pliant.camera.yaw) < 1e-6";
  await page.until(`globalThis.pliant.time > 0.1 && ${isThere}`);
  await keep("turning");
  await page.evaluate("document.getElementById('canvas').focus()");
  await press("ArrowLeft");
  const yaw = await know("camera.yaw");
  await doFrame();
  assert.equal(await know("camera.yaw"), yaw);
  await choose("camera", "0");
  await page.until(isThere);
  await click("restart");
  await page.until(`globalThis.pliant.time === 0 && ${isThere}`);
});

/** Fingers on the page, by their places; none takes them all away. */
const fingers = (type, ...places) => page.send("Input.dispatchTouchEvent", { type, touchPoints: places.map(([x, y], id) => ({ x, y, id })) });

/** Lets the page believe that its screen is touched. */
async function withFingers(act) {
  await page.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  try {
    await act();
  } finally {
    await page.send("Emulation.setTouchEmulationEnabled", { enabled: false });
  }
}

test("a finger drags what it begins on, and orbits beside it", () => withFingers(async () => {
  await visit("play/jelly.toml");
  await stop();
  const start = await holdable();
  await fingers("touchStart", start);
  await page.until("globalThis.pliant.isHolding");
  await fingers("touchMove", [start[0] + 50, start[1] - 50]);
  await doFrame();
  await fingers("touchEnd");
  await page.until("!globalThis.pliant.isHolding");
  await stop();
  const inputs = await know("ask({ inputs: true })");
  for (const act of ["grab", "move", "release"]) assert.ok(inputs.includes(`[input.${act}]`), `${act} is not in\n${inputs.slice(0, 800)}`);
  const yaw = await know("camera.yaw");
  await fingers("touchStart", [20, 120]);
  await fingers("touchMove", [120, 120]);
  await fingers("touchEnd");
  assert.ok(Math.abs((await know("camera.yaw")) - yaw + 0.6) < 1e-6);
  assert.deepEqual(page.complaints, []);
}));

test("two fingers zoom and pan, and let go of what one has held", () => withFingers(async () => {
  await visit("play/jelly.toml");
  await stop();
  const start = await holdable();
  await fingers("touchStart", start);
  await page.until("globalThis.pliant.isHolding");
  const { distance, target, yaw } = await page.evaluate("(({ distance, target, yaw }) => ({ distance, target, yaw }))(globalThis.pliant.camera)");
  await fingers("touchStart", start, [start[0] + 80, start[1]]);
  await page.until("!globalThis.pliant.isHolding");
  // Apart to twice as far, and up with both.
  await fingers("touchMove", [start[0] - 40, start[1]], [start[0] + 120, start[1]]);
  assert.ok(Math.abs((await know("camera.distance")) / distance - 0.5) < 0.01, String(await know("camera.distance")));
  await fingers("touchMove", [start[0] - 40, start[1] - 60], [start[0] + 120, start[1] - 60]);
  await fingers("touchEnd");
  assert.ok((await know("camera.target"))[1] < target[1] - 1e-3);
  assert.equal(await know("camera.yaw"), yaw);
}));

test("keys reach everything and touch the scene", async () => {
  await visit("play/jelly.toml");
  const reached = new Set();
  for (let k = 0; k < 24; k++) {
    await press("Tab");
    reached.add(await page.evaluate("document.activeElement.id || document.activeElement.tagName"));
  }
  for (const id of ["canvas", "pause", "step", "restart", "cut", "color", "camera", "pace", "examples", "text", "run", "share", "load", "save"]) assert.ok(reached.has(id), `${id} is not among ${[...reached]}`);
  await page.evaluate("document.getElementById('canvas').focus()");
  await press("h");
  await page.until("globalThis.pliant.isHolding");
  await press("ArrowUp");
  await press("h");
  await page.until("!globalThis.pliant.isHolding");
  await press(" ", { code: "Space" });
  assert.equal(await page.evaluate("document.getElementById('pause').textContent"), "Go on");
  await press("c");
  const before = await state();
  await press("s");
  await page.until(`globalThis.pliant.time > ${before.time}`);
  const inputs = await know("ask({ inputs: true })");
  for (const act of ["grab", "move", "release", "cut"]) assert.ok(inputs.includes(`[input.${act}]`), act);
  await press("r");
  await page.until("globalThis.pliant.time === 0");
});

test("threads step scenes to the same bits, and end with the scene", async (t) => {
  const built = JSON.parse(fs.readFileSync(path.join(pageFolder, "engines.json"), "utf8"));
  if (!built.threads) return t.skip("the page was built without threads");
  const own = await serve(pageFolder, { isIsolated: true });
  try {
    const hashes = [];
    for (const [address, threads] of [[server.address, 1], [own.address, 2]]) {
      await visit("rigid/everything.toml", `?threads=2`, address);
      assert.equal(await know("threads"), threads);
      await stop();
      await click("restart");
      for (let k = 0; k < 3; k++) await doFrame();
      hashes.push(await state());
    }
    assert.deepEqual(hashes[0], hashes[1]);
    await page.until("document.getElementById('status').textContent.includes('2 threads')");
    // Threads of an engine that is ended are ended with it, and the page goes on with others.
    const threads = () => page.evaluate("globalThis.pliant.threadWorkers().length");
    const before = await threads();
    assert.ok(before >= 2);
    await page.evaluate("globalThis.pliant.renew('for a test')");
    assert.ok((await know("error")).includes("for a test"));
    await click("restart");
    await page.until("globalThis.pliant.time === 0 && globalThis.pliant.error === ''");
    await doFrame();
    assert.equal(await threads(), before);
    assert.deepEqual(page.complaints, []);
  } finally {
    own.close();
  }
});

test("a link holds the scene and what was done", async () => {
  await visit("play/jelly.toml");
  await page.until("globalThis.pliant.time > 0.05");
  await page.evaluate("document.getElementById('canvas').focus()");
  await press("c");
  const { time } = await stop();
  const own = `# mine\n${await text()}`;
  await write(own);
  await click("share");
  await page.until("location.hash.startsWith('#scene=')");
  await page.until("globalThis.pliant.notice.includes('link')");
  const asked = await page.evaluate("location.hash.slice(1)");
  await visit(asked);
  assert.equal(await text(), own);
  await page.until(`globalThis.pliant.time > ${time}`);
  assert.ok((await know("ask({ inputs: true })")).includes("[input.cut]"));
  await visit(asked.slice(0, asked.indexOf("&") - 20));
  assert.match(await know("error"), /damaged/);
  await keep("damaged-link");
});

test("meshes can be dropped, and named by scenes", async () => {
  await visit("start/sand.toml");
  await page.evaluate(`{
    const mesh = "v 0 0 0\\nv 0.1 0 0\\nv 0 0.1 0\\nv 0 0 0.1\\nf 1 3 2\\nf 1 2 4\\nf 1 4 3\\nf 2 3 4\\n";
    const carried = new DataTransfer();
    carried.items.add(new File([mesh], "own.obj"));
    dispatchEvent(new DragEvent("drop", { dataTransfer: carried, cancelable: true }));
  }`);
  await page.until("globalThis.pliant.notice.includes('own.obj')");
  await write('scene = { duration = 1.0 }\nmaterial.rubber.preset = "rubber"\n[[body]]\nname = "own"\nmaterial = "rubber"\nshape = { mesh = { file = "own.obj" } }\nspacing = 0.01\n');
  await click("run");
  await page.until("globalThis.pliant.time > 0.01");
  assert.equal(await know("error"), "");
});

test("the scene, what was done, and particles are saved as files", async () => {
  const downloads = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-downloads-"));
  await page.send("Page.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
  await visit("play/jelly.toml");
  await stop();
  for (const [what, name, start] of [["scene", "jelly.toml", "#"], ["inputs", "jelly.inputs.toml", "# What was done"], ["ply", "jelly.ply", "ply\n"], ["vtk", "jelly.vtp", "<"]]) {
    await choose("save", what);
    const file = path.join(downloads, name);
    for (let k = 0; k < 100 && !fs.existsSync(file); k++) await pause(50);
    await pause(50);
    assert.ok(fs.readFileSync(file, "latin1").startsWith(start), name);
  }
  fs.rmSync(downloads, { recursive: true });
});

test("a scene that takes too much is ended, and the page goes on", async () => {
  await visit("start/sand.toml");
  await page.evaluate("globalThis.pliant.limits.beats = 1");
  await write((await text()).replace(/spacing = [\d.]+/, "spacing = 0.0025"));
  await click("run");
  await page.until("globalThis.pliant.error.includes('no answer')");
  await keep("ended");
  await page.evaluate("globalThis.pliant.limits.beats = 20");
  await choose("examples", "springs/ring.toml");
  await page.until("globalThis.pliant.error === '' && globalThis.pliant.time > 0.01");
});

test("a scene that wants more memory than there is for it is refused", async () => {
  await visit("start/sand.toml");
  await write((await text()).replace(/spacing = [\d.]+/, "spacing = 0.00001"));
  await click("run");
  await page.until("globalThis.pliant.error.includes('memory')");
});

test("the page fetches nothing from elsewhere and runs no script but its own", async () => {
  await visit("start/sand.toml");
  const elsewhere = server.address.replace(/:\d+/, ":9");
  assert.equal(await page.evaluate(`fetch("${elsewhere}").then(() => "fetched", () => "refused")`), "refused");
  await page.evaluate("{ const script = document.createElement('script'); script.textContent = 'globalThis.wasRun = true'; document.body.append(script); }");
  assert.equal(await page.evaluate("globalThis.wasRun === undefined"), true);
  assert.ok(page.complaints.some((each) => each.includes("Content Security Policy")), page.complaints.join());
});

test("the editor completes keys and words", async () => {
  await visit("start/sand.toml");
  await page.until("globalThis.pliant.hasSchema");
  await write('[material.sand]\nlaw = "druck');
  await page.evaluate("(t => { t.focus(); t.setSelectionRange(t.value.length, t.value.length); })(document.getElementById('text'))");
  await press(" ", { code: "Space", modifiers: 2 });
  await page.until("!document.getElementById('completion').hidden");
  await keep("completion");
  await press("Enter");
  assert.ok((await text()).endsWith('law = "drucker-prager'));
  await page.send("Input.insertText", { text: '"\nfriction_a' });
  await page.until("!document.getElementById('completion').hidden");
  await press("Tab");
  assert.ok((await text()).endsWith("friction_angle = "));
});

test("in a page of somebody else a scene stands without its file, and leads to the whole page", async () => {
  await visit("play/sand.toml", "index.html?embedded");
  await page.until("globalThis.pliant.time > 0.1");
  const isSeen = (id) => page.evaluate(`document.getElementById("${id}").checkVisibility()`);
  assert.deepEqual([await isSeen("canvas"), await isSeen("text"), await isSeen("examples")], [true, false, false]);
  assert.equal(await page.evaluate("document.getElementById('whole').href"), `${server.address}index.html#play/sand.toml`);
  await keep("embedded");
  assert.deepEqual(page.complaints, []);
});

test("nothing is cut off at a width of 360", async () => {
  await page.send("Emulation.setDeviceMetricsOverride", { width: 360, height: 740, deviceScaleFactor: 2, mobile: true });
  await visit("play/jelly.toml");
  assert.ok((await page.evaluate("document.documentElement.scrollWidth")) <= 360);
  await keep("narrow");
  await page.evaluate("document.getElementById('side').scrollIntoView()");
  await keep("narrow-below");
  await wide();
});
