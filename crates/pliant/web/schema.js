// What may stand where in a scene file, from the JSON Schema that the engine prints.

export class SceneSchema {
  constructor(root) {
    this.root = root;
  }

  /**
   * The keys of the table at a path of keys, with what is known of each.
   *
   * @param words values of keys of that table that are already written: those that they rule out are left out
   */
  keys(path, words = {}) {
    const found = new Map();
    for (const table of this.#fitting(this.#at(path), words)) {
      const required = new Set(table.required);
      for (const [name, schema] of Object.entries(table.properties ?? {})) {
        if (!found.has(name)) found.set(name, { name, doc: schema.description ?? "", isRequired: required.has(name), isTable: this.#isTable(schema) });
      }
    }
    return [...found.values()].sort((a, b) => Number(b.isRequired) - Number(a.isRequired) || a.name.localeCompare(b.name));
  }

  /** The words that the value at a path may be. */
  values(path) {
    const found = new Map();
    for (const schema of this.#at(path)) {
      if (typeof schema.const === "string") found.set(schema.const, schema.description ?? "");
      for (const word of schema.enum ?? []) if (typeof word === "string") found.set(word, found.get(word) ?? "");
      if (schema.type === "boolean") for (const word of ["false", "true"]) found.set(word, "");
    }
    return [...found].map(([name, doc]) => ({ name, doc }));
  }

  #at(path) {
    let now = this.#resolved(this.root);
    for (const key of path) now = now.flatMap((schema) => this.#below(schema, key));
    return now;
  }

  #below(schema, key) {
    const { properties = {}, additionalProperties } = schema;
    const below = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    // Lists are passed through: a key of a table in a list follows the key of the list.
    return this.#resolved(below).flatMap((found) => (found.items ? [found, ...this.#resolved(found.items)] : [found]));
  }

  /** A schema with its references followed and its alternatives side by side. */
  #resolved(schema, depth = 0) {
    if (!schema || typeof schema !== "object" || depth > 8) return [];
    const { $ref, oneOf, anyOf, allOf, ...own } = schema;
    const others = [...(oneOf ?? []), ...(anyOf ?? []), ...(allOf ?? [])];
    if ($ref?.startsWith("#/$defs/")) others.push(this.root.$defs?.[$ref.slice("#/$defs/".length)]);
    const below = others.flatMap((other) => this.#resolved(other, depth + 1));
    return Object.keys(own).length ? [own, ...below] : below;
  }

  /** The alternatives that a word names; all if it names none. */
  #fitting(tables, words) {
    const isNamed = ({ properties = {} }) => Object.entries(words).some(([key, word]) => properties[key]?.const === word);
    const named = tables.filter(isNamed);
    return named.length ? named : tables;
  }

  #isTable(schema) {
    return this.#resolved(schema).some(({ type, properties }) => type === "object" || properties);
  }
}

/** What stands at a place of a scene file: the table, the keys on the way in it, and what is being written. */
export function place(text, at) {
  const before = text.slice(0, at);
  const lines = before.split("\n");
  const line = lines.pop();
  const header = line.match(/^\s*\[\[?\s*([\w."-]*)$/);
  if (header) return { kind: "table", path: [], word: header[1] };
  if (/^[^"]*#/.test(line.replaceAll(/"[^"]*"/g, ""))) return { kind: "nothing" };
  const { path, start } = tableAbove(lines);
  const words = wordsOf(text.split("\n"), start);
  return withinLine(line, path, words);
}

/** The table whose header is the last one above, and the line after it. */
function tableAbove(lines) {
  for (let k = lines.length - 1; k >= 0; k--) {
    const header = lines[k].match(/^\s*\[\[?([^\]]+)\]/);
    if (header) return { path: keysOf(header[1]), start: k + 1 };
  }
  return { path: [], start: 0 };
}

const keysOf = (dotted) => dotted.split(".").map((key) => key.trim().replaceAll(/^"|"$/g, "")).filter(Boolean);

/** The words that stand in a table: law = "elastic". */
function wordsOf(lines, start) {
  const words = {};
  for (let k = start; k < lines.length && !/^\s*\[/.test(lines[k]); k++) {
    const pair = lines[k].match(/^\s*([\w-]+)\s*=\s*"([^"]*)"/);
    if (pair) words[pair[1]] = pair[2];
  }
  return words;
}

/** Follows the braces of a line to where it ends. */
function withinLine(line, table, words) {
  const open = [{ path: table, words }];
  let key = [];
  let rest = line;
  for (;;) {
    const token = rest.match(/^\s*(?:([\w.-]+|"[^"]*")\s*=|(\{)|(\})|(\[)|(\])|(,)|("[^"]*")|([^\s={}[\],"]+)(?=[\s,\]}]))/);
    if (!token) break;
    rest = rest.slice(token[0].length);
    const now = open.at(-1);
    if (token[1]) key = keysOf(token[1]);
    else if (token[2]) {
      open.push({ path: [...now.path, ...key], words: {}, key });
      key = [];
    }
    else if ((token[3] || token[5]) && open.length > 1) key = open.pop().key;
    else if (token[4]) open.push({ ...now, isArray: true, key });
    else if (token[6] && !now.isArray) key = [];
    else if (token[7] && key.length) now.words = { ...now.words, [key.join(".")]: token[7].slice(1, -1) };
  }
  const { path } = open.at(-1);
  const word = rest.trimStart();
  if (key.length) return { kind: "value", path: [...path, ...key], word: word.replace(/^"/, ""), isQuoted: word.startsWith('"') };
  const dotted = keysOf(word);
  const last = word.endsWith(".") || !word ? "" : dotted.pop();
  return { kind: "key", path: [...path, ...dotted], words: open.at(-1).words, word: last };
}
