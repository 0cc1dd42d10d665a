//! Colliders, blades and rigid bodies, in bytes: where they are and how they look, and their surfaces as triangles in
//! local coordinates. Surfaces seldom change and can be large: a window tells the key of those that it has, and they are
//! sent if they are others.
//!
//! Little-endian: how many there are; the key of all surfaces in 64 bits; 1 if they follow, else 0. Then for each one its
//! name, its kind, 1 if it has an end, translation and rotation in 64-bit numbers, colour, opacity and gloss in 32-bit
//! ones. Then the surfaces, if they follow: the key of each, vertices, triangles, and the columns of both.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use pliant_core::measure::{FrameCollider, SceneryKind};
use pliant_geometry::{Aabb, Shape, TriangleMesh};
use pliant_math::{DQuat, DVec3, Pose};

use super::bytes::{Malformed, Reader, add_text};
use super::snapshot::corners;

/// Kinds by their numbers.
const KINDS: [SceneryKind; 3] = [
    SceneryKind::Collider,
    SceneryKind::RigidBody,
    SceneryKind::Blade,
];

/// How many times the extent of the scene a shape without end reaches.
const ENDLESS: f64 = 120.0;

/// Surfaces of colliders as a server sends them, kept while their shapes are the same.
pub(crate) struct SceneryOut {
    /// The largest edge of what is shown [m].
    extent: f64,
    surfaces: Vec<SurfaceOut>,
}

/// The surface of a collider.
struct SurfaceOut {
    shape: Arc<dyn Shape>,
    is_drawn: bool,
    key: u64,
    bytes: Vec<u8>,
}

impl SceneryOut {
    pub fn of(bounds: &Aabb) -> Self {
        Self {
            extent: bounds.extent().max_element(),
            surfaces: Vec::new(),
        }
    }

    /// Adds colliders, with their surfaces if these are others than those of a key.
    pub fn add(&mut self, bytes: &mut Vec<u8>, colliders: &[FrameCollider], known: Option<u64>) {
        let mut old = std::mem::take(&mut self.surfaces).into_iter();
        self.surfaces = colliders
            .iter()
            .map(|collider| {
                let kept = old.next().filter(|kept| kept.is_of(collider));
                kept.unwrap_or_else(|| SurfaceOut::of(collider, self.extent))
            })
            .collect();
        let mut all = DefaultHasher::new();
        self.surfaces
            .iter()
            .for_each(|surface| surface.key.hash(&mut all));
        let key = all.finish();
        bytes.extend((colliders.len() as u32).to_le_bytes());
        bytes.extend(key.to_le_bytes());
        bytes.extend(u32::from(known != Some(key)).to_le_bytes());
        for collider in colliders {
            add_collider(bytes, collider);
        }
        if known != Some(key) {
            for surface in &self.surfaces {
                bytes.extend(surface.key.to_le_bytes());
                bytes.extend(&surface.bytes);
            }
        }
    }
}

impl SurfaceOut {
    fn of(collider: &FrameCollider, extent: f64) -> Self {
        let size = match collider.shape.bounds() {
            Some(_) => extent,
            None => ENDLESS * extent + collider.pose.translation.length(),
        };
        let is_drawn = collider.opacity > 0.0;
        let mesh = match is_drawn {
            true => collider.shape.surface(size),
            false => TriangleMesh::default(),
        };
        let counts = [mesh.vertices.len(), mesh.triangles.len()];
        let mut bytes: Vec<u8> = counts
            .into_iter()
            .flat_map(|count| (count as u32).to_le_bytes())
            .collect();
        let places = mesh
            .vertices
            .iter()
            .flat_map(|x| x.as_vec3().to_array().map(f32::to_le_bytes));
        bytes.extend(places.flatten());
        let corners = mesh.triangles.as_flattened().iter();
        bytes.extend(corners.flat_map(|corner| corner.to_le_bytes()));
        let mut key = DefaultHasher::new();
        bytes.hash(&mut key);
        Self {
            shape: Arc::clone(&collider.shape),
            is_drawn,
            key: key.finish(),
            bytes,
        }
    }

    fn is_of(&self, collider: &FrameCollider) -> bool {
        Arc::ptr_eq(&self.shape, &collider.shape) && self.is_drawn == (collider.opacity > 0.0)
    }
}

fn add_collider(bytes: &mut Vec<u8>, collider: &FrameCollider) {
    add_text(bytes, &collider.name);
    let mut kinds = (0_u32..).zip(KINDS);
    let kind = kinds.find(|(_, kind)| *kind == collider.kind);
    let has_end = u32::from(collider.shape.bounds().is_some());
    for number in [kind.map_or(0, |(number, _)| number), has_end] {
        bytes.extend(number.to_le_bytes());
    }
    let Pose {
        rotation,
        translation,
    } = collider.pose;
    let pose = translation.to_array().into_iter();
    let pose = pose.chain(rotation.to_array());
    bytes.extend(pose.flat_map(f64::to_le_bytes));
    let look = collider.color.into_iter();
    let look = look.chain([collider.opacity, collider.gloss]);
    bytes.extend(look.flat_map(f32::to_le_bytes));
}

