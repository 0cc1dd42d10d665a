// What the colours mean.

/** A number in few characters. */
export function short(x) {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  const text = size !== 0 && (size >= 1e5 || size < 1e-3) ? x.toExponential(2) : String(Number(x.toPrecision(4)));
  return text.replace("e+", "e").replace("-", "−");
}

/** Shows a legend in an element: the quantity, its colours, and what stands at their ends; hides it if there is none. */
export function showLegend(element, legend) {
  element.hidden = !legend;
  const told = legend && JSON.stringify(legend);
  if (!legend || element.dataset.told === told) return;
  element.dataset.told = told;
  const part = (name, text = "") => Object.assign(document.createElement("span"), { className: name, textContent: text });
  const bar = part("bar");
  bar.style.background = `linear-gradient(to right, ${legend.colors.join(", ")})`;
  const [low, high] = legend.range.map(short);
  const title = legend.unit ? `${legend.title} [${legend.unit}]` : legend.title;
  element.setAttribute("aria-label", `Colours show ${title} from ${low} to ${high}`);
  element.replaceChildren(part("title", title), bar, part("low", low), part("high", high));
}
