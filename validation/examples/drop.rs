//! Scratch.
use pliant_math::*;
use pliant_validation::*;
fn main() {
    let s = 2.0 / 36.0;
    let n = 37;
    let random = RandomStream::new(3, 1);
    let mut pts = vec![];
    let mut k = 0u64;
    for x in 0..n {
        for y in 0..n {
            for z in 0..n {
                let mut r = |j| random.unit(3 * k + j) - 0.5; // half a spacing either way -> +-0.5
                let d = DVec3::new(r(0), r(1), r(2))
                    * (2.0 * 0.5 * std::env::args().nth(1).map_or(1.0, |v| v.parse().unwrap()));
                k += 1;
                pts.push(
                    (DVec3::new(x as f64 - 18.0, y as f64, z as f64 - 18.0) + d) * s
                        + DVec3::Y * 1.5,
                );
            }
        }
    }
    let mut case =
        Case::new(sand(1000.0, 4e5, 0.3, 0.68f64.atan().to_degrees()), pts, s).floor(0.0, 0.0, 0.5);
    case.setup.gravity = DVec3::Y * -10.0;
    case.setup.solver.iterations = 4;
    case.setup.solver.xpbi.minimum_distance = 0.0;
    let mut w = case.world();
    let t = std::time::Instant::now();
    let mut k = 0;
    run(&mut w, 1e-3, 2000, |w| {
        k += 1;
        if k % 500 == 0 {
            rep(w, t);
        }
    })
    .unwrap();
}
fn rep(w: &pliant_core::world::World, t: std::time::Instant) {
    let mut r: Vec<f64> = w
        .state
        .particles
        .position
        .iter()
        .map(|x| x.x.hypot(x.z))
        .collect();
    let mut z: Vec<f64> = w.state.particles.position.iter().map(|x| x.y).collect();
    r.sort_by(f64::total_cmp);
    z.sort_by(f64::total_cmp);
    let q = |v: &Vec<f64>, f: f64| v[(f * v.len() as f64) as usize];
    println!(
        "t {:.2} z99.9 {:.3} r50 {:.3} r90 {:.3} r99 {:.3} {:.1}s",
        w.state.time,
        q(&z, 0.999),
        q(&r, 0.5),
        q(&r, 0.9),
        q(&r, 0.99),
        t.elapsed().as_secs_f64()
    );
}
