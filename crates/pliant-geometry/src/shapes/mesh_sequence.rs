//! A mesh whose vertices move, from a file for each frame.

use std::sync::Arc;

use pliant_math::DVec3;
use pliant_parameters::{Field, Kind, Preset, Problem, Range, Values};

use super::SCALE;
use crate::moving_mesh::{Course, Frames, MovingMesh};
use crate::topology::{self, MeshFault};
use crate::{MeshSeries, MeshSource, ShapeKind, ShapeUse};

/// Numbers of files beyond which they are taken to be wrong: their vertices are all in memory.
const MOST_FILES: i64 = 100_000;

/// Builds a [`MovingMesh`].
pub(super) const KIND: ShapeKind = ShapeKind {
    name: "mesh-sequence",
    doc: "A mesh that deforms, for a collider: a file (OBJ, STL, PLY, glTF, USD) for each frame, all with the same \
          triangles, or an animated file of glTF or USD, with its skins, morph targets and blend shapes. What is inside is \
          told by the nearest triangle; with `two_sided = true` the mesh may be open.",
    fields: &[
        Field::required(
            "file",
            Kind::FileSequence,
            "",
            "The files, relative to the scene: `#` stands for a digit of a file's number, as in `walk_####.obj`. Without `#`, a glTF or USD file with an animation.",
        ),
        Field::new(
            "first",
            Kind::Integer(Range::NOT_NEGATIVE),
            "",
            Preset::Integer(1),
            "Number of the first file.",
        ),
        Field::optional(
            "last",
            Kind::Integer(Range::NOT_NEGATIVE),
            "",
            "Number of the last file; required where they are numbered, and only there.",
        ),
        Field::optional(
            "animation",
            Kind::Text,
            "",
            "Name of the animation in a glTF file. If missing, its first. USD files have one without a name.",
        ),
        Field::number(
            "frame_rate",
            Range::POSITIVE,
            "1/s",
            24.0,
            "Files per second; of an animation, about so many frames are taken a second.",
        ),
        Field::number(
            "start",
            Range::ANY,
            "s",
            0.0,
            "Time of the first frame; before it the mesh rests as in that.",
        ),
        Field::new(
            "repeat",
            Kind::Flag,
            "",
            Preset::Flag(false),
            "Whether the first frame follows on the last, and so on; if not, the mesh rests as in the last. An animation repeats after its duration.",
        ),
        Field::new(
            "interpolation",
            Kind::Choice(&["smooth", "linear"]),
            "",
            Preset::Text("smooth"),
            "How vertices move from one frame to the next: with a continuous velocity, or at constant speed, which changes at each frame.",
        ),
        SCALE,
    ],
    build: |values, meshes, use_as| {
        if use_as.is_filled || use_as.is_cloth {
            return Err(not_a_collider());
        }
        let (series, rate) = read(values, meshes)?;
        Ok(Arc::new(moving_mesh(series, rate, values, use_as)?))
    },
};

/// What is wrong with a mesh that deforms where a shape has to keep its form.
pub(super) fn not_a_collider() -> Problem {
    Problem::whole(
        "a mesh-sequence is the shape of a [[collider]]: nothing else deforms as files say",
        "take a mesh, or give the collider this shape by itself",
    )
}

/// The frames, and their rate [1/s].
fn read(values: &Values, meshes: &dyn MeshSource) -> Result<(MeshSeries, f64), Problem> {
    let (file, rate) = (values.text("file"), values.number("frame_rate"));
    let Some(end) = file.rfind('#') else {
        if values.has("last") {
            return Err(Problem::at(
                "file",
                format!("{file} is one file, and `last` numbers many"),
                "write # for each digit of the number in its name, as in walk_####.obj, or take a glTF or USD file without `last`",
            ));
        }
        let name = values.optional_text("animation");
        let (mut series, rate) = meshes.animation(file, name, rate)?;
        if values.flag("repeat") && series.places.len() > 1 {
            // It ends where it begins.
            series.places.pop();
        }
        return Ok((series, rate));
    };
    Ok((meshes.series(&numbered(file, end, values)?)?, rate))
}

