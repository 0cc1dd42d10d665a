//! A moment as the page draws it, in bytes.
//!
//! Little-endian, in 32-bit numbers: the frame, loose particles, vertices, triangles, corners of walls; where among
//! those rigid bodies begin and end, where what is seen through begins, where what has no end begins; the bytes of the
//! legend. Then the time [s] in 64 bits, the particles in the world, drawn or not, and a zero. Then the columns:
//! places `x, y, z, radius`, colours and stable ids of loose particles; places, normals with gloss, and colours of vertices;
//! triangles by their vertices; places, normals with gloss, and colours of corners of walls, three a triangle. Last the
//! legend, as JSON, or nothing. Places are 32-bit floating-point numbers, colours red, green, blue and opacity in bytes; that
//! of loose particles has in place of opacity what [`Snapshot::sphere_colors`] has.

use pliant_core::measure::{FrameCollider, SceneryKind};
use pliant_geometry::Aabb;
use pliant_render::{Legend, Surface, SurfaceCache};
use serde_json::json;

use crate::{OPAQUE, Snapshot};

/// Bytes before the columns.
const HEAD: usize = 56;

/// Colours of a legend from one end to the other.
const LEGEND_COLORS: u16 = 32;

/// The bytes of moments, with the surfaces of colliders kept from one to the next.
#[derive(Default)]
pub struct PageColumns {
    surfaces: SurfaceCache,
    walls: Walls,
}

impl PageColumns {
    /// Appends the bytes of a moment.
    ///
    /// * `bounds` — of the scene: colliders without end reach as far
    pub fn add(&mut self, bytes: &mut Vec<u8>, shown: &Snapshot, bounds: &Aabb) {
        let (extent, center) = (bounds.extent().max_element(), bounds.center());
        let surfaces = self.surfaces.surfaces(&shown.colliders, extent, center);
        let drawn = shown.colliders.iter().zip(&surfaces);
        let drawn = drawn.filter_map(|(collider, surface)| Some((collider, surface.as_deref()?)));
        let walls = &mut self.walls;
        walls.fill(&drawn.collect::<Vec<_>>());
        let legend = shown.legend.as_ref().map(legend_told).unwrap_or_default();
        let counts = [
            shown.frame as usize,
            shown.spheres.len(),
            shown.vertices.len(),
            shown.triangles.len(),
            walls.corners.len(),
            walls.starts[RIGID],
            walls.starts[GLASS],
            walls.starts[GLASS_RIGID],
            walls.starts[ENDLESS],
            legend.len(),
        ];
        let particles = 24 * shown.spheres.len() + 32 * shown.vertices.len();
        let triangles = 12 * shown.triangles.len() + 32 * walls.corners.len();
        bytes.reserve(HEAD + particles + triangles + legend.len());
        bytes.extend(counts.into_iter().flat_map(|n| (n as u32).to_le_bytes()));
        bytes.extend(shown.time.to_le_bytes());
        bytes.extend((shown.particles as u32).to_le_bytes());
        bytes.extend(0_u32.to_le_bytes());
        add_numbers(bytes, shown.spheres.as_flattened());
        bytes.extend(shown.sphere_colors.as_flattened());
        add_words(bytes, &shown.sphere_ids, |n| n.to_le_bytes());
        add_numbers(bytes, shown.vertices.as_flattened());
        add_numbers(bytes, shown.normals.as_flattened());
        bytes.extend(shown.vertex_colors.as_flattened());
        add_words(bytes, shown.triangles.as_flattened(), |n| n.to_le_bytes());
        add_numbers(bytes, walls.corners.as_flattened());
        add_numbers(bytes, walls.normals.as_flattened());
        bytes.extend(walls.colors.as_flattened());
        bytes.extend(legend.into_bytes());
    }
}

// Groups of walls, in their order: those of rigid bodies come one after the other, and so do those that are seen
// through.
const RIGID: usize = 1;
const GLASS_RIGID: usize = 2;
const GLASS: usize = 3;
const ENDLESS: usize = 4;

/// Triangles of colliders and rigid bodies, where they are.
#[derive(Default)]
struct Walls {
    /// Their corners [m].
    corners: Vec<[f32; 3]>,
    /// Unit normals there, and gloss.
    normals: Vec<[f32; 4]>,
    colors: Vec<[u8; 4]>,
    /// Where each group begins among the corners.
    starts: [usize; 5],
}

impl Walls {
    fn fill(&mut self, drawn: &[(&FrameCollider, &Surface)]) {
        self.corners.clear();
        self.normals.clear();
        self.colors.clear();
        for group in 0..self.starts.len() {
            self.starts[group] = self.corners.len();
            let own = drawn.iter().filter(|(own, _)| group_of(own) == group);
            own.for_each(|(collider, surface)| self.add(collider, surface));
        }
    }

    fn add(&mut self, collider: &FrameCollider, surface: &Surface) {
        let pose = &collider.pose;
        let corners = surface.corners.as_flattened().iter();
        let placed = corners.map(|&x| pose.to_world(x).as_vec3().to_array());
        self.corners.extend(placed);
        let normals = surface.normals.as_flattened().iter();
        self.normals.extend(normals.map(|&normal| {
            let [x, y, z] = (pose.rotation * normal).as_vec3().to_array();
            [x, y, z, collider.gloss]
        }));
        let [r, g, b] = collider.color;
        let color = [r, g, b, collider.opacity].map(|part| (255.0 * part).round() as u8);
        self.colors.resize(self.corners.len(), color);
    }
}

