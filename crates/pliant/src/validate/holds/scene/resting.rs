//! A load is laid on a body, which carries it.

use super::super::case::{BODY, Case, LOAD, Limit};
use super::super::methods::{Form, Method};
use super::{GRAVITY, SLOP, WALL, body, box_shape, header, material, number, vector, wall};

/// Distance of neighbouring particles [m].
const SPACING: f64 = 0.025;
/// Simulated time [s].
const DURATION: f64 = 1.0;
/// Time that water takes to come to rest under a float [s].
const POOL_DURATION: f64 = 2.0;
/// Strain that the load of a mass ratio makes: the body is as stiff as that takes.
const STRAIN: f64 = 0.02;
/// Edge of the body and of its load, and the edge of a sheet over that of its load [m].
const EDGE: f64 = 0.2;
const SHEET_OVER_LOAD: f64 = 2.0;
/// Height of the body and of its load [m].
const HEIGHT: f64 = 0.1;
const LOAD_HEIGHT: f64 = 0.05;
/// Gap between the load and the walls of a filled tank, and above a sheet [spacings].
const SIDE_GAP: f64 = 0.25;
const SHEET_GAP: f64 = 0.5;
/// Part of its height that a body may be compressed to before its load counts as having passed it.
const LEAST_HEIGHT: f64 = 0.25;
/// Edge and depth of a pool, and the edge of what floats in it or sinks [m].
const POOL: f64 = 0.3;
const POOL_DEPTH: f64 = 0.125;
const FLOAT: f64 = 0.1;

/// What is asked of a body at rest.
#[derive(Clone, Copy, Debug)]
pub struct Resting {
    /// Mass of the load over that of the body.
    pub mass_ratio: f64,
    /// Stiffness or viscosity in the unit of the method; if missing, as statics ask for.
    pub stiffness: Option<f64>,
    /// Poisson's ratio; if missing, the method's own.
    pub poissons_ratio: Option<f64>,
}

/// The case of a method.
pub fn resting(method: &Method, asked: Resting) -> Case {
    match method.form {
        Form::Block => block(method, asked),
        Form::Filling => filling(method, asked),
        Form::Pool => pool(method, asked),
        Form::Sheet => sheet(method, asked),
        Form::Box => boxes(method, asked),
    }
}

/// A block between the floor and a load as wide as itself.
fn block(method: &Method, asked: Resting) -> Case {
    Case {
        text: [column(method, asked, EDGE), floor(10.0 * EDGE)].concat(),
        ..carried(f64::INFINITY)
    }
}

/// A body that fills a tank, under a load nearly as wide as that.
fn filling(method: &Method, asked: Resting) -> Case {
    let load_edge = EDGE - 2.0 * SIDE_GAP * SPACING;
    Case {
        text: [
            column(method, asked, load_edge),
            tank(EDGE, HEIGHT + 2.0 * LOAD_HEIGHT),
        ]
        .concat(),
        ..carried(0.5 * EDGE + SLOP * SPACING)
    }
}

/// Lines of a body of particles.
fn of_particles(method: &Method) -> String {
    format!("spacing = {SPACING}\n{}", method.body)
}

/// What is asked of a body of the usual height and its load.
fn carried(half_width: f64) -> Case {
    Case {
        text: String::new(),
        limits: vec![
            above_floor(-SLOP * SPACING),
            load_above(
                LEAST_HEIGHT * HEIGHT + 0.5 * LOAD_HEIGHT,
                "through the body",
            ),
        ],
        half_width,
        comes_to_rest: true,
    }
}

/// The body and the load on it.
fn column(method: &Method, asked: Resting, load_edge: f64) -> String {
    let mass = method.density * EDGE * EDGE * HEIGHT;
    let load = asked.mass_ratio * mass;
    let pressure = (load + 0.5 * mass) * GRAVITY / (EDGE * EDGE);
    let stiffness = asked.stiffness.unwrap_or(pressure / STRAIN);
    [
        opening(method, asked, Some(stiffness), DURATION),
        body(
            BODY,
            BODY,
            &box_shape([EDGE, HEIGHT, EDGE]),
            [0.0, 0.5 * HEIGHT, 0.0],
            &of_particles(method),
        ),
        rigid_load(
            [load_edge, LOAD_HEIGHT, load_edge],
            HEIGHT + 0.5 * LOAD_HEIGHT,
            load,
        ),
    ]
    .concat()
}

/// A cube laid on water, which floats or sinks to the floor.
fn pool(method: &Method, asked: Resting) -> Case {
    let mass = method.density * POOL * POOL * POOL_DEPTH;
    Case {
        text: [
            opening(method, asked, asked.stiffness, POOL_DURATION),
            body(
                BODY,
                BODY,
                &box_shape([POOL, POOL_DEPTH, POOL]),
                [0.0, 0.5 * POOL_DEPTH, 0.0],
                &of_particles(method),
            ),
            rigid_load(
                [FLOAT; 3],
                POOL_DEPTH + 0.5 * FLOAT,
                asked.mass_ratio * mass,
            ),
            tank(POOL, 4.0 * POOL_DEPTH),
        ]
        .concat(),
        limits: vec![
            above_floor(-SLOP * SPACING),
            load_above(0.5 * FLOAT - SLOP * SPACING, "through the floor"),
        ],
        half_width: 0.5 * POOL + SLOP * SPACING,
        comes_to_rest: true,
    }
}

