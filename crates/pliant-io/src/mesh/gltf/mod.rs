//! glTF 2.0, text and binary: the triangles of the default scene (or of all meshes where there is
//! none) with the transforms of their nodes, skins and morph targets, at rest or in an animation.
//! Buffers may lie in the file, beside it or in data URIs. Compression and sparse accessors are refused.

mod accessors;
mod animation;
mod pose;
mod skin;

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gltf::accessor::Dimensions;
use gltf::mesh::Mode;
use gltf::{Document, Gltf, Node, Primitive, Semantic};
use pliant_geometry::TriangleMesh;
use pliant_math::DVec3;

use self::accessors::{read_uv, read_vectors, read_whole};
use self::animation::Animation;
use self::pose::Pose;
use self::skin::Placement;
use super::texture::{Written, first_not_finite};
use super::transform::Transform;
use super::{MeshFormat, MeshProblem, Sampling};
use crate::beside::Beside;
use crate::formats::without_mark;
use crate::percent;

pub(super) const FORMAT: MeshFormat = MeshFormat {
    name: "glTF",
    extensions: &["gltf", "glb"],
    is_y_up: true,
    read,
    read_animation: Some(read_animation),
};

/// Nodes a file may show, those shown again through several parents counted again; beyond it the
/// tree is taken to be circular.
const MOST_NODES: usize = 100_000;

/// Depth of the node tree beyond which it is taken to be circular.
const DEEPEST: usize = 200;

/// Frames of an animation beyond which its times are taken to be damaged.
const MOST_FRAMES: u32 = 100_000;

/// What is gathered on the way through the tree of nodes.
struct Gathering<'a> {
    buffers: &'a [Vec<u8>],
    pose: &'a Pose,
    /// Where each node is in the world, by its index; `None` if it is not in the scene.
    worlds: Vec<Option<Transform>>,
    written: Written,
    node_count: usize,
}

/// A file with its buffers.
struct Loaded {
    file: Document,
    buffers: Vec<Vec<u8>>,
}

fn load(bytes: &[u8], beside: &Beside<'_>) -> Result<Loaded, MeshProblem> {
    let (file, blob) = parse(without_mark(bytes))?;
    let buffers = load_buffers(&file, blob, beside)?;
    Ok(Loaded { file, buffers })
}

fn read(bytes: &[u8], beside: &Beside<'_>) -> Result<Written, MeshProblem> {
    let loaded = load(bytes, beside)?;
    let pose = Pose::at_rest(&loaded.file);
    loaded.mesh(&pose)
}

fn read_animation(
    bytes: &[u8],
    beside: &Beside<'_>,
    wanted: &Sampling<'_>,
) -> Result<(Vec<TriangleMesh>, f64), MeshProblem> {
    let loaded = load(bytes, beside)?;
    let animation = Animation::read(&loaded.file, &loaded.buffers, wanted.animation)?;
    let ways = (animation.duration() * wanted.rate).round().max(1.0);
    if ways > f64::from(MOST_FRAMES) {
        return Err(malformed(format!("its animation would be {ways} frames")));
    }
    let rest = Pose::at_rest(&loaded.file);
    let frame = |number: u32| {
        let time = animation.start() + animation.duration() * f64::from(number) / ways;
        let posed = loaded.mesh(&animation.pose(&rest, time));
        posed.map(|posed| posed.textured.mesh)
    };
    let frames: Result<Vec<_>, _> = (0..=ways as u32).map(frame).collect();
    Ok((frames?, ways / animation.duration()))
}

/// True if everything that an animation refers to is there.
fn is_whole(animation: &gltf::json::Animation, file: &gltf::json::Root) -> bool {
    let (mut samplers, mut channels) = (animation.samplers.iter(), animation.channels.iter());
    let is_accessor = |number: usize| number < file.accessors.len();
    samplers.all(|own| is_accessor(own.input.value()) && is_accessor(own.output.value()))
        && channels.all(|channel| {
            channel.sampler.value() < animation.samplers.len()
                && channel.target.node.value() < file.nodes.len()
        })
}

