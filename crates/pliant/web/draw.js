// Pictures with WebGL2, shaded as the window shades them: loose particles are squares that face the eye and are shaded
// as balls; surfaces, cloth and walls are triangles.
import { SplatSums } from "./splats.js";
import { cross, dot, moved, orthographic, plus, product, scaling, turned, unit, viewOf } from "./matrices.js";

/** Texels along an edge of the map of shadows. */
const TEXELS = 1024;
/** Light that a layer of glass keeps back where a collider is as opaque as glass can be. */
const GLASS = 0.14;
/** Below it the fourth number of a ball's colour says that it is clear. */
const CLEAR = 239.5 / 255;
/** What is less opaque is glass, of 255. */
const OPAQUE = 253.7;
/** Pictures in a row whose time is looked at, and the time [ms] from which on they are too slow for shadows. */
const [LOOKED_AT, SLOW] = [20, 60];

const IDENTITY = scaling([1, 1, 1]);

export class Pictures {
  /** Compiles the programs, from the text of all shaders. */
  constructor(canvas, shaders) {
    this.canvas = canvas;
    const gl = canvas.getContext("webgl2", { alpha: false });
    if (!gl) throw new Error("this browser has no WebGL2, which the pictures are drawn with");
    this.gl = gl;
    const parts = new Map(shaders.split("\n//# ").slice(1).map((part) => [part.slice(0, part.indexOf("\n")), part.slice(part.indexOf("\n"))]));
    this.canSplat = Boolean(gl.getExtension("EXT_color_buffer_float"));
    const program = (vertex, fragment, isLit = true) => this.#program(parts.get(vertex), (isLit ? parts.get("light") : "") + parts.get(fragment));
    this.programs = {
      balls: program("sphere_vertex", "sphere_fragment"),
      meshes: program("mesh_vertex", "mesh_fragment"),
      ballShadows: program("sphere_vertex", "sphere_shadow_fragment", false),
      meshShadows: program("mesh_vertex", "mesh_shadow_fragment", false),
      background: program("background_vertex", "background_fragment"),
      splatDepths: program("splat_vertex", "splat_depth_fragment", false),
      splats: program("splat_vertex", "splat_fragment", false),
      splatted: program("background_vertex", "surface_fragment"),
    };
    this.balls = this.#columns([[4, gl.FLOAT], [4, gl.UNSIGNED_BYTE]], 1);
    this.surfaces = this.#columns([[3, gl.FLOAT], [4, gl.FLOAT], [4, gl.UNSIGNED_BYTE]], 0);
    this.walls = this.#columns([[3, gl.FLOAT], [4, gl.FLOAT], [4, gl.UNSIGNED_BYTE]], 0);
    this.shadows = this.#shadowMap();
    this.nothing = gl.createVertexArray();
    this.splats = new SplatSums(gl);
    this.hasShadows = true;
    /** Whether particles of which a body's surface is made are drawn as such, where they are. */
    this.hasSurfaces = this.canSplat;
    this.times = [];
  }

  /** Takes what is known of a scene: its light, and its bounds, which say what casts shadows and how far a floor reaches. */
  open({ light, bounds }) {
    const [low, high] = bounds;
    this.light = light;
    this.bounds = bounds;
    this.extent = Math.max(1e-6, ...low.map((x, axis) => high[axis] - x));
    this.center = low.map((x, axis) => 0.5 * (x + high[axis]));
  }

  /** Takes a new moment. */
  update(seen) {
    const { spheres, sphereColors, vertices, normals, vertexColors, triangles, wallCorners, wallNormals, wallColors } = seen;
    this.#fill(this.balls, spheres.length / 4, [spheres, sphereColors]);
    this.#fill(this.surfaces, triangles.length, [vertices, normals, vertexColors], triangles);
    this.#fill(this.walls, wallCorners.length / 3, [wallCorners, wallNormals, wallColors]);
    this.starts = seen.starts;
    this.opaque = opaqueCount(triangles, vertexColors);
    this.areSplats = sphereColors.some((part, k) => k % 4 === 3 && part < 255);
    this.widest = spheres.reduce((widest, part, k) => (k % 4 === 3 ? Math.max(widest, part) : widest), 0);
    this.casting = casting(seen, this.bounds, this.extent);
  }

  /** Draws it as a camera sees it. */
  draw(camera) {
    const { gl, canvas, programs } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((x) => Math.max(1, Math.round(x * devicePixelRatio)));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const views = this.#views(camera, width / height);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
    gl.depthMask(true);
    if (this.hasShadows) this.#drawShadows(views);
    const isSmooth = this.hasSurfaces && this.areSplats;
    if (isSmooth) this.#sumSplats(views, [width, height]);
    gl.viewport(0, 0, width, height);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.depthMask(false);
    this.#begin(programs.background, views);
    gl.bindVertexArray(this.nothing);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.depthMask(true);
    this.#begin(programs.balls, views)({ hidden_below: Number(isSmooth) });
    this.#drawBalls();
    this.#drawMeshes(views, isSmooth);
  }