/// A sheet that is held along its edges, and a load in its middle.
///
/// Stretched by the strain e, the sheet between the load, of edge b, and its own edges slopes by sqrt(2 e),
/// and its tension k e along four sides carries 4 b k e sqrt(2 e).
fn sheet(method: &Method, asked: Resting) -> Case {
    let edge = SHEET_OVER_LOAD * EDGE;
    let mass = method.density * edge * edge;
    let load = asked.mass_ratio * mass;
    let weight = (load + 0.5 * mass) * GRAVITY;
    let carried = 4.0 * EDGE * STRAIN * (2.0 * STRAIN).sqrt();
    let stiffness = asked.stiffness.unwrap_or(weight / carried);
    let shape = format!("{{ sheet = {{ size = [{0}, {0}] }} }}", number(edge));
    let bottom = SHEET_GAP * SPACING;
    Case {
        text: [
            opening(method, asked, Some(stiffness), DURATION),
            body(BODY, BODY, &shape, [0.0; 3], &of_particles(method)),
            rigid_load([EDGE, LOAD_HEIGHT, EDGE], bottom + 0.5 * LOAD_HEIGHT, load),
            frame(edge),
        ]
        .concat(),
        limits: vec![load_above(-0.5 * edge, "through the sheet")],
        half_width: f64::INFINITY,
        comes_to_rest: true,
    }
}

/// A box on a box.
fn boxes(method: &Method, asked: Resting) -> Case {
    let mass = method.density * EDGE * EDGE * HEIGHT;
    let slop = SLOP * SPACING;
    Case {
        text: [
            opening(method, asked, None, DURATION),
            body(
                BODY,
                BODY,
                &box_shape([EDGE, HEIGHT, EDGE]),
                [0.0, 0.5 * HEIGHT, 0.0],
                "",
            ),
            rigid_load(
                [EDGE, LOAD_HEIGHT, EDGE],
                HEIGHT + 0.5 * LOAD_HEIGHT,
                asked.mass_ratio * mass,
            ),
            floor(10.0 * EDGE),
        ]
        .concat(),
        limits: vec![
            above_floor(0.5 * HEIGHT - slop),
            load_above(HEIGHT + 0.5 * LOAD_HEIGHT - slop, "into the box"),
        ],
        half_width: f64::INFINITY,
        comes_to_rest: true,
    }
}

fn opening(method: &Method, asked: Resting, stiffness: Option<f64>, duration: f64) -> String {
    let title = format!(
        "{} under {} times its mass",
        method.name,
        number(asked.mass_ratio)
    );
    [
        header(&title, duration),
        material(
            BODY,
            &method.material_lines(stiffness, asked.poissons_ratio),
        ),
        material(LOAD, "law = \"rigid\"\ndensity = 1000.0\n"),
    ]
    .concat()
}

fn rigid_load(size: [f64; 3], height: f64, mass: f64) -> String {
    let lines = format!("mass = {}\n", number(mass));
    body(LOAD, LOAD, &box_shape(size), [0.0, height, 0.0], &lines)
}

fn above_floor(least: f64) -> Limit {
    Limit {
        body: BODY,
        least,
        passed: "through the floor",
    }
}

fn load_above(least: f64, passed: &'static str) -> Limit {
    Limit {
        body: LOAD,
        least,
        passed,
    }
}

fn floor(edge: f64) -> String {
    wall("floor", [edge, WALL, edge], [0.0, -0.5 * WALL, 0.0])
}

/// A floor and four walls around a square.
fn tank(edge: f64, height: f64) -> String {
    let outside = 0.5 * (edge + WALL);
    let wide = edge + 2.0 * WALL;
    [
        floor(wide),
        wall("left", [WALL, height, wide], [-outside, 0.5 * height, 0.0]),
        wall("right", [WALL, height, wide], [outside, 0.5 * height, 0.0]),
        wall("back", [edge, height, WALL], [0.0, 0.5 * height, -outside]),
        wall("front", [edge, height, WALL], [0.0, 0.5 * height, outside]),
    ]
    .concat()
}

/// What holds a sheet along its edges, far away so that it is in nobody's way.
fn frame(edge: f64) -> String {
    let (half, thin) = (0.5 * edge, 0.5 * SPACING);
    let along_z = [thin, thin, edge + thin];
    let along_x = [edge - 2.0 * thin, thin, thin];
    let sides = [
        ("left", along_z, [-half, 0.0, 0.0]),
        ("right", along_z, [half, 0.0, 0.0]),
        ("back", along_x, [0.0, 0.0, -half]),
        ("front", along_x, [0.0, 0.0, half]),
    ];
    let holds = sides.map(|(name, size, position)| {
        format!(
            "\n[[attach]]\nname = \"{name}\"\nbody = \"{BODY}\"\nto_collider = \"frame\"\n\
             shape = {}\nposition = {}\n",
            box_shape(size),
            vector(position)
        )
    });
    wall("frame", [WALL; 3], [100.0 * edge, 0.0, 0.0]) + &holds.concat()
}
