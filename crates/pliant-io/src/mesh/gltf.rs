//! glTF 2.0, text and binary: the triangles of the default scene (or of all nodes where there is
//! none) with the transforms of their nodes. Buffers may lie in the file, beside it or in data URIs.
//! Skins, morph targets, compression and sparse accessors are not applied.

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;
use gltf::{Accessor, Document, Gltf, Node, Primitive, Semantic};
use pliant_geometry::TriangleMesh;
use pliant_math::{DMat3, DVec3};

use super::{MeshFormat, MeshProblem};
use crate::beside::Beside;
use crate::formats::without_mark;
use crate::percent;

pub(super) const FORMAT: MeshFormat = MeshFormat {
    name: "glTF",
    extensions: &["gltf", "glb"],
    read,
};

/// Nodes a file may show, those shown again through several parents counted again; beyond it the
/// tree is taken to be circular.
const MOST_NODES: usize = 100_000;

/// Depth of the node tree beyond which it is taken to be circular.
const DEEPEST: usize = 200;

/// An affine map: `x_world = linear x_local + offset`.
#[derive(Clone, Copy)]
struct Transform {
    linear: DMat3,
    offset: DVec3,
}

/// What is gathered on the way through the tree of nodes.
struct Gathering {
    buffers: Vec<Vec<u8>>,
    mesh: TriangleMesh,
    node_count: usize,
}

fn read(bytes: &[u8], beside: &Beside<'_>) -> Result<TriangleMesh, MeshProblem> {
    let (file, blob) = parse(without_mark(bytes))?;
    let mut gathering = Gathering {
        buffers: load_buffers(&file, blob, beside)?,
        mesh: TriangleMesh::default(),
        node_count: 0,
    };
    let identity = Transform {
        linear: DMat3::IDENTITY,
        offset: DVec3::ZERO,
    };
    match file.default_scene().or_else(|| file.scenes().next()) {
        Some(scene) => {
            for node in scene.nodes() {
                gathering.add_node(&node, identity, 0)?;
            }
        }
        None => {
            for mesh in file.meshes() {
                gathering.add_mesh(&mesh, identity)?;
            }
        }
    }
    Ok(gathering.mesh)
}

/// The checked JSON part and the binary part of a file. The parser trusts two things that are
/// checked here: the length in a binary header, and the accessors that positions refer to.
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
    Ok((Document::from_json(json).map_err(not_gltf)?, blob))
}

impl Gathering {
    fn add_node(
        &mut self,
        node: &Node,
        parent: Transform,
        depth: usize,
    ) -> Result<(), MeshProblem> {
        self.node_count += 1;
        if depth > DEEPEST || self.node_count > MOST_NODES {
            return Err(malformed("its nodes form a circle or are nested too deep"));
        }
        let transform = parent.after(node.transform().matrix());
        if let Some(mesh) = node.mesh() {
            self.add_mesh(&mesh, transform)?;
        }
        for child in node.children() {
            self.add_node(&child, transform, depth + 1)?;
        }
        Ok(())
    }

    fn add_mesh(&mut self, mesh: &gltf::Mesh, transform: Transform) -> Result<(), MeshProblem> {
        for primitive in mesh.primitives() {
            if let Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan = primitive.mode() {
                self.add_primitive(&primitive, transform)?;
            }
        }
        Ok(())
    }

    fn add_primitive(
        &mut self,
        primitive: &Primitive,
        transform: Transform,
    ) -> Result<(), MeshProblem> {
        let positions = primitive
            .get(&Semantic::Positions)
            .ok_or_else(|| malformed("a primitive has no positions"))?;
        let points = read_positions(&positions, &self.buffers)?;
        let corners = match primitive.indices() {
            Some(indices) => read_indices(&indices, &self.buffers)?,
            None => (0..points.len() as u32).collect(),
        };
        let offset = u32::try_from(self.mesh.vertices.len()).map_err(|_| MeshProblem::TooLarge)?;
        self.mesh.vertices.extend(
            points
                .iter()
                .map(|&p| transform.linear * p + transform.offset),
        );
        // A mirroring transform turns triangles inside out.
        let is_mirrored = transform.linear.determinant() < 0.0;
        let triangles = triangles(primitive.mode(), &corners);
        self.mesh
            .triangles
            .extend(triangles.into_iter().map(|[a, b, c]| {
                let corners = if is_mirrored { [a, c, b] } else { [a, b, c] };
                corners.map(|i| i.saturating_add(offset))
            }));
        Ok(())
    }
}

impl Transform {
    /// This transform applied after a node's own, given by the columns of its matrix.
    fn after(self, columns: [[f32; 4]; 4]) -> Self {
        let [x, y, z, translation] =
            columns.map(|c| DVec3::new(f64::from(c[0]), f64::from(c[1]), f64::from(c[2])));
        Self {
            linear: self.linear * DMat3::from_cols(x, y, z),
            offset: self.linear * translation + self.offset,
        }
    }
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

fn read_positions(accessor: &Accessor, buffers: &[Vec<u8>]) -> Result<Vec<DVec3>, MeshProblem> {
    if (accessor.data_type(), accessor.dimensions()) != (DataType::F32, Dimensions::Vec3) {
        return Err(malformed(
            "positions are not three single-precision numbers",
        ));
    }
    let number = |bytes: &[u8]| {
        let chunk = bytes.first_chunk().copied().unwrap_or_default();
        f64::from(f32::from_le_bytes(chunk))
    };
    let items = items(accessor, buffers)?;
    Ok(items
        .map(|item| DVec3::new(number(item), number(&item[4..]), number(&item[8..])))
        .collect())
}

fn read_indices(accessor: &Accessor, buffers: &[Vec<u8>]) -> Result<Vec<u32>, MeshProblem> {
    let kind = accessor.data_type();
    let is_known = matches!(kind, DataType::U8 | DataType::U16 | DataType::U32);
    if !is_known || accessor.dimensions() != Dimensions::Scalar {
        return Err(malformed("indices are not unsigned integers"));
    }
    // Little endian: missing higher bytes are zero.
    let value = |item: &[u8]| {
        item.iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u32::from(byte))
    };
    Ok(items(accessor, buffers)?.map(value).collect())
}

/// The bytes of each item of an accessor, all known to lie inside its buffer.
fn items<'b>(
    accessor: &Accessor,
    buffers: &'b [Vec<u8>],
) -> Result<impl Iterator<Item = &'b [u8]> + use<'b>, MeshProblem> {
    if accessor.sparse().is_some() {
        return Err(malformed(
            "sparse accessors are not supported; export without them",
        ));
    }
    let view = accessor.view().ok_or_else(|| {
        malformed("an accessor has no data; compressed meshes are not supported, export without compression")
    })?;
    let size = accessor.size();
    let stride = view.stride().unwrap_or(size);
    let count = accessor.count();
    let span = count
        .saturating_sub(1)
        .checked_mul(stride)
        .and_then(|span| span.checked_add(size));
    let bytes = buffers
        .get(view.buffer().index())
        .and_then(|buffer| buffer.get(view.offset()..)?.get(..view.length()))
        .and_then(|bytes| bytes.get(accessor.offset()..)?.get(..span?));
    match bytes {
        Some(bytes) if count > 0 && stride >= size => {
            Ok((0..count).map(move |i| &bytes[i * stride..i * stride + size]))
        }
        _ => Err(MeshProblem::TooShort {
            claimed: count as u64,
            what: "items of an accessor",
            length: view.length(),
        }),
    }
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
