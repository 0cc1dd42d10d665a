//! Sums of splats: of normals and colours on each pixel, and the depth of what is in front.

use eframe::glow::{self, HasContext};

use super::Target;
use super::program::Program;

/// The first of three texture units; those before are egui's and that of shadows.
const FIRST_UNIT: u32 = 2;
/// The names of the textures in shaders, in the order of [`SplatSums::textures`].
const NAMES: [&str; 3] = ["normal_sums", "color_sums", "depths"];

/// Framebuffers of the size of a picture.
pub struct SplatSums {
    depths: glow::Framebuffer,
    sums: glow::Framebuffer,
    /// Normals, colours, depths.
    textures: [glow::Texture; 3],
    /// Width and height [pixels].
    size: [i32; 2],
}

impl SplatSums {
    /// Framebuffers of a width and a height.
    ///
    /// # Errors
    /// If the driver cannot draw into numbers of 16 bits.
    pub fn new(gl: &glow::Context, size: [i32; 2]) -> Result<Self, String> {
        // SAFETY: the context is current, and every handle was made by it.
        unsafe {
            let [depths, sums] = [gl.create_framebuffer()?, gl.create_framebuffer()?];
            let color = (glow::RGBA16F, glow::RGBA, glow::HALF_FLOAT);
            let depth = (
                glow::DEPTH_COMPONENT24,
                glow::DEPTH_COMPONENT,
                glow::UNSIGNED_INT,
            );
            let parts = [
                (sums, glow::COLOR_ATTACHMENT0, color),
                (sums, glow::COLOR_ATTACHMENT1, color),
                (depths, glow::DEPTH_ATTACHMENT, depth),
            ];
            let mut textures = Vec::new();
            for (framebuffer, attachment, format) in parts {
                let texture = texture(gl, size, format)?;
                gl.bind_framebuffer(glow::FRAMEBUFFER, Some(framebuffer));
                let place = (glow::FRAMEBUFFER, attachment, glow::TEXTURE_2D);
                gl.framebuffer_texture_2d(place.0, place.1, place.2, Some(texture), 0);
                textures.push(texture);
            }
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(sums));
            gl.draw_buffers(&[glow::COLOR_ATTACHMENT0, glow::COLOR_ATTACHMENT1]);
            let own = Self {
                depths,
                sums,
                textures: [textures[0], textures[1], textures[2]],
                size,
            };
            match gl.check_framebuffer_status(glow::FRAMEBUFFER) {
                glow::FRAMEBUFFER_COMPLETE => Ok(own),
                status => {
                    own.delete(gl);
                    Err(format!("no framebuffer of sums: status {status:#x}"))
                }
            }
        }
    }

    /// Whether it fits a picture.
    pub fn fits(&self, size: [i32; 2]) -> bool {
        self.size == size
    }

    /// Draws depths and then sums.
    ///
    /// * `target` — what is drawn to afterwards
    /// * `draw_sums` — called when the depths can be read
    pub fn draw(
        &self,
        gl: &glow::Context,
        target: Target,
        draw_depths: impl FnOnce(),
        draw_sums: impl FnOnce(),
    ) {
        let [width, height] = self.size;
        // SAFETY: handles of this context; what egui bound is bound again.
        unsafe {
            gl.disable(glow::SCISSOR_TEST);
            gl.viewport(0, 0, width, height);
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.depths));
            gl.clear(glow::DEPTH_BUFFER_BIT);
            draw_depths();
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.sums));
            gl.clear_color(0.0, 0.0, 0.0, 0.0);
            gl.clear(glow::COLOR_BUFFER_BIT);
            gl.disable(glow::DEPTH_TEST);
            gl.enable(glow::BLEND);
            gl.blend_func(glow::ONE, glow::ONE);
            draw_sums();
            gl.disable(glow::BLEND);
            gl.enable(glow::DEPTH_TEST);
            gl.bind_framebuffer(glow::FRAMEBUFFER, target.framebuffer);
            let [x, y, width, height] = target.viewport;
            gl.viewport(x, y, width, height);
            gl.enable(glow::SCISSOR_TEST);
        }
    }

    /// Lets a program read the depths, and the sums too once they are there.
    pub fn bind(&self, gl: &glow::Context, program: &Program, sums_too: bool) {
        for (unit, (name, texture)) in (FIRST_UNIT..).zip(NAMES.iter().zip(self.textures)) {
            // What is drawn into must not be read.
            let is_read = sums_too || *name == "depths";
            // SAFETY: handles of this context.
            unsafe {
                gl.active_texture(glow::TEXTURE0 + unit);
                gl.bind_texture(glow::TEXTURE_2D, is_read.then_some(texture));
                gl.active_texture(glow::TEXTURE0);
            }
            program.set_texture(gl, name, unit as i32);
        }
    }

    pub fn delete(self, gl: &glow::Context) {
        // SAFETY: handles of this context, which nobody uses any more.
        unsafe {
            for texture in self.textures {
                gl.delete_texture(texture);
            }
            for framebuffer in [self.depths, self.sums] {
                gl.delete_framebuffer(framebuffer);
            }
        }
    }
}

/// An empty texture of a size.
///
/// * `format` — how the card keeps it, and what would be given to it
///
/// # Safety
/// The context is current.
unsafe fn texture(
    gl: &glow::Context,
    [width, height]: [i32; 2],
    format: (u32, u32, u32),
) -> Result<glow::Texture, String> {
    let (kept, given, kind) = format;
    // SAFETY: the caller's; the handle is of this context.
    unsafe {
        let texture = gl.create_texture()?;
        gl.bind_texture(glow::TEXTURE_2D, Some(texture));
        let nothing = glow::PixelUnpackData::Slice(None);
        gl.tex_image_2d(
            glow::TEXTURE_2D,
            0,
            kept as i32,
            width,
            height,
            0,
            given,
            kind,
            nothing,
        );
        for name in [glow::TEXTURE_MIN_FILTER, glow::TEXTURE_MAG_FILTER] {
            gl.tex_parameter_i32(glow::TEXTURE_2D, name, glow::NEAREST as i32);
        }
        Ok(texture)
    }
}
