// A moment as the engine and the server write it: see crates/pliant-view/src/columns.rs.

/** Bytes before the columns. */
const HEAD = 56;

/**
 * What the bytes of a moment hold: numbers of the frame and of particles, the time, and columns of loose particles
 * with their stable ids, vertices, triangles and walls; `starts` tells where among the corners of walls rigid bodies begin and end, where what
 * is seen through begins, and what has no end. The legend if colours show a quantity.
 */
export function columns(buffer) {
  const [number, spheres, vertices, triangles, corners, rigid, rigidEnd, glass, endless, legend] = new Uint32Array(buffer, 0, 10);
  let at = HEAD;
  const next = (Type, length) => {
    const column = new Type(buffer, at, length);
    at += column.byteLength;
    return column;
  };
  const seen = {
    number,
    time: new Float64Array(buffer, 40, 1)[0],
    count: new Uint32Array(buffer, 48, 1)[0],
    spheres: next(Float32Array, 4 * spheres),
    sphereColors: next(Uint8Array, 4 * spheres),
    ids: next(Uint32Array, spheres),
    vertices: next(Float32Array, 3 * vertices),
    normals: next(Float32Array, 4 * vertices),
    vertexColors: next(Uint8Array, 4 * vertices),
    triangles: next(Uint32Array, 3 * triangles),
    wallCorners: next(Float32Array, 3 * corners),
    wallNormals: next(Float32Array, 4 * corners),
    wallColors: next(Uint8Array, 4 * corners),
    starts: { rigid, rigidEnd, glass, endless },
    legend: legend ? JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, at, legend))) : undefined,
  };
  return { ...seen, rigidCorners: seen.wallCorners.subarray(3 * rigid, 3 * rigidEnd) };
}
