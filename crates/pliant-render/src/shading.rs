//! The colour of what a pixel sees: lamp, sky, bounce of the ground, a faint gloss; glass; background.

use glam::{Vec3, Vec4};
use pliant_core::world::Look;

use crate::lights::{Care, Lights, SphereSky};
use crate::raster::{Facet, RayTest, Sphere, nearest_hit};
use crate::surroundings::Surroundings;

/// Reflectance of a polished dielectric seen head-on (refractive index 1.5).
const REFLECTANCE: f32 = 0.04;
/// Exponent and strength of the gloss of particles, which is a gloss of [`DULL`].
const GLOSS_EXPONENT: f32 = 22.0;
const GLOSS: f32 = 0.10;
const DULL: f32 = 0.1;
/// The same of what is as glossy as can be.
const POLISHED_EXPONENT: f32 = 260.0;
const POLISHED: f32 = 0.9;
/// Share of light that a layer of glass keeps back where it is as opaque as glass can be.
const GLASS: f32 = 0.14;

/// What light finds at a surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finish {
    /// Linear colour.
    pub color: Vec3,
    /// Share of light that a layer keeps back where it is looked at squarely.
    kept: f32,
    /// 0 matt, 1 as if wet.
    gloss: f32,
}

impl Finish {
    /// Of a collider with an opacity and a gloss from 0 to 1.
    pub fn of_collider(color: Vec3, opacity: f32, gloss: f32) -> Self {
        Self {
            color,
            kept: GLASS * opacity.clamp(0.0, 1.0),
            gloss: gloss.clamp(0.0, 1.0),
        }
    }

    /// Of a particle.
    fn of_particle(color: Vec3) -> Self {
        Self {
            color,
            kept: 1.0,
            gloss: DULL,
        }
    }

    /// Of the surface of a body.
    pub fn of_body(color: Vec3, look: Look) -> Self {
        Self {
            color,
            kept: look.opacity.clamp(0.0, 1.0),
            gloss: look.gloss.clamp(0.0, 1.0),
        }
    }

    /// How far from dull to polished.
    fn polish(&self) -> f32 {
        ((self.gloss - DULL) / (1.0 - DULL)).max(0.0)
    }
}

/// What shading needs besides the thing itself.
pub(crate) struct Scenery<'a> {
    /// Lamp and sky.
    pub lights: &'a Lights,
    /// Linear colour of each particle.
    pub particle_colors: &'a [Vec3],
    /// Sky light of each sphere.
    pub sky_on_spheres: &'a [SphereSky],
    /// Of each collider, then of each body.
    pub finishes: &'a [Finish],
    /// Middle of the scene, in view space.
    pub center: Vec3,
    /// Whether something without end is drawn: it goes on to the horizon.
    pub has_endless_ground: bool,
    /// Largest edge of the scene's bounds [m].
    pub extent: f32,
}

