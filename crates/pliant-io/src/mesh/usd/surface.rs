//! Triangles of the meshes of a stage.

use pliant_math::{DMat3, DVec3};

use super::instancer::{instances, prototypes};
use super::layer::{Prim, Specifier, Value};
use super::moment::{Between, Moment, numbers, texts};
use super::place::{Origin, place};
use super::skel::{Binding, Skinning, Subject};
use super::stage::Stage;
use super::texture::{self, Faces, Fault};
use super::{MeshProblem, Transform, Written, malformed};

/// The unit of files that do not tell theirs [m] (OpenUSD, `UsdGeomGetStageMetersPerUnit`).
const USUAL_UNIT: f64 = 0.01;

/// Point instancers that show each other beyond which they are taken to form a circle.
const MOST_NESTED: usize = 16;

/// Instances and points beyond which a file is taken to be damaged, or not to be meant for a simulation.
const MOST_INSTANCES: usize = 4_000_000;
const MOST_POINTS: usize = 100_000_000;

/// The triangles of all meshes that are shown, in metres, y upwards.
pub(super) fn triangles(stage: &Stage, moment: Moment) -> Result<Written, MeshProblem> {
    let world = world(stage)?;
    let mut gathering = Gathering {
        stage,
        skinning: Skinning::new(&stage.prims, world, moment),
        moment,
        written: Written::default(),
        others: Vec::new(),
        depth: 0,
        instances: 0,
    };
    let above = Above::of(Origin {
        path: "",
        transform: world,
    });
    for prim in &stage.prims {
        gathering.add(prim, &format!("/{}", prim.name), &above)?;
    }
    match gathering.others.first() {
        Some(other) if gathering.written.textured.mesh.triangles.is_empty() => Err(malformed(
            format!("it holds no meshes, only what is not read: {other}; turn it into a mesh"),
        )),
        _ => Ok(gathering.written),
    }
}

/// From the units and axes of a stage to metres, y upwards.
fn world(stage: &Stage) -> Result<Transform, MeshProblem> {
    let unit = stage.head.meters_per_unit.unwrap_or(USUAL_UNIT);
    if !(unit.is_finite() && unit > 0.0) {
        return Err(malformed(format!(
            "its metersPerUnit is {unit}, which must be greater than 0"
        )));
    }
    let turned = match stage.head.up_axis.as_deref() {
        None | Some("Y") => DMat3::IDENTITY,
        Some("Z") => DMat3::from_cols(DVec3::X, -DVec3::Z, DVec3::Y),
        Some(other) => {
            return Err(malformed(format!(
                "its upAxis is `{other}`, which must be Y or Z"
            )));
        }
    };
    Ok(Transform {
        linear: turned * unit,
        offset: DVec3::ZERO,
    })
}

/// What is gathered on the way through the tree of prims.
struct Gathering<'s> {
    stage: &'s Stage,
    skinning: Skinning<'s>,
    moment: Moment,
    written: Written,
    /// Shapes that are no meshes.
    others: Vec<String>,
    /// How many instancers show each other down to here.
    depth: usize,
    /// How many instances were shown.
    instances: usize,
}

/// What prims have from those above them.
struct Above<'s> {
    /// Where the prim above is.
    transform: Transform,
    origin: Origin<'s>,
    binding: Binding<'s>,
}

impl<'s> Above<'s> {
    fn of(origin: Origin<'s>) -> Self {
        Self {
            transform: origin.transform,
            origin,
            binding: Binding::default(),
        }
    }
}

impl<'s> Gathering<'s> {
    /// Adds a prim and those below it.
    fn add(&mut self, prim: &'s Prim, path: &str, above: &Above<'s>) -> Result<(), MeshProblem> {
        if prim.specifier != Specifier::Def || prim.is_active == Some(false) {
            return Ok(());
        }
        self.add_present(prim, path, above)
    }

    /// Adds a prim that is there, unless it is hidden, and those below it.
    fn add_present(
        &mut self,
        prim: &'s Prim,
        path: &str,
        above: &Above<'s>,
    ) -> Result<(), MeshProblem> {
        if self.has_token(prim, "visibility", &["invisible"])?
            || self.has_token(prim, "purpose", &["proxy", "guide"])?
        {
            return Ok(());
        }
        let place = place(prim, path, self.moment)?;
        let origin = above.origin;
        let transform = place.seen_from(above.transform, origin.transform);
        let own = Above {
            transform,
            origin,
            binding: above.binding.below(prim, path)?,
        };
        match prim.type_name.as_deref() {
            Some("Mesh") => self.add_mesh(prim, path, &own)?,
            // What is below it is there for its instances.
            Some("PointInstancer") => return self.add_instances(prim, path, transform),
            Some(
                kind @ ("Cube" | "Sphere" | "Cylinder" | "Cone" | "Capsule" | "Plane"
                | "Cylinder_1" | "Capsule_1" | "NurbsPatch" | "Points" | "BasisCurves"),
            ) => self.others.push(format!("the {kind} {path}")),
            _ => {}
        }
        for child in &prim.children {
            self.add(child, &format!("{path}/{}", child.name), &own)?;
        }
        Ok(())
    }

    /// Adds the prototypes of a point instancer at all of its places.
    fn add_instances(
        &mut self,
        prim: &'s Prim,
        path: &str,
        transform: Transform,
    ) -> Result<(), MeshProblem> {
        self.depth += 1;
        if self.depth > MOST_NESTED {
            return Err(malformed(format!(
                "the PointInstancer {path} shows itself, or too many show each other; export its instances made real"
            )));
        }
        let paths = prototypes(prim).iter();
        let stage = self.stage;
        let prototypes: Vec<(&str, Option<&Prim>)> = paths
            .map(|path| (path.as_str(), Prim::below(&stage.prims, path)))
            .collect();
        for instance in instances(prim, path, self.moment)? {
            let prototype = prototypes[instance.prototype];
            self.add_instance(path, prototype, transform.after(instance.transform))?;
        }
        self.depth -= 1;
        Ok(())
    }

