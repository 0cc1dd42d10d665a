//! What scenes measure: a file a probe, a line each in the registry.

mod bounding_box;
mod cells;
mod center_of_mass;
mod collider_force;
mod energy;
mod fragments;
mod heap;
mod kernel_density;
mod mass_in_region;
mod muscle;
mod nearest_particle;
mod neighbor_distance;
mod quantile;
mod region;
mod repose_angle;
mod run_out;
mod spring_stretch;
mod stretch;
mod tensors;
mod volume;

pub use kernel_density::KernelDensity;
pub use neighbor_distance::NeighborDistances;

use pliant_geometry::MeshSource;
use pliant_math::DVec3;
use pliant_parameters::{Field, Kind, Preset, Problem, Range, Values};

use super::{Column, FrameReport};
use crate::world::{Setup, World};

/// Something that reads numbers off a world, once a frame.
pub trait Probe: Send + Sync {
    /// The columns it writes.
    fn columns(&self) -> Vec<Column>;

    /// Its numbers, one a column, all finite. `report` is that of the frame just completed.
    fn measure(&self, world: &World, report: &FrameReport) -> Vec<f64>;
}

/// What a probe's builder may ask for.
#[derive(Clone, Copy)]
pub struct ProbeContext<'a> {
    /// The world's constants.
    pub setup: &'a Setup,
    /// Index of the vertical axis: 1 for y, 2 for z.
    pub up: usize,
    /// Meshes, for regions.
    pub meshes: &'a dyn MeshSource,
}

/// Builds a probe from its checked values.
pub type BuildProbe = fn(&Values, ProbeContext<'_>) -> Result<Box<dyn Probe>, Problem>;

/// A row of the probe registry.
#[derive(Clone, Copy)]
pub struct ProbeKind {
    /// Name in scene files, kebab case: the value of `measure`.
    pub name: &'static str,
    /// What it is, a sentence.
    pub doc: &'static str,
    /// Its parameters, without `name` and `measure`.
    pub fields: &'static [Field],
    /// What it writes.
    pub columns: &'static [ProbeColumn],
    /// Builds it.
    pub build: BuildProbe,
}

/// A column that a kind of probe writes.
#[derive(Clone, Copy, Debug)]
pub struct ProbeColumn {
    /// Name, the part after the probe's own.
    pub name: &'static str,
    /// Unit, empty for none.
    pub unit: &'static str,
    /// What it is, a sentence.
    pub doc: &'static str,
}

/// The registry.
pub const KINDS: &[ProbeKind] = &[
    bounding_box::KIND,
    center_of_mass::KIND,
    nearest_particle::KIND,
    volume::KIND,
    collider_force::KIND,
    repose_angle::KIND,
    run_out::KIND,
    energy::KIND,
    mass_in_region::KIND,
    quantile::KIND,
    stretch::KIND,
    tensors::STRESS,
    tensors::DEFORMATION,
    spring_stretch::KIND,
    muscle::KIND,
    fragments::KIND,
    neighbor_distance::KIND,
    kernel_density::KIND,
];

const BODY: Field = Field::optional(
    "body",
    Kind::Text,
    "",
    "Name of the body that is measured. If missing, all particles.",
);

const AXIS: Field = Field::optional(
    "axis",
    Kind::Choice(&["x", "y", "z"]),
    "",
    "The vertical axis. If missing, `scene.up`.",
);

const CENTER: Field = Field::new(
    "center",
    Kind::Vector(3, Range::ANY),
    "m",
    Preset::Vector(&[0.0, 0.0, 0.0]),
    "A point of the axis that radii are measured from, at the height of the ground.",
);

/// The particles a probe is about.
#[derive(Clone, Copy, Debug)]
struct Selection {
    body: Option<u32>,
}

impl Selection {
    fn read(values: &Values, setup: &Setup) -> Result<Self, Problem> {
        let Some(name) = values.optional_text("body") else {
            return Ok(Self { body: None });
        };
        let names: Vec<&str> = setup.bodies.iter().map(|b| b.name.as_str()).collect();
        let body = index_of(name, &names, "body")?;
        Ok(Self {
            body: Some(body as u32),
        })
    }

    fn has(self, world: &World, i: usize) -> bool {
        self.body
            .is_none_or(|body| world.state.particles.body[i] == body)
    }

    /// Places of the selected particles, in the order of their stable ids: sums over them do not
    /// depend on how the particles happen to be sorted.
    fn particles(self, world: &World) -> Vec<usize> {
        let mut places: Vec<usize> = self.in_any_order(world).collect();
        places.sort_unstable_by_key(|&i| world.state.particles.id[i]);
        places
    }

    /// The same, for what does not hang on the order.
    fn in_any_order(self, world: &World) -> impl Iterator<Item = usize> {
        (0..world.state.particles.len()).filter(move |&i| self.has(world, i))
    }
}

/// An upright axis that radii are measured from.
#[derive(Clone, Copy, Debug)]
struct Axis {
    up: usize,
    center: DVec3,
}

impl Axis {
    fn read(values: &Values, context: ProbeContext<'_>) -> Self {
        let up = match values.optional_text("axis") {
            Some("x") => 0,
            Some("y") => 1,
            Some(_) => 2,
            None => context.up,
        };
        Self {
            up,
            center: DVec3::from(values.vector3("center")),
        }
    }

    /// Height above the centre [m].
    fn height(&self, x: DVec3) -> f64 {
        (x - self.center)[self.up]
    }

    /// Distance from the axis [m].
    fn radius(&self, x: DVec3) -> f64 {
        let mut d = x - self.center;
        d[self.up] = 0.0;
        d.length()
    }

    /// Direction from the axis as a part of a turn about it, in [0, 1).
    fn turn(&self, x: DVec3) -> f64 {
        let d = x - self.center;
        let angle = libm::atan2(d[(self.up + 2) % 3], d[(self.up + 1) % 3]);
        (0.5 + angle / (2.0 * std::f64::consts::PI)).rem_euclid(1.0)
    }
}

fn index_of(name: &str, names: &[&str], key: &str) -> Result<usize, Problem> {
    names.iter().position(|&n| n == name).ok_or_else(|| {
        Problem::at(
            key,
            format!("there is no {key} '{name}'"),
            format!("use one of: {}", names.join(", ")),
        )
    })
}

const fn column(name: &'static str, unit: &'static str, doc: &'static str) -> ProbeColumn {
    ProbeColumn { name, unit, doc }
}

/// The columns of a kind of probe as those of a table.
fn columns(columns: &[ProbeColumn]) -> Vec<Column> {
    let columns = columns.iter();
    columns.map(|c| Column::new(c.name, c.unit)).collect()
}

/// The value that a fraction of the numbers stays below; 0 if there are none. They change places.
fn quantile_of(numbers: &mut [f64], fraction: f64) -> f64 {
    let Some(last) = numbers.len().checked_sub(1) else {
        return 0.0;
    };
    let place = ((fraction * numbers.len() as f64) as usize).min(last);
    *numbers.select_nth_unstable_by(place, f64::total_cmp).1
}
