//! Meshes of Gmsh, `.msh` of version 4.1, text or binary. Elements of less than three dimensions, the surface and what
//! bounds it, are passed over.

mod numbers;

use pliant_math::DVec3;
use rustc_hash::FxHashMap;

use super::{Raw, TetrahedraFormat, TetrahedraProblem};
use crate::beside::Beside;
use crate::formats::without_mark;
use numbers::Numbers;

pub(super) const FORMAT: TetrahedraFormat = TetrahedraFormat {
    name: "Gmsh",
    extension: "msh",
    read,
};

/// The type of tetrahedra of four points, by the manual of Gmsh.
const TETRAHEDRON: u64 = 4;

fn read(bytes: &[u8], _: &Beside<'_>) -> Result<Raw, TetrahedraProblem> {
    read_sections(without_mark(bytes)).map_err(TetrahedraProblem::Malformed)
}

fn read_sections(bytes: &[u8]) -> Result<Raw, String> {
    let start = section(bytes, "MeshFormat")
        .ok_or("it does not start with `$MeshFormat` and end that with `$EndMeshFormat`")?;
    let header = Numbers::text(bytes, start.clone());
    let (version, encoding) = numbers::format(header, bytes)?;
    if version != "4.1" {
        return Err(format!(
            "it is of version {version}; save it as version 4.1 (in Gmsh by File > Export, or by `gmsh -3 -format msh41`)"
        ));
    }
    let part = |name: &str| {
        let range = section(bytes, name);
        let missing = || format!("it has no complete section `${name}`; is it cut off?");
        range
            .ok_or_else(missing)
            .map(|r| Numbers::new(bytes, r, encoding))
    };
    let (points, index_of) = read_nodes(part("Nodes")?)?;
    let tetrahedra = read_elements(part("Elements")?, &index_of)?;
    Ok((points, tetrahedra))
}

/// Where the content of a section is.
fn section(bytes: &[u8], name: &str) -> Option<std::ops::Range<usize>> {
    let find = |text: String, from: usize| {
        let rest = bytes.get(from..)?;
        let found = rest.windows(text.len()).position(|w| w == text.as_bytes());
        found.map(|at| at + from)
    };
    let opening = find(format!("${name}"), 0)?;
    let line_end = bytes[opening..].iter().position(|&b| b == b'\n')?;
    let start = opening + line_end + 1;
    let end = find(format!("$End{name}"), start)?;
    Some(start..end)
}

/// The points, and their places in the list by their tags.
fn read_nodes(mut numbers: Numbers<'_>) -> Result<(Vec<DVec3>, FxHashMap<u64, u32>), String> {
    let [blocks, _, _, _] = numbers.sizes()?;
    let (mut points, mut index_of) = (Vec::new(), FxHashMap::default());
    for _ in 0..blocks {
        let [dimension, _, is_parametric] = numbers.ints()?;
        let [count] = numbers.sizes()?;
        let first = points.len();
        for k in 0..count {
            let [tag] = numbers.sizes()?;
            let index = first as u64 + k;
            // A number too large for 32 bits is that of no point.
            if index_of
                .insert(tag, u32::try_from(index).unwrap_or(u32::MAX))
                .is_some()
            {
                return Err(format!("{}: point {tag} is there twice", numbers.place()));
            }
        }
        let parameters = if is_parametric == 1 {
            dimension.min(3)
        } else {
            0
        };
        for _ in 0..count {
            points.push(DVec3::from_array(numbers.reals()?));
            for _ in 0..parameters {
                let [_] = numbers.reals()?;
            }
        }
    }
    Ok((points, index_of))
}

fn read_elements(
    mut numbers: Numbers<'_>,
    index_of: &FxHashMap<u64, u32>,
) -> Result<Vec<[u32; 4]>, String> {
    let [blocks, _, _, _] = numbers.sizes()?;
    let mut tetrahedra = Vec::new();
    for _ in 0..blocks {
        let [_, _, kind] = numbers.ints()?;
        let [count] = numbers.sizes()?;
        if kind == TETRAHEDRON {
            for _ in 0..count {
                let [tag, corners @ ..] = numbers.sizes::<5>()?;
                let known = corners.map(|c| index_of.get(&c).copied());
                let [Some(a), Some(b), Some(c), Some(d)] = known else {
                    let place = numbers.place();
                    return Err(format!(
                        "{place}: element {tag} names a point that is not there"
                    ));
                };
                tetrahedra.push([a, b, c, d]);
            }
            continue;
        }
        let corners = flat_corners(kind).ok_or_else(|| {
            let place = numbers.place();
            format!(
                "{place}: elements of type {kind}; only tetrahedra of four points (type 4, first order) are read as solids"
            )
        })?;
        for _ in 0..count {
            let [_tag] = numbers.sizes()?;
            for _ in 0..corners {
                let [_] = numbers.sizes()?;
            }
        }
    }
    Ok(tetrahedra)
}

/// Points of an element of less than three dimensions, by its type in the manual of Gmsh: points, lines, triangles and
/// quadrilaterals of first and second order.
fn flat_corners(kind: u64) -> Option<usize> {
    match kind {
        15 => Some(1),
        1 => Some(2),
        2 | 8 => Some(3),
        3 => Some(4),
        9 => Some(6),
        10 => Some(9),
        16 => Some(8),
        _ => None,
    }
}
