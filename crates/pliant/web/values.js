// The values of the scene, which can be changed while it runs.

export class Values {
  /**
   * @param list an element for the values
   * @param search an input by which they are looked for
   * @param set called with "KEY=VALUE"
   */
  constructor(list, search, set) {
    Object.assign(this, { list, search, set });
    search.oninput = () => this.#filter();
  }

  /** Shows these values; those that are open stay open. */
  show(values) {
    const open = new Set([...this.list.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent));
    const groups = Map.groupBy(values, ({ item }) => item);
    const group = ([item, members]) => {
      const details = document.createElement("details");
      const summary = Object.assign(document.createElement("summary"), { textContent: item });
      details.append(summary, ...members.map((value) => this.#row(value)));
      details.open = open.has(item);
      return details;
    };
    this.list.replaceChildren(...[...groups].map(group));
    this.#filter();
  }

  #row(value) {
    const { item, name, unit, doc, accepted } = value;
    const address = `${item}.${name}`;
    const row = document.createElement("label");
    row.className = "value";
    row.dataset.address = address.toLowerCase();
    row.title = [unit ? `${doc} [${unit}]` : doc, accepted].filter(Boolean).join("\n\n");
    const input = field(value);
    input.onchange = () => this.set(`${address}=${input.value}`);
    row.append(Object.assign(document.createElement("span"), { textContent: name }), input, Object.assign(document.createElement("small"), { textContent: unit }));
    return row;
  }

  #filter() {
    const sought = this.search.value.trim().toLowerCase();
    for (const details of this.list.children) {
      const rows = [...details.querySelectorAll(".value")];
      for (const row of rows) row.hidden = !row.dataset.address.includes(sought);
      details.hidden = rows.every((row) => row.hidden);
      if (sought) details.open = true;
    }
  }
}

/** What a value is typed into or chosen from, as TOML. */
function field({ text, words, range }) {
  const shown = text ?? "";
  if (words) {
    const quoted = (word) => (["true", "false"].includes(word) ? word : JSON.stringify(word));
    const list = document.createElement("select");
    if (text === null) list.append(new Option("", "", true));
    list.append(...words.map((word) => new Option(word, quoted(word))));
    list.value = shown;
    return list;
  }
  const input = Object.assign(document.createElement("input"), { type: "text", value: shown, spellcheck: false });
  if (range) input.inputMode = "decimal";
  return input;
}
