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

test("browsers that come one after the other are all answered", async () => {
  for (let visitor = 0; visitor < 10; visitor++) await visit(`run=${visitor % 2}`);
});

test("a run that is not there is told", async () => {
  await page.send("Page.navigate", { url: "about:blank" });
  await page.send("Page.navigate", { url: `${address}#run=7` });
  await page.until("document.getElementById('error')?.checkVisibility()", 20);
  assert.equal(await page.evaluate("document.getElementById('error').textContent"), "there is no run 7 here");
});