fn group_of(collider: &FrameCollider) -> usize {
    let is_rigid = collider.kind == SceneryKind::RigidBody;
    match (collider.opacity >= OPAQUE, is_rigid) {
        (true, _) if collider.shape.bounds().is_none() => ENDLESS,
        (true, true) => RIGID,
        (true, false) => 0,
        (false, true) => GLASS_RIGID,
        (false, false) => GLASS,
    }
}

fn add_numbers(bytes: &mut Vec<u8>, numbers: &[f32]) {
    add_words(bytes, numbers, |number| number.to_le_bytes());
}

/// Appends a column at once: one number after the other takes several times as long.
fn add_words<T: Copy>(bytes: &mut Vec<u8>, column: &[T], word: impl Fn(T) -> [u8; 4]) {
    let start = bytes.len();
    bytes.resize(start + 4 * column.len(), 0);
    let words = bytes[start..].as_chunks_mut().0;
    for (to, &number) in words.iter_mut().zip(column) {
        *to = word(number);
    }
}

/// Title, unit, both ends of the range, and colours from one to the other.
fn legend_told(legend: &Legend) -> String {
    let color = |k: u16| {
        let [r, g, b] = legend
            .color_map
            .srgb(f32::from(k) / f32::from(LEGEND_COLORS - 1));
        format!("#{r:02x}{g:02x}{b:02x}")
    };
    let told = json!({
        "title": legend.title,
        "unit": legend.unit,
        "range": legend.range,
        "colors": (0..LEGEND_COLORS).map(color).collect::<Vec<_>>(),
    });
    told.to_string()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use pliant_core::measure::FrameCollider;
    use pliant_geometry::Shape;
    use pliant_geometry::shapes::{Plane, Sphere};
    use pliant_math::{DVec3, Pose};
    use pliant_render::ColorMap;

    use super::*;

    fn collider(shape: Arc<dyn Shape>, kind: SceneryKind, opacity: f32) -> FrameCollider {
        FrameCollider {
            name: "wall".to_owned(),
            shape,
            pose: Pose::IDENTITY,
            color: [1.0, 0.5, 0.0],
            opacity,
            gloss: 0.0,
            kind,
        }
    }

    #[test]
    fn the_bytes_have_the_numbers_that_the_page_counts_on() {
        let floor = Arc::new(Plane { normal: DVec3::Y });
        let ball = Arc::new(Sphere { radius: 0.1 });
        let shown = Snapshot {
            frame: 7,
            time: 0.25,
            particles: 9,
            spheres: vec![[1.0, 2.0, 3.0, 0.5]; 2],
            sphere_colors: vec![[1, 2, 3, 255]; 2],
            sphere_ids: vec![40, 41],
            vertices: vec![[0.0; 3]; 3],
            normals: vec![[0.0, 1.0, 0.0, 0.3]; 3],
            vertex_colors: vec![[4, 5, 6, 128]; 3],
            triangles: vec![[0, 1, 2]],
            colliders: vec![
                collider(floor, SceneryKind::Collider, 1.0),
                collider(ball.clone(), SceneryKind::Collider, 0.4),
                collider(ball.clone(), SceneryKind::RigidBody, 1.0),
                collider(ball, SceneryKind::RigidBody, 0.4),
            ],
            legend: Some(Legend {
                title: "speed".to_owned(),
                unit: "m/s".to_owned(),
                range: [0.0, 2.0],
                color_map: ColorMap::Dusk,
            }),
        };
        let bounds = Aabb::around([DVec3::ZERO, DVec3::ONE]);
        let mut bytes = Vec::new();
        PageColumns::default().add(&mut bytes, &shown, &bounds);
        let number = |k: usize| {
            let four: [u8; 4] = bytes[4 * k..4 * k + 4].try_into().expect("four");
            u32::from_le_bytes(four) as usize
        };
        assert_eq!([0, 1, 2, 3].map(number), [7, 2, 3, 1]);
        let [corners, rigid, glass, glass_rigid, endless, legend] = [4, 5, 6, 7, 8, 9].map(number);
        // The ball of the rigid body, that of the one that is seen through, that of the collider, the floor.
        let ball = glass_rigid;
        assert!(rigid == 0 && ball > 0 && ball % 3 == 0);
        assert_eq!([glass, endless], [2 * ball, 3 * ball]);
        assert!(corners > endless);
        assert_eq!(number(12), 9);
        assert_eq!([24, 25].map(number), [40, 41]);
        let columns = 24 * 2 + 32 * 3 + 12 + 32 * corners;
        assert_eq!(bytes.len(), HEAD + columns + legend);
        let text = str::from_utf8(&bytes[bytes.len() - legend..]).expect("text");
        let told: serde_json::Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(told["unit"], "m/s");
        let colors = told["colors"].as_array().expect("colours");
        assert!(colors.len() == 32 && colors[0] != colors[31]);
    }
}
