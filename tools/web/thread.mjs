// A thread of the engine in a worker of Node: what the page's worker for threads takes from a browser.
import { parentPort } from "node:worker_threads";

globalThis.onmessage = null;
globalThis.postMessage = (message) => parentPort.postMessage(message);
await import("../../crates/pliant/web/thread.js");
parentPort.on("message", (data) => globalThis.onmessage({ data }));
