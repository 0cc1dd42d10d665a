// The editor: a text with numbered lines, completion from the schema, and errors in their place.
import { place } from "./schema.js";

/** Most proposals in the list. */
const MOST = 60;

export class Editor {
  /** @param run called when the scene is to be run */
  constructor({ text, lines, list, doc }, run) {
    Object.assign(this, { text, lines, list, doc });
    this.proposals = [];
    text.oninput = () => {
      this.#number();
      this.mark([]);
      this.#propose(false);
    };
    text.onscroll = () => {
      lines.scrollTop = text.scrollTop;
      this.#close();
    };
    text.onblur = () => this.#close();
    text.onkeydown = (event) => this.#press(event, run);
    list.onpointerdown = (event) => {
      event.preventDefault();
      const chosen = event.target.closest("li");
      if (chosen) this.#take(Number(chosen.dataset.number));
    };
  }

  get value() {
    return this.text.value;
  }

  set value(value) {
    this.text.value = value;
    this.text.scrollTop = 0;
    this.#number();
  }

  /** Marks lines that are wrong, by their numbers, and goes to the first. */
  mark(numbers) {
    const wrong = new Set(numbers);
    [...this.lines.children].forEach((line, k) => line.classList.toggle("wrong", wrong.has(k + 1)));
    this.text.setAttribute("aria-invalid", String(wrong.size > 0));
  }

  /** Selects a line. */
  goTo(number) {
    const lines = this.value.split("\n");
    const line = Math.min(number, lines.length) - 1;
    const start = lines.slice(0, line).reduce((length, each) => length + each.length + 1, 0);
    this.text.focus();
    this.text.setSelectionRange(start, start + lines[line].length);
    this.text.scrollTop = (this.text.scrollHeight * Math.max(0, line - 5)) / lines.length;
  }

  #number() {
    const count = this.value.split("\n").length;
    while (this.lines.childElementCount > count) this.lines.lastElementChild.remove();
    while (this.lines.childElementCount < count) {
      const line = document.createElement("span");
      line.textContent = this.lines.childElementCount + 1;
      this.lines.append(line);
    }
  }

  #press(event, run) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) run();
    else if (event.key === " " && event.ctrlKey) this.#propose(true);
    else if (!this.proposals.length) return;
    else if (event.key === "ArrowDown") this.#choose(this.chosen + 1);
    else if (event.key === "ArrowUp") this.#choose(this.chosen - 1);
    else if (event.key === "Enter" || event.key === "Tab") this.#take(this.chosen);
    else if (event.key === "Escape") this.#close();
    else return;
    event.preventDefault();
  }

  /** Shows what may stand where the cursor is; unless it was asked for, only once a letter is written. */
  #propose(isAsked) {
    this.#close();
    if (!this.schema || this.text.selectionStart !== this.text.selectionEnd) return;
    const here = place(this.value, this.text.selectionStart);
    if (!isAsked && !here.word && !here.isQuoted) return;
    const all = { table: () => this.schema.keys([]).filter(({ isTable }) => isTable), key: () => this.schema.keys(here.path, here.words), value: () => this.schema.values(here.path) }[here.kind]?.() ?? [];
    const fits = all.filter(({ name }) => name.startsWith(here.word) && name !== here.word);
    this.proposals = fits.slice(0, MOST).map((proposal) => ({ ...proposal, here }));
    if (this.proposals.length) this.#show();
  }

  #show() {
    this.list.replaceChildren(...this.proposals.map(({ name, isRequired }, k) => {
      const item = document.createElement("li");
      item.id = `proposal-${k}`;
      item.role = "option";
      item.dataset.number = k;
      item.textContent = name;
      item.classList.toggle("required", Boolean(isRequired));
      return item;
    }));
    this.list.parentElement.hidden = false;
    this.text.setAttribute("aria-expanded", "true");
    this.#choose(0);
    this.#place();
  }

  /** Puts the list below the cursor, inside the editor. */
  #place() {
    const style = getComputedStyle(this.text);
    const before = this.value.slice(0, this.text.selectionStart).split("\n");
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = style.font;
    const height = parseFloat(style.lineHeight);
    const box = this.list.parentElement;
    const top = before.length * height + parseFloat(style.paddingTop) - this.text.scrollTop;
    const left = pen.measureText(before.at(-1)).width + parseFloat(style.paddingLeft) - this.text.scrollLeft;
    const room = this.text.parentElement;
    box.style.left = `${Math.max(0, Math.min(this.text.offsetLeft + left, room.clientWidth - box.offsetWidth))}px`;
    const isBelow = top + box.offsetHeight < room.clientHeight;
    box.style.top = `${Math.max(0, isBelow ? top + 4 : top - height - box.offsetHeight)}px`;
  }

  #choose(number) {
    this.chosen = (number + this.proposals.length) % this.proposals.length;
    [...this.list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === this.chosen)));
    this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
    this.text.setAttribute("aria-activedescendant", `proposal-${this.chosen}`);
    this.doc.textContent = this.proposals[this.chosen].doc;
  }

  #take(number) {
    const { name, here, isTable } = this.proposals[number];
    const start = this.text.selectionStart - here.word.length;
    let written = name;
    if (here.kind === "value" && !["true", "false"].includes(name)) written = here.isQuoted ? name : `"${name}"`;
    if (here.kind === "key") written += isTable ? " = { " : " = ";
    this.#close();
    // Typed in, so that it can be undone.
    this.text.focus();
    this.text.setSelectionRange(start, this.text.selectionEnd);
    document.execCommand("insertText", false, written);
  }

  #close() {
    this.proposals = [];
    this.list.parentElement.hidden = true;
    this.text.setAttribute("aria-expanded", "false");
    this.text.removeAttribute("aria-activedescendant");
  }
}
