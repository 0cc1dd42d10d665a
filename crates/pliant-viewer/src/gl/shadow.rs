//! The depth that the lamp sees.

use eframe::glow::{self, HasContext};

/// Texels along an edge of the map.
const TEXELS: i32 = 1536;

/// A depth map.
pub struct ShadowMap {
    framebuffer: glow::Framebuffer,
    texture: glow::Texture,
}

impl ShadowMap {
    pub fn new(gl: &glow::Context) -> Result<Self, String> {
        // SAFETY: the context is current, and every handle was made by it.
        unsafe {
            let texture = gl.create_texture()?;
            gl.bind_texture(glow::TEXTURE_2D, Some(texture));
            gl.tex_image_2d(
                glow::TEXTURE_2D,
                0,
                glow::DEPTH_COMPONENT24 as i32,
                TEXELS,
                TEXELS,
                0,
                glow::DEPTH_COMPONENT,
                glow::UNSIGNED_INT,
                glow::PixelUnpackData::Slice(None),
            );
            let set = |name, value: u32| gl.tex_parameter_i32(glow::TEXTURE_2D, name, value as i32);
            set(glow::TEXTURE_MIN_FILTER, glow::LINEAR);
            set(glow::TEXTURE_MAG_FILTER, glow::LINEAR);
            set(glow::TEXTURE_WRAP_S, glow::CLAMP_TO_EDGE);
            set(glow::TEXTURE_WRAP_T, glow::CLAMP_TO_EDGE);
            set(glow::TEXTURE_COMPARE_MODE, glow::COMPARE_REF_TO_TEXTURE);
            set(glow::TEXTURE_COMPARE_FUNC, glow::LEQUAL);
            let framebuffer = gl.create_framebuffer()?;
            Ok(Self {
                framebuffer,
                texture,
            })
        }
    }

    /// Draws into the map.
    ///
    /// * `back` — the framebuffer and the viewport that are drawn to afterwards
    pub fn draw(
        &self,
        gl: &glow::Context,
        back: (Option<glow::Framebuffer>, [i32; 4]),
        draw: impl FnOnce(),
    ) {
        // SAFETY: handles of this context; what egui bound is bound again.
        unsafe {
            gl.bind_framebuffer(glow::FRAMEBUFFER, Some(self.framebuffer));
            gl.framebuffer_texture_2d(
                glow::FRAMEBUFFER,
                glow::DEPTH_ATTACHMENT,
                glow::TEXTURE_2D,
                Some(self.texture),
                0,
            );
            gl.viewport(0, 0, TEXELS, TEXELS);
            gl.disable(glow::SCISSOR_TEST);
            gl.color_mask(false, false, false, false);
            gl.clear(glow::DEPTH_BUFFER_BIT);
            gl.enable(glow::POLYGON_OFFSET_FILL);
            gl.polygon_offset(2.0, 4.0);
            draw();
            gl.disable(glow::POLYGON_OFFSET_FILL);
            gl.color_mask(true, true, true, true);
            gl.bind_framebuffer(glow::FRAMEBUFFER, back.0);
            let [x, y, width, height] = back.1;
            gl.viewport(x, y, width, height);
            gl.enable(glow::SCISSOR_TEST);
        }
    }

    /// Lets shaders read the map at a texture unit.
    pub fn bind(&self, gl: &glow::Context, unit: u32) {
        // SAFETY: a handle of this context.
        unsafe {
            gl.active_texture(glow::TEXTURE0 + unit);
            gl.bind_texture(glow::TEXTURE_2D, Some(self.texture));
            gl.active_texture(glow::TEXTURE0);
        }
    }
}