/// The names of numbered files, in order.
///
/// * `end` — where the last `#` is in the pattern
fn numbered(pattern: &str, end: usize, values: &Values) -> Result<Vec<String>, Problem> {
    let first = values.integer("first");
    let Some(last) = values.has("last").then(|| values.integer("last")) else {
        return Err(Problem::at(
            "last",
            "it is missing: how many files there are",
            "write the number of the last file",
        ));
    };
    if last < first {
        return Err(Problem::at(
            "last",
            format!("the last file, {last}, comes before the first, {first}"),
            "number the files upwards",
        ));
    }
    if last - first >= MOST_FILES {
        return Err(Problem::at(
            "last",
            format!(
                "{} files are more than the {MOST_FILES} that are read",
                last - first + 1
            ),
            "check `first` and `last`",
        ));
    }
    let before = pattern[..end].trim_end_matches('#');
    let (width, after) = (end + 1 - before.len(), &pattern[end + 1..]);
    let name = |number| format!("{before}{number:0width$}{after}");
    Ok((first..=last).map(name).collect())
}

fn moving_mesh(
    series: MeshSeries,
    rate: f64,
    values: &Values,
    use_as: ShapeUse,
) -> Result<MovingMesh, Problem> {
    let fault = |fault: MeshFault| fault.problem("file", values.text("file"));
    let closed = topology::closed_with_origins(&series.mesh);
    let is_closed = closed.is_ok();
    let (mut mesh, origins) = match closed {
        Ok(closed) => closed,
        Err(open) if !use_as.is_shell => return Err(fault(open)),
        Err(_) => topology::surface_with_origins(&series.mesh).map_err(fault)?,
    };
    let scale = values.number("scale");
    let scaled = |places: Vec<DVec3>| {
        let of_origin = |&origin: &u32| places[origin as usize] * scale;
        origins.iter().map(of_origin).collect()
    };
    let places: Vec<Vec<DVec3>> = series.places.into_iter().map(scaled).collect();
    mesh.vertices.clone_from(&places[0]);
    let course = Course {
        rate,
        start: values.number("start"),
        repeats: values.flag("repeat"),
        is_smooth: values.text("interpolation") == "smooth",
    };
    let frames = Frames::new(places, course);
    Ok(MovingMesh::new(&mesh, is_closed, frames))
}

#[cfg(test)]
mod tests {
    use pliant_parameters::Value;

    use super::*;
    use crate::Shape;
    use crate::shapes::{Box, build, build_region};

    /// A cube of edge 2 that goes up by its number, with a vertex twice, as files have it; or without a side.
    struct Lift {
        is_open: bool,
    }

    impl MeshSource for Lift {
        fn mesh(&self, _: &str) -> Result<Arc<crate::TriangleMesh>, Problem> {
            unreachable!("a series is asked for")
        }

        /// Up and back in half a second.
        fn animation(
            &self,
            file: &str,
            name: Option<&str>,
            rate: f64,
        ) -> Result<(MeshSeries, f64), Problem> {
            assert_eq!((file, name, rate), ("lift.glb", Some("up"), 10.0));
            let files = [0, 2, 0].map(|number| format!("lift.{number}.obj"));
            Ok((self.series(&files)?, 4.0))
        }

        fn series(&self, files: &[String]) -> Result<MeshSeries, Problem> {
            let half_size = DVec3::ONE;
            let mut mesh = Box { half_size }.surface(1.0);
            let count = mesh.vertices.len() as u32;
            mesh.vertices
                .push(mesh.vertices[mesh.triangles[3][0] as usize]);
            mesh.triangles[3][0] = count;
            if self.is_open {
                mesh.triangles.truncate(10);
            }
            let places = files.iter().map(|file| {
                let digits = file.trim_start_matches("lift.").trim_end_matches(".obj");
                let number: f64 = digits.parse().expect("a number");
                let up = DVec3::Y * number;
                mesh.vertices.iter().map(|&x| x + up).collect()
            });
            let places = places.collect();
            Ok(MeshSeries { mesh, places })
        }
    }

    const SOLID: ShapeUse = ShapeUse {
        is_filled: false,
        is_shell: false,
        is_cloth: false,
        spacing: 0.1,
    };

