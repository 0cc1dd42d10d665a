// Pictures in WebGL2: spheres as squares that face the camera and are shaded as spheres, and triangles.

const LIGHT = `
vec3 lit(vec3 normal, vec3 color) {
  float sun = max(dot(normal, normalize(vec3(0.4, 0.8, 0.45))), 0.0);
  return pow(pow(color, vec3(2.2)) * (0.4 + 0.15 * normal.y + 0.6 * sun), vec3(1.0 / 2.2));
}`;

const SPHERES = [
  `layout(location = 0) in vec4 sphere;
  layout(location = 1) in vec4 color;
  uniform mat4 view, projection;
  out vec2 at; out vec3 center; flat out float radius; flat out vec4 tint;
  void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    radius = color.a > 0.0 ? sphere.w : 0.0;
    tint = color;
    center = (view * vec4(sphere.xyz, 1.0)).xyz;
    gl_Position = projection * vec4(center + vec3(at * radius, 0.0), 1.0);
  }`,
  `in vec2 at; in vec3 center; flat in float radius; flat in vec4 tint;
  uniform mat4 view, projection;
  out vec4 picture;
  void main() {
    float squared = dot(at, at);
    if (squared > 1.0) discard;
    vec3 normal = vec3(at, sqrt(1.0 - squared));
    vec4 place = projection * vec4(center + normal * radius, 1.0);
    gl_FragDepth = 0.5 * place.z / place.w + 0.5;
    picture = vec4(lit(transpose(mat3(view)) * normal, tint.rgb), 1.0);
  }`,
];

const TRIANGLES = [
  `layout(location = 0) in vec3 corner;
  layout(location = 1) in vec4 color;
  uniform mat4 view, projection;
  out vec3 place; out vec4 tint;
  void main() { place = corner; tint = color; gl_Position = projection * view * vec4(corner, 1.0); }`,
  `in vec3 place; in vec4 tint;
  uniform mat4 view, projection;
  out vec4 picture;
  void main() {
    vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
    picture = vec4(lit(normal, tint.rgb), tint.a);
  }`,
];

/** Opacity of walls that the scene draws opaque: what they hold is to be seen. Rigid bodies are drawn as they are. */
const WALL_OPACITY = 0.35;

export class Pictures {
  constructor(canvas) {
    this.canvas = canvas;
    this.gl = canvas.getContext("webgl2");
    if (!this.gl) throw new Error("this browser has no WebGL2, which the pictures are drawn with");
    this.spheres = this.#program(...SPHERES);
    this.triangles = this.#program(...TRIANGLES);
    this.rigid = { first: 0, count: 0 };
    this.layers = ["spheres", "cloth", "walls"].map((name) => this.#layer(name === "spheres" ? 4 : 3, name));
  }

  /** Takes new columns. */
  update({ spheres, colors, triangles, wallCorners, wallColors, rigidRange }) {
    const [ofSpheres, ofCloth, ofWalls] = this.layers;
    const [first, count] = rigidRange;
    const isRigid = (corner) => corner >= first && corner < first + count;
    const seen = (part, k) => (k % 4 === 3 && !isRigid(k >> 2) ? part * WALL_OPACITY : part);
    this.rigid = { first, count };
    this.#fill(ofSpheres, spheres, colors, 4);
    this.#fill(ofCloth, gathered(spheres, triangles, 4, 3, Float32Array), gathered(colors, triangles, 4, 4, Uint8Array, 255), 3);
    this.#fill(ofWalls, wallCorners, wallColors.map(seen), 3);
  }

  /** Draws them as a camera sees them. */
  draw(camera) {
    const { gl, canvas } = this;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((x) => Math.max(1, Math.round(x * devicePixelRatio)));
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    gl.viewport(0, 0, width, height);
    // What stands behind shows the colour of the page.
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    const matrices = camera.matrices(width / height);
    const [ofSpheres, ofCloth, ofWalls] = this.layers;
    gl.disable(gl.BLEND);
    this.#use(this.spheres, ofSpheres, matrices);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, ofSpheres.count);
    this.#use(this.triangles, ofCloth, matrices);
    gl.drawArrays(gl.TRIANGLES, 0, ofCloth.count);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.#use(this.triangles, ofWalls, matrices);
    const { first, count } = this.rigid;
    gl.drawArrays(gl.TRIANGLES, first, count);
    gl.depthMask(false);
    gl.drawArrays(gl.TRIANGLES, 0, first);
    gl.drawArrays(gl.TRIANGLES, first + count, ofWalls.count - first - count);
    gl.depthMask(true);
  }

  #use({ program, view, projection }, layer, matrices) {
    const { gl } = this;
    gl.useProgram(program);
    gl.uniformMatrix4fv(view, false, matrices.view);
    gl.uniformMatrix4fv(projection, false, matrices.projection);
    gl.bindVertexArray(layer.array);
  }

  #fill(layer, places, colors, size) {
    const { gl } = this;
    layer.count = places.length / size;
    for (const [buffer, data] of [[layer.places, places], [layer.colors, colors]]) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    }
  }

  /** Places and colours on the card, one for each sphere, or for each corner of triangles. */
  #layer(size, name) {
    const { gl } = this;
    const layer = { array: gl.createVertexArray(), places: gl.createBuffer(), colors: gl.createBuffer(), count: 0 };
    gl.bindVertexArray(layer.array);
    const attribute = (index, buffer, parts, type, isColor) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(index);
      gl.vertexAttribPointer(index, parts, type, isColor, 0, 0);
      gl.vertexAttribDivisor(index, name === "spheres" ? 1 : 0);
    };
    attribute(0, layer.places, size, gl.FLOAT, false);
    attribute(1, layer.colors, 4, gl.UNSIGNED_BYTE, true);
    return layer;
  }

  #program(vertex, fragment) {
    const { gl } = this;
    const program = gl.createProgram();
    for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, LIGHT + fragment]]) {
      const shader = gl.createShader(type);
      gl.shaderSource(shader, `#version 300 es\nprecision highp float;\n${text}`);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    return { program, view: gl.getUniformLocation(program, "view"), projection: gl.getUniformLocation(program, "projection") };
  }
}

/** The first `kept` of `size` numbers of each place, one place after the other; the fourth replaced if told. */
function gathered(numbers, places, size, kept, Type, fourth) {
  const found = new Type(kept * places.length);
  for (let k = 0; k < places.length; k++) {
    for (let part = 0; part < kept; part++) found[kept * k + part] = numbers[size * places[k] + part];
    if (fourth !== undefined) found[kept * k + 3] = fourth;
  }
  return found;
}
