//! A snapshot on the graphics card.
//!
//! OpenGL is a C interface: its calls are `unsafe`, and this is the only folder that makes them. All handles are made
//! and used on the thread of the window, while its context is current.
#![allow(unsafe_code)]

mod buffers;
mod program;
mod shadow;
mod splats;
mod views;

use std::sync::Arc;

use eframe::glow::{self, HasContext};
use glam::{DMat4, DVec3, Mat4, Vec3};
use pliant::core::measure::FrameCollider;
use pliant::geometry::Aabb;
use pliant::live::{OPAQUE, Snapshot, shader};
use pliant::render::{Camera, Surface, SurfaceCache, illumination};

use buffers::{Balls, Mesh, Vertices};
use program::Program;
use shadow::ShadowMap;
use splats::SplatSums;
use views::{Views, casting, extent};

/// Texture unit of the shadow map: 0 is egui's.
const SHADOW_UNIT: u32 = 1;
/// Below it the fourth number of a ball's colour says that it is clear.
const CLEAR: f32 = 239.5 / 255.0;
/// Share of light that a layer of glass keeps back where a collider is as opaque as glass can be.
const GLASS: f32 = 0.14;

/// What is drawn.
#[derive(Clone)]
pub struct Drawing {
    /// The moment.
    pub snapshot: Arc<Snapshot>,
    /// From where.
    pub camera: Camera,
    /// What casts shadows, and how far a floor is drawn.
    pub bounds: Aabb,
    /// Whether things throw shadows.
    pub has_shadows: bool,
}

/// Where it is drawn.
#[derive(Clone, Copy)]
pub struct Target {
    /// The framebuffer; `None` for that of the window.
    pub framebuffer: Option<glow::Framebuffer>,
    /// Left, bottom, width and height [pixels].
    pub viewport: [i32; 4],
}

/// What draws: the name of the graphics card, or of the program in its place.
pub fn renderer(gl: &glow::Context) -> String {
    // SAFETY: a name that every context has.
    unsafe { gl.get_parameter_string(glow::RENDERER) }
}

/// Programs and columns that stay on the graphics card.
pub struct Canvas {
    balls_program: Program,
    mesh_program: Program,
    balls_shadow: Program,
    mesh_shadow: Program,
    background: Program,
    splat_depths: Program,
    splats: Program,
    splatted: Program,
    shadow_map: ShadowMap,
    sums: Option<SplatSums>,
    /// Whether the driver can sum up splats; without, particles of surfaces are balls.
    can_splat: bool,
    /// The radius of the largest particle of a surface [m]; 0 if there is none.
    widest_splat: f32,
    balls: Balls,
    mesh: Mesh,
    nothing: glow::VertexArray,
    surfaces: SurfaceCache,
    colliders: Vec<Option<(Arc<Surface>, Mesh)>>,
    shown: Option<Arc<Snapshot>>,
    /// Around what throws shadows.
    casting: Aabb,
}

impl Canvas {
    /// Compiles the programs.
    ///
    /// # Errors
    /// If the driver cannot.
    pub fn new(gl: &glow::Context) -> Result<Self, String> {
        let lit = |fragment| format!("{}{}", shader("light"), shader(fragment));
        let program = |vertex, fragment: &str| Program::new(gl, shader(vertex), fragment);
        Ok(Self {
            balls_program: program("sphere_vertex", &lit("sphere_fragment"))?,
            mesh_program: program("mesh_vertex", &lit("mesh_fragment"))?,
            balls_shadow: program("sphere_vertex", shader("sphere_shadow_fragment"))?,
            mesh_shadow: program("mesh_vertex", shader("mesh_shadow_fragment"))?,
            background: program("background_vertex", &lit("background_fragment"))?,
            splat_depths: program("splat_vertex", shader("splat_depth_fragment"))?,
            splats: program("splat_vertex", shader("splat_fragment"))?,
            splatted: program("background_vertex", &lit("surface_fragment"))?,
            shadow_map: ShadowMap::new(gl)?,
            sums: None,
            can_splat: true,
            widest_splat: 0.0,
            balls: Balls::new(gl)?,
            mesh: Mesh::new(gl)?,
            // SAFETY: the context is current.
            nothing: unsafe { gl.create_vertex_array()? },
            surfaces: SurfaceCache::default(),
            colliders: Vec::new(),
            shown: None,
            casting: Aabb::EMPTY,
        })
    }

