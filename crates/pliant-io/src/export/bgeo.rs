//! BGEO as Houdini has it since version 12: binary JSON, an array an attribute, triangles as polygons.
//!
//! JSON that is a list of keys and values in turn stands for an object whose order matters. Numbers of
//! an attribute come in pages of 1024 points, which without constant pages is the same as one array.

use std::io::{self, Write};

use pliant_core::measure::Frame;

use super::binary_json::{Json, Number};
use super::houdini::{Attribute, Layout, Meaning, Rotations, attributes, of_corners, of_triangles};
use super::{Exporter, Moment};

pub(super) const EXPORTER: Exporter = Exporter {
    name: "bgeo",
    extension: "bgeo",
    doc: "BGEO of Houdini since 12: points with v, id, pscale, Cd, orient, and triangles with N",
    index: None,
    holds_surfaces: false,
    holds_triangles: true,
    write,
    read: None,
};

/// The version of Houdini whose schema this is.
const SCHEMA: &str = "18.5.0";

/// Points of a page of numbers, as Houdini has it.
const PAGE: usize = 1024;

/// Points that are turned into bytes at a time.
const BLOCK: usize = 8192;

fn write(moment: &Moment, out: &mut dyn Write) -> io::Result<()> {
    let frame = moment.frame;
    let corners = frame.triangles.as_flattened();
    let mut json = Json::start(out)?;
    json.array(|json| {
        json.entry("fileversion", |json| json.text(SCHEMA))?;
        json.entry("hasindex", |json| json.flag(false))?;
        json.entry("pointcount", |json| json.count(frame.particle_count()))?;
        json.entry("vertexcount", |json| json.count(corners.len()))?;
        json.entry("primitivecount", |json| json.count(frame.triangles.len()))?;
        json.entry("info", |json| {
            json.map(|json| json.entry("software", |json| json.text("Pliant")))
        })?;
        json.entry("topology", |json| {
            json.array(|json| {
                json.entry("pointref", |json| {
                    json.array(|json| json.entry("indices", |json| write_corners(corners, json)))
                })
            })
        })?;
        json.entry("attributes", |json| write_classes(frame, json))?;
        json.entry("primitives", |json| {
            json.array(|json| write_triangles(frame.triangles.len(), json))
        })
    })
}

fn write_corners(corners: &[u32], json: &mut Json) -> io::Result<()> {
    json.numbers(Number::Int32, corners.len(), |out| {
        let mut blocks = corners.chunks(BLOCK);
        blocks.try_for_each(|block| {
            let bytes: Vec<u8> = block.iter().flat_map(|c| c.to_le_bytes()).collect();
            out.write_all(&bytes)
        })
    })
}

/// All triangles, which have the vertices in their order.
fn write_triangles(count: usize, json: &mut Json) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    json.array(|json| {
        json.array(|json| json.entry("type", |json| json.text("Polygon_run")))?;
        json.array(|json| {
            json.entry("startvertex", |json| json.count(0))?;
            json.entry("nprimitives", |json| json.count(count))?;
            json.entry("nvertices_rle", |json| {
                json.array(|json| {
                    json.count(3)?;
                    json.count(count)
                })
            })
        })
    })
}

/// The attributes of corners, points, triangles and of the whole.
fn write_classes(frame: &Frame, json: &mut Json) -> io::Result<()> {
    let points = attributes(frame, Rotations::Orient)?;
    let classes = [
        (
            "vertexattributes",
            of_corners(frame),
            3 * frame.triangles.len(),
        ),
        ("pointattributes", points, frame.particle_count()),
        (
            "primitiveattributes",
            of_triangles(frame),
            frame.triangles.len(),
        ),
    ];
    json.array(|json| {
        for (class, attributes, count) in &classes {
            if !attributes.is_empty() {
                json.entry(class, |json| write_attributes(attributes, *count, json))?;
            }
        }
        json.entry("globalattributes", |json| write_detail(frame, json))
    })
}

fn write_attributes(attributes: &[Attribute], count: usize, json: &mut Json) -> io::Result<()> {
    json.array(|json| {
        let mut attributes = attributes.iter();
        attributes.try_for_each(|attribute| {
            json.array(|json| {
                write_description(attribute, json)?;
                write_values(attribute, count, json)
            })
        })
    })
}

/// What belongs to the whole frame.
fn write_detail(frame: &Frame, json: &mut Json) -> io::Result<()> {
    json.array(|json| {
        write_one("time", Number::Real64, &frame.time.to_le_bytes(), json)?;
        write_one("frame", Number::Int32, &frame.number.to_le_bytes(), json)
    })
}