  /** Tells how long the last picture was in coming [ms]: a card that is too slow for shadows draws none. */
  took(time) {
    this.times.push(time);
    if (this.times.length < LOOKED_AT) return;
    this.times.sort((a, b) => a - b);
    if (this.times[LOOKED_AT >> 1] > SLOW) {
      if (this.hasShadows) this.hasShadows = false;
      else this.hasSurfaces = false;
    }
    this.times = [];
  }

  #drawBalls() {
    const { gl, balls } = this;
    gl.bindVertexArray(balls.array);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, balls.count);
  }

  #drawSurfaces(first, end) {
    if (end <= first) return;
    const { gl, surfaces } = this;
    gl.bindVertexArray(surfaces.array);
    gl.drawElements(gl.TRIANGLES, end - first, gl.UNSIGNED_INT, 4 * first);
  }

  #drawWalls(first, end) {
    const { gl, walls } = this;
    gl.bindVertexArray(walls.array);
    gl.drawArrays(gl.TRIANGLES, first, end - first);
  }

  /** Sums up what splats are on each pixel. */
  #sumSplats(views, size) {
    const { gl, programs, splats } = this;
    splats.beginDepths(size);
    this.#begin(programs.splatDepths)(views);
    this.#drawBalls();
    splats.beginSums();
    gl.disable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE);
    this.#begin(programs.splats)(views);
    splats.bind(programs.splats.places);
    this.#drawBalls();
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  /** Draws the surface that splats add up to over what is there. */
  #drawSplatted(views) {
    const { gl, programs, splats } = this;
    const set = this.#begin(programs.splatted, views);
    set({ corner: [0, 0], bias: 2.5 * this.widest });
    splats.bind(programs.splatted.places);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.bindVertexArray(this.nothing);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    gl.disable(gl.BLEND);
  }

  /** Opaque triangles, then glass. */
  #drawMeshes(views, isSmooth) {
    const { gl, extent, starts } = this;
    let set = this.#begin(this.programs.meshes, views);
    const { glass, endless } = starts;
    set({ model: IDENTITY, glass: 0, fading: [0, 0, 0, -extent], tint: [1, 1, 1, 1] });
    this.#drawSurfaces(0, this.opaque);
    this.#drawWalls(0, glass);
    set({ fading: [...moved(views.view, this.center), extent] });
    this.#drawWalls(endless, this.walls.count);
    if (isSmooth) this.#drawSplatted(views);
    set = this.#begin(this.programs.meshes, views);
    set({ model: IDENTITY });
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    gl.depthMask(false);
    set({ glass: 1, fading: [0, 0, 0, -extent], tint: [1, 1, 1, GLASS] });
    this.#drawWalls(glass, endless);
    set({ tint: [1, 1, 1, 1] });
    this.#drawSurfaces(this.opaque, this.surfaces.count);
    gl.depthMask(true);
    gl.disable(gl.BLEND);
  }

  /** The depth that the lamp sees. */
  #drawShadows({ lamp }) {
    const { gl, programs, shadows } = this;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, null);
    gl.bindFramebuffer(gl.FRAMEBUFFER, shadows.framebuffer);
    gl.viewport(0, 0, TEXELS, TEXELS);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(2, 4);
    // The squares of balls face the lamp: its rotation and shift are the view, its scale the projection.
    const scale = [0, 1, 2].map((row) => Math.hypot(lamp[row], lamp[4 + row], lamp[8 + row]));
    // What is clear throws no shadow.
    this.#begin(programs.ballShadows)({ hidden_below: this.hasSurfaces ? CLEAR : 0, view: product(scaling(scale.map((x) => 1 / x)), lamp), projection: scaling(scale) });
    this.#drawBalls();
    this.#begin(programs.meshShadows)({ view: IDENTITY, projection: lamp, model: IDENTITY });
    this.#drawSurfaces(0, this.surfaces.count);
    this.#drawWalls(0, this.starts.glass);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  /** Matrices of a picture, and directions in it. */
  #views(camera, aspect) {
    const { view, place, projection } = camera.matrices(aspect);
    const up = turned(view, camera.up);
    const towardLamp = lampDirection(up);
    const lamp = lampView(this.casting, turned(place, towardLamp), camera.up);
    const half = product([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0.5, 0.5, 1], scaling([0.5, 0.5, 0.5]));
    return { view, projection, up, toward_lamp: towardLamp, lamp, to_shadow: product(half, product(lamp, place)) };
  }

  /** Begins a program, with the matrices and lights of a picture if they are given; returns what sets its values. */
  #begin({ program, places }, views) {
    const { gl, light } = this;
    gl.useProgram(program);
    const set = (values) => {
      for (const [name, value] of Object.entries(values)) {
        const where = places.get(name);
        if (where === undefined) continue;
        if (!Array.isArray(value)) gl.uniform1f(where, value);
        else if (value.length === 16) gl.uniformMatrix4fv(where, false, value);
        else if (value.length === 4) gl.uniform4fv(where, value);
        else if (value.length === 2) gl.uniform2fv(where, value);
        else gl.uniform3fv(where, value);
      }
    };
    if (views) {
      const { lamp, ...others } = views;
      set({ ...others, ...light, has_shadows: Number(this.hasShadows) });
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, this.shadows.texture);
      gl.uniform1i(places.get("shadow_map") ?? null, 1);
    }
    return set;
  }

  #fill(columns, count, data, triangles) {
    const { gl } = this;
    columns.count = count;
    data.forEach((column, k) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, columns.buffers[k]);
      gl.bufferData(gl.ARRAY_BUFFER, column, gl.DYNAMIC_DRAW);
    });
    if (!triangles) return;
    gl.bindVertexArray(columns.array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, columns.triangles);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.DYNAMIC_DRAW);
  }

  /** Columns on the card, of so many parts each: for each instance, or else for each corner. */
  #columns(kinds, divisor) {
    const { gl } = this;
    const columns = { array: gl.createVertexArray(), buffers: [], triangles: gl.createBuffer(), count: 0 };
    gl.bindVertexArray(columns.array);
    kinds.forEach(([parts, type], place) => {
      columns.buffers[place] = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, columns.buffers[place]);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, parts, type, type !== gl.FLOAT, 0, 0);
      gl.vertexAttribDivisor(place, divisor);
    });
    return columns;
  }

  #shadowMap() {
    const { gl } = this;
    const [texture, framebuffer] = [gl.createTexture(), gl.createFramebuffer()];
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, TEXELS, TEXELS);
    const settings = { MIN_FILTER: "LINEAR", MAG_FILTER: "LINEAR", WRAP_S: "CLAMP_TO_EDGE", WRAP_T: "CLAMP_TO_EDGE", COMPARE_MODE: "COMPARE_REF_TO_TEXTURE", COMPARE_FUNC: "LEQUAL" };
    for (const [name, value] of Object.entries(settings)) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${name}`], gl[value]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return { texture, framebuffer };
  }

  #program(vertex, fragment) {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, `#version 300 es\nprecision highp float;\nprecision highp int;\n${text}`);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    const names = Array.from({ length: count }, (_, k) => gl.getActiveUniform(program, k).name);
    return { program, places: new Map(names.map((name) => [name, gl.getUniformLocation(program, name)])) };
  }
}

