// Sums of splats: of normals and colours on each pixel, and the depth of what is in front.

/** The first of three units of textures; those before are others'. */
const FIRST = 2;

export class SplatSums {
  constructor(gl) {
    this.gl = gl;
    this.size = [0, 0];
  }

  /** Draws depths from now on, in the size of a picture. */
  beginDepths(size) {
    const { gl } = this;
    if (String(size) !== String(this.size)) this.#make(size);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.depths);
    gl.viewport(0, 0, ...size);
    gl.clear(gl.DEPTH_BUFFER_BIT);
  }

  /** Adds to sums from now on, which are empty. */
  beginSums() {
    const { gl } = this;
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.sums);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }

  /** Lets a program read what there is, at the places of its values. */
  bind(places) {
    const { gl } = this;
    const read = (name, k, texture) => {
      gl.activeTexture(gl.TEXTURE0 + FIRST + k);
      gl.bindTexture(gl.TEXTURE_2D, places.has(name) ? texture : null);
      gl.uniform1i(places.get(name) ?? null, FIRST + k);
    };
    ["normal_sums", "color_sums", "depths"].forEach((name, k) => read(name, k, this.textures[k]));
  }

  #make(size) {
    const { gl } = this;
    this.textures?.forEach((texture) => gl.deleteTexture(texture));
    for (const name of ["depths", "sums"]) this[name] ??= gl.createFramebuffer();
    const made = (framebuffer, attachment, format) => {
      const texture = gl.createTexture();
      gl.activeTexture(gl.TEXTURE0 + FIRST);
      gl.bindTexture(gl.TEXTURE_2D, texture);
      gl.texStorage2D(gl.TEXTURE_2D, 1, format, ...size);
      for (const name of ["MIN_FILTER", "MAG_FILTER"]) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${name}`], gl.NEAREST);
      gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
      gl.framebufferTexture2D(gl.FRAMEBUFFER, attachment, gl.TEXTURE_2D, texture, 0);
      return texture;
    };
    const both = [gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1];
    this.textures = [...both.map((attachment) => made(this.sums, attachment, gl.RGBA16F)), made(this.depths, gl.DEPTH_ATTACHMENT, gl.DEPTH_COMPONENT24)];
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.sums);
    gl.drawBuffers(both);
    this.size = size;
  }
}
