//! Classic BGEO, version 5: big endian, all attributes of a point side by side, positions with a fourth
//! coordinate 1. Houdini before 12 wrote it; Partio, SPlisHSPlasH and splashsurf read it.
//!
//! It holds points only: readers of particles cannot tell where other primitives end. Bodies and
//! materials are told by their numbers, and rotations by four attributes: not all readers know names,
//! and vectors of four.

use std::io::{self, Write};

use pliant_core::measure::Frame;

use super::houdini::{Attribute, Layout, Meaning, Rotations, attributes, normals_of_points};
use super::{Exporter, Moment};

pub(super) const EXPORTER: Exporter = Exporter {
    name: "bgeo-classic",
    extension: "classic.bgeo",
    doc: "BGEO of Houdini before 12, for Partio, SPlisHSPlasH, splashsurf",
    index: None,
    holds_surfaces: false,
    holds_triangles: false,
    write,
    read: None,
};

/// Points that are put together at a time.
const BLOCK: usize = 1024;

/// The numbers of a position: it has a weight too.
const POSITION: usize = 4;

/// Marks the end of all sections.
const END: [u8; 2] = [0x00, 0xff];

fn write(moment: &Moment, out: &mut dyn Write) -> io::Result<()> {
    let frame = moment.frame;
    let mut attributes = attributes(frame, Rotations::Numbers)?;
    attributes.extend(normals_of_points(frame));
    out.write_all(b"BgeoV")?;
    let count = |count: usize| i32::try_from(count).map_err(io::Error::other);
    let detail = detail(frame);
    let counts = [
        5, // version
        count(frame.particle_count())?,
        0, // primitives
        0, // groups of points
        0, // groups of primitives
        count(attributes.len() - 1)?,
        0, // attributes of vertices
        0, // attributes of primitives
        count(detail.len())?,
    ];
    counts
        .iter()
        .try_for_each(|n| out.write_all(&n.to_be_bytes()))?;
    let described = attributes.iter().skip(1);
    described
        .clone()
        .try_for_each(|attribute| write_description(attribute, out))?;
    write_points(frame.particle_count(), &attributes, out)?;
    for (name, kind, _) in &detail {
        write_name(name, out)?;
        out.write_all(&1_u16.to_be_bytes())?;
        out.write_all(&kind.to_be_bytes())?;
        out.write_all(&[0; 4])?;
    }
    let mut values = detail.iter();
    values.try_for_each(|(.., value)| out.write_all(value))?;
    out.write_all(&END)
}