    /// Draws a moment.
    ///
    /// # Errors
    /// If the graphics card has no memory left.
    pub fn draw(
        &mut self,
        gl: &glow::Context,
        drawing: &Drawing,
        target: Target,
    ) -> Result<(), String> {
        let [_, _, width, height] = target.viewport;
        let aspect = f64::from(width.max(1)) / f64::from(height.max(1));
        let snapshot = &drawing.snapshot;
        self.upload(gl, drawing)?;
        let views = Views::new(drawing, &self.casting, aspect);
        // SAFETY: settings of the current context; egui sets its own again after this.
        unsafe {
            gl.disable(glow::BLEND);
            gl.disable(glow::CULL_FACE);
            gl.enable(glow::DEPTH_TEST);
            gl.depth_func(glow::LEQUAL);
            gl.depth_mask(true);
        }
        if drawing.has_shadows {
            let back = (target.framebuffer, target.viewport);
            self.shadow_map
                .draw(gl, back, || self.draw_shadows(gl, snapshot, &views));
        }
        let is_smooth = self.sum_splats(gl, &views, target);
        // SAFETY: as above.
        unsafe {
            gl.clear(glow::DEPTH_BUFFER_BIT);
            gl.depth_mask(false);
        }
        self.light(gl, &self.background, &views, drawing.has_shadows);
        // SAFETY: three vertices that the shader makes itself.
        unsafe {
            gl.bind_vertex_array(Some(self.nothing));
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.depth_mask(true);
        }
        self.light(gl, &self.balls_program, &views, drawing.has_shadows);
        let hidden = f32::from(u8::from(is_smooth));
        self.balls_program.set_number(gl, "hidden_below", hidden);
        self.balls.draw(gl);
        self.light(gl, &self.mesh_program, &views, drawing.has_shadows);
        self.draw_opaque(gl, drawing, &views);
        if is_smooth {
            self.draw_splatted(gl, drawing, &views, target);
            self.light(gl, &self.mesh_program, &views, drawing.has_shadows);
        }
        self.draw_glass(gl, drawing, &views);
        // SAFETY: as above.
        unsafe {
            gl.disable(glow::DEPTH_TEST);
            gl.depth_mask(true);
        }
        Ok(())
    }

    /// Sums up what splats are on each pixel; false if there are none, or if the driver cannot.
    fn sum_splats(&mut self, gl: &glow::Context, views: &Views, target: Target) -> bool {
        if self.widest_splat == 0.0 || !self.can_splat {
            return false;
        }
        let [_, _, width, height] = target.viewport;
        let size = [width.max(1), height.max(1)];
        let kept = self.sums.take();
        let made = match kept {
            Some(sums) if sums.fits(size) => Ok(sums),
            kept => {
                if let Some(sums) = kept {
                    sums.delete(gl);
                }
                SplatSums::new(gl, size)
            }
        };
        self.can_splat = made.is_ok();
        let Ok(sums) = made else {
            // SAFETY: what was bound before is bound again.
            unsafe { gl.bind_framebuffer(glow::FRAMEBUFFER, target.framebuffer) };
            return false;
        };
        let begin = |program: &Program| {
            program.begin(gl);
            program.set_matrix(gl, "view", &views.view.as_mat4().to_cols_array());
            program.set_matrix(gl, "projection", &views.projection.to_cols_array());
        };
        let draw_depths = || {
            begin(&self.splat_depths);
            self.balls.draw(gl);
        };
        let draw_sums = || {
            begin(&self.splats);
            sums.bind(gl, &self.splats, false);
            self.balls.draw(gl);
        };
        sums.draw(gl, target, draw_depths, draw_sums);
        self.sums = Some(sums);
        true
    }

    /// Draws the surface that splats add up to over what is there.
    fn draw_splatted(&self, gl: &glow::Context, drawing: &Drawing, views: &Views, target: Target) {
        let (Some(sums), program) = (&self.sums, &self.splatted) else {
            return;
        };
        self.light(gl, program, views, drawing.has_shadows);
        let [left, bottom, ..] = target.viewport;
        program.set_pair(gl, "corner", [left as f32, bottom as f32]);
        program.set_number(gl, "bias", 2.5 * self.widest_splat);
        sums.bind(gl, program, true);
        // SAFETY: three vertices that the shader makes itself, and settings of the current context.
        unsafe {
            gl.enable(glow::BLEND);
            gl.blend_func(glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA);
            gl.bind_vertex_array(Some(self.nothing));
            gl.draw_arrays(glow::TRIANGLES, 0, 3);
            gl.disable(glow::BLEND);
        }
    }