/// An attribute with one value.
fn write_one(name: &str, number: Number, bytes: &[u8], json: &mut Json) -> io::Result<()> {
    let value =
        |json: &mut Json| json.array(|json| json.numbers(number, 1, |out| out.write_all(bytes)));
    let values = |json: &mut Json| {
        json.array(|json| {
            write_size(1, number, json)?;
            json.entry("arrays", value)
        })
    };
    json.array(|json| {
        write_head(name, "numeric", None, json)?;
        json.array(|json| {
            write_size(1, number, json)?;
            json.entry("values", values)
        })
    })
}

fn write_description(attribute: &Attribute, json: &mut Json) -> io::Result<()> {
    let (kind, meaning) = match attribute.meaning {
        Meaning::Number | Meaning::Integer => ("numeric", None),
        Meaning::Name => ("string", None),
        Meaning::Point => ("numeric", Some("point")),
        Meaning::Vector => ("numeric", Some("vector")),
        Meaning::Normal => ("numeric", Some("normal")),
        Meaning::Texture => ("numeric", Some("texturecoord")),
        Meaning::Color => ("numeric", Some("color")),
        Meaning::Quaternion => ("numeric", Some("quaternion")),
    };
    write_head(attribute.name, kind, meaning, json)
}

fn write_head(name: &str, kind: &str, meaning: Option<&str>, json: &mut Json) -> io::Result<()> {
    json.array(|json| {
        json.entry("scope", |json| json.text("public"))?;
        json.entry("type", |json| json.text(kind))?;
        json.entry("name", |json| json.text(name))?;
        json.entry("options", |json| {
            json.map(|json| meaning.map_or(Ok(()), |meaning| write_meaning(meaning, json)))
        })
    })
}

/// The option that tells what the numbers of an attribute are.
fn write_meaning(meaning: &str, json: &mut Json) -> io::Result<()> {
    json.entry("type", |json| {
        json.map(|json| {
            json.entry("type", |json| json.text("string"))?;
            json.entry("value", |json| json.text(meaning))
        })
    })
}

fn write_size(size: usize, number: Number, json: &mut Json) -> io::Result<()> {
    json.entry("size", |json| json.count(size))?;
    json.entry("storage", |json| json.text(number.storage()))
}

fn write_values(attribute: &Attribute, count: usize, json: &mut Json) -> io::Result<()> {
    let number = match attribute.meaning {
        Meaning::Integer | Meaning::Name => Number::Int32,
        _ => Number::Real32,
    };
    let numbers = |json: &mut Json| {
        json.array(|json| {
            write_size(attribute.size(), number, json)?;
            json.entry("packing", |json| {
                json.array(|json| json.count(attribute.size()))
            })?;
            json.entry("pagesize", |json| json.count(PAGE))?;
            json.entry("rawpagedata", |json| {
                json.numbers(number, count * attribute.size(), |out| {
                    write_points(attribute, count, out)
                })
            })
        })
    };
    json.array(|json| {
        write_size(attribute.size(), number, json)?;
        if attribute.meaning != Meaning::Name {
            return json.entry("values", numbers);
        }
        json.entry("strings", |json| {
            json.array(|json| {
                attribute
                    .names()
                    .iter()
                    .try_for_each(|name| json.text(name))
            })
        })?;
        json.entry("indices", numbers)
    })
}

