//! Columns on the graphics card: balls, meshes.

use std::ops::Range;

use eframe::glow::{self, HasContext};

/// One column and how the shader reads it.
struct Column {
    buffer: glow::Buffer,
}

/// Balls, one instance of a square each.
pub struct Balls {
    array: glow::VertexArray,
    columns: [Column; 2],
    count: i32,
}

impl Balls {
    pub fn new(gl: &glow::Context) -> Result<Self, String> {
        // SAFETY: the context is current, and every handle was made by it.
        unsafe {
            let array = gl.create_vertex_array()?;
            gl.bind_vertex_array(Some(array));
            let columns = [
                column(gl, 0, (4, glow::FLOAT), 1)?,
                column(gl, 1, (4, glow::UNSIGNED_BYTE), 1)?,
            ];
            gl.bind_vertex_array(None);
            Ok(Self {
                array,
                columns,
                count: 0,
            })
        }
    }

    pub fn fill(&mut self, gl: &glow::Context, spheres: &[[f32; 4]], colors: &[[u8; 4]]) {
        self.columns[0].fill(gl, bytemuck::cast_slice(spheres));
        self.columns[1].fill(gl, colors.as_flattened());
        self.count = spheres.len() as i32;
    }

    pub fn draw(&self, gl: &glow::Context) {
        // SAFETY: the columns hold as many entries as are drawn.
        unsafe {
            gl.bind_vertex_array(Some(self.array));
            gl.draw_arrays_instanced(glow::TRIANGLE_STRIP, 0, 4, self.count);
            gl.bind_vertex_array(None);
        }
    }
}

/// Columns of vertices, of equal lengths.
#[derive(Clone, Copy)]
pub struct Vertices<'a> {
    /// Positions [m].
    pub positions: &'a [[f32; 3]],
    /// Unit normals, and gloss.
    pub normals: &'a [[f32; 4]],
    /// sRGB colours and opacity.
    pub colors: &'a [[u8; 4]],
}

/// Triangles.
pub struct Mesh {
    array: glow::VertexArray,
    columns: [Column; 3],
    indices: glow::Buffer,
    /// Triangles.
    count: usize,
}

impl Mesh {
    pub fn new(gl: &glow::Context) -> Result<Self, String> {
        // SAFETY: the context is current, and every handle was made by it.
        unsafe {
            let array = gl.create_vertex_array()?;
            gl.bind_vertex_array(Some(array));
            let columns = [
                column(gl, 0, (3, glow::FLOAT), 0)?,
                column(gl, 1, (4, glow::FLOAT), 0)?,
                column(gl, 2, (4, glow::UNSIGNED_BYTE), 0)?,
            ];
            let indices = gl.create_buffer()?;
            gl.bind_buffer(glow::ELEMENT_ARRAY_BUFFER, Some(indices));
            gl.bind_vertex_array(None);
            Ok(Self {
                array,
                columns,
                indices,
                count: 0,
            })
        }
    }

    /// Takes the place of what was there.
    pub fn fill(&mut self, gl: &glow::Context, vertices: Vertices<'_>, triangles: &[[u32; 3]]) {
        self.columns[0].fill(gl, bytemuck::cast_slice(vertices.positions));
        self.columns[1].fill(gl, bytemuck::cast_slice(vertices.normals));
        self.columns[2].fill(gl, vertices.colors.as_flattened());
        // SAFETY: the buffer was made by this context; the array keeps which indices are its own.
        unsafe {
            gl.bind_vertex_array(Some(self.array));
            let bytes = bytemuck::cast_slice(triangles);
            gl.buffer_data_u8_slice(glow::ELEMENT_ARRAY_BUFFER, bytes, glow::DYNAMIC_DRAW);
            gl.bind_vertex_array(None);
        }
        self.count = triangles.len();
    }

    pub fn draw(&self, gl: &glow::Context) {
        self.draw_some(gl, 0..self.count);
    }

    /// Draws those of a range that there are.
    pub fn draw_some(&self, gl: &glow::Context, triangles: Range<usize>) {
        let end = triangles.end.min(self.count);
        let count = end.saturating_sub(triangles.start);
        if count == 0 {
            return;
        }
        // SAFETY: every index is below the length of the columns, and as many were given.
        unsafe {
            gl.bind_vertex_array(Some(self.array));
            let first = (12 * triangles.start) as i32;
            gl.draw_elements(glow::TRIANGLES, 3 * count as i32, glow::UNSIGNED_INT, first);
            gl.bind_vertex_array(None);
        }
    }

    pub fn delete(self, gl: &glow::Context) {
        // SAFETY: nothing uses the handles any more.
        unsafe {
            gl.delete_vertex_array(self.array);
            gl.delete_buffer(self.indices);
            for column in self.columns {
                gl.delete_buffer(column.buffer);
            }
        }
    }
}

impl Column {
    fn fill(&self, gl: &glow::Context, bytes: &[u8]) {
        // SAFETY: the buffer was made by this context.
        unsafe {
            gl.bind_buffer(glow::ARRAY_BUFFER, Some(self.buffer));
            gl.buffer_data_u8_slice(glow::ARRAY_BUFFER, bytes, glow::DYNAMIC_DRAW);
        }
    }
}

/// A column of the bound array.
///
/// * `divisor` — 0 for a value a vertex, 1 for a value an instance
///
/// # Safety
/// The context is current and an array is bound.
unsafe fn column(
    gl: &glow::Context,
    place: u32,
    (size, kind): (i32, u32),
    divisor: u32,
) -> Result<Column, String> {
    // SAFETY: see above.
    unsafe {
        let buffer = gl.create_buffer()?;
        gl.bind_buffer(glow::ARRAY_BUFFER, Some(buffer));
        gl.enable_vertex_attrib_array(place);
        let is_normalized = kind == glow::UNSIGNED_BYTE;
        gl.vertex_attrib_pointer_f32(place, size, kind, is_normalized, 0, 0);
        gl.vertex_attrib_divisor(place, divisor);
        Ok(Column { buffer })
    }
}
