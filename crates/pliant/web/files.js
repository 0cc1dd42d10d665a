// Files from and to the reader's disk.

/** Bytes that a file may have. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Hands bytes or a text to the browser as a file to save. */
export function save(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  // The browser has taken it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Sorts files that were chosen or dropped: a scene, inputs of a scene, and files that scenes name, such as meshes. */
export async function sorted(list) {
  const found = { others: [] };
  for (const file of list) {
    if (file.size > MOST_BYTES) throw new Error(`${file.name} has more than the ${MOST_BYTES / 1024 / 1024} MB that this page takes`);
    const isInputs = file.name.endsWith(".inputs.toml");
    if (isInputs) found.inputs = await file.text();
    else if (file.name.endsWith(".toml")) found.scene = { path: file.name, text: await file.text() };
    else found.others.push({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  return found;
}

/** Calls `take` with files that are dropped anywhere on the page. */
export function whenDropped(take) {
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("drop");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("drop");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("drop");
    if (event.dataTransfer?.files.length) take([...event.dataTransfer.files]);
  });
}