    fn table(file: &str, first: i64, last: i64) -> Values {
        let mut sequence = Values::default();
        sequence.insert("file", Value::Text(file.into()));
        sequence.insert("first", Value::Integer(first));
        sequence.insert("last", Value::Integer(last));
        sequence.insert("frame_rate", Value::Number(10.0));
        sequence.insert("start", Value::Number(0.0));
        sequence.insert("repeat", Value::Flag(false));
        sequence.insert("interpolation", Value::Text("linear".into()));
        sequence.insert("scale", Value::Number(0.5));
        let mut table = Values::default();
        table.insert("mesh-sequence", Value::Table(sequence));
        table
    }

    #[test]
    fn files_are_numbered_and_their_vertices_joined_and_scaled() {
        for is_open in [false, true] {
            let use_as = ShapeUse {
                is_shell: is_open,
                ..SOLID
            };
            let shape = build(&table("lift.###.obj", 8, 11), &Lift { is_open }, use_as).unwrap();
            let mut moving = shape.moving().expect("it moves").clone();
            for (time, up) in [(0.0, 4.0), (0.15, 4.75), (9.0, 5.5)] {
                moving.move_to(time, 0.0);
                let side = DVec3::new(-0.7, up, 0.1);
                assert!((moving.signed_distance(side) - 0.2).abs() < 1e-12);
                assert_eq!(moving.is_thin(), is_open);
                assert!((moving.bounds().unwrap().center().y - up).abs() < 1e-12);
            }
            assert!((moving.fastest_between(0.0, 1.0) - 5.0).abs() < 1e-12);
        }
    }

    #[test]
    fn an_animation_repeats_after_its_duration() {
        for repeats in [false, true] {
            let (solid, mut table) = (Lift { is_open: false }, Values::default());
            let mut sequence = Values::default();
            for (key, text) in [
                ("file", "lift.glb"),
                ("animation", "up"),
                ("interpolation", "smooth"),
            ] {
                sequence.insert(key, Value::Text(text.into()));
            }
            for (key, number) in [("frame_rate", 10.0), ("start", 0.0), ("scale", 0.5)] {
                sequence.insert(key, Value::Number(number));
            }
            sequence.insert("repeat", Value::Flag(repeats));
            table.insert("mesh-sequence", Value::Table(sequence));
            let shape = build(&table, &solid, SOLID).unwrap();
            let mut moving = shape.moving().expect("it moves").clone();
            for (time, up) in [(0.125, 0.5), (0.25, 1.0), (0.5, 0.0), (0.625, 0.5)] {
                moving.move_to(time, 0.0);
                let up = if repeats || time < 0.5 { up } else { 0.0 };
                assert!((moving.bounds().unwrap().center().y - up).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn what_cannot_be_is_refused_with_the_key() {
        let solid = Lift { is_open: false };
        let problem = |table: &Values, use_as| build(table, &solid, use_as).unwrap_err();
        let one_file = problem(&table("lift.obj", 1, 2), SOLID);
        assert!(one_file.key.as_deref() == Some("file") && one_file.remedy.unwrap().contains('#'));
        let backwards = problem(&table("lift.#.obj", 3, 2), SOLID);
        assert_eq!(backwards.key.as_deref(), Some("last"));
        let many = problem(&table("lift.#.obj", 1, 1_000_000_000), SOLID);
        assert!(many.key.as_deref() == Some("last") && many.message.contains("100000"));
        for (is_filled, is_cloth) in [(true, false), (false, true)] {
            let use_as = ShapeUse {
                is_filled,
                is_cloth,
                ..SOLID
            };
            let of_body = problem(&table("lift.#.obj", 1, 2), use_as);
            assert!(of_body.message.contains("[[collider]]"), "{of_body}");
        }
        let open = build(&table("lift.#.obj", 1, 2), &Lift { is_open: true }, SOLID).unwrap_err();
        assert!(open.message.contains("not watertight"), "{open}");
        let region = build_region(&table("lift.#.obj", 1, 2), &solid, 0.1).unwrap_err();
        assert!(region.message.contains("[[collider]]"), "{region}");
        let mut operands = Values::default();
        let operand = Value::Table(table("lift.#.obj", 1, 2));
        operands.insert("union", Value::List(vec![operand]));
        let mut tree = Values::default();
        tree.insert("sdf", Value::Table(operands));
        assert!(problem(&tree, SOLID).message.contains("[[collider]]"));
    }
}