/// Surfaces that a window has received.
#[derive(Debug, Default)]
pub(crate) struct SceneryIn {
    /// The key of all of them.
    pub known: Option<u64>,
    surfaces: Vec<(u64, Arc<ServedShape>)>,
}

/// What is read of a collider before its surface.
struct Placed {
    collider: FrameCollider,
    has_end: bool,
}

impl SceneryIn {
    /// Reads colliders.
    ///
    /// # Errors
    /// If they are malformed, or if surfaces are left out that are not known.
    pub fn read(&mut self, reader: &mut Reader<'_>) -> Result<Vec<FrameCollider>, Malformed> {
        let count: u32 = reader.number("number of colliders")?;
        let key: u64 = reader.number("colliders")?;
        let has_surfaces: u32 = reader.number("colliders")?;
        let nothing = Arc::new(ServedShape::of(TriangleMesh::default(), true));
        let mut placed = Vec::new();
        for _ in 0..count {
            placed.push(read_collider(reader, &nothing)?);
        }
        let read = match has_surfaces {
            0 if self.known == Some(key) && self.surfaces.len() == placed.len() => None,
            0 => {
                return Err(Malformed(
                    "it leaves out surfaces of colliders that were never sent".to_owned(),
                ));
            }
            _ => Some(self.read_surfaces(reader, &placed)?),
        };
        if let Some(read) = read {
            (self.known, self.surfaces) = (Some(key), read);
        }
        let surfaces = self.surfaces.iter();
        let with_surface = |(Placed { collider, .. }, (_, shape)): (Placed, &(u64, Arc<_>))| {
            let shape: Arc<ServedShape> = Arc::clone(shape);
            FrameCollider { shape, ..collider }
        };
        Ok(placed.into_iter().zip(surfaces).map(with_surface).collect())
    }

    /// Reads a surface for each collider; one that is known already is kept, so that it is not drawn anew.
    fn read_surfaces(
        &self,
        reader: &mut Reader<'_>,
        placed: &[Placed],
    ) -> Result<Vec<(u64, Arc<ServedShape>)>, Malformed> {
        let mut read = Vec::new();
        for (place, Placed { has_end, .. }) in placed.iter().enumerate() {
            let key: u64 = reader.number("surfaces of colliders")?;
            let counts: Vec<[u32; 2]> = reader.column(1, "surfaces of colliders")?;
            let [vertices, triangles] = counts[0].map(|count| count as usize);
            let places: Vec<[f32; 3]> = reader.finite_column(vertices, "surfaces of colliders")?;
            let triangles = corners(reader, triangles, vertices)?;
            let known = self.surfaces.get(place);
            let known = known.filter(|(own, shape)| *own == key && shape.has_end == *has_end);
            let shape = known.map(|(_, shape)| Arc::clone(shape));
            let shape = shape.unwrap_or_else(|| {
                let places = places.into_iter().map(|x| x.map(f64::from));
                let vertices = places.map(DVec3::from_array).collect();
                Arc::new(ServedShape::of(
                    TriangleMesh {
                        vertices,
                        triangles,
                    },
                    *has_end,
                ))
            });
            read.push((key, shape));
        }
        Ok(read)
    }
}

/// Reads a collider, which has the shape `nothing` until its surface is known.
fn read_collider(reader: &mut Reader<'_>, nothing: &Arc<ServedShape>) -> Result<Placed, Malformed> {
    let name = reader.text("name of a collider")?;
    let kind: u32 = reader.number("kind of a collider")?;
    let kind = *KINDS
        .get(kind as usize)
        .ok_or_else(|| Malformed(format!("it has a collider of kind {kind}")))?;
    let has_end: u32 = reader.number("colliders")?;
    let mut pose = [0.0; 7];
    for number in &mut pose {
        *number = reader.finite("pose of a collider")?;
    }
    let [x, y, z, i, j, k, w] = pose;
    let look: Vec<[f32; 5]> = reader.finite_column(1, "colours of colliders")?;
    let [red, green, blue, opacity, gloss] = look[0];
    Ok(Placed {
        collider: FrameCollider {
            name,
            shape: Arc::<ServedShape>::clone(nothing),
            pose: Pose {
                rotation: DQuat::from_xyzw(i, j, k, w),
                translation: DVec3::new(x, y, z),
            },
            color: [red, green, blue],
            opacity,
            gloss,
            kind,
        },
        has_end: has_end != 0,
    })
}

/// The shape of a collider as far as it is served: triangles that are drawn. Rays pass through it.
#[derive(Debug)]
struct ServedShape {
    mesh: TriangleMesh,
    has_end: bool,
    bounds: Aabb,
}

impl ServedShape {
    fn of(mesh: TriangleMesh, has_end: bool) -> Self {
        Self {
            bounds: Aabb::around(mesh.vertices.iter().copied()),
            mesh,
            has_end,
        }
    }
}

impl Shape for ServedShape {
    fn signed_distance(&self, _: DVec3) -> f64 {
        f64::INFINITY
    }

    fn bounds(&self) -> Option<Aabb> {
        self.has_end.then_some(self.bounds)
    }

    fn volume(&self) -> Option<f64> {
        None
    }

    fn surface(&self, _: f64) -> TriangleMesh {
        self.mesh.clone()
    }
}
