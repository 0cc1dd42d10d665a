// What a server tells of a run in bytes: see crates/pliant/src/run_source/wire.

/** Reads little-endian numbers and texts one after the other. */
class Reader {
  constructor(buffer) {
    this.view = new DataView(buffer);
    this.at = 0;
  }

  #next(size) {
    this.at += size;
    return this.at - size;
  }

  count() {
    return this.view.getUint32(this.#next(4), true);
  }

  single() {
    return this.view.getFloat32(this.#next(4), true);
  }

  double() {
    return this.view.getFloat64(this.#next(8), true);
  }

  text() {
    const length = this.count();
    return new TextDecoder().decode(new Uint8Array(this.view.buffer, this.#next(length), length));
  }

  /** So many of what `read` reads. */
  many(count, read) {
    return Array.from({ length: count }, read);
  }
}

/** Columns of what was measured, by their names: a value a frame that is written, no number where there is none. */
export function tables(buffer) {
  const reader = new Reader(buffer);
  const column = () => [reader.text(), reader.many(reader.count(), () => reader.double())];
  return new Map(reader.many(reader.count(), column));
}

/** A particle in a frame: its body, where it is [m], and its quantities with their units; nothing if it is not there. */
export function particle(buffer) {
  const reader = new Reader(buffer);
  if (!reader.count()) return undefined;
  const [body, position] = [reader.text(), reader.many(3, () => reader.single())];
  const quantity = () => ({ name: reader.text(), unit: reader.text(), value: reader.double() });
  return { body, position, quantities: reader.many(reader.count(), quantity) };
}