impl Scenery<'_> {
    /// Radiance of the background along a ray.
    pub fn background(&self, ray: Vec3) -> Vec3 {
        let surroundings = &self.lights.surroundings;
        match self.has_endless_ground {
            true => surroundings.horizon(ray),
            false => surroundings.background(ray),
        }
    }

    /// Radiance of a sphere along a ray.
    pub fn sphere(&self, index: usize, sphere: &Sphere, ray: Vec3, care: Care) -> Vec3 {
        let point = ray * nearest_hit(sphere, ray);
        let normal = (point - sphere.center) / sphere.radius;
        let sky = self.sky_on_spheres[index].on(normal);
        let color = self.particle_colors[sphere.particle as usize];
        self.lit(
            (color, Finish::of_particle(color)),
            point,
            normal,
            sky,
            care,
        )
    }

    /// Radiance of an opaque triangle along a ray; `sky` is the light of the sky if it is known.
    pub fn facet(
        &self,
        facet: &Facet,
        test: &RayTest,
        ray: Vec3,
        sky: Option<Vec4>,
        care: Care,
    ) -> Vec3 {
        let (point, normal) = place_on(facet, test, ray);
        let fade = self.fade(facet, point);
        if fade >= 1.0 {
            return self.background(ray);
        }
        let color = self.color(facet, test, ray);
        let sky = sky.unwrap_or_else(|| self.lights.sky_light(point, normal));
        let finish = self.finishes[facet.collider as usize];
        self.lit((color, finish), point, normal, sky, care)
            .lerp(self.background(ray), fade)
    }

    /// Linear colour of an opaque triangle along a ray: of cloth that of its particles between them.
    fn color(&self, facet: &Facet, test: &RayTest, ray: Vec3) -> Vec3 {
        let Some(particles) = facet.particles else {
            return self.finishes[facet.collider as usize].color;
        };
        let colors = particles.map(|i| self.particle_colors[i as usize]);
        let weights = test.weights(ray);
        let total = weights.iter().sum::<f32>();
        if total <= 0.0 {
            return colors[0];
        }
        (colors[0] * weights[0] + colors[1] * weights[1] + colors[2] * weights[2]) / total
    }

    /// Light of the sky on an opaque triangle where a ray meets it.
    pub fn sky_on_facet(&self, facet: &Facet, test: &RayTest, ray: Vec3) -> Vec4 {
        let (point, normal) = place_on(facet, test, ray);
        if self.fade(facet, point) >= 1.0 {
            return self.lights.surroundings.mean_sky.extend(1.0);
        }
        self.lights.sky_light(point, normal)
    }

    /// How much of a thing without end has faded into the distance.
    fn fade(&self, facet: &Facet, point: Vec3) -> f32 {
        match facet.is_endless {
            true => smooth_step(0.9, 5.5, point.distance(self.center) / self.extent),
            false => 0.0,
        }
    }

    /// A layer of glass along a ray.
    pub fn glass(&self, facet: &Facet, test: &RayTest, ray: Vec3) -> GlassLayer {
        let normal = toward_viewer(test.smooth_normal(&facet.normals, ray), ray);
        let direction = ray.normalize();
        let cosine = (-direction.dot(normal)).clamp(0.05, 1.0);
        let finish = self.finishes[facet.collider as usize];
        let color = self.color(facet, test, ray);
        let absorbed = 1.0 - (1.0 - finish.kept).powf(1.0 / cosine.max(0.06));
        let reflected = fresnel(cosine);
        let mirrored = direction - 2.0 * direction.dot(normal) * normal;
        GlassLayer {
            passed: (1.0 - absorbed) * (1.0 - reflected),
            glow: color * self.lights.surroundings.mean_sky * absorbed
                + self.lights.surroundings.mirrored(mirrored) * reflected,
        }
    }

    /// Radiance of a matt or glossy surface towards the camera.
    fn lit(
        &self,
        (color, finish): (Vec3, Finish),
        point: Vec3,
        normal: Vec3,
        sky: Vec4,
        care: Care,
    ) -> Vec3 {
        let Surroundings {
            up,
            toward_lamp,
            lamp: lamp_light,
            bounce,
            ..
        } = self.lights.surroundings;
        let openness = sky.w.min(1.0);
        let facing = normal.dot(toward_lamp);
        let lamp = if facing > 0.0 {
            self.lights.lamp_share(point, normal, care)
        } else {
            0.0
        };
        let down = 0.5 - 0.5 * normal.dot(up);
        let bounce = bounce * down * (0.35 + 0.65 * openness);
        let sky_color = sky.truncate() / sky.w.max(f32::MIN_POSITIVE);
        let ambient = sky_color * interreflected(openness, color) + bounce;
        let half = (toward_lamp - point.normalize()).normalize();
        let polish = finish.polish();
        let exponent = GLOSS_EXPONENT + (POLISHED_EXPONENT - GLOSS_EXPONENT) * polish;
        let strength = GLOSS * (finish.gloss / DULL).min(1.0) + (POLISHED - GLOSS) * polish;
        let gloss = strength * half.dot(normal).max(0.0).powf(exponent) * lamp * facing.max(0.0);
        let matt = color * (lamp_light * (lamp * facing.max(0.0)) + ambient);
        let mirrored = match polish > 0.0 {
            true => self.mirrored(point, normal, openness) * polish,
            false => Vec3::ZERO,
        };
        matt + mirrored + lamp_light * gloss
    }

    /// What a polished surface mirrors of its surroundings.
    fn mirrored(&self, point: Vec3, normal: Vec3, openness: f32) -> Vec3 {
        let direction = point.normalize();
        let cosine = (-direction.dot(normal)).clamp(0.05, 1.0);
        let mirrored = direction - 2.0 * direction.dot(normal) * normal;
        self.lights.surroundings.mirrored(mirrored) * (fresnel(cosine) * openness)
    }
}

/// A layer of glass: the share of light that passes and the light it adds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GlassLayer {
    pub passed: f32,
    pub glow: Vec3,
}

/// Sky light with what neighbours of the same colour throw back: pale heaps are not black inside.
///
/// With openness a and colour c, light that does not come from the sky comes from surfaces lit
/// likewise, which sums to a / (1 - c (1 - a)).
fn interreflected(openness: f32, color: Vec3) -> Vec3 {
    let color = color.clamp(Vec3::ZERO, Vec3::splat(0.9));
    Vec3::splat(openness) / (Vec3::ONE - color * (1.0 - openness))
}

/// Schlick 1994.
fn fresnel(cosine: f32) -> f32 {
    REFLECTANCE + (1.0 - REFLECTANCE) * (1.0 - cosine).powi(5)
}

/// Point and normal of a triangle where a ray meets it.
fn place_on(facet: &Facet, test: &RayTest, ray: Vec3) -> (Vec3, Vec3) {
    let normal = toward_viewer(test.smooth_normal(&facet.normals, ray), ray);
    (ray * test.plane_depth(ray), normal)
}

fn toward_viewer(normal: Vec3, ray: Vec3) -> Vec3 {
    if normal.dot(ray) > 0.0 {
        -normal
    } else {
        normal
    }
}

/// 0 at `from`, 1 at `to`, smooth between.
pub(crate) fn smooth_step(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}
