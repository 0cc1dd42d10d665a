// A worker for a thread of the engine, and then for the next one.
import { functionsOf, messageOf } from "./engine.js";
import { spawnOf, systemOf } from "./threads.js";

let given;

onmessage = async ({ data }) => {
  if (data.module) {
    given = data;
    return;
  }
  const { number, start } = data.run;
  let exports;
  try {
    // Each thread has a stack and values of its own, and so an instance of its own.
    ({ exports } = await WebAssembly.instantiate(given.module, systemOf(given.memory, spawnOf(given.numbers))));
    exports.wasi_thread_start(number, start);
    postMessage({ free: true });
  } catch (trap) {
    const said = exports && messageOf(functionsOf(exports));
    postMessage({ broken: `the engine stopped: ${said || trap.message}` });
  }
};