    /// Adds what an instancer of a path shows at one place.
    ///
    /// * `prototype` — its path, and the prim if it is there
    fn add_instance(
        &mut self,
        path: &str,
        prototype: (&'s str, Option<&'s Prim>),
        place: Transform,
    ) -> Result<(), MeshProblem> {
        self.instances += 1;
        let points = self.written.textured.mesh.vertices.len();
        if self.instances > MOST_INSTANCES || points > MOST_POINTS {
            return Err(malformed(format!(
                "up to the PointInstancer {path} it shows {} instances and {points} points, of at most \
                 {MOST_INSTANCES} and {MOST_POINTS}; scatter fewer of them, or simpler ones",
                self.instances
            )));
        }
        let (of_prototype, prototype) = prototype;
        let prototype = prototype.ok_or_else(|| {
            malformed(format!(
                "the PointInstancer {path} shows {of_prototype}, which is not there; export its prototypes with it, \
                 or its instances made real"
            ))
        })?;
        match prototype.is_active {
            Some(false) => Ok(()),
            _ => {
                let origin = Origin {
                    path: of_prototype,
                    transform: place,
                };
                self.add_present(prototype, of_prototype, &Above::of(origin))
            }
        }
    }

    fn has_token(&self, prim: &Prim, name: &str, tokens: &[&str]) -> Result<bool, MeshProblem> {
        let value = texts(prim.attribute(name), self.moment)?;
        Ok(match value.as_deref() {
            Some(Value::Texts(texts)) => texts.iter().any(|text| tokens.contains(&text.as_str())),
            _ => false,
        })
    }

    fn add_mesh(&mut self, prim: &Prim, path: &str, own: &Above<'s>) -> Result<(), MeshProblem> {
        let read = |name: &str, between| numbers(prim.attribute(name), self.moment, between);
        let points = read("points", Between::Even)?;
        let counts = read("faceVertexCounts", Between::Held)?;
        let corners = read("faceVertexIndices", Between::Held)?;
        let (
            Some(Value::Numbers(points)),
            Some(Value::Numbers(counts)),
            Some(Value::Numbers(corners)),
        ) = (points.as_deref(), counts.as_deref(), corners.as_deref())
        else {
            return Err(malformed(format!(
                "the mesh {path} has no points, faceVertexCounts or faceVertexIndices"
            )));
        };
        let points = points.as_chunks::<3>().0;
        let corners = checked_corners(path, counts, corners, points.len())?;
        let faces = Faces {
            counts,
            corners: &corners,
            point_count: points.len(),
        };
        let uv = self.uv(prim, path, faces)?;
        let moment = self.moment;
        let mesh = Subject { prim, path, moment };
        let at = (own.transform, own.origin);
        let deformed = self.skinning.deformed(&mesh, &own.binding, at, points)?;
        let is_left_handed = self.has_token(prim, "orientation", &["leftHanded"])?;
        let is_turned = is_left_handed != deformed.is_mirrored;
        let textured = &mut self.written.textured;
        let mesh = &mut textured.mesh;
        let first = mesh.vertices.len();
        if u32::try_from(first + points.len()).is_err() {
            return Err(MeshProblem::TooLarge);
        }
        let first = first as u32;
        let placed = deformed.points.iter();
        mesh.vertices
            .extend(placed.map(|&point| deformed.transform.place(point)));
        let numbers: Vec<u32> = (0..corners.len() as u32).collect();
        let mut rest = &numbers[..];
        for &count in counts {
            let (face, after) = rest.split_at(count as usize);
            rest = after;
            for [a, b, c] in super::super::fan(face) {
                let numbers = if is_turned { [a, c, b] } else { [a, b, c] };
                mesh.triangles
                    .push(numbers.map(|k| first + corners[k as usize]));
                textured
                    .uv
                    .push(numbers.map(|k| uv.get(k as usize).copied().unwrap_or_default()));
            }
        }
        Ok(())
    }

    /// The texture coordinates of all corners of faces; none if there are none, or none of use.
    fn uv(
        &mut self,
        prim: &Prim,
        path: &str,
        faces: Faces<'_>,
    ) -> Result<Vec<[f32; 2]>, MeshProblem> {
        match texture::of_corners(prim, self.moment, faces) {
            Ok(uv) => Ok(uv),
            Err(Fault::File(problem)) => Err(problem),
            Err(Fault::Texture(what)) => {
                self.written.leave_out(format!("of the mesh {path} {what}"));
                Ok(Vec::new())
            }
        }
    }
}

/// The corners of faces, if they are as many as the faces say and all of them exist.
fn checked_corners(
    path: &str,
    counts: &[f64],
    corners: &[f64],
    point_count: usize,
) -> Result<Vec<u32>, MeshProblem> {
    let is_count = |&count: &f64| count >= 0.0 && count.fract() == 0.0;
    let wanted: f64 = counts.iter().sum();
    if !counts.iter().all(is_count) || wanted != corners.len() as f64 {
        return Err(malformed(format!(
            "the faces of the mesh {path} have {wanted} corners by its faceVertexCounts, but {} by its \
             faceVertexIndices",
            corners.len()
        )));
    }
    let checked = |&corner: &f64| match is_count(&corner) && corner < point_count as f64 {
        true => Ok(corner as u32),
        false => Err(malformed(format!(
            "a face of the mesh {path} refers to point {corner}, but there are {point_count} points, counted from 0"
        ))),
    };
    corners.iter().map(checked).collect()
}