    fn upload(&mut self, gl: &glow::Context, drawing: &Drawing) -> Result<(), String> {
        let snapshot = &drawing.snapshot;
        if self
            .shown
            .as_ref()
            .is_some_and(|shown| Arc::ptr_eq(shown, snapshot))
        {
            return Ok(());
        }
        self.balls
            .fill(gl, &snapshot.spheres, &snapshot.sphere_colors);
        let columns = Vertices {
            positions: &snapshot.vertices,
            normals: &snapshot.normals,
            colors: &snapshot.vertex_colors,
        };
        self.mesh.fill(gl, columns, &snapshot.triangles);
        let (extent, center) = (extent(&drawing.bounds), drawing.bounds.center());
        let surfaces = self.surfaces.surfaces(&snapshot.colliders, extent, center);
        self.casting = casting(snapshot, &drawing.bounds);
        let splats = snapshot.spheres.iter().zip(&snapshot.sphere_colors);
        let splats = splats.filter(|(_, color)| color[3] < u8::MAX);
        self.widest_splat = splats.map(|(sphere, _)| sphere[3]).fold(0.0, f32::max);
        let mut old = std::mem::take(&mut self.colliders).into_iter();
        for (collider, surface) in snapshot.colliders.iter().zip(surfaces) {
            let kept = old.next().flatten();
            let entry = match (kept, surface) {
                (Some(kept), Some(surface)) if Arc::ptr_eq(&kept.0, &surface) => Some(kept),
                (kept, surface) => {
                    if let Some((_, mesh)) = kept {
                        mesh.delete(gl);
                    }
                    let made = surface.map(|surface| {
                        let mesh = mesh_of(gl, &surface, collider.gloss)?;
                        Ok((mesh, surface))
                    });
                    made.transpose()
                        .map(|made: Option<(Mesh, _)>| made.map(|(mesh, surface)| (surface, mesh)))
                        .map_err(|why: String| why)?
                }
            };
            self.colliders.push(entry);
        }
        for (_, mesh) in old.flatten() {
            mesh.delete(gl);
        }
        self.shown = Some(Arc::clone(snapshot));
        Ok(())
    }

    fn draw_shadows(&self, gl: &glow::Context, snapshot: &Snapshot, views: &Views) {
        let lamp = views.lamp.as_mat4();
        // The squares of balls face the lamp: its rotation and shift are the view, its scale the projection.
        let scale = Vec3::new(
            lamp.row(0).truncate().length(),
            lamp.row(1).truncate().length(),
            lamp.row(2).truncate().length(),
        );
        let squeeze = Mat4::from_scale(scale);
        let turned = squeeze.inverse() * lamp;
        self.balls_shadow.begin(gl);
        self.balls_shadow
            .set_matrix(gl, "view", &turned.to_cols_array());
        self.balls_shadow
            .set_matrix(gl, "projection", &squeeze.to_cols_array());
        // What is clear throws no shadow.
        let hidden = if self.can_splat { CLEAR } else { 0.0 };
        self.balls_shadow.set_number(gl, "hidden_below", hidden);
        self.balls.draw(gl);
        let program = &self.mesh_shadow;
        program.begin(gl);
        program.set_matrix(gl, "view", &Mat4::IDENTITY.to_cols_array());
        program.set_matrix(gl, "projection", &lamp.to_cols_array());
        program.set_matrix(gl, "model", &Mat4::IDENTITY.to_cols_array());
        self.mesh.draw(gl);
        for (collider, entry) in snapshot.colliders.iter().zip(&self.colliders) {
            let Some((_, mesh)) = entry else { continue };
            if collider.opacity >= OPAQUE && collider.shape.bounds().is_some() {
                program.set_matrix(gl, "model", &pose(collider).as_mat4().to_cols_array());
                mesh.draw(gl);
            }
        }
    }

    /// Opaque triangles.
    fn draw_opaque(&self, gl: &glow::Context, drawing: &Drawing, views: &Views) {
        self.mesh_program.set_number(gl, "glass", 0.0);
        self.place_surfaces(gl, drawing);
        self.mesh.draw_some(gl, 0..drawing.snapshot.opaque_count());
        let is_drawn = |collider: &FrameCollider| (collider.opacity >= OPAQUE).then_some(1.0);
        self.draw_colliders(gl, drawing, views, is_drawn);
    }

    /// Triangles that are seen through.
    fn draw_glass(&self, gl: &glow::Context, drawing: &Drawing, views: &Views) {
        // SAFETY: settings of the current context, which are set back when all is drawn.
        unsafe {
            gl.enable(glow::BLEND);
            gl.blend_func(glow::SRC_ALPHA, glow::ONE_MINUS_SRC_ALPHA);
            gl.depth_mask(false);
        }
        self.mesh_program.set_number(gl, "glass", 1.0);
        let is_drawn = |collider: &FrameCollider| {
            (collider.opacity < OPAQUE).then_some(GLASS * collider.opacity)
        };
        self.draw_colliders(gl, drawing, views, is_drawn);
        self.place_surfaces(gl, drawing);
        let all = drawing.snapshot.triangles.len();
        self.mesh
            .draw_some(gl, drawing.snapshot.opaque_count()..all);
    }

