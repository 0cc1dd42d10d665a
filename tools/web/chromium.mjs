// Chromium without a window, driven through its pipe of JSON messages, and a server of files for it.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": "application/wasm" };

/** The browser that there is: that of the variable CHROMIUM, or one of the usual names. */
export function findChromium() {
  const candidates = process.env.CHROMIUM ? [process.env.CHROMIUM] : names;
  return candidates.find((name) => spawnSync(name, ["--version"]).status === 0);
}

/** What lets pages share memory between threads, as `pliant serve` sends it. */
const isolation = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** How long the browser may take for an answer [ms]: the slowest frames in a page take seconds. */
const PATIENCE = 120_000;

/** Serves a folder on this machine; returns its address and a function that ends it. */
export async function serve(folder, { isIsolated = false } = {}) {
  const server = http.createServer((request, response) => {
    const name = path.normalize(decodeURIComponent(request.url.split("?")[0]));
    const file = path.join(folder, name.endsWith("/") ? `${name}index.html` : name);
    fs.readFile(file, (error, bytes) => {
      response.writeHead(error ? 404 : 200, { "content-type": types[path.extname(file)] ?? "application/octet-stream", ...(isIsolated && isolation) });
      response.end(bytes);
    });
  });
  await new Promise((resolve) => server.listen(0, "localhost", resolve));
  const protocol = "http";
  return { address: `${protocol}://localhost:${server.address().port}/`, close: () => server.close() };
}

/** A page of a browser of its own. */
export class Page {
  static async open(browser) {
    const page = new Page();
    page.profile = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-chromium-"));
    const flags = ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
    const always = [`--user-data-dir=${page.profile}`, "--remote-debugging-pipe", "about:blank"];
    const stdio = ["ignore", "ignore", "ignore", "pipe", "pipe"];
    page.process = spawn(browser, [...flags, ...always], { stdio });
    page.process.once("exit", () => page.#end("the browser has ended"));
    page.waiting = new Map();
    page.complaints = [];
    for (const pipe of [3, 4]) page.process.stdio[pipe].on("error", (error) => page.#end(`the browser: ${error.message}`));
    let text = "";
    page.process.stdio[4].on("data", (data) => {
      const messages = (text + data).split("\0");
      text = messages.pop();
      for (const message of messages) page.#hear(JSON.parse(message));
    });
    const { targetId } = await page.send("Target.createTarget", { url: "about:blank" });
    page.session = (await page.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Inspector"]) await page.send(`${domain}.enable`);
    return page;
  }

  /** Sends a command of the protocol; resolves with its result. Whatever happens to the browser, it comes to an end. */
  send(method, params = {}) {
    if (this.ended) return Promise.reject(new Error(this.ended));
    const id = (this.last = (this.last ?? 0) + 1);
    const message = { id, method, params, ...(this.session && { sessionId: this.session }) };
    this.process.stdio[3].write(`${JSON.stringify(message)}\0`);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => this.#end(`no answer to ${method} in ${PATIENCE / 1000} s`), PATIENCE);
      this.waiting.set(id, { resolve, reject, late });
    });
  }

  /** Nothing more can be asked, for a reason. */
  #end(reason) {
    this.ended ??= reason;
    for (const { reject, late } of this.waiting.values()) {
      clearTimeout(late);
      reject(new Error(this.ended));
    }
    this.waiting.clear();
  }

  #hear({ id, result, error, method, params }) {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    clearTimeout(waiting?.late);
    if (method === "Inspector.targetCrashed") this.#end("the page has crashed");
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result);
    if (method === "Runtime.exceptionThrown") this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && params.type === "error") this.complaints.push(params.args.map((a) => a.value).join(" "));
    if (method === "Log.entryAdded" && params.entry.level === "error") this.complaints.push(params.entry.text);
  }

  /** The value of an expression in the page. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until an expression is true in the page. */
  async until(expression, seconds = 60) {
    const end = Date.now() + 1000 * seconds;
    while (!(await this.evaluate(expression))) {
      if (Date.now() > end) throw new Error(`${expression} was not true after ${seconds} s; the page says: ${await this.evaluate("document.body.innerText.slice(-600)")}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** A picture of the page, PNG. */
  async picture() {
    return Buffer.from((await this.send("Page.captureScreenshot", { format: "png" })).data, "base64");
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    if (this.process.exitCode === null && this.process.kill()) await ended;
    for (const pipe of [3, 4]) this.process.stdio[pipe].destroy();
    try {
      fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      // Processes of the browser may outlive it for a moment and write.
      console.error(`${this.profile} is left: ${error.message}`);
    }
  }
}