/** Number of corners of opaque triangles, which come before those of glass. */
export function opaqueCount(triangles, vertexColors) {
  let [first, end] = [0, triangles.length / 3];
  while (first < end) {
    const middle = (first + end) >> 1;
    if (vertexColors[4 * triangles[3 * middle] + 3] < OPAQUE) end = middle;
    else first = middle + 1;
  }
  return 3 * first;
}

/** The direction to the lamp, in view space, as `lamp_direction` of crates/pliant-render has it: from the upper left, a little from behind the eye. */
function lampDirection([x, y, z]) {
  const up = [x, y, -z];
  const ahead = plus([0, 0, 1], up, -up[2]);
  const level = dot(ahead, ahead) > 1e-12 ? unit(ahead) : [0, 0, 1];
  const [a, b, c] = unit([0, 1, 2].map((axis) => 0.86 * up[axis] - 0.62 * Number(axis === 0) - 0.22 * level[axis]));
  return [a, b, -c];
}

/** From the world to the clip space of a lamp that sees bounds. */
function lampView([low, high], toward, up) {
  const center = low.map((x, axis) => 0.5 * (x + high[axis]));
  const radius = 0.55 * Math.max(1e-6, Math.hypot(...low.map((x, axis) => high[axis] - x)));
  const side = Math.abs(dot(toward, up)) < 0.99 ? up : [up[2], up[0], up[1]];
  const right = unit(cross(side, toward));
  const axes = { right, top: cross(toward, right), back: toward, eye: plus(center, toward, 2 * radius) };
  return product(orthographic(radius, 0.5 * radius, 3.5 * radius), viewOf(axes));
}

/** Around what was there at the start and what is now, but for what flew far off. */
function casting({ spheres, vertices }, [low, high], extent) {
  const [lowest, highest] = [[...low], [...high]];
  const room = 1.5 * extent;
  let largest = 0;
  const include = (columns, k) => {
    for (let axis = 0; axis < 3; axis++) if (!(columns[k + axis] > low[axis] - room && columns[k + axis] < high[axis] + room)) return;
    for (let axis = 0; axis < 3; axis++) {
      lowest[axis] = Math.min(lowest[axis], columns[k + axis]);
      highest[axis] = Math.max(highest[axis], columns[k + axis]);
    }
  };
  for (let k = 0; k < spheres.length; k += 4) {
    include(spheres, k);
    largest = Math.max(largest, spheres[k + 3]);
  }
  for (let k = 0; k < vertices.length; k += 3) include(vertices, k);
  return [lowest.map((x) => x - largest), highest.map((x) => x + largest)];
}