/// What belongs to the whole frame: name, number of the type, value.
fn detail(frame: &Frame) -> [(&'static str, i32, [u8; 4]); 2] {
    [
        ("time", 0, (frame.time as f32).to_be_bytes()),
        ("frame", 1, frame.number.to_be_bytes()),
    ]
}

fn write_description(attribute: &Attribute, out: &mut dyn Write) -> io::Result<()> {
    // The simplest types that hold the numbers: readers of particles know few others.
    let kind: i32 = match attribute.meaning {
        Meaning::Number | Meaning::Quaternion => 0,
        Meaning::Integer | Meaning::Name => 1,
        Meaning::Point | Meaning::Vector | Meaning::Normal | Meaning::Texture | Meaning::Color => 5,
    };
    write_name(attribute.name, out)?;
    out.write_all(&(attribute.size() as u16).to_be_bytes())?;
    out.write_all(&kind.to_be_bytes())?;
    // The default value, for points to come.
    (0..attribute.size()).try_for_each(|_| out.write_all(&[0; 4]))
}

fn write_points(count: usize, attributes: &[Attribute], out: &mut dyn Write) -> io::Result<()> {
    let sizes = attributes.iter().map(Attribute::size);
    let stride = 4 * (POSITION - 3 + sizes.sum::<usize>());
    let mut block = vec![0; BLOCK * stride];
    let weights = block.chunks_exact_mut(stride);
    weights.for_each(|record| record[12..16].copy_from_slice(&1_f32.to_be_bytes()));
    for start in (0..count).step_by(BLOCK) {
        let points = start..count.min(start + BLOCK);
        let mut offset = 0;
        for (number, attribute) in attributes.iter().enumerate() {
            let layout = Layout { offset, stride };
            attribute.put(points.clone(), u32::to_be_bytes, (&layout, &mut block));
            offset += 4 * match number {
                0 => POSITION,
                _ => attribute.size(),
            };
        }
        out.write_all(&block[..points.len() * stride])?;
    }
    Ok(())
}

/// A text with its length; what is longer than can be told is cut at a character.
fn write_name(name: &str, out: &mut dyn Write) -> io::Result<()> {
    let end = name.floor_char_boundary(usize::from(u16::MAX));
    out.write_all(&(end as u16).to_be_bytes())?;
    out.write_all(&name.as_bytes()[..end])
}

#[cfg(test)]
mod tests {
    use super::super::tests::{bytes_of, two_particles};
    use super::super::{EXPORTERS, ParticleFrame};
    use super::*;

    /// A text with its length.
    fn name(text: &str) -> Vec<u8> {
        [&(text.len() as u16).to_be_bytes(), text.as_bytes()].concat()
    }

    fn described(text: &str, size: u16, kind: i32) -> Vec<u8> {
        let zeros = vec![0; 4 * usize::from(size)];
        let numbers = [&size.to_be_bytes()[..], &kind.to_be_bytes()];
        [name(text), numbers.concat(), zeros].concat()
    }

    fn floats(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_be_bytes()).collect()
    }

    fn integers(values: &[i32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_be_bytes()).collect()
    }

    #[test]
    fn two_particles_have_the_bytes_of_the_format() {
        let (frame, bodies) = two_particles();
        let grey = 0.214_041_14;
        let point = |position: [f32; 3], v: [f32; 3], id, radius, body, turn: [f32; 4], density| {
            [
                floats(&position),
                floats(&[1.0]),
                floats(&v),
                integers(&[id]),
                floats(&[radius, grey, grey, grey]),
                integers(&[body, 0]),
                floats(&[density]),
                floats(&turn),
            ]
            .concat()
        };
        let expected = [
            b"BgeoV".to_vec(),
            integers(&[5, 2, 0, 0, 0, 11, 0, 0, 2]),
            described("v", 3, 5),
            described("id", 1, 1),
            described("pscale", 1, 0),
            described("Cd", 3, 5),
            described("body", 1, 1),
            described("material", 1, 1),
            described("density", 1, 0),
            described("rotation_x", 1, 0),
            described("rotation_y", 1, 0),
            described("rotation_z", 1, 0),
            described("rotation_w", 1, 0),
            point(
                [1.0, 2.0, 3.0],
                [0.5, 0.0, -0.5],
                7,
                0.125,
                0,
                [0.0, 0.0, 0.0, 1.0],
                1600.0,
            ),
            point(
                [4.0, 5.0, 6.0],
                [0.0, 0.25, 0.0],
                9,
                0.5,
                1,
                [1.0, 0.0, 0.0, 0.0],
                500.0,
            ),
            described("time", 1, 0),
            described("frame", 1, 1),
            floats(&[0.5]),
            integers(&[3]),
            vec![0x00, 0xff],
        ];
        let found = bytes_of(&EXPORTER, &frame.frame(&bodies, &[]).unwrap());
        assert_eq!(found, expected.concat());
    }

    #[test]
    fn points_of_triangles_have_normals_behind_all_else() {
        let (mut frame, bodies) = two_particles();
        frame.quantities.clear();
        let without = bytes_of(&EXPORTER, &frame.frame(&bodies, &[]).unwrap());
        for column in [&mut frame.id, &mut frame.body, &mut frame.material] {
            column.push(*column.last().unwrap());
        }
        frame.id[2] += 1;
        frame.velocity.push([0.0; 3]);
        frame.radius.push(0.5);
        let first = frame.position[0];
        frame.position = [
            pliant_math::DVec3::ZERO,
            pliant_math::DVec3::Y,
            pliant_math::DVec3::Z,
        ]
        .map(|step| first + step)
        .to_vec();
        frame.triangles = vec![[0, 1, 2]];
        let bytes = bytes_of(&EXPORTER, &frame.frame(&bodies, &[]).unwrap());
        let contains = |bytes: &[u8], part: &[u8]| bytes.windows(part.len()).any(|w| w == part);
        let normal = described("N", 3, 5);
        assert!(contains(&bytes, &normal) && !contains(&without, &normal));
        // The material of a point, its normal, and the next point.
        let record = [integers(&[0]), floats(&[1.0, 0.0, 0.0, 1.0, 3.0, 3.0, 1.0])];
        assert!(contains(&bytes, &record.concat()));
    }

    #[test]
    fn a_frame_without_particles_has_its_attributes() {
        let frame = ParticleFrame::default();
        let bytes = bytes_of(&EXPORTER, &frame.frame(&[], &[]).unwrap());
        assert_eq!(&bytes[5..13], integers(&[5, 0]));
        assert!(
            bytes
                .windows(8)
                .any(|w| w == [&[0, 6][..], b"pscale"].concat())
        );
        assert_eq!(bytes[bytes.len() - 2..], END);
    }

    #[test]
    fn ids_that_do_not_fit_are_refused() {
        let (mut frame, bodies) = two_particles();
        frame.id[1] = 1 << 31;
        let lent = frame.frame(&bodies, &[]).unwrap();
        let moment = Moment {
            frame: &lent,
            surface: None,
            scene: &Default::default(),
        };
        for exporter in EXPORTERS.iter().filter(|e| e.extension.ends_with("bgeo")) {
            let error = (exporter.write)(&moment, &mut Vec::new()).unwrap_err();
            assert!(error.to_string().contains("2147483648"), "{error}");
        }
    }

    #[test]
    fn more_points_than_a_block_keep_their_order() {
        let (mut frame, bodies) = two_particles();
        let count = 2 * BLOCK + 3;
        frame.quantities.clear();
        frame.position = (0..count)
            .map(|i| pliant_math::DVec3::splat(i as f64))
            .collect();
        frame.velocity = vec![[0.0; 3]; count];
        frame.id = (0..count as u32).collect();
        (frame.body, frame.material) = (vec![0; count], vec![0; count]);
        frame.radius = vec![1.0; count];
        let bytes = bytes_of(&EXPORTER, &frame.frame(&bodies, &[]).unwrap());
        let stride = 4 * (4 + 3 + 1 + 1 + 3 + 1 + 1);
        let detail = 2 * (2 + 2 + 4 + 4) + "timeframe".len() + 8 + 2;
        let points = &bytes[bytes.len() - detail - count * stride..bytes.len() - detail];
        for (i, record) in points.chunks_exact(stride).enumerate() {
            assert_eq!(record[..4], (i as f32).to_be_bytes());
            assert_eq!(record[12..16], 1_f32.to_be_bytes());
            assert_eq!(record[28..32], (i as u32).to_be_bytes());
        }
    }
}
