// node --test serve.mjs: `pliant serve` and the page that it shows runs on, in a real browser. The variable PLIANT names
// the command, target/release/pliant if it is not set; PICTURES names a folder for pictures.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { Page, findChromium } from "./chromium.mjs";
import { pageFolder, root } from "./repository.mjs";

const program = process.env.PLIANT ?? path.join(root, "target/release/pliant");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-serve-"));
let page;
let server;
let address;

before(async () => {
  const browser = findChromium();
  assert.ok(browser, "install Chromium, or name it in the variable CHROMIUM");
  for (const scene of ["cloth", "sand"]) {
    const done = spawnSync(program, ["run", path.join(root, `scenes/play/${scene}.toml`), "--frames", "8", "--quiet", "--no-preview", "--out", path.join(folder, scene)]);
    assert.equal(done.status, 0, String(done.stderr));
  }
  const runs = ["cloth", "sand"].map((name) => path.join(folder, name));
  server = spawn(program, ["serve", ...runs, "--page", pageFolder, "--port", "0"]);
  const line = await new Promise((resolve) => server.stdout.once("data", (data) => resolve(String(data))));
  address = line.split(" ").find((word) => word.includes("localhost")).replace(/#.*/, "");
  page = await Page.open(browser);
  await page.send("Emulation.setDeviceMetricsOverride", { width: 900, height: 560, deviceScaleFactor: 1, mobile: false });
});

after(async () => {
  server?.kill();
  await page?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const know = (what) => page.evaluate(`globalThis.pliant.${what}`);
const click = (id) => page.evaluate(`document.getElementById("${id}").click()`);
const status = () => page.evaluate("document.getElementById('status').textContent");

async function visit(asked) {
  page.complaints = [];
  await page.send("Page.navigate", { url: "about:blank" });
  await page.send("Page.navigate", { url: `${address}#${asked}` });
  await page.until("document.readyState === 'complete' && globalThis.pliant?.pictures > 0", 20);
}

for (const [run, title] of ["A curtain to play with", "Sand to play with"].entries()) {
  test(`run ${run} plays to its end, and goes to any frame`, async () => {
    await visit(`run=${run}`);
    assert.ok((await status()).startsWith(title), await status());
    await page.until("document.getElementById('pause').textContent === 'Go on'", 20);
    await page.until("document.getElementById('status').textContent.includes('frame 9')", 20);
    await page.evaluate("{ const line = document.getElementById('timeline'); line.value = '3'; line.dispatchEvent(new Event('input')); }");
    await page.until("document.getElementById('status').textContent.includes('frame 4')", 20);
    assert.ok(Math.abs((await know("time")) - 0.1) < 1e-9);
    await click("step");
    await page.until("document.getElementById('status').textContent.includes('frame 5')", 20);
    if (process.env.PICTURES) fs.writeFileSync(path.join(process.env.PICTURES, `run-${run}.png`), await page.picture());
    assert.equal(await page.evaluate("document.getElementById('text').checkVisibility()"), false);
    assert.deepEqual(page.complaints, []);
  });
}

/** The place in the page of the loose particle that is nearest to the middle of the picture, and its id. */
const nearest = () => page.evaluate(`(() => {
  const { camera, scene: { seen: { spheres, ids } } } = globalThis.pliant;
  const { left, top, width, height } = document.getElementById("canvas").getBoundingClientRect();
  const places = [...ids].map((id, k) => ({ id, at: camera.seenAt([...spheres.subarray(4 * k, 4 * k + 3)], width / height) }));
  const { id, at: [x, y] } = places.sort((a, b) => Math.hypot(...a.at) - Math.hypot(...b.at))[0];
  return { id, at: [left + 0.5 * (1 + x) * width, top + 0.5 * (1 - y) * height] };
})()`);

async function clickAt([x, y]) {
  for (const type of ["mousePressed", "mouseReleased"]) await page.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: 1, clickCount: 1 });
}

test("a particle that is clicked tells its quantities and its path", async () => {
  await visit("run=1");
  await page.until("document.getElementById('pause').textContent === 'Go on'", 20);
  await clickAt((await nearest()).at);
  const panel = () => page.evaluate("document.getElementById('particle').innerText");
  await page.until("document.querySelectorAll('#particle th').length > 6", 20);
  assert.match(await panel(), /Particle \d+ of block/);
  for (const name of ["x", "velocity y", "density"]) assert.ok((await panel()).includes(name), await panel());
  await page.until("document.getElementById('path').getAttribute('points').split(' ').length === 9", 20);
  const height = "[...document.querySelectorAll('#particle tr')].find((row) => row.cells[0].textContent === 'y')?.cells[1].textContent";
  const last = await page.evaluate(height);
  if (process.env.PICTURES) fs.writeFileSync(path.join(process.env.PICTURES, "run-particle.png"), await page.picture());
  await page.evaluate("{ const line = document.getElementById('timeline'); line.value = '0'; line.dispatchEvent(new Event('input')); }");
  await page.until("document.getElementById('status').textContent.includes('frame 1')", 20);
  await page.until(`${height} !== ${JSON.stringify(last)}`, 20);
  await page.evaluate("document.querySelector('#particle button').click()");
  await page.until("document.getElementById('path').getAttribute('points') === ''", 20);
  assert.match(await panel(), /Click on a particle/);
  assert.deepEqual(page.complaints, []);
});

test("a drag turns the picture of a run, whatever it begins on", async () => {
  await visit("run=1");
  const { at: [x, y] } = await nearest();
  const changes = await know("camera.yaw");
  for (const [type, to] of [["mousePressed", x], ["mouseMoved", x + 60], ["mouseReleased", x + 60]]) await page.send("Input.dispatchMouseEvent", { type, x: to, y, button: "left", buttons: 1, clickCount: 1 });
  assert.ok(Math.abs((await know("camera.yaw")) - changes) > 0.1);
  assert.match(await page.evaluate("document.getElementById('particle').innerText"), /Click on a particle/);
});

test("what was measured in a run is plotted, with the frame that is seen", async () => {
  await visit("run=0");
  await page.until("document.querySelectorAll('#plots polyline').length === 4", 20);
  assert.equal(await page.evaluate("document.querySelector('#plots polyline').getAttribute('points').split(' ').length"), 9);
  await page.evaluate("{ const list = document.getElementById('columns'); list.value = 'speed_max'; list.dispatchEvent(new Event('change')); }");
  await page.until("document.querySelectorAll('#plots polyline').length === 5", 20);
  await page.evaluate("{ const line = document.getElementById('timeline'); line.value = '4'; line.dispatchEvent(new Event('input')); }");
  await page.until("Math.abs(Number(document.querySelector('#plots line').getAttribute('x1')) - 150) < 1", 20);
  if (process.env.PICTURES) fs.writeFileSync(path.join(process.env.PICTURES, "run-plots.png"), await page.picture());
});

test("browsers that come one after the other are all answered", async () => {
  for (let visitor = 0; visitor < 10; visitor++) await visit(`run=${visitor % 2}`);
});

test("a run that is not there is told", async () => {
  await page.send("Page.navigate", { url: "about:blank" });
  await page.send("Page.navigate", { url: `${address}#run=7` });
  await page.until("document.getElementById('error')?.checkVisibility()", 20);
  assert.equal(await page.evaluate("document.getElementById('error').textContent"), "there is no run 7 here");
});
