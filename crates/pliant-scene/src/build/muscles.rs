//! Bodies of flesh, and muscles in them.

use std::sync::Arc;

use pliant_core::forces::Region;
use pliant_core::methods::muscle::{
    Activation, Curve, FiberPoint, Flesh, Helix, Muscle, TravelingWave, as_given, potential,
    straight,
};
use pliant_core::rest::{RestCorrection, RestShape};
use pliant_core::schedule::Schedule;
use pliant_core::world::InitialParticles;
use pliant_geometry::{NearestPoint, Shape, shapes};
use pliant_materials::laws::Solid;
use pliant_math::DVec3;
use pliant_parameters::{Value, Values};

use super::Builder;
use super::expression::Formula;
use crate::document::address_text;
use crate::methods::BodyItem;
use crate::units::{ease, pose};

/// Part of the particles of a body that may have too few neighbours to have a volume.
const THIN_SHARE: f64 = 0.01;

/// Fibres of the particles of a muscle, by their numbers, and its length [m].
type Course = (Vec<(usize, FiberPoint)>, f64);

impl Builder<'_> {
    /// The particles of a body of flesh beside others, or `None` after an error was collected.
    pub(crate) fn flesh(&mut self, item: BodyItem<'_>) -> Option<InitialParticles> {
        let (path, values) = (item.path, item.values);
        self.check_flesh_law(path, values, item.material.law.solid()?)?;
        if !values.has("shape") {
            let message = "a body of `muscle` has a shape: no emitter can feed it";
            self.fail(path, message, "give it a shape");
            return None;
        }
        let density = item.material.density;
        let particles = self.particles(path, values, density, item.colliders, item.before)?;
        let support_radius = values.number("support_radius") * values.number("spacing");
        let mut shape = RestShape::new(particles.position.clone(), support_radius);
        shape.pose = pose(values);
        self.check_thickness(path, &shape)?;
        let mut flesh = Flesh::passive(shape);
        for (path, values) in self.items("muscle") {
            if values.text("body") == item.values.text("name") {
                self.add_muscle(&path, values, &mut flesh, item.values.number("spacing"));
            }
        }
        Some(InitialParticles {
            structure: Some(Arc::new(flesh)),
            ..particles
        })
    }

    /// Refuses muscles of bodies that have none.
    pub(super) fn refuse_muscles(&mut self) {
        for (path, values) in self.items("muscle") {
            let body = self.index_of("body", values.text("body"));
            let body = body.map(|number| &self.scene.tables["body"][number as usize]);
            if body.is_some_and(|body| body.text("method") != "muscle") {
                let message = "this body is of another method: only flesh has muscles";
                let remedy =
                    "give the body `method = \"muscle\"` and a law such as \"stable-neo-hookean\"";
                self.fail(&address_text(&path, "body"), message, remedy);
            }
        }
    }

    /// Refuses what flesh does not do.
    fn check_flesh_law(&mut self, path: &str, values: &Values, law: &Solid) -> Option<()> {
        let does_not = [
            ("flow", law.plasticity.is_some()),
            ("tear", law.tear_strain.is_some()),
            ("take fibres from its material", law.fibers.count > 0),
        ];
        let asked = does_not.into_iter().find(|&(_, asked)| asked);
        let Some((what, _)) = asked else {
            return Some(());
        };
        let material = values.text("material");
        let message = format!("bodies of `muscle` do not {what}, and its material does");
        let remedy = format!(
            "give fibres by a [[muscle]], take `strain-energy`, or another material than \"{material}\""
        );
        self.fail(&address_text(path, "method"), message, remedy);
        None
    }

    /// Refuses a body that is one or two particles thick: it would have no volume.
    fn check_thickness(&mut self, path: &str, shape: &RestShape) -> Option<()> {
        let has_volume = |particle: &usize| {
            let x = shape.position[*particle];
            let near = shape.neighbors_of(*particle).iter();
            let offsets = near.map(|&other| shape.position[other as usize] - x);
            RestCorrection::new(offsets, shape.support_radius).rank == 3
        };
        let thin = (0..shape.len()).filter(|k| !has_volume(k)).count();
        if thin as f64 <= THIN_SHARE * shape.len() as f64 {
            return Some(());
        }
        let message = format!(
            "{thin} of its {} particles have neighbours in a plane or a line only, where flesh has no volume",
            shape.len()
        );
        let remedy = "take a smaller spacing, so that it is two particles thick everywhere, or `cloth` for a sheet";
        self.fail(&address_text(path, "spacing"), message, remedy);
        None
    }

    fn add_muscle(&mut self, path: &str, values: &Values, flesh: &mut Flesh, spacing: f64) {
        let Some(members) = self.members(path, values, flesh, spacing) else {
            return;
        };
        let course = self.course(path, values, flesh, &members, spacing);
        let (Some((fibers, length)), Some(activation)) = (course, self.activation(path, values))
        else {
            return;
        };
        let muscle = Muscle {
            stiffness: values.number("stiffness"),
            shortening: values.number("shortening"),
            peak_stress: values.number("peak_stress"),
            length,
            ..Muscle::new(values.text("name"), 0.0, activation)
        };
        let waves = values
            .table("wave")
            .map_or(0.0, |wave| wave.number("waves"));
        let mut of_particle = vec![None; flesh.shape.len()];
        for (particle, fiber) in fibers {
            of_particle[particle] = Some((fiber.direction, waves * fiber.share));
        }
        flesh.add(muscle, |particle, _| of_particle[particle]);
    }

    /// Numbers of the particles of a muscle, at least one, or `None` after an error was collected.
    fn members(
        &mut self,
        path: &str,
        values: &Values,
        flesh: &Flesh,
        spacing: f64,
    ) -> Option<Vec<usize>> {
        let position = &flesh.shape.position;
        let all = 0..position.len();
        let members: Vec<usize> = if values.has("shape") {
            let shape = self.region(path, values, spacing)?;
            let region = Region {
                shape,
                pose: pose(values),
            };
            all.filter(|&k| region.contains(position[k])).collect()
        } else {
            all.collect()
        };
        if members.is_empty() {
            let body = values.text("body");
            let message = format!("there is no particle of the body \"{body}\" in it");
            let remedy = "move the region, or leave out `shape` for the whole body";
            self.fail(&address_text(path, "shape"), message, remedy);
            return None;
        }
        Some(members)
    }

    /// How fibres run, or `None` after an error was collected.
    fn course(
        &mut self,
        path: &str,
        values: &Values,
        flesh: &Flesh,
        members: &[usize],
        spacing: f64,
    ) -> Option<Course> {
        let position = &flesh.shape.position;
        let places: Vec<DVec3> = members.iter().map(|&k| position[k]).collect();
        if let Some(direction) = values.optional_vector3("direction") {
            let (fibers, length) = straight(DVec3::from_array(direction), &places);
            return Some((
                members.iter().copied().zip(fibers).collect(),
                length + spacing,
            ));
        }
        if values.has("spline") {
            let points = values.points("spline").into_iter();
            let points: Vec<DVec3> = points.map(|p| DVec3::new(p[0], p[1], p[2])).collect();
            if points.windows(2).any(|pair| pair[0] == pair[1]) {
                let message = "two points that follow each other are the same";
                let remedy = "leave one of them out";
                self.fail(&address_text(path, "spline"), message, remedy);
                return None;
            }
            let curve = Curve::through(&points);
            let fibers = members.iter().map(|&k| (k, curve.at(position[k])));
            return Some((fibers.collect(), curve.length()));
        }
        if let Some(table) = values.table("helix") {
            let helix = Helix {
                point: DVec3::from_array(table.vector3("point")),
                axis: DVec3::from_array(table.vector3("axis")),
                pitch: table.number("pitch").to_radians(),
            };
            let (fibers, length) = helix.at(&places);
            return Some((members.iter().copied().zip(fibers).collect(), length));
        }
        if let Some(table) = values.table("field") {
            let (fibers, length) = self.along_field(path, table, &flesh.shape, members)?;
            return Some((fibers, length + spacing));
        }
        self.between_ends(path, values, flesh, members, spacing)
    }

    /// Fibres as a file says.
    fn along_field(
        &mut self,
        path: &str,
        table: &Values,
        shape: &RestShape,
        members: &[usize],
    ) -> Option<Course> {
        let path = address_text(path, "field");
        let file = table.text("file");
        let vectors = match self.with.meshes.vectors(file, table.text("array")) {
            Ok(vectors) => vectors,
            Err(problem) => {
                self.fail_with(&path, problem);
                return None;
            }
        };
        let (scale, pose) = (table.number("scale"), shape.pose);
        let points = vectors.position.iter();
        let points = points.map(|&x| pose.to_world(x * scale));
        let nearest = NearestPoint::new(points.collect());
        let place = |k: usize| shape.position[k];
        let direction = |k: usize| {
            let number = nearest.number_of(place(k))?;
            vectors.vector[number].try_normalize()
        };
        let directions: Option<Vec<DVec3>> = members.iter().map(|&k| direction(k)).collect();
        let Some(directions) = directions else {
            let message = format!("{file}: a vector where the muscle is has no length");
            let remedy = "give the muscle a `shape` that leaves such places out";
            self.fail(&path, message, remedy);
            return None;
        };
        let directions = directions.into_iter();
        let directions: Vec<DVec3> = directions.map(|d| pose.direction_to_world(d)).collect();
        let places: Vec<DVec3> = members.iter().map(|&k| place(k)).collect();
        let (fibers, length) = as_given(&directions, &places);
        Some((members.iter().copied().zip(fibers).collect(), length))
    }

    /// Fibres from one end to the other.
    fn between_ends(
        &mut self,
        path: &str,
        values: &Values,
        flesh: &Flesh,
        members: &[usize],
        spacing: f64,
    ) -> Option<Course> {
        let path = address_text(path, "ends");
        let tables = values.tables("ends");
        let meshes = self.with.meshes;
        let build = |table| shapes::build_region(&union_of_one(table), meshes, spacing);
        let regions: Result<Vec<Arc<dyn Shape>>, _> = tables.into_iter().map(build).collect();
        let regions = match regions {
            Ok(regions) => regions,
            Err(problem) => {
                self.fail_with(&path, problem);
                return None;
            }
        };
        if regions.len() != 2 {
            let message = format!(
                "fibres run between two ends, and {} are given",
                regions.len()
            );
            self.fail(&path, message, "give two regions");
            return None;
        }
        let shape = &flesh.shape;
        let mut is_member = vec![false; shape.len()];
        members.iter().for_each(|&k| is_member[k] = true);
        let end_of = |k: usize| {
            let inside = |region: &Arc<dyn Shape>| region.signed_distance(shape.position[k]) <= 0.0;
            regions.iter().position(inside)
        };
        let ends: Vec<Option<usize>> = (0..shape.len()).map(end_of).collect();
        for (number, _) in regions.iter().enumerate() {
            if !members.iter().any(|&k| ends[k] == Some(number)) {
                let message = format!("there is no particle of the muscle in its end {number}");
                self.fail(&path, message, "move or enlarge that region");
                return None;
            }
        }
        let fibers = potential(shape, |k| {
            is_member[k].then(|| ends[k].map(|end| if end == 0 { 0.0 } else { 1.0 }))
        });
        let center = |number: usize| {
            let of_end = members.iter().filter(|&&k| ends[k] == Some(number));
            let (sum, count) = of_end.fold((DVec3::ZERO, 0.0), |(sum, count), &k| {
                (sum + shape.position[k], count + 1.0)
            });
            sum / count
        };
        let length = center(0).distance(center(1));
        let fibers = fibers.into_iter().enumerate();
        Some((
            fibers.filter_map(|(k, fiber)| Some((k, fiber?))).collect(),
            length,
        ))
    }

    /// How a muscle is activated, or `None` after an error was collected.
    fn activation(&mut self, path: &str, values: &Values) -> Option<Activation> {
        if values.flag("driven") {
            let start = values.optional_number("activation").unwrap_or(0.0);
            return Some(Activation::Driven(start));
        }
        if values.has("keyframes") {
            let keyframes = values.tables("keyframes").into_iter();
            return Some(Activation::Scheduled(Schedule::Keyframes {
                keyframes: keyframes
                    .map(|k| (k.number("t"), k.number("activation")))
                    .collect(),
                ease: ease(values),
            }));
        }
        if let Some(wave) = values.table("wave") {
            return Some(Activation::Wave(TravelingWave {
                mean: wave.number("mean"),
                amplitude: wave.number("amplitude"),
                frequency: wave.number("frequency"),
                phase: wave.number("phase") / 360.0,
            }));
        }
        if let Some(text) = values.optional_text("expression") {
            return match Formula::parse(text) {
                Ok(formula) => Some(Activation::Function(Arc::new(formula))),
                Err(message) => {
                    let remedy = "write a formula of t, such as \"0.5 + 0.5 * sin(2 * PI * t)\"";
                    self.fail(&address_text(path, "expression"), message, remedy);
                    None
                }
            };
        }
        let constant = values.optional_number("activation").unwrap_or(0.0);
        Some(Activation::Scheduled(Schedule::Constant(constant)))
    }
}

/// The table of a shape that is a shape in its place.
fn union_of_one(placed: &Values) -> Values {
    let mut union = Values::default();
    union.insert("union", Value::List(vec![Value::Table(placed.clone())]));
    let mut table = Values::default();
    table.insert("sdf", Value::Table(union));
    table
}
