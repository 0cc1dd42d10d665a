// node --test book.mjs: scenes that run on the pages of the book, in a real browser: the figures of all pages with the
// script of the book, beside the page that tools/web/build has put together. mdBook is not needed.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { Page, findChromium, serve } from "./chromium.mjs";
import { readExamples } from "./examples_list.mjs";
import { pageFolder, root } from "./repository.mjs";

const book = path.join(root, "book");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-book-"));
/** The figures of all pages, with the scenes that they show. */
const figures = fs.readdirSync(path.join(book, "src"), { recursive: true })
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => {
    const text = fs.readFileSync(path.join(book, "src", name), "utf8");
    return [...text.matchAll(/<figure class="live" data-scene="([^"]*)">.*?<\/figure>/gs)].map(([html, scene]) => ({ name, scene, html }));
  });
let page;
let server;

before(async () => {
  const browser = findChromium();
  assert.ok(browser, "install Chromium, or name it in the variable CHROMIUM");
  // As mdBook does it: pages of chapters lie in folders, and name the script by a way to it.
  for (const kind of ["with", "without"]) {
    const chapters = path.join(folder, kind, "methods");
    fs.mkdirSync(chapters, { recursive: true });
    for (const file of ["live.js", "live.css"]) fs.copyFileSync(path.join(book, file), path.join(folder, kind, file));
    fs.cpSync(path.join(book, "src/images"), path.join(folder, kind, "images"), { recursive: true });
    const head = '<!DOCTYPE html><html lang="en"><meta charset="utf-8"><title>Book</title><link rel="icon" href="data:,"><link rel="stylesheet" href="../live.css">';
    fs.writeFileSync(path.join(chapters, "all.html"), `${head}<body>${figures.map(({ html }) => html).join("\n")}<script src="../live.js"></script></body></html>`);
  }
  fs.cpSync(pageFolder, path.join(folder, "with/page"), { recursive: true });
  server = await serve(folder);
  page = await Page.open(browser);
  await page.send("Emulation.setDeviceMetricsOverride", { width: 900, height: 700, deviceScaleFactor: 1, mobile: false });
});

after(async () => {
  server?.close();
  await page?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

async function visit(kind) {
  page.complaints = [];
  await page.send("Page.navigate", { url: "about:blank" });
  await page.send("Page.navigate", { url: `${server.address}${kind}/methods/all.html` });
  await page.until("document.readyState === 'complete'");
}

const buttons = () => page.evaluate("document.querySelectorAll('figure.live button').length");

test("the scenes of the book are examples of the page", () => {
  const examples = readExamples().scenes.map(({ scene }) => scene);
  assert.ok(figures.length >= 5, String(figures.length));
  for (const { name, scene, html } of figures) {
    assert.ok(examples.includes(scene), `${name}: ${scene}`);
    assert.match(html, /<img [^>]*alt="[^"]+"/, name);
  }
});

test("a button on each picture lets its scene run there", async () => {
  await visit("with");
  await page.until(`document.querySelectorAll('figure.live button').length === ${figures.length}`);
  const pictures = await page.evaluate("[...document.querySelectorAll('figure.live img')].every((image) => image.complete && image.naturalWidth > 0)");
  assert.ok(pictures, "a picture is not there");
  const number = figures.findIndex(({ scene }) => scene === "play/cloth.toml");
  await page.evaluate(`document.querySelectorAll('figure.live button')[${number}].click()`);
  const frame = `document.querySelectorAll('figure.live')[${number}].querySelector('iframe')`;
  await page.until(`${frame}?.contentWindow.pliant?.time > 0.05`);
  const { title, scene, text, hasFocus } = await page.evaluate(`({ title: ${frame}.title, scene: ${frame}.contentWindow.pliant.opened, text: ${frame}.contentDocument.getElementById('text').checkVisibility(), hasFocus: document.activeElement === ${frame} })`);
  assert.equal(scene, "play/cloth.toml");
  assert.ok(title.length > 0 && !text && hasFocus);
  assert.equal(await buttons(), figures.length - 1);
  if (process.env.PICTURES) {
    await page.evaluate(`${frame}.scrollIntoView()`);
    fs.writeFileSync(path.join(process.env.PICTURES, "book.png"), await page.picture());
  }
  assert.deepEqual(page.complaints, []);
});

test("where the page is not beside the book, its pictures are all there is", async () => {
  await visit("without");
  await page.evaluate("new Promise((done) => setTimeout(done, 500))");
  assert.equal(await buttons(), 0);
  assert.equal(await page.evaluate("document.querySelectorAll('figure.live img').length"), figures.length);
});