fn write_points(attribute: &Attribute, count: usize, out: &mut dyn Write) -> io::Result<()> {
    let stride = 4 * attribute.size();
    let layout = Layout { offset: 0, stride };
    let mut block = vec![0; BLOCK.min(count) * stride];
    for start in (0..count).step_by(BLOCK) {
        let points = start..count.min(start + BLOCK);
        attribute.put(points.clone(), u32::to_le_bytes, (&layout, &mut block));
        out.write_all(&block[..points.len() * stride])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::ParticleFrame;
    use super::super::binary_json::tests::{Value, parsed};
    use super::super::tests::{bytes_of, two_particles};
    use super::*;

    fn file(frame: &ParticleFrame, bodies: &[pliant_core::measure::FrameBody]) -> Value {
        parsed(&bytes_of(&EXPORTER, &frame.frame(bodies, &[]).unwrap()))
    }

    /// The attribute of a name: how it is described, and its values.
    fn attribute<'v>(file: &'v Value, class: &str, name: &str) -> (&'v Value, &'v Value) {
        let all = file.get("attributes").get(class).list();
        let pairs = all.iter().map(|pair| (&pair.list()[0], &pair.list()[1]));
        let is_it = |head: &Value| head.get("name") == &Value::Text(name.to_owned());
        let mut found = pairs.filter(|(head, _)| is_it(head));
        found.next().unwrap_or_else(|| panic!("no {name}"))
    }

    fn numbers(values: &Value) -> &Value {
        values.get("values").get("rawpagedata")
    }

    #[test]
    fn attributes_have_houdinis_names_and_the_values_of_the_frame() {
        let (frame, bodies) = two_particles();
        let file = file(&frame, &bodies);
        assert_eq!(file.get("pointcount"), &Value::Int(2));
        assert_eq!(file.get("primitives").list(), []);
        let (head, values) = attribute(&file, "pointattributes", "P");
        let meaning = head.get("options").get("type").get("value");
        assert_eq!(meaning, &Value::Text("point".to_owned()));
        assert_eq!(values.get("size"), &Value::Int(3));
        let expected = Value::Reals(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(numbers(values), &expected);
        let point = |name| numbers(attribute(&file, "pointattributes", name).1);
        assert_eq!(
            point("v"),
            &Value::Reals(vec![0.5, 0.0, -0.5, 0.0, 0.25, 0.0])
        );
        assert_eq!(point("id"), &Value::Ints(vec![7, 9]));
        assert_eq!(point("pscale"), &Value::Reals(vec![0.125, 0.5]));
        let turned = Value::Reals(vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(point("orient"), &turned);
        assert_eq!(point("density"), &Value::Reals(vec![1600.0, 500.0]));
        let (_, body) = attribute(&file, "pointattributes", "body");
        let names = ["sand", "cup"].map(|name| Value::Text(name.to_owned()));
        assert_eq!(body.get("strings").list(), names);
        assert_eq!(
            body.get("indices").get("rawpagedata"),
            &Value::Ints(vec![0, 1])
        );
        let (_, time) = attribute(&file, "globalattributes", "time");
        let expected = [Value::Reals(vec![0.5])];
        assert_eq!(time.get("values").get("arrays").list(), expected);
    }

    #[test]
    fn triangles_are_one_run_of_polygons() {
        let (mut frame, bodies) = two_particles();
        frame.triangles = vec![[0, 1, 0], [1, 1, 0]];
        let uv = [[0.0, 0.5], [1.0, 0.5], [0.0, 1.0]];
        frame.uv = vec![uv, uv.map(|uv| uv.map(|c| 0.5 * c))];
        frame.inside = vec![false, true];
        let file = file(&frame, &bodies);
        assert_eq!(file.get("vertexcount"), &Value::Int(6));
        let corners = file.get("topology").get("pointref").get("indices");
        assert_eq!(corners, &Value::Ints(vec![0, 1, 0, 1, 1, 0]));
        let (head, uv) = attribute(&file, "vertexattributes", "uv");
        let meaning = head.get("options").get("type").get("value");
        assert_eq!(meaning, &Value::Text("texturecoord".to_owned()));
        let expected = [0.0, 0.5, 0.0, 1.0, 0.5, 0.0, 0.0, 1.0, 0.0];
        let expected = [expected, expected.map(|c| 0.5 * c)].concat();
        assert_eq!(numbers(uv), &Value::Reals(expected));
        let (_, inside) = attribute(&file, "primitiveattributes", "inside");
        assert_eq!(numbers(inside), &Value::Ints(vec![0, 1]));
        let run = &file.get("primitives").list()[0].list()[1];
        assert_eq!(run.get("nprimitives"), &Value::Int(2));
        assert_eq!(
            run.get("nvertices_rle").list(),
            [Value::Int(3), Value::Int(2)]
        );
    }

    #[test]
    fn corners_of_triangles_have_normals() {
        let (mut frame, bodies) = two_particles();
        let without = bytes_of(&EXPORTER, &frame.frame(&bodies, &[]).unwrap());
        let names = |bytes: &[u8]| bytes.windows(16).any(|part| part == b"vertexattributes");
        assert!(!names(&without));
        frame.position[1] = frame.position[0] + pliant_math::DVec3::X;
        frame.triangles = vec![[0, 1, 0]];
        let without_direction = file(&frame, &bodies);
        let (head, values) = attribute(&without_direction, "vertexattributes", "N");
        let meaning = head.get("options").get("type").get("value");
        assert_eq!(meaning, &Value::Text("normal".to_owned()));
        assert_eq!(values.get("size"), &Value::Int(3));
        assert_eq!(numbers(values), &Value::Reals(vec![0.0; 9]));
    }

    #[test]
    fn a_frame_without_particles_is_a_file_without_points() {
        let file = file(&ParticleFrame::default(), &[]);
        assert_eq!(file.get("pointcount"), &Value::Int(0));
        let (_, values) = attribute(&file, "pointattributes", "v");
        assert_eq!(numbers(values), &Value::Reals(Vec::new()));
    }
}
