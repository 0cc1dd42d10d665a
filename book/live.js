// Scenes that run where their pictures stand: a button on each picture puts the engine's page in its place. Without
// scripts, or where that page does not stand beside the book, the picture is all there is.
const beside = new URL("page/", document.currentScript.src);

/** What puts a scene in the place of its picture. */
function button(figure) {
  const run = document.createElement("button");
  run.type = "button";
  run.textContent = "Run it here";
  run.onclick = () => {
    const frame = document.createElement("iframe");
    frame.src = `${beside.href}index.html?embedded#${figure.dataset.scene}`;
    frame.title = figure.querySelector("img").alt;
    frame.allow = "clipboard-write";
    figure.querySelector("img").replaceWith(frame);
    run.remove();
    frame.focus();
  };
  return run;
}

fetch(new URL("examples.json", beside)).then(async (answer) => {
  if (!answer.ok) return;
  const scenes = new Set((await answer.json()).scenes.map(({ scene }) => scene));
  for (const figure of document.querySelectorAll("figure.live")) {
    if (scenes.has(figure.dataset.scene)) figure.querySelector("img").after(button(figure));
  }
}, () => {});
