// node browser.mjs [FOLDER]: the page in a real browser: does every example load, move and draw, do the buttons do
// what they say, is an error shown in its place? Pictures go to a folder if one is given.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
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
  await page.send("Emulation.setDeviceMetricsOverride", { width: 1100, height: 700, deviceScaleFactor: 1, mobile: false });
});

after(async () => {
  await page?.close();
  server?.close();
});

/** Opens the page anew with an example. */
async function visit(scene) {
  await page.send("Page.navigate", { url: "about:blank" });
  await page.send("Page.navigate", { url: `${server.address}#${scene}` });
  await page.until("document.readyState === 'complete' && globalThis.pliant?.pictures > 0");
}

const click = (id) => page.evaluate(`document.getElementById("${id}").click()`);

for (const scene of examples.scenes) {
  test(`${scene} loads, moves and draws`, async () => {
    page.complaints = [];
    await visit(scene);
    const first = await page.picture();
    await page.until("globalThis.pliant.time > 0.01");
    assert.ok((await page.evaluate("globalThis.pliant.count")) > 0);
    assert.equal(await page.evaluate("globalThis.pliant.error"), "");
    const later = await page.picture();
    assert.ok(!first.equals(later), "the picture stays the same");
    if (folder) fs.writeFileSync(path.join(folder, `${scene.replaceAll("/", "-")}.png`), later);
    assert.deepEqual(page.complaints, []);
  });
}

test("buttons pause, step and restart", async () => {
  await visit("cloth/strip.toml");
  await click("pause");
  await new Promise((resolve) => setTimeout(resolve, 300));
  const paused = await page.evaluate("globalThis.pliant.time");
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(await page.evaluate("globalThis.pliant.time"), paused);
  await click("step");
  await page.until(`globalThis.pliant.time > ${paused}`);
  await click("restart");
  await page.until("globalThis.pliant.time === 0");
});

test("an error is shown, and its line selected", async () => {
  await visit("start/sand.toml");
  await page.evaluate(`document.getElementById("text").value += "\\nnonsense = 3\\n"`);
  await click("run");
  await page.until("globalThis.pliant.error.includes('nonsense')");
  const selected = await page.evaluate("getSelection().toString() || (t => t.value.slice(t.selectionStart, t.selectionEnd))(document.getElementById('text'))");
  assert.equal(selected, "nonsense = 3");
});

test("nothing is cut off at a width of 360", async () => {
  await page.send("Emulation.setDeviceMetricsOverride", { width: 360, height: 740, deviceScaleFactor: 2, mobile: true });
  await visit("springs/ring.toml");
  assert.ok((await page.evaluate("document.documentElement.scrollWidth")) <= 360);
});