    /// Surfaces of bodies are where they are, in their own colours, and have an end.
    fn place_surfaces(&self, gl: &glow::Context, drawing: &Drawing) {
        let program = &self.mesh_program;
        let extent = extent(&drawing.bounds) as f32;
        program.set_four(gl, "fading", [0.0, 0.0, 0.0, -extent]);
        program.set_matrix(gl, "model", &Mat4::IDENTITY.to_cols_array());
        program.set_four(gl, "tint", [1.0; 4]);
    }

    /// Colliders for which there is an opacity.
    fn draw_colliders(
        &self,
        gl: &glow::Context,
        drawing: &Drawing,
        views: &Views,
        opacity: impl Fn(&FrameCollider) -> Option<f32>,
    ) {
        let program = &self.mesh_program;
        let extent = extent(&drawing.bounds) as f32;
        let center = views.view.transform_point3(drawing.bounds.center());
        let [x, y, z] = center.as_vec3().to_array();
        for (collider, entry) in drawing.snapshot.colliders.iter().zip(&self.colliders) {
            let (Some((_, mesh)), Some(opacity)) = (entry, opacity(collider)) else {
                continue;
            };
            let [r, g, b] = collider.color;
            program.set_matrix(gl, "model", &pose(collider).as_mat4().to_cols_array());
            program.set_four(gl, "tint", [r, g, b, opacity]);
            let fading = match collider.shape.bounds() {
                Some(_) => [0.0, 0.0, 0.0, -extent],
                None => [x, y, z, extent],
            };
            program.set_four(gl, "fading", fading);
            mesh.draw(gl);
        }
    }

    /// Begins a program with the matrices and lights of a picture.
    fn light(&self, gl: &glow::Context, program: &Program, views: &Views, has_shadows: bool) {
        program.begin(gl);
        program.set_matrix(gl, "view", &views.view.as_mat4().to_cols_array());
        program.set_matrix(gl, "projection", &views.projection.to_cols_array());
        program.set_vector(gl, "up", views.up.to_array());
        program.set_vector(gl, "toward_lamp", views.toward_lamp.to_array());
        program.set_vector(gl, "lamp", illumination::LAMP.to_array());
        program.set_vector(gl, "sky", illumination::SKY.to_array());
        program.set_vector(gl, "bounce", illumination::BOUNCE.to_array());
        program.set_vector(gl, "horizon", illumination::HORIZON.to_array());
        program.set_vector(gl, "zenith", illumination::ZENITH.to_array());
        let half = Mat4::from_translation(Vec3::splat(0.5)) * Mat4::from_scale(Vec3::splat(0.5));
        let to_shadow = half * (views.lamp * views.view.inverse()).as_mat4();
        program.set_matrix(gl, "to_shadow", &to_shadow.to_cols_array());
        program.set_number(gl, "has_shadows", f32::from(u8::from(has_shadows)));
        self.shadow_map.bind(gl, SHADOW_UNIT);
        program.set_texture(gl, "shadow_map", SHADOW_UNIT as i32);
    }
}

fn mesh_of(gl: &glow::Context, surface: &Surface, gloss: f32) -> Result<Mesh, String> {
    let vertices: Vec<[f32; 3]> = surface
        .corners
        .iter()
        .flatten()
        .map(|x| x.as_vec3().to_array())
        .collect();
    let with_gloss = |n: &DVec3| [n.x as f32, n.y as f32, n.z as f32, gloss];
    let normals: Vec<[f32; 4]> = surface.normals.iter().flatten().map(with_gloss).collect();
    let colors = vec![[255; 4]; vertices.len()];
    let triangles: Vec<[u32; 3]> = (0..surface.corners.len() as u32)
        .map(|i| [3 * i, 3 * i + 1, 3 * i + 2])
        .collect();
    let mut mesh = Mesh::new(gl)?;
    let columns = Vertices {
        positions: &vertices,
        normals: &normals,
        colors: &colors,
    };
    mesh.fill(gl, columns, &triangles);
    Ok(mesh)
}

fn pose(collider: &FrameCollider) -> DMat4 {
    DMat4::from_rotation_translation(collider.pose.rotation, collider.pose.translation)
}