impl Loaded {
    /// The triangles of the default scene in a pose.
    fn mesh(&self, pose: &Pose) -> Result<Written, MeshProblem> {
        let mut gathering = Gathering {
            buffers: &self.buffers,
            pose,
            worlds: vec![None; self.file.nodes().len()],
            written: Written::default(),
            node_count: 0,
        };
        let scene = self.file.default_scene();
        match scene.or_else(|| self.file.scenes().next()) {
            Some(scene) => {
                for node in scene.nodes() {
                    gathering.find_worlds(&node, Transform::IDENTITY, 0)?;
                }
                for node in scene.nodes() {
                    gathering.add_node(&node, Transform::IDENTITY)?;
                }
            }
            None => {
                for mesh in self.file.meshes() {
                    let weights = mesh.weights().unwrap_or_default();
                    let weights: Vec<f64> = weights.iter().copied().map(f64::from).collect();
                    let placed = Placement::Rigid(Transform::IDENTITY);
                    gathering.add_mesh(&mesh, &weights, &placed)?;
                }
            }
        }
        Ok(gathering.written)
    }
}

/// The checked JSON part and the binary part of a file. The parser trusts two things that are
/// checked here: the length in a binary header, the accessors that positions refer to, and
/// what animations refer to.
fn parse(bytes: &[u8]) -> Result<(Document, Option<Vec<u8>>), MeshProblem> {
    let declared = bytes.get(8..12).and_then(|length| length.first_chunk());
    if bytes.starts_with(b"glTF") && declared.is_none_or(|&d| u32::from_le_bytes(d) < 12) {
        return Err(malformed("its header is damaged"));
    }
    let not_gltf = |error: gltf::Error| malformed(short(&error.to_string()));
    let Gltf { document, blob } = Gltf::from_slice_without_validation(bytes).map_err(not_gltf)?;
    let json = document.into_json();
    let mut primitives = json.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let has_lost_accessor = primitives.any(|primitive| {
        let mut accessors = primitive.attributes.values();
        accessors.any(|accessor| accessor.value() >= json.accessors.len())
    });
    if has_lost_accessor {
        return Err(malformed(
            "a primitive refers to an accessor that does not exist",
        ));
    }
    if !json
        .animations
        .iter()
        .all(|animation| is_whole(animation, &json))
    {
        return Err(malformed(
            "an animation refers to a node, a sampler or an accessor that does not exist",
        ));
    }
    Ok((Document::from_json(json).map_err(not_gltf)?, blob))
}

impl Gathering<'_> {
    /// Where a node and those below it are.
    fn find_worlds(
        &mut self,
        node: &Node,
        parent: Transform,
        depth: usize,
    ) -> Result<(), MeshProblem> {
        self.node_count += 1;
        if depth > DEEPEST || self.node_count > MOST_NODES {
            return Err(malformed("its nodes form a circle or are nested too deep"));
        }
        let transform = parent.after(self.pose.transform(node.index()));
        self.worlds[node.index()] = Some(transform);
        for child in node.children() {
            self.find_worlds(&child, transform, depth + 1)?;
        }
        Ok(())
    }

    fn add_node(&mut self, node: &Node, parent: Transform) -> Result<(), MeshProblem> {
        let transform = parent.after(self.pose.transform(node.index()));
        if let Some(mesh) = node.mesh() {
            let placement = match node.skin() {
                Some(skin) => Placement::of_skin(&skin, self.buffers, &self.worlds)?,
                None => Placement::Rigid(transform),
            };
            let pose = self.pose;
            self.add_mesh(&mesh, pose.weights(node.index()), &placement)?;
        }
        for child in node.children() {
            self.add_node(&child, transform)?;
        }
        Ok(())
    }

    fn add_mesh(
        &mut self,
        mesh: &gltf::Mesh,
        weights: &[f64],
        placement: &Placement,
    ) -> Result<(), MeshProblem> {
        for primitive in mesh.primitives() {
            if let Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan = primitive.mode() {
                let damage = self.add_primitive(&primitive, weights, placement)?;
                if let Some(what) = damage {
                    self.written.leave_out(format!(
                        "of primitive {} of mesh {}{}: {what}",
                        primitive.index(),
                        mesh.index(),
                        mesh.name()
                            .map_or(String::new(), |name| format!(" `{name}`"))
                    ));
                }
            }
        }
        Ok(())
    }

    /// Adds the triangles of a primitive; tells what is wrong with its texture coordinates.
    fn add_primitive(
        &mut self,
        primitive: &Primitive,
        weights: &[f64],
        placement: &Placement,
    ) -> Result<Option<String>, MeshProblem> {
        let positions = primitive
            .get(&Semantic::Positions)
            .ok_or_else(|| malformed("a primitive has no positions"))?;
        let mut points = read_vectors(&positions, self.buffers)?;
        let corners = match primitive.indices() {
            Some(indices) => read_whole(&indices, self.buffers, Dimensions::Scalar)?,
            None => (0..points.len() as u32).collect(),
        };
        morph(primitive, weights, self.buffers, &mut points)?;
        placement.place(primitive, self.buffers, &mut points)?;
        let (uv, damage) = match self.uv(primitive, points.len()) {
            Ok(uv) => (uv, None),
            Err(damage) => (Vec::new(), Some(damage)),
        };
        let mesh = &mut self.written.textured.mesh;
        let offset = u32::try_from(mesh.vertices.len()).map_err(|_| MeshProblem::TooLarge)?;
        mesh.vertices.extend(points);
        let is_mirrored = placement.is_mirrored();
        for [a, b, c] in triangles(primitive.mode(), &corners) {
            let corners = if is_mirrored { [a, c, b] } else { [a, b, c] };
            let uv = corners.map(|i| uv.get(i as usize).copied().unwrap_or_default());
            mesh.triangles
                .push(corners.map(|i| i.saturating_add(offset)));
            self.written.textured.uv.push(uv);
        }
        Ok(damage)
    }

    /// The texture coordinates of the points of a primitive, none if it has none, or what is wrong with them.
    fn uv(&self, primitive: &Primitive, point_count: usize) -> Result<Vec<[f32; 2]>, String> {
        let Some(accessor) = primitive.get(&Semantic::TexCoords(0)) else {
            return Ok(Vec::new());
        };
        let uv = read_uv(&accessor, self.buffers).map_err(|problem| problem.to_string())?;
        if uv.len() != point_count {
            return Err(format!(
                "TEXCOORD_0 has {} items, where {point_count}, as of POSITION, would fit",
                uv.len()
            ));
        }
        match first_not_finite(&uv) {
            Some(what) => Err(format!("TEXCOORD_0: {what}")),
            None => Ok(uv),
        }
    }
}

