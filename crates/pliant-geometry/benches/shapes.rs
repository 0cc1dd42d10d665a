//! Times of what happens before a run: baking a mesh's distance, filling a body with particles.
//!
//! `cargo bench -p pliant-geometry` runs them. Goals on two cores: a bake of 100 000 triangles in
//! under 5 s, a million Poisson samples in under 10 s; on one, 20 000 triangles cut into about 840
//! cells in under 0.2 s, a shape filled with 50 000 tetrahedra in under 0.5 s.

use std::f64::consts::TAU;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pliant_geometry::sampling::{Sampling, fill};
use pliant_geometry::shapes::{MeshShape, Sphere};
use pliant_geometry::{CutCells, CutGrid, Shape, TriangleMesh, stuffed};
use pliant_math::{DVec3, RandomStream};

fn main() {
    divan::main();
}

/// Particles along the longest edge of the baked mesh: its cells are half a spacing.
const SPACINGS: [u32; 2] = [100, 200];

/// The distance of a mesh of 100 000 triangles.
#[divan::bench(args = SPACINGS, sample_count = 1, sample_size = 1)]
fn bake_100k_triangles(bencher: divan::Bencher, spacings: u32) {
    let mesh = bumpy_torus(500, 100);
    assert_eq!(mesh.triangles.len(), 100_000);
    let spacing = mesh.bounds().extent().max_element() / f64::from(spacings);
    bencher.bench(|| MeshShape::new(mesh.clone(), 1.0, spacing, on_all_cores).is_ok());
}

/// A million particles in a sphere.
#[divan::bench(sample_count = 1, sample_size = 1)]
fn sample_1m_particles() -> usize {
    let shape = Sphere { radius: 0.5 };
    let volume = shape.volume().unwrap_or_default();
    let spacing = (volume / 1e6).cbrt();
    fill(
        &shape,
        spacing,
        Sampling::Poisson,
        0.0,
        RandomStream::new(1, 0),
        on_all_cores,
    )
    .len()
}

/// 20 000 triangles into about 840 cells.
#[divan::bench]
fn cut_20k_triangles(bencher: divan::Bencher) {
    let mesh = bumpy_torus(200, 50);
    assert_eq!(mesh.triangles.len(), 20_000);
    let (origin, side) = (mesh.bounds().min, DVec3::splat(0.095));
    let grid = CutGrid { origin, side };
    let count = CutCells::new(&mesh, grid).cells.len();
    assert!((700..1000).contains(&count), "{count} cells");
    bencher.bench(|| CutCells::new(&mesh, grid).cells.len());
}

/// A ball of about 50 000 tetrahedra: twelve for each cube of the lattice.
#[divan::bench]
fn stuff_50k_tetrahedra(bencher: divan::Bencher) {
    let shape = Sphere { radius: 0.5 };
    let volume = shape.volume().unwrap_or_default();
    let spacing = (12.0 * volume / 50_000.0).cbrt();
    let count = || stuffed(&shape, spacing).map_or(0, |mesh| mesh.tetrahedra().len());
    assert!(
        (45_000..60_000).contains(&count()),
        "{} tetrahedra",
        count()
    );
    bencher.bench(count);
}

/// The loop on as many threads as there are cores, each taking the next piece.
fn on_all_cores(count: usize, piece: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let take = || next.fetch_add(1, Ordering::Relaxed);
                std::iter::repeat_with(take)
                    .take_while(|i| *i < count)
                    .for_each(piece);
            });
        }
    });
}

/// A ring with bumps of `around` by `across` quadrilaterals, its longest edge about 1.5 m.
fn bumpy_torus(around: u32, across: u32) -> TriangleMesh {
    let vertex = |i: u32, j: u32| {
        let (u, v) = (
            TAU * f64::from(i) / f64::from(around),
            TAU * f64::from(j) / f64::from(across),
        );
        let bump = 1.0 + 0.2 * (12.0 * u).sin() * (5.0 * v).sin();
        let radius = 0.5 + 0.2 * bump * v.cos();
        DVec3::new(radius * u.cos(), 0.2 * bump * v.sin(), radius * u.sin())
    };
    let index = |i: u32, j: u32| (i % around) * across + j % across;
    let corners = (0..around).flat_map(|i| (0..across).map(move |j| (i, j)));
    let vertices = corners.clone().map(|(i, j)| vertex(i, j)).collect();
    let triangles = corners.flat_map(|(i, j)| {
        let [a, b] = [index(i, j), index(i + 1, j)];
        let [c, d] = [index(i + 1, j + 1), index(i, j + 1)];
        [[a, d, c], [a, c, b]]
    });
    TriangleMesh {
        vertices,
        triangles: triangles.collect(),
    }
}
