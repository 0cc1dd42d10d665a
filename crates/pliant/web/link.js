// Scenes in links: text compressed into the part of an address behind #, which no server is told.

/** A link that cannot be opened, or a scene that no link can hold. */
export class LinkError extends Error {}

/** Characters that a compressed text may take in a link; longer addresses are cut off on their way. */
const MOST_CHARACTERS = 32_000;
/** Bytes that it may become: a short link can hold a text of any length. */
const MOST_BYTES = 256 * 1024;

/** A text as characters that may stand in an address. */
export async function packed(text) {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length > MOST_BYTES) throw new LinkError(`a link holds at most ${MOST_BYTES / 1024} kB, and this takes ${Math.ceil(bytes.length / 1024)} kB: save it as a file`);
  const pieces = await through(new CompressionStream("deflate-raw"), bytes, Infinity);
  const binary = Array.from(pieces, (byte) => String.fromCharCode(byte)).join("");
  const code = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  if (code.length > MOST_CHARACTERS) throw new LinkError(`the link would have ${code.length} characters, more than the ${MOST_CHARACTERS} that addresses may have: save it as a file`);
  return code;
}

/** The text that [`packed`] made such characters of. */
export async function unpacked(code) {
  if (code.length > MOST_CHARACTERS) throw new LinkError(`the link is longer than ${MOST_CHARACTERS} characters: no link of this page is`);
  try {
    const binary = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(await through(new DecompressionStream("deflate-raw"), bytes, MOST_BYTES));
  } catch (error) {
    if (error instanceof LinkError) throw error;
    throw new LinkError("the link is damaged: perhaps it was cut off on its way", { cause: error });
  }
}

/** What a stream makes of bytes; not read further than `most` of them. */
async function through(stream, bytes, most) {
  const writer = stream.writable.getWriter();
  // What is wrong with them is told to the reader.
  const written = Promise.all([writer.write(bytes), writer.close()]).catch(() => {});
  const reader = stream.readable.getReader();
  const pieces = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new LinkError(`the link holds more than ${most / 1024} kB of text: no link of this page does`);
    }
  }
  await written;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/**
 * What an address asks for: an example, a run that is served, or a scene with what was done to it. The parts of a scene
 * are still packed.
 */
export function asked(hash) {
  const text = hash.replace(/^#/, "");
  if (/^run=\d+$/.test(text)) return { run: Number(text.slice(4)) };
  if (!text.startsWith("scene=")) return { example: decodeURIComponentOr(text) };
  const parts = new URLSearchParams(text);
  return { scene: parts.get("scene"), inputs: parts.get("inputs") };
}

function decodeURIComponentOr(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