/// Moves points by the morph targets that their mesh has a share of.
fn morph(
    primitive: &Primitive,
    weights: &[f64],
    buffers: &[Vec<u8>],
    points: &mut [DVec3],
) -> Result<(), MeshProblem> {
    let shares = primitive.morph_targets().zip(weights);
    for (target, &share) in shares.filter(|(_, share)| **share != 0.0) {
        let Some(offsets) = target.positions() else {
            continue;
        };
        let offsets = read_vectors(&offsets, buffers)?;
        for (point, offset) in points.iter_mut().zip(offsets) {
            *point += offset * share;
        }
    }
    Ok(())
}

fn malformed(reason: impl Into<String>) -> MeshProblem {
    MeshProblem::Malformed(reason.into())
}

fn short(text: &str) -> String {
    text.chars().take(200).collect()
}

fn load_buffers(
    file: &Document,
    mut blob: Option<Vec<u8>>,
    beside: &Beside<'_>,
) -> Result<Vec<Vec<u8>>, MeshProblem> {
    let load = |buffer: gltf::Buffer| {
        let bytes = match buffer.source() {
            gltf::buffer::Source::Bin => blob.take().unwrap_or_default(),
            gltf::buffer::Source::Uri(uri) => load_uri(uri, beside)?,
        };
        if bytes.len() < buffer.length() {
            return Err(MeshProblem::TooShort {
                claimed: buffer.length() as u64,
                what: "bytes in a buffer",
                length: bytes.len(),
            });
        }
        Ok(bytes)
    };
    file.buffers().map(load).collect()
}

fn load_uri(uri: &str, beside: &Beside<'_>) -> Result<Vec<u8>, MeshProblem> {
    let Some(data) = uri.strip_prefix("data:") else {
        return Ok(beside.read(&percent::decoded(uri))?);
    };
    let (_, encoded) = data
        .split_once(";base64,")
        .ok_or_else(|| malformed("a buffer's data URI is not in base64"))?;
    let config =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&base64::alphabet::STANDARD, config)
        .decode(encoded)
        .map_err(|e| malformed(format!("a buffer's data URI: {e}")))
}

fn triangles(mode: Mode, corners: &[u32]) -> Vec<[u32; 3]> {
    match mode {
        Mode::TriangleFan => super::fan(corners).collect(),
        Mode::TriangleStrip => corners
            .windows(3)
            .enumerate()
            .map(|(i, w)| {
                // Every second triangle of a strip runs the other way round.
                if i % 2 == 0 {
                    [w[0], w[1], w[2]]
                } else {
                    [w[1], w[0], w[2]]
                }
            })
            .collect(),
        _ => corners.as_chunks::<3>().0.to_vec(),
    }
}

#[cfg(test)]
mod tests;
