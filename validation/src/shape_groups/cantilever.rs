//! Tetrahedra as groups against a finite-element solution of the same mesh and energy.

use pliant_core::methods::shape_groups::ParticleGroups;
use pliant_core::step::StepError;
use pliant_core::world::World;
use pliant_geometry::TetrahedralMesh;
use pliant_math::{DMat3, DVec3};

use super::{DENSITY, SIDE, YOUNGS_MODULUS, neo_hookean, step, world_of};
use crate::{Claim, Expected, Figure, by_precision, run};

/// Under its own weight.
pub const TETRAHEDRA: Claim = Claim {
    statement: "the end of a beam of tetrahedral groups sinks as far as finite elements say",
    measure: || {
        let mesh = beam();
        let expected = finite_elements(&mesh);
        let mut figures = Vec::new();
        for crossed in [0.1, 0.05] {
            let measured = groups(&mesh, crossed)?;
            let what =
                format!("sag over that of finite elements, steps that cross {crossed} sides");
            let most = by_precision(0.005, 0.01);
            figures.push(Figure::new(
                what,
                measured / expected,
                Expected::Near(1.0, most),
            ));
        }
        Ok(figures)
    },
};

const CELLS: [usize; 3] = [2, 2, 8];
const POISSONS_RATIO: f64 = 0.3;
const GRAVITY: f64 = 2.0;

/// Cubes along z, of six tetrahedra each around their diagonal.
fn beam() -> TetrahedralMesh {
    const WAYS: [[usize; 3]; 6] = [
        [0, 1, 2],
        [0, 2, 1],
        [1, 0, 2],
        [1, 2, 0],
        [2, 0, 1],
        [2, 1, 0],
    ];
    let [nx, ny, nz] = CELLS;
    let vertex = |[x, y, z]: [usize; 3]| ((z * (ny + 1) + y) * (nx + 1) + x) as u32;
    let points = (nx + 1) * (ny + 1) * (nz + 1);
    let place = |k: usize| {
        [
            k % (nx + 1),
            k / (nx + 1) % (ny + 1),
            k / ((nx + 1) * (ny + 1)),
        ]
    };
    let vertices: Vec<DVec3> = (0..points)
        .map(|k| DVec3::from_array(place(k).map(|c| c as f64)) * SIDE)
        .collect();
    let mut tetrahedra = Vec::new();
    for k in 0..nx * ny * nz {
        for way in WAYS {
            let mut at = [k % nx, k / nx % ny, k / (nx * ny)];
            let mut corners = [vertex(at); 4];
            for (corner, axis) in corners[1..].iter_mut().zip(way) {
                at[axis] += 1;
                *corner = vertex(at);
            }
            tetrahedra.push(corners);
        }
    }
    match TetrahedralMesh::new(&vertices, tetrahedra) {
        Ok(mesh) => mesh,
        Err(fault) => panic!("six tetrahedra fill a cube: {fault}"),
    }
}

/// How far the end has sunk [m] when the groups are at rest.
fn groups(mesh: &TetrahedralMesh, crossed: f64) -> Result<f64, StepError> {
    let mut setup = world_of(
        neo_hookean(POISSONS_RATIO),
        ParticleGroups::tetrahedra(mesh),
    );
    setup.gravity = DVec3::Y * -GRAVITY;
    let particles = &mut setup.bodies[0].particles;
    for (pinned, x) in particles.is_pinned.iter_mut().zip(&particles.position) {
        *pinned = is_held(*x);
    }
    setup.solver.damping = 2.0 * frequency();
    let mut world = World::new(setup);
    let dt = step(crossed);
    run(
        &mut world,
        dt,
        (12.0 / frequency() / dt) as usize,
        |_, _| (),
    )?;
    let p = &world.state.particles;
    let mut now = mesh.vertices().to_vec();
    for (&id, &x) in p.id.iter().zip(&p.position) {
        now[id as usize] = x;
    }
    Ok(sag(mesh, &now))
}

/// The same as the static solution of linear finite elements: their forces move masses that are damped until
/// nothing moves, in double precision.
fn finite_elements(mesh: &TetrahedralMesh) -> f64 {
    let mass: Vec<f64> = mesh.vertex_volumes().iter().map(|v| v * DENSITY).collect();
    let mut x = mesh.vertices().to_vec();
    let mut v = vec![DVec3::ZERO; x.len()];
    let dt = step(0.05);
    let keeps = 1.0 - 2.0 * frequency() * dt;
    for _ in 0..(12.0 / frequency() / dt) as usize {
        let force = forces(mesh, &x);
        for k in 0..x.len() {
            if !is_held(mesh.vertices()[k]) {
                v[k] = (v[k] + (force[k] / mass[k] + DVec3::Y * -GRAVITY) * dt) * keeps;
                x[k] += v[k] * dt;
            }
        }
    }
    sag(mesh, &x)
}

/// Elastic forces [N] at the vertices: -V P B of every tetrahedron, constant strain.
fn forces(mesh: &TetrahedralMesh, x: &[DVec3]) -> Vec<DVec3> {
    let mut force = vec![DVec3::ZERO; x.len()];
    for t in mesh.tetrahedra() {
        let edges = |x: &[DVec3]| {
            let [a, b, c, d] = t.map(|k| x[k as usize]);
            DMat3::from_cols(b - a, c - a, d - a)
        };
        let rest = edges(mesh.vertices());
        let f = edges(x) * rest.inverse();
        let volume = rest.determinant() / 6.0;
        let of_corners = stress(f) * rest.inverse().transpose() * -volume;
        let columns = [of_corners.x_axis, of_corners.y_axis, of_corners.z_axis];
        for (&corner, column) in t[1..].iter().zip(columns) {
            force[corner as usize] += column;
            force[t[0] as usize] -= column;
        }
    }
    force
}

/// Of Psi = mu/2 (|F|^2 - 3) + l/2 (J - 1 - mu/l)^2, l = lambda + mu: Müller et al. 2022, section 3.3, with l in
/// place of lambda so that small strains are Hooke's.
fn stress(f: DMat3) -> DMat3 {
    let mu = YOUNGS_MODULUS / (2.0 * (1.0 + POISSONS_RATIO));
    let l = 2.0 * mu * POISSONS_RATIO / (1.0 - 2.0 * POISSONS_RATIO) + mu;
    let j = f.determinant();
    let cofactor = f.inverse().transpose() * j;
    f * mu + cofactor * (l * (j - 1.0) - mu)
}

fn is_held(rest: DVec3) -> bool {
    rest.z < 0.5 * SIDE
}

fn sag(mesh: &TetrahedralMesh, x: &[DVec3]) -> f64 {
    let end = CELLS[2] as f64 * SIDE - 0.5 * SIDE;
    let columns = mesh.vertices().iter().zip(x);
    let sags: Vec<f64> = columns
        .filter(|(rest, _)| rest.z > end)
        .map(|(rest, x)| rest.y - x.y)
        .collect();
    sags.iter().sum::<f64>() / sags.len() as f64
}

/// Of its first mode [rad/s].
fn frequency() -> f64 {
    let [height, length] = [CELLS[1], CELLS[2]].map(|n| n as f64 * SIDE);
    3.516 * (YOUNGS_MODULUS / DENSITY / 12.0).sqrt() * height / (length * length)
}
