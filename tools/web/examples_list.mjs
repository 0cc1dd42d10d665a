// The list of examples of the page, crates/pliant/web/examples.json: scenes that a page can take, with the files that
// they name, and the bundled scenes that it leaves out because they take too long.
import fs from "node:fs";
import path from "node:path";
import { root, sceneText } from "./repository.mjs";

const file = path.join(root, "crates/pliant/web/examples.json");

/** The bundled scenes, but those of benchmarks, which show nothing that others do not. */
export function bundledScenes() {
  const isShown = (name) => name.endsWith(".toml") && !name.startsWith("bench/");
  return fs.readdirSync(path.join(root, "scenes"), { recursive: true }).filter(isShown).sort();
}

/** The list: { scenes: [{ scene, files }], leftOut: [scene] }. */
export const readExamples = () => JSON.parse(fs.readFileSync(file, "utf8"));

/** Writes the list: scenes by their names. */
export function writeExamples(scenes, leftOut) {
  fs.writeFileSync(file, examplesText(scenes, leftOut));
}

/** The text of the list, as it is to be: what is made for play comes first. */
export function examplesText(scenes, leftOut) {
  const isPlay = (scene) => Number(scene.startsWith("play/"));
  const taken = [...scenes].sort().sort((a, b) => isPlay(b) - isPlay(a));
  const entry = (scene) => {
    const files = filesOf(scene);
    return JSON.stringify(files.length ? { scene, files } : { scene });
  };
  const list = (entries) => entries.map((text) => `    ${text}`).join(",\n");
  const left = [...leftOut].sort().map((scene) => JSON.stringify(scene));
  return `{\n  "scenes": [\n${list(taken.map(entry))}\n  ],\n  "leftOut": [\n${list(left)}\n  ]\n}\n`;
}

/** The files that a scene names, and those that they name: scenes that it is laid over, meshes, particles. */
function filesOf(scene, found = new Set()) {
  for (const [, name] of sceneText(scene).matchAll(/"([^"\n]+\.\w{2,4})"/g)) {
    for (const file of named(path.posix.join(path.posix.dirname(scene), name))) {
      if (found.has(file)) continue;
      found.add(file);
      if (file.endsWith(".toml")) filesOf(file, found);
    }
  }
  return [...found];
}

/** The files of a name in a folder; # stands for a digit. */
function named(file) {
  if (!file.includes("#")) return fs.existsSync(path.join(root, "scenes", file)) ? [file] : [];
  const folder = path.posix.dirname(file);
  const escaped = path.posix.basename(file).replace(/[.+^$(){}|[\]\\]/g, "\\$&");
  const pattern = new RegExp(`^${escaped.replaceAll("#", "\\d")}$`);
  const all = fs.readdirSync(path.join(root, "scenes", folder)).sort();
  return all.filter((name) => pattern.test(name)).map((name) => path.posix.join(folder, name));
}
