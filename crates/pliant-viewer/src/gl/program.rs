//! A shader program and the values it is given.

use eframe::glow::{self, HasContext};

/// A linked program.
pub struct Program {
    handle: glow::Program,
}

impl Program {
    /// Compiles and links a vertex and a fragment shader.
    ///
    /// # Errors
    /// What the driver says.
    pub fn new(gl: &glow::Context, vertex: &str, fragment: &str) -> Result<Self, String> {
        let head = match gl.version().is_embedded {
            true => "#version 300 es\nprecision highp float;\nprecision highp int;\n",
            false => "#version 330 core\n",
        };
        // SAFETY: the context is current, and every handle below was made by it.
        unsafe {
            let handle = gl.create_program()?;
            for (kind, source) in [
                (glow::VERTEX_SHADER, vertex),
                (glow::FRAGMENT_SHADER, fragment),
            ] {
                let shader = gl.create_shader(kind)?;
                gl.shader_source(shader, &format!("{head}{source}"));
                gl.compile_shader(shader);
                if !gl.get_shader_compile_status(shader) {
                    return Err(gl.get_shader_info_log(shader));
                }
                gl.attach_shader(handle, shader);
                gl.delete_shader(shader);
            }
            gl.link_program(handle);
            match gl.get_program_link_status(handle) {
                true => Ok(Self { handle }),
                false => Err(gl.get_program_info_log(handle)),
            }
        }
    }

    /// What is drawn next is drawn with it.
    pub fn begin(&self, gl: &glow::Context) {
        // SAFETY: the context is current and made the program.
        unsafe { gl.use_program(Some(self.handle)) }
    }

    pub fn set_matrix(&self, gl: &glow::Context, name: &str, value: &[f32; 16]) {
        // SAFETY: as in `begin`; a name that the shader does not use has no place and is ignored.
        unsafe {
            let place = gl.get_uniform_location(self.handle, name);
            gl.uniform_matrix_4_f32_slice(place.as_ref(), false, value);
        }
    }

    pub fn set_vector(&self, gl: &glow::Context, name: &str, [x, y, z]: [f32; 3]) {
        // SAFETY: as in `set_matrix`.
        unsafe {
            let place = gl.get_uniform_location(self.handle, name);
            gl.uniform_3_f32(place.as_ref(), x, y, z);
        }
    }

    pub fn set_four(&self, gl: &glow::Context, name: &str, [x, y, z, w]: [f32; 4]) {
        // SAFETY: as in `set_matrix`.
        unsafe {
            let place = gl.get_uniform_location(self.handle, name);
            gl.uniform_4_f32(place.as_ref(), x, y, z, w);
        }
    }

    pub fn set_pair(&self, gl: &glow::Context, name: &str, [x, y]: [f32; 2]) {
        // SAFETY: as in `set_matrix`.
        unsafe {
            let place = gl.get_uniform_location(self.handle, name);
            gl.uniform_2_f32(place.as_ref(), x, y);
        }
    }

    pub fn set_number(&self, gl: &glow::Context, name: &str, value: f32) {
        // SAFETY: as in `set_matrix`.
        unsafe {
            let place = gl.get_uniform_location(self.handle, name);
            gl.uniform_1_f32(place.as_ref(), value);
        }
    }

    pub fn set_texture(&self, gl: &glow::Context, name: &str, unit: i32) {
        // SAFETY: as in `set_matrix`.
        unsafe {
            let place = gl.get_uniform_location(self.handle, name);
            gl.uniform_1_i32(place.as_ref(), unit);
        }
    }
}
